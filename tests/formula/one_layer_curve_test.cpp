// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/data/signed_parts.hpp>
#include <isserlis/error.hpp>
#include <isserlis/formula/one_layer_curve.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/rational.hpp>

#include <cstddef>
#include <vector>

using namespace isserlis;

TEST_SUITE("formula/one_layer_curve") {
    namespace {

    using Matrix = std::vector<std::vector<Rational>>;

    struct Data {
        Matrix inputs;
        Matrix targets;
    };

    Data const data{.inputs = {{1, 1}, {-2, 1}, {Rational(1) / Rational(2), 1}}, .targets = {{1}, {-1}, {3}}};

    SquaredLossCurve<Rational> curve(Rational const& variance, Matrix const& start, Matrix const& features,
                                     Matrix const& targets) {
        Rational squares;
        for (auto const& row : targets) squares += loss_curve_detail::squared_norm(row);
        return one_layer_squared_curve(variance, Rational(static_cast<int>(targets.front().size())), start, features,
                                       loss_curve_detail::outer_sum(targets, features), squares);
    }

    Rational relu(Rational const& x) { return x > 0 ? x : Rational(0); }

    /// L, L' and L'' of a concatenated ReLU layer z = p.relu(x) - n.relu(-x) after a step, from three losses: a parabola.
    struct OneNetwork {
        std::vector<Rational> p;
        std::vector<Rational> n;

        [[nodiscard]] Rational output(std::vector<Rational> const& x) const {
            Rational z;
            for (std::size_t r = 0; r < x.size(); ++r) z += p[r] * relu(x[r]) - n[r] * relu(-x[r]);
            return z;
        }
        [[nodiscard]] Rational loss() const {
            Rational sum;
            for (std::size_t k = 0; k < data.inputs.size(); ++k) {
                Rational const e = output(data.inputs[k]) - data.targets[k][0];
                sum += e * e;
            }
            return sum / static_cast<int>(data.inputs.size());
        }
        [[nodiscard]] OneNetwork stepped(Rational const& rate) const {
            OneNetwork out = *this;
            for (std::size_t k = 0; k < data.inputs.size(); ++k) {
                auto const& x = data.inputs[k];
                Rational const g = rate * 2 * (output(x) - data.targets[k][0]) / static_cast<int>(data.inputs.size());
                for (std::size_t r = 0; r < x.size(); ++r) {
                    out.p[r] -= g * relu(x[r]);
                    out.n[r] += g * relu(-x[r]);
                }
            }
            return out;
        }
    };

    struct Parabola {
        Rational loss;
        Rational slope;
        Rational curvature;
    };

    /// The mean over all signs of the weights: of variance 4, and nothing but the variance enters.
    Parabola over_all_signs(bool tied) {
        Parabola out{};
        int const networks = tied ? 4 : 16;
        for (int bits = 0; bits < networks; ++bits) {
            auto const sign = [&](int i) { return Rational((bits >> i & 1) != 0 ? 2 : -2); };
            OneNetwork const net{.p = {sign(0), sign(1)},
                                 .n = tied ? std::vector{sign(0), sign(1)} : std::vector{sign(2), sign(3)}};
            Rational const here = net.loss();
            Rational const up = net.stepped(1).loss();
            Rational const down = net.stepped(-1).loss();
            out.loss += here / networks;
            out.slope += (up - down) / (2 * networks);
            out.curvature += (up - 2 * here + down) / networks;
        }
        return out;
    }

    }  // namespace

    // Every network of weights +-2, stepped: the loss after a step is a parabola in the rate.
    TEST_CASE("concatenated ReLU, P and N independent or equal, is the mean over all networks of signs") {
        auto const features = signed_parts(data.inputs);
        for (bool const tied : {false, true}) {
            CAPTURE(tied);
            Parabola const all = over_all_signs(tied);
            auto const closed = curve(4, tied ? data.inputs : features, features, data.targets);
            CHECK(closed.loss == all.loss);
            CHECK(closed.slope == all.slope);
            CHECK(closed.curvature() == all.curvature);
            CHECK(closed.curvature_gamma == 0);
        }
    }

    // The closed form of deep linear networks at depth 1, which comes from pairings of strands.
    TEST_CASE("a plain layer is the linear network of one layer, several outputs too") {
        Matrix const targets{{1, 0, 2}, {-1, 3, 1}, {3, 1, 1}};
        Surd const variance(ratio(2, 5));
        std::vector<LayerRun<Surd, std::uint64_t>> const layers{
            {.fan_in = Surd(2), .fan_out = Surd(3), .count = 1, .variance = variance, .law = {}}};
        auto const deep =
            squared_loss_curve(layers, target_moments(converted<Surd>(data.inputs), converted<Surd>(targets)));
        auto const one = curve(ratio(2, 5), data.inputs, data.inputs, targets);
        CHECK(Surd(one.loss) == deep.loss);
        CHECK(Surd(one.slope) == deep.slope);
        CHECK(Surd(one.curvature_chi) == deep.curvature_chi);
        CHECK(Surd(one.curvature_gamma) == deep.curvature_gamma);
    }

    // x = 1, y = 0, w of variance 1: L(r) = w^2 (1 - 2r)^2.
    TEST_CASE("one weight, one sample, by hand") {
        auto const at = curve(1, {{1}}, {{1}}, {{0}});
        CHECK(at == SquaredLossCurve<Rational>{.loss = 1, .slope = -4, .curvature_chi = 8, .curvature_gamma = 0});
    }

    TEST_CASE("data that do not fit are refused") {
        CHECK_THROWS_AS((void)curve(1, {{1}}, {{1}, {2}}, {{0}, {1}}), DomainError);
        CHECK_THROWS_AS((void)one_layer_squared_curve<Rational>(1, 1, {{1}}, {{1, 2}}, {{1}}, 0), DomainError);
    }
}
