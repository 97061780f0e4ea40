// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/float_data/float_data.hpp>
#include <isserlis/float_data/gaussian_classes.hpp>
#include <isserlis/train/linear_classifier.hpp>

namespace {

using namespace isserlis::float_data;
using isserlis::DomainError;
using isserlis::mlp::Matrix;
using isserlis::mlp::Objective;
using Labels = std::vector<std::uint32_t>;

FloatData<double> labelled(Labels labels, std::size_t classes) {
    auto const samples = static_cast<Eigen::Index>(labels.size());
    FloatData<double> out{.name = "data 'd'", .inputs = Matrix<double>(2, samples)};
    for (Eigen::Index k = 0; k < samples; ++k) out.inputs.col(k) << static_cast<double>(k), static_cast<double>(k * k);
    out.labels = std::move(labels);
    out.classes = classes;
    return out;
}

}  // namespace

TEST_SUITE("float_data/float_data") {
    TEST_CASE("labels as what the objective takes for yes and no") {
        auto const hot = examples(labelled({2, 0, 1}, 3), Objective::cross_entropy, 3);
        CHECK(hot.targets == (Matrix<double>(3, 3) << 0, 1, 0, 0, 0, 1, 1, 0, 0).finished());
        CHECK(hot.inputs.rows() == 2);
        auto const binary = examples(labelled({1, 0, 1}, 2), Objective::binary_cross_entropy, 1, 0.5);
        CHECK(binary.targets == (Matrix<double>(1, 3) << 1, 0, 1).finished());
        CHECK(binary.inputs.rows() == 3);
        CHECK(binary.inputs.row(2).isConstant(0.5));
        CHECK(binary.inputs(1, 2) == 4);
        auto const margin = examples(labelled({1, 0}, 2), Objective::hinge, 1);
        CHECK(margin.targets == (Matrix<double>(1, 2) << 1, -1).finished());
        auto const margins = examples(labelled({1, 0}, 2), Objective::hinge, 2);
        CHECK(margins.targets == (Matrix<double>(2, 2) << -1, 1, 1, -1).finished());
        // More outputs than classes in the file: the last batch may lack the last class.
        CHECK(examples(labelled({1, 0}, 2), Objective::cross_entropy, 5).targets.rows() == 5);
    }

    TEST_CASE("outputs that do not fit are refused by name") {
        auto refused = [](FloatData<double> data, Objective objective, std::size_t outputs, char const* message) {
            CHECK_THROWS_WITH_AS(static_cast<void>(examples(std::move(data), objective, outputs)),
                                 doctest::Contains(message), DomainError);
        };
        refused(labelled({2, 0}, 3), Objective::cross_entropy, 2, "data 'd' has 3 classes; a network with 3 outputs");
        refused(labelled({1, 0}, 2), Objective::cross_entropy, 1, "has 2 classes; a network with 2 outputs is");
        refused(labelled({2, 0}, 3), Objective::squared, 1, "not 1");
        FloatData<double> numbers{.name = "data 'n'", .inputs = Matrix<double>(2, 1)};
        numbers.targets = Matrix<double>::Constant(1, 1, 0.5);
        refused(numbers, Objective::squared, 3, "has 1 targets a sample, but the network has 3 outputs");
        refused(numbers, Objective::hinge, 1, "-1 or 1");
    }

    TEST_CASE("the last samples are held out") {
        auto data = labelled({0, 1, 2, 0, 1}, 3);
        auto const last = held_out(data, 2);
        CHECK(data.labels == Labels{0, 1, 2});
        CHECK(last.labels == Labels{0, 1});
        CHECK(last.classes == 3);
        CHECK(data.inputs.cols() == 3);
        CHECK(last.inputs(1, 1) == 16);
        for (std::size_t const count : {std::size_t{0}, std::size_t{3}, std::size_t{4}})
            CHECK_THROWS_WITH_AS(static_cast<void>(held_out(data, count)), doctest::Contains("1 to 2 can"),
                                 DomainError);
    }

    // 0, 1, 2 and 0, 1, 4 by hand: mean square 2/3 around 1, and 26/9 around 5/3.
    TEST_CASE("standardised features have mean 0 and mean square c^2") {
        auto data = labelled({0, 0, 0}, 1);
        standardise(data, 2);
        CHECK(data.inputs(0, 0) == doctest::Approx(-2 / std::sqrt(2.0 / 3)));
        CHECK(data.inputs(1, 2) == doctest::Approx(2 * (4 - 5.0 / 3) / std::sqrt(26.0 / 9)));
        CHECK(std::abs(data.inputs.row(1).sum()) < 1e-14);
        auto constant = labelled({0, 0}, 1);
        constant.inputs.row(1).setConstant(3);
        CHECK_THROWS_WITH_AS(standardise(constant, 1), doctest::Contains("feature x2 is the same"), DomainError);
        auto single = labelled({0}, 1);
        CHECK_THROWS_WITH_AS(standardise(single, 1), doctest::Contains("1 sample"), DomainError);
    }
}

