// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/verify/check.hpp>

namespace isserlis {

char const* name(Check::ErrorKind kind) { return kind == Check::ErrorKind::exact ? "exact" : "sampled"; }

char const* name(Check::Verdict verdict) {
    switch (verdict) {
        case Check::Verdict::agrees: return "agrees";
        case Check::Verdict::disagrees: return "disagrees";
        case Check::Verdict::inconclusive: break;
    }
    return "inconclusive";
}

Check compare(double exact, double mean, double std_error, Check::ErrorKind kind, std::uint64_t samples) {
    Check out{.mean = mean, .std_error = std_error, .std_error_kind = kind, .samples = samples};
    double const gap = mean - exact;
    double const rounding = 1e-9 * std::fabs(exact);
    if (std_error <= rounding) {
        // A constant: no sampling error, equality up to the rounding of doubles.
        out.z = std::fabs(gap) <= 10 * rounding ? 0 : std::copysign(INFINITY, gap);
        out.verdict = out.z == 0 ? Check::Verdict::agrees : Check::Verdict::disagrees;
        return out;
    }
    out.z = gap / std_error;
    if (!(std::fabs(out.z) <= check_threshold)) {
        out.verdict = std::isfinite(out.z) ? Check::Verdict::disagrees : Check::Verdict::inconclusive;
    } else if (exact != 0 && std_error > conclusive_error * std::fabs(exact)) {
        out.verdict = Check::Verdict::inconclusive;
    } else {
        out.verdict = Check::Verdict::agrees;
    }
    return out;
}

}  // namespace isserlis
