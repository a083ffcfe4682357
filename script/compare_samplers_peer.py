"""Runs one peer's sampler in a process of its own: script/compare_samplers.py starts it.

    compare_samplers_peer.py PEER MESH.npz COUNT SPACING RUNS OUT

times RUNS sampling calls (no imports, no conversions, no files), writes each set to OUT-<run>.csv
as positions and face normals, and what it measured to OUT.json. A peer takes COUNT or SPACING,
whichever it knows.
"""

import ctypes
import json
import sys
import time
from pathlib import Path

import numpy as np


class Mesh:
    def __init__(self, path):
        stored = np.load(path)
        self.vertices = stored["vertices"].astype(np.float64)
        self.faces = stored["faces"].astype(np.int64)
        a, b, c = self.vertices[self.faces].transpose(1, 0, 2)
        normals = np.cross(b - a, c - a)
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        self.face_normals = normals / np.where(lengths > 0, lengths, 1)


# Each peer below gets ready and returns two functions: `sample(seed)`, which is timed, and
# `points(result)`, which makes positions and face normals of its result and is not.


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


# Package on PyPI, call and settings, how to get ready. Settings are the defaults unless said
# otherwise; where one buys evenness for time there are several.
PEERS = {
    "trimesh": ("trimesh", "`sample_surface_even`", trimesh),
    "open3d-5": ("open3d", "`sample_points_poisson_disk`", open3d(5)),
    "open3d-10": ("open3d", "the same, init_factor 10", open3d(10)),
    "libigl": ("libigl", "`blue_noise`", libigl),
    "pcu": ("point-cloud-utils", "`sample_mesh_poisson_disk`", point_cloud_utils),
    "pymeshlab-20": ("pymeshlab", "`generate_sampling_poisson_disk`", pymeshlab(20)),
    "pymeshlab-40": ("pymeshlab", "the same, montecarlorate 40", pymeshlab(40)),
    "pymeshlab-50": ("pymeshlab", "the same, montecarlorate 50", pymeshlab(50)),
    "pymeshlab-60": ("pymeshlab", "the same, montecarlorate 60", pymeshlab(60)),
}


def main(name, mesh, count, spacing, runs, out):
    _package, _call, ready = PEERS[name]
    sample, points = ready(Mesh(mesh), int(count), float(spacing))
    seconds = []
    for run in range(1, int(runs) + 1):
        # Processor time: on one thread it is what a clock shows where nothing else runs. Ours is
        # timed by the clock, so that a busy machine flatters the peers, never us.
        began = time.process_time()
        result = sample(run)
        seconds.append(time.process_time() - began)
        columns = np.hstack(points(result))
        header = "x,y,z,fx,fy,fz"
        file = f"{out}-{run}.csv"
        np.savetxt(file, columns, fmt="%.9g", delimiter=",", header=header, comments="")
    Path(f"{out}.json").write_text(json.dumps({"seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
