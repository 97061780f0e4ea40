// SPDX-License-Identifier: MIT
#include <isserlis/ring/polynomial.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <map>
#include <mutex>

#include "polynomial_backend.hpp"

namespace isserlis {
namespace {

using detail::polynomial_backend;

/// Equal variable lists share one object, so that comparing contexts is comparing pointers.
Polynomial::Variables intern(std::vector<std::string> names) {
    static std::mutex guard;
    static std::map<std::vector<std::string>, Polynomial::Variables> table;
    std::lock_guard const lock(guard);
    auto& entry = table[names];
    if (!entry) entry = std::make_shared<std::vector<std::string> const>(std::move(names));
    return entry;
}

std::size_t position(std::string const& name, std::vector<std::string> const& sorted) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), name) - sorted.begin());
}

}  // namespace

Polynomial::Polynomial(Variables variables, Handle handle)
    : variables_(std::move(variables)), handle_(std::move(handle)) {
    if (auto const value = polynomial_backend().as_constant(handle_)) {
        constant_ = *value;
        handle_ = nullptr;
        variables_ = nullptr;
    }
}

Polynomial Polynomial::variable(std::string const& name) {
    return {intern({name}), polynomial_backend().generator(1, 0)};
}

std::vector<std::string> const& Polynomial::variables() const {
    static std::vector<std::string> const none;
    return variables_ ? *variables_ : none;
}

std::size_t Polynomial::length() const {
    if (is_constant()) return constant_.is_zero() ? 0 : 1;
    return polynomial_backend().length(handle_);
}

std::vector<Polynomial::Monomial> Polynomial::monomials() const {
    if (is_zero()) return {};
    if (is_constant()) return {{.coefficient = constant_, .exponents = {}}};
    return polynomial_backend().monomials(handle_);
}

std::vector<std::uint64_t> Polynomial::degrees() const {
    if (is_constant()) return {};
    return polynomial_backend().degrees(handle_);
}

std::size_t Polynomial::coefficient_bits() const {
    if (is_constant()) return mpz_sizeinbase(constant_.backend().data(), 2);
    return polynomial_backend().coefficient_bits(handle_);
}

int compare(Polynomial const& a, Polynomial const& b) {
    if (a.is_constant() && b.is_constant()) return a.constant_.compare(b.constant_);
    if (a.handle_ == b.handle_) return 0;
    if (a.length() != b.length()) return a.length() < b.length() ? -1 : 1;
    if (a.variables_ != b.variables_) return a.variables() < b.variables() ? -1 : 1;
    return polynomial_backend().compare(a.handle_, b.handle_);
}

Polynomial Polynomial::over(Variables const& wider) const {
    Polynomial out;
    out.variables_ = wider;
    if (is_constant()) {
        out.handle_ = polynomial_backend().constant(wider->size(), constant_);
    } else if (variables_ == wider) {
        out.handle_ = handle_;
    } else {
        auto widened = monomials();
        for (auto& term : widened) {
            std::vector<std::uint64_t> exponents(wider->size(), 0);
            for (std::size_t i = 0; i < variables_->size(); ++i) {
                exponents[position((*variables_)[i], *wider)] = term.exponents[i];
            }
            term.exponents = std::move(exponents);
        }
        out.handle_ = polynomial_backend().from_monomials(wider->size(), widened);
    }
    return out;
}

std::pair<Polynomial, Polynomial> Polynomial::over_common_variables(Polynomial const& a, Polynomial const& b) {
    if (a.variables_ == b.variables_) return {a, b};
    std::vector<std::string> names;
    std::set_union(a.variables().begin(), a.variables().end(), b.variables().begin(), b.variables().end(),
                   std::back_inserter(names));
    auto const wider = intern(std::move(names));
    return {a.over(wider), b.over(wider)};
}

Polynomial operator+(Polynomial const& a, Polynomial const& b) {
    if (a.is_constant() && b.is_constant()) return {Integer(a.constant_ + b.constant_)};
    auto const [x, y] = Polynomial::over_common_variables(a, b);
    return {x.variables_, polynomial_backend().add(x.handle_, y.handle_)};
}

Polynomial operator-(Polynomial const& a, Polynomial const& b) {
    if (a.is_constant() && b.is_constant()) return {Integer(a.constant_ - b.constant_)};
    auto const [x, y] = Polynomial::over_common_variables(a, b);
    return {x.variables_, polynomial_backend().subtract(x.handle_, y.handle_)};
}

