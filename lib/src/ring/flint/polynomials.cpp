// SPDX-License-Identifier: MIT
// The only room where FLINT's headers, with their macros, may be included.
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>

#include <flint/fmpz_factor.h>  // needs fmpz.h before it
#include <flint/ulong_extras.h>

#include <cstdlib>
#include <isserlis/error.hpp>
#include <map>
#include <mutex>

#include "../polynomial_backend.hpp"

namespace isserlis::detail {
namespace {

/// One FLINT context per number of variables, kept for the life of the process.
fmpz_mpoly_ctx_struct const* context(std::size_t variables) {
    static std::mutex guard;
    static std::map<std::size_t, std::unique_ptr<fmpz_mpoly_ctx_struct>> table;
    std::lock_guard const lock(guard);
    auto& entry = table[variables];
    if (!entry) {
        entry = std::make_unique<fmpz_mpoly_ctx_struct>();
        fmpz_mpoly_ctx_init(entry.get(), static_cast<slong>(variables), ORD_DEGLEX);
    }
    return entry.get();
}

/// FLINT integer with the life of a scope.
class Fmpz {
public:
    Fmpz() { fmpz_init(value_); }
    explicit Fmpz(Integer const& x) : Fmpz() { fmpz_set_mpz(value_, x.backend().data()); }
    Fmpz(Fmpz const&) = delete;
    Fmpz& operator=(Fmpz const&) = delete;
    ~Fmpz() { fmpz_clear(value_); }
    fmpz* get() { return value_; }
    [[nodiscard]] fmpz const* get() const { return value_; }
    [[nodiscard]] Integer integer() const {
        Integer out;
        fmpz_get_mpz(out.backend().data(), value_);
        return out;
    }

private:
    fmpz_t value_;
};

/// The prime powers of a number above 1. Beyond a machine word FLINT's own `fmpz_factor` would sieve, with a file of a
/// known name in the current folder: it stays there when the process is killed, writes through a symbolic link, and ends
/// the process by a signal where it cannot be opened. Elliptic curves need none.
class PrimeFactors {
public:
    explicit PrimeFactors(Integer n) {
        flint_randinit(random_);
        for (unsigned long p = 2; p < largest_trial_divisor && n != 1; p += (p == 2 ? 1 : 2)) {
            if (mpz_divisible_ui_p(n.backend().data(), p) == 0) continue;
            Integer const prime(p);
            found_[prime] += mpz_remove(n.backend().data(), n.backend().data(), prime.backend().data());
        }
        add(n, 1);
    }
    ~PrimeFactors() { flint_randclear(random_); }
    PrimeFactors(PrimeFactors const&) = delete;
    PrimeFactors& operator=(PrimeFactors const&) = delete;

    [[nodiscard]] std::map<Integer, std::uint64_t> const& all() const { return found_; }

private:
    static constexpr unsigned long largest_trial_divisor = 1000;

    void add(Integer const& n, std::uint64_t times) {
        if (n == 1) return;
        Fmpz const value(n);
        Fmpz part;
        if (fmpz_abs_fits_ui(value.get()) != 0) {
            n_factor_t word;
            n_factor_init(&word);
            n_factor(&word, fmpz_get_ui(value.get()), 1);
            for (int i = 0; i < word.num; ++i)
                found_[Integer(word.p[i])] += times * static_cast<std::uint64_t>(word.exp[i]);
        } else if (int const exponent = fmpz_is_perfect_power(part.get(), value.get()); exponent != 0) {
            add(part.integer(), times * static_cast<std::uint64_t>(exponent));
        } else if (fmpz_is_prime(value.get()) != 0) {
            found_[n] += times;
        } else {
            constexpr mp_limb_t curves = 20;
            for (mp_limb_t bound = 500;
                 fmpz_factor_ecm(part.get(), curves, bound, 50 * bound, random_, value.get()) == 0;)
                bound += bound / 2;
            Integer const divisor = part.integer();
            add(divisor, times);
            add(Integer(n / divisor), times);
        }
    }

