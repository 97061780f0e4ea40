// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <string>
#include <vector>

namespace isserlis::cli {

/// One command line: the answer goes to `out`, and a sentence about what is wrong to `err`. The exit code.
int run(std::vector<std::string> const& words, std::FILE* out, std::FILE* err);

}  // namespace isserlis::cli
