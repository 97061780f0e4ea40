// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/residual_step.hpp>
#include <isserlis/strand/expectation.hpp>

#include <random>
#include <string>

#include "mup_networks.hpp"

using isserlis::BranchMatrix;
using isserlis::CoordinateMoments;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::ResidualStep;
using isserlis::SteppedNetwork;
using isserlis::SteppedStage;

namespace {

using Matrices = std::vector<BranchMatrix<Rational>>;

/// The same network twice: as stages, and as a graph for the strand engine.
struct BothNetworks {
    SteppedNetwork<Rational> stages;
    isserlis::Graph<Rational, std::uint64_t> graph;
    std::uint64_t depth;
};

BothNetworks between(Rational const& input, BranchMatrix<Rational> const& first, Matrices const& branch,
                     std::uint64_t depth, BranchMatrix<Rational> const& last, Rational const& slope) {
    auto const inner = isserlis::residual_graph<Rational, std::uint64_t>(
        first.width, {.kind = isserlis::ActivationKind::leaky, .slope = slope}, {{branch, depth}});
    return {.stages = {.input_width = input,
                       .stages = {{.matrices = {first}, .skip = false},
                                  {.matrices = branch, .skip = true, .count = depth},
                                  {.matrices = {last}, .skip = false}},
                       .gate = {Rational(1), slope}},
            .graph = isserlis::between_matrices(inner, input, first, last),
            .depth = depth};
}

struct Strands {
    isserlis::Graph<Rational, std::uint64_t> const& graph;
    isserlis::ObservableSetting<Rational> setting;

    Rational operator()(std::string const& query) const {
        return isserlis::expectation(isserlis::parse_query(query), graph, setting);
    }
    [[nodiscard]] CoordinateMoments<Rational> moments(std::string const& z, Rational const& width) const {
        std::string const change = z + "[i;m] D[m] loss";
        return {.square = (*this)(z + "[i]^2") / width,
                .covariance = (*this)("-" + z + "[i] " + change) / width,
                .change_square = (*this)("(" + change + ")^2") / width};
    }
};

}  // namespace

