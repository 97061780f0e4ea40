// SPDX-License-Identifier: MIT
#include <isserlis/ring/joint_limit.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/exp_text.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "laurent_series.hpp"

namespace isserlis {
namespace {

using detail::Coefficients;
using detail::Growing;
using detail::LaurentSeries;
using Bases = std::vector<std::pair<RationalFunction, Exponent>>;

constexpr std::size_t most_orders = 64;

/// One summand: bases^exponents * exp(exponents[0] s^(root) + .. + exponents[root]) * series, s^root the scale.
struct Summand {
    Bases bases;
    Coefficients exponents;  ///< of s^(root - 1), .., s, 1
    LaurentSeries series;
};

/// exponent = fixed + slope * s^root
RationalFunction slope_of(Exponent const& exponent, Growing const& growing) {
    RationalFunction slope;
    for (auto const& [symbol, times] : exponent.symbols()) {
        auto const at = growing.multiples.find(symbol);
        if (at == growing.multiples.end() && growing.others_fixed) continue;
        if (at == growing.multiples.end())
            throw UnsupportedError("the limit needs a single depth; " + symbol + " is another one");
        slope = slope + RationalFunction(times) * at->second;
    }
    return slope;
}

/// What of an exponent does not grow.
Exponent fixed_of(Exponent const& exponent, Growing const& growing) {
    Exponent out = exponent;
    for (auto const& [symbol, times] : exponent.symbols()) {
        if (growing.multiples.count(symbol) != 0) out = out - Exponent(times) * Exponent::symbol(symbol);
    }
    return out;
}

bool is_certainly_positive(Polynomial const& p) {
    auto const monomials = p.monomials();
    return std::all_of(monomials.begin(), monomials.end(), [](auto const& m) { return m.coefficient > 0; });
}

/// The sign for positive symbols, where the formula shows it.
std::optional<int> sign_of(RationalFunction const& x) {
    if (x.is_numeric()) return sign(x.evaluate({}));
    std::optional<int> out;
    for (auto const& term : x.terms()) {
        for (auto const& factor : term.factors) {
            bool const root = factor.exponent.is_constant() && denominator_of(factor.exponent.constant()) != 1;
            bool const open = factor.base.kind == RationalFunction::Base::Kind::polynomial && !root &&
                              !is_certainly_positive(factor.base.polynomial);
            if (open) return std::nullopt;
        }
        int const here = term.coefficient < 0 ? -1 : 1;
        if (out.value_or(here) != here) return std::nullopt;
        out = here;
    }
    return out.value_or(0);
}

void multiply_base(Bases& bases, RationalFunction const& limit, Exponent const& exponent) {
    for (auto& [base, e] : bases) {
        if (!(e == exponent)) continue;
        base = (base * limit).merged();
        return;
    }
    bases.emplace_back(limit, exponent);
}

/// summand *= base^exponent; false when it falls faster than any exponential, like (1/n)^L.
bool multiply_power(Summand& out, RationalFunction const& base, Exponent const& exponent, Growing const& growing,
                    std::size_t terms) {
    auto const root = static_cast<std::size_t>(growing.root);
    auto const growth = detail::growth_of(base, growing, terms + root);
    RationalFunction const slope = slope_of(exponent, growing);
    Exponent const fixed = fixed_of(exponent, growing);
    if (growth.degree < 0 && sign_of(slope) == 1) return false;
    if (growth.degree != 0) {
        throw UnsupportedError(
            "the value grows like a power of the width or depth with the depth in its exponent; "
            "with variances of order 1/fan_in it has an expansion");
    }
    // In exponents that differ by what is fixed the parts that grow are one power.
    Exponent const grows = exponent - fixed;
    if (!(growth.limit == RationalFunction(1))) {
        if (!grows.is_zero()) multiply_base(out.bases, growth.limit, grows);
        RationalFunction const factor = power(growth.limit, fixed);
        for (auto& c : out.series.c) c = c * factor;
    }
    auto const logarithm = [&](std::size_t k) {
        return k < growth.logarithm.size() ? growth.logarithm[k] : RationalFunction(0);
    };
    for (std::size_t k = 1; k <= root; ++k) out.exponents[k - 1] = out.exponents[k - 1] + slope * logarithm(k);
    Coefficients logs(std::min(terms, growth.logarithm.size() > root ? growth.logarithm.size() - root : 1));
    for (std::size_t k = 1; k < logs.size(); ++k)
        logs[k] = (slope * logarithm(k + root) + RationalFunction(fixed) * logarithm(k)).merged();
    out.series = out.series * LaurentSeries{.leading = 0, .c = detail::exponential(logs)};
    return true;
}

/// None for one that falls faster than any exponential.
std::optional<Summand> summand_of(ExpPolynomial::Term const& term, Growing const& growing, std::size_t terms) {
    Summand out{.bases = {},
                .exponents = Coefficients(static_cast<std::size_t>(growing.root)),
                .series = detail::expanded(term.coefficient, growing, terms)};
    bool falls = false;
    for (auto const& [base, exponent] : term.powers)
        falls = !multiply_power(out, base, exponent, growing, terms) || falls;
    if (falls) return std::nullopt;
    std::erase_if(out.bases, [](auto const& b) { return b.first == RationalFunction(1); });
    for (auto& e : out.exponents) e = e.merged();
    return out;
}

/// How two sizes compare, -1, 0 or 1 of the first; none where symbols or signs leave it open, for which `why` is the reason.
struct Comparison {
    std::optional<int> found;
    std::string why{};
};

Comparison open_sizes(RationalFunction const& a, RationalFunction const& b) {
    return {.found = {},
            .why = "the limit depends on the size of " + to_string(a) + " against " + to_string(b) +
                   "; give the symbols `values`"};
}

Comparison compare(RationalFunction const& a, RationalFunction const& b) {
    auto const found = sign_of((a - b).merged());
    return found ? Comparison{.found = found} : open_sizes(a, b);
}

/// |a| against |b|, by the signs of a - b and a + b.
Comparison compare_moduli(RationalFunction const& a, RationalFunction const& b) {
    auto const difference = sign_of((a - b).merged());
    auto const sum = sign_of((a + b).merged());
    return difference && sum ? Comparison{.found = *difference * *sum} : open_sizes(a, b);
}

/// `a` is exponentially smaller, of the same size, or larger.
Comparison compare(Summand const& a, Summand const& b) {
    if (a.bases != b.bases) {
        if (a.bases.size() > 1 || b.bases.size() > 1)
            return {.found = {},
                    .why =
                        "powers of the depth and of the place of a layer grow exponentially side by side; a layer "
                        "in numbers has its leading order"};
        if (!a.bases.empty() && !b.bases.empty() && !(a.bases[0].second == b.bases[0].second))
            return {.found = {}, .why = "a power of the depth and one of the place of a layer both grow exponentially"};
        auto const base = [](Summand const& s) { return s.bases.empty() ? RationalFunction(1) : s.bases[0].first; };
        auto out = compare_moduli(base(a), base(b));
        if (out.found == 0)
            return {.found = {},
                    .why = "powers of numbers of opposite signs grow alike, so that the sign keeps changing"};
        return out;
    }
    for (std::size_t k = 0; k + 1 < a.exponents.size(); ++k) {
        auto out = compare(a.exponents[k], b.exponents[k]);
        if (out.found != 0) return out;
    }
    return {.found = 0};
}

/// Those that are not exponentially smaller than another. Which of two is larger matters where no third one is larger than both.
/// Errors  UnsupportedError where it is open which one is largest.
std::vector<Summand> largest(std::vector<Summand> const& all) {
    auto const* top = &all.front();
    auto const is_larger = [&](Summand const& s) { return compare(s, *top).found == 1; };
    for (auto at = all.begin(); at != all.end(); at = std::find_if(all.begin(), all.end(), is_larger)) top = &*at;
    std::vector<Summand> out;
    for (auto const& s : all) {
        auto const to_top = compare(s, *top);
        if (!to_top.found) throw UnsupportedError(to_top.why);
        if (to_top.found == 0) out.push_back(s);
    }
    return out;
}

/// Summands of one exponential added up, without leading zeros. Those that cancel as far as they go are left out;
/// `unknown` is the largest power that one of them may still have.
std::vector<Summand> by_exponential(std::vector<Summand> const& all, long& unknown) {
    std::vector<Summand> out;
    for (auto const& s : all) {
        auto const same =
            std::find_if(out.begin(), out.end(), [&](auto const& o) { return o.exponents == s.exponents; });
        if (same == out.end()) {
            out.push_back(s);
        } else {
            same->series = same->series + s.series;
        }
    }
    for (auto& s : out) s.series = detail::trimmed(std::move(s.series));
    for (auto const& s : out) {
        if (s.series.c.empty()) unknown = std::max(unknown, s.series.leading);
    }
    std::erase_if(out, [](auto const& s) { return s.series.c.empty(); });
    return out;
}

/// The first `order` + 1 orders of all parts; none when a series is too short for them.
std::optional<std::vector<JointLimit::Part>> parts_of(std::vector<Summand> const& all, long leading,
                                                      std::size_t order) {
    std::vector<JointLimit::Part> out;
    for (auto const& s : all) {
        JointLimit::Part part{.rate = s.exponents.back(), .growth = {}, .coefficients = {}};
        // From the smallest power on.
        for (std::size_t k = s.exponents.size() - 1; k-- > 0;) part.growth.push_back(s.exponents[k]);
        for (long k = 0; k <= static_cast<long>(order); ++k) {
            long const at = s.series.leading - (leading - k);
            if (at >= static_cast<long>(s.series.c.size())) return std::nullopt;
            part.coefficients.push_back(at < 0 ? RationalFunction(0)
                                               : s.series.c[static_cast<std::size_t>(at)].merged());
        }
        bool const nothing =
            std::all_of(part.coefficients.begin(), part.coefficients.end(), [](auto const& c) { return c.is_zero(); });
        if (!nothing) out.push_back(std::move(part));
    }
    // What is no exponential comes last.
    std::stable_partition(out.begin(), out.end(), [](auto const& part) { return !part.rate.is_zero(); });
    return out;
}

JointLimit with_root(ExpPolynomial const& x, Growing const& growing, std::size_t order) {
    for (std::size_t terms = order + 6;; terms *= 2) {
        std::vector<Summand> all;
        try {
            for (auto const& term : x.terms()) {
                if (auto summand = summand_of(term, growing, terms)) all.push_back(std::move(*summand));
            }
        } catch (detail::Cancels const&) {
            if (terms > most_orders) throw;
            continue;
        }
        if (all.empty() && !x.terms().empty())
            throw UnsupportedError("the value falls faster than any exponential of the depth");
        if (all.empty()) return {};
        long unknown = std::numeric_limits<long>::min();
        auto const merged = by_exponential(largest(all), unknown);
        long leading = merged.empty() ? unknown : merged.front().series.leading;
        for (auto const& s : merged) leading = std::max(leading, s.series.leading);
        auto parts = leading - static_cast<long>(order) > unknown ? parts_of(merged, leading, order) : std::nullopt;
        if (parts)
            return {
                .bases = merged.front().bases, .leading = leading, .root = growing.root, .parts = std::move(*parts)};
        if (terms > most_orders)
            throw UnsupportedError("the limit cancels beyond " + std::to_string(terms) + " orders");
    }
}

}  // namespace

LimitPath wide_and_deep(std::string const& n, std::string const& depth, RationalFunction const& b) {
    return {.scale = n, .multiples = {{n, RationalFunction(1)}, {depth, b}}};
}

JointLimit::Course JointLimit::course() const {
    if (is_zero()) return Course::finite;
    // Powers of eigenvalues go before exponentials of roots of the scale, and these before powers of it.
    std::set<int> sides;
    for (auto const& [base, exponent] : bases) {
        auto const side = known_sign(RationalFunction(base - RationalFunction(1)));
        if (!side) return Course::open;
        sides.insert(*side);
    }
    for (std::size_t j = sides.empty() ? parts.front().growth.size() : 0; j-- > 0 && sides.empty();) {
        for (auto const& part : parts) {
            auto const side = known_sign(part.growth[j]);
            if (!side) return Course::open;
            if (*side != 0) sides.insert(*side);
        }
    }
    if (sides.empty() && leading != 0) sides.insert(leading > 0 ? 1 : -1);
    if (sides.empty()) return Course::finite;
    if (sides.size() > 1) return Course::open;
    return *sides.begin() > 0 ? Course::infinite : Course::vanishing;
}

JointLimit joint_limit(ExpPolynomial const& x, LimitPath const& path, std::size_t order) {
    try {
        return with_root(x, {.multiples = path.multiples, .root = 1, .others_fixed = path.others_fixed}, order);
    } catch (detail::NeedsRoot const&) {
    }
    try {
        return with_root(x, {.multiples = path.multiples, .root = 2, .others_fixed = path.others_fixed}, order);
    } catch (detail::NeedsRoot const&) {
        throw UnsupportedError("the limit has roots other than square roots of the width and depth");
    }
}

std::string to_string(JointLimit const& limit, std::string const& scale) {
    RationalFunction const width = RationalFunction::symbol(scale);
    auto power_of = [&](long k) { return power(width, Exponent(ratio(k, limit.root))); };
    std::vector<std::string> terms;
    for (auto const& part : limit.parts) {
        RationalFunction exponent = part.rate;
        for (std::size_t j = 0; j < part.growth.size(); ++j)
            exponent = exponent + part.growth[j] * power_of(static_cast<long>(j) + 1);
        RationalFunction sum;
        for (std::size_t k = 0; k < part.coefficients.size(); ++k)
            sum = sum + part.coefficients[k] * power_of(limit.leading - static_cast<long>(k));
        terms.push_back(exponential_text(sum.merged(), exponent.merged()));
    }
    std::string out = sum_text(terms);
    for (auto const& [base, exponent] : limit.bases) {
        std::string const power = to_string(isserlis::power(base, exponent));
        std::string const factor = factor_text(out);
        if (out == "1")
            out = power;
        else
            out = factor_text(power) + (factor.starts_with("1/") ? factor.substr(1) : "*" + factor);
    }
    return out;
}

}  // namespace isserlis
