use super::*;
use crate::maps::test_parts::quad;
use crate::maps::{Layout, MapUndo};
use proptest::prelude::*;

/// The numbers of a layer: opacity, switch, and values with their coverage.
type Numbers = (f32, bool, Vec<u16>);

const LAYOUT: Layout = Layout::Vertices(4);

fn map(kind: MapKind, values: Vec<u16>) -> Map {
    Map {
        kind,
        layout: LAYOUT,
        has_coverage: values.len() != 4 * kind.channels(),
        values,
    }
}

fn layered(kind: MapKind, base: Vec<u16>, layers: Vec<Numbers>) -> LayeredMap {
    let layer = |(number, (opacity, on, values))| Layer {
        settings: LayerSettings {
            name: format!("layer {number}"),
            opacity,
            on,
        },
        map: Arc::new(map(kind, values)),
    };
    LayeredMap {
        base: Arc::new(map(kind, base)),
        layers: layers.into_iter().enumerate().map(layer).collect(),
    }
}

fn numbers(count: usize) -> impl Strategy<Value = Vec<u16>> {
    let number = prop_oneof![Just(0), Just(65535), any::<u16>()];
    prop::collection::vec(number, count)
}

/// A map of four values with up to five layers.
fn any_map() -> impl Strategy<Value = LayeredMap> {
    let kinds = prop::sample::select(vec![MapKind::Length, MapKind::Tint]);
    kinds.prop_flat_map(|kind| {
        let count = 4 * kind.channels();
        let opacity = prop_oneof![Just(0.0), Just(1.0), 0.0..=1.0_f32];
        let layer = (opacity, prop::bool::weighted(0.8), numbers(count + 4));
        let layers = prop::collection::vec(layer, 0..5);
        let parts = (numbers(count), layers);
        parts.prop_map(move |(base, layers)| layered(kind, base, layers))
    })
}

/// Returns the flattened number of a stack by the closed form of "over": each value counts as much as its share,
/// times what the layers above it let through.
fn closed_form(map: &LayeredMap, number: usize) -> f64 {
    let channels = map.base.kind.channels();
    let (mut sum, mut through) = (0.0, 1.0);
    for layer in map.layers.iter().rev() {
        let at = number / channels * (channels + 1);
        let covers = f64::from(layer.map.values[at + channels]) / 65535.0;
        let shown = if layer.settings.on { covers } else { 0.0 };
        let share = shown * f64::from(layer.settings.opacity);
        sum += f64::from(layer.map.values[at + number % channels]) * share * through;
        through *= 1.0 - share;
    }
    sum + f64::from(map.base.values[number]) * through
}

fn apart(map: &LayeredMap, flat: &Map) -> f64 {
    let numbers = flat.values.iter().enumerate();
    let apart = numbers.map(|(i, &value)| (f64::from(value) - closed_form(map, i)).abs());
    apart.fold(0.0, f64::max)
}

proptest! {
    #[test]
    fn layers_are_laid_over_each_other_by_the_closed_form(map in any_map()) {
        let flat = map.flattened();
        prop_assert!(apart(&map, &flat) < 0.52, "{}", apart(&map, &flat));
        prop_assert!(!map.layers.is_empty() || Arc::ptr_eq(&flat, &map.base));
    }

    #[test]
    fn merging_down_changes_nothing_that_is_seen(mut map in any_map(), which in any::<prop::sample::Index>()) {
        prop_assume!(!map.layers.is_empty());
        let (before, count) = (map.clone(), map.layers.len());
        let name = map.layers[which.index(count)].settings.name.clone();
        map.edit(&name, &LayerEdit::MergeDown).unwrap();
        prop_assert_eq!(map.layers.len(), count - 1);
        let apart = apart(&before, &map.flattened());
        prop_assert!(apart < 2.0, "{apart}");
    }

    #[test]
    fn layers_come_back_from_a_picture_to_the_bit(map in any_map()) {
        for layer in &map.layers {
            let (png, kind) = (layer.map.to_png().unwrap(), map.base.kind);
            prop_assert_eq!(&Map::from_bytes_within(kind, true, &png, u64::MAX).unwrap(), &*layer.map);
            // As a map, it has the values alone.
            let numbers = layer.map.values.chunks_exact(kind.channels() + 1);
            let values: Vec<u16> = numbers.flat_map(|value| &value[..kind.channels()]).copied().collect();
            prop_assert_eq!(Map::from_bytes(kind, &png).unwrap().values, values);
        }
    }

    /// After any strokes on any layers the flattened map is what flattening gives, and undo and
    /// redo lead to the same bits.
    #[test]
    fn strokes_keep_the_flattened_map_and_are_undone_to_the_bit(
        mut map in any_map(),
        dabs in prop::collection::vec(
            (0..6_usize, 0.0..=1.0_f32, prop::option::of(0.0..=1.0_f32), any::<[bool; 2]>()),
            1..6,
        ),
    ) {
        let canvas = Canvas::of_part(&quad(None), 1);
        let mut flat = (*map.flattened()).clone();
        let mut states = vec![(map.clone(), flat.clone())];
        let mut undos = Vec::new();
        for (layer, strength, value, [mirror, erases]) in dabs {
            let layer = layer.checked_sub(1).filter(|&layer| layer < map.layers.len());
            let mut undo = MapUndo::default();
            let value = value.map(|value| [value, 1.0 - value, 0.5]);
            let centre = Vec3::new(-1.0, 1.0, 0.0);
            let dab = Dab { centre, radius: 2.5, strength, value, mirror, ..Dab::default() };
            for _ in 0..2 {
                map.dab(layer, &canvas, (&dab, erases), &mut undo, &mut flat);
            }
            prop_assert_eq!(&flat, &*map.flattened());
            map.finish(layer, &mut undo);
            undos.push((layer, undo));
            states.push((map.clone(), flat.clone()));
        }
        for ((layer, undo), before) in undos.iter_mut().zip(&states).rev() {
            map.swap(*layer, undo, &mut flat);
            prop_assert!((&map, &flat) == (&before.0, &before.1));
        }
        for ((layer, undo), after) in undos.iter_mut().zip(&states[1..]) {
            map.swap(*layer, undo, &mut flat);
            prop_assert!((&map, &flat) == (&after.0, &after.1));
        }
    }
}

