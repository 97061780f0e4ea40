#!/bin/sh
# SPDX-License-Identifier: MIT
# The layout is clang-format 14's; other versions differ in detail and are not asked.
# usage: check_format.sh ROOT
set -eu
cd "$1"

version=$(clang-format --version 2>/dev/null | sed 's/.*version \([0-9]*\).*/\1/' || true)
if [ "$version" != 14 ]; then
    echo "skipped: clang-format 14 is not installed"
    exit 77
fi
offences=$(find lib cli python/src tests docs/examples -name '*.[ch]pp' 2>/dev/null | sort |
    xargs -r clang-format --dry-run --Werror 2>&1 | grep ': error:' || true)
[ -n "$offences" ] || exit 0
printf '%s\nMend it with: clang-format -i FILE...\n' "$offences"
exit 1
