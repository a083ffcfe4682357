"""Compares samplers: ours and peers on one surface, judged by one certificate.

script/compare-samplers installs the peers and starts this; Markdown goes to stdout.
"""

import importlib.metadata
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from compare_samplers_peer import PEERS

RUNS = 3
# A peer that takes longer in all its runs together is given up, seconds.
PATIENCE = 900
# R/r up to this is nearly maximal: the peers worth a race.
NEARLY_MAXIMAL = 1.2
OURS = ("maximal", "tight", "progressive", "elimination")
# What numerical libraries ask for how many threads they may start.
ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OMP_THREAD_LIMIT",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMEXPR_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    ),
    "1",
)

# The card: two sheets so far apart as a share of the spacing, with so many roots on both.
SHEETS_APART = 0.1
SHEETS_COUNT = 4000
# Sheets count as told apart when the larger gap of the two, over that of one sheet alone, is at
# most this: the largest gap of a nearly maximal set is one place, and scatters by a tenth.
SHEETS_WORSE = 1.25


class Failed(Exception):
    """What went wrong, in a line."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def children_seconds():
    """Processor time of all that was started from here and has ended."""
    times = os.times()
    return times.children_user + times.children_system


def reason(process, work):
    """The last line of an error, which is the telling one in Python, fit for a table."""
    lines = process.stderr.strip().splitlines()
    text = lines[-1] if lines else f"it ended with code {process.returncode}"
    return text.replace(f"{work}/", "").replace("|", "/")


@dataclass
class Mohawk:
    program: Path
    work: Path

    def sample(self, *arguments):
        command = [self.program, "sample", "--quiet", "--json", *map(str, arguments)]
        began = time.perf_counter(), children_seconds()
        process = subprocess.run(command, capture_output=True, text=True)
        wall, held = time.perf_counter() - began[0], children_seconds() - began[1]
        if wall > 1.2 * held + 0.05 and "--points" not in arguments:
            say(f"mohawk had the processor for only {held / wall:.0%} of the time")
        if process.returncode != 0:
            raise Failed(f"mohawk sample: {reason(process, self.work)}")
        return json.loads(process.stdout)


@dataclass
class Set:
    """One set of roots and what the certificate says of it; lengths in units of the mesh."""

    seconds: float
    roots: int
    min_distance: float
    relative_radius: float
    coverage_radius: float
    chi_squared: float
    bond_order: float

    @staticmethod
    def of(judged, seconds):
        cells = judged["distribution"]["cells"]
        return Set(
            seconds,
            judged["roots"],
            judged["min_distance"],
            judged["relative_radius"],
            judged["coverage_ratio"] * judged["spacing"],
            cells["relative"] if cells else None,
            judged["distribution"]["bond_order"],
        )

    @property
    def ratio(self):
        """R/r, r the distance that the set itself keeps."""
        return self.coverage_radius / self.min_distance if self.min_distance else float("inf")


@dataclass
class Missing:
    """A sampler without a result."""

    name: str
    call: str
    why: Failed


@dataclass
class Row:
    name: str
    call: str
    best_seconds: float
    typical: Set
    ratios: list


def row(name, call, sets):
    """The time of the fastest run, and the set with the median R/r."""
    ratios = sorted(each.ratio for each in sets)
    typical = next(each for each in sets if each.ratio == ratios[len(ratios) // 2])
    return Row(name, call, min(each.seconds for each in sets), typical, ratios)


def read_mesh(path):
    """Vertices and triangles of a PLY file as `mohawk sample --surface-output` writes it."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    elements, properties = {}, 0
    for line in data[:end].decode("ascii").splitlines():
        words = line.split()
        if words[0] == "element":
            elements[words[1]] = int(words[2])
        elif words[:2] == ["property", "float"]:
            properties += 1
    rows = np.frombuffer(data, "<f4", elements["vertex"] * properties, end)
    triangle = np.dtype([("corners", "u1"), ("vertices", "<u4", 3)])
    faces = np.frombuffer(data, triangle, elements["face"], end + rows.nbytes)
    return rows.reshape(-1, properties)[:, :3], faces["vertices"]


