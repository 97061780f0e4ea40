// SPDX-License-Identifier: MIT
// The second leg: what the strand engine, which knows no published formula, says of the same networks.
#include <doctest/doctest.h>

#include <isserlis/strand/expectation.hpp>

#include <optional>
#include <string>

#include "jacobian_networks.hpp"

using isserlis::BranchMatrix;
using isserlis::ChainJacobian;
using isserlis::DenseJacobian;
using isserlis::expectation;
using isserlis::Fractions;
using isserlis::GraphEdge;
using isserlis::GraphNode;
using isserlis::GraphStage;
using isserlis::LayerJacobian;
using isserlis::NormMoments;
using isserlis::ObservableSetting;
using isserlis::parse_query;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::StagePlace;
using isserlis::testing::AnyNetwork;
using isserlis::testing::Net;

namespace {

using Chain = ChainJacobian<Fractions<Rational>>;
using Dense = DenseJacobian<Fractions<Rational>>;

struct Oracle {
    Net const& net;
    ObservableSetting<Rational> setting;

    [[nodiscard]] Rational mean(std::string const& query) const {
        return expectation(parse_query(query), net, setting);
    }
    [[nodiscard]] Rational second(std::string const& query) const {
        return expectation(squared(parse_query(query)), net, setting);
    }
    /// h of a gated head, z otherwise.
    [[nodiscard]] std::string output() const { return net.stages.back().nodes.front().gate ? "h" : "z"; }
};

void check_moments(NormMoments<Rational> const& found, Oracle const& oracle, std::string const& query) {
    CAPTURE(query);
    Rational const mean = oracle.mean(query);
    Rational const second = oracle.second(query);
    CHECK(found.mean == mean);
    CHECK(found.second == second);
    CHECK(found.variance == second - mean * mean);
}

/// J and the gradient of the matrix at `place`.
void check_matrix(LayerJacobian<Rational> const& found, Oracle const& oracle, std::string const& place) {
    std::string const y = oracle.output();
    std::string const where = " where m in " + place;
    check_moments(found.jacobian, oracle, y + "[i;m]^2" + where);
    Rational const per_output = oracle.setting.target_second / oracle.net.output_width();
    CHECK(found.gradient_squared_mean ==
          oracle.mean("(" + y + "[i] " + y + "[i;m])^2" + where) + per_output * found.jacobian.mean);
    CHECK(found.gradient_squared_upper ==
          oracle.mean(y + "[i]^2 " + y + "[j;m]^2" + where) + oracle.setting.target_second * found.jacobian.mean);
    CHECK(found.gradient_squared_upper >= found.gradient_squared_mean);
    if (y == "z") CHECK(found.gradient_squared_mean == oracle.mean("(D[m] loss)^2" + where));
}

void check_reduced(NormMoments<Rational> const& found, Net const& reduced, Oracle oracle) {
    Oracle const other{.net = reduced, .setting = oracle.setting};
    check_moments(found, other, other.output() + "[i]^2");
}

/// The network behind one more matrix on a one-dimensional input of 1: its first Jacobian is d y/d x.
Net behind_one_matrix(Net const& net) {
    Net out = net;
    out.input_width = 1;
    GraphStage<Rational, std::uint64_t> stage;
    stage.nodes = {GraphNode<Rational>{.name = "before", .width = net.input_width}};
    GraphEdge<Rational> edge{.name = "before"};
    edge.variance = 1;
    stage.edges = {edge};
    stage.numbered = false;
    out.stages.insert(out.stages.begin(), stage);
    return out;
}

void check_input_jacobian(NormMoments<Rational> const& found, Rational const& spectral_second, Net const& net) {
    Net const longer = behind_one_matrix(net);
    Oracle oracle{.net = longer, .setting = {}};
    oracle.setting.inputs.squared_norm = 1;
    oracle.setting.inputs.fourth = 1;
    std::string const y = oracle.output();
    check_moments(found, oracle, y + "[i;m]^2 where m in before");
    CHECK(spectral_second ==
          oracle.mean(y + "[i;m] " + y + "[j;m] " + y + "[i;n] " + y + "[j;n] where m in before, n in before"));
}

/// |x|^2, sum x_i^4 between its bounds, and E|target|^2.
ObservableSetting<Rational> any_setting(AnyNetwork& any, Rational const& width) {
    Rational const square = ratio(any.any(1, 6), 2);
    Rational const flat = 1 / width;
    ObservableSetting<Rational> out;
    out.inputs.squared_norm = square;
    out.inputs.fourth = square * square * (flat + (1 - flat) * ratio(any.any(0, 4), 4));
    out.target_second = ratio(any.any(0, 4), 3);
    return out;
}

}  // namespace

