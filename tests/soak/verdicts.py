#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""False alarms of --check: how often right formulas are called wrong.

    python3 tests/soak/verdicts.py PROGRAM [--seeds N] [--seconds T] [--samples N,N,..] [--jobs J] [--seed FIRST]
        [--only COMMAND] [--each-quantity] [--keep FILE]

PROGRAM is the program, or BUILD/lib/libsoak_in_process.so (target soak_in_process), which runs ten times as many a second.
Every network is sampled N times under each of the seeds, or under as many as T seconds for it and N allow, and every
verdict is counted; with --each-quantity only as few networks, and as quick ones, as have every quantity. The formulas are
right (other tests see to that), so that each "disagrees" or "fails" is a false alarm: it is printed with the command that
shows it, and the exit status is 1. Ctrl-C ends the runs and prints what was counted.

A first table has of each command and N the verdicts, how many agree, how many tell nothing, the largest |z| among the
conclusive ones, and the largest |z| of all. A second one has of each quantity the rate of false alarms that its margins
lead to (tail.py), by every error that has to refute. --keep FILE leaves the margins for tail.py, which puts together the
runs of several seeds.
"""
import argparse
import array
import collections
import concurrent.futures
import functools
import json
import math
import os
import pathlib
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import in_process
import tail

NETWORKS = [
    "norm 2,3,1",
    "norm 2,10:3,1",
    "norm 8,2:6,1",
    "norm 2,1:5,1 --order 4",
    "norm 3,4,2 --law uniform --input-fourth 1",
    "norm 3,4,2 --law laplace --input-fourth 1 --activation linear",
    "norm 2,3,4,1 --variance 1,2/3,1/2 --bias-variance 1/2,1/3,2",
    "norm 3,4,3,3 --law orthogonal,uniform,gaussian --input 1,1,1",
    "norm 200,200:2,200 --order 4",
    "ntk 2,3,1",
    "ntk 2,6,6,1",
    "mup 3,3,1",
    "mup 8,8:3,1",
    "mup 2,4:10,1",
    "mup 2,3,1 --input inputs.csv",
    "mup 2,4,1 --parametrisation mup",
    "hessian 1,2,1",
    "hessian 2,2,1",
    "hessian 2,4,4,1",
    "hessian 3,2:5,1",
    "hessian 2,1,1 --input inputs.csv",
    "hessian 2,3,1 --input inputs.csv",
    "hessian 2,3,1 --effective --functionals",
    "jacobian 2,3,1",
    "jacobian 2,10:3,1",
    "jacobian 2,1:4,1 --activation linear",
    "jacobian 4:6 --network densenet",
    "jacobian 3:4 --network resnet:2",
    "jacobian 2,2,2 --wrt input",
    "jacobian 4,5:2,3 --wrt input",
    "expect z^3 2,3,1",
    "expect z^5 2,2:3,1",
    "expect z^4 2,12,1",
    "expect z^6 2,1:5,1",
    "expect Var[z^2] 2,3,1",
    "expect tr((J^T)^2) 3,4,3",
    "expect z[;m]^2 2,3,1",
    "coord-check 2,2,2,1",
    "coord-check 4,6,6,1",
    "coord-check 3,3:2,1 --optimiser sign --input 1,-2,1",
    "coord-check 3,4:2,1 --optimiser normalised --parametrisation ntk",
    "mup 2,2:2,1 --optimiser muon --parametrisation mean-field",
    "mup 3,4:2,1 --optimiser muon --parametrisation mean-field",
    "mup 3,3:2,1 --network resnet:2 --projections --optimiser muon --parametrisation mup",
    "coord-check 2,2,1 --steps 2 --eta 1/50 --activation linear",
    "coord-check 3,3:2,1 --steps 2 --eta 1/50 --activation linear",
    "moments 2,3,1",
    "products 2,3,1",
    "products 40,40,40",
    "init 2,3,1",
    "init 2,2:5,1",
    "init 2,4,2 --activation crelu",
    "gain relu tanh",
    "gain selu --variance 9",
    "normalised 4,3:2,1",
    "normalised 4,8,8,1 --norm layer",
    "normalised 3:3 --network resnet:2",
    "kernel relu",
    "kernel relu --relative-widths 1/8",
    "kernel gelu leaky:1/10 --bias-variance 1/20",
    "transfer 1,1,1 1,2,1",
    "transfer 2,3,1 2,4:2,1",
    "depth-rules 1,1,1 --network resnet:1 --depths 2 --multiplier 1/2",
    "depth-rules 2,3,1 --depths 2",
    "depth-rules 2,3,1 --network resnet:1 --depths 2 --multiplier 1/2",
    "loss-curve 2,3,1 --data cos --size 2 --gradient random",
    "loss-curve 2,1:5,1 --data cos --size 2 --gradient random",
    "loss-curve 2,4,1 --data cos --size 3 --gradient fixed --activation linear",
    "loss-curve 2,3:2,1 --network resnet:1 --projections --activation linear --data cos --size 2 --gradient random",
    "form A.9 2,2,2,2 --with form.json",
    "form A.14 2,2,2 --with form.json",
    "trace tr((W^T)^2) --shape W=3",
    "trace tr((A)^4) --shape A=4 --law orthogonal",
    "trace tr((A)^3) --shape A=2",
    "report 2,2,1",
    "report 2,3,1",
]
FILES = {
    "inputs.csv": "1,0\n1,1\n-1/2,2\n",
    "form.json": (pathlib.Path(__file__).with_name("form.json")).read_text(),
}
CONFIRMED = ("agrees", "holds")
WRONG = ("disagrees", "fails")
FEWEST = 30  # as verify/check.hpp has it, and the thresholds below
HEAVY, LIGHT, CONCLUSIVE, REFUTING = 100, 5, 0.1, 0.02
MOMENTS = ("second_moment", "rho", "gamma", "nu", "tau", "eta")
CHUNK = 20  # seeds that a worker is given at once


def sampled_threshold(n):
    nu, z = max(1, n - 1), LIGHT
    return (z + (z**3 + z) / (4 * nu) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * nu**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * nu**3))


@functools.cache
def any_law(n):
    """A bound of the probability of a gap of HEAVY exact errors and `sampled_threshold` sampled ones, for n independent
    samples of any law: docs/reliability.md has both proofs."""
    t2 = sampled_threshold(n) ** 2
    q = n * t2 / (n - 1 + t2)

    def by_large_samples(c):
        k = next(k for k in range(n + 1) if math.sqrt(k / q) + (n - k) * c / (HEAVY * math.sqrt(n)) >= 1)
        return 2 * math.comb(n, k) / (1 + c * c) ** k

    half = 0.5 / (1 / (3 * q) + 4 / (3 * HEAVY**2))
    m = math.exp(2 * half / 3)
    by_supermartingale = math.sqrt(2 + m) * math.exp(-half) + 0.5 / m
    return min(by_supermartingale, *map(by_large_samples, range(1, HEAVY)))


def is_blunt(exact, error):
    return exact != 0 and error > CONCLUSIVE * abs(exact)


def skewed_threshold(n, skewness):
    return sampled_threshold(n) + 8.5 * skewness / math.sqrt(n) + 130 / n


def skewness(inner_widths):
    """Of the fourth power of an entry of a product of Gaussian matrices, as verify/products.cpp has it."""
    fourth, eighth, twelfth = 3, 105, 10395
    for m in inner_widths:
        fourth *= m * (m + 2)
        eighth *= m * (m + 2) * (m + 4) * (m + 6)
        twelfth *= m * (m + 2) * (m + 4) * (m + 6) * (m + 8) * (m + 10)
    second, third = eighth / fourth**2, twelfth / fourth**3
    return (third - 3 * second + 2) / (second - 1)**1.5


def margin(line, name, index, exact, check):
    """How far a verdict is on its way to a false alarm: 1 is one. None where there is no such way."""
    z, n, error, mean = check["z"], check["samples"], check["std_error"], check["mean"]
    if z is None or not error:
        return None
    if name.endswith(("_upper", "_lower")):
        wrong = -z if name.endswith("_lower") else z
        return wrong / sampled_threshold(n) if n >= FEWEST or wrong <= 0 else None
    blunt = is_blunt(exact, error)
    if "sampled_error" in check or check["std_error_kind"] == "exact":
        if n <= 2:
            return None
        by_sample = check.get("sampled_error")
        sampled = abs(z) * error / by_sample / sampled_threshold(n) if by_sample else math.inf
        if check["std_error_kind"] == "sampled":  # which the exact one has refuted
            return sampled
        return min(sampled, abs(z) / (HEAVY if blunt else LIGHT))
    if n < FEWEST:
        return None
    if name.startswith("log_"):
        return abs(z) / (HEAVY if blunt else skewed_threshold(n, 2))
    if name in ("phi", "psi"):  # whose skewness is at least that of the fourth power of a normal variable
        return abs(z) / (HEAVY if blunt else skewed_threshold(n, skewness([])))
    if name in MOMENTS:
        widths = [int(m) for m in line.split(" ")[1].split(",")]
        return abs(z) / (HEAVY if blunt else skewed_threshold(n, skewness(widths[1:index[0]])))
    return min(abs(z) / HEAVY, REFUTING * abs(mean) / error)


def runner(path):
    """A function from words to (exit status, output, errors)."""
    if path.endswith(".so"):
        program = in_process.Program(path, seconds=0)

        def run(words):
            program.known.clear()
            return program.run(words)
    else:
        def run(words):
            done = subprocess.run([path, *words], capture_output=True, text=True, check=False)
            return done.returncode, done.stdout, done.stderr
    return run


def set_out(path):
    """A worker, which leaves Ctrl-C to the process that counts."""
    global run_words
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    run_words = runner(path)


def asked(network, seeds):
    """(words, results that are checked or None, trouble) of each seed, and the processor seconds of all."""
    line, n = network
    answers, begin = [], used()
    for seed in seeds:
        words = line.split(" ") + ["--check", n, "--seed", str(seed), "--threads", "1", "--yes", "--format", "json"]
        status, out, errors = run_words(words)
        if status in (0, 1):
            answers.append((words, [r for r in json.loads(out)["results"] if r.get("check")], ""))
        else:
            answers.append((words, None, errors.strip()[:300]))
    return answers, used() - begin


def used():
    mine, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + children.ru_utime + children.ru_stime


def cover(pool, networks, seed):
    """Of each N, networks that have every quantity that any has: those with most new ones a second, and of these none
    whose quantities others have."""
    found = {network: (set(r["name"] for _, results, _ in answers for r in results or []), seconds)
             for network, (answers, seconds) in zip(networks, pool.map(asked, networks, [[seed]] * len(networks)))}
    chosen = []
    for n in {n: None for _, n in networks}:
        left, taken = set().union(*(names for (_, m), (names, _) in found.items() if m == n)), []
        while left:
            best = max((x for x in networks if x[1] == n), key=lambda x: len(found[x][0] & left) / found[x][1])
            taken.append(best)
            left -= found[best][0]
        for network in sorted(taken, key=lambda x: -found[x][1]):
            others = set().union(*(found[x][0] for x in taken if x != network))
            if found[network][0] <= others:
                taken.remove(network)
        chosen += taken
    return chosen


def answers_of(pool, networks, options):
    """Answers as `asked` has them, some chunks of seeds of a network ahead of what is counted."""
    for network in networks:
        end = time.monotonic() + options.seconds
        seeds = range(options.seed, options.seed + options.seeds)
        waiting = collections.deque()
        for first in range(0, len(seeds), CHUNK):
            if time.monotonic() > end:
                break
            waiting.append(pool.submit(asked, network, seeds[first:first + CHUNK]))
            if len(waiting) > 2 * options.jobs:
                yield from waiting.popleft().result()[0]
        while waiting:
            yield from waiting.popleft().result()[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--samples", default="2,10,100")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--each-quantity", action="store_true")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()

    path = os.path.abspath(options.program)
    options.keep = options.keep and options.keep.absolute()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, text in FILES.items():
            pathlib.Path(name).write_text(text)
        status = count(path, options)
        os.chdir("/")
    return status


def count(path, options):
    counts = collections.defaultdict(collections.Counter)
    largest = collections.defaultdict(float)
    conclusive = collections.defaultdict(float)
    margins, bounds = collections.defaultdict(lambda: array.array("f")), {}
    alarms = failures = 0
    runs = collections.Counter()
    networks = [(line, n) for line in NETWORKS if line.startswith(options.only) for n in options.samples.split(",")]
    with concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=set_out, initargs=(path,)) as pool:
        if options.each_quantity:
            networks = cover(pool, networks, options.seed)
        answers = answers_of(pool, networks, options)
        while True:
            try:
                words, results, trouble = next(answers)
            except (StopIteration, KeyboardInterrupt):
                pool.shutdown(cancel_futures=True)
                break
            if results is None:
                failures += 1
                if failures <= 20:
                    print("failed:", shlex.join(words), trouble, flush=True)
                continue
            key = (" ".join(words[: words.index("--check")]), words[words.index("--check") + 1])
            runs[key] += 1
            for r in results:
                check = r["check"]
                verdict, z = check["verdict"], check.get("z")
                counts[key][verdict] += 1
                size = abs(z) if z is not None and math.isfinite(z) else 0.0
                largest[key] = max(largest[key], size)
                if verdict != "inconclusive":
                    conclusive[key] = max(conclusive[key], size)
                index, exact, n = r.get("index", []), float(r["decimal"] or "nan"), check["samples"]
                row = (*key, r["name"], ",".join(map(str, index)))
                found = margin(key[0], r["name"], index, exact, check)
                if found is not None:
                    margins[row].append(found)
                is_exact = check["std_error_kind"] == "exact"
                if is_exact or "sampled_error" not in check:  # else the exact error is not told
                    is_bounded = "sampled_error" in check and n > 2 and is_blunt(exact, check["std_error"])
                    bounds[row] = max(bounds.get(row, 0), any_law(n) if is_bounded else 1)
                if verdict in WRONG:
                    alarms += 1
                    if alarms <= 100:
                        print(f"false alarm: {shlex.join(words[:-5])}: {r['name']} {index} z = {z}", flush=True)
    bounds = {row: bound for row, bound in bounds.items() if bound < 1}
    total = sum(sum(c.values()) for c in counts.values())
    print(f"{'network':58} {'N':>6} {'seeds':>6} {'verdicts':>9} {'agree':>7} {'nothing':>8} {'wrong':>6} {'|z| told':>9} {'|z|':>9}")
    for key, c in counts.items():
        n = sum(c.values())
        wrong = sum(c[v] for v in WRONG)
        print(f"{key[0]:58} {key[1]:>6} {runs[key]:6} {n:9} {sum(c[v] for v in CONFIRMED) / n:7.1%} {c['inconclusive'] / n:8.1%} "
              f"{wrong:6} {conclusive[key]:9.3g} {largest[key]:9.3g}")
    silent = [f"{line} at {n}" for line, n in networks if (line, n) not in counts]
    if silent:
        print("nothing was checked:", "; ".join(silent))
    tail.print_rates(margins, bounds)
    if options.keep:
        options.keep.write_text(json.dumps([[*key, bounds.get(key), found.tolist()] for key, found in margins.items()]))
    print(f"{alarms} false alarms among {total} verdicts of {sum(runs.values())} runs, {failures} failed; seeds from {options.seed}")
    return 1 if alarms or failures or not total else 0


if __name__ == "__main__":
    sys.exit(main())
