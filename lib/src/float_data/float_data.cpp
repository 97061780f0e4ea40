// SPDX-License-Identifier: MIT
#include <isserlis/float_data/float_data.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <utility>

namespace isserlis::float_data {
namespace {

using Index = Eigen::Index;

/// Targets of labels: what the objective takes for yes and no.
mlp::Matrix<double> targets_of(std::vector<std::uint32_t> const& labels, mlp::Objective objective, Index outputs) {
    double const no = objective == mlp::Objective::hinge ? -1 : 0;
    auto out = mlp::Matrix<double>(mlp::Matrix<double>::Constant(outputs, static_cast<Index>(labels.size()), no));
    for (std::size_t k = 0; k < labels.size(); ++k) {
        auto const column = static_cast<Index>(k);
        if (outputs > 1) {
            out(static_cast<Index>(labels[k]), column) = 1;
        } else if (labels[k] == 1) {
            out(0, column) = 1;
        }
    }
    return out;
}

void require_outputs(std::string const& name, std::size_t classes, mlp::Objective objective, std::size_t outputs) {
    bool const one_will_do = classes <= 2 && objective != mlp::Objective::cross_entropy;
    if (outputs >= classes && outputs > 1) return;
    if (outputs == 1 && one_will_do) return;
    throw DomainError(name + " has " + std::to_string(classes) + " classes; a network with " + std::to_string(classes) +
                          (one_will_do ? " outputs, or 1," : " outputs") + " is required, not " +
                          std::to_string(outputs),
                      "widths");
}

}  // namespace

template <class T>
mlp::Examples<T> examples(FloatData<T>&& data, mlp::Objective objective, std::size_t outputs, double constant) {
    mlp::Examples<T> out;
    if (data.labels.empty()) {
        if (static_cast<std::size_t>(data.targets.rows()) != outputs)
            throw DomainError(data.name + " has " + std::to_string(data.targets.rows()) +
                                  " targets a sample, but the network has " + std::to_string(outputs) + " outputs",
                              "widths");
        out.targets = std::move(data.targets);
    } else {
        require_outputs(data.name, data.classes, objective, outputs);
        out.targets = targets_of(data.labels, objective, static_cast<Index>(outputs));
    }
    mlp::require_targets(objective, out.targets);
    out.inputs = std::move(data.inputs);
    if (constant != 0) {
        out.inputs.conservativeResize(out.inputs.rows() + 1, Eigen::NoChange);
        out.inputs.row(out.inputs.rows() - 1).setConstant(static_cast<T>(constant));
    }
    return out;
}

template <class T>
FloatData<T> held_out(FloatData<T>& data, std::size_t count) {
    std::size_t const samples = data.samples();
    if (count == 0 || count >= samples)
        throw DomainError(data.name + " has " + std::to_string(samples) + " samples, of which " +
                              std::to_string(count) + " cannot be held out; 1 to " + std::to_string(samples - 1) +
                              " can",
                          "held_out");
    auto const kept = static_cast<Index>(samples - count);
    auto const taken = static_cast<Index>(count);
    FloatData<T> out{.name = data.name, .inputs = data.inputs.rightCols(taken), .classes = data.classes};
    data.inputs = mlp::Matrix<T>(data.inputs.leftCols(kept));
    if (data.labels.empty()) {
        out.targets = data.targets.rightCols(taken);
        data.targets = mlp::Matrix<double>(data.targets.leftCols(kept));
    } else {
        out.labels.assign(data.labels.begin() + kept, data.labels.end());
        data.labels.resize(static_cast<std::size_t>(kept));
    }
    return out;
}

template <class T>
void standardise(FloatData<T>& data, double c) {
    if (data.samples() < 2)
        throw DomainError(data.name + " has 1 sample; standardising needs at least 2", "standardize");
    auto const count = static_cast<double>(data.samples());
    for (Index i = 0; i < data.inputs.rows(); ++i) {
        auto feature = data.inputs.row(i);
        if ((feature.array() == feature[0]).all())
            throw DomainError(data.name + ": feature x" + std::to_string(i + 1) +
                                  " is the same in all samples, so that no scale gives it a mean square",
                              "standardize");
        Eigen::RowVectorXd values = feature.template cast<double>();
        values.array() -= values.sum() / count;
        values.array() -= values.sum() / count;  // what rounding left of the mean
        values *= c / std::sqrt(values.squaredNorm() / count);
        feature = values.template cast<T>();
    }
}

template mlp::Examples<float> examples(FloatData<float>&&, mlp::Objective, std::size_t, double);
template mlp::Examples<double> examples(FloatData<double>&&, mlp::Objective, std::size_t, double);
template FloatData<float> held_out(FloatData<float>&, std::size_t);
template FloatData<double> held_out(FloatData<double>&, std::size_t);
template void standardise(FloatData<float>&, double);
template void standardise(FloatData<double>&, double);

}  // namespace isserlis::float_data
