// SPDX-License-Identifier: MIT
// T2: rho of a product of 100 matrices, expanded, as a polynomial in one inner width n or in a, b, c by turns
// [Hettinger 2019, Lemma A.6]; and phi, psi of many distinct widths [Hettinger 2019, Def 4.18], which stay products.
#include <flint/fmpz_mpoly.h>

#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/linear_recursion.hpp>

#include "check_value.hpp"

namespace {

using namespace isserlis;

constexpr std::uint64_t depth = 100;

/// Powers of the widths in prod m, the factor that all moments share.
std::vector<std::uint64_t> turns(std::size_t symbols) {
    std::vector<std::uint64_t> out(symbols, 0);
    for (std::uint64_t r = 1; r < depth; ++r) ++out[(r - 1) % symbols];
    return out;
}

std::vector<std::string> names(std::size_t symbols) {
    return symbols == 1 ? std::vector<std::string>{"n"} : std::vector<std::string>{"a", "b", "c"};
}

std::size_t symbols_of(benchmark::State const& state) { return static_cast<std::size_t>(state.range(0)); }

// ---- the library --------------------------------------------------------------------------------------------------

/// 5^depth rho: the recursion that product_moments runs, over the numerators of the widths.
Polynomial expanded_rho(std::size_t symbols) {
    std::vector<LinearStep<Polynomial>> cycle;
    std::vector<Polynomial> widths;
    for (auto const& name : names(symbols)) {
        Polynomial const m = Polynomial::variable(name);
        Polynomial const k = m - 1;
        cycle.push_back({.matrix = {.a = 9, .b = Polynomial(15) * k, .c = 5, .d = Polynomial(5) * k}, .count = 1});
        widths.push_back(m);
    }
    std::vector<LinearStep<Polynomial>> steps;
    for (std::uint64_t r = 1; r < depth; ++r) steps.push_back(cycle[(r - 1) % symbols]);
    std::array<Vector2<Polynomial>, 1> state{Vector2<Polynomial>{9, 5}};
    apply(steps, std::span<Vector2<Polynomial>>(state), Fractions<RationalFunction>::tree);
    Polynomial product = 1;
    auto const exponents = turns(symbols);
    for (std::size_t i = 0; i < symbols; ++i) product = product * power(widths[i], exponents[i]);
    return product * state[0].first;
}

// ---- FLINT by hand ------------------------------------------------------------------------------------------------

/// Polynomials over one context, freed with it.
class Flint {
public:
    explicit Flint(std::size_t symbols) { fmpz_mpoly_ctx_init(ctx, static_cast<slong>(symbols), ORD_LEX); }
    Flint(Flint const&) = delete;
    Flint& operator=(Flint const&) = delete;
    ~Flint() {
        for (auto& p : polynomials_) fmpz_mpoly_clear(p.get(), ctx);
        fmpz_mpoly_ctx_clear(ctx);
    }
    fmpz_mpoly_struct* polynomial() {
        polynomials_.push_back(std::make_unique<fmpz_mpoly_struct>());
        fmpz_mpoly_init(polynomials_.back().get(), ctx);
        return polynomials_.back().get();
    }
    fmpz_mpoly_ctx_t ctx;  // NOLINT: FLINT's own type

private:
    std::vector<std::unique_ptr<fmpz_mpoly_struct>> polynomials_;
};

/// 5^depth rho again: the recursion as one who knows FLINT would type it, every polynomial allocated once.
fmpz_mpoly_struct* rho_by_hand(Flint& flint, std::size_t symbols) {
    std::vector<fmpz_mpoly_struct*> widths;   // m
    std::vector<fmpz_mpoly_struct*> squares;  // m (m - 1)
    for (std::size_t i = 0; i < symbols; ++i) {
        widths.push_back(flint.polynomial());
        squares.push_back(flint.polynomial());
        fmpz_mpoly_gen(widths[i], static_cast<slong>(i), flint.ctx);
        fmpz_mpoly_sub_ui(squares[i], widths[i], 1, flint.ctx);
        fmpz_mpoly_mul(squares[i], squares[i], widths[i], flint.ctx);
    }
    auto* rho = flint.polynomial();
    auto* gamma = flint.polynomial();
    auto* left = flint.polynomial();
    auto* right = flint.polynomial();
    fmpz_mpoly_set_ui(rho, 9, flint.ctx);
    fmpz_mpoly_set_ui(gamma, 5, flint.ctx);
    for (std::uint64_t r = 1; r < depth; ++r) {
        // (rho, gamma) <- (9 m rho + 15 m (m - 1) gamma, 5 m rho + 5 m (m - 1) gamma)
        fmpz_mpoly_mul(left, widths[(r - 1) % symbols], rho, flint.ctx);
        fmpz_mpoly_mul(right, squares[(r - 1) % symbols], gamma, flint.ctx);
        fmpz_mpoly_add(gamma, left, right, flint.ctx);
        fmpz_mpoly_scalar_mul_ui(gamma, gamma, 5, flint.ctx);
        fmpz_mpoly_scalar_mul_ui(left, left, 9, flint.ctx);
        fmpz_mpoly_scalar_mul_ui(right, right, 15, flint.ctx);
        fmpz_mpoly_add(rho, left, right, flint.ctx);
    }
    return rho;
}

bool equal(Polynomial const& ours, fmpz_mpoly_struct const* theirs, Flint& flint) {
    auto* copy = flint.polynomial();
    fmpz_t c;
    fmpz_init(c);
    for (auto const& m : ours.monomials()) {
        std::vector<ulong> const exponents(m.exponents.begin(), m.exponents.end());
        fmpz_set_mpz(c, m.coefficient.backend().data());
        fmpz_mpoly_push_term_fmpz_ui(copy, c, exponents.data(), flint.ctx);
    }
    fmpz_clear(c);
    fmpz_mpoly_sort_terms(copy, flint.ctx);
    return fmpz_mpoly_equal(copy, theirs, flint.ctx) != 0;
}

/// The value of rho at widths 2, 3, 5 modulo the prime.
Integer residue_at_primes(Polynomial const& numerator) {
    std::array<int, 3> const at{2, 3, 5};
    Integer sum = 0;
    for (auto const& m : numerator.monomials()) {
        Integer product = m.coefficient;
        for (std::size_t i = 0; i < m.exponents.size(); ++i) product *= power(Integer(at[i]), m.exponents[i]);
        sum += product;
    }
    return bench::residue(ratio(sum, power(Integer(5), depth)));
}

void library(benchmark::State& state) {
    Polynomial out;
    for (auto _ : state) benchmark::DoNotOptimize(out = expanded_rho(symbols_of(state)));
    bench::set_check(state, residue_at_primes(out));
}

void flint(benchmark::State& state) {
    for (auto _ : state) {
        Flint context(symbols_of(state));
        benchmark::DoNotOptimize(rho_by_hand(context, symbols_of(state)));
    }
    Flint context(symbols_of(state));
    Polynomial const ours = expanded_rho(symbols_of(state));
    bench::require(equal(ours, rho_by_hand(context, symbols_of(state)), context), "the library equals FLINT by hand");
    bench::set_check(state, residue_at_primes(ours));
}

/// What `isserlis moments` asks: all moments, as elements of the field.
void five_moments(benchmark::State& state) {
    std::vector<RationalFunction> widths;
    for (auto const& name : names(symbols_of(state))) widths.push_back(RationalFunction::symbol(name));
    RationalFunction const rho_1 = ratio(9, 5);
    std::vector<ProductStep<RationalFunction>> steps;
    for (std::uint64_t r = 1; r < depth; ++r) {
        steps.push_back({.inner_width = widths[(r - 1) % widths.size()], .fourth_moment = rho_1});
    }
    ProductMoments<RationalFunction> out;
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            out = product_moments<RationalFunction>(rho_1, std::span<ProductStep<RationalFunction> const>(steps)));
    }
    auto const [top, bottom] = out.rho.as_fraction();
    bench::require(top * Polynomial(power(Integer(5), depth)) == bottom * expanded_rho(symbols_of(state)),
                   "rho as a field element is the expanded polynomial over 5^depth");
    bench::set_check(state, residue_at_primes(expanded_rho(symbols_of(state))));
}

