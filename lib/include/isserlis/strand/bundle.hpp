// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace isserlis {

/// Most strands that a bundle may have.
inline constexpr unsigned max_strands = 12;
/// Most labels: a state has a bit for each.
inline constexpr unsigned max_labels = 16;
/// Most strands where weights have cumulants beyond the second.
inline constexpr unsigned max_cumulant_strands = 6;

/// Most strands where weights are rows of an orthogonal matrix: 105 pairings of rows times 105 of columns.
inline constexpr unsigned max_orthogonal_strands = 8;

/// A node of a Graph: node 0 of a stage is the one below it, so (0, 0) is the input.
struct NodePlace {
    std::size_t stage = 0;
    std::size_t node = 0;
    friend auto operator<=>(NodePlace const&, NodePlace const&) = default;
};

/// Edge `edge` of a stage.
struct EdgePlace {
    std::size_t stage = 0;
    std::size_t edge = 0;
    friend auto operator<=>(EdgePlace const&, EdgePlace const&) = default;
};

/// One matrix of weights and the nodes that it leads from and to.
struct MatrixPlace {
    EdgePlace edge;
    NodePlace from;
    NodePlace to;
};

/// One output coordinate expanded over paths: a path from where it starts down to the input, whose coordinate it takes.
/// An entry of a Jacobian takes no coordinate: it ends on the neuron of a letter. An entry of one matrix ends below it.
struct Strand {
    NodePlace start;
    bool activated = false;  ///< starts after the activation, so that it passes the gate of its first node
    unsigned letter = 0;     ///< which of the bundle's letters its first neuron is
    unsigned input = 0;      ///< number of its input vector
    std::optional<unsigned> end_letter{};  ///< which of the letters its last neuron is
    std::optional<EdgePlace> matrix{};     ///< the one matrix that it is an entry of
    friend auto operator<=>(Strand const&, Strand const&) = default;
};

/// A derivative by a weight that is summed over weights: the strands that carry it.
struct StrandLabel {
    std::vector<unsigned> strands;  ///< increasing
    unsigned restriction = 0;       ///< 1-based number of the query's restriction that it obeys; 0 for none
    std::string name;               ///< as written
};

/// A constant vector or matrix taken at the letters of outputs.
struct ConstantFactor {
    std::string name;
    std::vector<unsigned> letters;
};

/// A product of outputs and their derivatives: strands that run side by side.
struct Bundle {
    std::vector<Strand> strands;
    std::vector<StrandLabel> labels;
    std::vector<std::uint64_t> letters;  ///< the fixed neuron of each letter (from 1), or 0 when it is summed
    std::vector<ConstantFactor> constants;
};

/// What multiplies a bundle: number * parameters * (E y_i)^first * V^second * T^third * F^fourth * (number of outputs)^outputs, V,
/// T and F the sums over outputs of central moments, of the second, third and fourth degree.
struct Coefficient {
    Rational number = 1;
    std::map<std::string, unsigned> parameters;
    unsigned first = 0;
    unsigned second = 0;
    unsigned third = 0;
    unsigned fourth = 0;
    int outputs = 0;
};

struct BundleTerm {
    Coefficient coefficient;
    Bundle bundle;
};

/// "z[i;m] z[i;m]" with letters and labels renamed in order: what a bundle is, for messages and --explain.
[[nodiscard]] std::string to_string(Bundle const& bundle);

}  // namespace isserlis
