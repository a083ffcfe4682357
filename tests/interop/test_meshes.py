"""USD, glTF, PLY and OBJ between `mohawk convert`, Blender, Pixar's USD and trimesh."""

import bpy
import numpy as np
import pytest
import trimesh
from pxr import Usd, UsdGeom, UsdValidation

SEED = 5
STRANDS = 60


@pytest.fixture
def strands(tmp_path):
    """Strands of different lengths with all that files can hold, and their file."""
    random = np.random.default_rng(SEED)
    counts = random.integers(3, 12, STRANDS).astype("u4")
    total = int(counts.sum())
    arrays = {
        "counts": counts,
        "points": random.normal(size=(total, 3)).astype("f4"),
        "widths": random.uniform(0.01, 0.1, total).astype("f4"),
        "colors": random.uniform(0, 1, (total, 3)).astype("f4"),
        "root_uvs": random.uniform(0, 1, (STRANDS, 2)).astype("f4"),
        "guides": (np.arange(STRANDS) % 4 == 0).astype("u1"),
    }
    path = tmp_path / "strands.npz"
    np.savez(path, **arrays)
    return arrays, path


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def only_object():
    [thing] = [thing for thing in bpy.data.objects if thing.type in ("CURVES", "MESH")]
    return thing


def attribute(things, name, lanes, kind="f4"):
    values = np.empty(len(things) * lanes, kind)
    things.foreach_get(name, values)
    return values.reshape(-1, lanes) if lanes > 1 else values


def file_from_blender(points, thing):
    """Returns points as files have them that have Y up."""
    matrix = np.array(thing.matrix_world)
    x, y, z = (points @ matrix[:3, :3].T + matrix[:3, 3]).T
    return np.stack([x, z, -y], axis=1)


def edges(counts):
    """Returns the number of edges of strands."""
    return int(counts.sum()) - len(counts)


@pytest.mark.parametrize("extension", ["usda", "usdc", "usdz"])
def test_pixar_reads_our_usd(strands, convert, tmp_path, extension):
    arrays, source = strands
    target = tmp_path / f"strands.{extension}"
    convert(source, target)
    stage = Usd.Stage.Open(str(target))
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert UsdValidation.ValidationContext(validators).Validate(stage) == []
    curves = UsdGeom.BasisCurves(stage.GetDefaultPrim())
    assert np.array_equal(curves.GetPointsAttr().Get(), arrays["points"])
    assert np.array_equal(curves.GetCurveVertexCountsAttr().Get(), arrays["counts"])
    assert np.array_equal(curves.GetWidthsAttr().Get(), arrays["widths"])
    assert curves.GetTypeAttr().Get() == UsdGeom.Tokens.linear
    assert UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y
    guides = UsdGeom.PrimvarsAPI(curves).GetPrimvar("groom_guide")
    assert np.array_equal(guides.Get(), arrays["guides"])


@pytest.mark.parametrize("extension", ["usda", "usdc", "usdz"])
def test_blender_reads_our_usd(strands, convert, tmp_path, extension):
    arrays, source = strands
    target = tmp_path / f"strands.{extension}"
    convert(source, target)
    clear()
    bpy.ops.wm.usd_import(filepath=str(target))
    thing = only_object()
    counts = attribute(thing.data.curves, "points_length", 1, "i4")
    assert np.array_equal(counts, arrays["counts"])
    assert np.array_equal(attribute(thing.data.points, "position", 3), arrays["points"])
    radii = attribute(thing.data.points, "radius", 1)
    assert np.allclose(2 * radii, arrays["widths"])


@pytest.mark.parametrize("extension", ["glb", "ply", "obj"])
def test_blender_reads_our_lines(strands, convert, tmp_path, extension):
    arrays, source = strands
    target = tmp_path / f"strands.{extension}"
    convert(source, target)
    clear()
    if extension == "glb":
        bpy.ops.import_scene.gltf(filepath=str(target))
    elif extension == "ply":
        bpy.ops.wm.ply_import(filepath=str(target), up_axis="Y", forward_axis="NEGATIVE_Z")
    else:
        bpy.ops.wm.obj_import(filepath=str(target))
    thing = only_object()
    assert len(thing.data.edges) == edges(arrays["counts"])
    points = attribute(thing.data.vertices, "co", 3)
    assert np.allclose(file_from_blender(points, thing), arrays["points"], atol=1e-5)


