#!/bin/sh
# SPDX-License-Identifier: MIT
# What stands in the root of the repository explains the project: nothing that a command wrote there is kept.
# usage: check_top_level.sh ROOT
set -eu
cd "$1"

[ -d .git ] || [ -f .git ] || exit 77
offences=$(git ls-files --cached | sed 's|/.*|/|' | sort -u | grep -vxE \
    '(\.ci|cli|docs|lib|packaging|python|tests)/|\.(clang-format|clang-tidy|containerignore|gitignore)|CMakeLists\.txt|CMakePresets\.json|LICENSE|README\.md|pyproject\.toml|setup\.py' ||
    true)
[ -n "$offences" ] || exit 0
printf '%s\nIn the root of the repository, where none of it is known: remove it, or name it in this check.\n' "$offences"
exit 1
