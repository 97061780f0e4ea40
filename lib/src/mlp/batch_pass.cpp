// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/mlp/batch_pass.hpp>
#include <isserlis/mlp/batch_product.hpp>
#include <isserlis/mlp/heaviside.hpp>
#include <string>

namespace isserlis::mlp {
namespace {

using Index = Eigen::Index;

Index index(std::size_t n) { return static_cast<Index>(n); }
std::size_t size(Index n) { return static_cast<std::size_t>(n); }

/// Sums in the order of the samples: Eigen's own depend on where a row lies in memory.
template <class T>
T sum(T const* row, Index samples) {
    T out = 0;
    for (Index k = 0; k < samples; ++k) out += row[k];
    return out;
}
template <class T>
T sum_of_products(T const* a, T const* b, Index samples) {
    T out = 0;
    for (Index k = 0; k < samples; ++k) out += a[k] * b[k];
    return out;
}

/// Turns logits into probabilities, column by column; the exponentials are taken in double.
template <class T>
void take_softmax(Matrix<T>& z) {
    for (Index k = 0; k < z.cols(); ++k) {
        T const top = z.col(k).maxCoeff();
        double total = 0;
        for (Index i = 0; i < z.rows(); ++i) total += std::exp(static_cast<double>(z(i, k) - top));
        for (Index i = 0; i < z.rows(); ++i)
            z(i, k) = static_cast<T>(std::exp(static_cast<double>(z(i, k) - top)) / total);
    }
}

/// The sum of a_i b_i down a column.
template <class T>
T column_product(Matrix<T> const& a, Matrix<T> const& b, Index k) {
    T out = 0;
    for (Index i = 0; i < a.rows(); ++i) out += a(i, k) * b(i, k);
    return out;
}

/// The Jacobian (5.19), which is symmetric, times each column of x: p (x - p.x).
template <class T>
void apply_softmax_jacobian(Matrix<T> const& p, Matrix<T>& x) {
    for (Index k = 0; k < x.cols(); ++k) {
        T const mean = column_product(p, x, k);
        for (Index i = 0; i < x.rows(); ++i) x(i, k) = p(i, k) * (x(i, k) - mean);
    }
}

/// The transpose, in blocks that stay in the cache.
template <class T>
T const* turned(T const* from, Index rows, Index cols, std::vector<T>& to) {
    constexpr Index block = 8;
    if (to.size() < size(rows * cols)) to.resize(size(rows * cols));
    for (Index i = 0; i < rows; i += block)
        for (Index j = 0; j < cols; j += block)
            for (Index q = j; q < std::min(j + block, cols); ++q)
                for (Index p = i; p < std::min(i + block, rows); ++p) to[size(q * rows + p)] = from[p * cols + q];
    return to.data();
}

template <class T>
T* row(Matrix<T>& m, Index i) {
    return m.data() + i * m.cols();
}
template <class T>
T const* row(Matrix<T> const& m, Index i) {
    return m.data() + i * m.cols();
}

}  // namespace

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
    ProductShape const shape{.rows = wiring.nodes()[edge.to].width, .inner = fan_in, .columns = size(samples_)};
    bool const scaled = edge.scale != 1;
    if (scaled) product_.setZero(sum.rows(), samples_);
    Matrix<T>& out = scaled ? product_ : sum;
    add_batch_product(shape, weights + edge.first, features.data(), out.data());
    if (wiring.concatenated())
        add_batch_product(shape, weights + edge.negative, row(features, index(fan_in)), out.data());
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
            sum.middleRows(index(edge.part), h.rows()) += h;
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
            magnitude.middleRows(index(edge.part), below.rows()) += below.cwiseAbs();
            continue;
        }
        Index const cols = index(wiring.nodes()[edge.from].width);
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

template <class T>
void BatchPass<T>::normalize(std::size_t v) {
    auto& node = nodes_[v];
    auto const& traits = architecture_->traits()[v];
    std::size_t const first = architecture_->first_normed(v);
    T const* const gain = at(ParameterKind::gain, v, parameters_);
    T const* const shift = at(ParameterKind::shift, v, parameters_);
    auto const count = static_cast<T>(samples_);
    node.normed.resize(node.z.rows(), samples_);
    node.reciprocal.resize(size(node.z.rows()));
    for (Index i = 0; i < node.z.rows(); ++i) {
        std::size_t const place = first + size(i);
        T* const z = row(node.z, i);
        T* const normed = row(node.normed, i);
        T mean;
        T deviation;
        if (form_.moments != nullptr) {
            mean = form_.moments->mean[place];
            deviation = form_.moments->deviation[place];
        } else {
            mean = sum(z, samples_) / count;
            T squares = 0;
            for (Index k = 0; k < samples_; ++k) squares += (z[k] - mean) * (z[k] - mean);
            deviation = std::sqrt(squares / count);
            moments_.mean[place] = mean;
            moments_.deviation[place] = deviation;
        }
        T const reciprocal = 1 / std::sqrt(deviation * deviation + static_cast<T>(traits.epsilon));
        node.reciprocal[size(i)] = reciprocal;
        for (Index k = 0; k < samples_; ++k) {
            normed[k] = (z[k] - mean) * reciprocal;
            z[k] = gain[i] * normed[k] + shift[i];
        }
    }
}

