// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/network/known.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>

#include <vector>

namespace isserlis {

template <Ring R>
struct PhiPsi {
    R phi;
    R psi;
    friend bool operator==(PhiPsi const&, PhiPsi const&) = default;
};

/// phi_cd and psi_cd of a stretch of widths d_c .. d_(d-1), through the products p = prod (1 + 2/d_q) and
/// m = prod (1 - 1/d_q): phi = (2 p + m)/3, psi = (p - m)/3.
///
/// Shape   `widths` are the d_q with c <= q < d; none for c = d, where phi = 1 and psi = 0.
/// Law     they are what Gaussian weights leave of E |B x|^2 |B y|^2 / (prod d_q)^2: phi - psi at orthogonal unit x, y,
///         psi for E (Bx.By)^2.
/// Errors  DomainError for a width that is no whole number from 1.
/// Source  [Hettinger 2019, Def 4.18].
template <Field R, class Count>
[[nodiscard]] PhiPsi<R> phi_psi(std::vector<WidthRun<R, Count>> const& widths) {
    std::vector<R> plus;
    std::vector<R> minus;
    for (auto const& [width, count] : widths) {
        if (!may_be_width(width))
            throw DomainError("phi_psi: width = " + shown(width) + "; a whole number from 1 is required");
        if (count == Count(0)) continue;
        plus.push_back(power(R((width + R(2)) / width), count));
        // At width 1 every product with m vanishes; 0^L is 0 for L >= 1.
        minus.push_back(width == R(1) ? R(0) : power(R((width - R(1)) / width), count));
    }
    R const p = product_tree(plus);
    R const m = product_tree(minus);
    return {.phi = (R(2) * p + m) / R(3), .psi = (p - m) / R(3)};
}

}  // namespace isserlis