    flint_rand_t random_;
    std::map<Integer, std::uint64_t> found_;
};

class FlintPolynomial final : public PolynomialHandle {
public:
    explicit FlintPolynomial(std::size_t variables) : context_(context(variables)), variables_(variables) {
        fmpz_mpoly_init(value_, context_);
    }
    ~FlintPolynomial() override { fmpz_mpoly_clear(value_, context_); }
    FlintPolynomial(FlintPolynomial const&) = delete;
    FlintPolynomial& operator=(FlintPolynomial const&) = delete;

    fmpz_mpoly_struct* get() { return value_; }
    [[nodiscard]] fmpz_mpoly_struct const* get() const { return value_; }
    [[nodiscard]] fmpz_mpoly_ctx_struct const* ctx() const { return context_; }
    [[nodiscard]] std::size_t variables() const { return variables_; }

private:
    fmpz_mpoly_t value_;
    fmpz_mpoly_ctx_struct const* context_;
    std::size_t variables_;
};

FlintPolynomial const& of(Handle const& handle) { return static_cast<FlintPolynomial const&>(*handle); }

std::shared_ptr<FlintPolynomial> like(Handle const& a) { return std::make_shared<FlintPolynomial>(of(a).variables()); }

[[noreturn]] void too_large(char const* what) {
    throw UnsupportedError(std::string("polynomials: ") + what + " is too large for this representation");
}

void require_small_exponents(FlintPolynomial const& p, slong term) {
    if (fmpz_mpoly_term_exp_fits_ui(p.get(), term, p.ctx()) == 0) too_large("an exponent");
}

class FlintBackend final : public PolynomialBackend {
public:
    Handle constant(std::size_t variables, Integer const& value) const override {
        auto out = std::make_shared<FlintPolynomial>(variables);
        fmpz_mpoly_set_fmpz(out->get(), Fmpz(value).get(), out->ctx());
        return out;
    }
    Handle generator(std::size_t variables, std::size_t index) const override {
        auto out = std::make_shared<FlintPolynomial>(variables);
        fmpz_mpoly_gen(out->get(), static_cast<slong>(index), out->ctx());
        return out;
    }
    Handle add(Handle const& a, Handle const& b) const override {
        auto out = like(a);
        fmpz_mpoly_add(out->get(), of(a).get(), of(b).get(), out->ctx());
        return out;
    }
    Handle subtract(Handle const& a, Handle const& b) const override {
        auto out = like(a);
        fmpz_mpoly_sub(out->get(), of(a).get(), of(b).get(), out->ctx());
        return out;
    }
    Handle multiply(Handle const& a, Handle const& b) const override {
        auto out = like(a);
        fmpz_mpoly_mul(out->get(), of(a).get(), of(b).get(), out->ctx());
        return out;
    }
    std::pair<Handle, Handle> carry(std::vector<Step> const& steps, Handle const& x, Handle const& y) const override {
        auto const* ctx = of(x).ctx();
        auto first = like(x);
        auto second = like(x);
        auto next = like(x);
        auto left = like(x);
        auto right = like(x);
        fmpz_mpoly_set(first->get(), of(x).get(), ctx);
        fmpz_mpoly_set(second->get(), of(y).get(), ctx);
        auto multiply_into = [&](FlintPolynomial& out, Handle const& entry, FlintPolynomial const& by) {
            auto const* e = of(entry).get();
            if (fmpz_mpoly_is_fmpz(e, ctx) == 0) {
                fmpz_mpoly_mul(out.get(), e, by.get(), ctx);
            } else if (e->length == 0) {
                fmpz_mpoly_zero(out.get(), ctx);
            } else {
                fmpz_mpoly_scalar_mul_fmpz(out.get(), by.get(), e->coeffs, ctx);
            }
        };
        for (auto const& step : steps) {
            for (std::uint64_t i = 0; i < step.count; ++i) {
                multiply_into(*left, step.a, *first);
                multiply_into(*right, step.b, *second);
                fmpz_mpoly_add(next->get(), left->get(), right->get(), ctx);
                multiply_into(*left, step.c, *first);
                multiply_into(*right, step.d, *second);
                fmpz_mpoly_add(second->get(), left->get(), right->get(), ctx);
                std::swap(first, next);
            }
        }
        return {first, second};
    }
    Handle scale(Handle const& a, Integer const& c) const override {
        auto out = like(a);
        fmpz_mpoly_scalar_mul_fmpz(out->get(), of(a).get(), Fmpz(c).get(), out->ctx());
        return out;
    }
    Handle power(Handle const& a, std::uint64_t exponent) const override {
        auto out = like(a);
        if (fmpz_mpoly_pow_ui(out->get(), of(a).get(), exponent, out->ctx()) == 0) too_large("a power");
        return out;
    }
    std::optional<Handle> divide_exactly(Handle const& a, Handle const& b) const override {
        auto out = like(a);
        if (fmpz_mpoly_divides(out->get(), of(a).get(), of(b).get(), out->ctx()) == 0) return std::nullopt;
        return out;
    }
    Handle gcd(Handle const& a, Handle const& b) const override {
        auto out = like(a);
        if (fmpz_mpoly_gcd(out->get(), of(a).get(), of(b).get(), out->ctx()) == 0)
            too_large("a greatest common divisor");
        return out;
    }
    Factors factor(Handle const& a) const override {
        auto const& p = of(a);
        fmpz_mpoly_factor_t found;
        fmpz_mpoly_factor_init(found, p.ctx());
        bool const done = fmpz_mpoly_factor(found, p.get(), p.ctx()) != 0;
        Factors out;
        if (done) {
            Fmpz c;
            fmpz_mpoly_factor_get_constant_fmpz(c.get(), found, p.ctx());
            out.constant = c.integer();
            for (slong i = 0; i < fmpz_mpoly_factor_length(found, p.ctx()); ++i) {
                auto base = like(a);
                fmpz_mpoly_factor_get_base(base->get(), found, i, p.ctx());
                auto multiplicity = static_cast<std::uint64_t>(fmpz_mpoly_factor_get_exp_si(found, i, p.ctx()));
                // FLINT's factors are primitive; make the leading coefficient positive as well.
                if (fmpz_sgn(base->get()->coeffs) < 0) {
                    fmpz_mpoly_neg(base->get(), base->get(), p.ctx());
                    if (multiplicity % 2 == 1) out.constant = -out.constant;
                }
                out.factors.emplace_back(std::move(base), multiplicity);
            }
        }
        fmpz_mpoly_factor_clear(found, p.ctx());
        if (!done) too_large("a factorisation");
        return out;
    }
    std::vector<std::pair<Integer, std::uint64_t>> factor(Integer const& n) const override {
        PrimeFactors const found(n);
        return {found.all().begin(), found.all().end()};
    }
    Integer content(Handle const& a) const override {
        auto const& p = of(a);
        Fmpz g;
        _fmpz_vec_content(g.get(), p.get()->coeffs, p.get()->length);
        Integer const out = g.integer();
        return p.get()->length > 0 && fmpz_sgn(p.get()->coeffs) < 0 ? Integer(-out) : out;
    }
    bool equal(Handle const& a, Handle const& b) const override {
        return fmpz_mpoly_equal(of(a).get(), of(b).get(), of(a).ctx()) != 0;
    }
    std::optional<Integer> as_constant(Handle const& a) const override {
        auto const& p = of(a);
        if (fmpz_mpoly_is_fmpz(p.get(), p.ctx()) == 0) return std::nullopt;
        Fmpz c;
        fmpz_mpoly_get_fmpz(c.get(), p.get(), p.ctx());
        return c.integer();
    }
    std::size_t length(Handle const& a) const override {
        return static_cast<std::size_t>(fmpz_mpoly_length(of(a).get(), of(a).ctx()));
    }
    int compare(Handle const& a, Handle const& b) const override {
        auto const& p = of(a);
        auto const& q = of(b);
        std::vector<ulong> x(p.variables());
        std::vector<ulong> y(p.variables());
        for (slong i = 0; i < p.get()->length; ++i) {
            require_small_exponents(p, i);
            require_small_exponents(q, i);
            fmpz_mpoly_get_term_exp_ui(x.data(), p.get(), i, p.ctx());
            fmpz_mpoly_get_term_exp_ui(y.data(), q.get(), i, q.ctx());
            if (x != y) return x < y ? -1 : 1;
            if (int const order = fmpz_cmp(p.get()->coeffs + i, q.get()->coeffs + i); order != 0) return order;
        }
        return 0;
    }
    std::vector<std::uint64_t> degrees(Handle const& a) const override {
        auto const& p = of(a);
        if (fmpz_mpoly_degrees_fit_si(p.get(), p.ctx()) == 0) too_large("an exponent");
        std::vector<slong> found(p.variables());
        fmpz_mpoly_degrees_si(found.data(), p.get(), p.ctx());
        return {found.begin(), found.end()};
    }
    std::size_t coefficient_bits(Handle const& a) const override {
        auto const& p = of(a);
        return static_cast<std::size_t>(std::abs(_fmpz_vec_max_bits(p.get()->coeffs, p.get()->length)));
    }
    std::vector<Polynomial::Monomial> monomials(Handle const& a) const override {
        auto const& p = of(a);
        std::vector<Polynomial::Monomial> out(length(a));
        Fmpz c;
        std::vector<ulong> exponents(p.variables());
        for (slong i = 0; i < static_cast<slong>(out.size()); ++i) {
            require_small_exponents(p, i);
            fmpz_mpoly_get_term_coeff_fmpz(c.get(), p.get(), i, p.ctx());
            fmpz_mpoly_get_term_exp_ui(exponents.data(), p.get(), i, p.ctx());
            auto& term = out[static_cast<std::size_t>(i)];
            term.coefficient = c.integer();
            term.exponents.assign(exponents.begin(), exponents.end());
        }
        return out;
    }
    Handle from_monomials(std::size_t variables, std::vector<Polynomial::Monomial> const& monomials) const override {
        auto out = std::make_shared<FlintPolynomial>(variables);
        std::vector<ulong> exponents(variables);
        for (auto const& term : monomials) {
            std::copy(term.exponents.begin(), term.exponents.end(), exponents.begin());
            fmpz_mpoly_push_term_fmpz_ui(out->get(), Fmpz(term.coefficient).get(), exponents.data(), out->ctx());
        }
        fmpz_mpoly_sort_terms(out->get(), out->ctx());
        fmpz_mpoly_combine_like_terms(out->get(), out->ctx());
        return out;
    }
};

}  // namespace
}  // namespace isserlis::detail

namespace isserlis::detail {
namespace {

/// What there is no memory for is asked of GMP, whose own function ends the process as the program has told it to;
/// FLINT would abort.
void* granted(void* memory, std::size_t size) {
    if (memory != nullptr || size == 0) return memory;
    void* (*of_gmp)(std::size_t) = nullptr;
    mp_get_memory_functions(&of_gmp, nullptr, nullptr);
    std::free(of_gmp(size));
    std::abort();
}

void* flint_allocate(std::size_t size) { return granted(std::malloc(size), size); }
void* flint_allocate_zeros(std::size_t count, std::size_t size) {
    return granted(std::calloc(count, size), count * size);
}
void* flint_reallocate(void* memory, std::size_t size) { return granted(std::realloc(memory, size), size); }

}  // namespace
}  // namespace isserlis::detail

extern "C" isserlis::detail::PolynomialBackend const* isserlis_flint_polynomials() {
    static isserlis::detail::FlintBackend const backend = [] {
        using namespace isserlis::detail;
        __flint_set_memory_functions(flint_allocate, flint_allocate_zeros, flint_reallocate, std::free);
        return FlintBackend();
    }();
    return &backend;
}
