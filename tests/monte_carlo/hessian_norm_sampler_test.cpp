// SPDX-License-Identifier: MIT
// Block norms beside the derivatives of jets on the very same networks, and beside exact means.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/hessian_norm_sampler.hpp>
#include <isserlis/monte_carlo/observable_sampler.hpp>
#include <isserlis/network/zoo.hpp>

namespace {

using namespace isserlis;
using monte_carlo::HessianNormSampler;
using monte_carlo::NetworkModel;
using monte_carlo::ObservableSampler;

NetworkModel network(std::vector<std::size_t> widths, Activation<double> activation,
                     WeightLaw<double> law = {.kind = LawKind::gaussian}) {
    NetworkModel out;
    out.widths = widths;
    out.activation = activation;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        out.laws.push_back(law);
        out.variances.push_back((1.0 + 0.25 * static_cast<double>(q)) / static_cast<double>(widths[q - 1]));
    }
    for (std::size_t i = 0; i < widths[0]; ++i) out.input.push_back(i % 2 == 0 ? 1.0 : -0.5);
    return out;
}

/// The same network for the sampler that knows nothing of blocks.
double by_jets(NetworkModel const& model, std::string const& query, std::vector<double> const& label_factors,
               std::uint64_t sample) {
    FullyConnected<double, std::uint64_t> net;
    net.activation = model.activation;
    for (std::size_t q = 1; q < model.widths.size(); ++q)
        net.layers.push_back({.fan_in = static_cast<double>(model.widths[q - 1]),
                              .fan_out = static_cast<double>(model.widths[q]),
                              .count = 1,
                              .variance = model.variances[q - 1] * model.scale(q) * model.scale(q),
                              .law = model.laws[q - 1],
                              .label_factor = label_factors[q - 1]});
    monte_carlo::ObservableSettings settings;
    settings.inputs[""] = model.input;
    settings.target_second_moment = 0;
    return ObservableSampler(
        {.graph = chain_graph(net), .unit_parameters = !model.scales.empty(), .precision = model.precision},
        parse_query(query), settings)(7, sample);
}

/// The same network by parameters of variance 1 that it scales.
NetworkModel by_unit_parameters(NetworkModel model) {
    for (double& v : model.variances) {
        model.scales.push_back(std::sqrt(v));
        v = 1;
    }
    return model;
}

Activation<double> const relu{.kind = ActivationKind::relu};
Activation<double> const leaky{.kind = ActivationKind::leaky, .slope = 0.3};
Activation<double> const linear{.kind = ActivationKind::linear, .slope = 1};

}  // namespace

