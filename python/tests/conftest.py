"""Meshes that several tests use."""

import numpy as np
import pytest

import mohawk_hair as mh


@pytest.fixture(scope="session")
def square():
    """A unit square of two triangles."""
    vertices = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
    return vertices, np.array([[0, 1, 2], [0, 2, 3]])


@pytest.fixture(scope="session")
def head():
    """The head that ships."""
    return mh.Head()


@pytest.fixture(scope="session")
def groom(head):
    """Some hair on it."""
    return head.grow(settings={"roots.strands": 300})
