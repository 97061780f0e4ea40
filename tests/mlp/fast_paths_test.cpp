// SPDX-License-Identifier: MIT
// The fast paths of monte_carlo/ against the batched pass; GradientStep is in data_loss_test.cpp.
#include <doctest/doctest.h>

#include <isserlis/mlp/data_loss.hpp>
#include <isserlis/monte_carlo/draw_network.hpp>
#include <isserlis/monte_carlo/hessian_norm_sampler.hpp>
#include <isserlis/monte_carlo/norm_sampler.hpp>

#include "graphs.hpp"

namespace {

using namespace isserlis::mlp;
using isserlis::ActivationKind;
using isserlis::monte_carlo::HessianNormSampler;
using isserlis::monte_carlo::NetworkModel;
using isserlis::monte_carlo::NormSampler;
using Index = Eigen::Index;
using Numbers = std::vector<double>;

NetworkModel model_of(ActivationKind kind) {
    NetworkModel model;
    model.widths = {3, 5, 4, 2};
    model.variances = {0.5, 0.4, 0.6};
    model.laws.resize(3);
    model.activation = {.kind = kind, .slope = -0.4};
    model.input = {1, -0.5, 2};
    return model;
}

Numbers flat_weights(NetworkModel const& model, std::uint64_t seed, std::uint64_t sample) {
    return parameters_of(isserlis::monte_carlo::draw_network<double>(model, seed, sample));
}

Architecture chain(ActivationKind kind) { return Architecture{GraphLayout(graphs::chain({3, 5, 4, 2}, kind))}; }

Matrix<double> hessian(Architecture const& net, Numbers const& weights, Examples<double> const& examples) {
    DataLoss<double> loss(net, Objective::half_squared);
    auto const size = static_cast<Index>(weights.size());
    Matrix<double> out(size, size);
    for (Index i = 0; i < size; ++i) {
        Numbers unit(weights.size());
        unit[static_cast<std::size_t>(i)] = 1;
        loss.hessian_product(weights, examples, unit, {out.row(i).data(), weights.size()});
    }
    return out;
}

}  // namespace

TEST_SUITE("mlp/fast_paths") {
    TEST_CASE("the norms that NormSampler draws are those of the batched pass") {
        for (auto const kind : {ActivationKind::linear, ActivationKind::relu, ActivationKind::leaky,
                                ActivationKind::crelu, ActivationKind::crelu_tied}) {
            CAPTURE(name(kind));
            auto const model = model_of(kind);
            auto const net = chain(kind);
            NormSampler<double> sampler(model, false);
            BatchPass<double> pass(net);
            Matrix<double> const x = Eigen::Map<Matrix<double> const>(model.input.data(), 3, 1);
            for (std::uint64_t sample = 0; sample < 5; ++sample) {
                auto const weights = flat_weights(model, 1, sample);
                pass.forward(weights, x);
                auto const norms = sampler(1, sample);
                for (std::size_t q = 1; q <= 3; ++q)
                    CHECK(norms[q - 1].value == doctest::Approx(pass.activations(q).squaredNorm()).epsilon(1e-13));
            }
        }
    }

    // H = J'J + sum (z_o - y_o) K_o, K_o = H(y = 0) - H(y = e_o); over y of mean 0, E y_o^2 = m / 2, its squared norm
    // is |H(0)|^2 + m / 2 sum |K_o|^2.
    TEST_CASE("the Hessian norms of the lanes are those of all Hessian products") {
        for (auto const kind : {ActivationKind::linear, ActivationKind::relu, ActivationKind::leaky}) {
            CAPTURE(name(kind));
            auto const model = model_of(kind);
            auto const net = chain(kind);
            constexpr double m = 1.7;
            HessianNormSampler sampler(model, {.target_second_moment = m, .label_factors = {}});
            for (std::uint64_t const sample : {0U, 3U, 17U}) {
                auto const weights = flat_weights(model, 2, sample);
                Examples<double> examples{Eigen::Map<Matrix<double> const>(model.input.data(), 3, 1),
                                          Matrix<double>::Zero(2, 1)};
                Matrix<double> const at_zero = hessian(net, weights, examples);
                CHECK((at_zero - at_zero.transpose()).cwiseAbs().maxCoeff() < 1e-12);
                double expected = at_zero.squaredNorm();
                for (Index o = 0; o < 2; ++o) {
                    examples.targets.setZero();
                    examples.targets(o, 0) = 1;
                    expected += m / 2 * (at_zero - hessian(net, weights, examples)).squaredNorm();
                }
                CHECK(sampler(2, sample)[HessianNormSampler::total] == doctest::Approx(expected).epsilon(1e-11));
            }
        }
    }
}
