// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/ring/asymptotics.hpp>
#include <isserlis/ring/power.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace isserlis {
namespace {

using Coefficients = std::vector<RationalFunction>;

RationalFunction integer(long n) { return RationalFunction(Rational(n)); }

/// Laurent series in 1/n, truncated to a fixed number of terms.
struct Series {
    long leading = 0;
    Coefficients c;
};

Series product(Series const& a, Series const& b) {
    Series out{.leading = a.leading + b.leading, .c = Coefficients(a.c.size())};
    for (std::size_t i = 0; i < a.c.size(); ++i) {
        if (a.c[i].is_zero()) continue;
        for (std::size_t j = 0; i + j < a.c.size(); ++j) {
            if (!b.c[j].is_zero()) out.c[i + j] = out.c[i + j] + a.c[i] * b.c[j];
        }
    }
    for (auto& x : out.c) x = x.merged();
    return out;
}

/// 1 / a for a series whose first coefficient is not 0.
Series inverse(Series const& a) {
    Series out{.leading = -a.leading, .c = Coefficients(a.c.size())};
    RationalFunction const first = RationalFunction(1) / a.c[0];
    out.c[0] = first;
    for (std::size_t k = 1; k < a.c.size(); ++k) {
        RationalFunction sum;
        for (std::size_t i = 1; i <= k; ++i) sum = sum + a.c[i] * out.c[k - i];
        out.c[k] = (-sum * first).merged();
    }
    return out;
}

/// log a for a series 1 + O(1/n); the result has no constant term.
Coefficients logarithm(Coefficients const& a) {
    // k l_k = k a_k - sum_(i<k) i l_i a_(k-i)
    Coefficients out(a.size());
    for (std::size_t k = 1; k < a.size(); ++k) {
        RationalFunction sum = integer(static_cast<long>(k)) * a[k];
        for (std::size_t i = 1; i < k; ++i) sum = sum - integer(static_cast<long>(i)) * out[i] * a[k - i];
        out[k] = (sum / integer(static_cast<long>(k))).merged();
    }
    return out;
}

/// exp a for a series without a constant term.
Coefficients exponential(Coefficients const& a) {
    Coefficients out(a.size());
    out[0] = RationalFunction(1);
    for (std::size_t k = 1; k < a.size(); ++k) {
        RationalFunction sum;
        for (std::size_t i = 1; i <= k; ++i) sum = sum + integer(static_cast<long>(i)) * a[i] * out[k - i];
        out[k] = (sum / integer(static_cast<long>(k))).merged();
    }
    return out;
}

/// A polynomial by falling powers of n, `terms` of them.
Series by_powers(Polynomial const& p, std::string const& n, std::size_t terms) {
    auto const& names = p.variables();
    auto const at = static_cast<std::size_t>(std::find(names.begin(), names.end(), n) - names.begin());
    std::map<long, std::vector<Polynomial::Monomial>> by_degree;
    for (auto m : p.monomials()) {
        long degree = 0;
        if (at < names.size()) {
            degree = static_cast<long>(m.exponents[at]);
            m.exponents[at] = 0;
        }
        by_degree[degree].push_back(std::move(m));
    }
    Series out;
    out.c.resize(terms);
    if (by_degree.empty()) return out;
    out.leading = by_degree.rbegin()->first;
    for (auto const& [degree, monomials] : by_degree) {
        auto const k = static_cast<std::size_t>(out.leading - degree);
        if (k < terms) out.c[k] = RationalFunction(Polynomial::from_monomials(names, monomials));
    }
    return out;
}

Series expanded(RationalFunction const& x, std::string const& n, std::size_t terms) {
    auto const [numerator, denominator] = x.merged().as_fraction();
    return product(by_powers(numerator, n, terms), inverse(by_powers(denominator, n, terms)));
}

/// base = limit * n^degree * (1 + O(1/n)), and the logarithm of the bracket.
struct Growth {
    RationalFunction limit;
    Coefficients logarithm;
};

Growth growth_of(RationalFunction const& base, std::string const& n, std::size_t terms) {
    Series s = expanded(base, n, terms);
    if (s.leading != 0) {
        throw UnsupportedError("the value grows like a power of " + n +
                               " with the depth in its exponent; choose variances of order 1/fan-in for an expansion");
    }
    Growth out{.limit = s.c[0], .logarithm = {}};
    RationalFunction const first = RationalFunction(1) / s.c[0];
    for (auto& x : s.c) x = (x * first).merged();
    out.logarithm = logarithm(s.c);
    return out;
}

void trim(Series& s) {
    std::size_t zeros = 0;
    while (zeros < s.c.size() && s.c[zeros].is_zero()) ++zeros;
    s.c.erase(s.c.begin(), s.c.begin() + static_cast<std::ptrdiff_t>(zeros));
    s.leading -= static_cast<long>(zeros);
}

/// a + b, both as far as the shorter one goes.
Series sum(Series const& a, Series const& b) {
    if (a.c.empty() && b.c.empty()) return a;
    Series out;
    out.leading = std::max(a.leading, b.leading);
    long const end = std::max(a.leading - static_cast<long>(a.c.size()), b.leading - static_cast<long>(b.c.size()));
    for (long power = out.leading; power > end; --power) {
        RationalFunction c;
        for (auto const* s : {&a, &b}) {
            auto const k = s->leading - power;
            if (k >= 0 && k < static_cast<long>(s->c.size())) c = c + s->c[static_cast<std::size_t>(k)];
        }
        out.c.push_back(c.merged());
    }
    return out;
}

constexpr std::size_t most_terms = 64;

/// No symbol stands in an exponent.
bool is_polynomial_in_exponents(RationalFunction const& x) {
    for (auto const& term : x.terms()) {
        for (auto const& factor : term.factors) {
            if (!factor.exponent.is_constant()) return false;
        }
    }
    return true;
}

}  // namespace

