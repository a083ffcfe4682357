#!/usr/bin/env python3
"""Build the grounds of two presets: models/meadow.glb and models/waist.glb.

Needs:  pip install numpy pillow
Writes the same geometry on every run; the JPEG textures depend on the version of Pillow.

Axes are those of glTF: Y up, Z to the front. A unit is a decimetre. `mohawk` centres the painted
part of a model and scales it to a height of 2.74 dm, so both painted parts are 2.74 high here and
keep their size without `head.scale`. Hair grows where COLOR_0 is dark (docs/heads.md).
"""
import argparse
import io
import json
import struct
from pathlib import Path

import numpy as np
from PIL import Image

HEIGHT = 2.74                # of the painted part, decimetres: STANDARD_HEIGHT of the program
TAU = 2.0 * np.pi


def smooth(low, high, x):
    """A smooth step from 0 at `low` to 1 at `high`."""
    t = np.clip((x - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def noise(x, z, scale, seed):
    """Smooth value noise from -1 to 1 with features of the size `scale`."""
    lattice = np.random.default_rng(seed).uniform(-1.0, 1.0, (64, 64))
    x, z = np.asarray(x) / scale + 1000.0, np.asarray(z) / scale + 1000.0
    i, j = np.floor(x).astype(int), np.floor(z).astype(int)
    u, v = x - i, z - j
    u, v = u * u * (3.0 - 2.0 * u), v * v * (3.0 - 2.0 * v)
    at = lambda a, b: lattice[a % 64, b % 64]
    low = at(i, j) * (1.0 - u) + at(i + 1, j) * u
    high = at(i, j + 1) * (1.0 - u) + at(i + 1, j + 1) * u
    return low * (1.0 - v) + high * v


def cubic(at, table):
    """Interpolates the columns of a table over its first one, without overshoot (PCHIP)."""
    knots, values = table[:, 0], table[:, 1:]
    width = np.diff(knots)[:, None]
    slope = np.diff(values, axis=0) / width
    inner = np.zeros_like(values)
    before, after = slope[:-1], slope[1:]
    same = before * after > 0.0
    mean = 3.0 * (width[:-1] + width[1:]) / (
        (2.0 * width[1:] + width[:-1]) / np.where(same, before, 1.0)
        + (width[1:] + 2.0 * width[:-1]) / np.where(same, after, 1.0))
    inner[1:-1] = np.where(same, mean, 0.0)
    inner[0], inner[-1] = slope[0], slope[-1]
    k = np.clip(np.searchsorted(knots, at, side='right') - 1, 0, len(knots) - 2)
    h = width[k]
    t = ((at - knots[k]) / h[:, 0])[:, None]
    return (values[k] * (1 + 2 * t) * (1 - t) ** 2 + inner[k] * h * t * (1 - t) ** 2
            + values[k + 1] * t * t * (3 - 2 * t) - inner[k + 1] * h * t * t * (1 - t))


# ------------------------------------------------------------------------------------- meshes

class Mesh:
    """Vertices with optional UVs and paint (density of hair, 0 to 1), and triangles that are
    counter-clockwise seen from outside."""

    def __init__(self, positions, triangles, uvs=None, paint=None):
        self.positions = np.asarray(positions, float).reshape(-1, 3)
        self.triangles = np.asarray(triangles, int).reshape(-1, 3)
        self.uvs = uvs
        self.paint = paint
        self.normals = self.smooth_normals()

    def smooth_normals(self):
        """Means over the faces at each place, weighted by area, so that UV seams do not show."""
        _, place = np.unique(np.round(self.positions, 5), axis=0, return_inverse=True)
        place = place.reshape(-1)
        a, b, c = (self.positions[self.triangles[:, k]] for k in range(3))
        faces = np.cross(b - a, c - a)
        sums = np.zeros((place.max() + 1, 3))
        for corner in range(3):
            np.add.at(sums, place[self.triangles[:, corner]], faces)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        return (sums / np.maximum(lengths, 1e-12))[place]

    def __add__(self, other):
        """Joins meshes. Each keeps its normals, so that there is an edge between them."""
        joined = Mesh.__new__(Mesh)
        joined.positions = np.vstack([self.positions, other.positions])
        joined.normals = np.vstack([self.normals, other.normals])
        joined.triangles = np.vstack([self.triangles, other.triangles + len(self.positions)])
        both = lambda a, b: None if a is None or b is None else np.concatenate([a, b])
        joined.uvs = both(self.uvs, other.uvs)
        joined.paint = both(self.paint, other.paint)
        return joined


def grid_triangles(rows, columns):
    """Triangles of a grid of vertices, row after row. Seen with columns to the right and rows down
    they are clockwise, so with rows from top to bottom they look inwards for columns that run
    counter-clockwise around +Y, and are turned here to look outwards."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing='ij')
    a = (i * columns + j).ravel()
    b, c, d = a + 1, a + columns, a + columns + 1
    return np.vstack([np.column_stack([a, c, b]), np.column_stack([b, c, d])])


def lathe(profile, segments):
    """A surface of revolution about Y from (radius, height) pairs, from top to bottom."""
    around = np.linspace(0.0, TAU, segments + 1)
    radius, height = np.array(profile, float).T
    positions = np.stack([np.outer(radius, np.sin(around)),
                          np.repeat(height[:, None], segments + 1, 1),
                          np.outer(radius, np.cos(around))], -1)
    positions[:, -1] = positions[:, 0]
    return Mesh(positions, grid_triangles(len(profile), segments + 1))


# ---------------------------------------------------------------------------------------- glb

def jpeg(pixels, quality):
    """Encodes an array of sRGB colours from 0 to 1."""
    data = io.BytesIO()
    Image.fromarray(np.uint8(np.clip(pixels, 0, 1) * 255 + 0.5)).save(
        data, 'JPEG', quality=quality, optimize=True)
    return data.getvalue()


def write_glb(path, parts):
    """Writes (name, mesh, material, texture or None) as nodes of a binary glTF file."""
    views, accessors, blob = [], [], bytearray()
    doc = {'asset': {'version': '2.0', 'generator': 'mohawk models/build_grounds.py',
                     'copyright': 'CC0 1.0'},
           'scene': 0, 'scenes': [{'nodes': list(range(len(parts)))}], 'nodes': [], 'meshes': [],
           'materials': [], 'accessors': accessors, 'bufferViews': views}

    def view(data, target=None):
        blob.extend(b'\0' * (-len(blob) % 4))
        views.append({'buffer': 0, 'byteOffset': len(blob), 'byteLength': len(data),
                      **({'target': target} if target else {})})
        blob.extend(data)
        return len(views) - 1

    def accessor(array, kind, target=34962, **more):
        component = {'float32': 5126, 'uint16': 5123, 'uint8': 5121}[array.dtype.name]
        accessors.append({'bufferView': view(array.tobytes(), target), 'type': kind,
                          'componentType': component,
                          'count': array.size if kind == 'SCALAR' else len(array), **more})
        return len(accessors) - 1

    for name, mesh, material, texture in parts:
        positions = mesh.positions.astype('<f4')
        attributes = {
            'POSITION': accessor(positions, 'VEC3', min=positions.min(0).tolist(),
                                 max=positions.max(0).tolist()),
            'NORMAL': accessor(mesh.normals.astype('<f4'), 'VEC3')}
        if mesh.uvs is not None:
            uvs = np.uint16(np.clip(mesh.uvs, 0, 1) * 65535 + 0.5)
            attributes['TEXCOORD_0'] = accessor(uvs, 'VEC2', normalized=True)
        if mesh.paint is not None:
            grey = np.uint8(255.5 - 255 * np.clip(mesh.paint, 0, 1))
            colors = np.column_stack([grey, grey, grey, np.full_like(grey, 255)])
            attributes['COLOR_0'] = accessor(colors, 'VEC4', normalized=True)
        if texture is not None:
            images = doc.setdefault('images', [])
            images.append({'bufferView': view(texture), 'mimeType': 'image/jpeg'})
            doc.setdefault('textures', []).append({'source': len(images) - 1})
            material = {**material, 'baseColorTexture': {'index': len(images) - 1}}
        doc['materials'].append({'name': name, 'pbrMetallicRoughness': material})
        indices = accessor(mesh.triangles.astype('<u2').ravel(), 'SCALAR', 34963)
        doc['meshes'].append({'name': name, 'primitives': [
            {'attributes': attributes, 'indices': indices, 'material': len(doc['materials']) - 1}]})
        doc['nodes'].append({'name': name, 'mesh': len(doc['meshes']) - 1})
    blob.extend(b'\0' * (-len(blob) % 4))
    doc['buffers'] = [{'byteLength': len(blob)}]
    text = json.dumps(doc, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 4)
    path.write_bytes(struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(blob))
                     + struct.pack('<I4s', len(text), b'JSON') + text
                     + struct.pack('<I4s', len(blob), b'BIN\0') + blob)
    print(f'{path}: {path.stat().st_size} bytes, '
          f'{sum(len(part[1].positions) for part in parts)} vertices, '
          f'{sum(len(part[1].triangles) for part in parts)} triangles')


# ------------------------------------------------------------------------------------- meadow

RADIUS = 2.92                # of the island, decimetres
TOP_HALF = 3.05              # half of the side of the square that the UVs of the top show
TOP_SHARE = 0.84             # side of that square in the picture; the soil's strip is below it
POND = np.array([-1.72, 1.30])
POND_RADIUS = 0.58
WATER = -0.16                # height of the water in the heights of `land`
ROCKS = [(1.98, -0.62, 0.33), (2.32, -0.36, 0.23), (1.90, -0.16, 0.16),
         (-1.62, 2.05, 0.19), (-1.38, 2.20, 0.12), (-2.1, -1.15, 0.27)]


def path_middle(z):
    """x of the middle of the path at z: it winds from the front to the back."""
    return 1.36 + 0.46 * np.sin(1.25 * z + 0.35) + 0.08 * z


def path_distance(x, z):
    """Distance from the middle of the path, to first order."""
    slope = 0.46 * 1.25 * np.cos(1.25 * z + 0.35) + 0.08
    return np.abs(x - path_middle(z)) / np.sqrt(1.0 + slope * slope)


def pond_distance(x, z):
    """Distance from the middle of the pond in its radii, whose shore is not quite round."""
    dx, dz = x - POND[0], z - POND[1]
    angle = np.arctan2(dz, dx)
    radius = POND_RADIUS * (1.0 + 0.12 * np.sin(2 * angle + 0.7) + 0.06 * np.sin(3 * angle))
    return np.hypot(dx, dz) / radius


def land(x, z):
    """Height of the ground, decimetres."""
    hill = lambda cx, cz, rx, rz, h: h * np.exp(-((x - cx) / rx) ** 2 - ((z - cz) / rz) ** 2)
    height = (hill(-1.15, -1.05, 1.15, 0.95, 0.66) + hill(1.75, -1.75, 0.85, 0.85, 0.42)
              + hill(1.9, 0.9, 1.0, 1.15, 0.34) + hill(-2.3, 0.2, 0.7, 0.8, 0.20)
              + 0.05 * noise(x, z, 0.9, 3) + 0.02 * noise(x, z, 0.35, 4))
    height -= 0.035 * (1.0 - smooth(0.05, 0.22, path_distance(x, z)))
    basin = pond_distance(x, z)
    # Flat land around the water, and a basin.
    flat = 1.0 - smooth(1.0, 1.9, basin)
    height = height * (1.0 - flat) + (WATER + 0.045) * flat
    return height - 0.20 * (1.0 - smooth(0.35, 1.15, basin))


def grass(x, z):
    """Density of grass, 0 to 1: none on the path, in the water and under rocks."""
    density = smooth(0.06, 0.20, path_distance(x, z) + 0.035 * noise(x, z, 0.22, 5))
    density = density * smooth(1.10, 1.26, pond_distance(x, z) + 0.05 * noise(x, z, 0.25, 6))
    for cx, cz, radius in ROCKS:
        density = density * smooth(0.85, 1.25, np.hypot(x - cx, z - cz) / radius)
    return density


def rim_radius(angle):
    return RADIUS * (1.0 + 0.022 * np.sin(3 * angle + 0.5) + 0.014 * np.sin(7 * angle + 1.0))


def top_uv(x, z):
    """The top as seen from above, the front at the bottom: u is x and v is z."""
    half = 0.5 * TOP_SHARE
    return np.stack([0.5 + half * x / TOP_HALF, half + half * z / TOP_HALF], -1)


def island(cells):
    """The ground: its top of `cells` by `cells`, and soil and rock below."""
    # A square is mapped to a disc (the elliptical grid mapping), so that no triangle is thin.
    s, t = np.meshgrid(np.linspace(-1, 1, cells + 1), np.linspace(-1, 1, cells + 1))
    x, z = s * np.sqrt(1 - t * t / 2), t * np.sqrt(1 - s * s / 2)
    rim = rim_radius(np.arctan2(z, x))
    x, z = x * rim, z * rim
    inside = np.hypot(x, z) / rim
    # The turf bends down at the rim.
    y = land(x, z) - 0.10 * smooth(0.955, 1.0, inside)
    y += 0.5 * HEIGHT - y.max()
    top = Mesh(np.stack([x, y, z], -1), grid_triangles(cells + 1, cells + 1),
               top_uv(x, z).reshape(-1, 2), grass(x, z).ravel())

    # Below: rings from the rim to a point, rough like rock. Every second vertex of the rim goes on.
    n = cells
    edge = ([(0, j) for j in range(n)] + [(i, n) for i in range(n)]
            + [(n, n - j) for j in range(n)] + [(n - i, 0) for i in range(n)])
    ring = np.array([[x[e], y[e], z[e]] for e in edge])[::-1]      # counter-clockwise from above
    ring = np.vstack([ring, ring[:1]])
    angle = np.unwrap(np.arctan2(ring[:, 0], ring[:, 2]))
    turn = (angle - angle[0]) / (angle[-1] - angle[0])
    coarse = ring[::2]
    depth = np.array([0.10, 0.24, 0.42, 0.62, 0.80, 0.93, 1.0])
    share = np.array([0.985, 0.93, 0.80, 0.58, 0.36, 0.16, 0.0])
    bottom = -0.5 * HEIGHT
    rows = [ring]
    for k, (d, r) in enumerate(zip(depth, share)):
        low = coarse.copy()
        a = np.arctan2(low[:, 0], low[:, 2])
        # Ridges and clefts, seamless around.
        rough = (0.10 * noise(3.0 * np.cos(a), 3.0 * np.sin(a), 1.0, 20 + k // 2)
                 + 0.12 * noise(6.0 * np.cos(a), 6.0 * np.sin(a), 1.0, 30 + k))
        fade = 4.0 * d * (1.0 - d)
        low[:, 0] *= r * (1.0 + rough * fade)
        low[:, 2] *= r * (1.0 + rough * fade)
        low[:, 1] = low[:, 1] + (bottom - low[:, 1]) * d + 0.22 * rough * fade
        low[:, 1] = np.where(d == 1.0, bottom, np.maximum(low[:, 1], bottom + 0.02))
        rows.append(low)
    positions = np.vstack(rows)
    fine, half = len(ring), len(coarse)
    triangles = []
    for j in range(half - 1):                                      # from the rim to the first ring
        a, b, c, lower = 2 * j, 2 * j + 1, 2 * j + 2, fine + j
        triangles += [[a, lower, b], [b, lower, lower + 1], [b, lower + 1, c]]
    triangles = np.vstack([triangles, fine + grid_triangles(len(depth), half)])
    across = np.concatenate([turn] + [turn[::2]] * len(depth))
    along = np.concatenate([np.zeros(fine)] + [np.full(half, d) for d in depth])
    uvs = np.column_stack([across, TOP_SHARE + 0.02 + (0.98 - TOP_SHARE) * along])
    return top + Mesh(positions, triangles, uvs, np.zeros(len(positions)))


def meadow_texture(side):
    """Ground under the grass, the sand of the path, mud around water, and strata of soil."""
    v, u = (np.mgrid[0:side, 0:side] + 0.5) / side
    half = 0.5 * TOP_SHARE
    x, z = (u - 0.5) / half * TOP_HALF, (v - half) / half * TOP_HALF
    grain = lambda scale, seed: noise(x, z, scale, seed)[..., None]
    color = lambda *rgb: np.array(rgb)
    soil = color(0.15, 0.135, 0.06) + color(0.03, 0.03, 0.015) * grain(0.12, 40)
    moss = color(0.12, 0.165, 0.045) + color(0.03, 0.04, 0.01) * grain(0.2, 41)
    green = smooth(-0.5, 0.6, grain(0.6, 42))
    ground = soil * (1 - green) + moss * green
    sand = color(0.62, 0.50, 0.34) * (1.0 + 0.10 * grain(0.07, 43) + 0.07 * grain(0.3, 44))
    on_path = 1.0 - smooth(0.10, 0.24, path_distance(x, z)[..., None] + 0.03 * grain(0.15, 45))
    ground = ground * (1 - on_path) + sand * on_path
    basin = pond_distance(x, z)[..., None]
    mud = color(0.27, 0.21, 0.13) * (1.0 + 0.10 * grain(0.1, 46))
    shore = 1.0 - smooth(1.0, 1.22, basin + 0.06 * grain(0.2, 47))
    ground = ground * (1 - shore) + mud * shore
    depth = np.clip((v - TOP_SHARE - 0.02) / (0.98 - TOP_SHARE), 0, 1)
    a = TAU * u
    wave = depth + 0.05 * noise(6 * np.cos(a), 6 * np.sin(a), 1.0, 50)
    band = noise(wave, 0 * wave, 0.17, 51)[..., None]
    grit = noise(18 * np.cos(a), 18 * np.sin(a) + 14 * depth, 1.0, 52)[..., None]
    earth, stone = color(0.25, 0.165, 0.10), color(0.40, 0.365, 0.33)
    rocky = smooth(0.12, 0.34, wave)[..., None]
    below = (earth * (1 - rocky) + stone * rocky) * (1.0 + 0.22 * band + 0.20 * grit)
    return np.where((v > TOP_SHARE + 0.01)[..., None], below, ground)


def water(lift):
    """The surface of the pond: a fan that ends in the ground."""
    angle = np.linspace(0, TAU, 40, endpoint=False)
    reach = 1.25 * POND_RADIUS
    ring = np.column_stack([POND[0] + reach * np.sin(angle), np.full(40, WATER + lift),
                            POND[1] + reach * np.cos(angle)])
    middle = [[POND[0], WATER + lift, POND[1]]]
    fan = [[40, j, (j + 1) % 40] for j in range(40)]
    return Mesh(np.vstack([ring, middle]), fan)


def rock(cx, cz, radius, lift, seed):
    """A lump: an icosahedron that is split once, rounded and made rough."""
    g = (1 + 5 ** 0.5) / 2
    points = [np.array(p, float) for p in
              [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g),
               (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
             (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8),
             (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    middles, split = {}, []

    def middle(a, b):
        key = (min(a, b), max(a, b))
        if key not in middles:
            middles[key] = len(points)
            points.append(points[a] + points[b])
        return middles[key]

    for a, b, c in faces:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        split += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    p = np.array(points)
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    p *= (1.0 + 0.22 * np.random.default_rng(seed).uniform(-1, 1, len(p)))[:, None]
    p = p * radius * np.array([1.15, 0.95, 0.95])
    ground = land(np.array([cx]), np.array([cz]))[0]
    return Mesh(p + np.array([cx, ground + lift + 0.35 * radius, cz]), split)


def meadow(path, cells, side):
    ground = island(cells)
    # `island` lifts the highest point to half of the height.
    top = ground.positions[:(cells + 1) ** 2]
    lift = top[len(top) // 2, 1] - land(top[len(top) // 2, 0], top[len(top) // 2, 2])
    rocks = None
    for k, (cx, cz, radius) in enumerate(ROCKS):
        lump = rock(cx, cz, radius, lift, 60 + k)
        rocks = lump if rocks is None else rocks + lump
    write_glb(path, [
        ('meadow', ground, {'metallicFactor': 0, 'roughnessFactor': 1},
         jpeg(meadow_texture(side), 72)),
        ('water', water(lift), {'metallicFactor': 0, 'roughnessFactor': 0.08,
                                'baseColorFactor': [0.012, 0.035, 0.045, 1]}, None),
        ('rocks', rocks, {'metallicFactor': 0, 'roughnessFactor': 0.9,
                          'baseColorFactor': [0.10, 0.092, 0.08, 1]}, None)])


# -------------------------------------------------------------------------------------- waist

# Sections of a dressmaker's form from the neck down, in decimetres of a person 7 dm from the neck
# to the thighs: depth, half width, front, back, shift to the front, exponent of the superellipse.
SECTIONS = np.array([
    [0.00, 0.50, 0.48, 0.48, -0.18, 2.0], [0.40, 0.52, 0.50, 0.50, -0.20, 2.0],
    [0.62, 0.70, 0.54, 0.56, -0.22, 2.0], [0.82, 1.12, 0.60, 0.64, -0.22, 2.1],
    [1.02, 1.52, 0.68, 0.72, -0.20, 2.2], [1.30, 1.68, 0.80, 0.82, -0.14, 2.3],
    [1.80, 1.62, 0.98, 0.92, -0.06, 2.3], [2.30, 1.54, 1.10, 0.94, 0.00, 2.3],
    [2.70, 1.44, 1.08, 0.90, 0.02, 2.2], [3.20, 1.26, 0.94, 0.80, 0.02, 2.1],
    [3.90, 1.12, 0.84, 0.72, 0.00, 2.0], [4.30, 1.18, 0.90, 0.78, 0.00, 2.0],
    [4.90, 1.48, 0.98, 1.04, -0.02, 2.1], [5.50, 1.70, 1.00, 1.22, -0.03, 2.2],
    [6.00, 1.77, 1.00, 1.24, -0.03, 2.2], [6.50, 1.74, 0.98, 1.14, -0.03, 2.2],
    [7.00, 1.68, 0.95, 1.05, -0.03, 2.2]])
BAND = 4.62                  # depth of the middle of the band that blades grow from
BAND_HALF = 0.15             # half of its width
FORM_SCALE = HEIGHT / 7.16   # of the form: with its caps it is 2.74 high


def form_radius(depth, around):
    """Points of sections at depths, around from the back: shape [depth, around, 3] without y."""
    half, front, back, shift, power = cubic(depth, SECTIONS).T[..., None]
    s, c = np.sin(around), np.cos(around)
    # A superellipse in polar form; front and back have depths of their own.
    deep = np.where(c > 0, front, back)
    radius = (np.abs(s / half) ** power + np.abs(c / deep) ** power) ** (-1.0 / power)
    # The bust.
    for side in (1.0, -1.0):
        bump = np.exp(-((s * radius - side * 0.70) / 0.46) ** 2
                      - ((depth[:, None] - 2.45) / 0.48) ** 2)
        radius = radius + 0.30 * bump * smooth(0.0, 0.5, c)
    return np.stack([s * radius, c * radius + shift], -1)


def flare(around):
    """The least slope outwards (way out by way down) of straight blades that leave the middle of
    the band and clear the body below, and the directions in which they lean, x and z."""
    below = np.linspace(BAND + 0.25, 7.0, 80)
    start = form_radius(np.array([BAND]), around)[0]
    rest = form_radius(below, around)
    outward = start / np.linalg.norm(start, axis=1, keepdims=True)
    out = ((rest - start) * outward).sum(-1) + 0.03
    return (out / (below - BAND)[:, None]).max(0), outward


def waist(path, around_count, side):
    scale = FORM_SCALE
    y_of = lambda depth: 0.5 * HEIGHT - scale * (depth + 0.08)
    low, high = BAND - BAND_HALF, BAND + BAND_HALF
    body = np.concatenate([np.linspace(0.0, 1.3, 9), np.linspace(1.55, 4.25, 13),
                           [low - 0.07, low, BAND, high, high + 0.07], np.linspace(5.1, 7.0, 10)])
    around = np.linspace(-np.pi, np.pi, around_count + 1)
    rows = form_radius(body, around)
    # Rounded caps above and below: (share of the radius, way beyond the end).
    cap = [(0.97, 0.05), (0.86, 0.07), (0.5, 0.08), (0.0, 0.08)]
    shrink = lambda row, r: row.mean(0) + r * (row - row.mean(0))
    upper = [shrink(rows[0], r) for r, _ in cap[::-1]]
    lower = [shrink(rows[-1], r) for r, _ in cap]
    depth = np.concatenate([[-d for _, d in cap[::-1]], body, [7.0 + d for _, d in cap]])
    flat = np.concatenate([upper, rows, lower])
    flat[:, -1] = flat[:, 0]
    y = np.repeat(y_of(depth)[:, None], around_count + 1, 1)
    positions = np.stack([scale * flat[..., 0], y, scale * flat[..., 1]], -1)
    u = np.tile((around + np.pi) / TAU, (len(depth), 1))
    v = np.repeat(((depth + 0.08) / 7.16)[:, None], around_count + 1, 1)
    paint = np.where(np.abs(depth - BAND) <= BAND_HALF + 1e-6, 1.0, 0.0)
    paint = np.repeat(paint[:, None], around_count + 1, 1)
    form = Mesh(positions, grid_triangles(len(depth), around_count + 1),
                np.stack([u, v], -1).reshape(-1, 2), paint.ravel())

    # A twisted cord over the band.
    turns, columns, rim = 18, 136, 7
    a = np.linspace(-np.pi, np.pi, columns + 1)
    middle = form_radius(np.array([BAND - 0.06]), a)[0] * scale
    outward = middle - np.array([0.0, -0.01])
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    phi = np.linspace(0, TAU, rim + 1)
    thick = 0.048 * (1.0 + 0.34 * np.cos(2.0 * phi[:, None] + turns * a[None, :]))
    out = thick * np.cos(phi)[:, None] + 0.030
    cord = np.stack([middle[None, :, 0] + out * outward[None, :, 0],
                     y_of(BAND - 0.06) + 1.15 * thick * np.sin(phi)[:, None],
                     middle[None, :, 1] + out * outward[None, :, 1]], -1)
    cord[-1], cord[:, -1] = cord[0], cord[:, 0]
    belt = Mesh(cord[::-1], grid_triangles(rim + 1, columns + 1))

    # A turned stand: a knob on the neck, a pole, and a foot.
    neck, end = y_of(-0.08), y_of(7.08)
    back = -0.19 * scale
    knob = lathe([(0.0, neck + 0.30), (0.05, neck + 0.29), (0.082, neck + 0.25),
                  (0.085, neck + 0.21), (0.05, neck + 0.165), (0.036, neck + 0.13),
                  (0.06, neck + 0.09), (0.15, neck + 0.055), (0.185, neck + 0.02),
                  (0.185, neck - 0.01)], 20)
    knob.positions[:, 2] += back
    foot = end - 1.02
    pole = lathe([(0.12, end + 0.01), (0.12, end - 0.04), (0.05, end - 0.07), (0.045, foot + 0.30),
                  (0.09, foot + 0.24), (0.07, foot + 0.18), (0.16, foot + 0.13),
                  (0.55, foot + 0.075), (0.66, foot + 0.05), (0.68, foot + 0.02), (0.67, foot),
                  (0.0, foot)], 24)
    write_glb(path, [
        ('form', form, {'metallicFactor': 0, 'roughnessFactor': 0.9},
         jpeg(linen(side), 80)),
        ('cord', belt, {'metallicFactor': 0, 'roughnessFactor': 0.8,
                        'baseColorFactor': [0.22, 0.085, 0.03, 1]}, None),
        ('stand', knob + pole, {'metallicFactor': 0, 'roughnessFactor': 0.42,
                                'baseColorFactor': [0.035, 0.015, 0.007, 1]}, None)])


def linen(side):
    """Cloth with the seams of a form: the middles of front, back and sides, and two on each side
    that run over the bust."""
    v, u = (np.mgrid[0:side, 0:side] + 0.5) / side
    cloth = np.array([0.80, 0.74, 0.64]) * (1.0 + 0.02 * np.random.default_rng(9).uniform(
        -1, 1, (side, side))[..., None])
    width = 0.7 / side
    seam = np.zeros((side, side))
    for at in (0.0, 0.25, 0.38, 0.5, 0.62, 0.75, 1.0, 0.12, 0.88):
        seam = np.maximum(seam, np.exp(-((u - at) / width) ** 2))
    for at in (0.065, 0.556):                                     # tapes at neck and waist
        seam = np.maximum(seam, np.exp(-((v - at) / width) ** 2))
    return cloth * (1.0 - 0.28 * seam[..., None])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--out', type=Path, default=Path(__file__).parent,
                        help='folder to write to')
    parser.add_argument('--only', choices=['meadow', 'waist'], help='write one of the two')
    parser.add_argument('--cells', type=int, default=42,
                        help='cells along a side of the meadow, even')
    parser.add_argument('--around', type=int, default=40, help='segments around the form')
    parser.add_argument('--texture', type=int, default=512,
                        help='side of the texture of the meadow, pixels; the form has half of it')
    args = parser.parse_args()
    if args.cells < 4 or args.cells % 2 or args.around < 8 or args.texture < 64:
        parser.error('--cells is even and at least 4, --around at least 8, --texture at least 64')
    args.out.mkdir(parents=True, exist_ok=True)
    if args.only != 'waist':
        meadow(args.out / 'meadow.glb', args.cells, args.texture)
    if args.only != 'meadow':
        waist(args.out / 'waist.glb', args.around, args.texture // 2)


if __name__ == '__main__':
    main()
