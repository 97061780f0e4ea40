#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is left of files when things go wrong.

    python3 tests/fault/faults.py PROGRAM [--kills N] [--seed S]

Runs are killed at random times, the disk is full, standard output is closed or its reader gone, the folder is removed
under a run, eight runs write one file while it is read. Each time the file is whole, old or new, and the exit code says
which. Parts of --shard and their merge are killed until each is done, and give the bytes of one process; --solve ends at
its --timeout. Sampling with --keep, trainings and searches with a checkpoint are killed until they are done, and end in the bytes of
one that never was. Exit status 1 after a failure, each of which is printed.
"""
import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

QUERY = ["moments", "2,10:800,1", "--format", "csv"]  # some megabytes
failures = 0


def expect(truth, what):
    global failures
    if not truth:
        failures += 1
        print("FAILED:", what)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def leftovers(folder):
    return [name for name in os.listdir(folder) if ".part-" in name]


def killed(program, kills, rng):
    """SIGKILL and the signals that ask: the old file or the new one, never a part."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.csv")
        began = time.monotonic()
        subprocess.run([program, *QUERY, "--output", path], check=True)
        whole = time.monotonic() - began
        new = content(path)
        old = b"old\n"
        seen = {True: 0, False: 0}
        for i in range(kills):
            with open(path, "wb") as file:
                file.write(old)
            which = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
            run = subprocess.Popen([program, *QUERY, "--output", path], stderr=subprocess.DEVNULL)
            # Half of them where the file is written.
            time.sleep(rng.uniform(0, 1.1 * whole) if i % 2 else rng.uniform(0.8, 1.1) * whole)
            run.send_signal(which)
            code = run.wait()
            now = content(path)
            expect(now in (old, new), f"kill {i} by {which.name}: {len(now)} bytes are neither old nor new")
            expect(code != 0 or now == new, f"kill {i}: exit code 0 without the new file")
            expect(code in (0, 130, -which), f"kill {i} by {which.name}: exit code {code}")
            if which != signal.SIGKILL and code != 0:
                pass  # a signal may come before the part is removed; the next run takes it away
            seen[now == new] += 1
        subprocess.run([program, *QUERY, "--output", path], check=True)
        expect(not leftovers(folder), f"left behind: {leftovers(folder)}")
        print(f"killed {kills} runs: old file {seen[False]}, new file {seen[True]}")


RUNS = {
    "norm": "norm 2,60:4,1 --check 30000 --threads 2 --keep",
    "train": "train 2,40,40,1 --data cos --size 300 --batch-size 5 --epochs 60 --optimiser adam --rate 1/1000 --checkpoint",
    "sharpness": "sharpness 2,24,24,1 --data cos --size 100 --activation tanh --epochs 60 --every 4 --rate 1/50 --checkpoint",
    "max-rate": "max-rate 11,24,2 --data anisotropic:2,10,600 --hold-out 200 --networks 3 --checkpoint",
}


def results(answer):
    """Without the question, which names the file, and without notes, which say that the run went on."""
    return answer[answer.index(b"name,index"):]


def killed_until_done(program, kills, rng):
    """SIGKILL at random times, in the middle of an epoch, a trial, or the writing of the file."""
    with tempfile.TemporaryDirectory() as folder:
        for command, line in RUNS.items():
            *asked, option = line.split()
            words = [program, *asked, "--format", "csv"]
            began = time.monotonic()
            whole = results(subprocess.run(words, capture_output=True, check=True).stdout)
            seconds = time.monotonic() - began
            file = os.path.join(folder, command)
            words += [option, file]
            died = 0
            for _ in range(kills):
                run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                try:
                    out = run.communicate(timeout=rng.uniform(0, 0.5 * seconds))[0]
                    expect(run.returncode == 0 and results(out) == whole, f"{command}: gone on, other results")
                    os.remove(file)  # from the start again
                except subprocess.TimeoutExpired:
                    run.kill()
                    run.communicate()
                    died += 1
            done = subprocess.run(words, capture_output=True, check=False)
            expect(done.returncode == 0 and results(done.stdout) == whole, f"{command}: killed {died} times, other results")
            os.remove(file)
            full = subprocess.run(words, capture_output=True, preexec_fn=limited(100), check=False)
            expect(full.returncode == 2 and b"\nisserlis: " + option.encode() in b"\n" + full.stderr,
                   f"{command}: full disk: {full.returncode} {full.stderr[:200]}")
            print(f"{command}: killed {died} times")
        expect(not leftovers(folder), f"left behind: {leftovers(folder)}")


