"""Samplers of other packages on one mesh, for `samplers.ipynb`.

Each function gets ready and returns two others: `sample(seed)`, which is timed, and
`points(result)`, which makes points and face normals of its result and is not. A sampler takes the
count or the spacing, whichever it knows.
"""

import ctypes
import importlib.metadata
from pathlib import Path

import numpy as np


class Mesh:
    """A mesh as most packages take it."""

    def __init__(self, vertices, faces):
        self.vertices = np.asarray(vertices, np.float64)
        self.faces = np.asarray(faces, np.int64)
        a, b, c = self.vertices[self.faces].transpose(1, 0, 2)
        normals = np.cross(b - a, c - a)
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        self.face_normals = normals / np.where(lengths > 0, lengths, 1)


def libigl(mesh, _count, spacing):
    import igl

    def points(result):
        _barycentric, faces, positions = result
        return positions, mesh.face_normals[faces]

    return lambda _seed: igl.blue_noise(mesh.vertices, mesh.faces, spacing), points


def open3d(init_factor):
    def ready(mesh, count, _spacing):
        # Its wheel loads libusb (for cameras); where the system has none, the one from PyPI does.
        for library in Path(np.__file__).parents[1].glob("libusb_package/libusb-1.0.so"):
            ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        import open3d as o3d

        vertices = o3d.utility.Vector3dVector(mesh.vertices)
        faces = o3d.utility.Vector3iVector(mesh.faces.astype(np.int32))
        surface = o3d.geometry.TriangleMesh(vertices, faces)
        surface.compute_triangle_normals()

        def sample(seed):
            o3d.utility.random.seed(seed)
            return surface.sample_points_poisson_disk(
                count, init_factor=init_factor, use_triangle_normal=True
            )

        return sample, lambda cloud: (np.asarray(cloud.points), np.asarray(cloud.normals))

    return ready


def point_cloud_utils(mesh, _count, spacing):
    import point_cloud_utils as pcu

    def sample(seed):
        # Its other settings change nothing in 0.34.0 when it is given a radius.
        return pcu.sample_mesh_poisson_disk(
            mesh.vertices, mesh.faces, num_samples=-1, radius=spacing, random_seed=seed
        )

    def points(result):
        faces, weights = result
        corners = mesh.vertices[mesh.faces[faces]]
        return (corners * weights[:, :, None]).sum(axis=1), mesh.face_normals[faces]

    return sample, points


def pymeshlab(rate):
    def ready(mesh, _count, spacing):
        import pymeshlab as ml

        meshes = ml.MeshSet()
        meshes.add_mesh(ml.Mesh(mesh.vertices, mesh.faces.astype(np.int32)))

        def sample(_seed):
            meshes.set_current_mesh(0)
            meshes.generate_sampling_poisson_disk(
                radius=ml.PureValue(spacing), montecarlorate=rate
            )

        def points(_result):
            cloud = meshes.current_mesh()
            return cloud.vertex_matrix(), cloud.vertex_normal_matrix()

        return sample, points

    return ready


def trimesh(mesh, count, _spacing):
    import trimesh as tm

    surface = tm.Trimesh(mesh.vertices, mesh.faces, process=False)
    surface.area_faces  # computed now, not when timed

    def points(result):
        positions, faces = result
        return np.asarray(positions), mesh.face_normals[faces]

    return lambda seed: tm.sample.sample_surface_even(surface, count, seed=seed), points


# Name, package on PyPI, how to get ready. Settings are the defaults unless the name says otherwise.
PEERS = [
    ("trimesh", "trimesh", trimesh),
    ("Open3D", "open3d", open3d(5)),
    ("Open3D, init_factor 10", "open3d", open3d(10)),
    ("libigl", "libigl", libigl),
    ("point-cloud-utils", "point-cloud-utils", point_cloud_utils),
    ("PyMeshLab", "pymeshlab", pymeshlab(20)),
    ("PyMeshLab, montecarlorate 40", "pymeshlab", pymeshlab(40)),
    ("PyMeshLab, montecarlorate 50", "pymeshlab", pymeshlab(50)),
    ("PyMeshLab, montecarlorate 60", "pymeshlab", pymeshlab(60)),
]


def installed():
    """Return the peers that are installed, and say which are not."""
    found, missing = [], set()
    for name, package, ready in PEERS:
        try:
            importlib.metadata.version(package)
            found.append((name, package, ready))
        except importlib.metadata.PackageNotFoundError:
            missing.add(package)
    if missing:
        print(f"Not installed, and so left out: {', '.join(sorted(missing))}.")
    return found
