#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""False alarms of --check: how often right formulas are called wrong.

    python3 tests/soak/verdicts.py PROGRAM [--seeds N] [--seconds T] [--samples N,N,..] [--jobs J] [--seed FIRST]
        [--only COMMAND]

PROGRAM is the program, or BUILD/lib/libsoak_in_process.so (target soak_in_process), which runs ten times as many a second.
Every network is sampled N times under each of the seeds, or under as many as T seconds for it and N allow, and every
verdict is counted. The formulas are right (other
tests see to that), so that each "disagrees" or "fails" is a false alarm: it is printed with the command that shows it,
and the exit status is 1. A table follows: of each command and N the verdicts, how many agree, how many tell nothing,
the largest |z| among the conclusive ones, and the largest |z| of all.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import shlex
import subprocess
import sys
import time

import in_process

NETWORKS = [
    "norm 2,3,1",
    "ntk 2,3,1",
    "mup 3,3,1",
    "hessian 2,2,1",
    "jacobian 2,3,1",
    "norm 2,10:3,1",
    "norm 8,2:6,1",
    "norm 3,4,2 --law uniform --input-fourth 1",
    "ntk 2,6,6,1",
    "mup 8,8:3,1",
    "mup 2,4:10,1",
    "hessian 2,4,4,1",
    "hessian 3,2:5,1",
    "jacobian 2,10:3,1",
    "jacobian 4:6 --network densenet",
    "expect z^4 2,12,1",
    "expect z^6 2,1:5,1",
    "coord-check 4,6,6,1",
]


def runner(path):
    """A function from words to (exit status, output, errors)."""
    if path.endswith(".so"):
        program = in_process.Program(path)

        def run(words):
            program.known.clear()
            return program.run(words)
    else:
        def run(words):
            done = subprocess.run([path, *words], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout, done.stderr
    return run


def asked(run, words):
    status, out, errors = run(words)
    if status not in (0, 1):
        return words, None, errors.strip()[:300]
    return words, json.loads(out)["results"], ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--samples", default="2,10,100")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()

    counts = collections.defaultdict(collections.Counter)
    largest = collections.defaultdict(float)
    conclusive = collections.defaultdict(float)
    alarms = failures = 0
    run = runner(options.program)
    if options.program.endswith(".so"):
        options.jobs = 1
    networks = [(line, n) for line in NETWORKS if line.startswith(options.only) for n in options.samples.split(",")]

    def tasks():
        for line, n in networks:
            end = time.monotonic() + options.seconds
            for seed in range(options.seed, options.seed + options.seeds):
                if time.monotonic() > end:
                    break
                yield line.split() + ["--check", n, "--seed", str(seed), "--threads", "1", "--format", "json"]

    runs = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        answers = map(lambda w: asked(run, w), tasks())
        if options.jobs > 1:
            answers = pool.map(lambda w: asked(run, w), list(tasks()))
        for words, results, trouble in answers:
            if results is None:
                failures += 1
                print("failed:", shlex.join(words), trouble)
                continue
            key = (" ".join(words[: words.index("--check")]), words[words.index("--check") + 1])
            runs[key] += 1
            for r in results:
                check = r.get("check")
                if not check:
                    continue
                verdict, z = check["verdict"], check.get("z")
                counts[key][verdict] += 1
                size = abs(z) if z is not None and math.isfinite(z) else 0.0
                largest[key] = max(largest[key], size)
                if verdict != "inconclusive":
                    conclusive[key] = max(conclusive[key], size)
                if verdict in ("disagrees", "fails"):
                    alarms += 1
                    if alarms <= 20:
                        index = ",".join(map(str, r.get("index", [])))
                        print(f"false alarm: {shlex.join(words[:-4])}: {r['name']} {index} z = {z}")
    total = sum(sum(c.values()) for c in counts.values())
    print(f"{'network':34} {'N':>6} {'seeds':>6} {'verdicts':>9} {'agree':>7} {'nothing':>8} {'wrong':>6} {'|z| told':>9} {'|z|':>9}")
    for key, c in counts.items():
        n = sum(c.values())
        wrong = c["disagrees"] + c["fails"]
        print(f"{key[0]:34} {key[1]:>6} {runs[key]:6} {n:9} {(c['agrees'] + c['holds']) / n:7.1%} {c['inconclusive'] / n:8.1%} "
              f"{wrong:6} {conclusive[key]:9.3g} {largest[key]:9.3g}")
    print(f"{alarms} false alarms among {total} verdicts of {sum(runs.values())} runs, {failures} failed; seeds from {options.seed}")
    return 1 if alarms or failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
