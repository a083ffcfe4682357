"""Heads, hair at rest and in motion."""

import functools
import pathlib
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mohawk_hair as mh

REPOSITORY = pathlib.Path(__file__).parents[2]
MODELS = REPOSITORY / "models"


def turned(degrees):
    """A pose that is turned about the neck."""
    angle = np.radians(degrees)
    pose = np.eye(4)
    pose[0, 0] = pose[2, 2] = np.cos(angle)
    pose[0, 2], pose[2, 0] = np.sin(angle), -np.sin(angle)
    pose[:3, 3] = mh.NECK - pose[:3, :3] @ mh.NECK
    return pose


def test_heads_have_parts_and_a_scale(head):
    assert head.name == "head" and head.warnings == []
    assert "CC0" in head.licence
    assert head.scale == pytest.approx(1, abs=1e-3) and len(head.centre) == 3
    vertices = np.vstack([part.vertices for part in head.parts])
    assert np.ptp(vertices[:, 1]) == pytest.approx(2.74, abs=0.02)
    part = head.parts[0]
    assert part.faces.max() < len(part.vertices) == len(part.normals)
    assert len(part.color) == 4


@pytest.mark.parametrize("up", ["Y", "Z"])
def test_the_matrix_takes_the_units_and_axes_of_a_file_to_head_space(tmp_path, up):
    path = tmp_path / "corner.usda"
    corners = np.array([[0, 0, 0], [30, 0, 0], [0, 20, 0], [0, 0, 25]])
    points = ", ".join(str(tuple(map(int, corner))) for corner in corners)
    path.write_text(
        f'#usda 1.0\n(\n    metersPerUnit = 0.01\n    upAxis = "{up}"\n)\n'
        f'def Mesh "corner"\n{{\n    point3f[] points = [{points}]\n'
        "    int[] faceVertexCounts = [3, 3, 3, 3]\n"
        "    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\n}\n"
    )
    head = mh.Head(path)
    vertices = np.vstack([part.vertices for part in head.parts])
    placed = corners @ head.matrix[:3, :3].T + head.matrix[:3, 3]
    apart = np.linalg.norm(placed[:, None] - vertices, axis=2)
    assert apart.min(axis=0).max() < 1e-4 and apart.min(axis=1).max() < 1e-4


def test_files_and_shipped_models_are_the_same(head):
    opened = mh.Head(MODELS / "head.glb")
    np.testing.assert_array_equal(opened.parts[0].vertices, head.parts[0].vertices)
    assert mh.Head(model="bust.glb").name == "bust"
    assert mh.Head.of_preset("bob").name == "bust"


def test_roots_of_heads_lie_on_the_painted_skin(head):
    found = head.sample(count=500, seed=3)
    vertices, faces = found.mesh
    placed = np.einsum("kc,kcx->kx", found.barycentric, vertices[faces[found.faces]])
    np.testing.assert_allclose(placed, found.points, atol=1e-5)
    assert found.measure().min_distance >= found.spacing * 0.999


@pytest.mark.parametrize("preset", mh.presets())
def test_every_preset_grows(preset):
    head = mh.Head.of_preset(preset)
    groom = head.grow(preset=preset, settings={"roots.strands": 40})
    assert len(groom) > 0 and groom.left_out is None
    points = groom.points(5)
    assert points.shape == (len(groom), 5, 3) and np.isfinite(points).all()
    np.testing.assert_allclose(points[:, 0], groom.roots, atol=1e-5)


def test_hair_has_roots_normals_lengths_and_colors(groom):
    assert groom.roots.shape == groom.normals.shape == groom.directions.shape == (len(groom), 3)
    np.testing.assert_allclose(np.linalg.norm(groom.normals, axis=1), 1, atol=1e-4)
    assert groom.lengths.min() > 0
    assert len(groom.root_color) == len(groom.tip_color) == 3