TEST_SUITE("monte_carlo/hessian_norm_sampler") {
    TEST_CASE("every part and block is that of the second derivatives, network by network") {
        for (auto const& model :
             {network({3, 4, 2}, relu), network({2, 3, 4, 1}, relu), network({2, 3, 1, 3, 2}, leaky),
              network({2, 2, 3, 3, 2, 3}, relu, {.kind = LawKind::uniform}), network({3, 2, 3, 2}, linear),
              network({3, 2}, relu), network({2, 48, 3, 2}, relu), network({3, 2, 50, 2, 2}, leaky),
              network({2, 3, 3, 48, 2}, linear), by_unit_parameters(network({2, 3, 48, 2, 3, 2}, relu)),
              by_unit_parameters(network({2, 3, 4, 3, 2}, relu)),
              by_unit_parameters(network({2, 3, 1, 3, 2}, leaky, {.kind = LawKind::uniform}))}) {
            std::size_t const depth = model.depth();
            std::vector<double> factors;
            for (std::size_t q = 1; q <= depth; ++q) factors.push_back(0.5 + 0.25 * static_cast<double>(q));
            double const outputs = static_cast<double>(model.widths.back());
            HessianNormSampler sampler(model, {.target_second_moment = 1.5 * outputs, .label_factors = factors});
            REQUIRE(sampler.size() == HessianNormSampler::parts + depth * (depth + 1) / 2);
            for (std::uint64_t const sample : {0U, 17U, 31U}) {
                auto const numbers = sampler(7, sample);
                auto const expect = [&](std::size_t at, double value) {
                    CAPTURE(at);
                    CHECK(numbers[at] == doctest::Approx(value).epsilon(1e-10));
                };
                auto const jets = [&](std::string const& query) { return by_jets(model, query, factors, sample); };
                expect(HessianNormSampler::gauss_newton, jets("z[i;m] z[i;n] z[j;m] z[j;n]"));
                expect(HessianNormSampler::functional, jets("z[i;m,n] z[i] z[j;m,n] z[j]"));
                expect(HessianNormSampler::cross, 2 * jets("z[i;m] z[i;n] z[j;m,n] z[j]"));
                expect(HessianNormSampler::target, 1.5 * jets("z[i;m,n]^2"));
                expect(HessianNormSampler::total, jets("(D[m,n] loss)^2") + 1.5 * jets("z[i;m,n]^2"));
                for (std::size_t a = 0; a < depth; ++a) {
                    for (std::size_t b = 0; b < depth; ++b) {
                        std::string const where =
                            " where m in " + std::to_string(a + 1) + ", n in " + std::to_string(b + 1);
                        expect(HessianNormSampler::block(depth, std::min(a, b), std::max(a, b)),
                               jets("(D[m,n] loss)^2" + where) + 1.5 * jets("z[i;m,n]^2" + where));
                    }
                }
            }
        }
    }

    TEST_CASE("parts of networks of floats are those of the second derivatives of the same floats but for rounding") {
        for (auto model :
             {network({3, 4, 2}, relu), network({2, 3, 4, 3, 2}, leaky), network({2, 3, 48, 3, 3, 2}, relu),
              by_unit_parameters(network({2, 3, 48, 2, 3, 2}, relu))}) {
            HessianNormSampler in_double(model, {.target_second_moment = 1.5, .label_factors = {}});
            double const other = in_double(7, 5)[HessianNormSampler::total];
            model.precision = monte_carlo::Precision::float32;
            std::vector<double> const factors(model.depth(), 1);
            HessianNormSampler const original(model, {.target_second_moment = 1.5, .label_factors = {}});
            HessianNormSampler sampler = original;  // a copy has weights of its own
            auto const numbers = sampler(7, 5);
            auto const jets = [&](std::string const& query) { return by_jets(model, query, factors, 5); };
            auto const close = [](double x) { return doctest::Approx(x).epsilon(1e-5); };
            double const each = 1.5 / static_cast<double>(model.widths.back());
            CHECK(numbers[HessianNormSampler::gauss_newton] == close(jets("z[i;m] z[i;n] z[j;m] z[j;n]")));
            CHECK(numbers[HessianNormSampler::functional] == close(jets("z[i;m,n] z[i] z[j;m,n] z[j]")));
            CHECK(numbers[HessianNormSampler::cross] == close(2 * jets("z[i;m] z[i;n] z[j;m,n] z[j]")));
            CHECK(numbers[HessianNormSampler::target] == close(each * jets("z[i;m,n]^2")));
            CHECK(numbers[HessianNormSampler::total] != close(other));
        }
    }

    // Of weights that are 2^-50 times those of another network outputs of 5 layers are 2^-250 times its own, their first
    // derivatives 2^-200 and the second 2^-150: each product of four factors but the one of targets 2^-800.
    TEST_CASE("maps between layers of floats may be beyond the range of floats") {
        NetworkModel model = network({2, 50, 3, 4, 3, 2}, relu);
        model.precision = monte_carlo::Precision::float32;
        HessianNormSampler at_one(model, {});
        for (double& v : model.variances) v = std::ldexp(v, -100);
        HessianNormSampler small(model, {});
        for (auto const part :
             {HessianNormSampler::gauss_newton, HessianNormSampler::functional, HessianNormSampler::cross}) {
            double const number = at_one(3, 8)[part];
            CHECK(number != 0);
            CHECK(small(3, 8)[part] == std::ldexp(number, -800));
        }
    }

    // The strand calculus' table: widths 2,3,4,1, variance 2/fan-in, |x|^2 = 2, E y^2 = 1: 1996/3.
    TEST_CASE("means are exact ones, whatever the number of threads") {
        NetworkModel model = network({2, 3, 4, 1}, relu);
        model.variances = {1, 2.0 / 3, 0.5};
        model.input = {1, 1};
        HessianNormSampler const sampler(model, {});
        auto const estimates = monte_carlo::sample_hessian_norm(sampler, 100'000, 3);
        CHECK(std::fabs(estimates[HessianNormSampler::total].mean - 1996.0 / 3) <
              5 * estimates[HessianNormSampler::total].std_error);
        monte_carlo::RunControl control;
        control.threads = 3;
        auto const again = monte_carlo::sample_hessian_norm(sampler, 100'000, 3, control);
        for (std::size_t i = 0; i < estimates.size(); ++i) CHECK(estimates[i].mean == again[i].mean);
    }

    TEST_CASE("refuses what has no block norms of this form") {
        CHECK_THROWS_AS(HessianNormSampler(network({2, 3, 1}, {.kind = ActivationKind::crelu}), {}), UnsupportedError);
        CHECK_THROWS_AS(HessianNormSampler(network({2, 3, 1}, relu, {.kind = LawKind::rademacher}), {}),
                        UnsupportedError);
        CHECK_THROWS_AS(HessianNormSampler(network({2, 3, 1}, relu), {.label_factors = {1}}), DomainError);
    }
}
