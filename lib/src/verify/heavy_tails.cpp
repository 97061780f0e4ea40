// SPDX-License-Identifier: MIT
#include <isserlis/verify/heavy_tails.hpp>

#include <algorithm>
#include <cmath>

#include "verify/power.hpp"

namespace isserlis {
namespace {

bool is_blunt(Check const& check, double exact) {
    return exact != 0 && check.std_error > conclusive_error * std::fabs(exact);
}

/// A mean that was compared, and not as a constant.
bool varies(Check const& check, double exact) {
    return std::isfinite(check.z) && check.std_error > 1e-9 * std::fabs(exact);
}

/// An error of `seen_error` in standard errors.
double seen(Check const& check, double exact) { return seen_error * std::fabs(exact) / check.std_error; }

}  // namespace

Check compare_with_exact_error(double exact, double mean, double std_error, double sampled_error,
                               std::uint64_t samples) {
    Check out = compare(exact, mean, std_error, Check::ErrorKind::exact, samples);
    if (std::isfinite(sampled_error)) out.sampled_error = sampled_error;
    if (!varies(out, exact)) return out;
    bool const can_refute = samples > 2 && std::isfinite(sampled_error);
    double const by_samples = sampled_threshold(samples);
    if (exact != 0) {
        double const threshold = is_blunt(out, exact) ? heavy_tail_threshold : check_threshold;
        out.power = can_refute ? detail::exceeding_both(threshold, by_samples, seen(out, exact), samples) : 0;
    }
    if (out.verdict != Check::Verdict::disagrees) return out;
    if (can_refute && std::fabs(mean - exact) > by_samples * sampled_error) return out;
    out.verdict = Check::Verdict::inconclusive;
    out.std_error = sampled_error;
    out.std_error_kind = Check::ErrorKind::sampled;
    out.z = sampled_error > 0 ? (mean - exact) / sampled_error : std::nan("");
    return out;
}

Check compare_with_second_moment(double exact, double second_moment, double mean, double sampled_error,
                                 std::uint64_t samples) {
    double const variance = second_moment - exact * exact;
    double const error = variance < 0 ? 0 : std::sqrt(variance / static_cast<double>(samples));
    return compare_with_exact_error(exact, mean, error, sampled_error, samples);
}

double skewed_threshold(std::uint64_t samples, double skewness) {
    constexpr double shift = (2 * check_threshold * check_threshold + 1) / 6;
    double const n = std::max(1.0, static_cast<double>(samples));
    return sampled_threshold(samples) + shift * skewness / std::sqrt(n) + 130 / n;
}

Check compare_skewed(double exact, double mean, double std_error, std::uint64_t samples, double skewness) {
    Check out = compare(exact, mean, std_error, Check::ErrorKind::sampled, samples);
    if (!varies(out, exact) || is_blunt(out, exact)) return out;
    double const threshold = skewed_threshold(samples, skewness);
    if (out.power && samples >= fewest_samples)
        out.power = detail::exceeding_sampled(threshold, seen(out, exact), samples);
    if (std::fabs(out.z) <= threshold) out.verdict = Check::Verdict::agrees;
    return out;
}

Check compare_log_mean(double exact, double mean, double std_error, std::uint64_t samples) {
    constexpr double skewness = 2;
    constexpr double rounding = 1e-9;
    bool const is_constant = std_error <= rounding && std::abs(mean - exact) <= rounding;
    return is_constant ? compare_skewed(exact, exact, 0, samples, skewness)
                       : compare_skewed(exact, mean, std_error, samples, skewness);
}

Check compare_sampled(double exact, double mean, double std_error, std::uint64_t samples, double largest_share) {
    Check out = compare_sampled(exact, mean, std_error, samples);
    if (out.verdict == Check::Verdict::disagrees && largest_share > conclusive_error)
        out.verdict = Check::Verdict::inconclusive;
    return out;
}

}  // namespace isserlis