def test_values_of_settings_are_those_of_python(head):
    groom = head.grow(
        settings={
            "roots.strands": np.int64(50),
            "groom.length": np.float32(0.5),
            "groom.curl_length": np.float64(0.1),
            "groom.length_variation": 0,
            "groom.stack": [{"curl": {"angle_deg": 50}}],
            "sim.forces.wind": np.array([1.0, 0, 0]),
            "sim.sag_free": True,
            "look.hair.pigment": "dye",
        }
    )
    np.testing.assert_allclose(groom.lengths, 0.5, atol=0.01)
    assert "[sim.forces]" in mh.settings()


@pytest.mark.parametrize("solver", mh.solvers())
@pytest.mark.parametrize("scene", mh.scenes())
def test_every_solver_plays_every_scene(groom, solver, scene):
    has_own = scene in {"pendulum", "cantilever"}
    simulation = mh.Simulation(None if has_own else groom, solver=solver, scene=scene)
    assert simulation.solver == solver
    frames = simulation.play(4, 30)
    assert frames.shape == (4, simulation.strands, simulation.points_per_strand, 3)
    assert np.isfinite(frames).all() and frames.dtype == np.float32
    assert simulation.steps == 24
    # Tips feel no force of air, nor weight.
    if scene != "still" and (solver != "spring" or scene in {"nod", "run", "shake", "swing", "tilt"}):
        assert np.abs(frames[3] - frames[0]).max() > 1e-4
    np.testing.assert_array_equal(frames[-1], simulation.positions)


def recorded():
    """The hashes that the test of `mohawk simulate` expects."""
    text = (REPOSITORY / "tests/commands/simulate.rs").read_text()
    block = re.search(r"const HASHES: \[u64; 5\] = \[(.*?)\];", text, re.S).group(1)
    return dict(zip(mh.solvers(), [int(number.replace("_", ""), 16) for number in re.findall("0x[0-9a-f_]+", block)]))


@pytest.mark.parametrize("solver", mh.solvers())
def test_positions_have_the_bits_of_the_command_line(solver):
    simulation = mh.Simulation(
        mh.Head().grow(settings={"roots.strands": 1800}), solver=solver, scene="run"
    )
    bits = simulation.play(41, 240).view(np.uint32).ravel().tolist()
    fnv = functools.reduce(lambda hash, bit: ((hash ^ bit) * 0x100000001B3) % 2**64, bits, 0xCBF29CE484222325)
    assert fnv == recorded()[solver]


def test_scenes_grow_their_own_hair_like_the_command_line(groom):
    grown = mh.Simulation(scene="run", solver="ftl", settings={"roots.strands": 300})
    given_groom = mh.Simulation(groom, scene="run", solver="ftl")
    np.testing.assert_array_equal(grown.play(3), given_groom.play(3))


def test_frames_and_steps_are_the_same_motion(groom):
    one, two = (mh.Simulation(groom, solver="ftl", scene="nod") for _ in range(2))
    frames = one.play(5, 60)
    for _ in range(16):
        two.step()
    np.testing.assert_array_equal(frames[-1], two.positions)
    assert one.time == two.time == pytest.approx(16 * mh.STEP_SECONDS)
    # A frame between two steps lies between them.
    between = mh.Simulation(groom, solver="ftl", scene="nod").play(2, 480)
    step = mh.Simulation(groom, solver="ftl", scene="nod").play(2, 240)
    np.testing.assert_allclose(between[1], (step[0] + step[1]) / 2, atol=1e-5)


def test_poses_move_the_head(groom):
    simulation = groom.simulate(solver="ftl")
    np.testing.assert_allclose(simulation.pose, np.eye(4), atol=1e-12)
    before = simulation.positions
    simulation.advance(0.5, turned(30))
    np.testing.assert_allclose(simulation.pose, turned(30), atol=1e-6)
    roots = groom.roots @ turned(30)[:3, :3].T + turned(30)[:3, 3]
    np.testing.assert_allclose(simulation.positions[:, 0], roots, atol=1e-4)
    assert np.abs(before[:, 0] - groom.roots).max() < 1e-5  # It stays as it was.
    simulation.reset()
    assert simulation.time == 0
    np.testing.assert_allclose(simulation.positions, before, atol=1e-6)
    simulation.step(turned(1))
    np.testing.assert_allclose(simulation.pose, turned(1), atol=1e-6)