/// A hard dab of half strength covers 1/2, then 3/4, with its own value; on full coverage it mixes.
/// An eraser takes coverage and leaves values.
#[test]
fn paint_covers_and_an_eraser_uncovers() {
    let canvas = Canvas::of_part(&quad(None), 1);
    let mut map = LayeredMap::new(Arc::new(map(MapKind::Length, vec![65535; 4])));
    map.edit("shade", &LayerEdit::Add).unwrap();
    let mut flat = (*map.flattened()).clone();
    assert_eq!(flat, *map.base);
    let mut dab =
        |map: &mut LayeredMap, value: Option<f32>, erases, [strength, radius]: [f32; 2]| {
            let undo = &mut MapUndo::default();
            let dab = Dab {
                centre: Vec3::new(-1.0, 1.0, 0.0),
                radius,
                strength,
                falloff: 0.0,
                value: value.map(|value| [value; 3]),
                mirror: false,
            };
            map.dab(Some(0), &canvas, (&dab, erases), undo, &mut flat);
            let near = |number: u16| (f32::from(number) / 65.535).round() / 1000.0;
            let [value, coverage] = [0, 1].map(|i| near(map.layers[0].map.values[i]));
            (value, coverage, near(flat.values[0]))
        };
    assert_eq!(dab(&mut map, Some(0.2), false, [0.5, 0.1]), (0.2, 0.5, 0.6));
    assert_eq!(
        dab(&mut map, Some(0.2), false, [0.5, 0.1]),
        (0.2, 0.75, 0.4)
    );
    // 0.2 keeps 0.375 of a coverage of 0.875, and 0.8 has 0.5.
    let mixed = dab(&mut map, Some(0.8), false, [0.5, 0.1]);
    assert_eq!(mixed, (0.543, 0.875, 0.6));
    assert_eq!(
        dab(&mut map, Some(0.0), true, [0.8, 0.1]),
        (0.543, 0.175, 0.92)
    );
    // Smoothing takes the mean of both, but no values of where nothing is covered.
    let (value, coverage, _) = dab(&mut map, None, false, [1.0, 2.5]);
    assert!(value == 0.543 && coverage < 0.17, "{value} {coverage}");
    let values = &map.layers[0].map.values;
    assert_eq!(values[2], values[0], "a value goes where its coverage goes");
    assert_eq!(dab(&mut map, Some(0.0), true, [1.0, 9.0]).1, 0.0);
    assert_eq!(flat, *map.base);
}

#[test]
fn lists_of_layers_that_cannot_be_are_refused() {
    let base = Arc::new(map(MapKind::Length, vec![0; 4]));
    let mut map = LayeredMap::new(base);
    let told = |map: &mut LayeredMap, name: &str, edit| match map.clone().edit(name, &edit) {
        Ok(told) => told.unwrap_or_else(|| "nothing".to_owned()),
        Err(error) => error.to_string(),
    };
    assert_eq!(told(&mut map, "a", LayerEdit::Add), "add layer a");
    assert_eq!(
        told(&mut map, "a", LayerEdit::Delete),
        "the length map has no layer \"a\""
    );
    let one_line = "choose one line of 1 to 40 characters";
    for name in ["", "a\nb", &"x".repeat(41)] {
        let told = told(&mut map, name, LayerEdit::Add);
        assert!(told.ends_with(one_line), "{told}");
    }
    for number in 1..=LayeredMap::MAX_LAYERS {
        map.edit(&number.to_string(), &LayerEdit::Add).unwrap();
    }
    let most = "the length map has more than 16 layers: merge or delete some";
    assert_eq!(told(&mut map, "a", LayerEdit::Add), most);
    let set = |name: &str, opacity, on| {
        let name = name.to_owned();
        LayerEdit::Set(LayerSettings { name, opacity, on })
    };
    assert_eq!(told(&mut map, "3", set("3", 1.0, true)), "nothing");
    assert_eq!(
        told(&mut map, "3", set("3", 0.5, true)),
        "opacity of layer 3"
    );
    assert_eq!(
        told(&mut map, "3", set("3", 1.0, false)),
        "switch layer 3 off"
    );
    assert_eq!(told(&mut map, "3", set("c", 1.0, true)), "rename layer 3");
    assert!(told(&mut map, "3", set("4", 1.0, true)).contains("a layer \"4\" already"));
    for opacity in [-0.1, 1.1, f32::NAN] {
        let told = told(&mut map, "3", set("3", opacity, true));
        assert!(told.ends_with("it must be 0 to 1"), "{told}");
    }
    assert_eq!(told(&mut map, "16", LayerEdit::Raise), "nothing");
    assert_eq!(told(&mut map, "1", LayerEdit::Lower), "nothing");
    map.edit("2", &LayerEdit::Lower).unwrap();
    map.edit("2", &LayerEdit::Raise).unwrap();
    map.edit("2", &LayerEdit::Raise).unwrap();
    assert_eq!(
        [1, 3, 2].map(|n| map.find(&n.to_string())),
        [Some(0), Some(1), Some(2)]
    );
}
