// SPDX-License-Identifier: MIT
#include <isserlis/formula/chi_mean.hpp>

#include <isserlis/error.hpp>

namespace isserlis {

Interval chi_mean(Integer const& d, unsigned bits) {
    if (d < 1) throw DomainError("chi_mean: d = " + to_string(d) + "; at least one normal is needed");
    unsigned const work = bits + 32 + 2 * static_cast<unsigned>(mpz_sizeinbase(d.backend().data(), 2));
    Interval const root_two = sqrt(Interval(2L, work));
    if (d >= 4) {
        Interval const top = log_gamma(Interval(ratio(Integer(d + 1), Integer(2)), work));
        Interval const bottom = log_gamma(Interval(ratio(d, Integer(2)), work));
        return root_two * exp(top - bottom);
    }
    // Gamma(1)/Gamma(1/2) = 1/sqrt(pi), and Gamma((d+2)/2)/Gamma((d+1)/2) = (d/2) Gamma(d/2)/Gamma((d+1)/2).
    Interval mean = Interval(1L, work) / sqrt(pi(work));
    for (Integer k = 1; k < d; ++k) mean = Interval(ratio(k, Integer(2)), work) / mean;
    return root_two * mean;
}

}  // namespace isserlis
