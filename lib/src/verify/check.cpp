// SPDX-License-Identifier: MIT
#include <isserlis/verify/check.hpp>

#include <algorithm>
#include <cmath>

#include "verify/power.hpp"

namespace isserlis {

char const* name(Check::ErrorKind kind) { return kind == Check::ErrorKind::exact ? "exact" : "sampled"; }

char const* name(Check::Verdict verdict) {
    switch (verdict) {
        case Check::Verdict::agrees: return "agrees";
        case Check::Verdict::disagrees: return "disagrees";
        case Check::Verdict::holds: return "holds";
        case Check::Verdict::fails: return "fails";
        case Check::Verdict::inconclusive: break;
    }
    return "inconclusive";
}

namespace {

/// Largest sampled error, as a fraction of the sampled mean, that refutes whatever the tails. At a tenth, a hundred networks
/// of which none has a large coordinate came to 80 of their errors below a right value.
constexpr double refuting_error = 0.02;

double power(double threshold, double distance, bool is_sampled, std::uint64_t samples) {
    return is_sampled ? detail::exceeding_sampled(threshold, distance, samples)
                      : detail::exceeding(threshold, distance);
}

/// `compare`; a gap of no more than `least_refuting` standard errors is left inconclusive.
Check compared(double exact, double mean, double std_error, Check::ErrorKind kind, std::uint64_t samples,
               double least_refuting) {
    Check out{.mean = mean, .std_error = std_error, .std_error_kind = kind, .samples = samples};
    if (exact != 0) out.power = 0;
    out.z = std::nan("");
    // Beyond double nothing can be concluded.
    if (!std::isfinite(exact) || !std::isfinite(mean) || !std::isfinite(std_error)) return out;
    double const gap = mean - exact;
    double const rounding = 1e-9 * std::fabs(exact);
    bool const is_sampled = kind == Check::ErrorKind::sampled;
    bool const can_refute = !is_sampled || samples >= fewest_samples;
    auto const refuted = can_refute ? Check::Verdict::disagrees : Check::Verdict::inconclusive;
    if (std_error <= rounding) {
        // A constant: no sampling error, equality up to the rounding of doubles.
        out.z = std::fabs(gap) <= 10 * rounding ? 0 : std::copysign(INFINITY, gap);
        bool const unseen = is_sampled && mean == 0;
        out.verdict = out.z == 0 ? Check::Verdict::agrees : unseen ? Check::Verdict::inconclusive : refuted;
        if (exact != 0 && can_refute && !unseen) out.power = 1;
        return out;
    }
    out.z = gap / std_error;
    if (!std::isfinite(out.z)) return out;
    // An error this large, relative to the value, comes from a heavy tail: five of them prove nothing either way.
    bool const blunt = exact != 0 && std_error > conclusive_error * std::fabs(exact);
    double const agreeing = blunt ? heavy_tail_threshold : is_sampled ? sampled_threshold(samples) : check_threshold;
    double const refuting = std::max(agreeing, least_refuting);
    if (exact != 0 && can_refute)
        out.power = power(refuting, seen_error * std::fabs(exact) / std_error, is_sampled, samples);
    if (std::fabs(out.z) > refuting) {
        out.verdict = refuted;
    } else if (!blunt && std::fabs(out.z) <= agreeing) {
        out.verdict = Check::Verdict::agrees;
    }
    return out;
}

}  // namespace

double sampled_threshold(std::uint64_t samples) {
    double const z = check_threshold;
    double const nu = std::max(1.0, static_cast<double>(samples) - 1);
    double const z3 = z * z * z;
    double const z5 = z3 * z * z;
    return z + (z3 + z) / (4 * nu) + (5 * z5 + 16 * z3 + 3 * z) / (96 * nu * nu) +
           (3 * z5 * z * z + 19 * z5 + 17 * z3 - 15 * z) / (384 * nu * nu * nu);
}

Check compare(double exact, double mean, double std_error, Check::ErrorKind kind, std::uint64_t samples) {
    return compared(exact, mean, std_error, kind, samples, 0);
}

Check compare_sampled(double exact, double mean, double std_error, std::uint64_t samples) {
    Check out = compared(exact, mean, std_error, Check::ErrorKind::sampled, samples, heavy_tail_threshold);
    bool const carried_by_few = std_error > refuting_error * std::fabs(mean);
    // Samples that are all the same may have missed everything, as dead networks do.
    bool const one_value = std_error <= 1e-9 * std::fabs(exact);
    if (one_value && exact != 0) out.power = 0;
    if (out.verdict == Check::Verdict::disagrees && (carried_by_few || one_value))
        out.verdict = Check::Verdict::inconclusive;
    return out;
}

Check compare_with_upper_bound(double bound, double mean, double std_error, std::uint64_t samples) {
    Check out{.mean = mean, .std_error = std_error, .std_error_kind = Check::ErrorKind::sampled, .samples = samples};
    double const gap = mean - bound;
    bool const constant = std_error <= 1e-9 * std::fabs(bound);
    out.z = constant ? (gap <= 1e-8 * std::fabs(bound) ? 0 : INFINITY) : gap / std_error;
    if (!std::isfinite(mean) || !std::isfinite(bound) || !std::isfinite(std_error)) {
        out.z = std::nan("");
        return out;
    }
    if (samples < fewest_samples && out.z > 0) return out;
    out.verdict = out.z > sampled_threshold(samples) ? Check::Verdict::fails : Check::Verdict::holds;
    return out;
}

Check compare_with_lower_bound(double bound, double mean, double std_error, std::uint64_t samples) {
    Check out = compare_with_upper_bound(-bound, -mean, std_error, samples);
    out.mean = mean;
    out.z = -out.z;
    return out;
}

}  // namespace isserlis
