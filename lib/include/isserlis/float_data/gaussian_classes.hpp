// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <isserlis/float_data/float_data.hpp>

namespace isserlis::float_data {

/// Classes of multivariate normals, drawn.
struct GaussianClasses {
    std::size_t classes = 2;
    std::size_t features = 100;
    std::size_t samples = 20'000;  ///< in all; sample k is of class k mod classes
    bool anisotropic = false;
    std::uint64_t seed = 1;
};

/// Samples of the classes.
///
/// Law     class c has a mean of independent standard normals; samples are its mean plus g, or, anisotropic, A g, where
///         g is standard normal and A a square matrix of standard normals of the class: covariance A A'. Means and
///         matrices are functions of (seed, c), sample k of (seed, k): fewer samples are the first of more.
/// Shape   features x samples.
/// Units   pure numbers.
/// Errors  DomainError for no features, no samples or fewer than 2 classes; UnsupportedError beyond 10,000 classes,
///         10,000 features when anisotropic, or 2^31 numbers.
/// Source  [Iyer 2023, appendix E]: 2 classes, 100 features, 10,000 samples each
template <class T>
[[nodiscard]] FloatData<T> gaussian_classes(GaussianClasses const& law);

}  // namespace isserlis::float_data
