#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a file of tests by pytest; exit code 77, skipped, where pytest or what the whole file is about is missing.
# usage: run.sh PYTHON FILE
set -eu
"$1" -c 'import pytest' 2>/dev/null || { echo "skipped: python3-pytest is not installed"; exit 77; }
status=0
"$1" -B -m pytest -q -rs -p no:cacheprovider "$2" || status=$?
[ "$status" -ne 5 ] || exit 77  # nothing to run: a package is missing
exit "$status"
