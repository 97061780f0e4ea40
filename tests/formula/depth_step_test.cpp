// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/depth_step.hpp>

#include <cmath>

#include "middle.hpp"

using isserlis::test::middle;

TEST_SUITE("formula/depth_step") {
    using isserlis::BranchMatrix;
    using isserlis::DepthStep;
    using isserlis::Interval;
    using isserlis::ratio;
    using isserlis::Rational;
    using isserlis::SteppedNetwork;

    namespace {

    bool holds_number(Interval const& x, Rational const& value) {
        return (x - Interval(value, x.bits())).contains_zero();
    }
    double width_of(Interval const& x) { return mpfr_get_d((x - x).upper(), MPFR_RNDU); }

    SteppedNetwork<Rational> network(Rational const& width, std::vector<BranchMatrix<Rational>> branch) {
        BranchMatrix<Rational> const first{.width = width, .variance = ratio(1, 3), .label_factor = ratio(1, 2)};
        BranchMatrix<Rational> const last{.width = Rational(2), .variance = Rational(1) / width};
        return {.input_width = Rational(3),
                .stages = {{.matrices = {first}, .skip = false},
                           {.matrices = std::move(branch), .skip = true},
                           {.matrices = {last}, .skip = false}}};
    }

    BranchMatrix<Rational> const lower{.width = Rational(5), .variance = ratio(1, 2), .label_factor = ratio(2, 3)};

    DepthStep small() {
        return {network(Rational(4), {lower, {.width = Rational(4), .variance = ratio(1, 5)}}), Rational(3),
                ratio(7, 2)};
    }

    DepthStep single_neurons() {
        BranchMatrix<Rational> const unit{.width = Rational(1), .variance = Rational(1)};
        return {{.input_width = Rational(1),
                 .stages = {{.matrices = {unit}, .skip = false},
                            {.matrices = {unit}, .skip = true},
                            {.matrices = {unit}, .skip = false}}},
                Rational(1),
                Rational(1)};
    }

    }  // namespace

    TEST_CASE("single neurons by hand") {
        auto const step = single_neurons();
        CHECK(step.gain() == Rational(1));
        CHECK(step.at(1, Rational(1)).change_square == Rational(515));  // docs/formulas/residual_step.md
        CHECK(step.at(2, ratio(1, 2)).square == ratio(9, 4));
        CHECK(step.growth(Rational(1)) == Rational(76));  // E (1 + w)^6
        // Without branches y = v, Delta v = - u (u v - t): 3 E u^2 .. = E u^4 v^2 + E u^2 = 4.
        CHECK(step.at(0, Rational(1)).change_square == Rational(4));
        CHECK(std::abs(middle(step.square_limit(Rational(1), 64)) - std::exp(1.0)) < 1e-15);
    }

    // Single neurons commute: y = v p, p = prod (1 + m w_k), Q = p^2 + v^2 s sum_k p^2/(1 + m w_k)^2, Delta y = - u Q (u y - t), so
    // E (Delta y)^2 = 3 E Q^2 y^2 + E Q^2. As L grows, p = exp(g - 1/2), g a standard normal (s = 1/L, w^2 sums to 1), and
    // Q = p^2 (1 + v^2): E p^6 = e^15, E p^4 = e^6; E v^2 (1 + v^2)^2 = 1 + 6 + 15, E (1 + v^2)^2 = 6.
    TEST_CASE("the limit of single neurons in closed form") {
        double const closed = 3 * std::exp(15.0) * 22 + std::exp(6.0) * 6;
        CHECK(middle(single_neurons().change_square_limit(Rational(1), 64)) == doctest::Approx(closed).epsilon(1e-13));
    }

    // The same at s = t/L: p = exp(t^(1/2) g - t/2) and Q = p^2 (1 + t v^2), so that 3 e^(15 t) (1 + 6 t + 15 t^2) +
    // e^(6 t) (1 + 2 t + 3 t^2); in enclosures, which hold it, from small exponents to large ones.
    TEST_CASE("enclosures of the limit hold its closed form") {
        for (unsigned const bits : {40U, 100U, 300U}) {
            for (Rational const& t : {ratio(1, 5000), ratio(1, 300), ratio(1, 150), ratio(1, 80), ratio(1, 40),
                                      ratio(1, 20), ratio(1, 7), Rational(1), Rational(3), Rational(20)}) {
                auto const of = [](Rational const& x) { return Interval(x, 1000); };
                Interval const closed =
                    of(3 * (1 + 6 * t + 15 * t * t)) * exp(of(15 * t)) + of(1 + 2 * t + 3 * t * t) * exp(of(6 * t));
                CAPTURE(bits);
                CAPTURE(isserlis::to_string(t));
                Interval const found = single_neurons().change_square_limit(t, bits);
                CHECK((found - closed).contains_zero());
                CHECK(width_of(found / closed) < std::ldexp(1.0, -static_cast<int>(bits)));
            }
        }
    }

    // Second method: the network itself, block after block.
    TEST_CASE("moments are those of ResidualStep") {
        BranchMatrix<Rational> const upper{.width = Rational(4), .variance = ratio(1, 5)};
        auto branch = std::vector{lower, upper};
        auto const step = small();
        Rational const s = ratio(3, 7);
        branch.back().variance *= s;
        branch.back().label_factor *= s;
        auto net = network(Rational(4), branch);
        for (std::uint64_t depth : {1U, 2U, 5U}) {
            net.stages[1].count = depth;
            auto const whole = isserlis::ResidualStep<Rational>(net, Rational(3), ratio(7, 2)).at(depth + 1);
            CHECK(step.at(depth, s).square == whole.square);
            CHECK(step.at(depth, s).change_square == whole.change_square);
        }
        net.stages.erase(net.stages.begin() + 1);
        auto const plain = isserlis::ResidualStep<Rational>(net, Rational(3), ratio(7, 2)).at(1);
        CHECK(step.at(0, s).square == plain.square);
        CHECK(step.at(0, s).change_square == plain.change_square);
    }

    TEST_CASE("enclosures hold the exact numbers, and tightly") {
        auto const step = small();
        for (std::uint64_t depth : {1U, 2U, 7U, 60U}) {
            for (auto const& s : {Rational(1), ratio(1, 7), ratio(3, 1000)}) {
                auto const exact = step.at(depth, s);
                auto const change = step.change_square(depth, s, 128);
                CHECK(holds_number(change, exact.change_square));
                CHECK(width_of(change) < 1e-30 * middle(change));
                CHECK(holds_number(step.square(depth, s, 128), exact.square));
            }
        }
    }

    // (1 + A/L)^L = exp(A) (1 - A^2/(2 L) + ..): the gap falls as 1/L.
    TEST_CASE("limits are what great depths go to") {
        auto const step = small();
        for (auto const& t : {Rational(1), ratio(1, 4)}) {
            double const limit = middle(step.change_square_limit(t, 64));
            double const ten = middle(step.change_square(10'000, t / 10'000, 64)) - limit;
            double const hundred = middle(step.change_square(100'000, t / 100'000, 64)) - limit;
            CHECK(std::abs(middle(step.change_square(1'000, t / 1'000, 64)) - limit) < 0.1 * limit);
            CHECK(std::abs(ten) < 0.01 * limit);
            CHECK(ten / hundred == doctest::Approx(10).epsilon(0.02));
            double const size = middle(step.square_limit(t, 64));
            CHECK(middle(step.square(10'000, t / 10'000, 64)) == doctest::Approx(size).epsilon(1e-3));
        }
        Rational const none = step.at(0, Rational(0)).change_square;
        CHECK(middle(step.change_square(10'000, ratio(1, 100'000'000), 64)) ==
              doctest::Approx(none.convert_to<double>()).epsilon(1e-2));
    }

    TEST_CASE("the multiplier of a change makes it") {
        auto const step = small();
        Rational const change = step.at(4, ratio(1, 4)).change_square;
        auto const s = step.scale_of_change(50, change, ratio(1, 4), 80);
        CHECK(width_of(s) < 1e-20);
        Rational const near(mpfr_get_d(s.lower(), MPFR_RNDN));
        CHECK(middle(step.change_square(50, near, 64)) == doctest::Approx(change.convert_to<double>()).epsilon(1e-12));
        // The change is below the given one at the lower end, and above it at the upper end.
        for (std::uint64_t const depth : {5U, 50U, 3000U}) {
            for (unsigned const bits : {24U, 80U, 300U}) {
                auto const root = step.scale_of_change(depth, change, ratio(1, 4), bits);
                auto const side = [&](mpfr_srcptr end) {
                    Rational at;
                    mpfr_get_q(at.backend().data(), end);
                    auto const gap = step.change_square(depth, at, bits + 400) - Interval(change, bits + 400);
                    return gap.contains_zero() ? 0 : mpfr_sgn(gap.lower());
                };
                CHECK(side(root.lower()) < 0);
                CHECK(side(root.upper()) > 0);
                CHECK(width_of(root) < std::ldexp(middle(root), 2 - static_cast<int>(bits)));
            }
        }
        CHECK_THROWS_AS((void)step.scale_of_change(50, Rational(0), ratio(1, 4), 40), isserlis::DomainError);
        CHECK_THROWS_WITH_AS((void)step.scale_of_change(4, change, ratio(1, 8), 40),
                             doctest::Contains("no multiplier up to the given one"), isserlis::DomainError);
        CHECK_THROWS_WITH_AS((void)step.scale_of_change(4, change, ratio(1, 4), 40),
                             doctest::Contains("cannot be told from"), isserlis::DomainError);
    }

    TEST_CASE("another network is refused") {
        auto net = network(Rational(4), {{.width = Rational(4), .variance = Rational(1)}});
        auto const refused = [](SteppedNetwork<Rational> const& other) {
            CHECK_THROWS_WITH_AS((DepthStep{other, Rational(1), Rational(1)}),
                                 doctest::Contains("a residual block between two matrices"), isserlis::DomainError);
        };
        for (std::size_t stage = 0; stage < 3; ++stage) {
            auto other = net;
            other.stages[stage].skip = stage != 1;
            refused(other);
            other = net;
            other.stages[stage].matrices.push_back(other.stages[stage].matrices.back());
            if (stage != 1) refused(other);
        }
        auto longer = net;
        longer.stages.push_back(longer.stages.back());
        refused(longer);
        net.stages.pop_back();
        refused(net);
    }
}
