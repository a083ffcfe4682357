//! The checks of what moves a head.

use super::{Check, SHOWN, State, check, listed};
use crate::numbers::plural;
use mohawk::head::Head;

pub fn skins(head: &Head) -> Check {
    const CHECK: &str = "skins";
    let skins = &head.contents.skins;
    let told = skins.iter().take(SHOWN);
    let told = told.map(|skin| format!("{}: {}", skin.name, plural(skin.joints, "joint")));
    let told: Vec<String> = told.collect();
    let found = listed(&told, skins.len());
    match (skins.is_empty(), skins.iter().any(|skin| skin.is_used)) {
        (true, _) => check(CHECK, State::None, "no joints bend the model", ""),
        (_, true) => check(CHECK, State::Found, found, ""),
        (_, false) => check(
            CHECK,
            State::Remark,
            format!("{found}, which bend nothing here"),
            "The model stands as it was modelled. If a pose is lost, in Blender: export glTF 2.0 \
             (.glb) with Data > Skinning.",
        ),
    }
}

pub fn morphs(head: &Head) -> Check {
    const CHECK: &str = "morph targets";
    // The meshes of a face share their targets.
    let all = &head.contents.morphs;
    let Some(most) = all.iter().max_by_key(|morphs| morphs.count) else {
        return check(CHECK, State::None, "the model has no shapes to blend", "");
    };
    let names = &most.names[..most.names.len().min(SHOWN)];
    let names = match names {
        [] => String::new(),
        names => format!(": {}", listed(names, most.count)),
    };
    let meshes = match &all[..] {
        [one] => one.mesh.clone(),
        all => format!("{} meshes", all.len()),
    };
    check(
        CHECK,
        State::Found,
        format!("{} on {meshes}{names}", most.count),
        "",
    )
}

pub fn animations(head: &Head) -> Check {
    const CHECK: &str = "animations";
    let animations = head.rig.as_ref().map_or(&[][..], |rig| rig.animations());
    let told = animations.iter().take(SHOWN).map(|animation| {
        let (number, secs) = (animation.number, animation.duration_secs);
        format!("{number} {:?}, {secs:.1} s", animation.name)
    });
    match animations {
        [] => check(CHECK, State::None, "the head stands still by itself", ""),
        _ => {
            let found = listed(&told.collect::<Vec<_>>(), animations.len());
            let played = head.animation(None).ok().flatten();
            let advice = match played.and_then(|place| animations.get(place)) {
                Some(played) => format!(
                    "{:?} plays; --animation chooses another one, or none.",
                    played.name
                ),
                None => "None moves the head; --animation chooses one.".to_owned(),
            };
            check(CHECK, State::Found, found, &advice)
        }
    }
}
