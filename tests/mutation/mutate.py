# SPDX-License-Identifier: MIT
"""Changes one literal or operator at a time and asks whether the tests notice.

    python3 tests/mutation/mutate.py BUILD             all formulas, the strand engine, the verdicts
    python3 tests/mutation/mutate.py BUILD FILE..      files whose path contains one of these words
    python3 tests/mutation/mutate.py BUILD --own FILE..  only these files are mutated, and only tests of their names judge;
                                                       --also WORD,.. and tests whose names contain one of these words
    python3 tests/mutation/mutate.py BUILD --list ..   the mutants, none of them judged; harmless.txt is read
    python3 tests/mutation/mutate.py BUILD --self-check  a mutant that must die and one that must not

BUILD is a built tree of the preset check. In a copy of the sources, BUILD/mutants, all mutants are compiled in at once
(mutants.hpp says how) and an environment variable switches one on; a mutant costs a run of tests, not a compiler. What the
compiler refuses, or wants to know itself, is not mutated. Each test is run once to see which mutants' places it evaluates.
A mutant is judged by the tests that evaluate it: those of the file of its name first, then the others of tests/formula,
tests/strand, tests/verify and tests/vectors, the quick ones first, until one fails. One that takes ten times as long as
without a mutant, and 3 seconds more of a processor, has failed; so has one that takes more than 6 GB. Tests that measure a
time (tests/timed.hpp) judge nothing.

Exit status 1 where a mutant survives, or is evaluated by no test, that tests/mutation/harmless.txt does not name.
BUILD/mutants/killed.txt remembers what was killed, by the text of the mutated file, and is not judged again; whoever
loosens a test removes it.
"""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIB = ROOT / "lib"
HERE = pathlib.Path(__file__).resolve().parent
ROOMS = ("verify", "strand", "formula")
NAMED_ROOMS = ("ring", "range")  # of which files are mutated that --own names
JUDGES = (*ROOMS, *NAMED_ROOMS, "vectors")
OPERATORS = {"+": "plus", "-": "plus", "*": "times", "/": "times", "%": "times", "+=": "add", "-=": "add", "*=": "scale",
             "/=": "scale", "%=": "scale", "<": "less", "<=": "at_most", ">": "more", ">=": "at_least", "==": "equal",
             "!=": "unequal", "&&": "and", "||": "or"}
NUMBER = r"(?<![\w.'<])(?:0x[\da-fA-F']+|\d[\d']*(?:\.\d*)?(?:[eE][-+]?\d+)?)[uUlLfF]{0,3}(?![\w.'])"
OPERATOR = r"(?<= )(?:[-+*/%]=?|[<>]=?|[=!]=|&&|\|\|)(?=[ \n])(?!\s*\.\.\.)"
MINUS = r"(?<=[ (\[{])(?<![*/%] )-(?![-=>\s])"
DEMOTED = r"(?:inline |static )?constexpr (?=(?!auto members)[^(){};=]*[={])"
TOKEN = re.compile(f"{NUMBER}|{OPERATOR}|{MINUS}|{DEMOTED}")
NORMAL, FIXED, OUT = range(3)
SPACING = 4096  # of the numbers of two files
MOST = 1 << 22  # numbers, as mutants.hpp has it
TESTED_WITH = {"RC_PARAMS": "seed=1 max_success=100", "ISSERLIS_TEST_UNTIMED": "1"}