TEST_SUITE("formula/jacobian_by_strands") {
    TEST_CASE("random vanilla and residual networks: every matrix agrees with the strand engine") {
        AnyNetwork any(20191125);
        for (int round = 0; round < 1000; ++round) {
            CAPTURE(round);
            bool const residual = round % 2 == 1;
            Net const net = residual ? any.residual() : any.chain();
            Oracle const oracle{.net = net, .setting = any_setting(any, net.input_width)};
            Chain const chain(transfer_stages(net), *oracle.setting.inputs.squared_norm, *oracle.setting.inputs.fourth);
            check_moments(chain.output(), oracle, oracle.output() + "[i]^2");
            check_input_jacobian(chain.input_jacobian(), chain.input_spectral_second(), net);
            Rational const target = oracle.setting.target_second / net.output_width();
            chain.for_each(target, [&](StagePlace<> const& at, LayerJacobian<Rational> const& found) {
                std::string const layer = std::to_string(net.stages[at.run].first + at.within - 1);
                check_matrix(found, oracle, residual ? layer + "." + std::to_string(at.matrix) : layer);
                Net reduced = net;
                if (residual) {
                    // The block of this matrix on its own, without its skip.
                    auto& stages = reduced.stages;
                    auto stage = stages[at.run];
                    stage.count = 1;
                    stage.edges.pop_back();
                    auto above = stages[at.run];
                    above.count -= at.within;
                    stages[at.run].count = at.within - 1;
                    stages.insert(stages.begin() + static_cast<std::ptrdiff_t>(at.run) + 1, {stage, above});
                    std::erase_if(stages, [](auto const& b) { return b.count == 0; });
                    std::uint64_t first = 1;
                    for (auto& b : stages) {
                        b.first = first;
                        first += b.count;
                    }
                }
                check_reduced(found.reduced, reduced, oracle);
                auto const alone = chain.at(at, target);
                CHECK(alone.jacobian == found.jacobian);
                CHECK(alone.reduced == found.reduced);
                CHECK(alone.gradient_squared_mean == found.gradient_squared_mean);
                CHECK(alone.gradient_squared_upper == found.gradient_squared_upper);
            });
        }
    }

    TEST_CASE("random dense networks, summed from y^0 or from y^1: every layer agrees with the strand engine") {
        AnyNetwork any(7);
        for (int round = 0; round < 1000; ++round) {
            CAPTURE(round);
            auto const first = static_cast<unsigned>(round % 2);
            Net const net = any.dense(first);
            Oracle const oracle{.net = net, .setting = any_setting(any, net.input_width)};
            Dense const dense(dense_layers(net), first, *oracle.setting.inputs.squared_norm,
                              *oracle.setting.inputs.fourth);
            check_moments(dense.output(), oracle, oracle.output() + "[i]^2");
            check_input_jacobian(dense.input_jacobian(), dense.input_spectral_second(), net);
            Rational const target = oracle.setting.target_second / net.output_width();
            dense.for_each(target, [&](std::size_t k, LayerJacobian<Rational> const& found) {
                check_matrix(found, oracle, std::to_string(k));
                // Layers above k see nothing below y^k.
                Net reduced = net;
                auto& stage = reduced.stages[k - 1];
                if (stage.nodes.size() > 1) {
                    stage.nodes.pop_back();
                    stage.edges.resize(1);
                }
                Rational pool = stage.nodes.front().width;
                for (std::size_t l = k + 1; l < net.stages.size(); ++l) {
                    pool += net.stages[l - 1].nodes.front().width;
                    reduced.stages[l - 1].nodes.back().width = pool;
                }
                check_reduced(found.reduced, reduced, oracle);
                auto const alone = dense.at(k, target);
                CHECK(alone.jacobian == found.jacobian);
                CHECK(alone.reduced == found.reduced);
                CHECK(alone.gradient_squared_mean == found.gradient_squared_mean);
                CHECK(alone.gradient_squared_upper == found.gradient_squared_upper);
            });
        }
    }

    TEST_CASE("random dense networks: every block fed by one layer agrees with the strand engine") {
        AnyNetwork any(23);
        for (int round = 0; round < 100; ++round) {
            CAPTURE(round);
            auto const first = static_cast<unsigned>(round % 2);
            Net const net = any.dense(first);
            // The same network with a matrix of its own for each source.
            Net apart = net;
            apart.stages.assign(1, {});
            auto& stage = apart.stages[0];
            stage.numbered = false;
            for (std::size_t k = 1; k <= net.stages.size(); ++k) {
                stage.nodes.push_back(net.stages[k - 1].nodes.front());
                stage.nodes.back().name = std::to_string(k);
                for (std::size_t s = k == 1 ? 0 : first; s < k; ++s) {
                    auto edge = net.stages[k - 1].edges.front();
                    edge.name = std::to_string(k) + "." + std::to_string(s);
                    edge.from = s;
                    edge.to = k;
                    stage.edges.push_back(edge);
                }
            }
            ObservableSetting<Rational> const setting = any_setting(any, net.input_width);
            Dense const dense(dense_layers(net), first, *setting.inputs.squared_norm, *setting.inputs.fourth);
            std::string const y = stage.nodes.back().gate ? "h" : "z";
            Oracle const oracle{.net = apart, .setting = setting};
            for (std::size_t k = 1; k <= net.stages.size(); ++k) {
                for (std::size_t s = k == 1 ? 0 : first; s < k; ++s)
                    check_moments(dense.block(k, s), oracle,
                                  y + "[i;m]^2 where m in " + std::to_string(k) + "." + std::to_string(s));
            }
        }
    }
}
