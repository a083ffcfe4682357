//! Presets: another style in place of the present one, and the present one as a preset.

use super::App;
use crate::viewer::background::{BackgroundTask, LoadRequest, Progress, Stopped, StyleJob};
use crate::viewer::input::action::Replacement;
use crate::viewer::loading::Purpose;
use crate::viewer::paths::shown;
use crate::viewer::platform;
use crate::viewer::presets::{Ahead, Asked, OtherHeads};
use crate::viewer::styling::{NO_SCALP, StylerSlot};
use image::RgbaImage;
use mohawk::Config;
use mohawk::head::{Head, Model};
use mohawk::presets::{Preset, PresetError};
use mohawk::render::RenderError;
use mohawk::scene_file::SceneSetup;
use mohawk::style::{Card, Follicles, Measured};
use std::rc::Rc;
use std::sync::{Arc, Weak};
use web_time::Instant;

/// The largest head that a preset takes into its file, bytes.
const MAX_EMBEDDED: u64 = 64 << 20;

impl App {
    /// Takes the preset with a number in the strip.
    pub(super) fn choose_preset(&mut self, number: usize) {
        match self.presets.listed.get(number) {
            Some(listed) => self.take_preset(listed.preset.clone()),
            None => {
                let text = format!("There is no preset number {}", number + 1);
                self.overlay.notice(text);
            }
        }
    }

    /// Puts a preset on the head that is shown, which can be undone, or loads it with its own head.
    pub(crate) fn take_preset(&mut self, preset: Preset) {
        if self.awaits_stroke() {
            return;
        }
        let is_away = self.subject.is_headless() || self.scenes.has_own_head();
        if is_away && !self.leave_scene() {
            return;
        }
        // The last changes of settings are a step of their own.
        self.follow_settings();
        if platform::awaits_shipped() {
            self.presets.queued = Some(preset);
            return;
        }
        // Changes that wait are older than the preset.
        let is_away = matches!(self.styling.styler, StylerSlot::Working)
            || !self.styling.waiting.is_empty()
            || self.awaits_roots(&preset);
        if is_away || self.loading.pending.is_some() {
            // Of presets that are chosen in a row, only the last counts.
            if self.presets.asked.is_some() {
                self.loading.style.cancel();
            }
            self.presets.queued = Some(preset);
            return;
        }
        let model = match preset.model() {
            Ok(model) => model,
            Err(error) => return self.overlay.error(error.to_string()),
        };
        let is_clean = !self.is_unsaved();
        if matches!(self.styling.styler, StylerSlot::Ready(_)) && self.fits_head(&model) {
            self.presets.asked = Some(Asked {
                preset: preset.clone(),
                is_clean,
                since: Instant::now(),
            });
            let model = self.styling.model.clone();
            self.start_style_job(StyleJob::Preset(preset, model));
        } else if is_clean {
            self.load_preset(preset);
        } else {
            self.overlay.replaces = Some(Replacement::Preset(preset));
        }
    }

    /// Samples roots for presets on the shipped head as soon as the pointer is over the strip: hair
    /// on bald skin takes seconds the first time. Takes the result.
    pub(crate) fn prepare_presets(&mut self) {
        self.take_saved_preset();
        if self.presets.is_near && platform::awaits_shipped() {
            return;
        }
        self.measure_other_head();
        let StylerSlot::Ready(styler) = &mut self.styling.styler else {
            return;
        };
        let presets = &mut self.presets;
        match presets.ahead.poll() {
            Some(Ok(Some((settings, follicles)))) => {
                let head = presets.ahead_of.as_ref().and_then(Weak::upgrade);
                if head.is_some_and(|head| Arc::ptr_eq(&head, styler.head())) {
                    styler.keep_follicles(&settings, &follicles);
                }
                self.take_queued_preset();
                return;
            }
            Some(_) => return self.take_queued_preset(),
            None => {}
        }
        let head = styler.head();
        let known = presets.ahead_of.as_ref();
        let is_known = known.is_some_and(|known| known.as_ptr() == Arc::as_ptr(head));
        if !presets.is_near || is_known || self.styling.model != Model::default() {
            return;
        }
        presets.ahead_of = Some(Arc::downgrade(head));
        let head = head.clone();
        (presets.ahead).begin(&self.wake, "Preparing presets", move |progress| {
            sampled(&head, progress)
        });
    }

    /// Measures the shipped head or bust that is not shown, after the one that is.
    fn measure_other_head(&mut self) {
        let presets = &mut self.presets;
        match &mut presets.measuring {
            Some(task) => {
                if let Some(measured) = task.poll() {
                    presets.measured = measured.unwrap_or_default();
                    self.take_queued_preset();
                }
            }
            None if presets.is_near && presets.ahead.progress().is_none() => {
                let shown = self.styling.model.clone();
                let task = presets.measuring.insert(BackgroundTask::default());
                task.begin(&self.wake, "Preparing presets", move |progress| {
                    measured(&shown, progress)
                });
            }
            None => {}
        }
    }

