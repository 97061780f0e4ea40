// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <isserlis/mlp/data_loss.hpp>
#include <string>
#include <vector>

namespace isserlis::float_data {

/// Samples in floating point, a column a sample, with numbers or a class as targets.
template <class T>
struct FloatData {
    std::string name;                     ///< as messages call it, such as "data 'yield.csv'"
    mlp::Matrix<T> inputs;                ///< features x samples
    mlp::Matrix<double> targets{};        ///< outputs x samples; 0 x 0 where there are labels
    std::vector<std::uint32_t> labels{};  ///< classes from 0; empty where there are targets
    std::size_t classes = 0;              ///< labels are below this

    [[nodiscard]] std::size_t samples() const { return static_cast<std::size_t>(inputs.cols()); }
    [[nodiscard]] std::size_t features() const { return static_cast<std::size_t>(inputs.rows()); }
};

/// The most classes that are read: targets of classes are matrices.
inline constexpr std::size_t most_classes = 10'000;

/// What a network is trained on; the data are used up.
///
/// Law     none.
/// Shape   with `constant` a last feature of that value. Labels become targets of `outputs` rows: one row 1, the others
///         0 (hinge: -1); with one output and two classes 0 and 1 (hinge: -1 and 1), but not under cross-entropy,
///         whose softmax of one output is always 1.
/// Units   those of the data.
/// Errors  DomainError for another number of targets or outputs than fits, and those of require_targets.
/// Source  none
template <class T>
[[nodiscard]] mlp::Examples<T> examples(FloatData<T>&& data, mlp::Objective objective, std::size_t outputs,
                                        double constant = 0);

/// The last `count` samples, which are taken away from the data.
/// Errors  DomainError when they are none, or leave none.
template <class T>
[[nodiscard]] FloatData<T> held_out(FloatData<T>& data, std::size_t count);

/// Shifts and scales every feature to mean 0 and mean square c^2, by its own mean and deviation over the samples.
/// Errors  DomainError for fewer than 2 samples, or a feature that is the same in all of them.
/// Source  [Hettinger 2019, Def 4.10]
template <class T>
void standardise(FloatData<T>& data, double c);

}  // namespace isserlis::float_data
