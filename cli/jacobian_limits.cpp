// SPDX-License-Identifier: MIT
#include "jacobian_limits.hpp"

#include <isserlis/error.hpp>
#include <isserlis/formula/gaussian_jacobian.hpp>
#include <isserlis/ring/asymptotics.hpp>
#include <isserlis/ring/polynomial.hpp>
#include <set>

#include "chain_models.hpp"
#include "jacobian_rows.hpp"

namespace isserlis::cli {
namespace {

constexpr char const* ratio_symbol = "b";
constexpr char const* place_symbol = "t";
constexpr char const* layer_symbol = "l";

struct Scale {
    std::string width;
    std::string depth;  ///< empty for a depth in numbers
};

/// The width that is a symbol, and the depth if it is one.
Scale scale_of(ModelText const& text, SymbolicModel const& model) {
    std::set<std::string> widths;
    for (auto const& name : model.graph.input_width.symbols()) widths.insert(name);
    std::set<std::string> depths;
    for (auto const& block : model.graph.blocks) {
        for (auto const& node : block.nodes) {
            for (auto const& name : node.width.symbols()) widths.insert(name);
        }
        for (auto const& part : block.count.symbols()) depths.insert(part.first);
    }
    bool const input_alone = widths.size() == 2 && model.graph.input_width.symbols().size() == 1;
    if (input_alone) widths.erase(model.graph.input_width.symbols().front());  // nothing but a scale depends on it
    if (widths.size() != 1 || depths.size() > 1) {
        throw DomainError(
            "--limit: one symbol for the hidden widths, and at most one for the depth, as in n0,n:L,1; "
            "here are " +
                std::to_string(widths.size()) + " and " + std::to_string(depths.size()),
            "--limit");
    }
    (void)text;
    return {.width = *widths.begin(), .depth = depths.empty() ? "" : *depths.begin()};
}

/// One fraction, its factors multiplied out so that all that is common cancels.
RationalFunction in_lowest_terms(RationalFunction const& x) {
    auto const [numerator, denominator] = x.merged().as_fraction();
    Polynomial const common = gcd(numerator, denominator);
    return (RationalFunction(*divide_exactly(numerator, common)) /
            RationalFunction(*divide_exactly(denominator, common)))
        .merged();
}

Value wide(RationalFunction const& x, Scale const& scale) {
    try {
        return leading_term(by_depth(x), scale.width, "").value;
    } catch (UnsupportedError const& e) {
        return Value::absent(e.what());
    }
}

/// The limit of x as width n and depth b n go to infinity, layer l = t depth: each base is 1 + rate/n, so that its
/// power is an exponential.
Value double_scaling(RationalFunction const& x, Scale const& scale) {
    std::string out;
    std::string constant;
    try {
        ExpPolynomial const sum = by_depth(x);
        for (auto const& term : sum.terms()) {
            ExpPolynomial const coefficient(term.coefficient);
            for (auto const& name : term.coefficient.symbols()) {
                if (name == scale.depth || name == layer_symbol)
                    return Value::absent("the depth multiplies an exponential in the depth");
            }
            auto const front = series_at_infinity(coefficient, scale.width, 0);
            if (front.leading < 0) continue;
            if (front.leading > 0) return Value::absent("it grows with the width");
            RationalFunction rate;
            for (auto const& [base, exponent] : term.powers) {
                auto const series = series_at_infinity(ExpPolynomial(base), scale.width, 1);
                if (series.leading != 0 || !(series.coefficients[0] == RationalFunction(1)))
                    return Value::absent("it grows exponentially with the depth at any width");
                for (auto const& [name, multiple] : exponent.symbols()) {
                    RationalFunction const share =
                        name == scale.depth ? RationalFunction(1) : RationalFunction::symbol(place_symbol);
                    rate = rate + series.coefficients[1] * RationalFunction(multiple) * share;
                }
            }
            rate = in_lowest_terms(rate * RationalFunction::symbol(ratio_symbol));
            RationalFunction const factor = in_lowest_terms(front.coefficients[0]);
            std::string text = "(" + to_string(factor) + ")";
            if (factor.is_numeric()) text = to_string(factor);
            if (rate.is_zero()) {
                constant += (text.front() == '-' ? " - " + text.substr(1) : " + " + text);
                continue;
            }
            text = (text == "1" ? "" : text + "*") + "exp(" + to_string(rate) + ")";
            out += (out.empty() ? "" : " + ") + text;
        }
    } catch (UnsupportedError const& e) {
        return Value::absent(e.what());
    }
    if (out.empty()) out = "0";
    return Value::expression(out + constant);
}

}  // namespace

void add_limits(JacobianCase const& c, SymbolicModel const& model) {
    using R = RationalFunction;
    Scale const scale = scale_of(c.text, model);
    bool const is_wide = c.request.limit == "wide";
    if (!is_wide && scale.depth.empty())
        throw DomainError("--limit double-scaling: a symbolic depth is required, as in n0,n:L,1", "--limit");
    if (!is_wide) {
        for (auto const& name : c.text.symbols()) {
            if (name == ratio_symbol || name == place_symbol)
                throw DomainError(
                    "--limit: b stands for depth over width there, t for the place of the layer; give "
                    "the symbol " +
                        name + " another name",
                    "--limit");
        }
    }
    auto const blocks = blocks_of(model, c.text);
    R const fourth = fourth_of(model, blocks);
    auto const places = places_asked(blocks, c.text, c.request, c.answer);
    auto add = [&](std::string const& name, std::vector<std::string> const& index, NormMoments<R> const& m) {
        R const relative = (m.second / (m.mean * m.mean)) - R(1);
        c.answer.add(name, index, is_wide ? wide(relative, scale) : double_scaling(relative, scale), {}, not_sampled);
    };
    c.answer.assume(is_wide ? "leading order as " + scale.width + " goes to infinity, the depth fixed"
                            : "limit of " + scale.width + " and " + scale.depth + " to infinity, " + scale.depth +
                                  " = b*" + scale.width + "; layer l is t*" + scale.depth);
    if (c.text.wiring == Wiring::dense) {
        std::vector<TransferLayer<R>> layers;
        for (auto const& block : blocks) layers.push_back(block.layers.front());
        DenseJacobian<PlainNumerators<R>> const network(layers, c.text.first_source, model.squared_norm, fourth);
        add("output_relative_variance_limit", {}, network.output());
        for (auto const& at : places)
            add("relative_variance_limit", at.index, network.at(at.place.run + 1, R(0)).jacobian);
        return;
    }
    if (!has_kurtosis_three(blocks)) {
        auto const counted = blocks_over<R>(blocks, [](R const& x) { return x; });
        ChainJacobian<PlainNumerators<R>> const network(counted, model.squared_norm, fourth);
        add("output_relative_variance_limit", {}, network.output());
        for (auto const& at : places) {
            auto const within = checked_count(numerator_of(at.place.within.constant()));
            add("relative_variance_limit", at.index,
                network.at({.run = at.place.run, .within = within, .matrix = at.matrix}, R(0)).jacobian);
        }
        return;
    }
    GaussianJacobian<R, Exponent> const network(blocks, model.squared_norm);
    add("output_relative_variance_limit", {}, network.output());
    for (auto const& at : places)
        add("relative_variance_limit", at.index,
            network.at({.run = at.place.run, .within = at.place.within, .matrix = at.matrix}, R(0)).jacobian);
}

}  // namespace isserlis::cli
