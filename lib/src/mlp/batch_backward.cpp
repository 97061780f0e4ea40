// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/mlp/batch_pass.hpp>
#include <isserlis/mlp/batch_product.hpp>

#include "mlp/batch_rows.hpp"
#include "mlp/batch_softmax.hpp"
#include "mlp/entries.hpp"

namespace isserlis::mlp {
namespace {

/// The transpose.
template <class T>
T const* turned(T const* from, Eigen::Index rows, Eigen::Index cols, std::vector<T>& to) {
    if (to.size() < batch::size(rows * cols)) to.resize(batch::size(rows * cols));
    turn(batch::size(rows), batch::size(cols), from, to.data());
    return to.data();
}

}  // namespace

/// by_h += scale W' by_s, or what P and N send back through the open side of each neuron.
template <class T>
void BatchPass<T>::send_back(GraphLayout::Edge const& edge, T const* weights, Matrix<T> const& by_s, Matrix<T>& by_h) {
    auto const& wiring = architecture_->wiring();
    auto const rows = batch::index(wiring.nodes()[edge.to].width);
    auto const cols = batch::index(wiring.nodes()[edge.from].width);
    ProductShape const shape{.rows = batch::size(cols), .inner = batch::size(rows), .columns = batch::size(samples_)};
    bool const sides = wiring.concatenated();
    auto const& open = nodes_[edge.from].open;
    auto const add = [&](T const* matrix, T* to) {
        if (samples_ == 1) {  // by_s' W: the same sums
            add_batch_product({.rows = 1, .inner = batch::size(rows), .columns = batch::size(cols)}, by_s.data(),
                              matrix, to);
        } else {
            add_batch_product(shape, turned(matrix, rows, cols, turned_), by_s.data(), to);
        }
    };
    if (!sides && edge.scale == 1) return add(weights + edge.first, by_h.data());
    for (bool const negative : {false, true}) {
        if (negative && !sides) break;
        product_.setZero(cols, samples_);
        add(weights + (negative ? edge.negative : edge.first), product_.data());
        auto const sent = static_cast<T>(edge.scale) * product_.array();
        if (!sides) {
            by_h.array() += sent;
        } else if (negative) {
            by_h.array() += (1 - open.array()) * sent;
        } else {
            by_h.array() += open.array() * sent;
        }
    }
}

template <class T>
void BatchPass<T>::add_gradient(GraphLayout::Edge const& edge, Matrix<T> const& by_s, Matrix<T> const& features,
                                std::span<T> gradient) {
    if (gradient.empty()) return;
    auto const& wiring = architecture_->wiring();
    std::size_t const rows = wiring.nodes()[edge.to].width;
    std::size_t const cols = wiring.nodes()[edge.from].width;
    ProductShape const shape{.rows = rows, .inner = batch::size(samples_), .columns = cols};
    for (bool const negative : {false, true}) {
        if (negative && !wiring.concatenated()) break;
        T const* const across =
            turned(batch::row(features, negative ? batch::index(cols) : 0), batch::index(cols), samples_, turned_);
        T* const out = gradient.data() + (negative ? edge.negative : edge.first);
        if (edge.scale == 1) {
            add_batch_product(shape, by_s.data(), across, out);
            continue;
        }
        product_.setZero(batch::index(rows), batch::index(cols));
        add_batch_product(shape, by_s.data(), across, product_.data());
        for (Index i = 0; i < product_.size(); ++i) out[i] += static_cast<T>(edge.scale) * product_.data()[i];
    }
}

template <class T>
void BatchPass<T>::backward(Matrix<T> const& output_gradients, std::span<T> gradient) {
    auto const& a = *architecture_;
    require_stage(stage_ != Stage::none, "backward", "forward");
    require(output_gradients.rows() == batch::index(a.outputs()) && output_gradients.cols() == samples_,
            "output gradients");
    require(gradient.empty() || gradient.size() == a.parameters(), "gradient");
    for (auto& node : nodes_) node.by_h.setZero(node.h.rows(), samples_);
    nodes_.back().by_h = output_gradients;
    for (std::size_t v = nodes_.size(); v-- > 1;) {
        auto& node = nodes_[v];
        if (node.kept.size() != 0) node.by_h.array() *= node.kept.array();
        if (a.traits()[v].softmax) {
            node.by_soft = node.by_h;
            apply_softmax_jacobian(node.soft, node.by_h);
        }
        node.by_z = node.by_h.cwiseProduct(node.first);
        if (T* const by_slope = at(ParameterKind::slope, v, gradient))
            for (Index i = 0; i < node.z.size(); ++i)
                *by_slope += node.by_h.data()[i] * std::min(node.z.data()[i], T(0));
        if (a.traits()[v].batch_norm) {
            node.by_s.resize(node.z.rows(), samples_);
            normalize_backward(v, gradient);
        } else {
            node.by_s = node.by_z;
        }
        if (T* const by_bias = at(ParameterKind::bias, v, gradient))
            for (Index i = 0; i < node.z.rows(); ++i) by_bias[i] += batch::sum(batch::row(node.by_s, i), samples_);
        for (std::size_t const e : a.wiring().nodes()[v].incoming) {
            auto const& edge = a.wiring().edges()[e];
            auto& from = nodes_[edge.from];
            if (edge.weighted) {
                add_gradient(edge, node.by_s, features(edge.from), gradient);
                if (edge.from != 0) send_back(edge, parameters_.data(), node.by_s, from.by_h);
            } else {
                from.by_h += node.by_s.middleRows(batch::index(edge.part), from.by_h.rows());
            }
        }
    }
    stage_ = Stage::backward;
}

template void BatchPass<float>::send_back(GraphLayout::Edge const&, float const*, Matrix<float> const&, Matrix<float>&);
template void BatchPass<double>::send_back(GraphLayout::Edge const&, double const*, Matrix<double> const&,
                                           Matrix<double>&);
template void BatchPass<float>::add_gradient(GraphLayout::Edge const&, Matrix<float> const&, Matrix<float> const&,
                                             std::span<float>);
template void BatchPass<double>::add_gradient(GraphLayout::Edge const&, Matrix<double> const&, Matrix<double> const&,
                                              std::span<double>);
template void BatchPass<float>::backward(Matrix<float> const&, std::span<float>);
template void BatchPass<double>::backward(Matrix<double> const&, std::span<double>);

}  // namespace isserlis::mlp
