#!/usr/bin/env python3
"""Draw the maps of the presets on the shipped head: where hair grows, and how long it is.

Needs NumPy and Pillow. Writes models/presets/NAME/maps/*.png, 8-bit pictures over the head's UVs.
Each map is a function of the place on the skin (decimetres; +Y up, the face along +Z), so a change
of a hairline is a change of a number here. People make the same maps with a brush (docs/styling.md).
"""
import json, struct
from pathlib import Path
import numpy as np
from PIL import Image

HERE = Path(__file__).parent
SIDE = 512          # texels along a side of a map
SPREAD = 6          # texels that values reach beyond the borders of UV islands
FINE = 4            # places per texel along each axis, for soft borders


def read_head(path, mesh_name='head'):
    """Return positions, UVs and triangles of a mesh of a GLB file."""
    data = path.read_bytes()
    size = struct.unpack('<I', data[12:16])[0]
    doc, binary = json.loads(data[20:20 + size]), data[28 + size:]
    types = {5121: 'u1', 5123: '<u2', 5125: '<u4', 5126: '<f4'}
    widths = {'SCALAR': 1, 'VEC2': 2, 'VEC3': 3, 'VEC4': 4}

    def read(index):
        accessor = doc['accessors'][index]
        view = doc['bufferViews'][accessor['bufferView']]
        kind, width = np.dtype(types[accessor['componentType']]), widths[accessor['type']]
        item = kind.itemsize * width
        stride = view.get('byteStride', 0) or item
        start = view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
        rows = [binary[start + i * stride:start + i * stride + item] for i in range(accessor['count'])]
        return np.frombuffer(b''.join(rows), kind).reshape(-1, width)

    mesh = next(mesh for mesh in doc['meshes'] if mesh['name'] == mesh_name)
    primitive = mesh['primitives'][0]
    attributes = primitive['attributes']
    return (read(attributes['POSITION']).astype(float), read(attributes['TEXCOORD_0']).astype(float),
            read(primitive['indices']).reshape(-1, 3))


def places(positions, uvs, triangles, side):
    """Return the place on the skin of each texel, and whether it has one."""
    place, known = np.zeros((side, side, 3)), np.zeros((side, side), bool)
    for corners in triangles:
        a, b, c = uvs[corners] * side - 0.5
        low = np.floor(np.minimum(np.minimum(a, b), c)).astype(int).clip(0, side - 1)
        high = np.ceil(np.maximum(np.maximum(a, b), c)).astype(int).clip(0, side - 1)
        x, y = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
        area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        if area == 0:
            continue
        v = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area
        w = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area
        # A little beyond the edge, so that no texel between two triangles is missed.
        inside = (v >= -0.02) & (w >= -0.02) & (v + w <= 1.02)
        at = positions[corners]
        place[y[inside], x[inside]] = at[0] + v[inside][:, None] * (at[1] - at[0]) + w[inside][:, None] * (at[2] - at[0])
        known[y[inside], x[inside]] = True
    return place, known


def smooth(low, high, x):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


# ---------------------------------------------------------------- regions of the head, 0 to 1
# Height of the hairline by the angle around the head: 0 is the middle of the forehead, 180 the nape.
HAIRLINE = np.array([(0, .86), (12, .87), (26, .80), (38, .74), (48, .62), (56, .42), (63, .20), (70, .02),
                     (78, -.08), (88, -.10), (97, .10), (104, .24), (112, .20), (120, -.05), (128, -.32),
                     (140, -.55), (160, -.66), (180, -.68)])
# That of hair that hides no skin: it goes on close behind the ear.
CROPPED_HAIRLINE = np.array([*HAIRLINE[:10], (97, .08), (104, .10), (110, .00), (115, -.14), (120, -.28),
                             (128, -.44), *HAIRLINE[15:]])


def around(p):
    return np.degrees(np.arctan2(np.abs(p[..., 0]), p[..., 2] + 0.05))


def scalp(p, soft=.05, hairline=HAIRLINE, behind=-.35):
    """The hair of the head, without ears."""
    line = np.interp(around(p), hairline[:, 0], hairline[:, 1])
    return smooth(-soft, soft, p[..., 1] - line) * (1 - ears(p, behind))


def cropped(p):
    return scalp(p, .04, CROPPED_HAIRLINE, -.27)