namespace {

/// What is larger when it is expanded is refused: 125 MB, and what is done with it takes ten times as much. FLINT could
/// only end the process.
constexpr double most_bits = 1e9;

std::string in_digits(double count) { return std::to_string(static_cast<std::uint64_t>(count)); }

[[noreturn]] void refuse_terms(std::string const& what, double count) {
    throw UnsupportedError(what + " would have about " + in_digits(count) +
                           " terms when it is expanded; give symbols `values`, or choose smaller exponents");
}

/// Of one monomial beside its coefficient: a number for each exponent, and what holds them.
double monomial_bits(std::size_t variables) { return 64 * (2 + static_cast<double>(variables)); }

double bits_of(Polynomial const& p) { return static_cast<double>(p.coefficient_bits()); }

/// Errors  UnsupportedError when base^exponent is larger than that.
void require_small_power(Polynomial const& base, std::uint64_t exponent) {
    auto const length = static_cast<double>(base.length());
    auto const e = static_cast<double>(exponent);
    if (length < 2 || e * length < 1000) return;
    double count = 1;  // binomial(length - 1 + e, e)
    for (double i = 1; i < length && count < 1e15; ++i) count *= (e + i) / i;
    double box = 1;
    for (auto const degree : base.degrees()) box = std::min(box * (e * static_cast<double>(degree) + 1), 1e15);
    count = std::min(count, box);
    double const bits = monomial_bits(base.variables().size()) + e * (bits_of(base) - 1 + std::log2(length));
    if (count * bits > most_bits)
        refuse_terms("the power " + std::to_string(exponent) + " of a sum of " + in_digits(length) + " terms", count);
}

/// Errors  UnsupportedError when the product of polynomials in the same variables is, or takes minutes.
void require_small_product(Polynomial const& a, Polynomial const& b) {
    constexpr double most_pairs = 3e8;
    constexpr double dense = 20;  // pairs that take as long as an entry of a dense product
    auto const pairs = static_cast<double>(a.length()) * static_cast<double>(b.length());
    if (pairs < 1e5) return;
    auto const of_a = a.degrees();
    auto const of_b = b.degrees();
    double box = 1;
    for (std::size_t i = 0; i < of_a.size(); ++i)
        box = std::min(box * (static_cast<double>(of_a[i] + of_b[i]) + 1), 1e15);
    double const count = std::min(pairs, box);
    if (count * (monomial_bits(of_a.size()) + bits_of(a) + bits_of(b)) > most_bits ||
        std::min(pairs, dense * box) > most_pairs)
        refuse_terms("the product of two sums of " + std::to_string(a.length()) + " and " + std::to_string(b.length()) +
                         " terms",
                     count);
}

}  // namespace

Polynomial operator*(Polynomial const& a, Polynomial const& b) {
    if (a.is_constant() && b.is_constant()) return {Integer(a.constant_ * b.constant_)};
    if (a.is_constant()) return {b.variables_, polynomial_backend().scale(b.handle_, a.constant_)};
    if (b.is_constant()) return {a.variables_, polynomial_backend().scale(a.handle_, b.constant_)};
    auto const [x, y] = Polynomial::over_common_variables(a, b);
    require_small_product(x, y);
    return {x.variables_, polynomial_backend().multiply(x.handle_, y.handle_)};
}

bool operator==(Polynomial const& a, Polynomial const& b) {
    if (a.is_constant() || b.is_constant()) return a.is_constant() && b.is_constant() && a.constant_ == b.constant_;
    if (a.handle_ == b.handle_) return true;
    if (a.variables_ == b.variables_) return polynomial_backend().equal(a.handle_, b.handle_);
    auto const [x, y] = Polynomial::over_common_variables(a, b);
    return polynomial_backend().equal(x.handle_, y.handle_);
}

Polynomial power(Polynomial const& base, std::uint64_t exponent) {
    if (base.is_constant()) return {power(base.constant_, exponent)};
    if (exponent == 0) return {1};
    require_small_power(base, exponent);
    return {base.variables_, polynomial_backend().power(base.handle_, exponent)};
}

std::optional<Polynomial> divide_exactly(Polynomial const& a, Polynomial const& b) {
    if (b.is_zero()) throw DomainError("divide_exactly: division of a polynomial by 0");
    if (a.is_constant() && b.is_constant()) {
        if (a.constant_ % b.constant_ != 0) return std::nullopt;
        return Polynomial(Integer(a.constant_ / b.constant_));
    }
    auto const [x, y] = Polynomial::over_common_variables(a, b);
    auto const found = polynomial_backend().divide_exactly(x.handle_, y.handle_);
    if (!found) return std::nullopt;
    return Polynomial(x.variables_, *found);
}

