// SPDX-License-Identifier: MIT
#include <isserlis/ring/exp_polynomial.hpp>

#include <isserlis/ring/rationalised.hpp>

#include <algorithm>

namespace isserlis {

ExpPolynomial ExpPolynomial::sum(std::vector<ExpPolynomial> const& parts) {
    struct Group {
        std::vector<Power> powers;
        std::vector<RationalFunction> coefficients;
    };
    std::vector<Group> groups;
    for (auto const& part : parts) {
        for (auto const& term : part.terms_) {
            auto at = std::find_if(groups.begin(), groups.end(),
                                   [&](Group const& group) { return group.powers == term.powers; });
            if (at == groups.end()) at = groups.insert(at, {.powers = term.powers, .coefficients = {}});
            at->coefficients.push_back(term.coefficient);
        }
    }
    ExpPolynomial out;
    for (auto& [powers, coefficients] : groups) {
        RationalFunction coefficient = coefficients.size() == 1
                                           ? std::move(coefficients.front())
                                           : rationalised(RationalFunction::sum(coefficients).merged());
        if (!coefficient.is_zero())
            out.terms_.push_back({.powers = std::move(powers), .coefficient = std::move(coefficient)});
    }
    return out;
}

void ExpPolynomial::add(Term term) {
    if (term.coefficient.is_zero()) return;
    std::erase_if(term.powers, [](Power const& p) { return p.second.is_zero() || p.first == RationalFunction(1); });
    auto const same =
        std::find_if(terms_.begin(), terms_.end(), [&](Term const& t) { return t.powers == term.powers; });
    if (same == terms_.end()) {
        terms_.push_back(std::move(term));
        return;
    }
    same->coefficient = rationalised((same->coefficient + term.coefficient).merged());
    if (same->coefficient.is_zero()) terms_.erase(same);
}

ExpPolynomial operator*(ExpPolynomial const& a, RationalFunction const& factor) {
    ExpPolynomial out;
    for (auto const& t : a.terms_) out.add({.powers = t.powers, .coefficient = t.coefficient * factor});
    return out;
}

namespace {

RationalFunction product(ExpPolynomial::Term const& t) {
    RationalFunction out = rationalised(t.coefficient.merged());
    for (auto const& [base, exponent] : t.powers) out = out * power(base, exponent);
    return out;
}

}  // namespace

RationalFunction ExpPolynomial::formula() const {
    RationalFunction out;
    for (auto const& t : terms_) out = out + product(t);
    return out;
}

std::string to_string(ExpPolynomial const& x) {
    std::string out;
    for (auto const& t : x.terms()) {
        std::string text = to_string(product(t));
        if (out.empty()) {
            out = std::move(text);
        } else {
            bool const minus = text.front() == '-';
            out += (minus ? " - " : " + ") + (minus ? text.substr(1) : text);
        }
    }
    return out.empty() ? "0" : out;
}

}  // namespace isserlis
