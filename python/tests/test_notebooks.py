"""The notebooks of the gallery run, check what they claim, and draw something."""

import base64
import io
import os
import pathlib

import matplotlib.image
import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_and_draw(path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "it has outputs: clear them"
    NotebookClient(notebook, timeout=None, resources={"metadata": {"path": FOLDER}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output.data["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    assert pictures
    folder = os.environ.get("MOHAWK_PICTURES")
    for number, picture in enumerate(pictures):
        pixels = base64.b64decode(picture)
        assert matplotlib.image.imread(io.BytesIO(pixels)).std() > 0.05
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            (pathlib.Path(folder) / f"{path.stem}-{number}.png").write_bytes(pixels)


def test_there_is_a_gallery():
    assert [path.stem for path in NOTEBOOKS] == ["points", "samplers", "strands"]