def test_poses_for_each_frame_are_a_scene(groom):
    poses = np.array([turned(3 * frame) for frame in range(31)])
    simulation = groom.simulate(solver="ftl", scene=poses, fps=30)
    simulation.play(31, 30)
    np.testing.assert_allclose(simulation.pose, poses[-1], atol=1e-6)


def test_scene_files_are_played(tmp_path, groom):
    path = tmp_path / "fall.toml"
    path.write_text('version = 1\n[[strands]]\nroot = [0, 0, 0]\ndirection = [1, 0, 0]\nlength = 1\n')
    simulation = mh.Simulation(scene=path, solver="ftl")
    simulation.advance(1)
    assert simulation.strands == 1 and simulation.positions[0, -1, 1] < -0.2
    with pytest.raises(mh.Error, match="strands of its own"):
        mh.Simulation(groom, scene=path)
    path.write_text("version = 1\nmotion = 3\n")
    with pytest.raises(mh.Error, match="motion"):
        mh.Simulation(scene=str(path))


def test_positions_are_written_into_an_array(groom):
    simulation = groom.simulate(solver="rod", scene="swing")
    simulation.advance(0.1)
    out = np.zeros_like(simulation.positions)
    simulation.write_positions(out)
    np.testing.assert_array_equal(out, simulation.positions)
    for wrong, exception in [
        (out[:-1], mh.Error),
        (out.astype(float), TypeError),
        (np.asfortranarray(out), mh.Error),
        (None, TypeError),
    ]:
        with pytest.raises(exception, match="out"):
            simulation.write_positions(wrong)
    out.flags.writeable = False
    with pytest.raises(mh.Error, match="out"):
        simulation.write_positions(out)


def test_settings_and_solver_change_in_motion(groom):
    simulation = groom.simulate(solver="spring", scene="swing")
    simulation.advance(0.3)
    time = simulation.time
    simulation.set({"sim.hold": 0.5}, solver="rod")
    assert (simulation.solver, simulation.time) == ("rod", time)
    simulation.advance(0.3)
    measures = simulation.measures()
    assert measures["max_stretch"] < 0.01 and measures["kinetic"] > 0 and measures["resets"] == 0
    simulation.push(0, [0, 5, 0])
    assert not simulation.is_settled
    for strand in [-1, 999999]:
        with pytest.raises(mh.Error, match=f"strand = {strand}"):
            simulation.push(strand, [0, 0, 0])
    with pytest.raises(mh.Error, match="velocity"):
        simulation.push(0, [0, np.inf, 0])


def test_straight_strands_and_curves_in_the_air():
    groom = mh.Groom.straight([[0, 0, 0], [1, 0, 0]], [[0, -2, 0]], 0.5)
    np.testing.assert_allclose(groom.points(3)[:, :, 1], [[0, -0.25, -0.5]] * 2, atol=1e-6)
    angles = np.linspace(0, np.pi, 20)
    arc = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(20)])
    curved = mh.Groom(arc[None])
    assert curved.lengths[0] == pytest.approx(np.pi, rel=0.01)
    np.testing.assert_allclose(curved.points(20)[0], arc, atol=0.01)
    assert curved.points(1024).shape == (1, 1024, 3)
    for wrong, part in [
        (np.zeros((1, 2, 3)), "length"),
        (np.zeros((1, 1, 3)), "points"),
        (np.full((1, 3, 3), np.nan), "strands, number 1"),
        (np.zeros((2, 3)), r"\(strands, points, 3\)"),
    ]:
        with pytest.raises(mh.Error, match=part):
            mh.Groom(wrong)
    with pytest.raises(mh.Error, match="direction"):
        mh.Groom.straight([[0, 0, 0]], [[0, 0, 0]], 1)
    with pytest.raises(mh.Error, match="directions: there are 2, but 1 roots"):
        mh.Groom.straight([[0, 0, 0]], [[0, 1, 0]] * 2, 1)
    with pytest.raises(mh.Error, match="lengths"):
        mh.Groom.straight([[0, 0, 0]], [[0, 1, 0]], [1, 2])
    assert mh.Groom(np.empty((0, 4, 3))).simulate().positions.shape == (0, 12, 3)