TEST_SUITE("formula/residual_step") {
    // By hand on docs/formulas/residual_step.md: f = u (1 + w) v of unit variances and rates.
    TEST_CASE("single neurons by hand") {
        BranchMatrix<Rational> const unit{.width = Rational(1), .variance = Rational(1)};
        auto const net = between(Rational(1), unit, {unit}, 1, unit, Rational(0));
        ResidualStep<Rational> const step(net.stages, Rational(1), Rational(1));
        CHECK(step.layers() == 3);
        CHECK(step.at(2) == CoordinateMoments<Rational>{
                                .square = Rational(2), .covariance = Rational(-16), .change_square = Rational(515)});
        CHECK(step.kernel_mean() == Rational(5));
        CHECK_THROWS_AS((void)step.at(0), isserlis::DomainError);
        CHECK_THROWS_AS((void)step.at(4), isserlis::DomainError);
    }

    // Derived from nothing that the stages use: the strand engine goes from node to node.
    TEST_CASE("random networks have at every layer what the strand engine says") {
        std::mt19937 draw(20261122);
        auto const up_to = [&](int most) { return static_cast<int>(draw() % static_cast<unsigned>(most)); };
        auto const positive = [&] { return ratio(1 + up_to(5), 1 + up_to(4)); };
        for (int trial = 0; trial < 40; ++trial) {
            Rational const width(1 + up_to(4));
            Matrices branch;
            for (int j = up_to(3); j >= 0; --j)
                branch.push_back({.width = j == 0 ? width : Rational(1 + up_to(4)),
                                  .variance = positive(),
                                  .label_factor = ratio(up_to(4), 3)});
            auto const plain = [&](Rational const& rows) {
                return BranchMatrix<Rational>{.width = rows, .variance = positive(), .label_factor = positive()};
            };
            auto const outputs = Rational(1 + up_to(3));
            auto const net = between(Rational(1 + up_to(3)), plain(width), branch, 1 + static_cast<unsigned>(up_to(3)),
                                     plain(outputs), ratio(up_to(3), 2));
            Rational const square = positive();
            Rational const target = positive();
            Strands strands{net.graph, {}};
            strands.setting.inputs.squared_norm = square;
            strands.setting.target_second = target;
            ResidualStep<Rational> const step(net.stages, square, target);
            INFO("trial ", trial);
            for (std::uint64_t k = 0; k <= net.depth; ++k)
                CHECK(step.at(k + 1) == strands.moments("z{" + std::to_string(k) + "}", width));
            CHECK(step.at(net.depth + 2) == strands.moments("z", outputs));
            CHECK(step.kernel_mean() == strands("z[i;m]^2") / outputs);
        }
    }

    // Without a skip one stage is a fully connected network; its output is read after one more matrix.
    TEST_CASE("a fully connected network is one block without a skip") {
        std::vector<Rational> const rates{ratio(2, 3), ratio(3, 4), ratio(1, 2)};
        auto const net = isserlis::testing::mup_network(std::vector<Rational>{2, 3, 4, 2}, rates);
        SteppedStage<Rational> stage{.matrices = {}, .skip = false};
        for (auto const& layer : net.layers)
            stage.matrices.push_back(
                {.width = layer.fan_out, .variance = layer.variance, .label_factor = layer.label_factor});
        ResidualStep<Rational> const step({.input_width = Rational(2), .stages = {stage}}, ratio(5, 2), ratio(7, 3));
        CHECK(step.at(1) == isserlis::coordinate_moments(net, ratio(5, 2), ratio(7, 3)).back());
    }

    // Equal stages one by one are their power.
    TEST_CASE("a run of blocks is its blocks one after the other, and ten thousand are served") {
        BranchMatrix<Rational> const plain{.width = Rational(2), .variance = ratio(1, 2)};
        Matrices const branch{{.width = Rational(3), .variance = ratio(1, 2)},
                              {.width = Rational(2), .variance = ratio(1, 300)}};
        auto run = between(Rational(2), plain, branch, 30, plain, Rational(0)).stages;
        auto single = run;
        single.stages.erase(single.stages.begin() + 1);
        single.stages.insert(single.stages.begin() + 1, 30, {.matrices = branch});
        ResidualStep<Rational> const whole(run, Rational(1), Rational(1));
        ResidualStep<Rational> const parts(single, Rational(1), Rational(1));
        for (std::uint64_t layer : {1U, 2U, 17U, 31U, 32U}) CHECK(whole.at(layer) == parts.at(layer));
        run.stages[1].count = 10'000;
        // E y_i^2 = |x|^2/2 (1 + mu)^10000, mu = 2 * 1/300 * 3 * 1/2 * 1/2: three gates of mean 1/2 between the variances.
        auto const deep = ResidualStep<Rational>(run, Rational(1), Rational(1)).at(10'001);
        CHECK(deep.square == isserlis::power(ratio(201, 200), std::uint64_t{10'000}) / Rational(2));
    }

    TEST_CASE("what is no network is refused") {
        BranchMatrix<Rational> const wide{.width = Rational(2), .variance = Rational(1)};
        auto const of = [](std::vector<SteppedStage<Rational>> stages) {
            return ResidualStep<Rational>({.input_width = Rational(3), .stages = std::move(stages)}, Rational(1),
                                          Rational(1));
        };
        CHECK_THROWS_AS((void)of({}), isserlis::DomainError);
        CHECK_THROWS_AS((void)of({{.matrices = {}}}), isserlis::DomainError);
        CHECK_THROWS_AS((void)of({{.matrices = {wide}}}), isserlis::DomainError);
        CHECK_THROWS_AS((void)of({{.matrices = {wide}, .skip = false, .count = 0}}), isserlis::DomainError);
        CHECK_THROWS_AS((void)of({{.matrices = {wide}, .skip = false, .count = 2}}), isserlis::DomainError);
    }
}
