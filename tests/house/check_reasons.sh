#!/bin/sh
# SPDX-License-Identifier: MIT
# Messages of the library begin with the function that was called, "unit_moments: a variance ..". Who asks a question
# has called none: answers and front ends say the `reason` of an error.
# usage: check_reasons.sh ROOT
set -eu
cd "$1"

offences=$(find lib/src/quantity -name '*.[ch]pp' 2>/dev/null | sort | xargs -r grep -nF '.what()' || true)
[ -n "$offences" ] || exit 0
printf '%s\nSay reason(e), of isserlis/question/reason.hpp.\n' "$offences"
exit 1
