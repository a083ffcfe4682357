"""Pictures, drawn by the CPU or whatever there is."""

import os
import subprocess
import sys

import numpy as np
import pytest

import mohawk_hair as mh

SIZE = (160, 120)
FAST = {"size": SIZE, "samples": 1}


def test_subjects_are_drawn(head, groom):
    pictures = [
        mh.render(subject, **FAST)
        for subject in [head, groom, groom.simulate(), mh.Simulation(scene="cantilever", solver="rod")]
    ]
    for picture in pictures:
        assert picture.shape == (120, 160, 4) and picture.dtype == np.uint8
        assert (picture[..., 3] == 255).all() and picture[..., :3].std() > 5
    bald, hairy = (picture.astype(int) for picture in pictures[:2])
    assert np.abs(bald - hairy).mean() > 1


def test_cameras_looks_and_backgrounds_change_the_picture(head, groom):
    front = mh.render(groom, camera="front", **FAST).astype(int)
    for options in [
        {"camera": "back"},
        {"camera": "front", "yaw": 40, "pitch": 20},
        {"camera": "front", "distance": 5},
        {"camera": "front", "target": (0, 1, 0)},
        {"camera": "front", "fov": 90, "distance": 8},
        {"camera": "front", "settings": {"look.hair.root_color": [0, 1, 0], "look.hair.tip_color": [0, 1, 0]}},
    ]:
        assert np.abs(mh.render(groom, **options, **FAST) - front).mean() > 0.3, options
    cut_out = mh.render(groom, background=False, **FAST)
    assert cut_out[0, 0, 3] == 0 and cut_out[..., 3].max() == 255


def test_motion_is_seen(groom):
    simulation = groom.simulate(solver="ftl", scene="swing")
    before = mh.render(simulation, **FAST).astype(int)
    simulation.advance(0.5)
    assert np.abs(mh.render(simulation, **FAST) - before).mean() > 1


@pytest.mark.parametrize(
    ("options", "exception", "part"),
    [
        ({"size": (0, 10)}, mh.Error, "0 x 10 pixels"),
        ({"size": (10**6, 10)}, mh.Error, "1000000 x 10"),
        ({"size": (-1, 10)}, mh.Error, "size"),
        ({"size": 5}, TypeError, "size"),
        ({"camera": "below"}, mh.Error, "three-quarter"),
        ({"yaw": float("nan")}, mh.Error, "yaw"),
        ({"pitch": 90}, mh.Error, "pitch = 90"),
        ({"fov": 0}, mh.Error, "fov"),
        ({"distance": 0}, mh.Error, "distance"),
        ({"target": (0, float("inf"), 0)}, mh.Error, "target"),
        ({"samples": -1}, mh.Error, "samples = -1: expected 1 to 256"),
        ({"settings": {"sim.hold": 1}}, mh.Error, "look, view"),
    ],
)
def test_wrong_arguments_are_named(head, options, exception, part):
    with pytest.raises(exception, match=part):
        mh.render(head, **options)


def test_other_things_are_not_drawn():
    with pytest.raises(TypeError, match="not a str"):
        mh.render("head")


def test_a_machine_without_drivers_is_told(tmp_path):
    """EGL finds its drivers in a folder that is empty here."""
    program = (
        "import mohawk_hair as mh\n"
        "try:\n    mh.render(mh.Simulation(scene='pendulum'), size=(8, 8))\n"
        "except mh.GraphicsError as error:\n    print(error)\n"
    )
    environment = {
        **os.environ,
        "__EGL_VENDOR_LIBRARY_DIRS": str(tmp_path),
        "__EGL_VENDOR_LIBRARY_FILENAMES": str(tmp_path / "none.json"),
    }
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert "OpenGL" in done.stdout and "libegl1" in done.stdout, done.stderr