// ---- phi and psi in product form ----------------------------------------------------------------------------------

void products(benchmark::State& state) {
    std::vector<WidthRun<RationalFunction, Exponent>> widths;
    std::vector<WidthRun<Rational, std::uint64_t>> values;
    std::map<std::string, Rational> at;
    for (std::int64_t q = 1; q <= state.range(0); ++q) {
        std::string const name = "d" + std::to_string(q);
        widths.push_back({.width = RationalFunction::symbol(name), .count = 1});
        values.push_back({.width = Rational(q + 1), .count = 1});
        at.emplace(name, Rational(q + 1));
    }
    PhiPsi<RationalFunction> out;
    for (auto _ : state) benchmark::DoNotOptimize(out = phi_psi(widths));
    auto const expected = phi_psi(values);
    bench::require(out.phi.evaluate(at) == Surd(expected.phi), "phi in symbols, then numbers, is phi in numbers");
    bench::require(out.psi.evaluate(at) == Surd(expected.psi), "psi in symbols, then numbers, is psi in numbers");
    bench::set_check(state, bench::residue(expected.phi));
}

}  // namespace

BENCHMARK(library)->Name("T2 rho expanded/isserlis")->ArgName("symbols")->Arg(1)->Arg(3);
BENCHMARK(flint)->Name("T2 rho expanded/FLINT by hand")->ArgName("symbols")->Arg(1)->Arg(3);
BENCHMARK(five_moments)->Name("T2 all five moments/isserlis")->ArgName("symbols")->Arg(1)->Arg(3);
BENCHMARK(products)->Name("T2 phi and psi/isserlis")->ArgName("symbols")->RangeMultiplier(10)->Range(10, 1000);
