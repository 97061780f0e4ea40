// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <cstdlib>

/// The decorator of a test that measures a time: `TEST_CASE("..." * timed())`. It is skipped where the environment variable
/// ISSERLIS_TEST_UNTIMED is set, as by mutate.py: what else a machine does would judge.
inline doctest::skip timed() { return doctest::skip(std::getenv("ISSERLIS_TEST_UNTIMED") != nullptr); }
