// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/architecture.hpp>
#include <isserlis/mlp/network.hpp>

#include <optional>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// The layout of files that are written, and the only one that is read; a file without a version is of this one.
inline constexpr int weights_file_version = 1;

/// A fully connected network as a file has it.
struct SavedNetwork {
    struct Layer {
        mlp::Layer<double> matrices;  ///< N of crelu in `negative`, also if it is tied
        std::vector<double> bias;     ///< empty without biases
        std::optional<double> slope;  ///< of hidden prelu units
    };
    mlp::Unit unit;  ///< of the hidden layers
    bool tied = false;
    bool gated_head = false;
    bool biases = false;
    std::vector<Layer> layers;

    [[nodiscard]] std::vector<std::size_t> widths() const;
    /// In the order of the architecture that perceptron() makes of widths, unit and biases.
    [[nodiscard]] std::vector<double> parameters(mlp::Architecture const& architecture) const;
};

/// Reads a network with given weights (JSON); docs/data.md has the format. `parameter` is what messages start with.
/// Errors  ParseError naming the file, layer, matrix, row and column; those of file_content.
[[nodiscard]] SavedNetwork read_saved_network(std::string const& path, std::string const& parameter);

/// The same for commands that know layers without biases, of linear, relu, leaky or crelu units.
/// Errors  also UnsupportedError, for what those do not know.
[[nodiscard]] mlp::Network<double> read_weights_file(std::string const& path, std::string const& parameter);

/// The text of a file that reads back as this fully connected network.
[[nodiscard]] std::string weights_text(mlp::Architecture const& architecture, mlp::Unit const& unit,
                                       std::vector<double> const& parameters);

}  // namespace isserlis::quantity
