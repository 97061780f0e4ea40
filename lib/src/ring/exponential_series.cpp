// SPDX-License-Identifier: MIT
#include <isserlis/ring/exponential_series.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/exp_text.hpp>

#include <algorithm>

namespace isserlis {
namespace {

bool stands_in(Exponent const& exponent, std::string const& symbol) {
    auto const& all = exponent.symbols();
    return std::any_of(all.begin(), all.end(), [&](auto const& part) { return part.first == symbol; });
}

bool stands_in_exponent(ExpPolynomial const& x, std::string const& symbol) {
    return std::any_of(x.terms().begin(), x.terms().end(), [&](ExpPolynomial::Term const& term) {
        return std::any_of(term.powers.begin(), term.powers.end(),
                           [&](auto const& power) { return stands_in(power.second, symbol); });
    });
}

/// A series in 1/n as far as it goes in 1/sqrt(n).
void write_by_roots(JointLimit& x) {
    for (auto& part : x.parts) {
        std::vector<RationalFunction> spaced(part.coefficients.size());
        for (std::size_t k = 0; 2 * k < spaced.size(); ++k) spaced[2 * k] = part.coefficients[k];
        part.coefficients = std::move(spaced);
        part.growth = {RationalFunction(0)};
    }
    x.leading *= 2;
    x.root = 2;
}

/// exp(..) (a_0 + a_1/s + ..) / (exp(..) (b_0 + b_1/s + ..)): q_k b_0 = a_k - sum_(i >= 1) b_i q_(k-i)
JointLimit::Part quotient(JointLimit::Part const& a, JointLimit::Part const& b) {
    JointLimit::Part out{.rate = (a.rate - b.rate).merged(), .growth = {}, .coefficients = {}};
    for (std::size_t j = 0; j < a.growth.size(); ++j) out.growth.push_back((a.growth[j] - b.growth[j]).merged());
    for (std::size_t k = 0; k < a.coefficients.size(); ++k) {
        RationalFunction rest = a.coefficients[k];
        for (std::size_t i = 1; i <= k; ++i) rest = rest - b.coefficients[i] * out.coefficients[k - i];
        out.coefficients.push_back((rest / b.coefficients[0]).merged());
    }
    return out;
}

JointLimit quotient(JointLimit above, JointLimit below, std::string const& n) {
    if (below.parts.size() != 1) {
        throw UnsupportedError("the denominator is a sum of exponentials, whose inverse has no series in powers of 1/" +
                               n + " here; `limit` " + n + " has its leading order");
    }
    if (above.root < below.root) write_by_roots(above);
    if (below.root < above.root) write_by_roots(below);
    for (auto& part : above.parts) part = quotient(part, below.parts.front());
    above.leading -= below.leading;
    for (auto const& [base, exponent] : below.bases) {
        auto const same = std::find_if(above.bases.begin(), above.bases.end(),
                                       [&, &e = exponent](auto const& b) { return b.second == e; });
        if (same == above.bases.end()) {
            above.bases.emplace_back(RationalFunction(1) / base, exponent);
        } else {
            same->first = (same->first / base).merged();
        }
    }
    std::erase_if(above.bases, [](auto const& b) { return b.first == RationalFunction(1); });
    return above;
}

/// No power series has exp(sqrt(n)) or 2^n in a coefficient.
void require_powers(JointLimit const& x, std::string const& n) {
    bool const grows =
        !x.bases.empty() || std::any_of(x.parts.begin(), x.parts.end(), [](JointLimit::Part const& part) {
            return std::any_of(part.growth.begin(), part.growth.end(), [](auto const& g) { return !g.is_zero(); });
        });
    if (!grows) return;
    throw UnsupportedError("the value goes like an exponential of " + n + ", which has no series in powers of 1/" + n +
                           "; `limit` " + n + " has its leading order");
}

}  // namespace

bool stands_in_exponent(ExpQuotient const& x, std::string const& symbol) {
    return stands_in_exponent(x.numerator(), symbol) || stands_in_exponent(x.denominator(), symbol);
}

LimitPath alone(std::string const& n) {
    return {.scale = n, .multiples = {{n, RationalFunction(1)}}, .others_fixed = true};
}

JointLimit exponential_series(ExpQuotient const& given, std::string const& n, std::size_t order) {
    ExpQuotient const x = given.reduced();
    JointLimit out = joint_limit(x.numerator(), alone(n), order);
    if (!x.is_polynomial() && !out.is_zero()) out = quotient(out, joint_limit(x.denominator(), alone(n), order), n);
    require_powers(out, n);
    return out;
}

std::string coefficient_text(JointLimit const& series, std::size_t k) {
    std::vector<std::string> terms;
    for (auto const& part : series.parts) {
        if (!part.coefficients[k].is_zero()) terms.push_back(exponential_text(part.coefficients[k], part.rate));
    }
    return sum_text(terms);
}

}  // namespace isserlis
