// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/formula/product_moments.hpp>
#include <isserlis/network/fully_connected.hpp>
#include <isserlis/ring/concept.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace isserlis {

/// Rows of a matrix over R.
template <class R>
using Rows = std::vector<std::vector<R>>;

/// Where the forms stand: layers A_1 .. A_n of shapes m_q x m_(q-1), every run of one layer; i and j count from 1.
template <class R>
using FormLayers = std::vector<LayerRun<R, std::uint64_t>>;

/// The vectors of the left end, of size m_0.
template <class R>
struct FormInputs {
    std::vector<R> x;
    std::vector<R> y;
    std::vector<R> z;
};

/// The vectors and the symmetric matrix of the right end, of size m_n.
template <class R>
struct FormOutputs {
    std::vector<R> w;
    std::vector<R> v;
    Rows<R> p;
};

template <Ring R>
[[nodiscard]] R dot(std::vector<R> const& a, std::vector<R> const& b) {
    R out(0);
    for (std::size_t i = 0; i < a.size(); ++i) out = out + a[i] * b[i];
    return out;
}

template <Ring R>
[[nodiscard]] R trace(Rows<R> const& a) {
    R out(0);
    for (std::size_t i = 0; i < a.size(); ++i) out = out + a[i][i];
    return out;
}

/// a' P b
template <Ring R>
[[nodiscard]] R bilinear(std::vector<R> const& a, Rows<R> const& p, std::vector<R> const& b) {
    R out(0);
    for (std::size_t i = 0; i < a.size(); ++i) out = out + a[i] * dot(p[i], b);
    return out;
}

namespace forms_detail {

[[noreturn]] inline void refuse(std::string const& name, std::string const& why, std::string const& argument) {
    throw DomainError(name + ": " + why, argument);
}

template <class R>
void require_layers(std::string const& name, FormLayers<R> const& layers) {
    if (layers.empty()) refuse(name, "there are no layers; at least one matrix is required", "widths");
    for (auto const& run : layers) {
        if (run.count != 1) refuse(name, "a run has several layers; list them one by one", "widths");
    }
}

inline void require_range(std::string const& name, char const* index, std::uint64_t value, std::uint64_t least,
                          std::uint64_t most, std::string const& most_text) {
    if (value >= least && value <= most) return;
    refuse(name,
           std::string(index) + " = " + std::to_string(value) + "; " + std::to_string(least) + " <= " + index +
               " <= " + most_text + " = " + std::to_string(most) + " is required",
           index);
}

template <class R>
std::string text_of(R const& x) {
    if constexpr (std::is_floating_point_v<R>) {
        return std::to_string(x);
    } else {
        return to_string(x);
    }
}

template <class R>
void require_size(std::string const& name, char const* what, std::size_t size, R const& width) {
    if (R(static_cast<int>(size)) == width) return;
    refuse(name, std::string(what) + " has " + std::to_string(size) + " entries for a width of " + text_of(width),
           what);
}

template <class R>
void require_square(std::string const& name, char const* what, Rows<R> const& p, R const& width) {
    require_size(name, what, p.size(), width);
    for (auto const& row : p) require_size(name, what, row.size(), width);
}

template <class R>
void require_symmetric(std::string const& name, char const* what, Rows<R> const& p) {
    for (std::size_t a = 0; a < p.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (!(p[a][b] == p[b][a])) refuse(name, std::string(what) + " is not symmetric", what);
        }
    }
}

/// Constants of the product A_last .. A_first (from 1, first <= last) of unit variance.
template <class R>
ProductMoments<R> constants(FormLayers<R> const& layers, std::size_t first, std::size_t last) {
    if constexpr (std::is_same_v<R, Surd>) {
        auto const rational =
            converted<Rational>(of_unit_variance(layers), [](Surd const& x) { return x.to_rational(); });
        return converted<R>(constants(rational, first, last));
    } else {
        std::vector<ProductStep<R>> steps;
        for (std::size_t q = first + 1; q <= last; ++q)
            steps.push_back({.inner_width = layers[q - 1].fan_in, .fourth_moment = layers[q - 1].law.kurtosis()});
        return product_moments<R>(layers[first - 1].law.kurtosis(), std::span<ProductStep<R> const>(steps));
    }
}

