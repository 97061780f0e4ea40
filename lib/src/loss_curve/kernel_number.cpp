// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>

#include "closed_forms.hpp"

namespace isserlis {

std::function<Enclosed(unsigned bits)> balls_first(std::function<Interval()> balls,
                                                   std::function<Enclosed(unsigned bits)> enclosure) {
    return [balls = std::move(balls), enclosure = std::move(enclosure)](unsigned bits) -> Enclosed {
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
