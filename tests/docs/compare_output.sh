#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a program and compares what it prints with a file.
# usage: compare_output.sh FILE PROGRAM
set -eu
status=0
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
"$2" > "$printed" 2>&1 || status=$?
diff -u --label "$1" --label 'the program prints' "$1" "$printed"
exit $status
