# SPDX-License-Identifier: MIT
"""Command lines run within this process, by the library soak_in_process, and workers that may die of them."""
import ctypes
import mmap
import os
import signal
import struct
import sys
import time

MOST_WORDS = 1 << 16


class Said(ctypes.Structure):
    _fields_ = [("text", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Program:
    """As soak.py has it; a run that takes too long ends the process by SIGALRM, any other fault by its own signal."""

    def __init__(self, path, seconds=60, current=None):
        self.path, self.seconds, self.current = path, seconds, current
        self.library = ctypes.CDLL(path)
        self.said = (Said * 2)()
        self.runs, self.known = 0, {}

    def run(self, words):
        """(exit status, output, errors)."""
        key = tuple(words)
        if key in self.known:
            return self.known[key]
        self.runs += 1
        coded = [w.encode(errors="surrogateescape") for w in words]
        if self.current is not None:
            self.current.write_words(words)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        status = self.library.isserlis_run(len(coded), (ctypes.c_char_p * len(coded))(*coded), self.said)
        signal.setitimer(signal.ITIMER_REAL, 0)
        out, err = (ctypes.string_at(s.text, s.size).decode() for s in self.said)
        self.known[key] = (status, out, err)
        return self.known[key]


class Shared:
    """What a worker leaves to its parent: numbers, and the words that it runs."""

    NAMES = ("next", "runs", "answered", "refused", "compared", "slow", "failures")

    def __init__(self):
        self.memory = mmap.mmap(-1, MOST_WORDS + 8 * len(self.NAMES))

    def __getitem__(self, name):
        return struct.unpack_from("q", self.memory, 8 * self.NAMES.index(name))[0]

    def add(self, name, count=1):
        struct.pack_into("q", self.memory, 8 * self.NAMES.index(name), self[name] + count)

    def write_words(self, words):
        text = "\0".join(words).encode(errors="replace")[: MOST_WORDS - 8]
        struct.pack_into(f"q{len(text)}s", self.memory, 8 * len(self.NAMES), len(text), text)

    def words(self):
        at = 8 * len(self.NAMES)
        size = struct.unpack_from("q", self.memory, at)[0]
        return self.memory[at + 8:at + 8 + size].decode(errors="replace").split("\0")


def work(shared, one, goes_on, shown, each=2000):
    """Calls one(number) for 0, 1, .. in processes of `each` calls, until goes_on() is false. A call that ends its process
    is a failure, or one that is too slow, and is not repeated."""
    while goes_on():
        sys.stdout.flush()
        worker = os.fork()
        if worker == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            for _ in range(each):
                number = shared["next"]
                shared.add("next")
                one(number)
                if not goes_on():
                    break
            sys.stdout.flush()
            os._exit(0)
        _, status = os.waitpid(worker, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            shared.add("slow")
            print(f"slow (number {shared['next'] - 1}): {shown(shared.words())}", flush=True)
        elif status != 0:
            shared.add("failures")
            end = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"status {os.WEXITSTATUS(status)}"
            print(f"FAILURE (number {shared['next'] - 1}): ended by {end}: {shown(shared.words())}", flush=True)
            time.sleep(0.01)
