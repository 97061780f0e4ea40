// SPDX-License-Identifier: MIT
#include <isserlis/train/train.hpp>

#include <array>
#include <cstdio>

// Was an O-ring in distress? 23 flights before the Challenger by temperature: a sigmoid unit is logistic regression.
int main() {
    using namespace isserlis;
    constexpr std::array temperatures = {66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78,
                                         67, 53, 67, 75, 70, 81, 76, 79, 75, 76, 58};
    constexpr std::array distress = {0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1};
    mlp::Examples<double> flights{mlp::Matrix<double>(1, 23), mlp::Matrix<double>(1, 23)};
    for (std::size_t k = 0; k < distress.size(); ++k) {
        auto const column = static_cast<Eigen::Index>(k);
        flights.inputs(0, column) = (temperatures[k] - 70) / 7.0;  // near mean 0 and deviation 1
        flights.targets(0, column) = distress[k];
    }

    mlp::Architecture const unit = mlp::perceptron({1, 1}, {});
    train::TrainingOptions options;
    options.rate = 4;
    options.epochs = 2000;
    options.history_every = 500;
    auto const trained =
        train::train<double>(unit, mlp::Objective::binary_cross_entropy, flights, unit.neutral_parameters(), options);

    for (auto const& row : trained.history)
        std::printf("epoch %4d  loss %.6f  accuracy %.4f\n", static_cast<int>(row.epoch), row.loss, *row.accuracy);
    double const slope = trained.parameters[0] / 7;
    std::printf("stopped by %s; log odds = %.4f %+.4f temperature; deviance %.3f\n", name(trained.stop),
                trained.parameters[1] - 70 * slope, slope, 46 * trained.history.back().loss);
}