PowerSeries series_at_infinity(ExpPolynomial const& x, std::string const& n, std::size_t order) {
    for (std::size_t terms = order + 4;; terms *= 2) {
        std::optional<Series> total;
        for (auto const& term : x.terms()) {
            Series s = expanded(term.coefficient, n, terms);
            RationalFunction limit(1);
            for (auto const& [base, exponent] : term.powers) {
                Growth const g = growth_of(base, n, terms);
                limit = limit * power(g.limit, exponent);
                Coefficients logs = g.logarithm;
                for (auto& l : logs) l = l * RationalFunction(exponent);
                s = product(s, {.leading = 0, .c = exponential(logs)});
            }
            for (auto& c : s.c) c = c * limit;
            total = total ? sum(*total, s) : s;
        }
        if (!total) return {};
        trim(*total);
        if (total->c.size() > order) {
            total->c.resize(order + 1);
            return {.leading = total->leading, .coefficients = std::move(total->c)};
        }
        if (terms > most_terms)
            throw UnsupportedError("the expansion cancels beyond " + std::to_string(terms) + " orders");
    }
}

LeadingTerm leading_term(ExpPolynomial const& x, std::string const& n, std::string const& depth) {
    auto const series = series_at_infinity(x, n, 0);
    if (series.coefficients.empty()) return {.value = RationalFunction(0), .in_depth = false};
    RationalFunction const first = series.coefficients.front().merged();
    auto const width = power(RationalFunction::symbol(n), Exponent(Rational(series.leading)));
    auto const symbols = first.symbols();
    bool const in_depth = !depth.empty() && is_polynomial_in_exponents(first) &&
                          std::find(symbols.begin(), symbols.end(), depth) != symbols.end();
    if (!in_depth) return {.value = first * width, .in_depth = false};
    Series const by_depth = expanded(first, depth, 1);
    return {
        .value = by_depth.c[0] * width * power(RationalFunction::symbol(depth), Exponent(Rational(by_depth.leading))),
        .in_depth = true};
}