/// E of (x'B'B y)(x'B'D B z) over Tr D, B = A_(i-1) .. A_1, i >= 2.
template <class R>
R inner_factor(FormLayers<R> const& layers, std::size_t i, FormInputs<R> const& in) {
    auto const c = constants(layers, 1, i - 1);
    R const xx = dot(in.x, in.x);
    R const xy = dot(in.x, in.y);
    R const xz = dot(in.x, in.z);
    R const yz = dot(in.y, in.z);
    R w(0);  // what is not invariant under rotation
    for (std::size_t e = 0; e < in.x.size(); ++e) w = w + in.x[e] * in.x[e] * in.y[e] * in.z[e];
    R const others = layers[i - 2].fan_out - R(1);
    return c.nu * (xx * yz + R(2) * xy * xz - R(3) * w) + c.rho * w +
           others * (c.eta * (xx * yz + xz * xy - R(2) * w) + c.tau * (xy * xz - w) + c.gamma * w);
}

/// E of w'B B'P B D B'v over Tr D, B = A_n .. A_(j+1), j < n.
template <class R>
R outer_factor(FormLayers<R> const& layers, std::size_t j, FormOutputs<R> const& out) {
    auto const c = constants(layers, j + 1, layers.size());
    R const wpv = bilinear(out.w, out.p, out.v);
    R const pwv = trace(out.p) * dot(out.w, out.v);
    R q(0);
    for (std::size_t e = 0; e < out.w.size(); ++e) q = q + out.p[e][e] * out.w[e] * out.v[e];
    R const others = layers[j - 1].fan_out - R(1);
    return c.gamma * (R(2) * wpv + pwv - R(3) * q) + c.rho * q +
           others * (c.tau * (wpv - q) + c.eta * (pwv + wpv - R(2) * q) + c.nu * q);
}

template <class R>
void require_inputs(std::string const& name, FormLayers<R> const& layers, FormInputs<R> const& in, bool with_z) {
    require_size(name, "x", in.x.size(), layers.front().fan_in);
    require_size(name, "y", in.y.size(), layers.front().fan_in);
    if (with_z) require_size(name, "z", in.z.size(), layers.front().fan_in);
}

template <class R>
void require_outputs(std::string const& name, FormLayers<R> const& layers, FormOutputs<R> const& out, bool with_p) {
    require_size(name, "w", out.w.size(), layers.back().fan_out);
    require_size(name, "v", out.v.size(), layers.back().fan_out);
    if (!with_p) return;
    require_square(name, "P", out.p, layers.back().fan_out);
    require_symmetric(name, "P", out.p);
}

}  // namespace forms_detail

/// A.9: E (x'B'B y)(w'C C'v) with B = A_(i-1) .. A_1 and C = A_n .. A_(i+1), that is prod_(r<n) m_r x.y w.v.
///
/// Law     entries of the A_q independent, mean 0, variance 1; any fourth moments.
/// Shape   1 <= i <= n; x, y of size m_0, w, v of size m_n. z and P are not read. An empty product is the identity.
/// Units   multiply by prod_(q != i) v_q for entries of variance v_q: `scaled_quadratic_form_mean`.
/// Errors  DomainError for i or a size out of range.
/// Source  [Hettinger 2019, Lemma A.9].
template <Field R>
[[nodiscard]] R quadratic_form_mean(FormLayers<R> const& layers, std::uint64_t i, FormInputs<R> const& in,
                                    FormOutputs<R> const& out) {
    forms_detail::require_layers("A.9", layers);
    forms_detail::require_range("A.9", "i", i, 1, layers.size(), "n");
    forms_detail::require_inputs("A.9", layers, in, false);
    forms_detail::require_outputs("A.9", layers, out, false);
    std::vector<R> widths;
    for (std::size_t q = 1; q < layers.size(); ++q) widths.push_back(layers[q].fan_in);
    return product_tree(widths) * dot(in.x, in.y) * dot(out.w, out.v);
}

