//! Keys and drags: one table for the cheat sheet, `--help` and the README.

/// What people can do, grouped: (input, what it does).
pub type Bindings = [(&'static str, &'static [(&'static str, &'static str)])];

/// In the window with a doll.
pub const DOLL_BINDINGS: &Bindings = &[
    (
        "Hair",
        &[
            ("drag", "use the tool in hand"),
            ("1  2  3  4  5", "comb, scissors, colour, clip, reset"),
            ("[  ]  or wheel", "a smaller, a larger brush"),
            ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
            ("R", "all hair as it grew"),
        ],
    ),
    (
        "Program",
        &[
            ("Ctrl+S", "save the doll (.doll)"),
            ("Ctrl+O, drop a file", "open a doll"),
            ("P or F12", "save a picture"),
            ("Ctrl+R", "record strokes to a file, and end that"),
            ("Tab", "hide or show the panel"),
            ("? or F1", "this sheet"),
            ("Esc", "cancel the stroke, close what is open, then quit"),
        ],
    ),
];

/// In the window with a head.
pub const BINDINGS: &Bindings = &[
    (
        "Head",
        &[
            ("drag the head or hair", "swing it: nod and tilt"),
            ("Shift + drag it", "turn it"),
            ("Alt + drag it", "shake it sideways and up"),
            ("hold H + drag", "swing it from anywhere"),
            ("R", "back to rest"),
        ],
    ),
    (
        "Colliders",
        &[
            ("C", "add a sphere under the pointer"),
            (
                "drag a collider",
                "move it; near its end, a capsule's end alone",
            ),
            ("Ctrl + wheel over it", "its radius"),
            (
                "Delete",
                "take away the chosen one, else the one pointed at",
            ),
        ],
    ),
    (
        "Styling",
        &[
            ("B", "a brush in hand, or none"),
            ("drag on hair", "brush it (hold H: swing the head)"),
            ("F + move, [  ]", "radius of the brush"),
            ("Shift+F + move", "its strength"),
            ("M", "the same on the other side of the head"),
            ("U", "the canvas: paint on the model's UV layout"),
            ("T", "hair stands still, or moves again"),
            ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
            ("Ctrl+R", "record strokes to a file, and end that"),
        ],
    ),
    (
        "View",
        &[
            ("drag the background", "orbit"),
            ("wheel, right-drag", "zoom"),
            ("middle-drag, Shift + drag", "pan"),
            ("1  3  7", "front, side, top"),
            ("Enter", "reset the camera"),
            ("D", "roots as discs instead of hair, and the largest gap"),
        ],
    ),
    (
        "Motion",
        &[
            ("S", "the next solver: another way of moving hair"),
            ("V", "two solvers side by side"),
            ("G", "graphs of energy, stretch, depth and time"),
            ("Space", "pause and go on"),
            (".", "one step of 1/240 s, then pause"),
            ("Home", "the scene from its beginning"),
            ("-  +", "slower, faster"),
        ],
    ),
    (
        "Laboratory",
        &[
            ("Shift+P, Shift+V", "particles, velocities"),
            ("Shift+R, Shift+A", "rest curves, anchors and springs"),
            (
                "Shift+B, Shift+T",
                "strands coloured by basis hair, by tension",
            ),
            ("Shift+W, Shift+G", "wind, grid density"),
            ("Shift+F", "a slice of the distance field"),
            ("Shift+S", "mark the strand under the pointer"),
            ("Shift+C", "record its tip to a CSV file, and end that"),
        ],
    ),
    (
        "Program",
        &[
            (
                "drop a file, Ctrl+O",
                "load a head (.glb, .gltf) or a style (.mohawk), play a scene (.toml), or take a picture for a map",
            ),
            ("Ctrl+1, Ctrl+2", "look: studio, classic"),
            ("Ctrl+S", "save the settings as a groom file, or the style"),
            ("F12", "screenshot (Ctrl: transparent, no panel)"),
            ("P", "the 2D doll, and Esc back to the head"),
            ("Tab", "hide or show the panel"),
            ("? or F1", "this sheet"),
            ("Esc", "close what is open, then quit"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::BINDINGS;

    #[test]
    fn the_readme_lists_every_drag_and_key() {
        let readme = include_str!("../README.md");
        for (input, what) in BINDINGS.iter().flat_map(|(_, rows)| *rows) {
            let row = format!("| {input} | {what} |");
            assert!(readme.contains(&row), "the README lacks: {row}");
        }
    }
}
