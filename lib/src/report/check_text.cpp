// SPDX-License-Identifier: MIT
#include "check_text.hpp"

#include <cmath>
#include <cstdio>

namespace isserlis {

std::string short_number(double x, char const* format) {
    if (!std::isfinite(x)) return "-";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, format, x);
    return buffer;
}

char const* verdict_of(Result const& r) {
    if (r.check) return name(r.check->verdict);
    return r.bound ? name(*r.bound) : "-";
}

std::string verdict_text(Result const& result) {
    if (!result.check) return result.bound ? verdict_of(result) : "";
    Check const& c = *result.check;
    return "sampled " + short_number(c.mean, "%.6g") + ", standard error " + short_number(c.std_error, "%.2g") + " " +
           name(c.std_error_kind) + ", z = " + short_number(c.z, "%+.2f") + ": " + verdict_of(result);
}

}  // namespace isserlis
