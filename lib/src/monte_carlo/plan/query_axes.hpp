// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/mlp/graph_network.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "label_sets.hpp"
#include "monte_carlo/tensor_program.hpp"
#include "scoped_query.hpp"

namespace isserlis::monte_carlo::detail {

/// The axes of one scoped query after another: what each letter and each label runs over.
///
/// Law     none.
/// Shape   letters run over the neurons of a node or the entries of a constant, labels over weights.
/// Units   none.
/// Errors  DomainError for nodes, neurons and constants that there are not, and for a letter over two widths.
/// Source  this library
class QueryAxes {
public:
    QueryAxes(mlp::GraphLayout const& layout, ObservableSettings const& settings, LabelSets& labels,
              TensorProgram& program)
        : layout_(layout), settings_(settings), labels_(labels), program_(program) {}

    /// Takes in the next query: the sizes of all its axes, from every place where they occur.
    void measure(ScopedSum const& sum, std::vector<LabelRestriction> const& restrictions);

    /// In the program.
    [[nodiscard]] std::size_t axis(std::string const& name) const { return axes_.at(name); }
    /// What a label runs over; none for a letter.
    [[nodiscard]] LabelSets::Set label(std::string const& name) const;
    /// What an axis runs over, as text: equal for equal axes.
    [[nodiscard]] std::string range(std::string const& name) const;
    [[nodiscard]] std::size_t node_of(ScopedFactor const& factor) const;
    /// The weight edge of an entry of a matrix.
    [[nodiscard]] std::size_t edge_of(ScopedFactor const& factor) const;
    /// Of what stands at that one of the factor's places.
    [[nodiscard]] std::size_t width_of(ScopedFactor const& factor, std::size_t place = 0) const;

private:
    void measure(ScopedSum const& sum);
    void measure(ScopedFactor const& factor, std::size_t which);
    [[nodiscard]] std::string described(ScopedFactor const& factor) const;

    mlp::GraphLayout const& layout_;
    ObservableSettings const& settings_;
    LabelSets& labels_;
    TensorProgram& program_;
    std::map<std::string, LabelSets::Set> sets_;
    std::map<std::string, std::size_t> axes_;  ///< of letters and labels
    std::map<std::string, std::pair<std::size_t, std::string>> widths_;
};

}  // namespace isserlis::monte_carlo::detail
