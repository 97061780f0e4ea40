// SPDX-License-Identifier: MIT
// Loss curves on random data: the formulas beside the strand engine, which shares nothing with them but the numbers.
#include <doctest/doctest.h>

#include <isserlis/formula/loss_curve_linear.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/network/scheme.hpp>
#include <isserlis/ring/members.hpp>

#include <random>
#include <string>
#include <vector>

#include "layers.hpp"
#include "one_step.hpp"
#include "vector_file.hpp"

namespace {

using isserlis::Rational;
using isserlis::Surd;
using vectors::json;
using Rows = isserlis::Rows<Rational>;

/// Whole numbers from -3 to 3, the same in every run.
class Draws {
public:
    json matrix(std::size_t height, std::size_t width) {
        json out = json::array();
        for (std::size_t i = 0; i < height; ++i) {
            out.push_back(json::array());
            for (std::size_t j = 0; j < width; ++j) out.back().push_back(number());
        }
        return out;
    }
    json symmetric(std::size_t size) {
        json out = matrix(size, size);
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < i; ++j) out[i][j] = out[j][i];
        }
        return out;
    }

private:
    int number() { return static_cast<int>(engine_() % 7) - 3; }
    std::mt19937 engine_{20191125};
};

}  // namespace

TEST_SUITE("vectors/loss_curve") {
    TEST_CASE("constant gradients: several samples and outputs, unlike Hessians") {
        Draws draws;
        for (auto const& widths :
             std::vector<std::vector<std::size_t>>{{2, 2}, {2, 3, 1}, {1, 2, 2}, {3, 1, 2}, {2, 2, 3, 2}}) {
            json in{{"d", widths},
                    {"X", draws.matrix(3, widths.front())},
                    {"grad", draws.matrix(3, widths.back())},
                    {"H", json::array()}};
            for (int k = 0; k < 3; ++k) in["H"].push_back(draws.symmetric(widths.back()));
            CAPTURE(in.dump());
            std::vector<Rows> hessians;
            for (auto const& h : in["H"]) hessians.push_back(vectors::rows(h));
            auto const curve =
                isserlis::linear_loss_curve(vectors::proportional_layers<Surd>(in["d"]),
                                            isserlis::converted<Surd>(isserlis::gradient_moments(
                                                vectors::rows(in["X"]), vectors::rows(in["grad"]), hessians)));
            auto const kind = isserlis::ActivationKind::linear;
            CHECK(curve.slope == vectors::slope_with_constant_gradients(in, kind));
            CHECK(curve.curvature == vectors::curvature_with_constant_gradients(in, kind));
        }
    }

    TEST_CASE("squared error: several samples and outputs") {
        Draws draws;
        for (auto const& widths :
             std::vector<std::vector<std::size_t>>{{2, 2}, {2, 3, 1}, {1, 2, 2}, {2, 2, 3, 2}, {2, 1, 2, 1}}) {
            json const in{{"d", widths}, {"X", draws.matrix(2, widths.front())}, {"Y", draws.matrix(2, widths.back())}};
            CAPTURE(in.dump());
            auto const curve = isserlis::squared_loss_curve(
                vectors::proportional_layers<Surd>(in["d"]),
                isserlis::converted<Surd>(isserlis::target_moments(vectors::rows(in["X"]), vectors::rows(in["Y"]))));
            auto const kind = isserlis::ActivationKind::linear;
            CHECK(curve.slope == vectors::slope_of_squared_error(in, kind));
            CHECK(curve.curvature() == vectors::curvature_of_squared_error(in, kind));
        }
    }

    TEST_CASE("mini-batches: every choice of samples, one by one") {
        Draws draws;
        for (auto const& widths : std::vector<std::vector<std::size_t>>{{2, 2}, {2, 3, 1}, {1, 2, 2}, {2, 1, 2, 1}}) {
            json const in{{"d", widths}, {"X", draws.matrix(3, widths.front())}, {"Y", draws.matrix(3, widths.back())}};
            auto const x = vectors::rows(in["X"]);
            auto const y = vectors::rows(in["Y"]);
            for (std::size_t batch = 1; batch <= 3; ++batch) {
                CAPTURE(in.dump());
                CAPTURE(batch);
                auto const curve = isserlis::batch_loss_curve(vectors::proportional_layers<Surd>(in["d"]),
                                                              isserlis::converted<Surd>(isserlis::target_moments(x, y)),
                                                              isserlis::converted<Surd>(isserlis::own_moments(x, y)),
                                                              Surd(isserlis::own_share({.size = batch}, 3)));
                CHECK(curve.curvature() ==
                      vectors::curvature_over_batches(in, isserlis::ActivationKind::linear, batch));
            }
        }
    }
}
