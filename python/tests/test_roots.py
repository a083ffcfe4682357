"""Sampling and measuring against brute force and closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

import mohawk_hair as mh


def fan(corners, height):
    """A cone of triangles around a middle."""
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    rim = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(corners)])
    vertices = np.vstack([rim, [[0, 0, height]]])
    next_corner = (np.arange(corners) + 1) % corners
    faces = np.column_stack([np.arange(corners), next_corner, np.full(corners, corners)])
    return vertices, faces


@settings(max_examples=25, deadline=None)
@given(
    corners=st.integers(3, 12),
    height=st.floats(-2, 2),
    scale=st.sampled_from([1e-3, 1.0, 1e4]),
    method=st.sampled_from(["progressive", "maximal", "tight"]),
    seed=st.integers(0, 2**32),
    dtype=st.sampled_from([np.float32, np.float64]),
    index=st.sampled_from([np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64]),
)
def test_points_keep_their_distance_lie_on_their_faces_and_leave_no_gap(
    corners, height, scale, method, seed, dtype, index
):
    vertices, faces = fan(corners, height)
    vertices = (vertices * scale).astype(dtype)
    faces = faces.astype(index)
    found = mh.sample(vertices, faces, count=150, method=method, seed=seed)
    points, face, weights = found
    assert points.shape == weights.shape == found.normals.shape == (len(face), 3)
    assert points.dtype == np.float32 and face.dtype == np.int64
    np.testing.assert_allclose(weights.sum(1), 1, atol=1e-5)
    placed = np.einsum("kc,kcx->kx", weights, vertices[faces[face].astype(int)])
    np.testing.assert_allclose(placed, points, atol=1e-5 * scale)
    np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1, atol=1e-5)
    closest = cKDTree(points).query(points, 2)[0][:, 1].min()
    measures = found.measure()
    # Points on the two sides of a sharp cone are no neighbours.
    assert measures.min_distance >= found.spacing * (1 - 1e-6)
    assert closest == pytest.approx(measures.min_distance, rel=1e-5) or height != 0
    assert measures.maximal and measures.coverage_ratio <= 1.001
    again = mh.sample(vertices.tolist(), faces.tolist(), radius=found.spacing, method="maximal")
    assert again.measure().min_distance >= found.spacing * (1 - 1e-6)


def test_the_same_seed_gives_the_same_bits_and_another_does_not(square):
    one, two = (mh.sample(*square, count=400, seed=7).points for _ in range(2))
    assert one.tobytes() == two.tobytes()
    assert one.tobytes() != mh.sample(*square, count=400, seed=8).points.tobytes()


def test_arrays_of_every_layout_are_the_same_mesh(square):
    vertices, faces = square
    expected = mh.sample(vertices, faces, count=100).points.tobytes()
    frozen = vertices.copy()
    frozen.flags.writeable = False
    wide = np.zeros((8, 6))
    wide[::2, ::2] = vertices
    for layout in [
        np.asfortranarray(vertices),
        wide[::2, ::2],
        vertices[::-1][::-1],
        vertices.astype(">f8"),
        vertices.astype(np.float16),
        vertices.astype(np.int64),
        vertices.astype(object).tolist(),
        np.ma.array(vertices),
        np.frombuffer(b"0" + vertices.tobytes(), np.float32, offset=1).reshape(4, 3),
        frozen,
    ]:
        for corners in [faces, np.asfortranarray(faces), faces.astype(">i2"), faces.tolist()]:
            assert mh.sample(layout, corners, count=100).points.tobytes() == expected
    assert (vertices == square[0]).all()


def test_a_sample_is_a_tuple_of_three(square):
    found = mh.sample(*square, count=50)
    points, faces, barycentric = found
    assert len(found) == 3 and found[0] is points and found[-1] is barycentric
    assert [array.shape for array in found[:2]] == [points.shape, faces.shape]
    with pytest.raises(IndexError):
        found[3]
    assert "points" in repr(found)
    assert found.ranks.tolist() == sorted(found.ranks)
    vertices, triangles = found.mesh
    assert vertices.shape == (4, 3) and triangles.shape == (2, 3)
    assert found.area == pytest.approx(1)


def test_density_leaves_out_points_in_proportion(square):
    whole = len(mh.sample(*square, count=4000).points)
    points = mh.sample(*square, count=4000, density=[0, 1, 1, 0]).points
    assert len(points) == pytest.approx(whole / 2, rel=0.05)
    # The density is x.
    assert points[:, 0].mean() == pytest.approx(2 / 3, abs=0.02)
    half = mh.sample(*square, count=4000, density=0.5).points
    assert len(half) == pytest.approx(whole / 2, rel=0.02)


def test_faces_without_density_keep_the_numbers_of_the_others(square):
    vertices, faces = square
    vertices = np.vstack([vertices, vertices + [5, 0, 0]])
    faces = np.vstack([faces, faces + 4])
    found = mh.sample(vertices, faces, count=100, density=[0] * 4 + [1] * 4)
    assert set(found.faces) == {2, 3}
    assert found.points[:, 0].min() >= 5


@pytest.mark.parametrize("method", mh.methods())
def test_every_method_samples_and_is_measured(square, method):
    found = mh.sample(*square, count=300, method=method)
    measures = found.measure()
    assert measures.count == len(found.points) == pytest.approx(300, rel=0.1)
    assert measures.maximal == (method in {"progressive", "maximal", "tight", "variable"})


def test_measures_are_those_of_brute_force(square):
    random = np.random.default_rng(5)
    points = np.column_stack([random.random((500, 2)), np.zeros(500)])
    measures = mh.measure(points, *square)
    nearest = cKDTree(points).query(points, 2)[0][:, 1]
    np.testing.assert_allclose(measures.nearest, nearest, rtol=1e-3, atol=1e-6)
    assert measures.min_distance == pytest.approx(nearest.min(), rel=1e-3)
    assert measures.mean_distance == pytest.approx(nearest.mean(), rel=1e-4)
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 300)] * 2), -1).reshape(-1, 2)
    gap = cKDTree(points[:, :2]).query(grid)[0].max()
    assert gap <= measures.coverage_radius <= gap + 0.01
    assert measures.area == pytest.approx(1)
    r_max = 2 * np.sqrt(1 / (2 * np.sqrt(3) * 500))
    assert measures.relative_radius == pytest.approx(nearest.min() / r_max, rel=1e-3)
    assert measures.cell_variance == pytest.approx(1, abs=0.4)
    assert np.isfinite(measures.pair_correlation).sum() > 10
    assert len(measures.pair_distance) == len(measures.pair_correlation)
    with_spacing = mh.measure(points, *square, spacing=0.1)
    assert with_spacing.coverage_ratio == pytest.approx(gap / 0.1, rel=0.05)


def test_spectra_are_flat_for_random_points_and_dark_in_the_middle_for_ours(square):
    random = np.random.default_rng(1)
    white = mh.spectrum(*[random.random((1000, 2)) for _ in range(8)])
    assert white.sets == 8 and white.points == 1000
    assert white.power.mean() == pytest.approx(1, abs=0.05)
    blue = mh.sample(*square, count=1000).measure().spectrum
    assert blue.low_frequency_power < 0.15
    assert blue.frequency.shape == blue.power.shape == blue.anisotropy_db.shape


def test_sides_of_thin_sheets_are_told_by_normals(square):
    vertices, faces = square
    both = np.vstack([vertices, vertices - [0, 0, 1e-4]]), np.vstack([faces, faces[:, ::-1] + 4])
    found = mh.sample(*both, count=1000)
    seen = mh.measure(found.points, *both, normals=found.face_normals)
    assert seen.maximal and seen.min_distance >= found.spacing * 0.999
    # Without normals, points of the other sheet are neighbours or miss.
    assert seen.farthest < 1e-5


@pytest.mark.parametrize(
    ("arguments", "exception", "part"),
    [
        ({}, TypeError, "give count or radius"),
        ({"count": 5, "radius": 0.1}, TypeError, "not both"),
        ({"count": 0}, mh.Error, "roots.strands"),
        ({"count": -3}, mh.Error, "roots.strands"),
        ({"count": 10**18}, mh.Error, "roots.strands"),
        ({"count": 1.5}, TypeError, "count"),
        ({"radius": 0}, mh.Error, "roots.spacing"),
        ({"radius": -1}, mh.Error, "roots.spacing"),
        ({"radius": float("nan")}, mh.Error, "roots.spacing"),
        ({"radius": 1e-9}, mh.Error, "too small"),
        ({"count": 5, "method": "magic"}, mh.Error, "roots.method"),
        ({"count": 5, "seed": -1}, mh.Error, "roots.seed"),
        ({"count": 5, "density": [1, 1]}, mh.Error, "density: expected the shape"),
        ({"count": 5, "density": [0, 0, 0, 0]}, mh.Error, "density"),
        ({"count": 5, "density": [np.nan, 0, 0, 1]}, mh.Error, "vertex 0"),
        ({"count": 5, "normals": [[0, 0, 1]]}, mh.Error, "normals"),
        ({"count": 5, "normals": "up"}, TypeError, "normals"),
        ({"count": 5, "color": 1}, TypeError, "color"),
    ],
)
def test_wrong_arguments_are_named(square, arguments, exception, part):
    with pytest.raises(exception, match=part):
        mh.sample(*square, **arguments)


@pytest.mark.parametrize(
    ("vertices", "faces", "exception", "part"),
    [
        ([], [], mh.Error, "vertices: expected the shape"),
        ([[0, 0]], [[0, 0, 0]], mh.Error, r"vertices: .*\(n, 3\), not \(1, 2\)"),
        ([[0, 0, 1j]] * 3, [[0, 1, 2]], TypeError, "vertices: .*complex"),
        (np.eye(3), [[0, 1, 3]], mh.Error, "the mesh: triangle 0"),
        (np.eye(3), [[0, 1, -1]], mh.Error, "faces: row 0"),
        (np.eye(3), [[0, 1, 2**40]], mh.Error, "faces: row 0"),
        (np.eye(3), [[0.0, 1.0, 2.0]], TypeError, "faces: .*float64"),
        (np.eye(3), np.empty((0, 3), int), mh.Error, "no faces"),
        (np.eye(3) * np.nan, [[0, 1, 2]], mh.Error, "vertex 0"),
        (np.zeros((3, 3)), [[0, 1, 2]], mh.Error, "no triangle has an area"),
        (np.eye(3) * 1e12, [[0, 1, 2]], mh.Error, "vertex 0"),
        (None, [[0, 1, 2]], TypeError, "vertices"),
        ({"a": 1}, [[0, 1, 2]], TypeError, "vertices"),
    ],
)
def test_wrong_meshes_are_named(vertices, faces, exception, part):
    with pytest.raises(exception, match=part):
        mh.sample(vertices, faces, count=10)


@pytest.mark.parametrize(
    ("points", "options", "part"),
    [
        (np.empty((0, 3)), {}, "no points"),
        ([[0.5, 0.5, 9]], {}, "point 0 is .* away"),
        ([[0.5, np.nan, 0]], {}, "point 0"),
        ([[0.5, 0.5, 0]], {"normals": np.empty((0, 3))}, "normals"),
        ([[0.5, 0.5, 0]], {"spacing": 0}, "spacing"),
        ([[0.5, 0.5]], {}, "points: expected the shape"),
    ],
)
def test_wrong_points_are_named(square, points, options, part):
    with pytest.raises(mh.Error, match=part):
        mh.measure(points, *square, **options)


def test_wrong_sets_of_a_spectrum_are_refused():
    with pytest.raises(TypeError, match="one set"):
        mh.spectrum()
    with pytest.raises(mh.Error, match="unit square"):
        mh.spectrum([[0.5, 2]])
    with pytest.raises(mh.Error, match="set 1"):
        mh.spectrum([[0.5, 0.5]], [0.5])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_arrays_give_a_sample_or_an_exception(data):
    number = st.floats(width=32) | st.integers(-5, 5)
    shape = st.integers(0, 4)
    rows = data.draw(st.lists(st.lists(number, min_size=3, max_size=3), max_size=6))
    faces = data.draw(st.lists(st.lists(st.integers(-1, 6), min_size=3, max_size=3), max_size=5))
    density = data.draw(st.none() | st.lists(number, min_size=len(rows), max_size=len(rows)))
    count = data.draw(st.integers(-1, 30) | shape)
    try:
        found = mh.sample(np.array(rows, float), np.array(faces, int), count=count, density=density)
    except (mh.Error, TypeError) as error:
        assert str(error)
    else:
        assert np.isfinite(found.points).all()
