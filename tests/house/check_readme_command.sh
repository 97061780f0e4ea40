#!/bin/sh
# SPDX-License-Identifier: MIT
# What .ci/run runs (its last line) is what the README tells a newcomer to type.
# usage: check_readme_command.sh ROOT
set -eu
cd "$1"

command=$(tail -n 1 .ci/run)
if ! sed 's/^[ $]*//' README.md | grep -qxF -- "$command"; then
    printf 'README.md: lacks this line, the last of .ci/run:\n%s\n' "$command"
    exit 1
fi
