// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/activation.hpp>
#include <isserlis/network/weight_law.hpp>
#include <isserlis/ring/parse.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// A graph of layers as its file describes it: numbers and formulas not yet evaluated. docs/networks.md has the format.
struct GraphText {
    struct Node {
        std::string name;
        Expression width;
        bool concatenation = false;
        bool gated = false;
        std::optional<Expression> slope;  ///< of the gate below 0; none is 0
        std::optional<Expression> bias_variance;
        LawKind bias_law = LawKind::gaussian;
    };
    struct Edge {
        std::string name;
        std::size_t from = 0;  ///< index of a node
        std::size_t to = 0;
        bool skip = false;
        std::optional<Expression> variance;  ///< else 1/(g2 fan_in) over all weights into the node
        std::optional<LawKind> law;
        std::optional<Expression> kurtosis;
        std::optional<Expression> label_factor;
    };
    std::vector<Node> nodes;  ///< the input first, the output last
    std::vector<Edge> edges;

    [[nodiscard]] bool has_biases() const;
    [[nodiscard]] bool has_label_factors() const;
    void gather_symbols(std::set<std::string>& into) const;
};

/// Reads a network file (JSON).
/// Errors  ParseError naming the file and the node or edge.
[[nodiscard]] GraphText read_graph_file(std::string const& path);

/// The whole file as text. Errors  ParseError naming the parameter when it cannot be read; UnsupportedError beyond 100 MB,
/// or where it could take more than 2 GB of memory, at so much a byte of text.
[[nodiscard]] std::string file_content(std::string const& path, std::string const& parameter,
                                       std::uintmax_t memory_per_byte = 20);
/// The same, or what stands behind `text:` in place of a file: there `;` ends a line. Errors  those of file_content.
[[nodiscard]] std::string given_content(std::string const& value, std::string const& parameter,
                                        std::uintmax_t memory_per_byte = 20);
/// Is it a text in place of a file?
[[nodiscard]] bool is_given_text(std::string const& value);
/// That of numbers which are read exactly: a digit and a comma each, in the worst case.
inline constexpr std::uintmax_t memory_of_exact_numbers = 200;

}  // namespace isserlis::quantity
