# SPDX-License-Identifier: MIT
"""Changes one literal or operator at a time and asks whether the tests notice.

    python3 tests/mutation/mutate.py BUILD                    all formulas, the strand engine, the verdicts: many hours
    python3 tests/mutation/mutate.py BUILD FILE..             files whose path contains one of these words
    python3 tests/mutation/mutate.py BUILD --sample N FILE..  N mutants of each of them, drawn with --seed
    python3 tests/mutation/mutate.py BUILD --self-check       a mutant that must die and a comment that must not

BUILD is a built tree of the preset check. A mutant of a file is judged by the test of its own name,
tests/ROOM/NAME_test.cpp for src/ROOM/NAME.cpp and include/isserlis/ROOM/NAME.hpp, by the one that JUDGES names, or by
all tests of its room. A mutated source is compiled and loaded before the library; of a mutated header the source and
the test of its name are compiled anew, and where it has no test of its name each source of its room that includes it.
A test that runs ten times as long as without a mutant, and 10 seconds more, has found it; so has one that takes more
than 6 GB.
Outside comments, strings, preprocessor lines and static_assert every whole number grows by 1, and + - * / < <= > >= == != &&
|| between blanks are exchanged. Exit status 1 where a mutant survives that tests/mutation/harmless.txt does not name.
BUILD/mutants.txt remembers what was killed, by the text of the mutated file, and is not judged again; whoever loosens a test
removes it.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIB = ROOT / "lib"
FILES = ("include/isserlis/formula/*.hpp", "src/formula/*.cpp", "include/isserlis/strand/*.hpp", "src/strand/*.[ch]pp",
         "include/isserlis/verify/*.hpp", "src/verify/*.cpp")
OPERATORS = {"+": "-", "-": "+", "*": "+", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
             "&&": "||", "||": "&&"}
JUDGES = {"formula/unit_jets": "unit_moments"}  # ROOM/NAME of a file: the test of another name
TOKEN = re.compile(r"(?<![\w.'])(?<!\de-)\d+(?![\w.'])|(?<= )(?:<=|>=|==|!=|&&|\|\||[-+*/<>])(?= )")


def blanked(text):
    """The text with comments, strings, directives and static_assert as blanks, each character in its place."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    for pattern in (r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", r"^[ \t]*#[^\n]*",
                    r"^[ \t]*static_assert[^;]*;", r"^[ \t]*template <[^\n]*"):
        text = re.sub(pattern, blank, text, flags=re.M | re.S)
    return text


def mutants_of(path):
    """(path, start, end, replacement) of each mutant of a file."""
    out = []
    for match in TOKEN.finditer(blanked(path.read_text())):
        token = match[0]
        out.append((path, match.start(), match.end(), str(int(token) + 1) if token[0].isdigit() else OPERATORS[token]))
    return out


def described(mutant, all_of_line=False):
    """FILE #N CODE, where N counts the mutants of that line of code; * stands for all of them."""
    path, start, end, replacement = mutant
    text = path.read_text()
    begin = text.rfind("\n", 0, start) + 1
    line = text[begin:text.find("\n", start)].strip()
    number = "*" if all_of_line else 1 + sum(begin <= m.start() < start for m in TOKEN.finditer(blanked(text)))
    return f"{path.relative_to(LIB)} #{number} {line}"


