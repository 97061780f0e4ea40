#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Zero factors, variances, inputs and targets through every command, in numbers and beside symbols.

    python3 tests/soak/zeros.py PROGRAM [--check N]

Each line is answered, refused by name, or a check that says it cannot tell: no signal, no internal failure, no NaN and
no infinity; JSON that is JSON; nothing printed beside a refusal; all formats with one exit status. Two zeros that are
written differently have one answer.
"""
import argparse
import itertools
import json
import re
import subprocess
import sys
import tempfile
import time

SLOW = 20
ZEROS = ("0", "n-n", "0*n", "0/1")
FORMATS = ("text", "json", "csv", "latex", "cpp")
COMMANDS = {
    "norm": ("2,3,1", "2,n,1", "2,n:L,1"),
    "init": ("2,3,1", "n0,n:L,1"),
    "jacobian": ("2,3,1", "2,n,1", "n,n:L,1", "3:3 --network resnet:2", "n:3 --network densenet"),
    "hessian": ("2,3,1", "2,n,1", "n,n:L,1", "2,3,1 --functionals"),
    "ntk": ("2,3,1", "2,n,1", "n,n:L,1"),
    "mup": ("2,3,1", "2,n,n,1"),
    "coord-check": ("2,3,1", "2,n,1 --widths 2,3"),
    "report": ("2,3,1", "2,n,1", "n,n:L,1"),
    "expect": (
        "(D[m,n]loss)^2 2,3,1",
        "(D[m,n]loss)^2 n,n:L,1",
        "E[z^4]/E[z^2]^2 2,n,1",
        "z[;m]^2 n,n:L,1",
        "z[;m]^2 n,n:L,1 --limit double-scaling",
        "E[z^4]/(E[z^4]+E[z^2]) n,n:L,1 --limit double-scaling",
        "z[;m]^2 n,n:L,1 --series 1/n",
    ),
    "form": ("A.12 2,3,2,2,2 --with tests/cli/indices.json",),
    "loss-curve": (
        "2,3,1 --data cos --gradient random --activation linear",
        "2,3,1 --data cos --gradient fixed --samples 20",
    ),
    "trace": ("tr(W*W^T)^2 --shape W=2,3", "tr(W*W^T)^2 --shape W=n"),
    "jacobian --limit wide": ("n,n:L",),
    "jacobian --limit double-scaling": ("n,n:L",),
    "jacobian --limit deep": ("n,n:L", "4,4:L --network densenet --head activation"),
}
OPTIONS = (
    "--variance {}",
    "--input-squared-norm {}",
    "--target-second-moment {}",
    "--label-factor {}",
    "--eta {}",
    "--eta-squared {} --effective",
    "--alpha {}",
    "--kurtosis {}",
    "--c {}",
    "--input {},{}",
    "--variance {} --input-squared-norm {}",
    "--target-second-moment {} --input-squared-norm {}",
    "--activation leaky:{}",
    "--input-fourth {}",
    "--bias-label-factor {}",
)


class Runs:
    def __init__(self, program, check):
        self.program, self.check, self.count, self.failures = program, check, 0, []

    def fail(self, words, why):
        self.failures.append(f"{' '.join(words)}: {why}")

    def run(self, words):
        self.count += 1
        start = time.monotonic()
        try:
            done = subprocess.run([self.program, *words], capture_output=True, timeout=SLOW * 3, check=False)
        except subprocess.TimeoutExpired:
            self.fail(words, f"no end in {SLOW * 3} s")
            return None
        if time.monotonic() - start > SLOW:
            self.fail(words, f"{time.monotonic() - start:.0f} s")
        out, err = done.stdout.decode(), done.stderr.decode()
        if done.returncode not in (0, 1, 2, 3):
            self.fail(words, f"exit status {done.returncode}: {err}")
        if done.returncode == 1:
            self.fail(words, "a check disagrees")
        if done.returncode in (2, 3) and (out or not err):
            self.fail(words, "a refusal prints, or says nothing")
        if "unexpected failure" in err or re.search(r"\b(nan|inf)\b", out.split("assumes", 1)[0], re.I):
            self.fail(words, err or "NaN or infinity")
        for line in out.splitlines():
            if not line.startswith(("assumes", "#", "//", "%", "isserlis", "note")) and re.search(r"[ ,:=-](nan|inf)\b", line, re.I):
                self.fail(words, line)
        return done.returncode, out

    def all_formats(self, words):
        answers = {}
        for form in FORMATS:
            found = self.run([*words, "--format", form])
            if found is None:
                return None
            answers[form] = found
        if len({code for code, _ in answers.values()}) > 1:
            self.fail(words, "exit statuses " + str({f: c for f, (c, _) in answers.items()}))
        code, text = answers["json"]
        if code != 0:
            return None
        try:
            found = json.loads(text, parse_constant=lambda x: self.fail(words, x))
        except json.JSONDecodeError as e:
            self.fail(words, str(e))
            return None
        return [(r["name"], r["index"], r["exact"], r["decimal"]) for r in found["results"]]

    def line(self, command, rest, option):
        words = command.split() + rest.split()
        results = {}
        for zero in ZEROS:
            if "n" in zero and not re.search(r"\bn\b", rest):
                continue
            if zero == "n-n" and "{},{}" in option:
                continue
            results[zero] = self.all_formats(words + [w.replace("{}", zero) for w in option.split()])
        if results.get("0") is not None:
            for zero, found in results.items():
                if found is not None and found != results["0"]:
                    self.fail(words, f"{option}: {zero} is another answer than 0")
        if self.check and results.get("0") is not None and not re.search(r"\bn\b", rest) and "form" not in command:
            self.run(words + option.replace("{}", "0").split() + ["--check", str(self.check)])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--check", type=int, default=50)
    arguments = parser.parse_args()
    runs = Runs(arguments.program, arguments.check)
    for (command, rests), option in itertools.product(COMMANDS.items(), OPTIONS):
        for rest in rests:
            runs.line(command, rest, option)
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:  # zeros in a data set
        file.write("x1,y1\n0,0\n0,0\n")
        file.flush()
        for form in FORMATS:
            for option in ("--gradient random --activation linear", "--gradient fixed --activation linear", "--gradient random --samples 20"):
                runs.run(["loss-curve", "2,3,1", "--data", file.name, *option.split(), "--format", form])
    for failure in runs.failures:
        print(failure)
    print(f"{runs.count} runs, {len(runs.failures)} failures")
    return 1 if runs.failures else 0


if __name__ == "__main__":
    sys.exit(main())
