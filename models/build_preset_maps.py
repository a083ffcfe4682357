#!/usr/bin/env python3
"""Paint the maps of the presets that grow on models/meadow.glb and models/waist.glb.

Needs:  pip install numpy pillow
        and a built mohawk (--mohawk), which renders the face of the prairie with a face, and lets
        the blades of the skirt fall over the hips

Maps are pictures over the UVs of a model, as a style's folder holds them (docs/styling.md).
"""
import argparse
import io
import subprocess
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from build_grounds import (TOP_HALF, TOP_SHARE, flare, grass, noise, path_distance, pond_distance,
                           smooth)

SIDE = 512


def places(side):
    """x and z of the meadow at each texel of a map."""
    v, u = (np.mgrid[0:side, 0:side] + 0.5) / side
    half = 0.5 * TOP_SHARE
    return (u - 0.5) / half * TOP_HALF, (v - half) / half * TOP_HALF


def save_grey(values, path):
    Image.fromarray(np.uint8(np.clip(values, 0, 1) * 255 + 0.5)).save(path, optimize=True)


def save_colors(values, path):
    Image.fromarray(np.uint8(np.clip(values, 0, 1) * 255 + 0.5)).save(path, optimize=True)


def save_palette(indices, colors, path):
    """Few colours: the file stays small however they are scattered."""
    image = Image.fromarray(np.uint8(indices), mode='P')
    flat = [int(round(255 * c)) for color in colors for c in color]
    image.putpalette(flat + [0] * (768 - len(flat)))
    image.save(path, optimize=True, bits=4)


# Colours of blades, sRGB: dark to light green, two of straw, and flowers.
GREENS = [(0.22, 0.36, 0.08), (0.33, 0.47, 0.10), (0.46, 0.56, 0.14)]
STRAWS = [(0.72, 0.66, 0.32), (0.86, 0.78, 0.46)]
FLOWERS = [(0.96, 0.16, 0.08), (0.98, 0.84, 0.12), (0.40, 0.36, 0.95), (0.95, 0.45, 0.70)]


def blades(side, rng):
    """Which colour each texel has: patches of greens, drier on the tops of hills."""
    x, z = places(side)
    dry = 0.45 * noise(x, z, 1.1, 70) + 0.35 * noise(x, z, 0.4, 71)
    pick = rng.uniform(-1, 1, x.shape) * 0.75 + dry
    index = np.digitize(pick, [-0.45, 0.10, 0.62, 0.95])
    wet = smooth(2.0, 1.1, pond_distance(x, z)) > rng.uniform(0, 1.3, x.shape)
    return np.where(wet & (index > 1), 1, index), x, z


def meadow_flowers(index, x, z, rng, count):
    """Spots of three by three texels, about one blade each, that grow in drifts."""
    side = len(index)
    first = len(GREENS) + len(STRAWS)
    spots = []
    for row, column in rng.integers(2, side - 2, (count * 30, 2)):
        if len(spots) >= count:
            break
        at = (row, column)
        kind = int(np.argmax([noise(x[at], z[at], 0.8, 80 + k) for k in range(len(FLOWERS))]))
        drift = noise(x[at], z[at], 0.8, 80 + kind)
        open_land = grass(x[at], z[at]) > 0.9
        if open_land and drift > rng.uniform(0.1, 0.8):
            spots.append((row, column, first + kind))
    for row, column, kind in spots:
        index[row - 1:row + 2, column - 1:column + 2] = kind
    return spots