def write_mesh(path, vertices, faces):
    """The mesh for mohawk (.ply) and for the peers (.npz)."""
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(vertices)}\n"
        "property float x\nproperty float y\nproperty float z\n"
        f"element face {len(faces)}\nproperty list uchar uint vertex_indices\nend_header\n"
    )
    triangles = np.empty(len(faces), [("corners", "u1"), ("vertices", "<u4", 3)])
    triangles["corners"], triangles["vertices"] = 3, faces
    rows = np.asarray(vertices, "<f4")
    path.with_suffix(".ply").write_bytes(header.encode() + rows.tobytes() + triangles.tobytes())
    np.savez(path.with_suffix(".npz"), vertices=rows, faces=faces)


def read_points(path):
    """Rows of position and normal of the triangle, from a CSV file that may have more columns."""
    table = np.genfromtxt(path, delimiter=",", names=True)
    return np.column_stack([table[name] for name in ("x", "y", "z", "fx", "fy", "fz")])


def run_peer(key, mesh, count, spacing, runs, out):
    """Runs a peer and returns the seconds of each call; its points are in `{out}-{run}.csv`."""
    try:
        importlib.metadata.version(PEERS[key][0])
    except importlib.metadata.PackageNotFoundError:
        raise Failed("does not install here") from None
    script = Path(__file__).with_name("compare_samplers_peer.py")
    command = [sys.executable, script, key, mesh.with_suffix(".npz"), count, spacing, runs, out]
    try:
        process = subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=os.environ | ONE_THREAD,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"gave up after {PATIENCE} s") from None
    if process.returncode != 0:
        raise Failed(reason(process, mesh.parent))
    return json.loads(Path(f"{out}.json").read_text())["seconds"]


def our_rows(mohawk, mesh, count, work):
    """Rows of our methods, and the spacing that maximal has for so many roots."""
    rows, spacing = [], None
    for method in OURS:
        say(f"{count} roots: mohawk {method}")
        arguments = ["--surface", mesh.with_suffix(".ply"), "--strands", count, "--method", method]
        sets = []
        for seed in range(1, RUNS + 1):
            out = work / f"{method}-{count}-{seed}.csv"
            judged = mohawk.sample(*arguments, "--seed", seed, "-o", out)
            sets.append(Set.of(judged, judged["seconds"]))
            if method == "maximal" and spacing is None:
                spacing = judged["spacing"]
        call = "Yuksel 2015" if method == "elimination" else ""
        rows.append(row(f"**mohawk** `{method}`", call, sets))
    return rows, spacing


def peer_row(mohawk, key, mesh, count, spacing, work):
    package, call, _ready = PEERS[key]
    say(f"{count} roots: {key}")
    out = work / f"{key}-{count}"
    seconds = run_peer(key, mesh, count, spacing, RUNS, out)
    surface = ["--surface", mesh.with_suffix(".ply"), "--spacing", spacing]
    sets = [
        Set.of(mohawk.sample(*surface, "--points", f"{out}-{run}.csv"), seconds[run - 1])
        for run in range(1, RUNS + 1)
    ]
    return row(package, call, sets)


def number(value, digits):
    return "–" if value is None else f"{value:.{digits}f}"


def print_table(columns, rows):
    """Markdown; the first columns are text, and a row that is short has nothing in the others."""
    print("| " + " | ".join(columns) + " |")
    print("|" + "|".join("---" if name in TEXT else "---:" for name in columns) + "|")
    for row in rows:
        print("| " + " | ".join(row + [""] * (len(columns) - len(row))) + " |")


TEXT = ("sampler", "call", "sheets told apart")
COLUMNS = (
    *("N", "sampler", "call", "time, s", "time / `maximal`", "roots"),
    *("d_min / s", "ρ", "R / d_min", "R / s", "χ²", "ψ₆"),
)


def cells(count, each, maximal_seconds, spacing):
    if isinstance(each, Missing):
        return [f"{count:,}", each.name, f"{each.call}: {each.why}"]
    found = each.typical
    return [
        f"{count:,}",
        each.name,
        each.call,
        f"{each.best_seconds:.3f}",
        f"{each.best_seconds / maximal_seconds:.1f}",
        f"{found.roots:,}",
        number(found.min_distance and found.min_distance / spacing, 3),
        number(found.relative_radius, 3),
        f"{found.ratio:.2f} ({each.ratios[0]:.2f} to {each.ratios[-1]:.2f})",
        number(found.coverage_radius / spacing, 2),
        number(found.chi_squared, 3),
        number(found.bond_order, 3),
    ]


