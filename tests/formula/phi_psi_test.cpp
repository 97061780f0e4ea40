// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/formula/product_moments.hpp>

#include "../ring/property.hpp"
#include "../ring/random_elements.hpp"
#include "enumeration.hpp"

using isserlis::Exponent;
using isserlis::Integer;
using isserlis::phi_psi;
using isserlis::PhiPsi;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::WidthRun;
using isserlis::testing::any_int;
using isserlis::testing::holds;

namespace {

using Count = std::uint64_t;

template <class R>
PhiPsi<R> of(std::vector<WidthRun<R, Count>> const& widths) {
    return phi_psi(widths);
}

/// p and m by walking the list, nothing gathered.
struct Products {
    Rational p = 1;
    Rational m = 1;
};
Products products(std::vector<int> const& list) {
    Products out;
    for (int const d : list) {
        out.p *= ratio(d + 2, d);
        out.m *= ratio(d - 1, d);
    }
    return out;
}

}  // namespace

TEST_SUITE("formula/phi_psi") {
    // [Hettinger 2019, Def 4.18] by hand at d = 2, 3: p = 2 * 5/3 = 10/3, m = 1/2 * 2/3 = 1/3.
    TEST_CASE_TEMPLATE("widths 2 and 3 give 7/3 and 1", R, Rational, double, Surd, RationalFunction) {
        auto const out = of<R>({{R(2), 1}, {R(3), 1}});
        if constexpr (std::is_floating_point_v<R>) {
            CHECK(out.phi == doctest::Approx(7.0 / 3));
            CHECK(out.psi == doctest::Approx(1.0));
        } else {
            CHECK(out.phi == R(7) / R(3));
            CHECK(out.psi == R(1));
        }
    }

    TEST_CASE_TEMPLATE("an empty stretch gives 1 and 0", R, Rational, double, Surd, RationalFunction) {
        CHECK(of<R>({}) == PhiPsi<R>{R(1), R(0)});
        CHECK(of<R>({{R(4), 0}}) == PhiPsi<R>{R(1), R(0)});
        CHECK(of<R>({{R(1), 0}}) == PhiPsi<R>{R(1), R(0)});
    }

    // hettinger.md, section 0: phi + psi = p and phi - psi = (p + 2m)/3; m is 0 once a width is 1.
    TEST_CASE("phi + psi = p and phi - psi = (p + 2m)/3 for any widths and repeats") {
        holds([] {
            std::vector<WidthRun<Rational, Count>> runs;
            std::vector<int> list;
            for (int i = any_int(0, 6); i > 0; --i) {
                int const width = any_int(1, 12);
                auto const count = static_cast<Count>(any_int(1, 5));
                runs.push_back({Rational(width), count});
                list.insert(list.end(), count, width);
            }
            auto const [p, m] = products(list);
            auto const out = phi_psi(runs);
            RC_ASSERT(out.phi + out.psi == p);
            RC_ASSERT(out.phi - out.psi == (p + 2 * m) / 3);
            RC_ASSERT(out.psi >= Rational(0));
            if (std::find(list.begin(), list.end(), 1) != list.end()) RC_ASSERT(out.phi == 2 * out.psi);
        });
    }

    // Second method: the docstring's meaning. With B Gaussian over unit widths sums, E |Bx|^2 |By|^2 over (prod d)^2 is
    // phi - psi for orthogonal unit x, y, and E (Bx.By)^2 is psi. Isserlis on the entries of B gives both from tau and
    // eta.
    TEST_CASE("phi and psi are the quartic forms of a Gaussian product at orthogonal unit vectors") {
        for (auto const& list : std::vector<std::vector<int>>{{2}, {1}, {2, 3}, {3, 1}, {4, 2, 3}}) {
            // B = A_k .. A_1, A_r of shape d_r x d_(r-1) with d_0 = 2: inner widths d_1 .. d_(k-1), d_k rows.
            std::vector<isserlis::ProductStep<Rational>> steps;
            Rational scale = 1;
            for (std::size_t r = 0; r < list.size(); ++r) {
                if (r + 1 < list.size()) steps.push_back({.inner_width = list[r], .fourth_moment = 3});
                scale *= list[r];
            }
            auto const k =
                isserlis::product_moments(Rational(3), std::span<isserlis::ProductStep<Rational> const>(steps));
            Rational const d = list.back();
            // sum_ik E b_i1^2 b_k2^2 and sum_ik E b_i1 b_i2 b_k1 b_k2.
            Rational const norms = d * k.nu + d * (d - 1) * k.tau;
            Rational const crossed = d * k.nu + d * (d - 1) * k.eta;
            std::vector<WidthRun<Rational, Count>> runs;
            for (int const w : list) runs.push_back({Rational(w), 1});
            auto const out = phi_psi(runs);
            CHECK(norms == scale * scale * (out.phi - out.psi));
            CHECK(crossed == scale * scale * out.psi);
        }
    }

    // A real enumeration with the law of kurtosis 3, which no quartic form can tell from a Gaussian.
    TEST_CASE("they equal enumerated matrices of kurtosis 3") {
        auto const law = isserlis::testing::three_point(3, 1);
        isserlis::testing::EnumeratedProduct const b({2, 2, 2}, {law, law});
        Rational norms = 0;
        Rational crossed = 0;
        for (std::size_t i = 0; i < 2; ++i) {
            for (std::size_t k = 0; k < 2; ++k) {
                norms += b.fourth({i, 0}, {i, 0}, {k, 1}, {k, 1});
                crossed += b.fourth({i, 0}, {i, 1}, {k, 0}, {k, 1});
            }
        }
        auto const out = of<Rational>({{Rational(2), 2}});
        CHECK(norms == 16 * (out.phi - out.psi));
        CHECK(crossed == 16 * out.psi);
    }

    TEST_CASE("wide layers leave nothing of psi") {
        auto const out = of<double>({{1e9, 3}});
        CHECK(out.phi == doctest::Approx(1).epsilon(1e-7));
        CHECK(out.psi == doctest::Approx(0).epsilon(1e-7));
        CHECK(out.psi * 1e9 == doctest::Approx(3).epsilon(1e-3));  // (p - m)/3 ~ sum 1/d
    }

    TEST_CASE("a width of 0 is a DomainError in every exact ring") {
        CHECK_THROWS_AS(of<Rational>({{Rational(0), 1}}), isserlis::DomainError);
        CHECK_THROWS_AS(of<Surd>({{Surd(0), 1}}), isserlis::DomainError);
        CHECK_THROWS_AS(of<RationalFunction>({{RationalFunction(0), 1}}), isserlis::DomainError);
    }

    TEST_CASE("symbolic widths and depth, substituted, equal concrete ones") {
        auto const a = RationalFunction::symbol("a");
        auto const n = RationalFunction::symbol("n");
        auto const symbolic = phi_psi(std::vector<WidthRun<RationalFunction, Exponent>>{
            {a, Exponent(1)}, {n, Exponent::symbol("L") - Exponent(1)}, {RationalFunction(3), Exponent(2)}});
        holds([&] {
            int const first = any_int(1, 30);
            int const width = any_int(1, 30);
            int const depth = any_int(1, 8);
            auto const out = of<Rational>(
                {{Rational(first), 1}, {Rational(width), static_cast<Count>(depth - 1)}, {Rational(3), 2}});
            std::map<std::string, Rational> const at = {{"a", first}, {"n", width}, {"L", depth}};
            if (width > 1 || depth > 1) {
                RC_ASSERT(symbolic.phi.evaluate(at) == Surd(out.phi));
                RC_ASSERT(symbolic.psi.evaluate(at) == Surd(out.psi));
            }
        });
    }
}