def ears(p, behind=-.35):
    x, y, z = np.abs(p[..., 0]), p[..., 1], p[..., 2]
    shell = (x > .75) & (y > -.6) & (y < .30) & (z > -.66) & (z < .08)
    canal = (x > .66) & (y > -.6) & (y < .12) & (z > behind) & (z < .10)
    return (shell | canal).astype(float)


def above_ears(p):
    """Where long hair that is combed back would run into the ears."""
    before_ears = smooth(.5, .62, np.abs(p[..., 0])) * smooth(-.65, -.5, p[..., 2])
    return before_ears * smooth(.62, .42, p[..., 1]), before_ears * smooth(.42, .28, p[..., 1])


def front(p, low=-.5, high=-.1):
    """The hair in front of the crown."""
    return smooth(low, high, p[..., 2])


def fringe(p):
    """Hair that falls over the forehead from the crown."""
    angle = np.degrees(np.arctan2(np.abs(p[..., 0]), p[..., 2] + .35))
    return smooth(37.5, 36.5, angle)


def fade(p, low, high):
    """From 0 at the nape and the ears to 1 above the temples."""
    return smooth(low, high, p[..., 1] + .25 * smooth(-.2, -.9, p[..., 2]))


# Upper and lower border of a beard by the angle around the head.
CHEEK = np.array([(0, -.43), (8, -.43), (15, -.48), (24, -.50), (36, -.42), (50, -.28), (62, -.10), (70, .03), (82, .03), (90, -.1)])
NECK = np.array([(0, -1.12), (25, -1.08), (45, -1.0), (62, -.82), (74, -.60), (84, -.35), (90, -.3)])


def beard(p, soft=.06):
    """A beard, with borders of a width that is less above the lip, where there is no room for more."""
    angle, y = around(p), p[..., 1]
    cheek_soft = np.where(y > -.7, np.interp(angle, [14, 30], [min(soft, .04), soft]), soft)
    upper = np.interp(angle, CHEEK[:, 0], CHEEK[:, 1])
    lower = np.interp(angle, NECK[:, 0], NECK[:, 1])
    lips = (p[..., 0] / .27) ** 2 + ((y + .61) / .105) ** 2
    inside = smooth(-cheek_soft, cheek_soft, upper - y) * smooth(-soft, soft, y - lower)
    return inside * smooth(.85, 1.25, lips) * smooth(88, 80, angle) * (1 - ears(p)) * (p[..., 2] > -.1)


def wavering(p):
    """A slow waver of a few millimetres, so that a hairline is not drawn with a ruler."""
    x, y, z = 40 * np.moveaxis(p, -1, 0)
    return (np.sin(x + .6 * z) + np.sin(.7 * y - 1.3 * x + 2) + np.sin(1.7 * x + .9 * y + 1.1 * z + 4)) / 3


def above_cropped(p):
    """Height above the hairline of cropped hair, and how wide its soft border is: less by the ears."""
    angle = around(p)
    line = np.interp(angle, CROPPED_HAIRLINE[:, 0], CROPPED_HAIRLINE[:, 1])
    return p[..., 1] - line, np.interp(angle, [50, 75, 125, 150], [.11, .04, .04, .10])


def soft_hairline(p):
    """Cropped hair that grows thinner over a centimetre at its border."""
    height, soft = above_cropped(p)
    return smooth(-.3 * soft, soft, height + .02 * wavering(p)) ** 1.5 * (1 - ears(p, -.27))


def fine_hairline(p):
    """Hair is finest at the border."""
    height, soft = above_cropped(p)
    return .25 + .75 * smooth(0, 1.5 * soft, height)


def slicked_length(p):
    """Short at the sides and the nape, and cropped where it would run into the ears."""
    above, beside = above_ears(p)
    nape = smooth(-.1, -.55, p[..., 1]) * smooth(-.4, -.6, p[..., 2])
    return (.25 + .75 * fade(p, -.3, .6)) * (1 - .55 * above) * (1 - .58 * beside) * (1 - .5 * nape)


def chin(p):
    return smooth(.6, .2, np.abs(p[..., 0])) * smooth(-.6, -.85, p[..., 1])


def brows(p, wider=1.0):
    x, y, z = np.abs(p[..., 0]), p[..., 1], p[..., 2]
    # The line of the brows that come with the head, which these make fuller.
    middle = np.interp(x, [.10, .15, .20, .25, .40, .45, .50, .55, .60],
                       [.356, .372, .384, .388, .388, .374, .352, .332, .315])
    half = np.interp(x, [.10, .13, .2, .4, .55, .6], [.0, .040, .044, .036, .018, .0])
    return smooth(1.1, .6, np.abs(y - middle) / np.maximum(wider * half, 1e-4)) * (half > .002) * (z > .5)


