"""Hair on 3D heads: roots on any mesh, styles, and motion, for NumPy.

Lengths are decimetres of a standard head, which is 2.74 high, except on meshes of one's own, whose
units stay. +Y is up and the face looks along +Z. Times are seconds. Matrices are (4, 4) arrays from
head to world space with the translation in the last column.

Work runs without the GIL, ends at Ctrl-C, and calls ``progress`` with the finished share, 0 to 1.
"""

from ._mohawk import (
    NECK,
    STEP_SECONDS,
    Error,
    GraphicsError,
    Groom,
    Head,
    Measures,
    Sample,
    Simulation,
    Spectrum,
    Strands,
    Surface,
    __version__,
    measure,
    methods,
    models,
    presets,
    read_strands,
    render,
    sample,
    scenes,
    settings,
    solvers,
    spectrum,
    write_strands,
)

__all__ = [
    "NECK",
    "STEP_SECONDS",
    "Error",
    "GraphicsError",
    "Groom",
    "Head",
    "Measures",
    "Sample",
    "Simulation",
    "Spectrum",
    "Strands",
    "Surface",
    "__version__",
    "measure",
    "methods",
    "models",
    "presets",
    "read_strands",
    "render",
    "sample",
    "scenes",
    "settings",
    "solvers",
    "spectrum",
    "write_strands",
]
