// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/network.hpp>

#include <string>

namespace isserlis::cli {

/// Reads a network with given weights (JSON); docs/data.md has the format. `option` is what messages start with.
/// Errors  ParseError naming the file, layer, matrix, row and column; those of file_content.
[[nodiscard]] mlp::Network<double> read_weights_file(std::string const& path, std::string const& option);

}  // namespace isserlis::cli
