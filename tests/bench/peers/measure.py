# SPDX-License-Identifier: MIT
"""One line per figure, as run.sh reads them: test, case, who, CPU seconds of one call, check value."""
import time

PRIME = 2**61 - 1  # values are compared by their residues, as in ../check_value.hpp


def residue(x):
    return int(x.numerator) * pow(int(x.denominator), PRIME - 2, PRIME) % PRIME


def measure(test, case, who, call, check, least_time=0.2):
    calls = 0
    start = time.process_time()
    while calls == 0 or time.process_time() - start < least_time:
        value = call()
        calls += 1
    seconds = (time.process_time() - start) / calls
    print(test, case, who, f"{seconds:.9f}", check(value), sep="\t", flush=True)
