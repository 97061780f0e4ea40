// SPDX-License-Identifier: MIT
#include <isserlis/mlp/batch_pass.hpp>

#include "mlp/batch_rows.hpp"
#include "mlp/batch_softmax.hpp"

namespace isserlis::mlp {

template <class T>
Matrix<T> const& BatchPass<T>::forward_tangent(std::span<T const> direction) {
    auto const& a = *architecture_;
    require_stage(stage_ != Stage::none, "forward_tangent", "forward");
    require(direction.size() == a.parameters(), "direction");
    direction_ = direction;
    for (std::size_t v = 1; v < nodes_.size(); ++v) {
        auto& node = nodes_[v];
        node.z_move.setZero(node.z.rows(), samples_);
        for (std::size_t const e : a.wiring().nodes()[v].incoming) {
            auto const& edge = a.wiring().edges()[e];
            if (edge.weighted) add_product(edge, direction_.data(), features(edge.from), node.z_move);
        }
        add_edges(v, parameters_, true, node.z_move);
        if (T const* const bias = at(ParameterKind::bias, v, direction_))
            for (Index i = 0; i < node.z.rows(); ++i) node.z_move.row(i).array() += bias[i];
        if (a.traits()[v].batch_norm) normalize_tangent(v, node.z_move);
        node.h_move = node.first.cwiseProduct(node.z_move);
        if (T const* const slope = at(ParameterKind::slope, v, direction_))
            node.h_move += *slope * node.z.cwiseMin(T(0));
        if (a.traits()[v].softmax) {
            apply_softmax_jacobian(node.soft, node.h_move);
            node.soft_move = node.h_move;
        }
        if (node.kept.size() != 0) node.h_move.array() *= node.kept.array();
        if (a.wiring().concatenated() && has_weights_out_[v] != 0) {
            Index const width = node.h.rows();
            node.features_move.resize(2 * width, samples_);
            node.features_move.topRows(width) = node.open.cwiseProduct(node.h_move);
            node.features_move.bottomRows(width) = (1 - node.open.array()).matrix().cwiseProduct(node.h_move);
        }
    }
    moved_ = true;
    return nodes_.back().h_move;
}

template <class T>
void BatchPass<T>::backward_tangent(Matrix<T> const& output_gradient_moves, std::span<T> out) {
    auto const& a = *architecture_;
    require_stage(stage_ == Stage::backward && moved_, "backward_tangent", "backward and forward_tangent");
    require(output_gradient_moves.rows() == batch::index(a.outputs()) && output_gradient_moves.cols() == samples_,
            "moves of the output gradients");
    require(out.size() == a.parameters(), "gradient");
    for (auto& node : nodes_) node.by_h_move.setZero(node.h.rows(), samples_);
    nodes_.back().by_h_move = output_gradient_moves;
    Matrix<T> by_z_move;
    for (std::size_t v = nodes_.size(); v-- > 1;) {
        auto& node = nodes_[v];
        // by_h of a dropped neuron is already 0, and that of a kept one has its factor.
        if (node.kept.size() != 0) node.by_h_move.array() *= node.kept.array();
        if (a.traits()[v].softmax) {
            // p (x - p.x) moves by p' (x - p.x) - p (p'.x), besides with x.
            apply_softmax_jacobian(node.soft, node.by_h_move);
            for (Index k = 0; k < samples_; ++k) {
                T const mean = column_product(node.soft, node.by_soft, k);
                T const mean_move = column_product(node.soft_move, node.by_soft, k);
                for (Index i = 0; i < node.h.rows(); ++i)
                    node.by_h_move(i, k) +=
                        node.soft_move(i, k) * (node.by_soft(i, k) - mean) - node.soft(i, k) * mean_move;
            }
        }
        by_z_move = node.by_h_move.cwiseProduct(node.first);
        if (is_curved(a.traits()[v].unit.kind))
            by_z_move.array() += node.by_h.array() * node.second.array() * node.z_move.array();
        if (T* const by_slope = at(ParameterKind::slope, v, out)) {
            T const slope_move = *at(ParameterKind::slope, v, direction_);
            for (Index i = 0; i < node.z.size(); ++i) {
                T const z = node.z.data()[i];
                if (z > 0) continue;
                *by_slope += node.by_h_move.data()[i] * z + node.by_h.data()[i] * node.z_move.data()[i];
                by_z_move.data()[i] += node.by_h.data()[i] * slope_move;
            }
        }
        if (a.traits()[v].batch_norm) {
            node.by_s_move.resize(node.z.rows(), samples_);
            normalize_backward_tangent(v, by_z_move, out);
        } else {
            node.by_s_move = by_z_move;
        }
        if (T* const by_bias = at(ParameterKind::bias, v, out))
            for (Index i = 0; i < node.z.rows(); ++i) by_bias[i] += batch::sum(batch::row(node.by_s_move, i), samples_);
        for (std::size_t const e : a.wiring().nodes()[v].incoming) {
            auto const& edge = a.wiring().edges()[e];
            auto& from = nodes_[edge.from];
            if (!edge.weighted) {
                from.by_h_move += node.by_s_move.middleRows(batch::index(edge.part), from.h.rows());
                continue;
            }
            add_gradient(edge, node.by_s_move, features(edge.from), out);
            if (edge.from == 0) continue;
            add_gradient(edge, node.by_s, a.wiring().concatenated() ? from.features_move : from.h_move, out);
            send_back(edge, parameters_.data(), node.by_s_move, from.by_h_move);
            send_back(edge, direction_.data(), node.by_s, from.by_h_move);
        }
    }
}

template Matrix<float> const& BatchPass<float>::forward_tangent(std::span<float const>);
template Matrix<double> const& BatchPass<double>::forward_tangent(std::span<double const>);
template void BatchPass<float>::backward_tangent(Matrix<float> const&, std::span<float>);
template void BatchPass<double>::backward_tangent(Matrix<double> const&, std::span<double>);

}  // namespace isserlis::mlp
