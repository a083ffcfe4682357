//! Changes of layers: which one is active then, and the job that does it.

use crate::viewer::app::App;
use crate::viewer::background::StyleJob;
use mohawk::maps::LayerEdit;

impl App {
    /// Changes the layers of the selected map, about one of them.
    pub(crate) fn edit_layer(&mut self, name: String, edit: LayerEdit) {
        if self.awaits_stroke() || self.refuses_styling() {
            return;
        }
        let styling = &mut self.styling;
        let (map, list) = (styling.hand.map, &styling.layers);
        let active = match &edit {
            LayerEdit::Add => Some(name.clone()),
            LayerEdit::Delete | LayerEdit::MergeDown => list.below(&name),
            // The list has the name already. A name that another layer has is refused.
            LayerEdit::Set(new)
                if styling.hand.layer() == Some(&name)
                    && list.rows.iter().filter(|row| row.name == new.name).count() < 2 =>
            {
                Some(new.name.clone())
            }
            _ => styling.hand.layer().map(str::to_owned),
        };
        styling.hand.layers.remove(&map);
        styling.hand.layers.extend(active.map(|name| (map, name)));
        let merge = std::mem::replace(&mut styling.merging, self.pointer.pressed);
        if merge
            && matches!(edit, LayerEdit::Set(_))
            && let Some(StyleJob::Layers {
                map: of,
                name: last,
                edit: waiting @ LayerEdit::Set(_),
                ..
            }) = styling.waiting.back_mut()
            && (*of, &*last) == (map, &name)
        {
            // The last place of a slider that is dragged counts.
            *waiting = edit;
            return;
        }
        self.queue_style_job(StyleJob::Layers {
            map,
            name,
            edit,
            merge,
        });
    }
}
