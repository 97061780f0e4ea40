# SPDX-License-Identifier: MIT
"""What surrounds a call: threads, interrupts, progress, imports, what editors see."""
import os
import signal
import subprocess
import sys
import threading
import time
import types

import isserlis
import pytest
from isserlis import _call, _stubs


def run(code, **options):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, **options)


def test_stubs_are_up_to_date(root):
    there = (root / "python/isserlis/__init__.pyi").read_text()
    assert there == _stubs.text(), "write them: python3 -m isserlis._stubs > python/isserlis/__init__.pyi"
    compile(there, "__init__.pyi", "exec")


def test_import_leaves_large_packages_alone():
    done = run("import sys, isserlis; print([m for m in ('numpy', 'sympy', 'pandas', 'matplotlib', 'mpmath', 'torch', "
               "'tqdm') if m in sys.modules])")
    assert done.stdout.strip() == "[]", done.stderr


def test_versions_are_one(program):
    assert subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()[-1] == isserlis.__version__


INTERRUPTED = """
import os, signal, threading, time, isserlis
def later():
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)
t = threading.Thread(target=later)
t.start()
start = time.monotonic()
try:
    {call}
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
t.join()
# The answers that follow are right.
print(isserlis.norm("2,10:3,1")["squared_norm_variance", 4].exact)
raise SystemExit(5)
"""


@pytest.mark.parametrize(
    "call",
    [
        'isserlis.norm("2,10:3,1", check=10**8)',  # sampling
        'isserlis.norm("2,10:2000,1", order=30)',  # exact numbers, which go on in their thread
        'isserlis.train("2,200:3,1", data="cos", epochs=10**7)',
        'isserlis.norm("2,n:300,1", table={"n": range(1, 20000)})',
    ],
)
def test_interrupts(call):
    done = run(INTERRUPTED.format(call=call))
    assert done.stdout.split() == ["interrupted", "73/8"] and done.returncode == 5, done


def test_an_interrupt_ends_a_script():
    code = ("import os, signal, threading, isserlis\n"
            "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
            "isserlis.norm('2,10:2000,1', order=30)")
    done = run(code)
    assert done.returncode == -signal.SIGINT and done.stderr.rstrip().endswith("KeyboardInterrupt"), done


def test_threads_work_side_by_side():
    expected = [isserlis.norm(f"n,n:L,{k}", order=3) for k in range(1, 5)]
    found = [None] * 4

    def work(k):
        for _ in range(3):
            found[k] = isserlis.norm(f"n,n:L,{k + 1}", order=3)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == expected


def test_python_goes_on_while_the_library_works():
    beats = []

    def beat():
        while not done.is_set():
            beats.append(time.monotonic())
            time.sleep(0.01)

    done = threading.Event()
    t = threading.Thread(target=beat)
    t.start()
    isserlis.norm("2,10:300,1", order=10)
    done.set()
    t.join()
    assert len(beats) > 3


class Bar:
    """What tqdm is asked for."""

    made = []

    def __init__(self, total, desc, unit, leave):
        self.total, self.desc, self.unit, self.n, self.shown, self.closed = total, desc, unit, 0, [], False
        Bar.made.append(self)

    def refresh(self):
        self.shown.append(self.n)

    def close(self):
        self.closed = True


def test_progress_goes_to_tqdm_on_a_terminal(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    for samples in (6000, 24000, 96000, 384000):  # until the work is long enough for this machine
        isserlis.norm("20,100:5,1", check=samples)
        if Bar.made:
            break
    (bar,) = Bar.made
    assert bar.closed and bar.total == samples and bar.desc == "sampled" and bar.unit == " networks"
    assert bar.shown == sorted(bar.shown) and 0 < bar.shown[-1] <= samples


def test_no_progress_elsewhere(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=Bar))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    assert _call._bar() is None
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert _call._bar() is None
