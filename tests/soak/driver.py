#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random command lines by the hundred a second: right ones, and right ones with words changed.

    python3 tests/soak/driver.py LIBRARY [--seed S] [--seconds T] [--runs N] [--only NUMBER]

LIBRARY is BUILD/lib/libsoak_in_process.so (target soak_in_process). Every line ends with exit code 0, 2 or 3: an answer
is JSON by docs/schema.json without NaN or infinity, a refusal prints nothing and says what is wrong; no other format ends
in another way, and CSV and text have the names and numbers of JSON; a check by samples does not disagree, and has the
same bytes with three threads. One line in QUERIES is a query of soak.py with all that it compares, symbols set to numbers
among it. A line that takes longer than SECONDS is counted, not a failure. Exit status 1 after a failure; --only NUMBER
repeats one.
"""
import argparse
import csv
import io
import json
import pathlib
import random
import re
import shlex
import sys
import tempfile
import os
import time

import in_process
import json_schema
import queries
import soak

csv.field_size_limit(sys.maxsize)  # formulas may be long
SECONDS = 10
QUERIES = 300
SCHEMA = pathlib.Path(__file__).parents[2] / "docs" / "schema.json"
VALUES = ("0", "1", "2", "3", "-1", "1/2", "1/0", "0.1", "1e-3", "1e400", "-0", "n", "L", "n,n", "l", "L-1", "s", "n0/n",
          "sqrt(2)", "2^1000", "n^2", "(n+1)^L", "nan", "inf", "", " ", ",", ":", "1,2", "2,1/2,3", "2/fan_in", "relu",
          "linear", "crelu", "leaky:0", "leaky:-1", "uniform", "rademacher", "orthogonal", "laplace", "he", "mup", "wide",
          "deep", "double-scaling", "1/n", "n=3", "n=3,L=2", "L=1..3", "n=0", "L=-1", "resnet:1", "resnet:0", "densenet",
          "text", "json", "no-such-file.json", "text:{}", "text:x1,y1;1,2;3,4", "cos", "\x1b[31m", "é", "\udcff", "0x10",
          "1_000", "5%", "squared_norm_mean", "value", "ntk_mean,1", "a" * 300, "(" * 250, "--order", "99999999999999999999")
COUNTS = ("0", "1", "2", "7", "30", "-1", "1/2", "x")
# Of what is written or takes long there are other tests.
NEVER = {"--output", "--plot", "--timeout", "--save", "--keep", "--threads", "--time", "--until", "--yes", "--shard", "--cite",
         "--help", "--version", "--format", "--history", "--checkpoint"}
COUNTED = {"--check", "--samples", "--epochs", "--networks", "--emit-samples", "--seeds", "--tokens", "--steps"}
SAMPLED = COUNTED - {"--epochs", "--steps"}
WORD = re.compile(r"\b(nan|inf)\b", re.I)
CODE = re.compile(r"(?:[a-z]+(?:_[a-z0-9]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+): ")  # a function that nobody called


def options_of(program):
    _, manual, _ = program.run(["manual", "markdown"])
    return sorted(set(re.findall(r"^\| `(--[a-z-]+)", manual, re.M)) - NEVER)


def base(rng):
    kind = rng.random()
    if kind < 0.65:
        return list(queries.random_query(rng).words)
    if kind < 0.7:
        return list(queries.random_numbers(rng).words)
    if kind < 0.9:
        return list(queries.random_leg(rng).formula)
    if kind < 0.95:
        return list(queries.claimed(rng).words)
    return list(queries.solved(rng)[0]) + ["--solve", rng.choice(("n", "L", "width", "depth"))]


def cheap(rng, words):
    """Without what takes seconds, mostly: slopes beside a depth in symbols, and two such depths."""
    if rng.random() < 0.02 or not any(":L" in w for w in words):
        return words
    return [w.replace(":M", ":2") if i < 3 else "linear" if w.startswith("leaky:") else w for i, w in enumerate(words)]


def value_for(rng, option):
    if option in COUNTED:
        return rng.choice(COUNTS)
    return rng.choice(VALUES)


def changed(rng, words, options):
    """The words with a value, an option, a character or a word changed."""
    kind = rng.random()
    at = rng.randrange(len(words))
    given = [i for i, w in enumerate(words[:-1]) if w.startswith("--") and not words[i + 1].startswith("--")]
    if kind < 0.3 and given:
        at = rng.choice(given)
        words[at + 1] = value_for(rng, words[at])
    elif kind < 0.6:
        option = rng.choice(options)
        words += [option] if rng.random() < 0.1 else [option, value_for(rng, option)]
    elif kind < 0.8 and at > 0 and words[at] and words[at - 1] not in COUNTED:
        text, place = words[at], rng.randrange(len(words[at]))
        sign = rng.choice("0123nLmx,:;.^*/+-()[]{} =_|eE\"'")
        words[at] = text[:place] + rng.choice(("", sign, sign + text[place])) + text[place + 1:]
    elif kind < 0.9:
        words[1:2] = [rng.choice(("2,3,1", "n,n:L,1", "1", "1,1", "3,0,1", "2,3:0,1", "1000000", "n:L,m:L,1", "2:3,4", "L,L:L,1"))]
    elif kind < 0.95:
        del words[at]
    else:
        words.insert(at, rng.choice(words))
    return words or ["norm"]


def random_line(rng, options):
    words = cheap(rng, base(rng))
    for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 3, 4))):
        words = changed(rng, words, options)
    if rng.random() < 0.15 and "--check" not in words:
        words += ["--check", rng.choice(("2", "3", "10", "30"))]
    return [w for w in words if w not in NEVER]


class Program(in_process.Program):
    results = soak.Program.results


class Driver:
    def __init__(self, path, seed, shared):
        self.shared, self.seed = shared, seed
        self.program = Program(path, SECONDS, shared)
        self.options = options_of(self.program)
        self.schema = json_schema.compiled(json.loads(SCHEMA.read_text()))

    def one(self, number):
        rng = random.Random(f"{self.seed} {number}")
        before = self.program.runs
        try:
            if rng.random() < 1 / QUERIES:
                self.query(rng)
            else:
                self.line(random_line(rng, self.options), rng)
        except soak.Failure as e:
            self.shared.add("failures")
            print(f"FAILURE (number {number}): {e}", flush=True)
        self.shared.add("runs", self.program.runs - before)
        self.program.known.clear()

    def query(self, rng):
        asked = soak.Soak(self.program, rng)
        asked.one()
        self.shared.add("compared", asked.compared)

    def line(self, words, rng):
        def fail(why):
            raise soak.Failure(f"{why}\n  {soak.shown(words)}")

        def parsed(text):
            answer = json.loads(text, parse_constant=lambda x: fail(f"{x} in JSON"))
            wrong = self.schema(answer)
            return fail(f"JSON is not of the schema: {wrong[:500]}") if wrong else answer

        status, out, err = self.program.run([*words, "--format", "json"])
        results = []
        if status in (0, 1):
            self.shared.add("answered")
            if err:
                fail(f"an answer with {err!r}")
            results = parsed(out)["results"]
            for r in results:
                for part in ("exact", "decimal", "form"):
                    if WORD.search(str(r.get(part))) or CODE.match(str(r.get(part))):
                        fail(f"{r['name']}: {part} {r[part]}")
            if status == 1 and words[0] not in ("claim", "verify"):
                fail("a check disagrees")
            if SAMPLED.intersection(words):
                others = self.program.run([*words, "--format", "json", "--threads", "3"])
                if others[0] != status or soak.untyped(others[1]) != soak.untyped(out):
                    fail("another answer with three threads")
        elif status in (2, 3):
            self.shared.add("refused")
            if out:
                fail("a refusal with an answer")
            message = parsed(err)["error"]["message"]
            raw = any(ord(c) < 32 and c != "\n" for c in message)
            if raw or "unexpected failure" in message or not message.strip(" :") or CODE.match(message):
                fail(f"says {message!r}")
        else:
            fail(f"exit status {status}")
        if status == 0 and rng.random() < 0.6:
            return
        form = rng.choice(("text", "csv", "latex", "cpp"))
        other, out, err = self.program.run([*words, "--format", form])
        if other != status:
            fail(f"exit status {status}, with --format {form} {other}: {err}")
        if status in (2, 3):
            if out or not err.startswith("isserlis: "):
                fail(f"says {err!r} and prints {out!r}")
        elif form == "csv":
            self.same_csv(out, results, fail)
        elif form == "text":
            missing = next((r["name"] for r in results if r["name"] not in out), None)
            missing = missing or next((r["decimal"] for r in results if r["decimal"] and r["decimal"] not in out), None)
            if missing:
                fail(f"text without {missing}")

    def same_csv(self, out, results, fail):
        if re.search(r"(^|,)-?(nan|inf)(,|$)", out, re.M | re.I):
            fail("NaN or infinity in CSV")
        rows = list(csv.DictReader(io.StringIO("".join(x for x in out.splitlines(True) if not x.startswith("#")))))
        if not rows or not {"name", "index", "exact", "decimal"} <= rows[0].keys():
            return  # a table of its own
        pairs = [(r["name"], " ".join(map(str, r["index"])), r["exact"] or "", r["decimal"] or "") for r in results]
        if [(row["name"], row["index"], row["exact"], row["decimal"]) for row in rows] != pairs:
            fail("CSV differs from JSON")
        self.shared.add("compared", len(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--runs", type=int, default=10**9)
    parser.add_argument("--only", type=int)
    parser.add_argument("--most-failures", type=int, default=50)
    given = parser.parse_args()
    shared = in_process.Shared()
    driver = Driver(os.path.abspath(given.library), given.seed, shared)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if given.only is not None:
            driver.one(given.only)
            print(soak.shown(shared.words()))
            return 1 if shared["failures"] else 0
        start = time.monotonic()

        def goes_on():
            return (time.monotonic() - start < given.seconds and shared["runs"] < given.runs
                    and shared["failures"] < given.most_failures)

        in_process.work(shared, driver.one, goes_on, soak.shown)
        os.chdir("/")
    seconds = time.monotonic() - start
    print(f"{shared['next']} lines, {shared['runs']} runs in {seconds:.0f} s ({shared['runs'] / seconds:.0f} a second), "
          f"{shared['answered']} answered, {shared['refused']} refused, {shared['compared']} values compared, "
          f"{shared['slow']} too slow, {shared['failures']} failures (seed {given.seed})")
    return 1 if shared["failures"] or not shared["answered"] else 0


if __name__ == "__main__":
    sys.exit(main())
