// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/growth_bounds.hpp>
#include <isserlis/report/answer.hpp>

#include <optional>
#include <string>
#include <vector>

#include "model_text.hpp"

namespace isserlis::cli {

[[nodiscard]] Surd as_shown(Rational const& x);
[[nodiscard]] Surd as_shown(Surd const& x);
[[nodiscard]] RationalFunction as_shown(RationalFunction const& x);

/// The sign of kappa - 3, unless symbols leave it open.
[[nodiscard]] std::optional<int> kurtosis_side(Rational const& kurtosis);
[[nodiscard]] std::optional<int> kurtosis_side(Surd const& kurtosis);
[[nodiscard]] std::optional<int> kurtosis_side(RationalFunction const& kurtosis);

/// The bounds of Lemma 2, Theorem 2 and Theorem 3, as printed: their growth, and what they say of the variance.
struct PrintedRows {
    Value growth_lower;
    Value growth_upper;
    Value lower;
    Value upper;
};

/// Errors  none: what the paper's statement does not cover is absent, with the reason. `R` is Surd or RationalFunction.
template <class R, class Count>
[[nodiscard]] PrintedRows printed_rows(std::vector<TransferBlock<R, Count>> const& blocks, ModelText const& text,
                                       std::size_t run, std::size_t matrix);
extern template PrintedRows printed_rows(std::vector<TransferBlock<Surd>> const&, ModelText const&, std::size_t,
                                         std::size_t);
extern template PrintedRows printed_rows(std::vector<TransferBlock<RationalFunction, Exponent>> const&,
                                         ModelText const&, std::size_t, std::size_t);

/// --bounds growth: bounds by widths and kurtoses alone, as printed and as correct.
template <class R, class Count>
class GrowthRows {
public:
    using Shown = decltype(as_shown(std::declval<R>()));

    GrowthRows(std::vector<TransferBlock<R, Count>> const& blocks, ModelText const& text) : text_(text) {
        for (auto const& block : blocks) {
            TransferBlock<R, Count> low = block;
            TransferBlock<R, Count> high = block;
            TransferBlock<Shown, Count> b{.layers = {}, .skip = block.skip, .count = block.count};
            for (std::size_t j = 0; j < block.layers.size(); ++j) {
                auto const& l = block.layers[j];
                auto const side = kurtosis_side(l.kurtosis);
                known_ = known_ && side;
                (side.value_or(0) < 0 ? high : low).layers[j].kurtosis = R(3);
                b.layers.push_back({.fan_in = as_shown(l.fan_in),
                                    .fan_out = as_shown(l.fan_out),
                                    .variance = as_shown(l.variance),
                                    .kurtosis = as_shown(l.kurtosis),
                                    .slope = as_shown(l.slope)});
            }
            low_.push_back(std::move(low));
            high_.push_back(std::move(high));
            shown_.push_back(std::move(b));
        }
    }

    /// Adds the rows of matrix `matrix` of run number `run`; `mean` = E||J||^2, `why` nothing is sampled.
    void add(std::vector<std::string> const& index, std::size_t run, std::size_t matrix, R const& mean,
             std::string const& why, Answer& answer) const {
        PrintedRows const printed = printed_rows(shown_, text_, run, matrix);
        answer.add("growth_lower_printed", index, printed.growth_lower, {}, why);
        answer.add("growth_upper_printed", index, printed.growth_upper, {}, why);
        Value const open = Value::absent("which is larger, a kurtosis or 3, is open; give it by --set");
        if (!known_) {
            for (char const* name : {"growth_lower", "growth_upper"}) answer.add(name, index, open, {}, why);
        } else {
            R const lower = growth(low_, run);
            R const upper = growth(high_, run);
            answer.add("growth_lower", index, as_shown(lower), {}, why);
            answer.add("growth_upper", index, as_shown(upper), {}, why);
            auto const bounds = growth_variance(mean, lower, upper, high_[run].layers[matrix - 1].kurtosis);
            answer.add("variance_lower_printed", index, printed.lower, {}, why);
            answer.add("variance_upper_printed", index, printed.upper, {}, why);
            answer.add("variance_lower", index, as_shown(bounds.lower), {}, why);
            answer.add("variance_upper", index, as_shown(bounds.upper), {}, why);
            return;
        }
        answer.add("variance_lower_printed", index, printed.lower, {}, why);
        answer.add("variance_upper_printed", index, printed.upper, {}, why);
        answer.add("variance_lower", index, open, {}, why);
        answer.add("variance_upper", index, open, {}, why);
    }

private:
    [[nodiscard]] R growth(std::vector<TransferBlock<R, Count>> const& blocks, std::size_t run) const {
        if (text_.wiring != Wiring::dense) return ChainGrowth<R, Count>(blocks).reduced(run);
        std::vector<TransferLayer<R>> layers;
        for (auto const& block : blocks) layers.push_back(block.layers.front());
        return dense_growth(layers, text_.first_source, run + 1);
    }

    ModelText const& text_;
    bool known_ = true;
    std::vector<TransferBlock<R, Count>> low_;
    std::vector<TransferBlock<R, Count>> high_;
    std::vector<TransferBlock<Shown, Count>> shown_;
};

}  // namespace isserlis::cli
