"""Long work: progress, Ctrl-C, threads and processes."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import pytest

import mohawk_hair as mh

LONG = {"count": 1_500_000, "method": "tight"}


def test_progress_rises_and_ends_with_1(square):
    for work in [
        lambda progress: mh.sample(*square, count=60_000, progress=progress),
        lambda progress: mh.Simulation(scene="pendulum").advance(0.1, progress=progress),
        lambda progress: mh.Head().grow(settings={"roots.strands": 100}, progress=progress),
        lambda progress: mh.Simulation(scene="pendulum").play(3, progress=progress),
        lambda progress: mh.sample(*square, count=9).measure(progress=progress),
    ]:
        shares = []
        work(shares.append)
        assert shares == sorted(shares) and shares[-1] == 1


def test_an_exception_of_the_callback_stops_the_work(square):
    def stop(share):
        raise LookupError(f"at {share}")

    with pytest.raises(LookupError, match="at 0"):
        mh.sample(*square, progress=stop, **LONG)
    with pytest.raises(TypeError):
        mh.sample(*square, progress=3, count=5)


def test_work_that_fails_does_not_end_with_1():
    shares = []
    with pytest.raises(mh.Error, match="too small"):
        mh.sample([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], radius=1e-9, progress=shares.append)
    assert 1 not in shares


def test_other_threads_run_meanwhile(square):
    """The callback is called while the work waits for this thread."""
    came = threading.Event()
    threading.Thread(target=came.set).start()
    seen = []

    def look(share):
        seen.append(came.wait(60))
        raise StopIteration

    with pytest.raises(StopIteration):
        mh.sample(*square, progress=look, **LONG)
    assert seen == [True]


def test_threads_share_heads_and_simulations(head):
    groom = head.grow(settings={"roots.strands": 200})
    simulation = groom.simulate(solver="ftl", scene="swing")
    alone = groom.simulate(solver="ftl", scene="swing")
    threads = [threading.Thread(target=lambda: [simulation.step() for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for _ in range(200):
        alone.step()
    assert simulation.steps == 200
    assert simulation.positions.tobytes() == alone.positions.tobytes()


def test_progress_cannot_use_its_own_simulation():
    simulation = mh.Simulation(scene="pendulum", solver="rod")
    for use in [lambda: simulation.time, simulation.step, lambda: simulation.advance(1)]:
        with pytest.raises(mh.Error, match="is at work"):
            simulation.advance(0.1, progress=lambda share: use())
        use()


def test_what_waits_for_another_thread_is_interrupted_and_not_done_later():
    """The main thread waits for a simulation that another one advances."""
    program = (
        "import _thread, threading\n"
        "import mohawk_hair as mh\n"
        "simulation = mh.Simulation(scene='pendulum', solver='rod')\n"
        "began, stop = threading.Event(), threading.Event()\n"
        "class Stop(Exception): pass\n"
        "def progress(share):\n"
        "    began.set()\n"
        "    if stop.is_set(): raise Stop\n"
        "def play():\n"
        "    try: simulation.play(1_000_000, 0.5, progress=progress)\n"
        "    except Stop: pass\n"
        "thread = threading.Thread(target=play)\n"
        "thread.start()\n"
        "began.wait()\n"
        "for use in [lambda: simulation.time, lambda: simulation.set({'sim.hold': 1})]:\n"
        "    try:\n"
        "        threading.Timer(0.05, _thread.interrupt_main).start()\n"
        "        use()\n"
        "    except KeyboardInterrupt: print('interrupted')\n"
        "stop.set()\n"
        "thread.join()\n"
        "print(simulation.time > 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["interrupted", "interrupted", "True"], done.stderr


# Each says "began" when it is at work, and goes on for minutes unless it is interrupted.
WORK = {
    "sample": "mh.sample(square, [[0, 1, 2], [0, 2, 3]], count=2_000_000, method='tight', progress=tell)",
    "advance": "mh.Simulation(mh.Head().grow(settings={'roots.strands': 20_000}), solver='rod', scene='swing')"
    ".advance(60, progress=tell)",
    "play": "mh.Simulation(scene='pendulum', solver='rod').play(1_000_000, 0.5, progress=tell)",
    "steps": "endless(mh.Simulation(scene='pendulum'))",
}
PROGRAM = """
import mohawk_hair as mh
square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
def tell(share):
    print("began", flush=True)
def endless(simulation):
    while True:
        simulation.step()
        if simulation.steps == 10:
            tell(0)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    # What was interrupted is free again.
    mh.sample(square, [[0, 1, 2], [0, 2, 3]], count=10)
    print("alive", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("work", WORK)
def test_ctrl_c_ends_work(work):
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(work=WORK[work])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout.readline() == "began\n", program.stderr.read()
    program.send_signal(signal.SIGINT)
    out, errors = program.communicate(timeout=120)
    lines = [line for line in out.splitlines() if line != "began"]
    assert (lines, program.returncode) == (["interrupted", "alive"], 0), errors


def in_child(queue, simulation=None):
    try:
        if simulation:
            simulation.step()
        mh.sample([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], count=10)
        queue.put("sampled")
    except mh.Error as error:
        queue.put(str(error))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("method", "answer"), [("fork", "spawn"), ("spawn", "sampled")])
def test_forked_processes_are_told_and_spawned_ones_work(square, method, answer):
    mh.sample(*square, count=10)
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert answer in queue.get(timeout=120)
    child.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_simulation_in_a_forked_process_is_told():
    simulation = mh.Simulation(scene="pendulum")
    simulation.step()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue, simulation))
    child.start()
    assert "spawn" in queue.get(timeout=120)
    child.join()


# What hangs in the child is ended there.
FORK = """
import os, signal, sys
import mohawk_hair as mh
hair = [[[0, 0, 0], [0, 0, 1]]]
mh.Groom(hair)
if os.fork():
    os.wait()
else:
    signal.alarm(60)
    try:
        {work}
    except mh.Error as error:
        print(error, flush=True)
    os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize(
    "work",
    [
        "mh.Groom(hair)",
        "mh.Simulation(scene=sys.argv[1])",
        "mh.sample(hair[0] + [[1, 0, 0]], [[0, 1, 2]], count=10)",
    ],
)
def test_strands_that_are_given_or_read_are_work_too(work, tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text("version = 1\n[[strands]]\npoints = [[0, 0, 0], [0, 0, 1]]\n")
    program = [sys.executable, "-c", FORK.format(work=work), scene]
    done = subprocess.run(program, capture_output=True, text=True)
    assert "spawn" in done.stdout, done.stderr