/// z of a node above the input, and the unit with its derivatives there.
template <class T>
void BatchPass<T>::take_values(std::size_t v) {
    auto& node = nodes_[v];
    auto const& traits = architecture_->traits()[v];
    Index const width = index(architecture_->wiring().nodes()[v].width);
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
    unit_jets(unit(v), size(node.z.size()), node.z.data(), node.h.data(), node.first.data(),
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
    require(inputs.rows() == index(a.inputs()) && samples_ > 0, "inputs");
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
            form_.dropout(v, std::span<T>(node.kept.data(), size(node.kept.size())));
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

/// by_h += scale W' by_s, or what P and N send back through the open side of each neuron.
template <class T>
void BatchPass<T>::send_back(GraphLayout::Edge const& edge, T const* weights, Matrix<T> const& by_s, Matrix<T>& by_h) {
    auto const& wiring = architecture_->wiring();
    auto const rows = index(wiring.nodes()[edge.to].width);
    auto const cols = index(wiring.nodes()[edge.from].width);
    ProductShape const shape{.rows = size(cols), .inner = size(rows), .columns = size(samples_)};
    bool const sides = wiring.concatenated();
    auto const& open = nodes_[edge.from].open;
    auto const add = [&](T const* matrix, T* to) {
        if (samples_ == 1) {  // by_s' W: the same sums
            add_batch_product({.rows = 1, .inner = size(rows), .columns = size(cols)}, by_s.data(), matrix, to);
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
    ProductShape const shape{.rows = rows, .inner = size(samples_), .columns = cols};
    for (bool const negative : {false, true}) {
        if (negative && !wiring.concatenated()) break;
        T const* const across = turned(row(features, negative ? index(cols) : 0), index(cols), samples_, turned_);
        T* const out = gradient.data() + (negative ? edge.negative : edge.first);
        if (edge.scale == 1) {
            add_batch_product(shape, by_s.data(), across, out);
            continue;
        }
        product_.setZero(index(rows), index(cols));
        add_batch_product(shape, by_s.data(), across, product_.data());
        for (Index i = 0; i < product_.size(); ++i) out[i] += static_cast<T>(edge.scale) * product_.data()[i];
    }
}

template <class T>
void BatchPass<T>::normalize_backward(std::size_t v, std::span<T> gradient) {
    auto& node = nodes_[v];
    T const* const gain = at(ParameterKind::gain, v, parameters_);
    T* const by_gain = at(ParameterKind::gain, v, gradient);
    T* const by_shift = at(ParameterKind::shift, v, gradient);
    auto const count = static_cast<T>(samples_);
    for (Index i = 0; i < node.z.rows(); ++i) {
        T const* const by_z = row(node.by_z, i);
        T const* const normed = row(node.normed, i);
        T* const by_s = row(node.by_s, i);
        T const total = sum(by_z, samples_);
        T const along = sum_of_products(by_z, normed, samples_);
        if (by_shift != nullptr) by_shift[i] += total;
        if (by_gain != nullptr) by_gain[i] += along;
        // (5.43) and (5.44), put together; given moments do not move.
        T const factor = gain[i] * node.reciprocal[size(i)];
        bool const moves = form_.moments == nullptr;
        T const mean = moves ? total / count : T(0);
        T const slope = moves ? along / count : T(0);
        for (Index k = 0; k < samples_; ++k) by_s[k] = factor * (by_z[k] - mean - normed[k] * slope);
    }
}

template <class T>
void BatchPass<T>::backward(Matrix<T> const& output_gradients, std::span<T> gradient) {
    auto const& a = *architecture_;
    require_stage(stage_ != Stage::none, "backward", "forward");
    require(output_gradients.rows() == index(a.outputs()) && output_gradients.cols() == samples_, "output gradients");
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
            for (Index i = 0; i < node.z.rows(); ++i) by_bias[i] += sum(row(node.by_s, i), samples_);
        for (std::size_t const e : a.wiring().nodes()[v].incoming) {
            auto const& edge = a.wiring().edges()[e];
            auto& from = nodes_[edge.from];
            if (edge.weighted) {
                add_gradient(edge, node.by_s, features(edge.from), gradient);
                if (edge.from != 0) send_back(edge, parameters_.data(), node.by_s, from.by_h);
            } else {
                from.by_h += node.by_s.middleRows(index(edge.part), from.by_h.rows());
            }
        }
    }
    stage_ = Stage::backward;
}

/// Turns the move of s into that of z.
template <class T>
void BatchPass<T>::normalize_tangent(std::size_t v, Matrix<T>& s_move) {
    auto& node = nodes_[v];
    T const* const gain = at(ParameterKind::gain, v, parameters_);
    T const* const gain_move = at(ParameterKind::gain, v, direction_);
    T const* const shift_move = at(ParameterKind::shift, v, direction_);
    auto const count = static_cast<T>(samples_);
    node.normed_move.resize(node.z.rows(), samples_);
    node.normed_slope.assign(size(node.z.rows()), T(0));
    for (Index i = 0; i < node.z.rows(); ++i) {
        T* const move = row(s_move, i);
        T const* const normed = row(node.normed, i);
        T* const normed_move = row(node.normed_move, i);
        T mean = 0;
        T slope = 0;
        if (form_.moments == nullptr) {
            mean = sum(move, samples_) / count;
            for (Index k = 0; k < samples_; ++k) slope += normed[k] * (move[k] - mean);
            slope /= count;
        }
        node.normed_slope[size(i)] = slope;
        for (Index k = 0; k < samples_; ++k) {
            normed_move[k] = node.reciprocal[size(i)] * (move[k] - mean - normed[k] * slope);
            move[k] = gain[i] * normed_move[k] + gain_move[i] * normed[k] + shift_move[i];
        }
    }
}

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
void BatchPass<T>::normalize_backward_tangent(std::size_t v, Matrix<T> const& by_z_move, std::span<T> out) {
    auto& node = nodes_[v];
    T const* const gain = at(ParameterKind::gain, v, parameters_);
    T const* const gain_move = at(ParameterKind::gain, v, direction_);
    T* const by_gain = at(ParameterKind::gain, v, out);
    T* const by_shift = at(ParameterKind::shift, v, out);
    auto const count = static_cast<T>(samples_);
    bool const moves = form_.moments == nullptr;
    for (Index i = 0; i < node.z.rows(); ++i) {
        T const* const by_z = row(node.by_z, i);
        T const* const by_z_moved = row(by_z_move, i);
        T const* const normed = row(node.normed, i);
        T const* const normed_move = row(node.normed_move, i);
        T* const by_s_move = row(node.by_s_move, i);
        T const total = sum(by_z, samples_);
        T const total_move = sum(by_z_moved, samples_);
        T const along = sum_of_products(by_z, normed, samples_);
        T const along_move =
            sum_of_products(by_z_moved, normed, samples_) + sum_of_products(by_z, normed_move, samples_);
        by_shift[i] += total_move;
        by_gain[i] += along_move;
        T const reciprocal = node.reciprocal[size(i)];
        T const mean = moves ? total / count : T(0);
        T const mean_move = moves ? total_move / count : T(0);
        T const slope = moves ? along / count : T(0);
        T const slope_move = moves ? along_move / count : T(0);
        T const factor = gain[i] * reciprocal;
        // 1 / sqrt(sigma^2 + epsilon) moves by minus its square times normed_slope.
        T const factor_move =
            gain_move[i] * reciprocal - gain[i] * reciprocal * reciprocal * node.normed_slope[size(i)];
        for (Index k = 0; k < samples_; ++k)
            by_s_move[k] = factor_move * (by_z[k] - mean - normed[k] * slope) +
                           factor * (by_z_moved[k] - mean_move - normed_move[k] * slope - normed[k] * slope_move);
    }
}

template <class T>
void BatchPass<T>::backward_tangent(Matrix<T> const& output_gradient_moves, std::span<T> out) {
    auto const& a = *architecture_;
    require_stage(stage_ == Stage::backward && moved_, "backward_tangent", "backward and forward_tangent");
    require(output_gradient_moves.rows() == index(a.outputs()) && output_gradient_moves.cols() == samples_,
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
            for (Index i = 0; i < node.z.rows(); ++i) by_bias[i] += sum(row(node.by_s_move, i), samples_);
        for (std::size_t const e : a.wiring().nodes()[v].incoming) {
            auto const& edge = a.wiring().edges()[e];
            auto& from = nodes_[edge.from];
            if (!edge.weighted) {
                from.by_h_move += node.by_s_move.middleRows(index(edge.part), from.h.rows());
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

template class BatchPass<float>;
template class BatchPass<double>;

}  // namespace isserlis::mlp