@pytest.mark.parametrize("extension", ["usda", "usdc", "usdz"])
def test_usd_of_blender_is_read(convert, tmp_path, extension):
    clear()
    counts = np.array([4, 6, 5])
    points = np.random.default_rng(SEED).normal(size=(counts.sum(), 3)).astype("f4")
    hair = bpy.data.hair_curves.new("hair")
    hair.add_curves(counts.tolist())
    hair.points.foreach_set("position", points.ravel())
    hair.points.foreach_set("radius", np.full(len(points), 0.02, "f4"))
    thing = bpy.data.objects.new("hair", hair)
    bpy.context.scene.collection.objects.link(thing)
    thing.location, thing.rotation_euler = (1.0, -2.0, 0.5), (0.2, 0.4, -0.3)
    for curve in hair.curves:
        hair.attributes.get("curve_type") or hair.attributes.new("curve_type", "INT8", "CURVE")
    hair.set_types(type="POLY")
    bpy.context.view_layer.update()
    source = tmp_path / f"blender.{extension}"
    bpy.ops.wm.usd_export(filepath=str(source), export_curves=True)
    convert(source, tmp_path / "read.npz")
    read = np.load(tmp_path / "read.npz")
    assert np.array_equal(read["counts"], counts)
    expected = file_from_blender(points, thing)
    # Blender's curves of hair are open at their ends or pinned; a line keeps its points.
    assert np.allclose(read["points"], expected, atol=1e-4)
    assert np.allclose(read["widths"], 0.04, atol=1e-5)


@pytest.mark.parametrize("extension", ["glb", "ply", "obj"])
def test_lines_of_blender_are_read(strands, convert, tmp_path, extension):
    arrays, _ = strands
    clear()
    starts = np.concatenate([[0], np.cumsum(arrays["counts"])]).astype(int)
    pairs = [(i, i + 1) for a, b in zip(starts, starts[1:]) for i in range(a, b - 1)]
    mesh = bpy.data.meshes.new("hair")
    mesh.from_pydata(arrays["points"].tolist(), pairs, [])
    thing = bpy.data.objects.new("hair", mesh)
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.view_layer.update()
    source = tmp_path / f"blender.{extension}"
    if extension == "glb":
        options = {"use_mesh_edges": True, "export_yup": True}
        bpy.ops.export_scene.gltf(filepath=str(source), **options)
    elif extension == "ply":
        axes = {"up_axis": "Y", "forward_axis": "NEGATIVE_Z"}
        bpy.ops.wm.ply_export(filepath=str(source), **axes)
    else:
        bpy.ops.wm.obj_export(filepath=str(source))
    convert(source, tmp_path / "read.npz")
    read = np.load(tmp_path / "read.npz")
    assert np.array_equal(read["counts"], arrays["counts"])
    assert np.allclose(read["points"], file_from_blender(arrays["points"], thing), atol=1e-5)


@pytest.mark.parametrize("shape, sides", [("ribbons", 2), ("tubes", 3)])
def test_trimesh_reads_our_surfaces(strands, convert, tmp_path, shape, sides):
    arrays, source = strands
    target = tmp_path / "strands.glb"
    convert(source, target, "--mesh", shape)
    [mesh] = trimesh.load(target, process=False).geometry.values()
    assert len(mesh.vertices) == sides * int(arrays["counts"].sum())
    strips = {2: 1, 3: 3}[sides]
    assert len(mesh.faces) == 2 * strips * edges(arrays["counts"])
    # The middle of the vertices around a point is the point.
    middles = mesh.vertices.reshape(-1, sides, 3).mean(axis=1)
    assert np.allclose(middles, arrays["points"], atol=1e-5)


