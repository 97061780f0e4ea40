// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/ring/concept.hpp>

#include <array>
#include <cstddef>

namespace isserlis {

/// What a gated linear network does to a positive semidefinite random G, as far as fourth moments of norms need it.
template <Ring R>
struct TransferState {
    R mean{};      ///< m = E tr G
    R squared{};   ///< a = E (tr G)^2
    R crossed{};   ///< b = E tr G^2
    R diagonal{};  ///< d = E sum_i G_ii^2
    friend bool operator==(TransferState const&, TransferState const&) = default;
};

/// A linear step of the state: m is multiplied by `mean`, (a, b, d) by the matrix `second` (rows are results).
template <Ring R>
struct TransferMove {
    R mean = R(1);
    std::array<std::array<R, 3>, 3> second{{{{R(1), R(0), R(0)}}, {{R(0), R(1), R(0)}}, {{R(0), R(0), R(1)}}}};

    /// First y, then x.
    friend TransferMove operator*(TransferMove const& x, TransferMove const& y) {
        TransferMove out;
        out.mean = x.mean * y.mean;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                out.second[i][j] =
                    x.second[i][0] * y.second[0][j] + x.second[i][1] * y.second[1][j] + x.second[i][2] * y.second[2][j];
            }
        }
        return out;
    }
    friend TransferState<R> operator*(TransferMove const& x, TransferState<R> const& s) {
        auto row = [&](std::size_t i) {
            return R(x.second[i][0] * s.squared + x.second[i][1] * s.crossed + x.second[i][2] * s.diagonal);
        };
        return {.mean = x.mean * s.mean, .squared = row(0), .crossed = row(1), .diagonal = row(2)};
    }
    friend bool operator==(TransferMove const&, TransferMove const&) = default;
};

/// The state of G = x x^T for an input of |x|^2 and sum x_i^4: a = b = |x|^4.
///
/// Errors  none.
/// Source  docs/formulas/transfer_moves.md
template <Ring R>
[[nodiscard]] TransferState<R> input_state(R const& squared_norm, R const& fourth) {
    R const square = squared_norm * squared_norm;
    return {.mean = squared_norm, .squared = square, .crossed = square, .diagonal = fourth};
}

/// The state of the n x n identity, where the way back from the outputs starts.
template <Ring R>
[[nodiscard]] TransferState<R> output_state(R const& width) {
    return {.mean = width, .squared = width * width, .crossed = width, .diagonal = width};
}

/// G' = W G W^T with `rows` rows: half of the LAYER move.
///
/// Law     i.i.d. symmetric entries of this variance and kurtosis, independent of G.
/// Shape   forward `rows` is the fan-out of the weights, backward their fan-in.
/// Units   those of G times the variance.
/// Errors  none.
/// Source  docs/formulas/transfer_moves.md, with e = (kappa - 3) v^2, which [Residual 2019, section 3] misprints:
///         E G'_ii^2 = v^2 (a + 2b) + e d, E G'_ii G'_jj = v^2 a, E G'_ij^2 = v^2 b.
template <Ring R>
[[nodiscard]] TransferMove<R> weight_move(R const& rows, R const& variance, R const& kurtosis) {
    R const square = variance * variance;
    R const one = rows * square;
    R const pairs = rows * (rows - R(1)) * square;
    R const twice = one + one;
    R const excess = one * (kurtosis - R(3));
    return {.mean = rows * variance,
            .second = {{{{R(one + pairs), twice, excess}}, {{one, R(twice + pairs), excess}}, {{one, twice, excess}}}}};
}

/// G' = Z G Z with independent gates on the diagonal of Z: the other half of LAYER.
///
/// Law     gates are fair coins between their two values, which is exact for symmetric weights without ties.
/// Errors  none.
/// Source  docs/formulas/transfer_moves.md
template <Field R>
[[nodiscard]] TransferMove<R> gate_move(Gate<R> const& gate) {
    R const g2 = gate.moment(2);
    R const g4 = gate.moment(4);
    R const square = g2 * g2;
    R const more = g4 - square;
    return {.mean = g2, .second = {{{{square, R(0), more}}, {{R(0), square, more}}, {{R(0), R(0), g4}}}}};
}