TEST_SUITE("float_data/gaussian_classes") {
    TEST_CASE("samples have the mean of their class and variance 1 around it") {
        GaussianClasses const law{.classes = 3, .features = 4, .samples = 30'000, .seed = 5};
        auto const data = gaussian_classes<double>(law);
        CHECK(data.labels[7] == 1);
        CHECK(data.classes == 3);
        for (Eigen::Index c = 0; c < 3; ++c) {
            Eigen::VectorXd mean = Eigen::VectorXd::Zero(4);
            Eigen::VectorXd square = Eigen::VectorXd::Zero(4);
            for (Eigen::Index k = c; k < data.inputs.cols(); k += 3) mean += data.inputs.col(k) / 10'000;
            for (Eigen::Index k = c; k < data.inputs.cols(); k += 3)
                square += (data.inputs.col(k) - mean).cwiseAbs2() / 10'000;
            // Five standard errors of a variance over 10,000 samples: 5 sqrt(2) / 100.
            CHECK((square.array() - 1).abs().maxCoeff() < 0.071);
            CHECK(mean.norm() > 0.1);
        }
        GaussianClasses fewer = law;
        fewer.samples = 50;
        CHECK(gaussian_classes<double>(fewer).inputs == data.inputs.leftCols(50));
        fewer.seed = 6;
        CHECK(gaussian_classes<double>(fewer).inputs != data.inputs.leftCols(50));
        CHECK(gaussian_classes<float>(law).inputs == data.inputs.cast<float>());
    }

    TEST_CASE("anisotropic samples have covariance A A', whose trace is d^2 on average") {
        auto const data = gaussian_classes<double>({.features = 30, .samples = 4000, .anisotropic = true, .seed = 2});
        double trace = 0;
        Eigen::VectorXd mean = Eigen::VectorXd::Zero(30);
        for (Eigen::Index k = 0; k < 4000; k += 2) mean += data.inputs.col(k) / 2000;
        for (Eigen::Index k = 0; k < 4000; k += 2) trace += (data.inputs.col(k) - mean).squaredNorm() / 2000;
        // The trace is chi squared with 900 degrees of freedom, deviation 42; sampled to within a few per cent.
        CHECK(trace == doctest::Approx(900).epsilon(0.25));
    }

    // [Iyer 2023, appendix E]: threshold accuracies 1.0 and 0.81, of means and covariances drawn otherwise. With
    // average covariance (A A' + B B') / 2 the squared Mahalanobis distance of the means is about 2 * 200 / 99, and
    // half its root is 1.0: Phi(1.0) = 0.84.
    TEST_CASE("a line separates isotropic classes, and errs on a fifth of the anisotropic") {
        for (bool const anisotropic : {false, true}) {
            auto data =
                gaussian_classes<double>({.features = 100, .samples = 5000, .anisotropic = anisotropic, .seed = 1});
            auto validation = held_out(data, 1000);
            auto const training = examples(std::move(data), Objective::cross_entropy, 2);
            auto const held = examples(std::move(validation), Objective::cross_entropy, 2);
            auto const fit =
                isserlis::train::linear_classifier(Objective::cross_entropy, training, &held, {.tolerance = 1e-3});
            CHECK(fit.converged);
            if (anisotropic) {
                CHECK(*fit.validation_accuracy > 0.7);
                CHECK(*fit.validation_accuracy < 0.92);
            } else {
                CHECK(*fit.validation_accuracy > 0.999);
            }
        }
    }

    TEST_CASE("what cannot be drawn is refused by name") {
        auto refused = [](GaussianClasses const& law, char const* message) {
            CHECK_THROWS_WITH_AS(static_cast<void>(gaussian_classes<double>(law)), doctest::Contains(message),
                                 isserlis::Error);
        };
        refused({.classes = 1}, "classes = 1; at least 2");
        refused({.features = 0}, "features = 0");
        refused({.samples = 0}, "samples = 0");
        refused({.features = 20'000, .anisotropic = true}, "more than are served");
        refused({.features = 1'000'000, .samples = 1'000'000}, "more than are served");
    }
}