def card_picture(mesh):
    """Checks the texture of cards that trimesh has read, and returns its coverage."""
    material = mesh.visual.material
    assert material.alphaMode == "MASK" and material.doubleSided
    assert 0 < material.alphaCutoff < 1
    picture = np.asarray(material.baseColorTexture)
    assert picture.shape == (512, 512, 4)
    return picture[..., 3]


def test_trimesh_reads_our_cards(mohawk, tmp_path):
    target = tmp_path / "cards.glb"
    flags = ["--mesh", "cards", "--cards", 40, "--texture", 512]
    mohawk("export", "--strands", 1200, "--hair", "-o", target, *flags)
    mohawk("export", "--strands", 1200, "--hair", "-o", tmp_path / "strands.npz")
    points = np.load(tmp_path / "strands.npz")["points"]
    [mesh] = trimesh.load(target, process=False).geometry.values()
    assert 80 <= len(mesh.faces) <= 4000
    coverage = card_picture(mesh)
    assert coverage.min() == 0 and coverage.max() == 255
    uv = mesh.visual.uv
    assert uv.min() >= 0 and uv.max() <= 1
    # Cards are where strands are: no farther out, and near all of them.
    assert np.allclose(mesh.bounds, [points.min(axis=0), points.max(axis=0)], atol=0.1)
    distances = trimesh.proximity.closest_point_naive(mesh, points[::97])[1]
    assert distances.max() < 0.15 and np.median(distances) < 0.03, distances
    # Faces look where their normals do.
    facing = np.einsum("fx,fcx->fc", mesh.face_normals, mesh.vertex_normals[mesh.faces])
    assert (facing > 0).mean() > 0.99


def test_blender_reads_our_cards(mohawk, tmp_path):
    target = tmp_path / "cards.glb"
    flags = ["--mesh", "cards", "--cards", 40, "--texture", 512]
    mohawk("export", "--strands", 1200, "--hair", "-o", target, *flags)
    clear()
    bpy.ops.import_scene.gltf(filepath=str(target))
    [material] = only_object().data.materials
    nodes = {node.type: node for node in material.node_tree.nodes}
    picture = nodes["TEX_IMAGE"]
    assert tuple(picture.image.size) == (512, 512) and picture.image.depth == 32
    assert picture.outputs["Color"].is_linked and picture.outputs["Alpha"].is_linked
    assert only_object().data.uv_layers


@pytest.mark.parametrize("shape", ["tubes", "cards"])
def test_faces_of_our_surfaces_look_outward(convert, tmp_path, shape):
    # Strands that bend over in arcs. Normals of the corners of tubes are 60 degrees from faces.
    random = np.random.default_rng(SEED)
    roots, angle = random.uniform(-1, 1, (200, 1, 3)), np.linspace(0, 1.5, 12)[None, :, None]
    arcs = np.concatenate([0 * angle, np.cos(angle), np.sin(angle)], axis=2)
    source, target = tmp_path / "arcs.npz", tmp_path / "surfaces.glb"
    points = (roots * [1, 0.1, 0.1] + arcs).reshape(-1, 3).astype("f4")
    np.savez(source, counts=np.full(200, 12, "u4"), points=points, widths=np.float32(0.01))
    texture = ["--texture", 256] if shape == "cards" else []
    convert(source, target, "--mesh", shape, *texture)
    [mesh] = trimesh.load(target, process=False).geometry.values()
    normals = mesh.vertex_normals[mesh.faces].mean(axis=1)
    facing = np.einsum("fx,fx->f", mesh.face_normals, normals)
    assert (facing > 0.4).all(), facing.min()


def test_hair_of_a_style_moves_in_usd(mohawk, tmp_path):
    target = tmp_path / "swing.usdc"
    flags = ["--strands", 100, "--scene", "swing", "--frames", 5, "--fps", 24]
    mohawk("simulate", *flags, "-o", target)
    stage = Usd.Stage.Open(str(target))
    points = UsdGeom.BasisCurves(stage.GetDefaultPrim()).GetPointsAttr()
    assert points.GetTimeSamples() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert stage.GetTimeCodesPerSecond() == 24.0
    assert not np.array_equal(points.Get(0), points.Get(4))
