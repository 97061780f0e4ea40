// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>

#include "closed_forms.hpp"

namespace isserlis {
namespace {

/// In double-doubles while their digits do, which is quick, and beyond as it is enclosed otherwise.
std::function<Enclosed(unsigned bits)> balls_first(std::function<Interval()> const& balls,
                                                   std::function<Enclosed(unsigned bits)> const& enclosure) {
    return [balls, enclosure](unsigned bits) -> Enclosed {
        if (bits > bits_of_doubles) return enclosure(bits);
        try {
            Interval x = balls();
            if (!x.contains_zero()) return x;
        } catch (UnsupportedError const&) {
            // beyond the range of doubles
        }
        return enclosure(bits);
    };
}

}  // namespace

void require_few_for_slopes(std::size_t samples) {
    if (samples <= most_samples_of_slope) return;
    throw UnsupportedError("slopes through gates are served up to " + std::to_string(most_samples_of_slope) +
                               " samples; `samples` N samples it",
                           "data");
}

CurveNumber triple_sum(std::size_t samples, std::function<Interval()> const& balls,
                       std::function<Enclosed(unsigned bits)> const& enclosure) {
    if (samples > most_samples_of_any_digits_of_triples) return CurveNumber::within(balls(), kernels);
    return CurveNumber::enclosed(balls_first(balls, enclosure), kernels);
}

CurveNumber KernelNumber::of(std::size_t samples) const {
    if (samples > most_samples_of_any_digits) return CurveNumber::within(balls(), kernels);
    if (samples <= most_samples_of_exact_sums) {
        if (auto const sum = exact()) return {*sum, kernels};
    }
    auto const first = balls_first(balls, [*this](unsigned bits) -> Enclosed {
        if (auto const sum = exact()) return sum->enclose(bits);
        return enclosure(bits);
    });
    return CurveNumber::certified([first](unsigned bits) { return first(bits).enclose(bits); }, kernels);
}

}  // namespace isserlis
