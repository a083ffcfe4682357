"""Depth of hair in the shipped head, by libigl. script/check-depth installs it and starts this."""

import json
import subprocess
import sys
from pathlib import Path

import igl
import numpy as np
import trimesh

FPS = 60
FRAMES = 270
SOLVERS = ("ftl", "angular", "particles", "rod")
HAIR = ("--length", "2.5", "--strands", "1500", "--collider", "field")
# The head of the model: others are eyes, brows and lashes.
PART = "head"


def turn(axis, angle):
    """A rotation about a coordinate axis."""
    (i, j), rotation = [(1, 2), (2, 0), (0, 1)][axis], np.eye(3)
    rotation[i, i] = rotation[j, j] = np.cos(angle)
    rotation[i, j], rotation[j, i] = -np.sin(angle), np.sin(angle)
    return rotation


def head_poses():
    """Still for half a second; then the head nods and turns."""
    poses = np.tile(np.eye(4), (FRAMES, 1, 1))
    for frame, pose in enumerate(poses):
        t = frame / FPS
        share = np.clip((t - 0.5) / 0.5, 0, 1) * np.clip((4 - t) / 0.5, 0, 1)
        yaw, pitch = 0.8 * share * np.sin(4 * t), 0.5 * share * np.sin(3 * t + 1)
        pose[:3, :3] = turn(1, yaw) @ turn(0, pitch)
    return poses


def head_mesh():
    """Vertices and triangles of the head, file units: decimetres."""
    scene = trimesh.load("models/head.glb", process=False)
    for node in scene.graph.nodes_geometry:
        if node == PART:
            place, name = scene.graph[node]
            mesh = scene.geometry[name].copy().apply_transform(place)
            return np.asarray(mesh.vertices, float), np.asarray(mesh.faces, np.int64)
    sys.exit(f"models/head.glb: no node is called {PART}")


def main(mohawk, work, settings):
    vertices, triangles = head_mesh()
    # Our head space has its origin in the middle of the head's bounding box.
    middle = (vertices.min(0) + vertices.max(0)) / 2
    poses = head_poses()
    np.save(work / "poses.npy", poses)
    more = [part for setting in settings for part in ("--set", setting)]
    print("| solver | nearest or deepest, dm | particles deeper than 0.005 dm | depth by mohawk, dm |")
    print("|---|---:|---:|---:|")
    for solver in SOLVERS:
        print(f"Simulating {solver}", file=sys.stderr)
        points = work / "points.npy"
        command = [mohawk, "simulate", "--poses", work / "poses.npy", "--fps", str(FPS)]
        command += ["--solver", solver, *HAIR, *more, "-o", points, "--json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        deepest, deep = np.inf, 0
        for pose, frame in zip(poses, np.load(points).astype(float)):
            # Row vectors: x R is the transpose of R times x.
            places = frame[:, 1:].reshape(-1, 3) @ pose[:3, :3] + middle
            kind = igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER
            distances = igl.signed_distance(places, vertices, triangles, sign_type=kind)[0]
            deepest = min(deepest, distances.min())
            deep += int((distances < -0.005).sum())
        ours = json.loads(done.stdout)["max_penetration"]
        print(f"| `{solver}` | {deepest:.4f} | {deep} | {ours:.4f} |", flush=True)


main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