/// A.10: the same for entries of the variances of `layers`, u_i x.y w.v with u_i = prod_q v_q prod_(r<n) m_r / v_i.
///
/// Law, Shape, Errors  those of `quadratic_form_mean`.
/// Source  [Hettinger 2019, Cor A.10] for any variances.
template <Field R>
[[nodiscard]] R scaled_quadratic_form_mean(FormLayers<R> const& layers, std::uint64_t i, FormInputs<R> const& in,
                                           FormOutputs<R> const& out) {
    R const unit = quadratic_form_mean(layers, i, in, out);
    std::vector<R> variances;
    for (std::size_t q = 1; q <= layers.size(); ++q) {
        if (q != i) variances.push_back(layers[q - 1].variance);
    }
    return unit * product_tree(variances);
}

/// A.11: E (x'B'B y)(x'B'D B z) given D, with B = A_(i-1) .. A_1; in the lemma D = B_(j-1,i)'B_(j-1,i).
///
/// Law     entries i.i.d. within a layer, mean 0, variance 1, fourth moments of `layers`; D independent of B. For
///         Gaussian entries it is Tr D / m_(i-1) prod_(r<i) m_r^2 (phi_1i x.y x.z + psi_1i x.x y.z).
/// Shape   2 <= i <= n + 1; x, y, z of size m_0, D of size m_(i-1).
/// Errors  DomainError for i = 1, where the left side is x.y x'Dz, and for a size out of range.
/// Source  [Hettinger 2019, Lemma A.11], for i >= 2 and any fourth moment (docs/errata.md, H9).
template <Field R>
[[nodiscard]] R inner_quartic_form_mean(FormLayers<R> const& layers, std::uint64_t i, FormInputs<R> const& in,
                                        Rows<R> const& d) {
    if (i == 1) {
        forms_detail::refuse(
            "A.11", "i = 1; i >= 2 is required: without a random matrix in B the left side is just x.y x'Dz", "i");
    }
    forms_detail::require_layers("A.11", layers);
    forms_detail::require_range("A.11", "i", i, 2, layers.size() + 1, "n + 1");
    forms_detail::require_inputs("A.11", layers, in, true);
    forms_detail::require_square("A.11", "D", d, layers[i - 2].fan_out);
    return trace(d) * forms_detail::inner_factor(layers, i, in);
}

/// A.12: E |A_(j-1) .. A_i|^2/m_(i-1) |A_j .. A_(i+1)|^2/m_j with Frobenius norms, the identity for an empty product.
///
/// Law     entries i.i.d. within a layer, mean 0, variance 1, fourth moments of `layers`. For Gaussian entries it is
///         prod_(i<=r<j) m_r^2 (phi_ij - psi_ij).
/// Shape   1 <= i <= j <= n.
/// Errors  DomainError for i, j out of range.
/// Source  [Hettinger 2019, Lemma A.12], extended to any fourth moment.
template <Field R>
[[nodiscard]] R norm_product_mean(FormLayers<R> const& layers, std::uint64_t i, std::uint64_t j) {
    forms_detail::require_layers("A.12", layers);
    forms_detail::require_range("A.12", "j", j, 1, layers.size(), "n");
    forms_detail::require_range("A.12", "i", i, 1, j, "j");
    if (i == j) return R(1);
    R const first = layers[i - 1].fan_out;
    if (j == i + 1) return first * first;
    R const last = layers[j - 1].fan_in;
    auto const c = forms_detail::constants(layers, i + 1, j - 1);
    return last * first *
           (c.rho + (first - R(1)) * c.nu + (last - R(1)) * c.gamma + (last - R(1)) * (first - R(1)) * c.tau);
}

