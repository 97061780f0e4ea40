// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/mlp/jet.hpp>

using isserlis::mlp::Jet;

TEST_SUITE("mlp/jet") {
    // (2 + e1)(3 + e2) = 6 + 3 e1 + 2 e2 + e1 e2 by hand; bit 0 is e1.
    TEST_CASE("products run over subsets and e_k^2 = 0") {
        auto const e1 = Jet<2>::infinitesimal(1);
        auto const e2 = Jet<2>::infinitesimal(2);
        auto const product = (Jet<2>(2) + e1) * (Jet<2>(3) + e2);
        CHECK(product.coefficients == std::array<double, 4>{6, 3, 2, 1});
        CHECK((e1 * e1).coefficients == std::array<double, 4>{0, 0, 0, 0});
        CHECK((e1 * e2).top() == 1);
    }

    // d^3 (xyz) / dx dy dz = 1, and d^2/dx dy of (x + y)^3 is 6 (x + y): 30 at x = 2, y = 3.
    TEST_CASE("the top coefficient is the mixed derivative") {
        auto const x = Jet<3>(2) + Jet<3>::infinitesimal(1);
        auto const y = Jet<3>(3) + Jet<3>::infinitesimal(2);
        auto const z = Jet<3>(5) + Jet<3>::infinitesimal(3);
        CHECK((x * y * z).top() == 1);
        CHECK((x * y * z).real() == 30);
        auto const sum = Jet<2>(5) + Jet<2>::infinitesimal(1) + Jet<2>::infinitesimal(2);
        CHECK((sum * sum * sum).top() == 30);
    }

    TEST_CASE("sums, differences and doubles") {
        auto const e = Jet<1>::infinitesimal(1);
        CHECK((2.0 * (Jet<1>(3) - e) * 0.5 + e).coefficients == std::array<double, 2>{3, 0});
        CHECK((-e).coefficients == std::array<double, 2>{0, -1});
        CHECK(Jet<0>(7).top() == 7);
        CHECK((Jet<0>(7) * Jet<0>(2)).real() == 14);
    }

    TEST_CASE("the two shortcuts agree with products") {
        Jet<3> a;
        Jet<3> b;
        for (std::size_t s = 0; s < 8; ++s) {
            a.coefficients[s] = 1 + static_cast<double>(s * s);
            b.coefficients[s] = 3 - static_cast<double>(s);
        }
        CHECK(top_of_product(a, b) == (a * b).top());
        for (unsigned k = 1; k <= 3; ++k) {
            Jet<3> sum = a;
            sum.add_infinitesimal_times(k, b);
            CHECK(sum.coefficients == (a + Jet<3>::infinitesimal(k) * b).coefficients);
        }
    }

    TEST_CASE("comparisons go by the real part") {
        auto const e = Jet<1>::infinitesimal(1);
        CHECK(Jet<1>(1) > e);
        CHECK(Jet<1>(0) == e);
        CHECK_FALSE(e > Jet<1>(0));
        CHECK(e <= Jet<1>(0));
        CHECK(e >= Jet<1>(0));
        CHECK(e < Jet<1>(1));
    }
}