    /// Returns `true` if a preset needs the roots that are being sampled.
    fn awaits_roots(&self, preset: &Preset) -> bool {
        let presets = &self.presets;
        let measures = |task: &BackgroundTask<_>| task.progress().is_some();
        if presets.measuring.as_ref().is_some_and(measures) {
            let model = preset.model();
            return model.is_ok_and(|model| model.is_head() && !self.fits_head(&model));
        }
        let is_at_work = presets.ahead.progress().is_some();
        is_at_work && preset.open().is_ok_and(|saved| saved.style.needs_bald())
    }

    /// Returns `true` if a preset that was chosen is on its way.
    pub(crate) fn awaits_preset(&self) -> bool {
        let pending = self.loading.pending.as_ref();
        let loads = pending.is_some_and(|pending| matches!(pending.purpose, Purpose::Preset));
        loads || self.presets.asked.is_some() || self.presets.queued.is_some()
    }

    /// Goes on when the files that ship with the program have come, or says that they have not.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn take_shipped(&mut self, are_here: bool) {
        if are_here {
            return self.take_queued_preset();
        }
        if self.presets.queued.take().is_some() {
            let text = "The other presets could not be fetched. Check the connection; if the page has a \
                        new version, close all its tabs";
            self.overlay.error(text);
        }
    }

    /// Takes the preset that had to wait.
    pub(crate) fn take_queued_preset(&mut self) {
        if let Some(preset) = self.presets.queued.take() {
            self.take_preset(preset);
        }
    }

    /// Returns `true` if a style for a model can be put on the head that is shown: both are the same,
    /// or a painted head of the user's can have the settings of a style for the shipped head.
    fn fits_head(&self, model: &Model) -> bool {
        let shown = &self.styling.model;
        let is_users = !matches!(shown, Model::Shipped(_));
        let hair = self.subject.hair.as_ref();
        let has_hair = hair.is_some_and(|hair| !hair.groom.is_empty());
        shown.is_same(model) || (is_users && has_hair && *model == Model::default())
    }

    /// Loads a preset with its own head.
    pub(super) fn load_preset(&mut self, preset: Preset) {
        let request = LoadRequest {
            config: self.settings.user(),
            measured: preset.model().ok().and_then(|model| self.measured(&model)),
            preset: Some(preset),
            own_settings: true,
            ..LoadRequest::default()
        };
        self.load_head(Purpose::Preset, request);
    }

    /// Follows a job that put a preset on the head, or undid or redid something. `config` are the
    /// settings of the style.
    pub(super) fn took_preset(&mut self, state: u64, is_preset: bool, config: &Config) {
        let before = self.presets.file_origin();
        self.presets.follow(state);
        let asked = self.presets.asked.take().filter(|_| is_preset);
        if let Some(asked) = asked {
            let (name, ms) = (asked.preset.name(), asked.since.elapsed().as_millis());
            let config = config.clone();
            // Painted hair of a head that stays is in no file.
            let is_own = asked
                .preset
                .model()
                .is_ok_and(|model| self.styling.model.is_same(&model));
            let styler = self.styling.styler.ready();
            let keeps = !is_own && styler.is_some_and(|styler| !styler.style().maps.is_empty());
            let is_clean = asked.is_clean && !keeps;
            self.presets.took(state, name, is_clean, config);
            // Window tests read this.
            tracing::info!("preset {name} after {ms} ms");
            self.follow_preset_scene(scene_of(&asked.preset));
        }
        self.presets.switch_file(before, &mut self.document);
        if let Some(base) = self.presets.base() {
            self.settings.started = base.clone();
        }
    }

    /// Plays the scene of a preset. Without one, what played before such a scene goes on.
    pub(super) fn follow_preset_scene(&mut self, scene: Option<Rc<SceneSetup>>) {
        self.presets.session.scene.clone_from(&scene);
        let playing = self.playback.motion.playing().cloned();
        let last = self.presets.playing.take();
        // The user may have begun another one.
        let is_last = |(scene, _): &(Rc<SceneSetup>, _)| {
            playing.as_ref().is_some_and(|now| Rc::ptr_eq(now, scene))
        };
        let before = last.filter(is_last).map(|(_, before)| before);
        match (scene, before) {
            (Some(scene), before) => {
                self.presets.playing = Some((scene.clone(), before.unwrap_or(playing)));
                self.play(scene);
            }
            (None, Some(Some(before))) => _ = self.play(before),
            (None, Some(None)) => {
                if self.leave_scene() {
                    self.rest();
                }
            }
            (None, None) => {}
        }
    }

    /// Deletes a preset of the user's.
    pub(super) fn delete_preset(&mut self, preset: &Preset) {
        match preset.delete() {
            Ok(()) => {
                self.presets.lose(preset.name());
                self.overlay
                    .notice(format!("Deleted the preset {}", preset.name()));
            }
            Err(error) => self.overlay.error(error.to_string()),
        }
        self.presets.list();
    }

    /// Begins to save the style as a preset of the user's, with a small picture.
    pub(crate) fn save_preset(
        &mut self,
        name: &str,
        about: String,
        picture: Result<RgbaImage, RenderError>,
    ) {
        // The last changes are part of the style.
        self.follow_settings();
        let config = self.settings.user();
        if self.presets.saving.progress().is_some() {
            let text = "Please wait: the last preset is still being saved";
            return self.overlay.notice(text);
        }
        let styler = (self.styling.styler.ready()).filter(|styler| !styler.is_brushing());
        let Some(styler) = styler.filter(|_| !self.subject.is_headless()) else {
            return self.overlay.notice(match self.styling.styler {
                _ if self.subject.is_headless() => {
                    "Stop the scene first: its strands are no preset"
                }
                StylerSlot::Empty => NO_SCALP,
                _ => "Hair is still growing. Save the preset again in a moment",
            });
        };
        let state = styler.history().state();
        let mut saved = self.to_save(styler, config.clone());
        saved.card = Card::new(about.trim());
        match picture.map_err(|error| error.to_string()) {
            Ok(picture) => _ = saved.card.set_picture(&picture),
            Err(error) => tracing::warn!("the preset has no picture: {error}"),
        }
        self.presets.saved = Some((state, config.clone()));
        let name = name.to_owned();
        (self.presets.saving).begin(&self.wake, "Saving the preset", move |_| {
            // A preset is one file, if its head needs no others and is not too large.
            let embedded = saved
                .model
                .clone()
                .embedded(&saved.style.config.head, MAX_EMBEDDED);
            saved.model = embedded.ok().flatten().unwrap_or(saved.model);
            let folder = Preset::folder().ok_or(PresetError::NoFolder);
            let preset = folder.and_then(|folder| Preset::save(&name, &saved, &folder));
            preset.map_err(|error| Stopped::Failed(error.to_string()))
        });
    }

    /// Shows the preset that was saved, or why it could not be.
    fn take_saved_preset(&mut self) {
        let Some(saved) = self.presets.saving.poll() else {
            return;
        };
        let of = self.presets.saved.take();
        let preset = match saved {
            Ok(preset) => preset,
            Err(why) => return self.overlay.error(why),
        };
        self.panel.saving = None;
        self.presets.list();
        self.presets.lose(preset.name());
        if let Some((state, config)) = of {
            self.presets.saved_as(state, preset.name(), config);
        }
        let place = preset.path().map(shown).unwrap_or_default();
        self.overlay.notice(format!("Saved the preset as {place}"));
    }
}