DoubleScaling double_scaling_limit(ExpPolynomial const& x, std::string const& n, std::string const& depth,
                                   std::string const& b, std::size_t order) {
    RationalFunction const depth_value = RationalFunction::symbol(b) * RationalFunction::symbol(n);
    auto with_depth = [&](RationalFunction const& f) {
        auto const [numerator, denominator] = f.merged().as_fraction();
        auto at = [&](Polynomial const& p) {
            Series const by_depth = by_powers(p, depth, 1 + (p.is_constant() ? 0 : [&] {
                                                            std::uint64_t most = 0;
                                                            auto const& names = p.variables();
                                                            for (auto const& m : p.monomials()) {
                                                                for (std::size_t i = 0; i < names.size(); ++i) {
                                                                    if (names[i] == depth)
                                                                        most = std::max(most, m.exponents[i]);
                                                                }
                                                            }
                                                            return static_cast<std::size_t>(most);
                                                        }()));
            RationalFunction out;
            for (std::size_t k = 0; k < by_depth.c.size(); ++k) {
                auto const e = by_depth.leading - static_cast<long>(k);
                if (!by_depth.c[k].is_zero())
                    out = out + by_depth.c[k] * power(depth_value, static_cast<std::uint64_t>(e));
            }
            return out;
        };
        return (at(numerator) / at(denominator)).merged();
    };
    struct Scaled {
        RationalFunction base{1};
        Exponent exponent;
        RationalFunction rate;
        Series series;
    };
    for (std::size_t terms = order + 6;; terms *= 2) {
        std::vector<Scaled> all;
        for (auto const& term : x.terms()) {
            Scaled s;
            s.series = expanded(with_depth(term.coefficient), n, terms);
            for (auto const& [base, exponent] : term.powers) {
                // base^(f L + c) with L = b n: the first logarithm becomes an exponential in b, the others a series.
                Rational per_depth = 0;
                for (auto const& [symbol, times] : exponent.symbols()) {
                    if (symbol != depth)
                        throw UnsupportedError("the limit needs a single depth; " + symbol + " is another one");
                    per_depth = times;
                }
                Growth const g = growth_of(base, n, terms + 1);
                if (!(g.limit == RationalFunction(1))) {
                    if (!(s.base == RationalFunction(1)))
                        throw UnsupportedError("the limit of two growing runs is not served");
                    s.base = g.limit;
                    s.exponent = exponent;
                }
                RationalFunction const slope = RationalFunction(per_depth) * RationalFunction::symbol(b);
                s.rate = s.rate + RationalFunction(per_depth) * g.logarithm[1];
                Coefficients logs(terms);
                for (std::size_t k = 1; k < terms; ++k) {
                    logs[k] =
                        (slope * g.logarithm[k + 1] + RationalFunction(exponent.constant()) * g.logarithm[k]).merged();
                }
                s.series = product(s.series, {.leading = 0, .c = exponential(logs)});
            }
            s.rate = s.rate.merged();
            all.push_back(std::move(s));
        }
        if (all.empty()) return {.base = RationalFunction(1), .base_exponent = {}, .leading = 0, .parts = {}};
        // The largest base wins; the others are exponentially small beside it.
        RationalFunction base = all.front().base;
        Exponent base_exponent = all.front().exponent;
        for (auto const& s : all) {
            if (s.base == base) continue;
            if (!s.base.is_numeric() || !base.is_numeric())
                throw UnsupportedError("the limit depends on the size of " + to_string(s.base) + " against " +
                                       to_string(base) + "; give the symbols numbers by --set");
            Surd const size = s.base.evaluate({});
            Surd const best = base.evaluate({});
            if (sign(size * size - best * best) <= 0) continue;
            base = s.base;
            base_exponent = s.exponent;
        }
        std::vector<std::pair<RationalFunction, Series>> parts;
        for (auto const& s : all) {
            if (!(s.base == base)) continue;
            auto const same =
                std::find_if(parts.begin(), parts.end(), [&](auto const& p) { return p.first == s.rate; });
            if (same == parts.end()) {
                parts.emplace_back(s.rate, s.series);
            } else {
                same->second = sum(same->second, s.series);
            }
        }
        long leading = 0;
        bool any = false;
        for (auto& [rate, series] : parts) {
            trim(series);
            if (series.c.empty()) continue;
            leading = any ? std::max(leading, series.leading) : series.leading;
            any = true;
        }
        bool enough = any;
        DoubleScaling out{.base = base, .base_exponent = base_exponent, .leading = leading, .parts = {}};
        for (auto const& [rate, series] : parts) {
            if (series.c.empty()) continue;
            DoubleScaling::Part part{.rate = rate, .coefficients = {}};
            for (long k = 0; k <= static_cast<long>(order); ++k) {
                long const at = series.leading - (leading - k);
                if (at >= static_cast<long>(series.c.size())) {
                    enough = false;
                    break;
                }
                part.coefficients.push_back(at < 0 ? RationalFunction(0) : series.c[static_cast<std::size_t>(at)]);
            }
            if (std::any_of(part.coefficients.begin(), part.coefficients.end(),
                            [](auto const& c) { return !c.is_zero(); })) {
                out.parts.push_back(std::move(part));
            }
        }
        if (enough) return out;
        if (terms > most_terms) throw UnsupportedError("the limit cancels beyond " + std::to_string(terms) + " orders");
    }
}

std::string to_string(DoubleScaling const& limit, std::string const& n, RationalFunction const& b) {
    std::string out;
    RationalFunction const width = RationalFunction::symbol(n);
    for (auto const& part : limit.parts) {
        RationalFunction sum;
        for (std::size_t k = 0; k < part.coefficients.size(); ++k) {
            sum = sum + part.coefficients[k] * power(width, Exponent(Rational(limit.leading - static_cast<long>(k))));
        }
        std::string term = "(" + to_string(sum.merged()) + ")";
        if (!part.rate.is_zero()) {
            term = "exp(" + to_string((part.rate * b).merged()) + ")*" + term;
        }
        out += (out.empty() ? "" : " + ") + term;
    }
    if (out.empty()) return "0";
    if (limit.base == RationalFunction(1)) return out;
    std::string exponent = to_string(RationalFunction(limit.base_exponent));
    return "(" + to_string(limit.base) + ")^(" + exponent + ")*(" + out + ")";
}

}  // namespace isserlis
