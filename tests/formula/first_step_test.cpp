// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/coordinate_moments.hpp>
#include <isserlis/formula/first_step.hpp>
#include <isserlis/ring/decimal.hpp>

#include <cmath>
#include <numbers>

#include "layers.hpp"
#include "middle.hpp"

using isserlis::test::middle;

TEST_SUITE("formula/first_step") {
    using isserlis::ActivationKind;
    using isserlis::FirstStepNetwork;
    using isserlis::Interval;
    using isserlis::joint_unit_rate;
    using isserlis::joint_unit_rate_limit;
    using isserlis::normalised_output_square;
    using isserlis::output_change_mean;
    using isserlis::own_change_square;
    using isserlis::PiSum;
    using isserlis::ratio;
    using isserlis::Rational;
    using isserlis::StepRule;
    using isserlis::Surd;
    using isserlis::testing::network_of_widths;

    namespace {

    constexpr unsigned bits = 120;

    Surd fraction(int a, int b) { return Surd(Rational(ratio(a, b))); }

    /// Of |x|^2 = 5 and |x|_1 = 3, as x = (1, -2) has them.
    FirstStepNetwork network(std::vector<Surd> const& widths, ActivationKind kind, std::vector<Surd> const& variances,
                             std::vector<Surd> const& rates, Surd const& slope = Surd(0)) {
        FirstStepNetwork out{
            .net = network_of_widths<Surd>(widths, kind, slope), .square = Surd(5), .absolute = Surd(3)};
        for (std::size_t l = 0; l < variances.size(); ++l) {
            out.net.layers[l].variance = variances[l];
            out.net.layers[l].label_factor = rates[l];
        }
        return out;
    }

    FirstStepNetwork relu() {
        return network({2, 3, 4, 1}, ActivationKind::relu, {Surd(1), fraction(2, 3), fraction(1, 2)},
                       {fraction(1, 2), fraction(1, 4), Surd(1)});
    }

    }  // namespace

    // y = w . x on 1/2 (y - t)^2: the gradient is (y - t) x, so that y moves by eta |x|_1, eta |x| and eta |x|.
    TEST_CASE("one layer by hand") {
        auto const one = network({2, 1}, ActivationKind::linear, {Surd(7)}, {Surd(2)});
        CHECK(own_change_square(one, StepRule::sign, 1) == PiSum{Surd(36), Surd(0)});
        CHECK(own_change_square(one, StepRule::orthogonal, 1) == PiSum{Surd(20), Surd(0)});
        CHECK(normalised_output_square(one, Surd(2)) == Surd(20));
        CHECK(middle(output_change_mean(one, StepRule::sign, bits)) == doctest::Approx(6));
        CHECK(middle(output_change_mean(one, StepRule::orthogonal, bits)) == doctest::Approx(2 * std::sqrt(5.0)));
    }

    // y = v w x: |dy/dw| = |v x|, |dy/dv| = |w x|, both of mean |x| (2/pi)^(1/2); |x|^2 = 5 in place of x.
    TEST_CASE("a chain of single neurons by hand") {
        auto chain = network({1, 1, 1}, ActivationKind::linear, {Surd(1), Surd(1)}, {Surd(1), Surd(3)});
        chain.square = Surd(9);
        CHECK(own_change_square(chain, StepRule::sign, 2) == PiSum{Surd(81), Surd(0)});
        for (auto const rule : {StepRule::sign, StepRule::orthogonal})
            CHECK(middle(output_change_mean(chain, rule, bits)) ==
                  doctest::Approx(4 * 3 * std::sqrt(2 / std::numbers::pi)));
        chain.net.layers[1].label_factor = Surd(1);
        CHECK(normalised_output_square(chain, Surd(1)) == Surd(18));  // E (v^2 + w^2) x^2
        // w = 2 a, v = 3 b at the rate 5: df = -5 (4 v^2 + 9 w^2) x^2/|(2 v x, 3 w x)|.
        chain.net.layers[0].label_factor = Surd(5 * 4);
        chain.net.layers[1].label_factor = Surd(5 * 9);
        CHECK(normalised_output_square(chain, Surd(5)) == Surd(25 * (4 + 9) * 9));
    }

    // Layer 1: delta_i is not 0 if its gate is open and one of four above, (1/2)(15/16); by columns if one of three is,
    // (7/8)(15/16), shared by three neurons. Layer 2: |h|_1 = sum of three relus of variance 5, of mean square
    // 5 (3/2 + 6/(2 pi)).
    TEST_CASE("two hidden ReLU layers by hand") {
        CHECK(own_change_square(relu(), StepRule::sign, 1) == PiSum{fraction(9 * 15, 4 * 32), Surd(0)});
        CHECK(own_change_square(relu(), StepRule::orthogonal, 1) == PiSum{fraction(5 * 105, 4 * 128 * 3), Surd(0)});
        CHECK(own_change_square(relu(), StepRule::sign, 2) == PiSum{fraction(15, 64), fraction(15, 32)});
        CHECK(own_change_square(relu(), StepRule::orthogonal, 2) == PiSum{fraction(15 * 15, 16 * 16 * 2 * 4), Surd(0)});
        // E sum |J|^2 = 5 (3/2)(4/2) (v2 v3 + v1 v3 + v1 v2).
        auto equal = relu();
        for (auto& run : equal.net.layers) run.label_factor = Surd(1);
        CHECK(normalised_output_square(equal, Surd(1)) == fraction(45, 2));
    }

    // dz/dW^l of Frobenius norm |z| over a normal of variance v_l: E |Delta z| = (pi/2)^(1/2) E |z| sum eta_l/v_l^(1/2).
    TEST_CASE("orthogonal steps move one output by what its size says") {
        auto const size = isserlis::absolute_preactivation_means(relu().net, Surd(5), bits).back();
        double const rates = 0.5 + 0.25 / std::sqrt(2.0 / 3) + 1 / std::sqrt(0.5);
        CHECK(middle(output_change_mean(relu(), StepRule::orthogonal, bits)) ==
              doctest::Approx(std::sqrt(std::numbers::pi / 2) * middle(size) * rates).epsilon(1e-12));
    }

    // 1 - 2^-3 and 1 - 2^-4 of the layers of three and four units: as many binary digits.
    TEST_CASE("the digits of a probability that layers are alive") {
        CHECK(isserlis::alive_digits(relu(), 1) == 7);
        CHECK(isserlis::alive_digits(relu(), 2) == 4);
        CHECK(isserlis::alive_digits(relu(), 3) == 0);
        auto linear = relu();
        linear.net.activation = {.kind = ActivationKind::linear, .slope = Surd(0)};
        CHECK(isserlis::alive_digits(linear, 1) == 0);
    }

    // Of signs the change is |h|_1 of three units leaky:-1/2, E h^2 = 5 (1 + 1/4)/2 and E |h| = (5 * 2/pi)^(1/2) 3/4:
    // 3 E h^2 + 6 (E |h|)^2.
    TEST_CASE("a leaky unit of negative slope by hand") {
        auto const leaky =
            network({2, 3, 1}, ActivationKind::leaky, {Surd(1), Surd(7)}, {Surd(1), Surd(1)}, fraction(-1, 2));
        CHECK(own_change_square(leaky, StepRule::sign, 2) == PiSum{fraction(75, 8), fraction(135, 4)});
    }

    // Against numbers sampled outside of this library (NumPy, 40,000 networks, signs of whole gradients): 4.840 with error
    // 0.025, linear 16.221 with error 0.037; the identity leaky:1 of both.
    TEST_CASE("mean changes under signs are those of networks sampled elsewhere") {
        CHECK(std::abs(middle(output_change_mean(relu(), StepRule::sign, bits)) - 4.8403) < 4 * 0.0254);
        auto linear = relu();
        linear.net.activation = {.kind = ActivationKind::linear, .slope = Surd(0)};
        CHECK(std::abs(middle(output_change_mean(linear, StepRule::sign, bits)) - 16.2213) < 4 * 0.0368);
        auto leaky = relu();
        leaky.net.activation = {.kind = ActivationKind::leaky, .slope = Surd(1)};
        for (std::uint64_t l = 1; l <= 3; ++l)
            CHECK(own_change_square(leaky, StepRule::sign, l) == own_change_square(linear, StepRule::sign, l));
    }

    // A chain v w x of single linear units, x = 3: u_1 = 1/3 of both rules; |v x| adds 3 (2/pi)^(1/2) u_1. u_2 = 1/3 too, E h^2 =
    // 9, and |w x| adds as much: 1/(2 (2/pi)^(1/2)). Rates that were typed do not enter.
    TEST_CASE("the joint rate of a chain by hand") {
        auto chain = network({1, 1, 1}, ActivationKind::linear, {Surd(1), Surd(1)}, {Surd(5), Surd(3)});
        chain.square = Surd(9);
        for (auto const rule : {StepRule::sign, StepRule::orthogonal})
            CHECK(middle(joint_unit_rate(chain, rule, bits)) ==
                  doctest::Approx(0.5 * std::sqrt(std::numbers::pi / 2)).epsilon(1e-14));
    }

    // The definition, by the two other numbers: rates 1/own and their mean change.
    TEST_CASE("the joint rate is 1 over the mean change at unit rates") {
        // A width that comes back, and one of a single unit below the output.
        auto const uneven = network({2, 1, 3, 1, 1}, ActivationKind::relu,
                                    {Surd(1), fraction(2, 3), fraction(1, 2), Surd(3)}, std::vector<Surd>(4, Surd(1)));
        auto linear = relu();
        linear.net.activation = {.kind = ActivationKind::linear, .slope = Surd(0)};
        for (auto const& of : {relu(), linear, uneven}) {
            for (auto const rule : {StepRule::sign, StepRule::orthogonal}) {
                double sum = 0;
                for (std::size_t l = 0; l < of.net.layers.size(); ++l) {
                    auto alone = of;
                    for (auto& run : alone.net.layers) run.label_factor = Surd(0);
                    alone.net.layers[l].label_factor = Surd(1);
                    sum += middle(output_change_mean(alone, rule, bits)) /
                           std::sqrt(middle(enclose(own_change_square(alone, rule, l + 1), bits)));
                }
                CHECK(middle(joint_unit_rate(of, rule, bits)) == doctest::Approx(1 / sum).epsilon(1e-13));
            }
        }
    }

    TEST_CASE("wide networks have the limits of the page") {
        for (std::uint64_t const depth : {1U, 4U}) {
            std::vector<Surd> widths(depth + 1, Surd(20000));
            widths.emplace_back(1);
            std::vector<Surd> variances(depth, fraction(2, 20000));
            variances.push_back(fraction(1, 400000000));
            auto const wide = network(widths, ActivationKind::relu, variances, std::vector<Surd>(depth + 1, Surd(1)));
            for (auto const rule : {StepRule::sign, StepRule::orthogonal})
                CHECK(middle(joint_unit_rate(wide, rule, bits)) ==
                      doctest::Approx(middle(joint_unit_rate_limit(depth, rule, bits))).epsilon(3e-4));
        }
        CHECK(middle(joint_unit_rate_limit(1, StepRule::sign, bits)) ==
              doctest::Approx(1 / (1 + 1 / std::sqrt(std::numbers::pi))));
        CHECK(middle(joint_unit_rate_limit(2, StepRule::orthogonal, bits)) ==
              doctest::Approx(1 / (1 + std::sqrt(2.0))));
        CHECK_THROWS_AS((void)joint_unit_rate_limit(2, StepRule::normalised, bits), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)joint_unit_rate(relu(), StepRule::normalised, bits), isserlis::UnsupportedError);
    }

    TEST_CASE("what is not served is named") {
        CHECK_THROWS_AS((void)own_change_square(relu(), StepRule::normalised, 1), isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)own_change_square(relu(), StepRule::sign, 4), isserlis::DomainError);
        auto const wide = network({2, 2}, ActivationKind::linear, {Surd(1)}, {Surd(1)});
        CHECK_THROWS_AS((void)normalised_output_square(wide, Surd(1)), isserlis::UnsupportedError);
        auto unknown = relu();
        unknown.absolute.reset();
        CHECK_THROWS_AS((void)own_change_square(unknown, StepRule::sign, 1), isserlis::DomainError);
        auto const two = network({2, 2}, ActivationKind::relu, {Surd(1)}, {Surd(1)});
        CHECK_THROWS_AS((void)output_change_mean(two, StepRule::sign, bits), isserlis::UnsupportedError);
        auto const leaky =
            network({2, 2, 1}, ActivationKind::leaky, {Surd(1), Surd(1)}, {Surd(1), Surd(1)}, fraction(1, 2));
        CHECK_THROWS_AS((void)output_change_mean(leaky, StepRule::sign, bits), isserlis::UnsupportedError);
    }
}
