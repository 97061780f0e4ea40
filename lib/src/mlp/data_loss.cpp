// SPDX-License-Identifier: MIT
#include <isserlis/mlp/data_loss.hpp>

#include <algorithm>
#include <exception>
#include <isserlis/error.hpp>
#include <string>
#include <system_error>
#include <thread>

namespace isserlis::mlp {
namespace {

using Index = Eigen::Index;

constexpr Index chunk_samples = 256;
constexpr std::size_t most_lanes = 8;

/// Do samples see one another, or masks that are drawn for all of them?
template <class T>
bool is_whole(Architecture const& architecture, PassForm<T> const& form) {
    return form.dropout || (architecture.has_batch_norm() && form.moments == nullptr);
}

}  // namespace

template <class T>
DataLoss<T>::DataLoss(Architecture const& architecture, Objective objective, unsigned threads) : objective_(objective) {
    if (threads == 0) throw DomainError("DataLoss: threads = 0; at least 1 is needed", "threads");
    auto const& head = architecture.traits().back();
    bool const sure = head.softmax || head.unit.kind == UnitKind::sigmoid;
    if (sure && (objective == Objective::cross_entropy || objective == Objective::binary_cross_entropy))
        throw DomainError(std::string("DataLoss: the output is a ") + (head.softmax ? "softmax" : "sigmoid") +
                              ", but the objective " + name(objective) +
                              " takes logits and has that in itself; leave the head as it is",
                          "objective");
    std::size_t const count = std::min<std::size_t>(threads, most_lanes);
    for (std::size_t i = 0; i < count; ++i) workers_.push_back({.pass = BatchPass<T>(architecture), .sum = {}});
}

/// The chunks lane, lane + lanes, .. one after the other.
template <class T>
void DataLoss<T>::work(Call const& call, Index chunk, std::size_t lane, std::size_t lanes, Worker& worker) const {
    Index const samples = call.examples->inputs.cols();
    double const share = 1 / static_cast<double>(samples);
    bool const classes = has_classes(objective_);
    std::size_t const parameters = call.parameters.size();
    worker.loss = 0;
    worker.right = 0;
    std::span<T> sum = call.out;  // of a single lane; the sums of several are added later
    if (lanes > 1) {
        worker.sum.assign(call.task == Task::value ? 0 : parameters, T(0));
        sum = worker.sum;
    }
    Matrix<double> outputs;
    Matrix<double> targets;
    for (Index first = static_cast<Index>(lane) * chunk; first < samples; first += static_cast<Index>(lanes) * chunk) {
        Index const count = std::min(chunk, samples - first);
        outputs = worker.pass.forward(call.parameters, call.examples->inputs.middleCols(first, count), *call.form)
                      .template cast<double>();
        targets = call.examples->targets.middleCols(first, count);
        worker.loss += objective_sum(objective_, outputs, targets);
        if (classes) worker.right += *count_right(objective_, outputs, targets);
        if (call.task == Task::value) continue;
        Matrix<T> const gradients = (share * objective_gradients(objective_, outputs, targets)).template cast<T>();
        if (call.task == Task::gradient) {
            worker.pass.backward(gradients, sum);
            continue;
        }
        worker.pass.backward(gradients, {});
        Matrix<double> const moves = worker.pass.forward_tangent(call.direction).template cast<double>();
        worker.pass.backward_tangent(
            (share * objective_hessian_products(objective_, outputs, moves)).template cast<T>(), sum);
    }
}

template <class T>
typename DataLoss<T>::Value DataLoss<T>::run(Call const& call) {
    auto const out = call.out;
    auto const& a = architecture();
    auto const& [inputs, targets] = *call.examples;
    Index const samples = inputs.cols();
    if (samples == 0 || targets.cols() != samples || targets.rows() != static_cast<Index>(a.outputs()))
        throw DomainError("DataLoss: the targets are " + std::to_string(targets.rows()) + " x " +
                              std::to_string(targets.cols()) + "; " + std::to_string(a.outputs()) + " x " +
                              std::to_string(samples) + " is required, with 1 sample or more",
                          "targets");
    if (call.task != Task::value && out.size() != a.parameters())
        throw DomainError("DataLoss: room for " + std::to_string(out.size()) + " derivatives by " +
                              std::to_string(a.parameters()) + " parameters",
                          "gradient");
    Index const chunk = is_whole(a, *call.form) ? samples : chunk_samples;
    auto const chunks = static_cast<std::size_t>((samples + chunk - 1) / chunk);
    std::size_t const lanes = std::min(chunks, most_lanes);
    std::fill(out.begin(), out.end(), T(0));
    double loss = 0;
    std::size_t right = 0;
    for (std::size_t first = 0; first < lanes; first += workers_.size()) {
        std::size_t const last = std::min(first + workers_.size(), lanes);
        std::vector<std::exception_ptr> failures(last - first);
        auto const work_on = [&](std::size_t lane) {
            try {
                work(call, chunk, lane, lanes, workers_[lane - first]);
            } catch (...) {
                failures[lane - first] = std::current_exception();
            }
        };
        {
            std::vector<std::jthread> helpers;
            for (std::size_t lane = first + 1; lane < last; ++lane) {
                try {
                    helpers.emplace_back(work_on, lane);
                } catch (std::system_error const&) {
                    work_on(lane);  // no more threads to be had; the answer is the same
                }
            }
            work_on(first);
        }
        for (std::size_t lane = first; lane < last; ++lane) {
            if (failures[lane - first]) std::rethrow_exception(failures[lane - first]);
            auto const& worker = workers_[lane - first];
            loss += worker.loss;
            right += worker.right;
            if (call.task == Task::value || lanes == 1) continue;
            for (std::size_t i = 0; i < out.size(); ++i) out[i] += worker.sum[i];
        }
    }
    Value value{.loss = loss / static_cast<double>(samples), .right = std::nullopt};
    if (has_classes(objective_)) value.right = right;
    return value;
}

template <class T>
typename DataLoss<T>::Value DataLoss<T>::value(std::span<T const> parameters, Examples<T> const& examples,
                                               PassForm<T> const& form) {
    return run({Task::value, parameters, &examples, &form, {}, {}});
}

template <class T>
typename DataLoss<T>::Value DataLoss<T>::gradient(std::span<T const> parameters, Examples<T> const& examples,
                                                  std::span<T> gradient, PassForm<T> const& form) {
    return run({Task::gradient, parameters, &examples, &form, {}, gradient});
}

template <class T>
void DataLoss<T>::hessian_product(std::span<T const> parameters, Examples<T> const& examples,
                                  std::span<T const> direction, std::span<T> product, PassForm<T> const& form) {
    run({Task::hessian_product, parameters, &examples, &form, direction, product});
}

template <class T>
Matrix<T> network_outputs(Architecture const& architecture, std::span<T const> parameters, Matrix<T> const& inputs,
                          Moments<T> const* moments) {
    if (architecture.has_batch_norm() && moments == nullptr)
        throw DomainError("network_outputs: batch norm needs moments, else outputs depend on their batch", "moments");
    PassForm<T> const form{.moments = moments, .dropout = {}};
    BatchPass<T> pass(architecture);
    Matrix<T> out(static_cast<Index>(architecture.outputs()), inputs.cols());
    for (Index first = 0; first < inputs.cols(); first += chunk_samples) {
        Index const count = std::min(chunk_samples, inputs.cols() - first);
        out.middleCols(first, count) = pass.forward(parameters, inputs.middleCols(first, count), form);
    }
    return out;
}

template <class T>
Matrix<T> output_jacobian(Architecture const& architecture, std::span<T const> parameters, Matrix<T> const& inputs,
                          PassForm<T> const& form) {
    auto const outputs = static_cast<Index>(architecture.outputs());
    Index const at_once = is_whole(architecture, form) ? inputs.cols() : 1;
    Matrix<T> out = Matrix<T>::Zero(inputs.cols() * outputs, static_cast<Index>(parameters.size()));
    BatchPass<T> pass(architecture);
    for (Index first = 0; first < inputs.cols(); first += at_once) {
        pass.forward(parameters, inputs.middleCols(first, at_once), form);
        for (Index k = 0; k < at_once; ++k)
            for (Index i = 0; i < outputs; ++i) {
                Matrix<T> one = Matrix<T>::Zero(outputs, at_once);
                one(i, k) = T(1);
                pass.backward(one, std::span<T>(out.row((first + k) * outputs + i).data(), parameters.size()));
            }
    }
    return out;
}

template class DataLoss<float>;
template class DataLoss<double>;
template Matrix<float> network_outputs(Architecture const&, std::span<float const>, Matrix<float> const&,
                                       Moments<float> const*);
template Matrix<double> network_outputs(Architecture const&, std::span<double const>, Matrix<double> const&,
                                        Moments<double> const*);
template Matrix<float> output_jacobian(Architecture const&, std::span<float const>, Matrix<float> const&,
                                       PassForm<float> const&);
template Matrix<double> output_jacobian(Architecture const&, std::span<double const>, Matrix<double> const&,
                                        PassForm<double> const&);

}  // namespace isserlis::mlp