@pytest.mark.parametrize(
    ("call", "exception", "part"),
    [
        (lambda: mh.Head("nowhere/at-all.glb"), FileNotFoundError, "at-all.glb"),
        (lambda: mh.Head(__file__), mh.Error, "test_hair.py"),
        (lambda: mh.Head(model="cat.glb"), mh.Error, "head.glb"),
        (lambda: mh.Head("a.glb", model="b"), TypeError, "not both"),
        (lambda: mh.Head(settings={"head.wrong": 1}), mh.Error, "head.wrong"),
        (lambda: mh.Head(settings={"sim.hold": 1}), mh.Error, "cannot be set here"),
        (lambda: mh.Head(settings={3: 1}), TypeError, "key 3"),
        (lambda: mh.Head(settings={"head.paint": object()}), TypeError, "head.paint"),
        (lambda: mh.Head.of_preset("nobody"), mh.Error, "nobody"),
        (lambda: mh.Simulation(), TypeError, "groom"),
        (lambda: mh.Simulation(scene="nowhere"), mh.Error, "swing"),
        (lambda: mh.Simulation(scene="nowhere.toml"), FileNotFoundError, "nowhere.toml"),
        (lambda: mh.Simulation(scene=np.zeros((2, 4, 4))), mh.Error, r"scene\[0\]"),
        (lambda: mh.Simulation(scene=np.eye(4)), mh.Error, r"\(frames, 4, 4\)"),
        (lambda: mh.Simulation(scene="pendulum", solver="magic"), mh.Error, "magic"),
        (lambda: mh.Simulation(scene="pendulum").play(0), mh.Error, "frames = 0"),
        (lambda: mh.Simulation(scene="pendulum").play(2, 0), mh.Error, "fps = 0"),
        (lambda: mh.Simulation(scene="pendulum").play(2, float("nan")), mh.Error, "fps"),
        (lambda: mh.Simulation(scene="pendulum").advance(-1), mh.Error, "seconds = -1"),
        (lambda: mh.Simulation(scene="pendulum").advance(1e9), mh.Error, "seconds"),
        (lambda: mh.Simulation(scene="pendulum").step(np.eye(3)), mh.Error, "pose"),
        (lambda: mh.Simulation(scene="pendulum").step(2 * np.eye(4)), mh.Error, "pose"),
        (lambda: mh.Simulation(scene="pendulum").set({"look.hair.gloss": 1}), mh.Error, "sim"),
        (lambda: mh.Simulation(scene="pendulum").set({"sim.hold": "much"}), mh.Error, "sim.hold"),
    ],
)
def test_what_is_wrong_is_named(call, exception, part):
    with pytest.raises(exception, match=part):
        call()


def test_wrong_grooms_are_named(head, groom):
    for options, exception, part in [
        ({"preset": "bob", "style": "a.mohawk"}, TypeError, "one of preset, style and strands"),
        ({"preset": "nobody"}, mh.Error, "nobody"),
        ({"style": "nowhere.mohawk"}, FileNotFoundError, "nowhere.mohawk"),
        ({"style": __file__}, mh.Error, "test_hair.py"),
        ({"settings": {"groom.length": -1}}, mh.Error, "groom.length"),
        ({"settings": {"groom.stack": [{"magic": {}}]}}, mh.Error, "magic"),
    ]:
        with pytest.raises(exception, match=part):
            head.grow(**options)
    endless = []
    endless.append(endless)
    with pytest.raises(mh.Error, match="groom.stack"):
        head.grow(settings={"groom.stack": endless})
    for count in [1, 1025]:
        with pytest.raises(mh.Error, match=f"count = {count}: expected 2 to 1024"):
            groom.points(count)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(), min_size=16, max_size=16), st.floats())
def test_any_pose_and_time_keep_hair_finite_or_are_refused(numbers, seconds):
    simulation = mh.Simulation(scene="pendulum", solver="particles")
    for call in [
        lambda: simulation.step(np.reshape(numbers, (4, 4))),
        lambda: simulation.advance(min(seconds, 0.1)),
    ]:
        try:
            call()
        except mh.Error as error:
            assert str(error)
    assert np.isfinite(simulation.positions).all()
