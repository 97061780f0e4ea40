// SPDX-License-Identifier: MIT
// Sampled means beside exact values, with fixed seeds and 5 standard errors.
#include <doctest/doctest.h>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>

#include "../mlp/graphs.hpp"

namespace {

using graphs::chain;
using isserlis::ActivationKind;
using isserlis::LawKind;
using isserlis::parse_query;
using isserlis::monte_carlo::Estimate;
using isserlis::monte_carlo::GraphModel;
using isserlis::monte_carlo::ObservableSampler;
using isserlis::monte_carlo::ObservableSettings;
using isserlis::monte_carlo::RunControl;
using isserlis::monte_carlo::TieRule;

/// An input of ones: |x|^2 is its width. Targets with E y^2 = 1.
ObservableSettings ones(double width, std::optional<double> target_fourth_moment = std::nullopt) {
    ObservableSettings out;
    out.inputs[""] = std::vector<double>(static_cast<std::size_t>(width), 1);
    out.target_fourth_moment = target_fourth_moment;
    return out;
}

Estimate sampled(GraphModel const& model, std::string const& query, ObservableSettings const& settings,
                 std::uint64_t samples = 100'000, std::uint64_t seed = 1, unsigned threads = 1) {
    RunControl control;
    control.threads = threads;
    return sample_observable(model, parse_query(query), settings, samples, seed, control);
}

void agree(Estimate const& estimate, double exact) {
    CAPTURE(estimate.mean);
    CAPTURE(estimate.std_error);
    CAPTURE(exact);
    CHECK(std::abs(estimate.mean - exact) < 5 * estimate.std_error);
    CHECK(estimate.std_error < 0.04 * exact);
}

}  // namespace

