#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a file of tests by pytest, or says that there is none.
# usage: run.sh PYTHON FILE
set -eu
"$1" -c 'import pytest' 2>/dev/null || { echo "skipped: python3-pytest is not installed"; exit 77; }
exec "$1" -B -m pytest -q -p no:cacheprovider "$2"