/// Returns the scene that a preset is shown with.
pub(super) fn scene_of(preset: &Preset) -> Option<Rc<SceneSetup>> {
    preset.card().ok()?.scene().map(Rc::new)
}

/// Samples the roots of the first shipped preset that grows hair on bald skin of the head; the others
/// have the same.
fn sampled(head: &Head, progress: Progress) -> Result<Ahead, Stopped> {
    for saved in Preset::shipped().filter_map(|preset| preset.open().ok()) {
        if saved.model != Model::default() || !saved.style.needs_bald() {
            continue;
        }
        let settings = saved.style.config.roots;
        let half = &mut |share: f32| progress(0.1 * share);
        let Some(mut follicles) = Follicles::of_head(head, &settings, half)? else {
            continue;
        };
        follicles.add_bald(&settings, &mut |share| progress(0.1 + 0.9 * share))?;
        return Ok(Some((settings, follicles)));
    }
    Ok(None)
}

/// Measures the heads of shipped presets that are not shown, each for the first preset on it; the
/// others have the same roots.
fn measured(shown: &Model, progress: Progress) -> Result<OtherHeads, Stopped> {
    let mut heads = OtherHeads::new();
    for saved in Preset::shipped().filter_map(|preset| preset.open().ok()) {
        let (model, config) = (saved.model, &saved.style.config);
        let is_known = model.is_same(shown) || heads.iter().any(|(of, ..)| *of == model);
        let needs = saved.style.needs_bald() || config.groom.needs_skin();
        if is_known || !needs || !matches!(model, Model::Shipped(_)) || !model.is_head() {
            continue;
        }
        let head = model.load(&config.head);
        let head = head.map_err(|error| Stopped::Failed(error.to_string()))?;
        let measured = Measured::for_style(Arc::new(head), &saved.style, progress)?;
        heads.push((model, config.head.clone(), measured));
    }
    Ok(heads)
}
