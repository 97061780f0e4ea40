// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isserlis {

template <class R, std::size_t C>
using ChannelVector = std::array<R, C>;
template <class R, std::size_t C>
using ChannelMatrix = std::array<std::array<R, C>, C>;
template <class R, std::size_t C>
using ChannelCube = std::array<ChannelMatrix<R, C>, C>;

/// Sums over the weight layers a < b of one network, products of one channel below a, one between and one above b.
///
/// A channel is a product of factors over hidden widths: with C = 2 those of four Gaussian strands, 1 + 2/d and
/// 1 - 1/d; with C = 3 those of six, (1 + 2/d)(1 + 4/d), (1 + 2/d)(1 - 1/d) and (1 - 1/d)(1 - 2/d). X_ab is channel X
/// over the widths d_a .. d_(b-1). The layer factors are u_a = P h_a/v_a with the prefactor
/// P = prod v_q prod_(0<r<n) d_r and the label factor h_a: the rate of the layer's weights, 1 unless it is given, v_a
/// in the NTK parametrisation.
template <class R, std::size_t C>
class LayerPairSums {
public:
    /// prod_q v_q prod_(0<r<n) d_r.
    R prefactor{0};

    /// X_1n.
    [[nodiscard]] R whole(std::size_t x) const { return all_[x] * scale_; }
    /// sum_a u_a.
    [[nodiscard]] R factor_sum() const { return factors_ * factor_scale_; }
    /// sum_a u_a sum_XZ weights[X][Z] X_1a Z_an.
    [[nodiscard]] R singles(ChannelMatrix<R, C> const& weights) const {
        return contracted(one_, weights) * factor_scale_ * scale_;
    }
    /// sum_a u_a^2 sum_XZ weights[X][Z] X_1a Z_an + sum_(a<b) u_a u_b sum_XYZ pairs[X][Y][Z] X_1a Y_ab Z_bn.
    [[nodiscard]] R pairs(ChannelMatrix<R, C> const& same, ChannelCube<R, C> const& different) const {
        R sum = contracted(same_, same);
        for (std::size_t x = 0; x < C; ++x) sum = sum + contracted(two_[x], different[x]);
        return sum * factor_scale_ * factor_scale_ * scale_;
    }

    // What the builders below fill: sums times known factors, divided out once.
    ChannelVector<R, C> all_{};
    ChannelMatrix<R, C> one_{};
    ChannelMatrix<R, C> same_{};
    ChannelCube<R, C> two_{};
    R factors_{0};
    R scale_{1};         ///< over the widths' denominators
    R factor_scale_{1};  ///< of each layer factor

private:
    static R contracted(ChannelMatrix<R, C> const& a, ChannelMatrix<R, C> const& b) {
        R sum(0);
        for (std::size_t x = 0; x < C; ++x) {
            for (std::size_t y = 0; y < C; ++y) sum = sum + a[x][y] * b[x][y];
        }
        return sum;
    }
};

/// prod_q v_q prod_(0<r<n) d_r.
template <class R, class Count>
[[nodiscard]] R layer_prefactor(std::vector<LayerRun<R, Count>> const& layers);

/// Law     none: sums of products of widths and variances. The channels are those of Gaussian weights.
/// Shape   C is 2 or 3; `layers` are the weight layers, input side first. Exact over Surd, as a balanced tree over integers when the
///         1/v_a lie in one quadratic field (square widths, or one root): quasi-linear in the depth. Over double and
///         RationalFunction one pass; runs of symbolic length in closed form.
/// Units   u_a carries the variances of all layers but a, and the label factor of a.
/// Errors  those of `check_widths`; DomainError for a variance that is not positive or (over Surd) such a label factor;
///         UnsupportedError for more than 64 different roots.
/// Source  docs/formulas/layer_pair_sums.md
template <std::size_t C, class R, class Count>
[[nodiscard]] LayerPairSums<R, C> layer_pair_sums(std::vector<LayerRun<R, Count>> const& layers);

}  // namespace isserlis
