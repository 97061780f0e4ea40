#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random queries to the program, answered twice.

    python3 tests/soak/soak.py PROGRAM [--seed S] [--seconds T] [--queries N]

Each query in symbols is asked again in numbers at corners of the ranges that the answer states: formula and number
agree, and each number at a small depth has a row whose range holds it. All formats say the same; values outside are
refused. Numbers agree with the strand engine and with sampled networks. A signal, a traceback or an internal failure
is a failure. Exit status 1 after a failure, each of which is printed with the commands that show it.
"""
import argparse
import csv
import fractions
import io
import itertools
import json
import math
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time

import formulas
import queries
from queries import Query

F = fractions.Fraction
TIMEOUT = 60
MOST_CORNERS = 6


class Failure(Exception):
    pass


class Slow(Exception):
    pass


class Program:
    def __init__(self, path):
        self.path = path
        self.runs = 0
        self.known = {}

    def run(self, words):
        """(exit status, output, errors) of one command; bad ends are failures."""
        key = tuple(words)
        if key in self.known:
            return self.known[key]
        self.runs += 1
        try:
            done = subprocess.run([self.path, *words], capture_output=True, text=True, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            raise Slow() from None
        if done.returncode < 0 or done.returncode > 128:
            raise Failure(f"ended by a signal: {done.returncode}\n  {shown(words)}")
        for word in ("Traceback", "unexpected failure", "terminate called", "runtime error"):
            if word in done.stderr:
                raise Failure(f"{done.stderr.strip()[:300]}\n  {shown(words)}")
        self.known[key] = (done.returncode, done.stdout, done.stderr)
        return self.known[key]

    def results(self, words):
        """The results of an answer, or none when it is refused."""
        status, out, _ = self.run([*words, "--format", "json"])
        return json.loads(out)["results"] if status == 0 else None


def shown(words):
    return "isserlis " + " ".join(shlex.quote(w) for w in words)


def text_of(result):
    if result["exact"] is not None:
        return result["exact"]
    return result["form"] if "Product(" in result.get("form", "") else None


def endless(result):
    return {part["symbol"] for part in result.get("range", []) if part.get("to") == "infinity"}


def is_limit(result):
    return bool(endless(result))


def end(text, at):
    return formulas.value(text, at)


def inside(parts, at):
    """Is the point in the range? Symbols without a value are not looked at."""
    for part in parts:
        if "nonzero" in part:
            if formulas.symbols(part["nonzero"]) <= at.keys() and formulas.value(part["nonzero"], at) == 0:
                return False
            continue
        condition = part.get("positive", part.get("not_negative"))
        if condition is not None:
            if not formulas.symbols(condition) <= at.keys():
                continue
            sign = formulas.value(condition, at)
            if sign < 0 or (sign == 0 and "positive" in part):
                return False
            continue
        if part["symbol"] not in at:
            continue
        x = at[part["symbol"]]
        if part["values"] == "whole" and x.denominator != 1:
            return False
        if "least" in part and formulas.symbols(part["least"]) <= at.keys() and x < end(part["least"], at):
            return False
        if "above" in part and x <= end(part["above"], at):
            return False
        if "most" in part and formulas.symbols(part["most"]) <= at.keys() and x > end(part["most"], at):
            return False
        if any(x == end(w, at) for w in part.get("without", [])):
            return False
    return True


def index_at(index, at):
    out = []
    for part in index:
        try:
            out.append(str(formulas.value(str(part), at)))
        except (SyntaxError, KeyError, ValueError):
            out.append(str(part))
    return tuple(out)


def corners(parts, generic, rng):
    """Points of a range: the ends of each symbol, one further, and all least ones together."""
    points = [{}]
    ordered = sorted((p for p in parts if "symbol" in p), key=lambda p: p["symbol"] in generic)
    for part in ordered:
        wider = []
        for at in points:
            if part["values"] == "real" and "above" not in part and "least" not in part:
                choices = [F(-2, 3), F(-3), F(1, 2), F(0)]
            elif part["values"] == "real":
                low = end(part.get("above", part.get("least")), at)
                choices = [low + F(1, 3), low + 2]
                if "most" in part:
                    choices = [(low + end(part["most"], at)) / 2, end(part["most"], at)]
            else:
                try:
                    low = end(part["least"], at)
                    high = end(part["most"], at) if "most" in part else low + 2
                except KeyError:  # an end in a symbol that the result does not have
                    low, high = None, None
                if low is None:
                    return []
                choices = sorted({low, min(low + 1, high), high} if "most" in part else {low, low + 1, low + 2})
                choices = [c for c in choices if low <= c <= high]
            wider += [{**at, part["symbol"]: c} for c in choices]
        points = wider if len(wider) <= 60 else [wider[0], *rng.sample(wider[1:], 59)]
    points = [at for at in points if inside(parts, at)]
    return points if len(points) <= MOST_CORNERS else [points[0], *rng.sample(points[1:], MOST_CORNERS - 1)]


class Soak:
    def __init__(self, program, rng):
        self.program = program
        self.rng = rng
        self.compared = 0
        self.refused = 0

    def numbers(self, query, at):
        """The answer in numbers, as {(name, index): text}."""
        at = {s: v for s, v in at.items() if s in query.symbols}
        setting = ",".join(f"{s}={v}" for s, v in sorted(at.items()))
        words = list(query.words)
        if "--layer" in words:  # results are found by their index
            at_layer = words.index("--layer")
            words = words[:at_layer] + words[at_layer + 2:]
        if setting:
            words += ["--set", setting]
        results = self.program.results(words)
        if results is None:
            return None, words
        return {(r["name"], index_at(r["index"], {})): text_of(r) for r in results}, words

    def check_formulas(self, query, results):
        """Each formula at corners of its range."""
        for r in self.rng.sample(results, min(len(results), 25)):
            text = text_of(r)
            if text is None or "exp(" in text or r["name"] in queries.NOT_COMPARED:
                continue
            if is_limit(r) and "--limit" not in query.words:
                continue
            open_at = {s: F(self.rng.randint(5, 9)) for s in endless(r)}
            parts = [part for part in r.get("range", []) if "to" not in part]
            free = formulas.symbols(text) - {"l"} if "Product(" in text else formulas.symbols(text)
            missing = free - {p.get("symbol") for p in parts} - open_at.keys()
            if missing:
                raise Failure(f"{r['name']} {r['index']}: no range for {sorted(missing)}\n  {shown(query.words)}")
            generic = {p["symbol"] for p in parts if "symbol" in p and "most" in p}
            for at in corners(parts, generic, self.rng):
                whole = {s: at.get(s, F(self.rng.randint(2, 3))) for s in query.symbols}
                whole.update(at)
                whole = {s: v for s, v in whole.items() if s not in open_at}
                if any(s in query.depths and s not in at for s in query.symbols) and not inside(parts, whole):
                    continue
                numbers, words = self.numbers(query, whole)
                name = f"{r['name']} {r['index']} = {text[:300]}\n  at {pretty(whole)}"
                if numbers is None:
                    if self.is_limit_of_service(words):
                        continue
                    raise Failure(f"{name}: refused inside its range {parts}\n  {shown(words)}")
                key = (r["name"], index_at(r["index"], whole))
                if key not in numbers:
                    raise Failure(f"{name}: no such number inside its range\n  {shown(query.words)}\n  {shown(words)}")
                if numbers[key] is None:
                    continue
                try:
                    got = formulas.value(text, {**whole, **open_at})
                    right = formulas.value(numbers[key], open_at)
                except formulas.Undefined as e:
                    raise Failure(f"{name}: {e}\n  {shown(query.words)}\n  {shown(words)}") from None
                if not formulas.same(got, right):
                    raise Failure(f"{name} is {got}, the number {numbers[key][:200]}\n  {shown(query.words)}\n  {shown(words)}")
                self.compared += 1

    def is_limit_of_service(self, words):
        status, _, _ = self.program.run([*words, "--format", "json"])
        return status == 3

    def check_cover(self, query, results):
        """Each number at a small depth has a formula whose range holds it."""
        if not query.covers:
            return
        names = {r["name"] for r in results if text_of(r) is not None and not is_limit(r)} - queries.NOT_COMPARED
        first = query.least_depth
        for depths in itertools.product(range(first, first + 3), repeat=len(query.depths)):
            at = {s: F(self.rng.choice((1, 2, 3))) for s in query.symbols}
            at.update(zip(query.depths, map(F, depths)))
            numbers, words = self.numbers(query, at)
            if numbers is None:
                continue
            for (name, index), text in numbers.items():
                if name not in names or text is None:
                    continue
                if not any(r["name"] == name and self.holds(r, index, at) for r in results):
                    raise Failure(f"{name} {index} = {text[:200]} at {pretty(at)} is in no range\n"
                                  f"  {shown(query.words)}\n  {shown(words)}")

    @staticmethod
    def holds(r, index, at):
        if len(r["index"]) != len(index):
            return False
        point = dict(at)
        generic = {p["symbol"] for p in r.get("range", []) if "symbol" in p and p["symbol"] not in at}
        for part, number in zip(r["index"], index):
            if str(part) in generic:
                point[str(part)] = F(number)
        try:
            return index_at(r["index"], point) == tuple(index) and inside(r.get("range", []), point)
        except ValueError:
            return False

    def check_refusals(self, query):
        symbol = self.rng.choice(sorted(query.depths) or sorted(query.widths) or [None])
        if symbol is None:
            return
        for value in ("0", "-1", "3/2"):
            for option in ("--set", "--table"):
                words = [*query.words, option, f"{symbol}={value}"]
                status, out, errors = self.program.run(words)
                if status not in (2, 3) or out:
                    raise Failure(f"{symbol} = {value} is not refused\n  {shown(words)}")
                if status == 2 and symbol not in errors:
                    raise Failure(f"{symbol} = {value}: the message does not name it: {errors}\n  {shown(words)}")

    def check_formats(self, query, results):
        """CSV, text, LaTeX and C++ have the values and the ranges of JSON."""
        status, out, _ = self.program.run([*query.words, "--format", "csv"])
        if status != 0:
            raise Failure(f"--format csv is refused\n  {shown(query.words)}")
        rows = list(csv.DictReader(io.StringIO("".join(x for x in out.splitlines(True) if not x.startswith("#")))))
        pairs = [(r["name"], " ".join(map(str, r["index"])), r["exact"] or "") for r in results]
        if [(row["name"], row["index"], row["exact"]) for row in rows] != pairs:
            raise Failure(f"CSV differs from JSON\n  {shown(query.words)}")
        ranged = [bool(r.get("range")) for r in results]
        if any(ranged) and [bool(row["range"]) for row in rows] != ranged:
            raise Failure(f"CSV has other ranges than JSON\n  {shown(query.words)}")
        has_range = any(p.get("symbol") and "to" not in p for r in results for p in r.get("range", []))
        for form, sign in (("text", "range: "), ("latex", "\nfor "), ("cpp", "/// for ")):
            status, out, errors = self.program.run([*query.words, "--format", form])
            if status != 0:
                raise Failure(f"--format {form} is refused: {errors}\n  {shown(query.words)}")
            exact = form != "cpp" or any(r["exact"] and formulas.symbols(r["exact"]) for r in results)
            if has_range and exact and form != "latex" and sign not in out:
                raise Failure(f"--format {form} has no range\n  {shown(query.words)}")

    def check_legs(self, leg):
        """Formula against strand engine, and against sampled networks."""
        first = self.program.results(leg.formula)
        second = self.program.results(leg.strands)
        if first is None or second is None:
            return
        wanted = {(r["name"], index_at(r["index"], {})): r["exact"] for r in first}
        if (leg.name, leg.index) not in wanted:
            raise Failure(f"{leg.name} {leg.index} is missing\n  {shown(leg.formula)}")
        others = [r for r in second if r["name"] == leg.other]
        last = next((r for r in others if index_at(r["index"], {}) == leg.index), others[-1])["exact"]
        a, b = wanted[leg.name, leg.index], last
        if not formulas.same(formulas.value(a), formulas.value(b)):
            raise Failure(f"{a} and {b}\n  {shown(leg.formula)}\n  {shown(leg.strands)}")
        self.compared += 1
        if leg.other != "value":
            return
        sampled = [*leg.strands, "--check", "2000", "--seed", str(self.rng.randint(1, 10**6)), "--threads", "1"]
        status, out, _ = self.program.run(sampled)
        if status == 1:
            raise Failure(f"samples disagree\n{out}\n  {shown(sampled)}")

    def check_numbers(self, query):
        """All formats, any number of threads, and sampled networks say the same."""
        results = self.program.results(query.words)
        if results is None:
            self.refused += 1
            return
        if query.has_rows:
            self.check_formats(Query(query.words, set(), []), results)
        sampled = [*query.words, "--check", "2000", "--seed", str(self.rng.randint(1, 10**6)), "--format", "json"]
        first, second = (self.program.run([*sampled, "--threads", str(threads)]) for threads in (1, 3))
        if first[0] == 1:
            raise Failure(f"samples disagree\n  {shown(sampled)}")
        if first[0] != second[0] or untyped(first[1]) != untyped(second[1]):
            raise Failure(f"other numbers with other threads\n  {shown(sampled)}")
        self.compared += len(results)

    def check_trained(self, words):
        """Loss and gradient of a trained network are those of loss-curve on the weights that were saved."""
        with tempfile.TemporaryDirectory() as folder:
            weights = os.path.join(folder, "weights.json")
            trained = [*words, "--seed", str(self.rng.randint(1, 10**6)), "--save", weights]
            results = self.program.results(trained)
            if results is None or not os.path.exists(weights):
                self.refused += 1
                return
            loss = ["--loss", words[words.index("--loss") + 1]] if "--loss" in words else []
            data = words[words.index("--data"):words.index("--data") + 4]
            read = ["loss-curve", "--weights", weights, *data, *loss, "--gradient", "random"]
            curve = self.program.results(read)
        if curve is None:
            raise Failure(f"the weights that were saved are refused\n  {shown(trained)}\n  {shown(read)}")
        last = {r["name"]: float(r["decimal"]) for r in results if r["decimal"]}
        found = {r["name"]: float(r["decimal"]) for r in curve if r["decimal"]}
        pairs = [(last["loss"], found["loss"]), (last["gradient_norm"] ** 2, -found["slope"])]
        if not all(math.isclose(a, b, rel_tol=1e-8, abs_tol=1e-12) for a, b in pairs):
            raise Failure(f"trained {pairs}\n  {shown(trained)}\n  {shown(read)}")
        self.compared += len(pairs)

    def check_sharpness(self, words):
        """The sharpness along a training is that of the weights which the same training saves."""
        seed = ["--seed", str(self.rng.randint(1, 10**6))]
        along = self.program.results(["sharpness", *words[1:], *seed])
        with tempfile.TemporaryDirectory() as folder:
            weights = os.path.join(folder, "weights.json")
            trained = [*words, *seed, "--save", weights]
            loss = ["--loss", words[words.index("--loss") + 1]] if "--loss" in words else []
            data = words[words.index("--data"):words.index("--data") + 4]
            read = ["sharpness", "--weights", weights, *data, *loss]
            if along is None or self.program.results(trained) is None:
                self.refused += 1
                return
            end = self.program.results(read)
        if end is None:
            raise Failure(f"the weights that were saved are refused\n  {shown(trained)}\n  {shown(read)}")
        for name in ("top_eigenvalue", "top_eigenvalue_modulus"):
            last = [r["decimal"] for r in along if r["name"] == name][-1]
            found = [r["decimal"] for r in end if r["name"] == name][-1]
            if (last is None) != (found is None):
                raise Failure(f"{name}: {last} and {found}\n  {shown(trained)}\n  {shown(read)}")
            if last is not None and not math.isclose(float(last), float(found), rel_tol=1e-5, abs_tol=1e-8):
                raise Failure(f"{name}: {last} and {found}\n  {shown(trained)}\n  {shown(read)}")
            self.compared += 1

    def check_search(self, words):
        """A search says the same with any number of threads and from its checkpoint; train reaches the threshold there."""
        seed = self.rng.randint(1, 10**6)
        asked = [*words, "--seed", str(seed)]
        found = self.program.results(asked)
        if found is None:
            self.refused += 1
            return
        with tempfile.TemporaryDirectory() as folder:
            kept = ["--checkpoint", os.path.join(folder, "trials")]
            for others in (["--threads", "3"], kept, [*kept, "--threads", "2"]):
                if self.program.results([*asked, *others]) != found:
                    raise Failure(f"other results\n  {shown(asked)}\n  {shown([*asked, *others])}")
        at = {option: words[i + 1] for i, option in enumerate(words) if option.startswith("--")}
        threshold = {str(r["index"]): r["decimal"] for r in found if r["name"] == "threshold"}
        for r in found:
            if r["name"] != "max_initial_rate" or r["decimal"] is None:
                continue
            train = ["train", words[1], "--rate", r["decimal"], "--seed", str(seed + int(r["index"][-1]) - 1)]
            for option in ("--data", "--size", "--loss", "--batch-size", "--epochs", "--optimiser", "--activation"):
                train += [option, at[option]] if option in at else []
            reached = self.program.results(train)
            if reached is None:
                raise Failure(f"train refuses what the search tried\n  {shown(asked)}\n  {shown(train)}")
            wanted = threshold.get(str(r["index"]))
            best = max(float(x["decimal"]) for x in reached if x["name"] == "accuracy" and x["decimal"])
            if wanted is not None and best < float(wanted):
                raise Failure(f"the threshold {wanted} is not reached: {best}\n  {shown(asked)}\n  {shown(train)}")
            self.compared += 1

    def check_solved(self, words, symbol):
        """What --solve finds meets its target there, and not one further; the value is the one that --set gives."""
        least, most = ("2", "3") if symbol == "n" else ("1", "2")
        known = self.program.results([*words, "--set", f"{symbol}={self.rng.choice((least, most))}"])
        fixed = {tuple(map(str, r["index"])): r for r in known or [] if r["exact"] and not formulas.symbols(r["exact"])}
        if not fixed:
            self.refused += 1
            return
        chosen = self.rng.choice(list(fixed.values()))
        target = formulas.value(chosen["exact"])
        if not isinstance(target, F):
            return
        target *= self.rng.choice((F(1), F(1, 2), F(3)))
        of = ",".join([chosen["name"], *map(str, chosen["index"])])
        asked = [*words, "--solve", symbol, "--of", of, "--target", str(target)]
        results = self.program.results(asked)
        if results is None:
            self.refused += 1
            return
        got = {r["name"]: r["exact"] for r in results}
        found = int(got["solved_width" if symbol == "n" else "solved_depth"])
        inside = "value_at_width" if symbol == "n" else "value_at_depth"
        outside = "value_below_width" if symbol == "n" else "value_above_depth"
        for name, at in ((inside, found), (outside, found + (-1 if symbol == "n" else 1))):
            if got.get(name) is None:
                continue
            value = formulas.value(got[name])
            if (value <= target) != (name == inside):
                raise Failure(f"{name} is {got[name]}, the target {target}\n  {shown(asked)}")
            direct = [*words, "--set", f"{symbol}={at}"]
            rows = [r for r in self.program.results(direct) or []
                    if r["name"] == chosen["name"] and r["index"] == chosen["index"]]
            if rows and rows[0]["exact"] is not None and not formulas.same(formulas.value(rows[0]["exact"]), value):
                raise Failure(f"{name} is {got[name]}, not {rows[0]['exact']}\n  {shown(asked)}\n  {shown(direct)}")
            self.compared += 1

    def check_claim(self, query):
        """A formula that a command prints holds as a claim, and fails when it is a little off."""
        def everywhere(r):
            """A row of special depths says so in its range, which a claim has no words for, and so does a bound that is 0 where
            its formula is negative."""
            return all("most" not in p and p.get("least", "1") in ("0", "1") if "symbol" in p
                       else p.get("not_negative") != r["exact"] for p in r.get("range", []))

        results = [r for r in self.program.results(query.words) or []
                   if r["exact"] and everywhere(r) and not is_limit(r) and not {"l", "l2"} & set(map(str, r["index"]))]
        if not results:
            self.refused += 1
            return
        chosen = self.rng.choice(results)
        index = "[" + ",".join(map(str, chosen["index"])) + "]" if chosen["index"] else ""
        for formula, right in ((chosen["exact"], 0), (f"({chosen['exact']}) + 1/1000", 1)):
            words = ["claim", f"{chosen['name']}{index} = {formula}", *query.words[1:]]
            status, out, errors = self.program.run(words)
            another = f"of isserlis {query.words[0]} " not in out  # whose quantity has the same name
            if status in (2, 3) or another:
                self.refused += 1
                return
            if status != right:
                raise Failure(f"exit code {status}, not {right}: {out[-500:]}{errors}\n  {shown(words)}")
            self.compared += 1

    def one(self):
        kind = self.rng.random()
        if kind < 0.02:
            self.check_sharpness(queries.training(self.rng))
            return
        if kind < 0.04:
            self.check_search(queries.search(self.rng))
            return
        if kind < 0.08:
            self.check_solved(*queries.solved(self.rng))
            return
        if kind < 0.12:
            self.check_claim(queries.claimed(self.rng))
            return
        kind = self.rng.random()
        if kind < 0.05:
            self.check_trained(queries.training(self.rng))
            return
        if kind < 0.15:
            self.check_numbers(queries.random_numbers(self.rng))
            return
        if kind < 0.3:
            self.check_legs(queries.random_leg(self.rng))
            return
        query = queries.random_query(self.rng)
        results = self.program.results(query.words)
        if results is None:
            self.refused += 1
            return
        self.check_formulas(query, results)
        self.check_cover(query, results)
        if self.rng.random() < 0.3:
            self.check_formats(query, results)
        if self.rng.random() < 0.2:
            self.check_refusals(query)


def untyped(answer):
    """An answer without the command line, which says how many threads there were."""
    if not answer:
        return answer
    out = json.loads(answer)
    return {key: out[key] for key in out if key not in ("command_line", "inputs")}


def pretty(at):
    return ", ".join(f"{s} = {v}" for s, v in sorted(at.items()))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("program")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--seconds", type=float, default=600)
    arguments.add_argument("--queries", type=int, default=10**9)
    arguments.add_argument("--most-failures", type=int, default=20)
    given = arguments.parse_args()
    start = time.monotonic()
    program = Program(given.program)
    failures, slow, done, compared, refused = 0, 0, 0, 0, 0
    while done < given.queries and time.monotonic() - start < given.seconds and failures < given.most_failures:
        soak = Soak(program, random.Random(f"{given.seed} {done}"))
        done += 1
        try:
            soak.one()
        except Failure as e:
            failures += 1
            print(f"FAILURE {failures} (query {done}): {e}\n", flush=True)
        except Slow:
            slow += 1
        program.known.clear()
        compared += soak.compared
        refused += soak.refused
    print(f"{done} queries, {program.runs} runs, {compared} values compared, {refused} refused, {slow} too slow, "
          f"{failures} failures (seed {given.seed})")
    if compared == 0:
        print("nothing was compared")
    return 1 if failures or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