class Build:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        listed = subprocess.run(["ninja", "-C", str(self.folder), "-t", "compdb"], capture_output=True, text=True, check=True)
        self.commands = {e["file"]: e["command"] for e in json.loads(listed.stdout) if " -c " in e["command"]}
        self.included = {}  # {source of the library: what it includes}
        deps = subprocess.run(["ninja", "-C", str(self.folder), "-t", "deps"], capture_output=True, text=True, check=True)
        for block in deps.stdout.split("\n\n"):
            read = [line.strip() for line in block.splitlines()[1:]]
            self.included.update({f: set(read) for f in read[:1] if f.startswith(f"{LIB}/src/")})
        self.links = {}  # {room: the words that link its tests}
        self.limits = {}  # {words of a test: seconds that it may take}
        self.memory = self.folder / "mutants.txt"
        self.remembered = dict(line.split(" ", 1) for line in self.memory.read_text().splitlines()) if self.memory.exists() else {}
        self.lock = threading.Lock()

    def seconds(self, room, only):
        """The time limit of a test on a mutant; it has to pass without one."""
        with self.lock:
            if (room, *only) not in self.limits:
                begin = time.monotonic()
                if not self.test(str(self.folder / "bin" / f"test_{room}"), only, 1200):
                    sys.exit(f"tests/{room} {' '.join(only)} fails without a mutant; is {self.folder} built?")
                self.limits[room, *only] = 10 + 10 * (time.monotonic() - begin)
            return self.limits[room, *only]

    def test(self, program, only, seconds, **environment):
        return self.run([program, "-m", "-aa=1", *only], seconds, RC_PARAMS="seed=1 max_success=100", **environment)

    def remember(self, key, found):
        with self.lock, self.memory.open("a") as file:
            file.write(f"{key} {found}\n")

    def sources_with(self, path, has_test):
        """The sources of the room of a file that have it in them; of a header with a test the one of its name."""
        if path.suffix == ".cpp":
            return [path]
        room = LIB / "src" / path.parent.name
        if has_test:
            own = room / f"{path.stem}.cpp"
            return [own] if str(own) in self.commands else []
        return [pathlib.Path(s) for s, read in self.included.items() if str(path) in read and pathlib.Path(s).parent == room]

    def compile(self, source, out, overlay, text=None):
        """Compiles a source of the tree, or a changed text of it; headers in `overlay` come first."""
        words = [w for w in shlex.split(self.commands[str(source)]) if not re.match(r"-O\d|-M[DTF]|-Werror|-W", w)]
        for flag in ("-MT", "-MF", "-o", "-c"):
            if flag in words:
                at = words.index(flag)
                del words[at:at + 2]
        words = [w for w in words if not w.endswith((".o", ".d"))]
        name = str(source)
        if text is not None or (overlay / "src").exists():  # beside the changed header, where quotes look first
            path = pathlib.Path(source)
            target = overlay / (path.relative_to(LIB) if LIB in path.parents else "test.cpp")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(pathlib.Path(source).read_text() if text is None else text)
            name = str(target)
        includes = [f"-I{overlay}/include", f"-I{overlay}/src", f"-iquote{pathlib.Path(source).parent}"]
        return self.run([words[0], *includes, *words[1:], "-O1", "-fPIC", "-w", "-c", name, "-o", str(out)], 600)

    def link(self, room, test, program):
        """Links one test as its room is linked, with what is no test there."""
        with self.lock:
            if room not in self.links:
                listed = subprocess.run(["ninja", "-C", str(self.folder), "-t", "commands", f"test_{room}"], check=True,
                                        capture_output=True, text=True)
                self.links[room] = shlex.split(listed.stdout.splitlines()[-1])
        words = [w for w in self.links[room] if w not in (":", "&&") and not w.endswith("_test.cpp.o")]
        words[words.index("-o") + 1] = program
        return self.run([words[0], str(test), *words[1:]], 60)

    def run(self, words, timeout, **environment):
        try:
            return subprocess.run(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=timeout,
                                  env={**os.environ, **environment}).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def verdict(build, mutant):
    path, start, end, replacement = mutant
    text = path.read_text()
    changed = text[:start] + replacement + text[end:]
    key = hashlib.sha1(f"{path.relative_to(LIB)}\n{changed}".encode()).hexdigest()
    found = build.remembered.get(key) or judged(build, path, changed)
    if key not in build.remembered and found == "killed":
        build.remember(key, found)
    return found


