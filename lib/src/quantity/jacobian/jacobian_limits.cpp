// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_limits.hpp"

#include <isserlis/error.hpp>
#include <isserlis/formula/gaussian_jacobian.hpp>
#include <set>

#include "quantity/chain_models.hpp"
#include "quantity/jacobian/jacobian_rows.hpp"
#include "quantity/limit_scale.hpp"

namespace isserlis::quantity {
namespace {

/// The width that is a symbol, and the depth if it is one. With `limit` deep the widths may be anything.
LimitScale scale_of(SymbolicModel const& model, bool deep) {
    std::set<std::string> widths;
    for (auto const& name : model.graph().input_width.symbols()) widths.insert(name);
    std::set<std::string> depths;
    for (auto const& block : model.graph().blocks) {
        for (auto const& node : block.nodes) {
            for (auto const& name : node.width.symbols()) widths.insert(name);
        }
        for (auto const& part : block.count.symbols()) depths.insert(part.first);
    }
    if (deep) {
        if (depths.size() != 1)
            throw DomainError("`limit` deep: one symbol for the depth is required, as in n,n:L or 40,40:L; here are " +
                                  std::to_string(depths.size()),
                              "limit");
        return {.width = "", .depth = *depths.begin()};
    }
    bool const input_alone = widths.size() == 2 && model.graph().input_width.symbols().size() == 1;
    if (input_alone) widths.erase(model.graph().input_width.symbols().front());  // nothing but a scale depends on it
    if (widths.size() != 1 || depths.size() > 1) {
        throw DomainError(
            "`limit`: one symbol for the hidden widths, and at most one for the depth, as in n0,n:L,1; "
            "here are " +
                std::to_string(widths.size()) + " and " + std::to_string(depths.size()),
            "limit");
    }
    return {.width = *widths.begin(), .depth = depths.empty() ? "" : *depths.begin()};
}

void refuse_taken_symbols(ModelText const& text, bool deep) {
    for (auto const& name : text.symbols()) {
        if ((name == ratio_symbol && !deep) || name == place_symbol)
            throw DomainError(
                "`limit`: b stands for depth over width there, t for the place of the layer; give "
                "the symbol " +
                    name + " another name",
                "limit");
    }
}

}  // namespace

void add_limits(JacobianCase const& c, SymbolicModel const& model) {
    using R = RationalFunction;
    bool const is_wide = *c.session.limit == "wide";
    bool const is_deep = *c.session.limit == "deep";
    LimitScale scale = scale_of(model, is_deep);
    if (is_wide) {
        scale.depth.clear();
    } else if (scale.depth.empty()) {
        throw DomainError("`limit` double-scaling: a symbolic depth is required, as in n0,n:L,1", "limit");
    }
    if (!is_wide) refuse_taken_symbols(c.text, is_deep);
    auto const blocks = blocks_of(model, c.text);
    R const fourth = fourth_of(model, blocks);
    auto const places = places_asked(blocks, c.text, c.request, c.answer);
    auto add = [&](std::string const& prefix, std::vector<std::string> const& index, NormMoments<R> const& m) {
        R const relative = (m.second / (m.mean * m.mean)) - R(1);
        add_limit_of(ExpQuotient(by_depth(relative)), scale,
                     {.limit = prefix + "_limit", .leading = prefix + "_leading"}, index, c.answer);
    };
    state_limit(scale, c.answer);
    if (c.text.wiring == Wiring::dense) {
        std::vector<TransferLayer<R>> layers;
        for (auto const& block : blocks) layers.push_back(block.layers.front());
        DenseJacobian<PlainFractions<R>> const network(layers, c.text.first_source, model.squared_norm, fourth);
        add("output_relative_variance", {}, network.output());
        for (auto const& at : places) add("relative_variance", at.index, network.at(at.place.run + 1, R(0)).jacobian);
        return;
    }
    if (!has_kurtosis_three(blocks)) {
        auto const counted = counted_blocks(blocks);
        ChainJacobian<PlainFractions<R>> const network(counted, model.squared_norm, fourth);
        add("output_relative_variance", {}, network.output());
        for (auto const& at : places) {
            auto const within = checked_count(numerator_of(at.place.within.constant()));
            add("relative_variance", at.index,
                network.at({.run = at.place.run, .within = within, .matrix = at.matrix}, R(0)).jacobian);
        }
        return;
    }
    GaussianJacobian<R, Exponent> const network(blocks, model.squared_norm);
    add("output_relative_variance", {}, network.output());
    for (auto const& at : places)
        add("relative_variance", at.index,
            network.at({.run = at.place.run, .within = at.place.within, .matrix = at.matrix}, R(0)).jacobian);
}

}  // namespace isserlis::quantity