Polynomial gcd(Polynomial const& a, Polynomial const& b) {
    if (a.is_constant() && b.is_constant()) return {Integer(gcd(a.constant_, b.constant_))};
    auto const [x, y] = Polynomial::over_common_variables(a, b);
    return {x.variables_, polynomial_backend().gcd(x.handle_, y.handle_)};
}

namespace {

constexpr std::uint64_t factor_degree = 2000;  // n^10000 - 1 would take minutes

/// In each symbol.
bool has_moderate_degree(Polynomial const& p) {
    auto const degrees = p.degrees();
    return std::all_of(degrees.begin(), degrees.end(), [](auto degree) { return degree <= factor_degree; });
}

}  // namespace

Polynomial::Factorization factor(Polynomial const& a) {
    if (a.is_constant()) return {.constant = a.constant_, .factors = {}};
    if (!has_moderate_degree(a)) {
        Integer const content = a.content();
        return {.constant = content, .factors = {{.base = *divide_exactly(a, Polynomial(content)), .multiplicity = 1}}};
    }
    auto found = polynomial_backend().factor(a.handle_);
    Polynomial::Factorization out{.constant = std::move(found.constant), .factors = {}};
    for (auto& [handle, multiplicity] : found.factors) {
        out.factors.push_back({.base = Polynomial(a.variables_, handle), .multiplicity = multiplicity});
    }
    return out;
}

std::pair<Polynomial, Polynomial> Polynomial::carry(std::vector<Step> const& steps, Polynomial const& x,
                                                    Polynomial const& y) {
    std::vector<std::string> names;
    Variables last;
    auto meet = [&](Polynomial const& p) {
        if (p.is_constant() || p.variables_ == last) return;
        last = p.variables_;
        std::vector<std::string> all;
        std::set_union(names.begin(), names.end(), last->begin(), last->end(), std::back_inserter(all));
        names = std::move(all);
    };
    for (auto const& s : steps) {
        for (auto const* p : {s.a, s.b, s.c, s.d}) meet(*p);
    }
    meet(x);
    meet(y);
    if (names.empty()) {
        auto state = std::pair(x, y);
        for (auto const& s : steps) {
            for (std::uint64_t i = 0; i < s.count; ++i) {
                state = {*s.a * state.first + *s.b * state.second, *s.c * state.first + *s.d * state.second};
            }
        }
        return state;
    }
    auto const common = intern(std::move(names));
    std::vector<detail::PolynomialBackend::Step> lifted;
    lifted.reserve(steps.size());
    for (auto const& s : steps) {
        lifted.push_back({.a = s.a->over(common).handle_,
                          .b = s.b->over(common).handle_,
                          .c = s.c->over(common).handle_,
                          .d = s.d->over(common).handle_,
                          .count = s.count});
    }
    auto [first, second] = polynomial_backend().carry(lifted, x.over(common).handle_, y.over(common).handle_);
    return {Polynomial(common, std::move(first)), Polynomial(common, std::move(second))};
}

std::vector<std::pair<Integer, std::uint64_t>> factor(Integer const& n) {
    if (n < 2) throw DomainError("factor: n = " + to_string(n) + "; it has to be above 1");
    return polynomial_backend().factor(n);
}

Integer Polynomial::content() const { return is_constant() ? constant_ : polynomial_backend().content(handle_); }

Polynomial Polynomial::from_monomials(std::vector<std::string> const& variables,
                                      std::vector<Monomial> const& monomials) {
    // Only the variables that occur.
    std::vector<std::string> sorted;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        bool const occurs =
            std::any_of(monomials.begin(), monomials.end(), [i](Monomial const& m) { return m.exponents[i] != 0; });
        if (occurs) sorted.push_back(variables[i]);
    }
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (sorted.empty()) {
        Integer sum = 0;
        for (auto const& m : monomials) sum += m.coefficient;
        return {sum};
    }
    auto const names = intern(std::move(sorted));
    std::vector<Monomial> placed;
    placed.reserve(monomials.size());
    for (auto const& term : monomials) {
        std::vector<std::uint64_t> exponents(names->size(), 0);
        for (std::size_t i = 0; i < term.exponents.size(); ++i) {
            if (term.exponents[i] == 0) continue;
            auto& at = exponents[position(variables[i], *names)];
            if (__builtin_add_overflow(at, term.exponents[i], &at)) {
                throw UnsupportedError("polynomials: an exponent does not fit 64 bits");
            }
        }
        placed.push_back({.coefficient = term.coefficient, .exponents = std::move(exponents)});
    }
    return {names, polynomial_backend().from_monomials(names->size(), placed)};
}

}  // namespace isserlis
