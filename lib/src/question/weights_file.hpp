// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/mlp/network.hpp>

#include <string>
#include <vector>

namespace isserlis::quantity {

/// Reads a network with given weights (JSON); docs/data.md has the format. `parameter` is what messages start with.
/// Errors  ParseError naming the file, layer, matrix, row and column; those of file_content.
[[nodiscard]] mlp::Network<double> read_weights_file(std::string const& path, std::string const& parameter);

/// The text of a file that reads back as this fully connected network, of identity, relu, leaky or crelu units without
/// biases.
[[nodiscard]] std::string weights_text(mlp::Architecture const& architecture, mlp::Unit const& unit,
                                       std::vector<double> const& parameters);

}  // namespace isserlis::quantity