TEST_SUITE("monte_carlo/observable_sampler") {
    // y is 2 or -1/2, as 1 to 4: of mean 0, E y^2 = 1, E y^3 = 3/2, E y^4 = 13/4; or 0 with the chance that makes E y^4 = 4.
    TEST_CASE("targets have the moments that are asked for") {
        GraphModel const model{.graph = chain({1, 1})};
        for (std::optional<double> const fourth :
             {std::optional<double>(), std::optional(13.0 / 4), std::optional(4.0)}) {
            auto settings = ones(1, fourth);
            settings.target_third_moment = 1.5;
            auto const mean = sampled(model, "y", settings);
            CHECK(std::abs(mean.mean) < 5 * mean.std_error);
            agree(sampled(model, "y^2", settings), 1);
            agree(sampled(model, "y^3", settings), 1.5);
            if (fourth) agree(sampled(model, "y^4", settings), *fourth);
        }
        auto settings = ones(1, 3.0);
        settings.target_third_moment = 1.5;
        CHECK_THROWS_AS((void)sampled(model, "y^3", settings), isserlis::DomainError);
        settings.target_second_moment = 0;
        CHECK_THROWS_AS((void)sampled(model, "y^3", settings), isserlis::DomainError);
    }

    // Strand calculus, section 5: variance 2/fan-in, |x|^2 = n_0, E y = 0, E y^2 = 1.
    TEST_CASE("Hessians of ReLU nets have their exact means") {
        struct Row {
            std::vector<double> widths;
            double curved_value, curved, cross, kernel, hessian;
        };
        for (auto const& row : {Row{{2, 3, 1}, 16, 6, 8, 152.0 / 3, 266.0 / 3},
                                Row{{2, 3, 4, 1}, 460.0 / 3, 26, 238.0 / 3, 982.0 / 3, 1996.0 / 3}}) {
            GraphModel const model{.graph = chain(row.widths)};
            auto const settings = ones(row.widths[0]);
            agree(sampled(model, "z[;m,n]^2 z^2", settings), row.curved_value);
            agree(sampled(model, "z[;m,n]^2", settings), row.curved);
            agree(sampled(model, "z[;m,n] z[;m] z[;n] z", settings), row.cross);
            agree(sampled(model, "(z[;m] z[;n])^2", settings), row.kernel);
            agree(sampled(model, "(z[;m]^2)^2", settings), row.kernel);
            agree(sampled(model, "(D[m,n] loss)^2", settings), row.hessian);
        }
        agree(sampled({.graph = chain({3, 2, 3, 2, 1})}, "z[;m,n]^2", ones(3), 100'000), 37);
    }

    // The same page: width 3, 3 blocks of 2 layers, |x| = 1.
    TEST_CASE("residual nets have their exact means") {
        GraphModel const model{.graph = graphs::residual(3, 3)};
        ObservableSettings settings;
        settings.inputs[""] = {0.6, 0, -0.8};
        agree(sampled(model, "z[i]^2", settings), 8);
        agree(sampled(model, "(z[i]^2)^2", settings, 1'000'000), 493039.0 / 729);
        // |J|^2 of one output, by the first matrix of block 2, and its square.
        agree(sampled(model, "z[1;m]^2 where m in 2.1", settings), 2);
    }

    // E z^2 = (a |P|^2 + b |N|^2): variance 1/2 on both sides and |x|^2 = 5 give 5/2 a layer, then times 3/2.
    TEST_CASE("concatenated ReLU: untied sides are independent, tied ones a linear net") {
        for (auto const kind : {ActivationKind::crelu, ActivationKind::crelu_tied, ActivationKind::linear}) {
            GraphModel const model{.graph = chain({2, 3, 1}, kind, 1)};
            ObservableSettings settings;
            settings.inputs[""] = {1, -2};
            agree(sampled(model, "z^2", settings), 2.5);
            // |x|^2 |v|^2 + |h|^2: 5 * 3/3 + 3 * 5/2, the same at one input for one side of every entry or the other.
            agree(sampled(model, "z[;m]^2", settings), 5 + 7.5);
        }
    }

    // One linear neuron, |x|^2 = 2, variance 1/2: E z^2 = 1, E z^4 = k-th law's: 3 + (kurtosis - 3) / 2.
    TEST_CASE("laws reach their edges") {
        for (auto const& [law, fourth] : {std::pair{LawKind::gaussian, 3.0}, std::pair{LawKind::laplace, 4.5},
                                          std::pair{LawKind::uniform, 2.4}, std::pair{LawKind::rademacher, 2.0}}) {
            auto graph = chain({2, 1}, ActivationKind::linear, 1);
            graph.stages[0].edges[0].law.kind = law;
            agree(sampled({.graph = graph}, "z^4", ones(2)), fourth);
        }
    }

    // x = (1, 1) and signs of weight: z = 0 half of the time. A tied gate is open half of the time, so the mean
    // derivative is E |d h / d w|^2 = sum of x^2 / 2 = 1.
    TEST_CASE("ties are refused, or decided by fair coins") {
        auto graph = chain({2, 1}, ActivationKind::relu, 1, true);
        graph.stages[0].edges[0].law.kind = LawKind::rademacher;
        CHECK_THROWS_AS((void)sampled({.graph = graph}, "h[;m]^2", ones(2)), isserlis::UnsupportedError);
        agree(sampled({.graph = graph, .ties = TieRule::fair_coin}, "h[;m]^2", ones(2)), 1);
    }

    // Three-point targets: E y^2 = 2, E y^4 = 7, independent in each output and of the weights.
    TEST_CASE("targets have the moments that are asked for") {
        GraphModel const model{.graph = chain({1, 2})};
        auto settings = ones(1, 7);
        settings.target_second_moment = 2;
        agree(sampled(model, "y[1]^2", settings), 2);
        agree(sampled(model, "y[2]^4", settings), 7);
        agree(sampled(model, "y[1]^2 y[2]^2", settings), 4);
        agree(sampled(model, "y[1]^2 z[1]^2", settings), 4);
        CHECK(std::abs(sampled(model, "y[1] y[2]", settings).mean) < 5 * 2 / std::sqrt(1e5));
        CHECK(std::abs(sampled(model, "y[1]", settings).mean) < 5 * std::sqrt(2 / 1e5));
        agree(sampled(model, "loss", settings), 0.5 * (2 * 2 + 2 * 2));
        settings.target_second_moment = 0;
        CHECK(sampled(model, "y[1]^4", settings).mean == 0);
    }

    // By hand: z = v relu(w x) in leaky slopes; E (D_m z)^2 with factors 3 and 5 is 3 E v^2 g^2 x^2 + 5 E h^2.
    TEST_CASE("label factors multiply each summed label") {
        auto graph = chain({1, 1, 1}, ActivationKind::linear, 1);
        graph.stages[0].edges[0].label_factor = 3;
        graph.stages[0].edges[1].label_factor = 5;
        agree(sampled({.graph = graph}, "z[;m]^2", ones(1)), 8);
        CHECK(sampled({.graph = graph}, "z[;m,n]^2", ones(1), 10).mean == 30);  // twice 3 * 5, in every network
    }

    TEST_CASE("the same seed gives the same numbers with any number of threads, and copies are independent") {
        GraphModel const model{.graph = chain({2, 3, 4, 1})};
        auto const settings = ones(2);
        auto const one = sampled(model, "(D[m,n] loss)^2", settings, 3000, 5);
        auto const two = sampled(model, "(D[m,n] loss)^2", settings, 3000, 5, 2);
        CHECK(one.mean == two.mean);
        CHECK(one.std_error == two.std_error);
        CHECK(sampled(model, "(D[m,n] loss)^2", settings, 3000, 6).mean != one.mean);
        ObservableSampler first(model, parse_query("(D[m,n] loss)^2"), settings);
        double const at_7 = first(1, 7);
        ObservableSampler second = first;
        CHECK(second(1, 8) != at_7);
        CHECK(first(1, 7) == at_7);
        second = first;
        CHECK(second(1, 7) == at_7);
        second = std::move(first);
        CHECK(second(1, 7) == at_7);
    }

    TEST_CASE("work grows with the order and stays an estimate per sample") {
        GraphModel const model{.graph = chain({8, 8, 8, 1})};
        auto const work = [&](char const* query) {
            return ObservableSampler(model, parse_query(query), ones(8)).work_per_sample();
        };
        CHECK(work("z^2") < work("z[;m]^2"));
        CHECK(work("z[;m]^2") < work("z[;m,n]^2"));
        CHECK(work("z[;m,n]^2") < work("z[;m,n,k]^2"));
        CHECK(work("z[;m,n,k]^2 where m in 1") < work("z[;m,n,k]^2"));
        CHECK(work("z^2") > 136);
    }

    TEST_CASE("settings that do not fit, and sizes beyond reason, are refused") {
        using isserlis::DomainError;
        using isserlis::UnsupportedError;
        GraphModel const model{.graph = chain({2, 3, 1})};
        auto const with = [&](ObservableSettings const& settings, char const* query = "z^2 y^2", std::uint64_t n = 10) {
            return sampled(model, query, settings, n);
        };
        CHECK_NOTHROW((void)with(ones(2)));
        CHECK_THROWS_AS((void)with(ones(2), "z^2", 1), DomainError);
        CHECK_THROWS_AS((void)with(ones(3)), DomainError);
        CHECK_THROWS_AS((void)with(ObservableSettings{}), DomainError);
        CHECK_THROWS_AS((void)with(ones(2), "z^2 y^4"), DomainError);
        CHECK_NOTHROW((void)with(ones(2, 1), "z^2 y^4"));
        CHECK_THROWS_AS((void)with(ones(2, 0.9), "z^2 y^4"), DomainError);
        CHECK_THROWS_AS((void)with(ones(2, 1), "y^6"), UnsupportedError);
        auto settings = ones(2);
        settings.target_second_moment = -1;
        CHECK_THROWS_AS((void)with(settings), DomainError);
        settings = ones(2);
        settings.inputs[""][0] = NAN;
        CHECK_THROWS_AS((void)with(settings), DomainError);
        settings = ones(2);
        settings.parameters["s"] = INFINITY;
        CHECK_THROWS_AS((void)with(settings, "s z^2"), DomainError);
        settings = ones(2);
        settings.vectors["w"] = {NAN};
        CHECK_THROWS_AS((void)with(settings, "w[1]"), DomainError);
        settings.matrices["P"] = {{1, 2}, {3, 4}};
        CHECK_THROWS_AS((void)with(settings, "P[i,i]"), DomainError);
        settings.matrices["P"] = {{1, 2}};
        CHECK_THROWS_AS((void)with(settings, "P[1,1]"), DomainError);
        GraphModel const wide{.graph = chain({100, 100, 100, 1})};
        CHECK_THROWS_AS((void)sampled(wide, "z[;m,n,k]^2", ones(100), 2), UnsupportedError);
        GraphModel const huge{.graph = chain({2, 3, 1}, ActivationKind::linear, 1e200)};
        CHECK_THROWS_AS((void)sampled(huge, "z^2", ones(2), 10), UnsupportedError);
    }
}
