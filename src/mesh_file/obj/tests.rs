//! OBJ and MTL files as programs write them.

use super::*;

#[test]
fn what_programs_write_is_read() {
    let text = "\u{feff}# made by hand\r\nmtllib skin.mtl\r\no head\r\n\
        v 0 0 0 1 0 0\r\nv\t1 0 0 0 1 0\r\nv 1 1 0 0 0 1\r\nv 0 1 \\\r\n 0 1 1 1\r\n\
        vt 0.5 1\r\nvn 0 0 1\r\nusemtl my skin\r\nf 1/1/1 2//1 \\\r\n3/-1/-1 4\r\ng ear\r\nf 1 2 3\r\n";
    let obj = read(text.as_bytes()).unwrap();
    assert_eq!(obj.positions[3], Vec3::Y);
    assert_eq!(obj.colors, [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE]);
    assert_eq!(obj.libraries, ["skin.mtl"]);
    let names = obj
        .groups
        .iter()
        .map(|group| (&group.name[..], group.material.as_deref()));
    let names: Vec<_> = names.collect();
    assert_eq!(names, [("head", Some("my skin")), ("ear", Some("my skin"))]);
    assert_eq!(obj.groups[0].triangles.len(), 2);
    let first = obj.groups[0].triangles[0][0];
    assert_eq!((first.uv, first.normal), (0, 0));
    let (line, problem) = read(b"v 0 0 0\n\nf 1 2 3\n").unwrap_err();
    assert!(line == 3 && problem.contains("vertex"));
    assert_eq!(read(b"v 0 0 0\r\n\r\nf 1 2 3\r\n").unwrap_err().0, 3);
    let obj = read(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 \\").unwrap();
    assert_eq!(obj.groups[0].triangles.len(), 1, "the last line goes on");
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\n# from C:\\models\\\nusemtl a\nf 1 2 3 # cheek\n\
        usemtl b\nf 1 2 3\nusemtl a\nf 3 2 1\n";
    let obj = read(text).unwrap();
    let counts = obj.groups.iter().map(|group| group.triangles.len());
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [2, 1],
        "each material is one group"
    );
}

#[test]
fn the_memory_of_faces_is_counted_on_every_line_and_with_every_space() {
    let faces = 1000 * 2 * size_of::<[Corner; 3]>() as u64;
    for space in [" ", "\u{b}", "\u{a0}"] {
        let corners = format!("1{space}").repeat(1000);
        assert!(memory(format!("f {corners}").as_bytes()) >= faces);
        assert!(memory(format!("f 1 1 1 \\\n{corners}").as_bytes()) >= faces);
    }
}

#[test]
fn materials_have_colours_and_pictures() {
    let text = "newmtl a\nKd 0.5 0.25 1\nd 0.5\nmap_Kd my skin.png\nnewmtl b\n\
        map_Kd -clamp on -s 1 -o 0 0 0 my hair.png\nKd nonsense\n";
    let materials = read_materials(text.as_bytes());
    assert_eq!(materials[0].color, Some([0.5, 0.25, 1.0]));
    assert_eq!(materials[0].picture.as_deref(), Some("my skin.png"));
    assert_eq!(materials[1].picture.as_deref(), Some("my hair.png"));
    assert_eq!(
        (materials[0].opacity, materials[1].color),
        (Some(0.5), None)
    );
}
