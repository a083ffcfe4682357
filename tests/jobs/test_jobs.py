"""The templates of `farm/`, run by two workers, one of which dies in the middle of a task."""

import csv
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

FARM = Path(__file__).parents[2] / "farm"
MOHAWK = os.environ["MOHAWK"]
WORKERS = 2
ARGUMENTS = "--strands 60 --scene nod"


class Job:
    """A job of a template, whose tasks are processes of `openjd`."""

    def __init__(self, template, log, **parameters):
        self.template, self.log = FARM / template, log
        self.parameters = {"Mohawk": MOHAWK, "Arguments": ARGUMENTS, **parameters}

    def start(self, step, **task):
        """Starts a task in a process group of its own."""
        openjd = Path(sys.executable).with_name("openjd")
        command = [openjd, "run", self.template, "--step", step, "--no-run-dependencies"]
        for name, value in self.parameters.items():
            command += ["-p", f"{name}={value}"]
        for name, value in task.items():
            command += ["-tp", f"{name}={value}"]
        with open(self.log, "a", encoding="utf-8") as log:
            return subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )

    def run(self, step, **task):
        assert self.start(step, **task).wait() == 0, self.log.read_text()

    def run_all(self, step, tasks, work=None):
        """Runs tasks by two workers. A task whose process fails is tried once more."""
        waiting, failed = queue.Queue(), []
        for task in tasks:
            waiting.put((task, 0))

        def worker():
            while True:
                try:
                    task, tries = waiting.get_nowait()
                except queue.Empty:
                    return
                process = self.start(step, **task)
                if work:
                    work(process, task, tries)
                if process.wait() != 0:
                    if tries:
                        failed.append(task)
                    else:
                        waiting.put((task, 1))

        workers = [threading.Thread(target=worker) for _ in range(WORKERS)]
        for thread in workers:
            thread.start()
        for thread in workers:
            thread.join()
        assert not failed, self.log.read_text()


def mohawk(folder, *arguments):
    done = subprocess.run([MOHAWK, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_clip_survives_a_dead_worker(tmp_path):
    folder, frames = tmp_path / "clip", 12
    job = Job(
        "clip.yaml",
        tmp_path / "log",
        Folder=folder,
        LastFrame=frames - 1,
        FramesPerTask=4,
        Resolution="160,120",
    )
    job.run("Bake")
    assert not list(folder.glob("*.png"))
    killed = []

    def kill_once(process, task, tries):
        if task["First"] != 4 or tries:
            return
        while not (folder / "frame_0004.png").exists() and process.poll() is None:
            time.sleep(0.01)
        # The program has a process group of its own.
        for child in children(process.pid) + [process.pid]:
            os.kill(child, signal.SIGKILL)
        killed.append(task)

    job.run_all("Draw", [{"First": first} for first in range(0, frames, 4)], kill_once)
    assert killed
    job.run("Join")
    pictures = sorted(path.name for path in folder.glob("frame_*.png"))
    assert pictures == [f"frame_{frame:04}.png" for frame in range(frames)]
    whole = tmp_path / "whole.apng"
    flags = ["--fps", "25", "--resolution", "160,120", "--frames", str(frames), "--at", "0"]
    mohawk(tmp_path, "render", *ARGUMENTS.split(), *flags, "-o", whole)
    assert (folder / "clip.apng").read_bytes() == whole.read_bytes(), "the same pixels"


def children(pid):
    """Returns the processes below one."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    own = [int(child) for task in tasks for child in task.read_text().split()]
    return [below for child in own for below in children(child)] + own


def test_a_sweep_makes_a_table_and_a_sheet(tmp_path):
    folder = tmp_path / "sweep"
    solvers, values = ["spring", "ftl"], ["0.2", "0.8"]
    job = Job(
        "sweep.yaml",
        tmp_path / "log",
        Folder=folder,
        Solvers=" ".join(solvers),
        Values=" ".join(values),
        LastSolver=1,
        LastValue=1,
        Resolution="160,120",
    )
    tasks = [{"Solver": solver, "Value": value} for solver in range(2) for value in range(2)]
    job.run_all("Run", tasks)
    job.run("Collect")
    with open(folder / "table.csv", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    found = [(row["solver"], row["sim.hold"]) for row in rows]
    assert found == [(solver, value) for solver in solvers for value in values]
    for number, row in enumerate(rows):
        told = json.loads((folder / f"run_{number}.json").read_text())
        for key in ("strands", "max_stretch", "resets"):
            assert float(row[key]) == told[key], row
    assert (folder / "sheet.png").read_bytes().startswith(b"\x89PNG")
