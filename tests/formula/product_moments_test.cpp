// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <ctime>
#include <isserlis/formula/product_moments.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "../timed.hpp"
#include "enumeration.hpp"
#include "layers.hpp"

using isserlis::Exponent;
using isserlis::gaussian_product_moments;
using isserlis::Integer;
using isserlis::LayerRun;
using isserlis::power;
using isserlis::product_moments;
using isserlis::ProductMoments;
using isserlis::ProductStep;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::testing::any_int;
using isserlis::testing::DiscreteLaw;
using isserlis::testing::EnumeratedProduct;
using isserlis::testing::holds;
using isserlis::testing::layer;

namespace {

using Count = std::uint64_t;

template <class R>
ProductMoments<R> recursion(R const& first, std::vector<ProductStep<R>> const& steps) {
    return product_moments(first, std::span<ProductStep<R> const>(steps));
}

template <class R>
ProductMoments<R> recursion(std::vector<R> const& inner, R const& fourth_moment) {
    std::vector<ProductStep<R>> steps;
    for (auto const& m : inner) steps.push_back({.inner_width = m, .fourth_moment = fourth_moment});
    return recursion(fourth_moment, steps);
}

/// Layers whose inner widths are as given; the outer ones do not matter.
template <class R>
std::vector<LayerRun<R, Count>> layers_with(std::vector<R> const& inner) {
    std::vector<LayerRun<R, Count>> out;
    out.push_back(layer(R(7), inner.empty() ? R(5) : inner.front(), Count{1}));
    for (std::size_t i = 0; i < inner.size(); ++i) {
        out.push_back(layer(inner[i], i + 1 < inner.size() ? inner[i + 1] : R(5), Count{1}));
    }
    return out;
}

/// The six relations of Lemma A.6, letter by letter, over any number type. Shares nothing with the library's 2 x 2
/// form.
template <class R>
ProductMoments<R> as_printed(R const& first, std::vector<std::pair<R, R>> const& width_and_fourth_moment) {
    R second = R(1);
    R rho = first;
    R gamma = R(1);
    R nu = R(1);
    R tau = R(1);
    R eta = R(0);
    for (auto const& [m, r] : width_and_fourth_moment) {
        R const pairs = m * (m - R(1));
        R const rho_next = m * r * rho + R(3) * pairs * gamma;
        R const gamma_next = m * rho + pairs * gamma;
        R const nu_next = m * r * nu + pairs * tau + R(2) * pairs * eta;
        R const tau_next = m * nu + pairs * tau;
        R const eta_next = m * nu + pairs * eta;
        second = m * second;
        rho = rho_next;
        gamma = gamma_next;
        nu = nu_next;
        tau = tau_next;
        eta = eta_next;
    }
    return {.second_moment = second, .rho = rho, .gamma = gamma, .nu = nu, .tau = tau, .eta = eta};
}

template <class Visit>
void for_each_width_list(int most, std::size_t longest, Visit const& visit) {
    std::vector<int> list;
    auto extend = [&](auto const& self) -> void {
        visit(list);
        if (list.size() == longest) return;
        for (int w = 1; w <= most; ++w) {
            list.push_back(w);
            self(self);
            list.pop_back();
        }
    };
    extend(extend);
}

/// Every entry of a product of matrices has the moments of the formula, and every index pattern outside them is 0.
void agrees_with_enumeration(std::vector<int> const& shape, std::vector<DiscreteLaw> const& laws) {
    EnumeratedProduct const b(shape, laws);
    std::vector<ProductStep<Rational>> steps;
    for (std::size_t r = 1; r + 1 < shape.size(); ++r) {
        steps.push_back({.inner_width = Rational(shape[r]), .fourth_moment = laws[r].kurtosis()});
    }
    auto const expected = recursion(laws[0].kurtosis(), steps);
    bool all = true;
    for (std::size_t i = 0; i < b.rows(); ++i) {
        for (std::size_t j = 0; j < b.cols(); ++j) {
            all = all && b.second({i, j}, {i, j}) == expected.second_moment;
            all = all && b.fourth({i, j}, {i, j}, {i, j}, {i, j}) == expected.rho;
            for (std::size_t k = 0; k < b.rows(); ++k) {
                for (std::size_t l = 0; l < b.cols(); ++l) {
                    if ((k != i || l != j)) all = all && b.second({i, j}, {k, l}) == 0;
                    if (k != i) all = all && b.fourth({i, j}, {i, j}, {k, j}, {k, j}) == expected.gamma;
                    if (l != j) all = all && b.fourth({i, j}, {i, j}, {i, l}, {i, l}) == expected.nu;
                    if (k == i || l == j) continue;
                    all = all && b.fourth({i, j}, {i, j}, {k, l}, {k, l}) == expected.tau;
                    all = all && b.fourth({i, j}, {i, l}, {k, j}, {k, l}) == expected.eta;
                }
            }
        }
    }
    std::string text;
    for (int const m : shape) text += std::to_string(m) + " ";
    INFO("shape m_0 .. m_q = ", text);
    CHECK(all);
}

/// Whether moments in symbols have these values where the symbols have theirs.
bool have_values(ProductMoments<RationalFunction> const& symbolic, std::map<std::string, Rational> const& at,
                 ProductMoments<Rational> const& values) {
    auto is = [&](RationalFunction const& formula, Rational const& value) {
        return formula.evaluate(at) == Surd(value);
    };
    return is(symbolic.second_moment, values.second_moment) && is(symbolic.rho, values.rho) &&
           is(symbolic.gamma, values.gamma) && is(symbolic.nu, values.nu) && is(symbolic.tau, values.tau) &&
           is(symbolic.eta, values.eta);
}

}  // namespace

