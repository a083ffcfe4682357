//! Keys and drags: the one table behind the cheat sheet, `--list-bindings` and `docs/keys.md`.
//!
//! A line is `input | effect`, or the title of a group.

/// Bindings of the window with the 2D doll.
pub const DOLL_BINDINGS: &str = "\
Hair
drag | use the current tool
1  2  3  4  5 | comb, scissors, colour, clip, reset tool
[  ]  or wheel | smaller, larger brush
Ctrl+Z, Ctrl+Shift+Z | undo, redo
R | reset all hair
Program
Ctrl+S | save the doll (.doll)
Ctrl+O, drop a file | open a doll
P or F12 | save picture
Ctrl+R | start or stop recording strokes to a file
N | hide or show the panel
Tab, arrows, Enter | step through the panel, change and press what has the keyboard
? or F1 | show this sheet
Ctrl+Q | quit; unsaved changes are asked for
Esc | cancel the stroke, close what is open, then quit";

/// Bindings of the window with the head.
pub const BINDINGS: &str = "\
Head
drag the head or hair | swing it: nod and tilt
Shift + drag it | turn it
Alt + drag it | move it sideways and up
hold H + drag | swing it from anywhere
R | return it to rest
Colliders
C | add a sphere under the pointer
drag a collider | move it, or the near end of a capsule
Ctrl + wheel over it | change its radius
Delete | remove the selected one, or the one under the pointer
Styling
B | switch the brush on or off
drag on hair | brush it (hold H to swing the head)
F + move, [  ] | change the brush radius
Shift+F + move | change the brush strength
M | mirror strokes to the other side of the head
J | brush the guides of the stack, or hair
A, Alt+A, Ctrl+I | select all hair, none, or what was not selected
L | select the clump under the pointer
Shift + drag with Select | deselect
E, then click | paint with the colour of the picture
U | open the canvas: paint on the UV layout
T | freeze or release the hair
Ctrl+Z, Ctrl+Shift+Z | undo, redo
Ctrl+R | start or stop recording strokes to a file
View
drag the background | orbit
wheel, right-drag | zoom
middle-drag, Shift + drag the background | pan
1  3  7 | front, side, top view
Enter | reset the camera
D | show roots as discs, and the largest gap
Motion
S | use the next solver
V | show two solvers side by side
G | show graphs of energy, stretch, depth and time
Space | pause or resume
. | advance one step of 1/240 s, then pause
Home | restart the scene
-  + | slower, faster
Laboratory
Shift+P, Shift+V | particles, velocities
Shift+R, Shift+A | rest curves, anchors and springs
Shift+B, Shift+T | colour strands by guide hair, by tension
Shift+W, Shift+G | wind, grid density
Shift+F | a slice of the distance field
Shift+S | select the strand under the pointer
Shift+C | start or stop recording its tip to a CSV file
Program
drop a file, Ctrl+O | open a head (.glb, .gltf, .fbx, .obj…), a style (.mohawk), a scene (.toml) or \
    a picture for a map
Ctrl+1 ... Ctrl+9 | choose one of the first nine presets that ship
Ctrl+S | save the style, or the settings if there is nothing else
Ctrl+Shift+S | save as…: under another name
Ctrl+E | export hair…: strands for other programs
Ctrl+F, / | search all settings (Esc clears)
F12 | save picture of the scene, without the panel (Ctrl: transparent)
P | open the 2D doll (Esc returns to the head)
N | hide or show the panel
Tab, arrows, Enter | step through the panel, change and press what has the keyboard
? or F1 | show this sheet
Ctrl+Q | quit; unsaved changes are asked for
Esc | close what is open, put the brush away, then quit";

#[cfg(test)]
mod tests {
    use super::*;

    fn markdown(title: &str, table: &str) -> String {
        let lines = table.lines().map(|line| match line.contains(" | ") {
            true => format!("| {line} |\n"),
            false => format!("\n### {line}\n\n| input | action |\n|---|---|\n"),
        });
        format!("\n## {title}\n") + &lines.collect::<String>()
    }

    #[test]
    fn the_page_of_keys_is_made_from_the_table() {
        let page = "# Keys and drags\n\n`?` or F1 shows this list in the window; \
            `mohawk --list-bindings` and `mohawk doll --list-bindings` print it.\n\n\
            On Linux, screen readers read and work the panel (AT-SPI). On other systems and in a \
            browser they cannot yet.\n"
            .to_owned()
            + &markdown("The head", BINDINGS)
            + &markdown("The 2D doll", DOLL_BINDINGS);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/keys.md");
        if std::env::var_os("MOHAWK_BLESS").is_some() {
            std::fs::write(path, &page).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap();
        assert!(
            written == page,
            "docs/keys.md differs; MOHAWK_BLESS=1 writes it anew"
        );
    }
}