def killed_parts(program, kills, rng):
    """SIGKILL while a part is sampled, written or merged: no part of a part, and in the end the answer of one process."""
    query = [program, *"norm 2,60:4,1 --check 20000 --format json".split()]
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        one = subprocess.run(query, capture_output=True, check=True).stdout
        seconds = time.monotonic() - began
        parts = [os.path.join(folder, f"{k}.json") for k in (1, 2, 3)]
        merged = os.path.join(folder, "merged.json")
        merge = [program, "merge", *parts, "--output", merged]
        died = 0
        steps = [([*query, "--shard", f"{k}/3", "--output", parts[k - 1]], parts[k - 1], seconds / 3) for k in (1, 2, 3)]
        for words, file, lasts in [*steps, (merge, merged, 0.02)]:
            for _ in range(max(kills // 4, 2)):
                if file != merged:
                    for other in parts:
                        if other != file and not os.path.exists(other):
                            done = subprocess.run(merge, capture_output=True, check=False)
                            expect(done.returncode == 2 and not os.path.exists(merged),
                                   f"merge without {other}: {done.returncode} {done.stderr[:200]}")
                            break
                run = subprocess.Popen(words, stderr=subprocess.DEVNULL)
                time.sleep(rng.uniform(0, 1.1 * lasts))
                run.kill()
                code = run.wait()
                died += code != 0
                expect(code == -signal.SIGKILL or os.path.exists(file), f"{words}: exit code {code} without the file")
            subprocess.run(words, check=True)
            if file != merged:  # whole, or the next merge would refuse it
                expect(content(file).endswith(b"}\n"), f"{file} is not whole")
        whole = subprocess.run(merge[:-2], capture_output=True, check=True).stdout
        expect(whole == one, "merged parts differ from the answer of one process")
        expect(not leftovers(folder), f"left behind: {leftovers(folder)}")
        print(f"parts and merge: killed {died} times")


def solve_times_out(program):
    """A search for a width or a depth ends at its --timeout, and writes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out")
        for words in ("norm 3,n:40,2 --order 12 --solve n --of squared_norm_moment,41,12 --target 1",
                      "ntk 3,n:220,2 --solve width --of ntk_variance --target 1"):
            began = time.monotonic()
            done = subprocess.run([program, *words.split(), "--timeout", "0.1", "--output", path], capture_output=True,
                                  check=False)
            seconds = time.monotonic() - began
            expect(done.returncode == 3 and b"--timeout 0.1" in done.stderr, f"{words}: {done}")
            expect(not os.path.exists(path), f"{words}: a file")
            expect(seconds < 5, f"{words}: --timeout 0.2 took {seconds:.1f} s")


def limited(bytes_of_file):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_of_file, bytes_of_file))

    return limit


def full_disk(program):
    """/dev/full; and a limit on the size of files, which fails like a disk that fills up half-way."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.csv")
        for most in (0, 1000, 100_000):
            with open(path, "wb") as file:
                file.write(b"old\n")
            done = subprocess.run([program, *QUERY, "--output", path], capture_output=True, preexec_fn=limited(most),
                                  check=False)
            expect(done.returncode == 2 and done.stderr.startswith(b"isserlis: --output"),
                   f"full after {most} bytes: {done.returncode} {done.stderr[:200]}")
            expect(content(path) == b"old\n", f"full after {most} bytes: the old file is gone")
            expect(not leftovers(folder), f"full after {most} bytes: left behind {leftovers(folder)}")
    for words, code in ((["--output", "/dev/full"], 2), ([], 3)):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([program, "norm", "2,3,1", *words], stdout=full, stderr=subprocess.PIPE, check=False)
        expect(done.returncode == code and b"cannot be written" in done.stderr, f"/dev/full {words}: {done}")


def closed_output(program):
    for close in ("1", "2"):
        done = subprocess.run(["sh", "-c", f'exec "$0" norm 2,3,1 {close}>&-', program], capture_output=True, check=False)
        expect(done.returncode == (3 if close == "1" else 0), f"descriptor {close} closed: {done}")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out")
        done = subprocess.run(["sh", "-c", 'exec "$0" norm 2,3,1 --output "$1" 0<&- 1>&- 2>&-', program, path], check=False)
        expect(done.returncode == 0 and b"squared_norm_mean" in content(path), "all closed: the file is not whole")
    # The reader goes away: by the signal, or with a sentence where that is ignored.
    for ignore in (False, True):
        run = subprocess.Popen([program, *QUERY], stdout=subprocess.PIPE, stderr=subprocess.PIPE, restore_signals=not ignore)
        run.stdout.close()
        code = run.wait()
        run.stderr.close()
        expect(code == (3 if ignore else -signal.SIGPIPE), f"no reader, SIGPIPE ignored {ignore}: exit code {code}")


def removed_folder(program):
    base = tempfile.mkdtemp()
    folder = os.path.join(base, "here")
    os.mkdir(folder)
    run = subprocess.Popen([program, *QUERY, "--output", os.path.join(folder, "out")], stderr=subprocess.PIPE)
    time.sleep(0.05)
    shutil.rmtree(folder, ignore_errors=True)
    _, err = run.communicate()
    expect(run.returncode in (0, 2), f"folder removed: exit code {run.returncode}")
    expect(run.returncode == 0 or b"cannot be written" in err, f"folder removed: {err[:200]}")
    shutil.rmtree(base, ignore_errors=True)


def many_writers(program, rounds):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out")
        answers = {}
        for seed in range(8):
            done = subprocess.run([program, *QUERY, "--digits", str(10 + seed)], capture_output=True, check=True)
            answers[seed] = done.stdout
        reads = 0
        for _ in range(rounds):
            runs = [subprocess.Popen([program, *QUERY, "--digits", str(10 + seed), "--output", path]) for seed in range(8)]
            while any(run.poll() is None for run in runs):
                if os.path.exists(path):
                    reads += 1
                    expect(content(path) in answers.values(), "eight writers: a read found no whole file")
                time.sleep(0.002)
            expect(all(run.wait() == 0 for run in runs), "eight writers: one failed")
            expect(content(path) in answers.values(), "eight writers: the file is not whole")
        expect(not leftovers(folder), f"eight writers: left behind {leftovers(folder)}")
        print(f"{8 * rounds} writers of one file, {reads} reads")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    killed(program, options.kills, random.Random(options.seed))
    killed_until_done(program, options.kills, random.Random(options.seed))
    killed_parts(program, options.kills, random.Random(options.seed))
    solve_times_out(program)
    full_disk(program)
    closed_output(program)
    removed_folder(program)
    many_writers(program, options.rounds)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
