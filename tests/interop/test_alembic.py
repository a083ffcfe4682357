"""Alembic between Blender and `mohawk convert`."""

import sys

import bpy
import numpy as np

# Strands, in the space of Blender.
COUNTS = np.array([3, 2, 4])
POINTS = np.array(
    [
        *[(0.0, 0.0, 0.0), (0.1, 0.0, 0.3), (0.3, 0.1, 0.6)],
        *[(1.0, 0.0, 0.0), (1.1, 0.2, 0.5)],
        *[(0.0, 1.0, 0.0), (0.0, 1.2, 0.4), (0.1, 1.4, 0.7), (0.2, 1.7, 0.9)],
    ]
)
WIDTHS = 0.01 * np.arange(1, len(POINTS) + 1)
# Blender writes these as custom properties of the curves.
GUIDES = [1, 0, 1]
ROOT_UVS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]


def write_hair(path, counts, points, widths):
    """Writes a `.hair` file with numbers of segments, points and a width for each point."""
    header = np.array([len(counts), len(points), 1 | 2 | 4, 0], "<u4").tobytes()
    rest = np.ones(5, "<f4").tobytes() + bytes(88)
    arrays = [(counts - 1).astype("<u2"), points.astype("<f4"), widths.astype("<f4")]
    path.write_bytes(b"HAIR" + header + rest + b"".join(array.tobytes() for array in arrays))


def read_hair(path):
    """Returns the counts, points and widths of a `.hair` file."""
    data = path.read_bytes()
    strands, points, arrays, segments = np.frombuffer(data, "<u4", 4, 4)
    assert data[:4] == b"HAIR" and arrays & 2
    counts, place = np.full(strands, segments + 1), 128
    if arrays & 1:
        counts, place = np.frombuffer(data, "<u2", strands, place) + 1, place + 2 * strands
    positions = np.frombuffer(data, "<f4", 3 * points, place).reshape(-1, 3)
    widths = np.full(points, np.frombuffer(data, "<f4", 1, 20)[0])
    if arrays & 4:
        widths = np.frombuffer(data, "<f4", points, place + 12 * points)
    return counts, positions, widths


def new_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return bpy.context.scene


def add(name, data, parent=None):
    thing = bpy.data.objects.new(name, data)
    thing.parent = parent
    bpy.context.scene.collection.objects.link(thing)
    return thing


def add_hair(parent=None):
    """Adds the strands to the scene, as an object of hair curves."""
    hair = bpy.data.hair_curves.new("hair")
    hair.add_curves(COUNTS.tolist())
    hair.points.foreach_set("position", POINTS.ravel())
    hair.points.foreach_set("radius", WIDTHS / 2)
    hair["groom_guide"] = GUIDES
    hair["groom_root_uv"] = ROOT_UVS
    return add("hair", hair, parent)


def nested_scene():
    """Makes the scene of the tests, and returns its hair: within two transforms, and moved itself."""
    new_scene()
    outer = add("outer", None)
    outer.rotation_euler, outer.scale = (0.3, -0.5, 1.1), (2.0, 1.0, 0.5)
    inner = add("inner", None, outer)
    inner.location = (0.0, 3.0, -1.0)
    hair = add_hair(inner)
    hair.location, hair.rotation_euler = (1.0, 2.0, 3.0), (0.0, 0.7, 0.0)
    bpy.context.view_layer.update()
    return hair


def export(path, end=1, **options):
    bpy.ops.wm.alembic_export(filepath=str(path), start=1, end=end, **options)


def file_from_blender(points, matrix=None):
    """Returns points as Alembic has them: in the world, with Y up."""
    if matrix is not None:
        points = points @ np.array(matrix)[:3, :3].T + np.array(matrix)[:3, 3]
    x, y, z = points.T
    return np.stack([x, z, -y], axis=1)


def imported(path):
    """Returns the curves that Blender reads, as they are at the current frame."""
    new_scene()
    bpy.ops.wm.alembic_import(filepath=str(path))
    return [thing for thing in bpy.data.objects if thing.type == "CURVES"]


def curves_of(thing):
    """Returns the counts, points in the space of files, and widths of an object of hair curves."""
    curves = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    points = np.empty((len(curves.points), 3), "f4")
    curves.points.foreach_get("position", points.ravel())
    radii = np.empty(len(points), "f4")
    curves.points.foreach_get("radius", radii)
    counts = np.array([curve.points_length for curve in curves.curves])
    return counts, file_from_blender(points, thing.matrix_world), 2 * radii


def assert_same(found, expected, tolerance=1e-5):
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.shape == theirs.shape, (ours.shape, theirs.shape)
        assert np.allclose(ours, theirs, atol=tolerance), (ours, theirs)


def test_blender_reads_strands(convert, tmp_path):
    write_hair(tmp_path / "ours.hair", COUNTS, POINTS, WIDTHS)
    convert(tmp_path / "ours.hair", tmp_path / "ours.abc")
    [thing] = imported(tmp_path / "ours.abc")
    assert_same(curves_of(thing), (COUNTS, POINTS, WIDTHS))


def test_strands_of_blender_are_read(convert, tmp_path):
    matrix = nested_scene().matrix_world.copy()
    export(tmp_path / "nested.abc")
    convert(tmp_path / "nested.abc", tmp_path / "nested.hair")
    # Blender scales widths by none of the transforms.
    expected = (COUNTS, file_from_blender(POINTS, matrix), WIDTHS)
    assert_same(read_hair(tmp_path / "nested.hair"), expected)