TEST_SUITE("formula/product_moments") {
    // [Hettinger 2019, Lemma A.8] by hand at q = 2, m = 2: Q+ = 8, Q- = 2.
    TEST_CASE_TEMPLATE("two Gaussian matrices over width 2", R, Rational, double, RationalFunction) {
        auto const out = recursion(std::vector<R>{R(2)}, R(3));
        CHECK(out.second_moment == R(2));
        CHECK(out.rho == R(24));
        CHECK(out.gamma == R(8));
        CHECK(out.nu == R(8));
        CHECK(out.tau == R(4));
        CHECK(out.eta == R(2));
        CHECK(gaussian_product_moments(layers_with(std::vector<R>{R(2)})) == out);
    }

    TEST_CASE("the closed form runs over surds and powers of symbols too") {
        auto const surd = gaussian_product_moments(layers_with(std::vector<Surd>{Surd(2)}));
        CHECK(surd.tau == Surd(4));
        auto const n = RationalFunction::symbol("n");
        auto const out = gaussian_product_moments(layers_with(std::vector<RationalFunction>{n}));
        CHECK(out.rho == 3 * n * (n + 2));
        CHECK(out.tau == n * n);
        CHECK(out.eta == n);
    }

    // E a^2, E a^4 and independence, by definition.
    TEST_CASE_TEMPLATE("a single matrix has the moments of its entries", R, Rational, double, RationalFunction) {
        auto const out = recursion(R(7), std::vector<ProductStep<R>>{});
        CHECK(out == ProductMoments<R>{R(1), R(7), R(1), R(1), R(1), R(0)});
        CHECK(gaussian_product_moments(layers_with(std::vector<R>{})) ==
              ProductMoments<R>{R(1), R(3), R(1), R(1), R(1), R(0)});
    }

    // Second method: Lemma A.8 against Lemma A.6; 1 + 4 + 16 + 64 + 256 lists.
    TEST_CASE(
        "the recursion at kurtosis 3 is the Gaussian closed form, for all width lists up to four entries from 1 to 4") {
        int lists = 0;
        for_each_width_list(4, 4, [&](std::vector<int> const& list) {
            ++lists;
            std::vector<Rational> inner(list.begin(), list.end());
            std::vector<double> approximate(list.begin(), list.end());
            CHECK(recursion(inner, Rational(3)) == gaussian_product_moments(layers_with(inner)));
            CHECK(recursion(approximate, 3.0) == gaussian_product_moments(layers_with(approximate)));
        });
        CHECK(lists == 341);
    }

    // Second method: the relations as printed, with a fourth moment of its own for every matrix.
    TEST_CASE("the recursion equals Lemma A.6 as printed, for any widths and lists of fourth moments") {
        holds([] {
            Rational const first = isserlis::testing::positive_rational() + 1;
            std::vector<ProductStep<Rational>> steps;
            std::vector<std::pair<Rational, Rational>> printed;
            for (int i = any_int(0, 12); i > 0; --i) {
                Rational const m =
                    any_int(0, 4) == 0 ? isserlis::testing::positive_rational() : Rational(any_int(1, 3000));
                Rational const r = isserlis::testing::positive_rational() + 1;
                Count const count = any_int(0, 3) == 0 ? static_cast<Count>(any_int(0, 12)) : 1;
                steps.push_back({.inner_width = m, .fourth_moment = r, .count = count});
                printed.insert(printed.end(), count, {m, r});
            }
            RC_ASSERT(recursion(first, steps) == as_printed(first, printed));
        });
    }

    TEST_CASE("in floating point the recursion agrees with Lemma A.6 as printed to rounding") {
        holds([] {
            std::vector<ProductStep<double>> steps;
            std::vector<std::pair<double, double>> printed;
            for (int i = any_int(0, 10); i > 0; --i) {
                double const m = any_int(1, 50);
                double const r = 1 + any_int(0, 60) / 8.0;
                steps.push_back({.inner_width = m, .fourth_moment = r});
                printed.emplace_back(m, r);
            }
            auto const a = recursion(2.5, steps);
            auto const b = as_printed(2.5, printed);
            auto close = [&](double x, double y) { return std::abs(x - y) <= 1e-12 * std::abs(b.rho); };
            RC_ASSERT(close(a.second_moment, b.second_moment));
            RC_ASSERT(close(a.rho, b.rho));
            RC_ASSERT(close(a.gamma, b.gamma));
            RC_ASSERT(close(a.nu, b.nu));
            RC_ASSERT(close(a.tau, b.tau));
            RC_ASSERT(close(a.eta, b.eta));
        });
    }

    // hettinger.md, section 1: tau - eta = prod m(m-1) for any fourth moment; fourth moments of a product of scalars
    // multiply.
    TEST_CASE("width 1 multiplies fourth moments, and tau - eta is prod m(m-1)") {
        auto const scalars = recursion(std::vector<Rational>{1, 1, 1}, ratio(9, 5));
        CHECK(scalars.rho == power(ratio(9, 5), 4));
        CHECK(scalars.gamma == power(ratio(9, 5), 3));
        CHECK(scalars.tau == scalars.eta);
        for (auto const& r : {Rational(1), ratio(9, 5), Rational(6)}) {
            auto const out = recursion(std::vector<Rational>{3, 5, 2}, r);
            CHECK(out.tau - out.eta == Rational(3 * 2 * 5 * 4 * 2));
        }
    }

    // By the central limit theorem b_ij / sqrt(prod m) tends to a normal with independent entries.
    TEST_CASE("wide inner layers make the entries Gaussian and independent, whatever the law") {
        for (double const r : {1.0, 1.8, 6.0}) {
            double const m = 1e8;
            auto const out = recursion(std::vector<double>{m, m, m}, r);
            double const scale = out.second_moment * out.second_moment;
            CHECK(out.rho / scale == doctest::Approx(3).epsilon(1e-6));
            CHECK(out.gamma / scale == doctest::Approx(1).epsilon(1e-6));
            CHECK(out.nu / scale == doctest::Approx(1).epsilon(1e-6));
            CHECK(out.tau / scale == doctest::Approx(1).epsilon(1e-6));
            CHECK(out.eta / scale == doctest::Approx(0).epsilon(1e-6));
        }
    }

    // [Hettinger 2019, Lemma A.6] at rho_1 = 1: every sign of every weight, every entry, every pair of entries.
    TEST_CASE("fourth moment 1 equals full enumeration of Rademacher matrices") {
        auto const signs = isserlis::testing::rademacher();
        for (auto const& shape : std::vector<std::vector<int>>{{2, 2},
                                                               {1, 2, 1},
                                                               {2, 1, 2},
                                                               {2, 2, 2},
                                                               {3, 2, 2},
                                                               {2, 2, 3},
                                                               {2, 3, 2},
                                                               {2, 4, 2},
                                                               {2, 2, 2, 2},
                                                               {2, 3, 1, 2},
                                                               {2, 1, 3, 2},
                                                               {2, 2, 1, 2, 2},
                                                               {2, 1, 2, 1, 2, 1, 2}}) {
            agrees_with_enumeration(shape, std::vector<DiscreteLaw>(shape.size() - 1, signs));
        }
    }

    TEST_CASE("other fourth moments equal weighted enumeration of laws on three points") {
        for (auto const& law : {isserlis::testing::three_point(2, 1), isserlis::testing::three_point(9, 5),
                                isserlis::testing::three_point(3, 1), isserlis::testing::three_point(6, 1)}) {
            for (auto const& shape :
                 std::vector<std::vector<int>>{{2, 2}, {1, 2, 1}, {2, 1, 2}, {2, 2, 2}, {2, 1, 1, 2}}) {
                agrees_with_enumeration(shape, std::vector<DiscreteLaw>(shape.size() - 1, law));
            }
        }
    }

    TEST_CASE("neither symmetry nor the third moment matters") {
        auto const law = isserlis::testing::lopsided();
        CHECK(law.kurtosis() == ratio(13, 4));
        CHECK_FALSE(law.moment(3) == 0);
        for (auto const& shape : std::vector<std::vector<int>>{{2, 2}, {2, 2, 2}, {2, 1, 2, 1, 2}, {2, 3, 2}}) {
            agrees_with_enumeration(shape, std::vector<DiscreteLaw>(shape.size() - 1, law));
        }
    }

    TEST_CASE("a list of fourth moments gives each matrix its own, in the right order") {
        auto const one = isserlis::testing::rademacher();
        auto const two = isserlis::testing::three_point(2, 1);
        auto const skew = isserlis::testing::lopsided();
        auto const five = isserlis::testing::three_point(5, 1);
        agrees_with_enumeration({2, 2, 2}, {one, two});
        agrees_with_enumeration({2, 2, 2}, {two, one});
        agrees_with_enumeration({2, 2, 2}, {skew, five});
        agrees_with_enumeration({2, 1, 2, 2}, {one, two, skew});
        agrees_with_enumeration({2, 1, 2, 2}, {skew, one, two});
        agrees_with_enumeration({2, 1, 2, 2}, {two, skew, one});
    }

    // Second method: symbols first, numbers afterwards.
    TEST_CASE("symbolic widths and fourth moments, substituted, equal the numeric recursion") {
        auto const a = RationalFunction::symbol("a");
        auto const b = RationalFunction::symbol("b");
        auto const r = RationalFunction::symbol("r");
        auto const s = RationalFunction::symbol("s");
        auto const symbolic =
            recursion(r, std::vector<ProductStep<RationalFunction>>{
                             {a, s}, {b, r, 2}, {RationalFunction(3), RationalFunction(ratio(9, 5))}});
        holds([&] {
            Rational const m = any_int(1, 40);
            Rational const k = any_int(1, 40);
            Rational const x = isserlis::testing::positive_rational() + 1;
            Rational const y = isserlis::testing::positive_rational() + 1;
            auto const numeric =
                recursion(x, std::vector<ProductStep<Rational>>{{m, y}, {k, x, 2}, {Rational(3), ratio(9, 5)}});
            std::map<std::string, Rational> const at = {{"a", m}, {"b", k}, {"r", x}, {"s", y}};
            RC_ASSERT(have_values(symbolic, at, numeric));
        });
    }

    TEST_CASE("symbolic depth, substituted, equals concrete depth, down to a single matrix and width 1") {
        auto const n = RationalFunction::symbol("n");
        Exponent const L = Exponent::symbol("L");
        // d0, n repeated L times, 5: A_1 is n x d0, then L - 1 of n x n, then 5 x n.
        std::vector const layers = {layer(RationalFunction::symbol("d0"), n, Exponent(1)), layer(n, n, L - Exponent(1)),
                                    layer(n, RationalFunction(5), Exponent(1))};
        auto const symbolic = gaussian_product_moments(layers);
        holds([&] {
            int const depth = any_int(1, 9);
            int const width = any_int(1, 9);
            std::vector<Rational> const inner(static_cast<std::size_t>(depth), Rational(width));
            auto const numeric = gaussian_product_moments(layers_with(inner));
            std::map<std::string, Rational> const at = {{"n", width}, {"L", depth}, {"d0", 4}};
            RC_ASSERT(symbolic.second_moment.evaluate(at) == Surd(numeric.second_moment));
            RC_ASSERT(symbolic.rho.evaluate(at) == Surd(numeric.rho));
            RC_ASSERT(symbolic.tau.evaluate(at) == Surd(numeric.tau));
            RC_ASSERT(symbolic.eta.evaluate(at) == Surd(numeric.eta));
            RC_ASSERT(symbolic.gamma.evaluate(at) == Surd(numeric.gamma));
            RC_ASSERT(symbolic.nu.evaluate(at) == Surd(numeric.nu));
        });
    }

    TEST_CASE("any law at a symbolic depth, substituted, is Lemma A.6 as printed") {
        using Step = ProductStep<RationalFunction, Exponent>;
        auto const n = RationalFunction::symbol("n");
        auto const k = RationalFunction::symbol("k");
        std::vector<Step> const steps{
            {.inner_width = n, .fourth_moment = k, .count = Exponent::symbol("L")},
            {.inner_width = n + RationalFunction(1), .fourth_moment = RationalFunction(2), .count = Exponent(1)}};
        auto const symbolic = product_moments(k + RationalFunction(1), std::span<Step const>(steps));
        for (int depth = 1; depth <= 5; ++depth) {
            for (int width = 2; width <= 4; ++width) {
                Rational const fourth = ratio(7, 2);
                std::vector<std::pair<Rational, Rational>> list(static_cast<std::size_t>(depth), {width, fourth});
                list.emplace_back(width + 1, 2);
                auto const printed = as_printed(Rational(fourth + 1), list);
                std::map<std::string, Rational> const at = {{"n", width}, {"L", depth}, {"k", fourth}};
                CHECK(have_values(symbolic, at, printed));
            }
        }
    }

    // Polynomials in the widths: at numbers that machine words do not hold, and at those that are no widths.
    TEST_CASE("large numbers, fractions and others are Lemma A.6 as printed") {
        Rational const large(power(Integer(2), 64U) + 3);
        for (Rational const& width : {large, Rational(1 / large), Rational(3 / large), Rational(7) / 2, Rational(1),
                                      Rational(0), Rational(-2)}) {
            for (Rational const& fourth :
                 {Rational(3), large, Rational(1 / large), Rational(large / 5), Rational(-4)}) {
                using List = std::vector<std::pair<Rational, Rational>>;
                for (List const& list : {List{{width, fourth}}, List{{4, 2}, {width, fourth}, {3, ratio(5, 2)}}}) {
                    std::vector<ProductStep<Rational>> steps;
                    for (auto const& [m, r] : list) steps.push_back({.inner_width = m, .fourth_moment = r});
                    CHECK(recursion(ratio(9, 4), steps) == as_printed(ratio(9, 4), list));
                }
            }
        }
    }

    TEST_CASE("a first run of several layers counts its inner widths once") {
        // 4,4,4,4 written as one run of three layers: inner widths 4, 4.
        std::vector const run = {layer(Rational(4), Rational(4), Count{3})};
        CHECK(gaussian_product_moments(run) == recursion(std::vector<Rational>{4, 4}, Rational(3)));
    }

    // Single layers of small numbers are taken one after another, runs as powers of matrices.
    TEST_CASE("a run of no layers changes nothing, at width 1 either") {
        using Step = ProductStep<Rational>;
        for (Rational const& width : {Rational(1), Rational(4)}) {
            Step const none{.inner_width = width, .fourth_moment = 5, .count = 0};
            Step const two{.inner_width = 3, .fourth_moment = ratio(7, 2), .count = 2};
            CHECK(recursion(Rational(2), std::vector<Step>{none, two}) ==
                  recursion(Rational(2), std::vector<Step>{two}));
            CHECK(recursion(Rational(2), std::vector<Step>{two, none}) ==
                  recursion(Rational(2), std::vector<Step>{two}));
        }
    }

    TEST_CASE("layers listed one by one are those of runs, up to lists that are taken by a tree") {
        for (std::size_t const runs : {1U, 5U, 127U, 128U, 129U}) {
            CAPTURE(runs);
            std::vector<ProductStep<Rational>> single;
            std::vector<ProductStep<Rational>> joined;
            for (std::size_t r = 0; r < runs; ++r) {
                ProductStep<Rational> step{.inner_width = Rational(1 + (7 * r) % 30), .fourth_moment = ratio(9 + r, 5)};
                single.insert(single.end(), 2, step);
                step.count = 2;
                joined.push_back(step);
            }
            auto const a = recursion<Rational>(ratio(7, 3), single);
            auto const b = recursion<Rational>(ratio(7, 3), joined);
            CHECK(a == b);
        }
    }

    TEST_CASE("two thousand layers are exact by both routes") {
        std::vector<ProductStep<Rational>> const steps = {{.inner_width = 5, .fourth_moment = 3},
                                                          {.inner_width = 10, .fourth_moment = 3, .count = 2000}};
        std::vector const layers = {layer(Rational(2), Rational(5), Count{1}),
                                    layer(Rational(5), Rational(10), Count{1}),
                                    layer(Rational(10), Rational(10), Count{2000})};
        CHECK(recursion(Rational(3), steps) == gaussian_product_moments(layers));
    }

    // Long runs behind a short first step must not fall back to walking.
    TEST_CASE("eight times the depth of an exact product costs far less than 64 times as much" * timed()) {
        auto seconds = [](Count depth) {
            std::vector<ProductStep<Rational>> const steps = {
                {.inner_width = 5, .fourth_moment = ratio(9, 5)},
                {.inner_width = 10, .fourth_moment = ratio(9, 5), .count = depth}};
            auto const start = std::clock();
            auto const out = recursion(ratio(9, 5), steps);
            CHECK(out.second_moment == 5 * power(Rational(10), depth));
            return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        };
        // Time(2L)/time(L) <= 3 makes 27 for eight times the depth; walking step by step costs 64 times. The least of
        // several, taken in turns: others use the machine too.
        (void)seconds(1000);
        double shallow = seconds(5'000);
        double deep = seconds(40'000);
        for (int i = 0; i < 4; ++i) {
            shallow = std::min(shallow, seconds(5'000));
            deep = std::min(deep, seconds(40'000));
        }
        CHECK(deep <= 40 * shallow + 0.01);
    }
}

// The corollaries say which fourth moments of entries vanish. They are tested on what they speak of, products of at
// least one random matrix, over several laws; and on the empty product, where Corollary A.2 fails (docs/errata.md, H9).
TEST_SUITE("formula/product_moments_corollaries") {
    using Index = EnumeratedProduct::Index;

    /// Visits E b b b b for every choice of four rows and four columns.
    template <class Visit>
    void for_each_fourth_moment(EnumeratedProduct const& b, Visit const& visit) {
        std::size_t const n = b.rows();
        std::size_t const m = b.cols();
        std::array<std::size_t, 4> r{};
        std::array<std::size_t, 4> c{};
        for (r[0] = 0; r[0] < n; ++r[0])
            for (r[1] = 0; r[1] < n; ++r[1])
                for (r[2] = 0; r[2] < n; ++r[2])
                    for (r[3] = 0; r[3] < n; ++r[3])
                        for (c[0] = 0; c[0] < m; ++c[0])
                            for (c[1] = 0; c[1] < m; ++c[1])
                                for (c[2] = 0; c[2] < m; ++c[2])
                                    for (c[3] = 0; c[3] < m; ++c[3])
                                        visit(r, c, b.fourth({r[0], c[0]}, {r[1], c[1]}, {r[2], c[2]}, {r[3], c[3]}));
    }

    bool one_is_distinct(std::array<std::size_t, 4> const& x) {
        for (std::size_t i = 0; i < 4; ++i) {
            bool alone = true;
            for (std::size_t j = 0; j < 4; ++j) alone = alone && (i == j || x[i] != x[j]);
            if (alone) return true;
        }
        return false;
    }

    std::vector<EnumeratedProduct> products() {
        std::vector<EnumeratedProduct> out;
        for (auto const& law :
             {isserlis::testing::rademacher(), isserlis::testing::three_point(9, 5), isserlis::testing::lopsided()}) {
            for (auto const& shape : std::vector<std::vector<int>>{{2, 3}, {3, 2}, {2, 2, 2}, {3, 1, 2}, {2, 1, 3}}) {
                out.emplace_back(shape, std::vector<DiscreteLaw>(shape.size() - 1, law));
            }
        }
        auto const signs = isserlis::testing::rademacher();
        out.emplace_back(std::vector<int>{3, 2, 3}, std::vector<DiscreteLaw>(2, signs));
        out.emplace_back(std::vector<int>{2, 2, 2, 2}, std::vector<DiscreteLaw>(3, signs));
        return out;
    }

    // [Hettinger 2019, Cor A.2]: g != i implies E c_de c_df c_gh c_ij = 0.
    TEST_CASE("Corollary A.2: two factors in one row and two in different rows average to 0") {
        for (auto const& b : products()) {
            bool zero = true;
            for_each_fourth_moment(b, [&](auto const& r, auto const&, Rational const& moment) {
                if (r[0] == r[1] && r[2] != r[3]) zero = zero && moment == 0;
            });
            CHECK(zero);
        }
    }

    // [Hettinger 2019, Cor A.3]: a column distinct from the other three implies 0.
    TEST_CASE("Corollary A.3: a column that occurs once averages to 0") {
        for (auto const& b : products()) {
            bool zero = true;
            for_each_fourth_moment(b, [&](auto const&, auto const& c, Rational const& moment) {
                if (one_is_distinct(c)) zero = zero && moment == 0;
            });
            CHECK(zero);
        }
    }

    // [Hettinger 2019, Cor A.4]: i != j implies E c_ej c_gf c_hf c_ki = 0.
    TEST_CASE("Corollary A.4: two factors in one column and two in different columns average to 0") {
        for (auto const& b : products()) {
            bool zero = true;
            for_each_fourth_moment(b, [&](auto const&, auto const& c, Rational const& moment) {
                if (c[1] == c[2] && c[0] != c[3]) zero = zero && moment == 0;
            });
            CHECK(zero);
        }
    }

    // [Hettinger 2019, Cor A.5]: a row distinct from the other three implies E c_ei c_gf c_hf c_ki = 0.
    TEST_CASE("Corollary A.5: a row that occurs once averages to 0, with columns i, f, f, i") {
        for (auto const& b : products()) {
            bool zero = true;
            for_each_fourth_moment(b, [&](auto const& r, auto const& c, Rational const& moment) {
                if (c[0] == c[3] && c[1] == c[2] && one_is_distinct(r)) zero = zero && moment == 0;
            });
            CHECK(zero);
        }
    }

    // hettinger.md, E9: the empty product is the identity, and there I_11 I_11 I_11 I_22 = 1.
    TEST_CASE("Corollary A.2 is false for the empty product") {
        auto identity = [](std::size_t i, std::size_t j) { return i == j ? 1 : 0; };
        CHECK(identity(0, 0) * identity(0, 0) * identity(0, 0) * identity(1, 1) == 1);
    }

    // The corollaries leave rho, gamma, nu, tau and eta as the only fourth moments, which makes them complete:
    // E (u'Bx)^4 is their combination for every u and x.
    TEST_CASE("the five constants determine E (u'Bx)^4 for every u and x") {
        auto const law = isserlis::testing::three_point(9, 5);
        EnumeratedProduct const b({2, 2, 2}, {law, law});
        auto const k = recursion(std::vector<Rational>{2}, law.kurtosis());
        for (auto const& [u, x] : std::vector<std::pair<std::array<int, 2>, std::array<int, 2>>>{
                 {{1, 0}, {1, 0}}, {{1, 2}, {3, -1}}, {{-2, 5}, {1, 1}}, {{1, 1}, {1, -1}}}) {
            Rational enumerated = 0;
            for_each_fourth_moment(b, [&](auto const& r, auto const& c, Rational const& moment) {
                Integer weight = 1;
                for (std::size_t i = 0; i < 4; ++i) weight *= u[r[i]] * x[c[i]];
                enumerated += Rational(weight) * moment;
            });
            auto sums = [](std::array<int, 2> const& v) {
                int const squares = v[0] * v[0] + v[1] * v[1];
                int const fourths = v[0] * v[0] * v[0] * v[0] + v[1] * v[1] * v[1] * v[1];
                return std::pair(fourths, squares * squares - fourths);
            };
            auto const [u4, u22] = sums(u);
            auto const [x4, x22] = sums(x);
            Rational const expected =
                k.rho * u4 * x4 + 3 * k.gamma * u22 * x4 + 3 * k.nu * u4 * x22 + (3 * k.tau + 6 * k.eta) * u22 * x22;
            CHECK(enumerated == expected);
        }
    }
}
