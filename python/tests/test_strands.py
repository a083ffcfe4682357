"""Files of strands."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import mohawk_hair as mh

# The formats, and what each keeps of widths, colours, texture coordinates and guides.
KEEPS = {
    "hair": "wc",
    "usda": "wcug",
    "usdc": "wcug",
    "usdz": "wcug",
    "abc": "wcug",
    "glb": "wcug",
    "npz": "wcug",
    "obj": "c",
    "ply": "wc",
    "data": "",
}
SHARE = st.floats(0, 1, width=32)


@st.composite
def strands(draw):
    """Strands of 3 points or more: shorter ones are no lines of an OBJ file."""
    counts = np.array(draw(st.lists(st.integers(3, 6), min_size=1, max_size=6)))
    total = int(counts.sum())
    array = lambda shape, numbers: draw(hnp.arrays(np.float32, shape, elements=numbers))  # noqa: E731
    many = draw(st.sampled_from([len(counts), total]))
    return {
        "points": array((total, 3), st.floats(-9, 9, width=32)),
        "counts": counts,
        "widths": array(many, st.floats(0.125, 1, width=32)),
        "colors": array((many, 3), SHARE),
        "root_uvs": array((len(counts), 2), SHARE),
        "guides": draw(hnp.arrays(bool, len(counts))),
    }


def each_point(values, counts, axes):
    """Values of all, of strands or of points as values of points."""
    if values.ndim < axes:
        return np.repeat(values[None], counts.sum(), axis=0)
    return np.repeat(values, counts, axis=0) if len(values) == len(counts) else values


@pytest.mark.parametrize("extension", KEEPS)
@given(strands=strands())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_a_format_keeps_comes_back(tmp_path, extension, strands):
    path = tmp_path / f"strands.{extension}"
    lost = mh.write_strands(path, **strands, up="y", unit_metres=1)
    read, keeps = mh.read_strands(path), KEEPS[extension]
    assert read.notes == [] and len(read) == len(strands["counts"])
    counts = strands["counts"]
    np.testing.assert_array_equal(read.counts, counts)
    np.testing.assert_array_equal(read.points, strands["points"])
    for letter, name, words, tolerance in [
        ("w", "widths", "widths", 0),
        ("c", "colors", "colours", 2e-7),
        ("u", "root_uvs", "texture coordinates", 1e-6),
        ("g", "guides", "guides", 0),
    ]:
        found = getattr(read, name)
        assert (words in lost) == (letter not in keeps)
        if letter in keeps:
            wanted = strands[name]
            if name in ("widths", "colors"):
                found, wanted = (each_point(them, counts, wanted.ndim) for them in (found, wanted))
            np.testing.assert_allclose(found, wanted, atol=tolerance)
    if extension in ("usda", "usdc", "usdz", "npz"):
        assert (read.up, read.unit_metres) == ("y", 1.0)


def test_values_may_be_one_for_all(tmp_path):
    points = np.random.default_rng(3).normal(size=(5, 4, 3)).astype("f4")
    path = tmp_path / "all.npz"
    mh.write_strands(path, points, widths=0.5, opacities=0.25, colors=[0.1, 0.2, 0.3], up="-x")
    read = mh.read_strands(path)
    assert read.widths.shape == () and read.widths == 0.5 and read.opacities == 0.25
    np.testing.assert_allclose(read.colors, [0.1, 0.2, 0.3])
    assert read.up == "-x" and read.unit_metres is None and read.guides is None
    np.testing.assert_array_equal(read.points.reshape(5, 4, 3), points)
    assert repr(read) == "<Strands: 5 of 20 points>"


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"counts": [3, 2]}, "have 5 points, but it holds 6"),
        ({"counts": [5, 1]}, "strand 1 has fewer than two points"),
        ({"counts": [-1, 7]}, "counts: "),
        ({"widths": [1, 2, 3]}, "widths: expected the shape (2,) or (6,), not (3,)"),
        ({"colors": [1, 2]}, "colors: expected the shape (2, 3) or (6, 3), not (2,)"),
        ({"colors": [255, 128, 0]}, "colors: expected numbers from 0 to 1, not 255"),
        ({"root_uvs": [[0, 0]]}, "more or fewer values"),
        ({"guides": [[True]]}, "guides: expected the shape (n,)"),
        ({"up": "w"}, "one of y, z"),
        ({"unit_metres": 0}, "unit_metres = 0"),
        ({"mesh": "cubes"}, "lines, ribbons, tubes, cards"),
        ({"mesh": "cards", "cards": -1}, "cards = -1: expected 1 to"),
        ({"mesh": "cards", "texture": 1}, "texture = 1: expected 64 to 8192"),
    ],
)
def test_mistakes_are_told(tmp_path, more, text):
    given = {"counts": [3, 3], **more}
    path = tmp_path / "wrong.glb"
    with pytest.raises(mh.Error) as caught:
        mh.write_strands(path, np.zeros((6, 3)), **given)
    assert text in str(caught.value)
    assert not path.exists()


def test_files_that_are_none_are_told(tmp_path, groom):
    with pytest.raises(FileNotFoundError, match="nothing.abc"):
        mh.read_strands(tmp_path / "nothing.abc")
    path = tmp_path / "broken.hair"
    path.write_bytes(b"HAIRcut")
    with pytest.raises(mh.Error, match="frame = -1"):
        mh.read_strands(path, frame=-1)
    with pytest.raises(mh.Error, match="broken.hair.*cut off"):
        mh.read_strands(path)
    cards = tmp_path / "cards.glb"
    assert groom.save(cards, mesh="cards", cards=9, texture=128) == ["single strands"]
    with pytest.raises(mh.Error, match="cannot be read back"):
        mh.read_strands(cards)


def test_hair_is_saved_where_the_model_has_it(tmp_path, head, groom):
    path = tmp_path / "hair.npz"
    with pytest.raises(mh.Error, match="points = 1: expected 2 to 1024"):
        groom.save(path, points=1)
    assert groom.save(path, points=9) == []
    read = mh.read_strands(path)
    assert (read.counts == 9).all() and len(read) == len(groom)
    roots = read.points.reshape(len(groom), 9, 3)[:, 0]
    np.testing.assert_allclose(roots @ head.matrix[:3, :3].T + head.matrix[:3, 3], groom.roots, atol=1e-5)
    np.testing.assert_allclose(roots, groom.roots / head.scale + head.centre, atol=1e-5)
    assert read.widths is not None and read.colors is not None and read.up is None


def test_hair_is_opened_from_strands(tmp_path, head, groom):
    path = tmp_path / "hair.hair"
    groom.save(path)
    opened = head.grow(strands=path)
    assert len(opened) == len(groom)
    # Strands have another order.
    order = [np.lexsort(hair.roots.round(3).T) for hair in (opened, groom)]
    np.testing.assert_allclose(opened.roots[order[0]], groom.roots[order[1]], atol=2e-3)
    mh.write_strands(tmp_path / "far.hair", np.full((3, 2, 3), 900.0) + np.eye(3)[:, :2, None])
    with pytest.raises(mh.Error, match="far.hair: fewer than half of its roots"):
        head.grow(strands=tmp_path / "far.hair")
    with pytest.raises(TypeError, match="one of preset, style and strands"):
        head.grow(strands=path, preset="bob")


@pytest.mark.parametrize("extension", ["npz", "usdc", "abc"])
def test_motion_is_saved(tmp_path, head, groom, extension):
    path = tmp_path / f"nod.{extension}"
    simulation = groom.simulate(scene="nod")
    shares = []
    simulation.save(path, frames=4, fps=24, progress=shares.append)
    assert shares[-1] == 1 and simulation.steps == 30
    first = groom.simulate(scene="nod").play(4, fps=24)
    read = mh.read_strands(path)
    wanted = first[0].reshape(-1, 3) / head.scale + head.centre
    np.testing.assert_allclose(read.points, wanted, atol=1e-5)
    assert (read.frames, read.fps) == (4, 24)
    last = mh.read_strands(path, frame=3).points
    np.testing.assert_allclose(last, first[3].reshape(-1, 3) / head.scale + head.centre, atol=1e-5)
    with pytest.raises(mh.Error, match="frames 0 to 3, and no frame 4"):
        mh.read_strands(path, frame=4)
    if extension == "npz":
        with np.load(path) as arrays:
            assert arrays["fps"] == 24
            frames = arrays["points"].reshape(first.shape)
        np.testing.assert_allclose(frames, first / head.scale + head.centre, atol=1e-5)
    with pytest.raises(mh.Error, match="one pose, not a motion"):
        simulation.save(tmp_path / "nod.hair", frames=2)
    simulation.save(tmp_path / "nod.hair")


def test_motion_that_is_stopped_leaves_no_file(tmp_path, groom):
    def stop(share):
        raise KeyboardInterrupt

    simulation = groom.simulate(scene="swing")
    with pytest.raises(KeyboardInterrupt):
        simulation.save(tmp_path / "a.usda", frames=5000, fps=24, progress=stop)
    # The work ends by itself.
    simulation.reset()
    assert not (tmp_path / "a.usda").exists()


def test_strands_in_the_air_are_decimetres(tmp_path):
    air = mh.Groom([[[0, 0, 0], [0, 10, 0]]])
    air.save(tmp_path / "air.usda", points=2)
    read = mh.read_strands(tmp_path / "air.usda")
    assert read.up == "y" and read.unit_metres == 1
    np.testing.assert_allclose(read.points, [[0, 0, 0], [0, 1, 0]], atol=1e-6)