def print_race(count, rows):
    """Who of the peers comes near to a maximal set, and how much longer the fastest takes."""
    peers = [each for each in rows[len(OURS) :] if isinstance(each, Row)]
    for reach, ratio in (
        ("is reached by", lambda each: each.typical.ratio),
        (f"is reached by at least one of {RUNS} sets of", lambda each: each.ratios[0]),
    ):
        near = [each for each in peers if ratio(each) <= NEARLY_MAXIMAL]
        if not near:
            print(f"- N = {count:,}: R / d_min ≤ {NEARLY_MAXIMAL} {reach} no peer.")
            continue
        near.sort(key=lambda each: each.best_seconds)
        times = near[0].best_seconds / rows[0].best_seconds
        named = [f"{each.name} ({each.call.removeprefix('the same, ')})" for each in near]
        print(
            f"- N = {count:,}: R / d_min ≤ {NEARLY_MAXIMAL} {reach} {', '.join(named)}. The "
            f"first of these is the fastest and takes {times:.1f} times as long as `maximal`."
        )


def card(spacing):
    """A bent unit sheet, and one behind it that faces the other way, as an ear has them."""
    side = 24
    u, v = np.meshgrid(np.linspace(0, 1, side + 1), np.linspace(0, 1, side + 1))
    u, v = u.ravel(), v.ravel()
    slope = 0.6 * (u - 0.5)
    middle = np.column_stack([u, v, 0.3 * (u - 0.5) ** 2])
    normals = np.column_stack([-slope, np.zeros_like(u), np.ones_like(u)])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    column, line = np.meshgrid(np.arange(side), np.arange(side))
    corner = (line * (side + 1) + column).ravel()
    next_line = corner + side + 1
    front = np.vstack(
        [
            np.column_stack([corner, corner + 1, next_line + 1]),
            np.column_stack([corner, next_line + 1, next_line]),
        ]
    )
    apart = normals * (SHEETS_APART * spacing / 2)
    return middle + apart, middle - apart, front, front[:, ::-1]


@dataclass
class Sheets:
    name: str
    call: str
    on_sides: tuple
    alone: int
    conflicts: int
    conflicts_alone: int
    gaps: tuple
    gap_alone: float

    @property
    def told_apart(self):
        return max(self.gaps) <= SHEETS_WORSE * self.gap_alone


def conflicts(positions, spacing):
    """Pairs closer than that, rounding of positions to f32 aside."""
    found, nearer_than = 0, spacing * (1 - 1e-4)
    for nth in range(0, len(positions), 500):
        some = positions[nth : nth + 500, None] - positions[None]
        found += int(((some**2).sum(axis=2) < nearer_than**2).sum()) - len(some)
    return found // 2