def prairie(folder):
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(11)
    index, x, z = blades(SIDE, rng)
    spots = meadow_flowers(index, x, z, rng, 700)
    save_palette(index, GREENS + STRAWS + FLOWERS, folder / 'tint.png')

    # Short beside the path, high by the water and in some places; flowers stand out.
    x, z = places(256)
    length = 0.66 + 0.22 * noise(x, z, 0.7, 72) + 0.10 * noise(x, z, 0.16, 73)
    length *= 0.45 + 0.55 * smooth(0.12, 0.55, path_distance(x, z))
    reeds = smooth(1.6, 1.15, pond_distance(x, z)) * smooth(-0.1, 0.5, noise(x, z, 0.5, 74))
    length = length + (1.0 - length) * 0.85 * reeds
    for row, column, _ in spots:
        length[row // 2, column // 2] = 0.85
    save_grey(np.round(length * 64) / 64, folder / 'length.png')
    leaning(folder, 1.0)


def leaning(folder, share):
    """Blades lean with the wind, more in some places, and up rather than along the ground."""
    x, z = places(96)
    lean = np.stack([0.34 + 0.30 * noise(x, z, 0.9, 75), np.ones_like(x) / share,
                     0.10 + 0.34 * noise(x, z, 1.1, 76)], -1)
    lean *= 0.8 / np.linalg.norm(lean, axis=-1, keepdims=True)
    save_colors(0.5 + 0.5 * lean, folder / 'direction.png')


# The head in the picture that `face_picture` renders, and in the meadow: left, top, right, bottom.
FACE_PIXELS = (206, 52, 514, 612)
FACE_TOP, FACE_BOTTOM, FACE_MIDDLE = -2.42, 2.36, -0.12


def face_picture(mohawk):
    """The shipped head from the front: its colours, and where it is."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'face.png'
        subprocess.run([mohawk, 'render', '--quiet', '--camera', 'front', '--resolution', '720,720',
                        '--no-background', '--set', 'look.light.fade=0', '--set',
                        'look.light.turn_deg=-26', '-o', path], check=True)
        picture = np.array(Image.open(path).convert('RGBA').crop(FACE_PIXELS), float) / 255
    return picture[..., :3], picture[..., 3]


def stretched(values, mask, low, high):
    """Contrast from the share `low` to the share `high` of the values under the mask."""
    least, most = np.quantile(values[mask], [low, high])
    return np.clip((values - least) / (most - least), 0, 1)


def onto_meadow(picture, side):
    """A picture of the head laid on the meadow, 0 around it."""
    rows, columns = picture.shape
    x, z = places(side)
    per_dm = rows / (FACE_BOTTOM - FACE_TOP)
    row = (z - FACE_TOP) * per_dm
    column = (x - FACE_MIDDLE) * per_dm + 0.5 * columns
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    at = picture[np.clip(row, 0, rows - 1).astype(int), np.clip(column, 0, columns - 1).astype(int)]
    return np.where(inside, at, 0.0)


def prairie_face(folder, mohawk):
    """The source paints its prairie with a face by one grey picture for density and length. Here it
    is length, width and tint, and the mohawk is a bed of flowers."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(12)
    colors, covered = face_picture(mohawk)
    solid = covered > 0.5
    red, green, blue = np.moveaxis(colors, -1, 0)
    # Dyed hair is the only part of the head that is more blue than green.
    dyed = solid & (blue > green + 0.03) & (np.arange(len(red))[:, None] < 0.36 * len(red))
    grey = 0.3 * red + 0.6 * green + 0.1 * blue
    skin = stretched(grey, solid & ~dyed, 0.03, 0.90)
    spread = Image.fromarray(np.uint8(skin * 255)).filter(ImageFilter.GaussianBlur(40))
    # Half of the slow change of light over the head is taken away: features are what reads.
    skin = np.clip(skin - 0.5 * (np.array(spread, float) / 255 - 0.45), 0, 1)
    skin = stretched(skin, solid & ~dyed, 0.03, 0.85)

    face = onto_meadow(np.where(solid & ~dyed, skin, 0.0), SIDE)
    head = onto_meadow(solid * 1.0, SIDE)
    mohawk_bed = onto_meadow(dyed * 1.0, SIDE) > 0.5
    index, x, z = blades(SIDE, rng)
    inside = (head > 0.5) & ~mohawk_bed
    # Around: the two darker greens. On the face: from dark green to straw, with some scatter.
    shades = [(0.15, 0.27, 0.05), (0.27, 0.42, 0.08), (0.46, 0.54, 0.14), (0.64, 0.64, 0.26),
              (0.85, 0.80, 0.44), (0.96, 0.93, 0.66)]
    flowers = [(0.98, 0.22, 0.42), (0.90, 0.10, 0.32), (1.0, 0.46, 0.58)]
    scattered = face * 5.4 - 0.2 + rng.uniform(-0.5, 0.5, face.shape)
    tint = np.where(rng.uniform(0, 1, face.shape) < 0.55, 0, 1)
    tint = np.where(inside, np.clip(np.round(scattered), 0, 5), tint)
    tint = np.where(mohawk_bed, 6 + rng.integers(0, 3, face.shape), tint)
    save_palette(tint, shades + flowers, folder / 'tint.png')

    around = 0.42 + 0.10 * noise(x, z, 0.5, 72)
    length = np.where(inside, 0.16 + 0.84 * face, around)
    length = np.where(mohawk_bed, 0.95, length)
    save_grey(np.round(length * 32) / 32, folder / 'length.png')
    # The picture thins blades in place of a map of density. Any such map makes the program look for
    # roots on bald skin too, which takes seconds.
    width = np.where(inside, 0.30 + 0.70 * face, 0.85)
    save_grey(np.round(width * 32) / 32, folder / 'width.png')
    leaning(folder, 1.3)


STRAW = [(0.94, 0.86, 0.62), (0.88, 0.74, 0.44), (0.74, 0.58, 0.30), (0.66, 0.64, 0.36),
         (0.62, 0.47, 0.26)]


def grass_skirt(folder):
    """Straw that hangs from the band of the waist: u runs around it from the back, v down."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(13)
    rows, columns = 256, 256
    shades = rng.choice(5, (rows, columns), p=[0.30, 0.30, 0.20, 0.12, 0.08])
    save_palette(shades, STRAW, folder / 'tint.png')
    save_grey(np.round(rng.uniform(0.45, 1.0, (rows, columns)) * 16) / 16, folder / 'width.png')
    # Down and a little outwards; u = 0 is the back, and u = 1/2 the front.
    v, u = (np.mgrid[0:16, 0:256] + 0.5) / np.array([16, 256])[:, None, None]
    around = 2.0 * np.pi * u - np.pi
    slope, outward = flare(around[0])
    slope = slope + 0.05
    way = np.stack(np.broadcast_arrays(slope * outward[:, 0], -1.0, slope * outward[:, 1]), -1)
    way = np.broadcast_to(way, (16, 256, 3)).copy()
    way /= np.linalg.norm(way, axis=-1, keepdims=True)
    save_colors(0.5 + 0.5 * way, folder / 'direction.png')


# How the skirt is made to hang: limp rods that push each other apart fall until they rest.
HANG = {'sim.guides.share': 1, 'sim.sag_free': 'false', 'sim.rod.bending': 1.2,
        'sim.rod.twisting': 0.8, 'sim.rod.damping': 3, 'sim.strand_particles': 10,
        'sim.hair.repulsion': 150, 'sim.hair.density': 0.15, 'sim.hair.cell': 0.08,
        'sim.hair.friction': 2}


def hang(preset, mohawk):
    """Lets straight blades fall over the hips, and writes how they come to rest as the style's
    edits: the groom is the skirt as it hangs, so that nothing falls when it is opened."""
    edits = preset / 'edits.npz'
    with tempfile.TemporaryDirectory() as folder:
        # The style without its edits.
        straight = Path(folder) / 'straight'
        manifest = (preset / 'style.toml').read_text().replace('edits = "edits.npz"\n', '')
        model = (preset / '../../waist.glb').resolve()
        (straight / 'maps').mkdir(parents=True)
        (straight / 'style.toml').write_text(manifest.replace('../../waist.glb', str(model)))
        (straight / 'settings.toml').write_text((preset / 'settings.toml').read_text())
        for name in (preset / 'maps').iterdir():
            (straight / 'maps' / name.name).write_bytes(name.read_bytes())
        settings = [part for key, value in HANG.items() for part in ('--set', f'{key}={value}')]
        fallen = Path(folder) / 'fallen.npy'
        subprocess.run([mohawk, 'simulate', '--quiet', straight, '--scene', 'still', '--fps', '1',
                        '--frames', '8', *settings, '-o', fallen], check=True)
        frames = np.load(fallen)
    rest, hanging = frames[0], frames[-1]
    roots = hanging[:, :1]
    grown = np.linalg.norm(np.diff(rest, axis=1), axis=-1).sum(1)
    # Steps of a fiftieth of a millimetre compress well.
    points = np.round((hanging - roots) * 2048) / 2048
    count, per, _ = points.shape
    strands = np.arange(count, dtype='<u4')
    none = {'planted_of': np.zeros(0, '<u4'), 'planted': np.zeros(0, 'u1')}
    arrays = {'roots_of': strands, 'roots': roots[:, 0].astype('<f4'), **none,
              f'strands_{per}': strands, f'grown_{per}': grown.astype('<f4'),
              f'points_{per}': points.astype('<f4')}
    # As numpy.savez_compressed, without the time of day.
    with zipfile.ZipFile(edits, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            data = io.BytesIO()
            np.save(data, array)
            entry = zipfile.ZipInfo(f'{name}.npy', (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data.getvalue())
    print(f'{edits}: {edits.stat().st_size} bytes, {count} strands, tips at a radius of '
          f'{np.hypot(hanging[:, -1, 0], hanging[:, -1, 2]).mean():.2f} dm')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--out', type=Path, default=Path(__file__).parent / 'presets',
                        help='folder of the presets')
    parser.add_argument('--mohawk', help='the program, which renders the face and lets the skirt '
                        'fall; without it both stay as they are')
    args = parser.parse_args()
    prairie(args.out / 'prairie' / 'maps')
    grass_skirt(args.out / 'grass-skirt' / 'maps')
    if args.mohawk:
        hang(args.out / 'grass-skirt', args.mohawk)
        prairie_face(args.out / 'prairie-face' / 'maps', args.mohawk)


if __name__ == '__main__':
    main()