def judged(build, path, changed):
    relative = path.relative_to(LIB)
    room, stem = relative.parts[-2], relative.stem
    judge = JUDGES.get(f"{room}/{stem}", stem)
    own_test = ROOT / "tests" / room / f"{judge}_test.cpp"
    sources = build.sources_with(path, str(own_test) in build.commands)
    with tempfile.TemporaryDirectory() as folder:
        overlay = pathlib.Path(folder)
        is_header = path.suffix == ".hpp"
        if is_header:
            target = overlay / relative
            target.parent.mkdir(parents=True)
            if relative.parts[0] == "src":
                for other in path.parent.glob("*.hpp"):
                    (target.parent / other.name).symlink_to(other)
                target.unlink()
            target.write_text(changed)
        objects = []
        for source in sources:
            objects.append(overlay / f"{source.stem}.o")
            if not build.compile(source, objects[-1], overlay, None if is_header else changed):
                return "not compiled"
        if not objects and str(own_test) not in build.commands:
            return "without a test"
        environment = {}
        if objects:
            if not build.run(["c++", "-shared", *map(str, objects), "-o", f"{folder}/mutant.so"], 60):
                return "not compiled"
            environment["LD_PRELOAD"] = f"{folder}/mutant.so"
        program = str(build.folder / "bin" / f"test_{room}")
        if is_header and str(own_test) in build.commands:
            if not build.compile(own_test, overlay / "test.o", overlay):
                return "not compiled"
            program = f"{folder}/test"
            if not build.link(room, overlay / "test.o", program):
                return "not linked"
        only = [f"-sf=*/{judge}_test.cpp"] if own_test.exists() else []
        survives = build.test(program, only, build.seconds(room, only), **environment)
        return "survived" if survives else "killed"


def harmless():
    """{described mutant: reason}"""
    out, entry = {}, None
    file = pathlib.Path(__file__).with_name("harmless.txt")
    for line in file.read_text().splitlines() if file.exists() else ():
        if line.startswith(" ") and entry:
            out[entry] = line.strip()
        elif line and not line.startswith("#"):
            entry = line
    return out


def self_check(build):
    path = LIB / "include/isserlis/formula/normalised_norm.hpp"
    text = path.read_text()
    at = text.index("R(2) / R(static_cast<int>(t))") + 2
    dies = verdict(build, (path, at, at + 1, "3"))
    at = text.index("// SPDX")
    lives = verdict(build, (path, at, at + 2, "///"))
    print(f"a mutant that must die: {dies}; a comment that must not: {lives}")
    return 0 if (dies, lives) == ("killed", "survived") else 1


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build")
    words.add_argument("files", nargs="*")
    words.add_argument("--sample", type=int)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--jobs", type=int, default=2)
    words.add_argument("--list", action="store_true")
    words.add_argument("--self-check", action="store_true")
    asked = words.parse_intermixed_args()
    if not pathlib.Path(asked.build, "build.ninja").exists():
        words.error(f"{asked.build} is no folder that Ninja builds; such as build/check")
    build = Build(asked.build)
    if asked.self_check:
        return self_check(build)
    paths = sorted(p for pattern in FILES for p in LIB.glob(pattern)
                   if not asked.files or any(word in str(p.relative_to(LIB)) for word in asked.files))
    mutants = []
    for found in map(mutants_of, paths):
        mutants += random.Random(asked.seed).sample(found, min(asked.sample or len(found), len(found)))
    if not mutants:
        words.error("no file has such a name, or none of their code can be changed")
    if asked.list:
        for mutant in mutants:
            print(f"{described(mutant)} => {mutant[3]}")
        return 0
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    known, counts, bad = harmless(), {}, 0
    for entry in known:
        file, _, line = entry.split(" ", 2)
        if line not in map(str.strip, (LIB / file).read_text().splitlines()):
            sys.exit(f"harmless.txt: no line of {file} is '{line}'")
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for mutant, found in zip(mutants, pool.map(lambda m: verdict(build, m), mutants)):
            if found == "survived" and (described(mutant) in known or described(mutant, True) in known):
                found = "harmless"
            counts[found] = counts.get(found, 0) + 1
            bad += found in ("survived", "not linked")
            if found == "survived":
                print(f"survived: {described(mutant)} => {mutant[3]}", flush=True)
    print(f"{len(mutants)} mutants: " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