def beard_length(p):
    """Full at the chin, short on cheeks and lips, stubble at the borders; brows; cropped hair."""
    on_beard = .12 + .5 * smooth(.3, 1, beard(p)) * (.35 + .65 * chin(p)) + .35 * chin(p)
    return np.where(brows(p) > .05, .15, np.where(cropped(p) > beard(p), .28, on_beard))


def beard_and_around(p):
    """The beard and a centimetre around it: all of its hair, whatever the borders."""
    angle, y = around(p), p[..., 1]
    upper = np.interp(angle, CHEEK[:, 0], CHEEK[:, 1])
    lower = np.interp(angle, NECK[:, 0], NECK[:, 1])
    return smooth(.12, .08, y - upper) * smooth(.25, .15, lower - y) * smooth(90, 84, angle) * (p[..., 2] > -.1)


def beard_density(p):
    """Stubble at the borders of the beard, hair on the head, and few hairs more in the brows."""
    return np.maximum(np.maximum(soft_hairline(p), beard(p, .13) ** 1.3), .75 * brows(p))


def beard_width(p):
    """Stubble is fine at the borders, and so are brows."""
    face = .3 + .7 * smooth(.1, 1, beard(p, .15))
    return np.where(brows(p) > .02, .4, np.where(cropped(p) > beard(p), fine_hairline(p), face))


# Where the guides of liberty spikes begin, from the forehead to the nape.
SPIKES = np.array([(0, 1.01, .64), (0, 1.16, .32), (0, 1.20, .00), (0, 1.18, -.30), (0, 1.09, -.58), (0, .90, -.81),
                   (0, .64, -.95), (0, .35, -.98), (0, .06, -.95), (0, -.21, -.82)])


def spikes(p, radius=.14):
    """A round patch of hair for each spike."""
    away = np.min([np.linalg.norm(p - place, axis=-1) for place in SPIKES], axis=0)
    return smooth(radius + .01, radius - .01, away)


MAPS = {
    'liberty-spikes': {'density': spikes},
    'buzz': {'density': soft_hairline, 'length': lambda p: .12 + .88 * fade(p, -.1, .75) ** 1.5,
             'width': lambda p: fine_hairline(p) * (.35 + .65 * fade(p, -.1, .6))},
    'slicked-back': {'density': soft_hairline, 'length': slicked_length, 'width': fine_hairline},
    'bob': {'density': scalp, 'mask1': fringe},
    'long': {'density': scalp, 'mask1': front, 'mask2': lambda p: front(p, .28, .4)},
    'afro': {'density': scalp},
    'curls': {'density': scalp, 'mask1': front},
    'braids': {'density': scalp},
    'beard': {'density': beard_density, 'length': beard_length, 'width': beard_width, 'mask1': lambda p: brows(p, 2.5), 'mask2': beard_and_around},
}

if __name__ == '__main__':
    positions, uvs, triangles = read_head(HERE / 'head.glb')
    place, known = places(positions, uvs, triangles, SIDE * FINE // 2)
    for preset, maps in MAPS.items():
        for kind, value in maps.items():
            values, weight = np.where(known, value(place), 0), known.astype(float)
            cells = (SIDE, FINE // 2, SIDE, FINE // 2)
            values, weight = values.reshape(cells).sum((1, 3)), weight.reshape(cells).sum((1, 3))
            for _ in range(SPREAD):
                sums, counts = np.zeros_like(values), np.zeros_like(weight)
                for dy in (-1, 0, 1):
                    for dx in (-1, 0, 1):
                        sums += np.roll(values, (dy, dx), (0, 1))
                        counts += np.roll(weight, (dy, dx), (0, 1))
                empty = weight == 0
                values, weight = np.where(empty, sums, values), np.where(empty, counts, weight)
            picture = np.where(weight > 0, values / np.maximum(weight, 1e-9), 0)
            folder = HERE / 'presets' / preset / 'maps'
            folder.mkdir(parents=True, exist_ok=True)
            Image.fromarray((picture * 255).round().astype(np.uint8)).save(folder / f'{kind}.png', optimize=True)
            print(preset, kind, (folder / f'{kind}.png').stat().st_size, 'bytes')