def test_sheets(mohawk, work):
    """Each sampler on the card and on its front alone, both sides judged by themselves."""
    # The spacing of a maximal set of half as many on one sheet, within a percent or two.
    front, _, faces, _ = card(0.0)
    write_mesh(work / "flat", front, faces)
    half = SHEETS_COUNT // 2
    spacing = mohawk.sample(
        "--surface", work / "flat.ply", "--strands", half, "--method", "maximal"
    )["spacing"]
    front, back, up, down = card(spacing)
    both = np.vstack([front, back]), np.vstack([up, down + len(front)])
    write_mesh(work / "card", *both)
    write_mesh(work / "front", front, up)
    write_mesh(work / "back", back, down)

    def gap(side, points):
        """R / s on one sheet; infinite where it has no points."""
        if len(points) == 0:
            return float("inf")
        out = work / "side.csv"
        np.savetxt(out, points, fmt="%.9g", delimiter=",", header="x,y,z,fx,fy,fz", comments="")
        judged = mohawk.sample(
            "--surface", work / f"{side}.ply", "--points", out, "--spacing", spacing
        )
        return judged["coverage_ratio"]

    def judge(name, call, card_points, front_points):
        points, alone = read_points(card_points), read_points(front_points)
        sides = points[points[:, 5] > 0], points[points[:, 5] <= 0]
        return Sheets(
            name,
            call,
            tuple(map(len, sides)),
            len(alone),
            sum(conflicts(side[:, :3], spacing) for side in sides),
            conflicts(alone[:, :3], spacing),
            (gap("front", sides[0]), gap("back", sides[1])),
            gap("front", alone),
        )

    rows = []
    for method in OURS[:3]:
        for mesh in ("card", "front"):
            mohawk.sample(
                *("--surface", work / f"{mesh}.ply", "--spacing", spacing),
                *("--method", method, "-o", work / f"{method}-{mesh}.csv"),
            )
        files = [work / f"{method}-{mesh}.csv" for mesh in ("card", "front")]
        rows.append(judge(f"**mohawk** `{method}`", "", *files))
    for key, (package, call, _ready) in PEERS.items():
        say(f"double sheets: {key}")
        try:
            for mesh, count in (("card", SHEETS_COUNT), ("front", half)):
                run_peer(key, work / mesh, count, spacing, 1, work / f"{key}-{mesh}")
            files = [work / f"{key}-{mesh}-1.csv" for mesh in ("card", "front")]
            rows.append(judge(package, call, *files))
        except Failed as failed:
            rows.append(Missing(package, call, failed))
    return rows


SHEETS_COLUMNS = (
    *("sampler", "call", "roots in front, behind", "on the front alone"),
    *("pairs closer than s", "on the front alone", "R / s in front, behind"),
    *("on the front alone", "sheets told apart"),
)


def sheets_cells(each):
    if isinstance(each, Missing):
        return [each.name, f"{each.call}: {each.why}"]
    return [
        each.name,
        each.call,
        "{:,}, {:,}".format(*each.on_sides),
        f"{each.alone:,}",
        f"{each.conflicts:,}",
        f"{each.conflicts_alone:,}",
        "{:.2f}, {:.2f}".format(*each.gaps),
        f"{each.gap_alone:.2f}",
        "yes" if each.told_apart else "no",
    ]


def versions():
    packages = dict.fromkeys(package for package, *_ in PEERS.values())
    for package in packages:
        try:
            yield f"{package} {importlib.metadata.version(package)}"
        except importlib.metadata.PackageNotFoundError:
            yield f"{package} (not installed)"


def compare(program, work, head, counts):
    if hasattr(os, "sched_setaffinity"):
        # One processor for all that is started from here, whatever it does about threads.
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    mohawk = Mohawk(program, work)
    scalp = work / "scalp.ply"
    exported = mohawk.sample(*([head] if head else []), "--surface-output", scalp)
    vertices, faces = read_mesh(scalp)
    np.savez(work / "scalp.npz", vertices=vertices, faces=faces)

    tables, spacings = {}, {}
    for count in counts:
        tables[count], spacing = our_rows(mohawk, scalp, count, work)
        spacings[count] = spacing
        for key, (package, call, _ready) in PEERS.items():
            try:
                tables[count].append(peer_row(mohawk, key, scalp, count, spacing, work))
            except Failed as failed:
                say(f"{key}: {failed}")
                tables[count].append(Missing(package, call, failed))

    sheets = test_sheets(mohawk, work)
    name = Path(exported["file"]).name
    print(f"{name}, {len(faces):,} triangles. {', '.join(versions())}; numpy {np.__version__}.")
    print()
    print_table(
        COLUMNS,
        [
            cells(count, each, rows[0].best_seconds, spacings[count])
            for count, rows in tables.items()
            for each in rows
        ],
    )
    print()
    for count, rows in tables.items():
        print_race(count, rows)
    print()
    print(f"Two sheets {SHEETS_APART} s apart, s for {SHEETS_COUNT // 2:,} roots on each:")
    print()
    print_table(SHEETS_COLUMNS, map(sheets_cells, sheets))


def main():
    program, work, head, *counts = sys.argv[1:]
    try:
        compare(Path(program).resolve(), Path(work), head, [int(count) for count in counts])
    except Failed as failed:
        sys.exit(f"script/compare-samplers: {failed}")


if __name__ == "__main__":
    main()
