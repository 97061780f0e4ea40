#!/bin/sh
# SPDX-License-Identifier: MIT
# A stranger's build without CMake.
# usage: CXX=... CXXFLAGS=... build.sh LIBDIR, where isserlis is installed; builds in the current folder
set -eu
if ! command -v pkg-config > /dev/null; then
    echo "skipped: pkg-config is not installed"
    exit 77
fi
export PKG_CONFIG_PATH="$1/pkgconfig"
main=$(cd "$(dirname "$0")/.." && pwd)/main.cpp
# shellcheck disable=SC2046,SC2086  # flags are words
"$CXX" -std=c++20 $CXXFLAGS "$main" -o consumer $(pkg-config --cflags --libs isserlis)
LD_LIBRARY_PATH="$1" ./consumer