def test_frames_of_animations_are_read(convert, tmp_path):
    hair = nested_scene()
    for frame, place in [(1, (1.0, 2.0, 3.0)), (4, (9.0, 9.0, 9.0))]:
        hair.location = place
        hair.keyframe_insert("location", frame=frame)
        hair.parent.scale = place
        hair.parent.keyframe_insert("scale", frame=frame)
    export(tmp_path / "moving.abc", end=4)
    convert(tmp_path / "moving.abc", tmp_path / "moving.npz")
    all_frames = np.load(tmp_path / "moving.npz")
    assert len(all_frames["points"]) == 4 and all_frames["fps"] == bpy.context.scene.render.fps
    for nth in range(4):
        bpy.context.scene.frame_set(1 + nth)
        expected = file_from_blender(POINTS, hair.matrix_world)
        assert_same([all_frames["points"][nth]], [expected])
        convert(tmp_path / "moving.abc", tmp_path / "moving.hair", "--frame", nth)
        assert_same(read_hair(tmp_path / "moving.hair")[:2], (COUNTS, expected))


def test_splines_are_evaluated(convert, tmp_path):
    for kind in ["POLY", "BEZIER", "NURBS"]:
        new_scene()
        data = bpy.data.curves.new("curve", "CURVE")
        data.dimensions = "3D"
        spline = data.splines.new(kind)
        rng = np.random.default_rng(7)
        places, radii = rng.random((7, 3)), 0.1 + rng.random(7)
        if kind == "BEZIER":
            spline.bezier_points.add(len(places) - 1)
            spline.bezier_points.foreach_set("radius", radii)
            for point, place in zip(spline.bezier_points, places, strict=True):
                point.co = place
                point.handle_left = place - 0.2 * rng.random(3)
                point.handle_right = place + 0.2 * rng.random(3)
            spline.resolution_u = 3
        else:
            spline.points.add(len(places) - 1)
            spline.points.foreach_set("radius", radii)
            for point, place in zip(spline.points, places, strict=True):
                point.co = (*place, 1.0 + rng.random())
        if kind == "NURBS":
            # Files of Blender have no knots, and stand for knots at equal distances.
            spline.use_endpoint_u, spline.order_u, spline.resolution_u = False, 4, 100
        thing = add("curve", data)
        export(tmp_path / f"{kind}.abc")
        convert(tmp_path / f"{kind}.abc", tmp_path / f"{kind}.hair")
        evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        points = file_from_blender(np.array([vertex.co for vertex in evaluated.vertices]))
        counts, found, widths = read_hair(tmp_path / f"{kind}.hair")
        assert counts == {"POLY": 7, "BEZIER": 19, "NURBS": 7}[kind], counts
        # Blender evaluates at equal steps too.
        shares = np.linspace(0, len(points) - 1, counts[0])
        nearest = [np.interp(shares, np.arange(len(points)), x) for x in points.T]
        steps = np.linspace(0, 6, counts[0])
        expected = (np.stack(nearest, axis=1), np.interp(steps, np.arange(7), 2 * radii))
        assert_same((found, widths), expected, 1e-4)


def test_hair_particles_are_read(convert, tmp_path):
    new_scene()
    bpy.ops.mesh.primitive_plane_add()
    plane = bpy.context.object
    bpy.ops.object.particle_system_add()
    settings = plane.particle_systems[0].settings
    settings.type, settings.count, settings.hair_step, settings.hair_length = "HAIR", 50, 4, 2.0
    export(tmp_path / "particles.abc", export_hair=True)
    convert(tmp_path / "particles.abc", tmp_path / "particles.hair")
    counts, points, _ = read_hair(tmp_path / "particles.hair")
    assert len(counts) == 50 and np.ptp(counts) == 0 and counts[0] >= 5, counts
    strands = points.reshape(50, counts[0], 3)
    assert np.allclose(strands[:, 0, 1], 0.0, atol=1e-5) and np.abs(points[:, [0, 2]]).max() < 1.5
    lengths = np.linalg.norm(np.diff(strands, axis=1), axis=2).sum(axis=1)
    assert np.allclose(lengths, 2.0, atol=0.05), lengths


def check_motion(path, fps, frames):
    """Checks that Blender shows these frames of a file: arrays of points in the space of files."""
    [thing] = imported(path)
    scene = bpy.context.scene
    for nth, points in enumerate(frames):
        time = nth / fps * scene.render.fps / scene.render.fps_base
        scene.frame_set(int(time), subframe=time % 1.0)
        assert_same(curves_of(thing)[1:2], [points], 1e-4)


def test_motion_is_shown(mohawk, convert, tmp_path):
    flags = ["--strands", 100, "--scene", "nod", "--frames", 4, "--fps", 24]
    for extension in ["abc", "npz"]:
        mohawk("simulate", *flags, "-o", tmp_path / f"nod.{extension}")
    frames = np.load(tmp_path / "nod.npz")["points"]
    check_motion(tmp_path / "nod.abc", 24, frames)


if __name__ == "__main__":
    # Writes the scene that tests/files/strands/blender.abc holds.
    nested_scene()
    export(sys.argv[1])