/// The SKIP move: G' = (1 + M) G (1 + M)^T for a branch M that takes G to M G M^T by `branch`.
///
/// Law     M square, of zero mean, E M_ab M_cd = mu/n for (a, b) = (c, d) and 0 otherwise; mu = branch.mean.
/// Shape   n x n; `inverse_width` is 1/n.
/// Errors  none.
/// Source  docs/formulas/transfer_moves.md
template <Ring R>
[[nodiscard]] TransferMove<R> skip_move(R const& inverse_width, TransferMove<R> const& branch) {
    R const mu = branch.mean;
    R const two = mu + mu;
    R const two_over = two * inverse_width;
    R const four_over = two_over + two_over;
    TransferMove<R> out = branch;
    out.mean = R(1) + mu;
    auto add = [&](std::size_t i, std::size_t j, R const& x) { out.second[i][j] = out.second[i][j] + x; };
    add(0, 0, R(1) + two);
    add(0, 1, four_over);
    add(1, 0, two_over);
    add(1, 1, R(1) + two + two_over);
    add(2, 0, two_over);
    add(2, 1, four_over);
    add(2, 2, R(1));
    return out;
}

namespace detail {

/// Old and new part of a concatenation: traces add up, and their product has mean r times the square of the old one.
template <Ring R>
TransferMove<R> with_old_part(TransferMove<R> const& added, R const& r) {
    TransferMove<R> out = added;
    out.mean = R(1) + added.mean;
    for (std::size_t i = 0; i < 2; ++i) out.second[i][i] = R(1) + r + r + out.second[i][i];
    out.second[2][2] = R(1) + out.second[2][2];
    return out;
}

}  // namespace detail

/// The CONCAT move forward: the state of all that is concatenated, when a layer computed from it joins; `layer` takes
/// the state of the concatenation (a = b there) to that of the layer.
///
/// Errors  none.
/// Source  docs/formulas/transfer_moves.md
template <Ring R>
[[nodiscard]] TransferMove<R> concatenation_move(TransferMove<R> const& layer) {
    return detail::with_old_part(layer, layer.mean);
}

/// Backward, before any layer above: takes G = B B^T of one layer to what it adds to the pool of (P; U, V, X), the
/// variance-weighted traces of all layers above. From the pool to the rows of a layer below: `pool_rows_move`.
///
/// Errors  none.
/// Source  docs/formulas/transfer_moves.md: P = sum v tr G_l, U = sum v v' tr G tr G', V = sum v v' |B
/// B'^T|^2,
///         X = sum e sum_i G_ii^2.
template <Ring R>
[[nodiscard]] TransferMove<R> pooled_move(R const& variance, R const& kurtosis) {
    R const square = variance * variance;
    return {
        .mean = variance,
        .second = {{{{square, R(0), R(0)}}, {{R(0), square, R(0)}}, {{R(0), R(0), R(square * (kurtosis - R(3)))}}}}};
}

/// G = B B^T of `rows` neurons that all layers of the pool see, before their gates.
template <Ring R>
[[nodiscard]] TransferMove<R> pool_rows_move(R const& rows) {
    return weight_move(rows, R(1), R(4));  // variances and excesses are in the pool already
}

/// The CONCAT move backward: the pool when the layer with these neurons joins it.
template <Field R>
[[nodiscard]] TransferMove<R> backward_concatenation_move(R const& width, Gate<R> const& gate, R const& variance,
                                                          R const& kurtosis) {
    TransferMove<R> const added = pooled_move(variance, kurtosis) * (gate_move(gate) * pool_rows_move(width));
    return detail::with_old_part(added, added.mean);
}

}  // namespace isserlis
