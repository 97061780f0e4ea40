// SPDX-License-Identifier: MIT
#include <isserlis/mlp/batch_pass.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/batch_product.hpp>
#include <isserlis/mlp/heaviside.hpp>
#include <string>

#include "mlp/batch_rows.hpp"
#include "mlp/batch_softmax.hpp"

namespace isserlis::mlp {

template <class T>
BatchPass<T>::BatchPass(Architecture const& architecture)
    : architecture_(&architecture),
      has_weights_out_(architecture.traits().size(), 0),
      nodes_(architecture.traits().size()) {
    for (auto const& edge : architecture.wiring().edges())
        if (edge.weighted) has_weights_out_[edge.from] = 1;
    moments_.mean.resize(architecture.normed_neurons());
    moments_.deviation.resize(architecture.normed_neurons());
}

template <class T>
void BatchPass<T>::require(bool fits, char const* what) const {
    if (fits) return;
    auto const& a = *architecture_;
    throw DomainError(std::string("BatchPass: the size of the ") + what + " does not fit a network of " +
                          std::to_string(a.inputs()) + " inputs, " + std::to_string(a.outputs()) + " outputs, " +
                          std::to_string(a.parameters()) + " parameters and " + std::to_string(a.normed_neurons()) +
                          " neurons with batch norm at " + std::to_string(samples_) + " samples",
                      what);
}

template <class T>
void BatchPass<T>::require_stage(bool reached, char const* call, char const* before) const {
    if (!reached) throw DomainError(std::string("BatchPass: ") + call + " needs " + before + " first", call);
}

template <class T>
T const* BatchPass<T>::at(ParameterKind kind, std::size_t node, std::span<T const> parameters) const {
    auto const* range = architecture_->range(node, kind);
    return range == nullptr ? nullptr : parameters.data() + range->first;
}

template <class T>
T* BatchPass<T>::at(ParameterKind kind, std::size_t node, std::span<T> parameters) const {
    auto const* range = architecture_->range(node, kind);
    return range == nullptr || parameters.empty() ? nullptr : parameters.data() + range->first;
}

template <class T>
Unit BatchPass<T>::unit(std::size_t node) const {
    Unit out = architecture_->traits()[node].unit;
    if (out.has_trained_slope()) out.slope = static_cast<double>(*at(ParameterKind::slope, node, parameters_));
    return out;
}

template <class T>
Matrix<T> const& BatchPass<T>::features(std::size_t node) const {
    return architecture_->wiring().concatenated() ? nodes_[node].features : nodes_[node].h;
}

template <class T>
void BatchPass<T>::split(Matrix<T> const& h, NodeState& node) {
    node.features.resize(2 * h.rows(), samples_);
    node.features.topRows(h.rows()) = h.cwiseMax(T(0));
    node.features.bottomRows(h.rows()) = h.cwiseMin(T(0));
    node.open = h.unaryExpr([](T x) { return heaviside(x); });
}

/// sum += scale (W h), or with P over relu(h) and N over min(h, 0): two products, each with a matrix of its own.
template <class T>
void BatchPass<T>::add_product(GraphLayout::Edge const& edge, T const* weights, Matrix<T> const& features,
                               Matrix<T>& sum) {
    auto const& wiring = architecture_->wiring();
    std::size_t const fan_in = wiring.nodes()[edge.from].width;
    ProductShape const shape{.rows = wiring.nodes()[edge.to].width, .inner = fan_in, .columns = batch::size(samples_)};
    bool const scaled = edge.scale != 1;
    if (scaled) product_.setZero(sum.rows(), samples_);
    Matrix<T>& out = scaled ? product_ : sum;
    add_batch_product(shape, weights + edge.first, features.data(), out.data());
    if (wiring.concatenated())
        add_batch_product(shape, weights + edge.negative, batch::row(features, batch::index(fan_in)), out.data());
    if (scaled) sum += static_cast<T>(edge.scale) * product_;
}

template <class T>
void BatchPass<T>::add_edges(std::size_t node, std::span<T const> weights, bool of_moves, Matrix<T>& sum) {
    auto const& wiring = architecture_->wiring();
    for (std::size_t const e : wiring.nodes()[node].incoming) {
        auto const& edge = wiring.edges()[e];
        auto const& from = nodes_[edge.from];
        if (of_moves && edge.from == 0) continue;  // inputs stay where they are
        if (edge.weighted) {
            Matrix<T> const& moves = wiring.concatenated() ? from.features_move : from.h_move;
            add_product(edge, weights.data(), of_moves ? moves : features(edge.from), sum);
        } else {
            Matrix<T> const& h = of_moves ? from.h_move : from.h;
            sum.middleRows(batch::index(edge.part), h.rows()) += h;
        }
    }
}

/// Sets every z of a node to 0 that is, but for rounding of its sum; which ones, in row-major order.
template <class T>
std::vector<Eigen::Index> BatchPass<T>::take_ties(std::size_t v) {
    auto const& wiring = architecture_->wiring();
    auto& z = nodes_[v].z;
    Matrix<T> magnitude = Matrix<T>::Zero(z.rows(), samples_);
    using View = Eigen::Map<Matrix<T> const>;
    for (std::size_t const e : wiring.nodes()[v].incoming) {
        auto const& edge = wiring.edges()[e];
        Matrix<T> const& below = edge.weighted ? features(edge.from) : nodes_[edge.from].h;
        if (!edge.weighted) {
            magnitude.middleRows(batch::index(edge.part), below.rows()) += below.cwiseAbs();
            continue;
        }
        Index const cols = batch::index(wiring.nodes()[edge.from].width);
        Matrix<T> sizes =
            View(parameters_.data() + edge.first, z.rows(), cols).cwiseAbs() * below.topRows(cols).cwiseAbs();
        if (wiring.concatenated())
            sizes +=
                View(parameters_.data() + edge.negative, z.rows(), cols).cwiseAbs() * below.bottomRows(cols).cwiseAbs();
        magnitude += static_cast<T>(edge.scale) * sizes;
    }
    std::vector<Index> out;
    for (Index i = 0; i < z.size(); ++i) {
        if (std::abs(z.data()[i]) > form_.ties->tolerance * magnitude.data()[i]) continue;
        z.data()[i] = T(0);
        out.push_back(i);
    }
    return out;
}

/// z of a node above the input, and the unit with its derivatives there.
template <class T>
void BatchPass<T>::take_values(std::size_t v) {
    auto& node = nodes_[v];
    auto const& traits = architecture_->traits()[v];
    Index const width = batch::index(architecture_->wiring().nodes()[v].width);
    node.z.setZero(width, samples_);
    add_edges(v, parameters_, false, node.z);
    if (T const* const bias = at(ParameterKind::bias, v, parameters_))
        for (Index i = 0; i < width; ++i) node.z.row(i).array() += bias[i];
    if (traits.batch_norm) normalize(v);
    std::vector<Index> tied;
    if (form_.ties != nullptr && !architecture_->wiring().nodes()[v].concatenation) tied = take_ties(v);
    bool const curved = is_curved(traits.unit.kind);
    node.h.resize(width, samples_);
    node.first.resize(width, samples_);
    if (curved) node.second.resize(width, samples_);
    unit_jets(unit(v), batch::size(node.z.size()), node.z.data(), node.h.data(), node.first.data(),
              curved ? node.second.data() : nullptr);
    if (traits.unit.kind == UnitKind::relu || traits.unit.kind == UnitKind::leaky)
        for (Index const i : tied)
            if (form_.ties->open()) node.first.data()[i] = T(1);
}

template <class T>
Matrix<T> const& BatchPass<T>::forward(std::span<T const> parameters, Eigen::Ref<Matrix<T> const> const& inputs,
                                       PassForm<T> const& form) {
    auto const& a = *architecture_;
    samples_ = inputs.cols();
    require(parameters.size() == a.parameters(), "parameters");
    require(inputs.rows() == batch::index(a.inputs()) && samples_ > 0, "inputs");
    if (form.moments != nullptr)
        require(form.moments->mean.size() == a.normed_neurons() && form.moments->deviation.size() == a.normed_neurons(),
                "moments");
    else if (a.has_batch_norm() && samples_ == 1)
        throw DomainError(
            "BatchPass: batch norm of a batch of 1 sample, which has no deviation; give 2 or more, or "
            "moments (production form)",
            "inputs");
    stage_ = Stage::none;
    moved_ = false;
    parameters_ = parameters;
    form_ = form;
    for (std::size_t v = 0; v < nodes_.size(); ++v) {
        auto& node = nodes_[v];
        auto const& traits = a.traits()[v];
        if (v == 0) {
            node.h = inputs;
        } else {
            take_values(v);
        }
        if (traits.softmax) {
            take_softmax(node.h);
            node.soft = node.h;
        }
        if (traits.keep < 1 && form_.dropout) {
            node.kept.resize(node.h.rows(), samples_);
            form_.dropout(v, std::span<T>(node.kept.data(), batch::size(node.kept.size())));
            node.kept /= static_cast<T>(traits.keep);
            node.h.array() *= node.kept.array();
        } else {
            node.kept.resize(0, 0);
        }
        if (a.wiring().concatenated() && has_weights_out_[v] != 0) split(node.h, node);
    }
    stage_ = Stage::forward;
    return outputs();
}

template class BatchPass<float>;
template class BatchPass<double>;

}  // namespace isserlis::mlp