/// A.13: E w'B B'P B D B'v given D, with B = A_n .. A_(j+1); in the lemma D = B_(j,i+1) B_(j,i+1)'.
///
/// Law     as `inner_quartic_form_mean`. For Gaussian entries it is
///         Tr D / m_j prod_(j<=r<n) m_r^2 (phi_jn w'Pv + psi_jn Tr P w.v).
/// Shape   0 <= j <= n - 1; w, v and the symmetric P of size m_n, D of size m_j.
/// Errors  DomainError for j = n, where the left side is w'P D v, and for a size out of range.
/// Source  [Hettinger 2019, Lemma A.13], for j <= n - 1 and any fourth moment (docs/errata.md, H10).
template <Field R>
[[nodiscard]] R outer_quartic_form_mean(FormLayers<R> const& layers, std::uint64_t j, FormOutputs<R> const& out,
                                        Rows<R> const& d) {
    forms_detail::require_layers("A.13", layers);
    if (j == layers.size()) {
        forms_detail::refuse("A.13",
                             "j = " + std::to_string(j) +
                                 "; j <= n - 1 is required: without a random matrix in B the left side is just w'P D v",
                             "j");
    }
    forms_detail::require_range("A.13", "j", j, 0, layers.size() - 1, "n - 1");
    forms_detail::require_outputs("A.13", layers, out, true);
    forms_detail::require_square("A.13", "D", d, layers[j].fan_in);
    if (j > 0) return trace(d) * forms_detail::outer_factor(layers, j, out);
    // outer_factor reads m_j as the width above layer j.
    FormLayers<R> padded = layers;
    padded.insert(padded.begin(), {.fan_in = layers.front().fan_in, .fan_out = layers.front().fan_in, .count = 1});
    return trace(d) * forms_detail::outer_factor(padded, 1, out);
}

/// A.14: E (x'B_i'B_i y)(x'B_j'B_j z)(w'C_j C_j'P C_i C_i'v), B_i = A_(i-1) .. A_1 and C_i = A_n .. A_(i+1).
///
/// Law     entries i.i.d. within a layer, mean 0, variance 1, fourth moments of `layers`. For Gaussian entries it is
///         prod_(r<n) m_r^2 (phi_1i x.y x.z + psi_1i x.x y.z)(phi_ij - psi_ij)(phi_jn w'Pv + psi_jn Tr P w.v).
/// Shape   1 <= i <= j <= n; x, y, z of size m_0; w, v and the symmetric P of size m_n.
/// Errors  DomainError for i, j or a size out of range.
/// Source  [Hettinger 2019, Thm A.14], extended to any fourth moment: docs/formulas/quadratic_forms.md.
template <Field R>
[[nodiscard]] R quartic_form_mean(FormLayers<R> const& layers, std::uint64_t i, std::uint64_t j,
                                  FormInputs<R> const& in, FormOutputs<R> const& out) {
    forms_detail::require_layers("A.14", layers);
    forms_detail::require_range("A.14", "j", j, 1, layers.size(), "n");
    forms_detail::require_range("A.14", "i", i, 1, j, "j");
    forms_detail::require_inputs("A.14", layers, in, true);
    forms_detail::require_outputs("A.14", layers, out, true);
    R const inner = i == 1 ? R(dot(in.x, in.y) * dot(in.x, in.z))
                           : R(layers[i - 1].fan_in * forms_detail::inner_factor(layers, i, in));
    R const outer = j == layers.size() ? bilinear(out.w, out.p, out.v)
                                       : R(layers[j - 1].fan_out * forms_detail::outer_factor(layers, j, out));
    return inner * norm_product_mean(layers, i, j) * outer;
}

/// A.15: the same for entries of the variances of `layers`: times prod_q v_q^2/(v_i v_j), which for Gaussian entries
/// turns prod m_r^2 into u_i u_j.
///
/// Law, Shape, Errors  those of `quartic_form_mean`.
/// Source  [Hettinger 2019, Cor A.15] for any variances.
template <Field R>
[[nodiscard]] R scaled_quartic_form_mean(FormLayers<R> const& layers, std::uint64_t i, std::uint64_t j,
                                         FormInputs<R> const& in, FormOutputs<R> const& out) {
    R const unit = quartic_form_mean(layers, i, j, in, out);
    std::vector<R> variances;
    for (std::size_t q = 1; q <= layers.size(); ++q) {
        if (q != i) variances.push_back(layers[q - 1].variance);
        if (q != j) variances.push_back(layers[q - 1].variance);
    }
    return unit * product_tree(variances);
}

}  // namespace isserlis
