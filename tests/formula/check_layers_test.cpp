// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/chain_jacobian.hpp>
#include <isserlis/formula/coordinate_moments.hpp>
#include <isserlis/formula/dense_jacobian.hpp>
#include <isserlis/formula/gaussian_jacobian.hpp>
#include <isserlis/formula/growth_bounds.hpp>
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/formula/initialisation.hpp>
#include <isserlis/formula/layer_pair_sums.hpp>
#include <isserlis/formula/log_squared_norm.hpp>
#include <isserlis/formula/mup_step.hpp>
#include <isserlis/formula/network_size.hpp>
#include <isserlis/formula/ntk_moments.hpp>
#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/formula/squared_norm.hpp>
#include <isserlis/ring/fractions.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace isserlis;

TEST_SUITE("formula/check_layers") {
    // Every formula of a fully connected network refuses what is none.

    namespace {

    using Count = std::uint64_t;
    using Net = FullyConnected<Rational, Count>;

    /// 2,3,1 with He variances below and 1/n^2 on top, which all formulas serve.
    Net good() {
        Net net;
        net.layers = {{.fan_in = 2, .fan_out = 3, .count = 1, .variance = 1},
                      {.fan_in = 3, .fan_out = 1, .count = 1, .variance = ratio(1, 9)}};
        return net;
    }

    FullyConnected<Surd, Count> over_surds(Net const& net) {
        FullyConnected<Surd, Count> out;
        for (auto const& run : net.layers)
            out.layers.push_back(
                {.fan_in = run.fan_in, .fan_out = run.fan_out, .count = run.count, .variance = run.variance});
        return out;
    }

    struct Formula {
        std::string name;
        std::function<void(Net const&)> call;
        bool reads_variances = true;
    };

    std::vector<Formula> formulas() {
        Rational const one(1);
        return {
            {"hessian_norm", [=](Net const& n) { (void)hessian_norm(n, one, one); }},
            {"hessian_block_row", [=](Net const& n) { (void)hessian_block_row(n, one, one, 1); }},
            {"ntk_moments", [=](Net const& n) { (void)ntk_moments(n, one); }},
            {"ntk_moments with biases",
             [=](Net const& n) { (void)ntk_moments(n, one, std::vector<Rational>(n.layers.size(), one)); }},
            {"y_functionals", [=](Net const& n) { (void)y_functionals(n, one); }},
            {"y_functionals_of_layer", [=](Net const& n) { (void)y_functionals_of_layer(n, one, 1); }},
            {"mup_step", [=](Net const& n) { (void)mup_step(n, one, one); }},
            {"mup_step_of_layer", [=](Net const& n) { (void)mup_step_of_layer(n, one, one, 1); }},
            {"coordinate_moments", [=](Net const& n) { (void)coordinate_moments(n, one, one); }},
            {"coordinate_moments_of_layer", [=](Net const& n) { (void)coordinate_moments_of_layer(n, one, one, 1); }},
            {"coordinate_change_means",
             [](Net const& n) { (void)coordinate_change_means(over_surds(n), Surd(1), 64); }},
            {"squared_norm_gain", [](Net const& n) { (void)squared_norm_gain(n); }},
            {"output_variance", [=](Net const& n) { (void)output_variance(n, one); }},
            {"relative_norm_moments", [](Net const& n) { (void)relative_norm_moments(n, Reading::preactivation, 2); }},
            {"relative_fourth_norm_moment",
             [=](Net const& n) { (void)relative_fourth_norm_moment(n, Reading::preactivation, one); }},
            {"relative_log_norm_mean",
             [](Net const& n) { (void)relative_log_norm_mean(over_surds(n), Reading::preactivation, 64); }},
            {"layer_pair_sums", [](Net const& n) { (void)layer_pair_sums<2>(over_surds(n).layers); }},
            {"parameter_count", [](Net const& n) { (void)parameter_count(n); }, false},
            {"scaling_factor", [](Net const& n) { (void)scaling_factor(over_surds(n).layers); }, false},
        };
    }

    struct Spoiled {
        std::string what;
        std::function<void(Net&)> by;
        bool variance = false;
    };

    std::vector<Spoiled> mistakes() {
        return {
            {"no layers", [](Net& n) { n.layers.clear(); }},
            {"a neighbour of another width", [](Net& n) { n.layers[1].fan_in = 4; }},
            {"a width of 0", [](Net& n) { n.layers[0].fan_in = 0; }},
            {"a negative width", [](Net& n) { n.layers[0].fan_in = -2; }},
            {"half a neuron", [](Net& n) { n.layers[0].fan_in = ratio(1, 2); }},
            {"a run of no layers", [](Net& n) { n.layers[0].count = 0; }},
            {"a run of unequal widths", [](Net& n) { n.layers[0].count = 2; }},
            {"a negative variance", [](Net& n) { n.layers[0].variance = -1; }, true},
            {"a forgotten variance", [](Net& n) { n.layers[0].variance = 0; }, true},
        };
    }

    using Blocks = std::vector<TransferStage<Rational>>;

    Blocks residual_blocks() {
        return {{.layers = {{.fan_in = 2, .fan_out = 3, .variance = 1, .kurtosis = 3, .gate = Gate<Rational>{}},
                            {.fan_in = 3, .fan_out = 2, .variance = 1, .kurtosis = 3}},
                 .skip = true,
                 .count = 2}};
    }

    }  // namespace

    TEST_CASE("every formula serves the network and refuses it spoiled in any way") {
        for (auto const& formula : formulas()) {
            CAPTURE(formula.name);
            CHECK_NOTHROW(formula.call(good()));
            for (auto const& mistake : mistakes()) {
                if (mistake.variance && !formula.reads_variances) continue;
                CAPTURE(mistake.what);
                Net net = good();
                mistake.by(net);
                CHECK_THROWS_AS(formula.call(net), DomainError);
            }
        }
    }

    TEST_CASE("layers that the network does not have") {
        Rational const one(1);
        for (std::uint64_t const layer : {0U, 3U}) {
            CAPTURE(layer);
            CHECK_THROWS_AS((void)hessian_block_row(good(), one, one, layer), DomainError);
            CHECK_THROWS_AS((void)y_functionals_of_layer(good(), one, layer), DomainError);
            CHECK_THROWS_AS((void)mup_step_of_layer(good(), one, one, layer), DomainError);
            CHECK_THROWS_AS((void)coordinate_moments_of_layer(good(), one, one, layer), DomainError);
        }
    }

    TEST_CASE("the message names the formula, the run and what would be right") {
        Net net = good();
        net.layers[1].fan_in = 4;
        CHECK_THROWS_WITH_AS((void)hessian_norm(net, Rational(1), Rational(1)),
                             "label_pairs: run 2 of the layers has fan_in = 4 above a layer of 3 neurons; they have to "
                             "agree",
                             DomainError);
    }

    TEST_CASE("of symbols only what is certain is refused") {
        using F = RationalFunction;
        F const n = F::symbol("n");
        FullyConnected<F, Exponent> net;
        net.layers = {{.fan_in = n, .fan_out = n, .count = Exponent::symbol("L"), .variance = F(2) / n}};
        CHECK_NOTHROW((void)relative_norm_moments(net, Reading::activation, 2));
        net.layers[0].variance = F(2) / n - F::symbol("v");  // may be positive
        CHECK_NOTHROW((void)relative_norm_moments(net, Reading::activation, 2));
        net.layers[0].variance = F(-2) / n;
        CHECK_THROWS_AS((void)relative_norm_moments(net, Reading::activation, 2), DomainError);
        net.layers[0].variance = F(2) / n;
        net.layers[0].count = Exponent(0) - Exponent::symbol("L");
        CHECK_THROWS_AS((void)relative_norm_moments(net, Reading::activation, 2), DomainError);
    }

    TEST_CASE("doubles that are no numbers") {
        FullyConnected<double, Count> net;
        net.layers = {{.fan_in = 2, .fan_out = 2, .count = 1, .variance = std::numeric_limits<double>::quiet_NaN()}};
        CHECK_THROWS_AS((void)hessian_norm(net, 1.0, 1.0), DomainError);
    }

    TEST_CASE("blocks in series and dense layers") {
        using N = Fractions<Rational>;
        auto const serve = [](Blocks const& blocks) {
            (void)ChainJacobian<N>(blocks, Rational(1), Rational(1));
            (void)GaussianJacobian<Rational, Count>(blocks, Rational(1));
            (void)ChainGrowth<Rational, Count>(blocks);
        };
        CHECK_NOTHROW(serve(residual_blocks()));
        std::vector<std::function<void(Blocks&)>> const spoil{
            [](Blocks& b) { b.clear(); },
            [](Blocks& b) { b[0].layers.clear(); },
            [](Blocks& b) { b[0].count = 0; },
            [](Blocks& b) { b[0].layers[1].fan_out = 3; },
            [](Blocks& b) { b[0].layers[1].fan_in = 2; },
            [](Blocks& b) { b[0].layers[0].variance = -1; },
            [](Blocks& b) { b[0].layers[0].kurtosis = ratio(1, 2); },
            [](Blocks& b) { b[0].layers[0].fan_in = b[0].layers[1].fan_out = ratio(1, 2); },
        };
        for (std::size_t i = 0; i < spoil.size(); ++i) {
            CAPTURE(i);
            Blocks blocks = residual_blocks();
            spoil[i](blocks);
            CHECK_THROWS_AS((void)ChainJacobian<N>(blocks, Rational(1), Rational(1)), DomainError);
            CHECK_THROWS_AS((void)(GaussianJacobian<Rational, Count>(blocks, Rational(1))), DomainError);
            CHECK_THROWS_AS((void)(ChainGrowth<Rational, Count>(blocks)), DomainError);
        }
        CHECK_THROWS_AS((void)DenseJacobian<N>({}, 0, Rational(1), Rational(1)), DomainError);
        CHECK_THROWS_AS((void)(phi_psi<Rational, Count>({{.width = ratio(1, 2), .count = 1}})), DomainError);
    }
}
