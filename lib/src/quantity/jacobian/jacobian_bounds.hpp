// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/growth_bounds.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/ring/members.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "question/model_text.hpp"

namespace isserlis::quantity {

[[nodiscard]] Surd as_shown(Rational const& x);
[[nodiscard]] Surd as_shown(Surd const& x);
[[nodiscard]] RationalFunction as_shown(RationalFunction const& x);

[[nodiscard]] inline RationalFunction as_formula(Rational const& x) { return x; }
[[nodiscard]] inline RationalFunction as_formula(Surd const& x) { return x; }
[[nodiscard]] inline RationalFunction as_formula(RationalFunction const& x) { return x; }

/// The sign of kappa - 3, unless symbols leave it open.
[[nodiscard]] std::optional<int> kurtosis_side(Rational const& kurtosis);
[[nodiscard]] std::optional<int> kurtosis_side(Surd const& kurtosis);
[[nodiscard]] std::optional<int> kurtosis_side(RationalFunction const& kurtosis);

/// The sign of x, unless symbols leave it open.
[[nodiscard]] std::optional<int> side_of(Rational const& x);
[[nodiscard]] std::optional<int> side_of(Surd const& x);
[[nodiscard]] std::optional<int> side_of(RationalFunction const& x);

/// a <= b, unless symbols leave it open.
[[nodiscard]] std::optional<bool> at_most(Rational const& a, Rational const& b);
[[nodiscard]] std::optional<bool> at_most(Surd const& a, Surd const& b);
[[nodiscard]] std::optional<bool> at_most(RationalFunction const& a, RationalFunction const& b);

/// A lower bound of a variance: x, or 0 where x is known to be below it. Says so where symbols leave that open.
template <class R>
R at_least_zero(R const& x, std::string const& name, Answer& answer) {
    auto const side = side_of(x);
    if (!side) answer.warn(name + ": where the formula is negative the bound is 0");
    return side.value_or(0) < 0 ? R(0) : x;
}

/// What the bounds of one matrix are held against, and what they need of it.
struct BoundedMatrix {
    RationalFunction mean;          ///< E||J||^2
    RationalFunction variance;      ///< Var||J||^2
    RationalFunction growth;        ///< E|y_(k)|^4/(E|y_(k)|^2)^2
    RationalFunction squared_norm;  ///< |x|^2
    std::size_t run = 0;
    std::size_t matrix = 1;
};

/// Adds the bounds of Lemma 2, Theorem 2 and Theorem 3 as printed: their growths, and what they say of the variance.
/// What the paper's statement does not cover is absent, with the reason.
void add_printed_bounds(std::vector<TransferStage<RationalFunction, Exponent>> const& stages, ModelText const& text,
                        BoundedMatrix const& at, std::vector<std::string> const& index, std::string const& why,
                        Answer& answer);

/// `bounds` growth: bounds by widths and kurtoses alone, as correct, and as printed with `printed`.
template <class R, class Count>
class GrowthRows {
public:
    GrowthRows(std::vector<TransferStage<R, Count>> const& stages, ModelText const& text, R squared_norm, bool printed)
        : text_(text), squared_norm_(std::move(squared_norm)), printed_(printed) {
        for (auto const& stage : stages) {
            TransferStage<R, Count> low = stage;
            TransferStage<R, Count> high = stage;
            for (std::size_t j = 0; j < stage.layers.size(); ++j) {
                auto const side = kurtosis_side(stage.layers[j].kurtosis);
                known_ = known_ && side;
                (side.value_or(0) < 0 ? high : low).layers[j].kurtosis = R(3);
            }
            low_.push_back(std::move(low));
            high_.push_back(std::move(high));
            if (printed) formulas_.push_back(formulas(stage));
        }
    }

    /// Adds the rows of matrix `matrix` of run number `run`, whose exact moments are given; `why` nothing is sampled.
    void add(std::vector<std::string> const& index, std::size_t run, std::size_t matrix, LayerJacobian<R> const& exact,
             std::string const& why, Answer& answer) const {
        R const growth = exact.reduced.second / (exact.reduced.mean * exact.reduced.mean);
        if (printed_) {
            add_printed_bounds(formulas_, text_,
                               {.mean = as_formula(exact.jacobian.mean),
                                .variance = as_formula(exact.jacobian.variance),
                                .growth = as_formula(growth),
                                .squared_norm = as_formula(squared_norm_),
                                .run = run,
                                .matrix = matrix},
                               index, why, answer);
        }
        if (!known_) {
            Value const open = Value::absent("which is larger, a kurtosis or 3, is open; give it by `set`");
            for (char const* name : {"growth_lower", "growth_upper", "variance_lower", "variance_upper"})
                answer.add(name, index, open, {}, why);
            return;
        }
        R const lower = growth_of(low_, run);
        R const upper = growth_of(high_, run);
        R const& variance = exact.jacobian.variance;
        auto bounds = growth_variance(exact.jacobian.mean, lower, upper, high_[run].layers[matrix - 1].kurtosis);
        bounds.lower = at_least_zero(bounds.lower, "variance_lower", answer);
        answer.add_bound("growth_lower", index, as_shown(lower), at_most(lower, growth), why);
        answer.add_bound("growth_upper", index, as_shown(upper), at_most(growth, upper), why);
        answer.add_bound("variance_lower", index, as_shown(bounds.lower), at_most(bounds.lower, variance), why);
        if (!side_of(bounds.lower)) answer.hold_where_not_negative();
        answer.add_bound("variance_upper", index, as_shown(bounds.upper), at_most(variance, bounds.upper), why);
    }

private:
    [[nodiscard]] R growth_of(std::vector<TransferStage<R, Count>> const& stages, std::size_t run) const {
        if (text_.wiring != Wiring::dense) return ChainGrowth<R, Count>(stages).reduced(run);
        std::vector<TransferLayer<R>> layers;
        for (auto const& stage : stages) layers.push_back(stage.layers.front());
        return dense_growth(layers, text_.first_source, run + 1);
    }
    static Exponent exponent_of(Exponent const& count) { return count; }
    static Exponent exponent_of(std::uint64_t count) { return Rational(Integer(count)); }
    static TransferStage<RationalFunction, Exponent> formulas(TransferStage<R, Count> const& stage) {
        return {.layers = converted<RationalFunction>(stage.layers, [](R const& x) { return as_formula(x); }),
                .skip = stage.skip,
                .count = exponent_of(stage.count)};
    }

    ModelText const& text_;
    R squared_norm_;
    bool printed_ = false;
    bool known_ = true;
    std::vector<TransferStage<R, Count>> low_;
    std::vector<TransferStage<R, Count>> high_;
    std::vector<TransferStage<RationalFunction, Exponent>> formulas_;
};

}  // namespace isserlis::quantity