def blanked(text):
    """The text with what is not mutated as blanks, each character in its place."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])
    for pattern in (r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", r"^[ \t]*#[^\n]*",
                    r"^[ \t]*static_assert[^;]*;", r"^[ \t]*template <[^\n]*", r"\b(?:requires|concept)\b[^\n]*",
                    r"\) (?:const )?= 0;", r"\bcase [^\n:]*:", r"operator[^\w\s]+"):
        text = re.sub(pattern, blank, text, flags=re.M | re.S)
    return text


@dataclasses.dataclass
class Place:
    """A token that is rewritten: a mutant, or a constexpr that is taken away to make room for some."""
    number: int
    start: int
    end: int
    token: str
    is_minus: bool
    form: int = NORMAL
    columns: tuple = ()  # in the rewritten line

    @property
    def is_mutant(self):
        return "constexpr" not in self.token

    def rewritten(self):
        suffix = "_fixed" if self.form == FIXED else ""
        if self.form == OUT:
            return self.token
        if not self.is_mutant:
            return {"constexpr ": "const ", "inline constexpr ": "inline const ", "static constexpr ": "static inline const "}[self.token]
        if self.is_minus:
            return f"mutant_minus{suffix}({self.number})->*"
        if self.token[0].isdigit():
            return f"mutant_number{suffix}({self.number}, {self.token})"
        by = "!=" if self.token == "==" else self.token
        call = f"{by} mutant_{OPERATORS[self.token]}{suffix}({self.number})"
        if self.token in ("+", "-"):
            return call + " *"
        if self.token in ("*", "/", "%"):
            return call + "->*"
        if self.token in ("&&", "||"):
            return call + (" |" if self.token == "&&" else " &")
        return f"{call} {'<<=' if OPERATORS[self.token] in ('add', 'scale') else by}"


class Source:
    """A file of the library and its places."""

    def __init__(self, path, base, forms):
        self.path = path
        self.relative = path.relative_to(LIB)
        self.room = path.parent.name
        self.text = path.read_text()
        self.lines = self.text.split("\n")
        self.digest = hashlib.sha1(f"{self.relative}\n{self.text}".encode()).hexdigest()
        code = blanked(self.text)
        self.places = []
        for match in TOKEN.finditer(code):
            before = code[:match.start()].rstrip()
            if match[0] == "-" and code[match.end()] not in " \n":
                self.places.append(Place(base + len(self.places), *match.span(), match[0], True))
            elif not before.endswith("..."):
                beside = self.text[:match.start()].rstrip()[-1:] + self.text[match.end():].lstrip()[:1]
                form = OUT if match[0] in ("+", "+=") and '"' in beside else NORMAL  # texts
                self.places.append(Place(base + len(self.places), *match.span(), match[0], False, form))
        if len(self.places) > SPACING:
            sys.exit(f"{self.relative}: more than {SPACING} mutants")
        known = forms.get(self.digest, {})
        for place in self.places:
            place.form = known.get(str(place.number - base), place.form)
        self.base = base

    def forms(self):
        return {str(p.number - self.base): p.form for p in self.places if p.form != NORMAL}

    def mutants(self):
        return [p for p in self.places if p.is_mutant]

    def line_of(self, place):
        return self.text.count("\n", 0, place.start)

    def rewritten(self):
        out, at, length = [], 0, 0
        for place in self.places:
            between = self.text[at:place.start]
            out.append(between)
            newline = between.rfind("\n")
            length = length + len(between.encode()) if newline < 0 else len(between[newline + 1:].encode())
            new = place.rewritten()
            place.columns = (length + 1, length + len(new))
            length += len(new)
            out.append(new)
            at = place.end
        out.append(self.text[at:])
        return "".join(out)

    def described(self, place):
        """FILE: LINE, the token between guillemets."""
        begin = self.text.rfind("\n", 0, place.start) + 1
        end = self.text.find("\n", place.start)
        marked = f"{self.text[begin:place.start]}«{place.token}»{self.text[place.end:end]}"
        return f"{self.relative}: {marked.strip()}"


@dataclasses.dataclass
class Test:
    room: str
    file: str
    name: str
    seconds: float
    reached: frozenset = frozenset()


class Build:
    def __init__(self, folder, jobs, words=(), own=False, also=()):
        self.folder = pathlib.Path(folder).resolve()
        self.jobs = jobs
        self.own = own
        self.also = also
        self.memory = self.folder / "mutants" / "killed.txt"
        self.overlay = self.folder / ("mutants/own" if own else "mutants")
        self.overlay.mkdir(parents=True, exist_ok=True)
        self.state_file = self.overlay / "state.json"
        state = json.loads(self.state_file.read_text()) if self.state_file.exists() else {"bases": {}, "forms": {}}
        self.bases, self.known_forms = state["bases"], state["forms"]
        listed = subprocess.run(["ninja", "-C", str(self.folder), "-t", "compdb"], capture_output=True, text=True, check=True)
        self.commands = {}
        for entry in json.loads(listed.stdout):
            if " -c " in entry["command"]:
                unit = pathlib.Path(entry["file"])
                together = re.findall(r'^#include "(.*)"', unit.read_text(), re.M) if unit.parent.name == "Unity" else ()
                self.commands.update({file: entry["command"] for file in (entry["file"], *together)})
        self.sources = {}  # {path in the overlay: source}
        for room in (*ROOMS, *(NAMED_ROOMS if own else ())):
            for base in ("include/isserlis", "src"):
                for path in sorted((LIB / base / room).glob("*.[ch]pp")):
                    name = str(path.relative_to(LIB))
                    self.bases.setdefault(name, len(self.bases) * SPACING)
                    self.sources[str(self.overlay / name)] = Source(path, self.bases[name], self.known_forms)
        if len(self.bases) * SPACING > MOST:
            sys.exit(f"more than {MOST // SPACING} files, now and ever in this folder")
        self.asked = [s for s in self.sources.values() if not words or any(word in str(s.relative) for word in words)]
        rooms = {s.room for s in self.asked}
        # Rooms that nobody asks about stay as the library has them: three rooms of mutants take an hour to compile.
        self.sources = {path: s for path, s in self.sources.items() if (s in self.asked if own else s.room in rooms)}
        self.judges = [room for room in JUDGES if self.test_files(room) and
                       (room in rooms or (room == "vectors" and rooms - {"verify"}))]
        self.lock = threading.Lock()

    def test_files(self, room):
        names = {f"{s.path.stem}_test" for s in self.asked}
        judges = lambda stem: not self.own or stem in names or any(word in stem for word in self.also)
        return [p for p in sorted((ROOT / "tests" / room).glob("*.cpp")) if judges(p.stem)]

    def write(self):
        """Writes what is mutated, and what has changed only."""
        for path in self.overlay.glob("*/**/*.hpp") if self.own else ():
            if str(path) not in self.sources:  # asked for before
                path.unlink()
        for path, source in self.sources.items():
            text = source.rewritten()
            path = pathlib.Path(path)
            if not path.exists() or path.read_text() != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        forms = {s.digest: s.forms() for s in self.sources.values()}
        self.state_file.write_text(json.dumps({"bases": self.bases, "forms": {**self.known_forms, **forms}}))

    def units(self):
        """{object: words that compile it} of the mutated rooms, one unit each, and of the tests."""
        out = {}
        for room in (*ROOMS, *NAMED_ROOMS):
            members = sorted(p for p, s in self.sources.items() if s.room == room and p.endswith(".cpp"))
            if not members:
                continue
            unit = self.overlay / f"{room}.cpp"
            text = "".join(f'#include "{p}"\n' for p in members)
            if not unit.exists() or unit.read_text() != text:
                unit.write_text(text)
            out[self.overlay / f"{room}.o"] = self.command(str(LIB / self.sources[members[0]].relative), unit)
        for room in self.judges:
            for path in self.test_files(room):
                out[self.overlay / "tests" / room / f"{path.stem}.o"] = self.command(str(path), path)
        a_test = str(sorted((ROOT / "tests/verify").glob("*.cpp"))[0])
        out[self.overlay / "reached.o"] = self.command(a_test, HERE / "reached.cpp")
        return out

    def command(self, like, source):
        words = [w for w in shlex.split(self.commands[like]) if not re.match(r"-O\d|-M[DTF]|-W|-D_FORTIFY", w)]
        for flag in ("-MT", "-MF", "-o", "-c"):
            if flag in words:
                at = words.index(flag)
                del words[at:at + 2]
        if "-include" in words:  # a header that was compiled with other options
            at = words.index("-include")
            del words[at:at + 2]
        words = [w for w in words if not w.endswith((".o", ".d")) and w != "-MD"]
        first = next(i for i, w in enumerate(words) if w.startswith("-"))
        # Headers beside a source are in its folder, of which the overlay may have a part.
        beside = [f"-iquote{LIB}/src/{room}" for room in (*ROOMS, *NAMED_ROOMS)]
        return [*words[:first], *beside, f"-I{self.overlay}/include", f"-I{self.overlay}/src", *words[first:], "-O1", "-w",
                "-fmax-errors=0", "-ftemplate-backtrace-limit=0", "-fno-diagnostics-show-caret", "-fdiagnostics-color=never",
                "-include", str(HERE / "mutants.hpp"), "-c", str(source)]

    def is_fresh(self, target):
        depends = target.with_suffix(".d")
        if not target.exists() or not depends.exists():
            return False
        files = depends.read_text().replace("\\\n", " ").split()[1:]
        age = target.stat().st_mtime
        mutated = {str(s.path) for s in self.sources.values()}
        if any(str((self.folder / f).resolve()) in mutated for f in files):  # compiled when it was not mutated
            return False
        return all((self.folder / f).exists() and (self.folder / f).stat().st_mtime <= age for f in files)

    def compile(self, target, words):
        """Compiles, taking out what is refused."""
        target.parent.mkdir(parents=True, exist_ok=True)
        while True:
            depends = target.with_suffix(".d")
            # A cache does not see that a header is found elsewhere now.
            ran = subprocess.run([*words, "-o", str(target), "-MD", "-MF", str(depends)], cwd=self.folder, capture_output=True,
                                 text=True, env={**os.environ, "CCACHE_DISABLE": "1"})
            if ran.returncode == 0:
                return
            with self.lock:
                taken = self.blame(ran.stderr)
                if not taken:
                    sys.exit(f"{target}: nothing to take out\n{ran.stderr[:4000]}")
                self.write()
            print(f"{target.relative_to(self.overlay)}: {taken} places refused", flush=True)

    def build(self):
        self.write()
        units = {t: w for t, w in self.units().items() if not self.is_fresh(t)}
        libraries = {t: w for t, w in units.items() if t.parent == self.overlay}
        for group in (libraries, {t: w for t, w in units.items() if t not in libraries}):
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
                for done in [pool.submit(self.compile, t, w) for t, w in group.items()]:
                    done.result()
        # A place that was taken out is no mutant any more: what was compiled with it serves.
        for target in self.units():
            if not self.is_fresh(target):
                os.utime(target)
        for room in self.judges:
            self.link(room)

    def link(self, room):
        program = self.program(room)
        objects = [t for t in self.units() if t.parent in (self.overlay, self.overlay / "tests" / room)]
        if not self.own and program.exists() and all(o.stat().st_mtime < program.stat().st_mtime for o in objects):
            return
        listed = subprocess.run(["ninja", "-C", str(self.folder), "-t", "commands", f"test_{room}"], check=True,
                                capture_output=True, text=True)
        words = [w for w in shlex.split(listed.stdout.splitlines()[-1])
                 if w not in (":", "&&") and not re.search(rf"tests/.*/({room}/\w+\.cpp|test_{room}\.dir/Unity/\w+\.cxx)\.o$", w)]
        words[words.index("-o") + 1] = str(program)
        subprocess.run([words[0], *map(str, objects), *words[1:]], cwd=self.folder, check=True)

    def program(self, room):
        return self.overlay / f"test_{room}"

    def blame(self, output):
        """Takes out a place for each error; how many."""
        taken, lines, context, error = set(), set(), [], None
        errors = []
        for line in output.splitlines():
            match = re.match(r"([^:\s]+):(\d+):(\d+):\s+(.*)", line)
            if not match:
                continue
            at = (os.path.normpath(self.folder / match[1]), int(match[2]), int(match[3]), match[4])
            if at[3].startswith(("error:", "fatal error:", "sorry")):
                error = (at, context, [])
                errors.append(error)
                context = []
            elif at[3].startswith("note:"):
                if error:
                    error[2].append(at)
            elif not at[3].startswith("warning:"):
                context.append(at)
        # An error that names no mutant may follow from another.
        own = [e for e in errors if re.search(r"mutant|constant|constexpr|usable|captured", e[0][3])
               and not re.search("could not convert|expression error", e[0][3])]
        for at, context, notes in own or errors[:1]:
            required = [c for c in context if "required" in c[3]]
            expanded = [c for c in context if "expansion" in c[3]]
            constant = re.search(r"constant|constexpr|usable|captured|array bound", at[3])
            found = None
            named = {int(n) for n in re.findall(r"mutant_\w+\((\d+)\)", at[3])}
            if named & taken or lines.intersection(n[:2] for n in notes):  # the same for another type
                continue
            if constant:
                found = next((p for n in (at, *notes) for p in self.on_line(n) if not p.is_mutant), None)
            for candidate in (at, *expanded[::-1], *required):
                if found:
                    break
                on_line = [p for p in self.on_line(candidate) if p.is_mutant]
                on_line = [p for p in on_line if p.number in named] or on_line
                distance = lambda p: max(0, p.columns[0] - candidate[2], candidate[2] - p.columns[1])
                found = min(on_line, key=distance, default=None)
            if found is None:
                found = next((p for c in (at, *expanded[::-1], *required, *notes) for p in self.on_line(c)), None)
            if found is None:
                found = next((p for c in (at, *expanded[::-1], *required) for off in (-1, 1, -2, 2)
                              for p in self.on_line((c[0], c[1] + off))), None)
            if found and found.number not in taken:
                with (self.overlay / "refused.txt").open("a") as file:
                    file.write(f"{self.sources_of(found).described(found)}\n    {at[3]}\n")
                taken.add(found.number)
                if not found.is_mutant:
                    lines.add((str(self.overlay / self.sources_of(found).relative), self.sources_of(found).line_of(found) + 1))
                found.form = FIXED if constant and found.form == NORMAL and found.is_mutant else OUT
                if not found.is_mutant:  # a constant for the compiler, and so is all that it is made of
                    source = self.sources_of(found)
                    for place in source.places:
                        if found.end <= place.start < source.text.find(";", found.end):
                            place.form = max(place.form, FIXED)
            elif not found:
                print("not attributed:", *at, context, flush=True)
        return len(taken)

    def sources_of(self, place):
        return next(s for s in self.sources.values() if s.base <= place.number < s.base + SPACING)

    def on_line(self, at):
        source = self.sources.get(at[0])
        if source is None:
            return []
        return [p for p in source.places if p.form != OUT and source.line_of(p) + 1 == at[1]]

    def run(self, room, test, seconds, **environment):
        """Whether a test passes, within a time of the processor."""
        escaped = re.sub(r"[^\w ]", "?", test.name)
        words = [str(self.program(room)), "-m", "-aa=1", f"-sf=*{test.file}", f"-tc={escaped}"]

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        try:
            return subprocess.run(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit,
                                  timeout=60 + 20 * seconds, env={**os.environ, **TESTED_WITH, **environment}).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def tests(self):
        """All tests with what they reach, and what is reached before them; each has to pass where all mutants are off."""
        memory = self.overlay / "reached.json"
        programs = {room: self.program(room).stat().st_mtime for room in self.judges}
        known = json.loads(memory.read_text()) if memory.exists() else {}
        out, start = [], set()
        for room in self.judges:
            if known.get(room, {}).get("time") != programs[room]:
                known[room] = self.reached(room)
                memory.write_text(json.dumps(known))
            start.update(known[room]["start"])
            out += [Test(room, *t[:3], frozenset(t[3])) for t in known[room]["tests"]]
        return out, start

    def reached(self, room):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "reached")
            ran = subprocess.run([self.program(room), "-m"], cwd=self.folder, capture_output=True, text=True,
                                 env={**os.environ, **TESTED_WITH, "ISSERLIS_MUTANTS_REACHED": str(file)})
            if ran.returncode != 0:
                sys.exit(f"tests/{room} fails where no mutant is on:\n{ran.stdout[-3000:]}")
            start, *cases = [line.split("\t") for line in file.read_text().splitlines()]
            tests = [[c[0].removeprefix(str(ROOT)), c[1], float(c[2]), list(map(int, c[3:]))] for c in cases]
            return {"time": self.program(room).stat().st_mtime, "start": list(map(int, start[3:])), "tests": tests}


class Jury:
    def __init__(self, build):
        self.build = build
        self.tests, self.start = build.tests()
        self.memory = build.memory
        self.killed = set(self.memory.read_text().split("\n")) if self.memory.exists() else set()
        self.lock = threading.Lock()
        self.passing = set()  # tests that pass alone
        self.by_number = {}
        for test in self.tests:
            for number in test.reached:
                self.by_number.setdefault(number, []).append(test)

    def judges(self, source, place):
        found = self.by_number.get(place.number, [])
        if place.number in self.start:  # a constant: tests that reach a file where its name stands
            names = re.findall(r"(\w+)(?:\{|\s*=)", source.lines[source.line_of(place)])
            files = [s for s in self.build.sources.values() if s is source or
                     any(re.search(rf"\b{name}\b", s.text) for name in names)]
            numbers = {p.number for s in files for p in s.places}
            found = [t for t in self.tests if t.reached & numbers]
        own = f"/{source.path.stem}_test.cpp"
        judges = sorted(found, key=lambda t: (not t.file.endswith(own), t.seconds))
        if judges:  # what a static is made of was evaluated by the first test alone
            judges += [t for t in self.tests if t.file.endswith(own) and t not in judges]
        return judges

    def require_passing(self, test):
        """Whether a mutant is found is asked of a test alone."""
        with self.lock:
            case = (test.room, test.file, test.name)
            if case in self.passing:
                return
            if not self.build.run(test.room, test, 10 * test.seconds + 60):
                sys.exit(f"tests/{test.room}: '{test.name}' fails alone, where no mutant is on")
            self.passing.add(case)

    def verdict(self, source, place):
        if place.form == OUT:
            return "not mutated"
        judges = self.judges(source, place)
        if not judges:
            return "not mutated" if place.form == FIXED else "unreached"
        key = f"{source.digest} {place.number - source.base}"
        if key in self.killed:
            return "killed"
        for test in judges:
            self.require_passing(test)
            if not self.build.run(test.room, test, 10 * test.seconds + 3, ISSERLIS_MUTANT=str(place.number)):
                with self.lock, self.memory.open("a") as file:
                    file.write(f"{key}\n")
                return "killed"
        return "survived"


def harmless():
    """{described mutant, or line: reason}"""
    out, entries = {}, []
    file = HERE / "harmless.txt"
    for line in file.read_text().splitlines() if file.exists() else ():
        if line.startswith(" "):
            out.update({entry: line.strip() for entry in entries})
            entries = []
        elif line and not line.startswith("#"):
            entries.append(line)
    for entry in out:
        name, _, line = re.sub("[«»]", "", entry).partition(": ")
        if line not in map(str.strip, (LIB / name).read_text().splitlines()):
            sys.exit(f"harmless.txt: no line of {name} is '{line}'")
    return out


def self_check(build):
    """One mutant that must die, and one that must not: a common factor of a ratio."""
    jury, found = Jury(build), []
    jury.killed = set()
    for name, line, token in (("check.cpp", "out.z = gap / std_error;", "/"),
                              ("update_ratios.cpp", "std::vector<double> const gradient(model.widths.back(), 1.0);", "1.0")):
        source = next(s for s in build.sources.values() if s.path.name == name and s.room == "verify")
        place = next(p for p in source.mutants() if p.token == token and source.lines[source.line_of(p)].strip() == line)
        found.append(jury.verdict(source, place))
    print(f"a mutant that must die: {found[0]}; one that must not: {found[1]}; all tests pass where none is on")
    return 0 if found == ["killed", "survived"] else 1


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build")
    words.add_argument("files", nargs="*")
    words.add_argument("--jobs", type=int, default=1)
    words.add_argument("--own", action="store_true")
    words.add_argument("--also", default="")
    words.add_argument("--list", action="store_true")
    words.add_argument("--self-check", action="store_true")
    asked = words.parse_intermixed_args()
    if not pathlib.Path(asked.build, "build.ninja").exists():
        words.error(f"{asked.build} is no folder that Ninja builds; such as build/check")
    os.nice(10)
    known = harmless()
    if asked.own and (asked.self_check or not asked.files):
        words.error("--own is for files that are named")
    if asked.also and not asked.own:
        words.error("--also adds to --own; without it all tests of the room judge")
    build = Build(asked.build, asked.jobs, ["/verify/"] if asked.self_check else asked.files, asked.own,
                  [word for word in asked.also.split(",") if word])
    sources = build.asked
    if not sources:
        words.error("no file has such a name")
    if asked.list:
        for source in sources:
            for place in source.mutants():
                print(source.described(place))
        return 0
    build.build()
    if asked.self_check:
        return self_check(build)
    jury = Jury(build)
    counts, bad, seen = {}, 0, set()
    cases = [(s, p) for s in sources for p in s.mutants()]
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for (source, place), found in zip(cases, pool.map(lambda case: jury.verdict(*case), cases)):
            described = source.described(place)
            entry = next((e for e in (described, re.sub("[«»]", "", described)) if e in known), None)
            if entry and found in ("survived", "unreached"):
                found = "harmless"
                seen.add(entry)
            row = counts.setdefault(source.room, {})
            row[found] = row.get(found, 0) + 1
            bad += found in ("survived", "unreached")
            if found in ("survived", "unreached"):
                print(f"{found}: {described}", flush=True)
    words = ("killed", "harmless", "survived", "unreached", "not mutated")
    for room, row in counts.items():
        print(f"{room}: {sum(row.values())} mutants: " + ", ".join(f"{row.get(word, 0)} {word}" for word in words))
    names = {str(s.relative) for s in sources}
    for entry in known:
        if entry not in seen and entry.partition(": ")[0] in names:
            print(f"not needed in harmless.txt: {entry}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
