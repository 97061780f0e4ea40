// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/y_functionals.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace isserlis {

/// What one linearised gradient step changes at layer l, and the paper's letters.
template <class R>
struct MupLayer {
    R a;             ///< the part of E (Delta z_i)^2 with the squared output
    R b;             ///< the part with E|y|^2
    R b_tilde;       ///< [(d z)^2, (e z)^2]/n_L, labels weighted by the rates
    R c;             ///< [(d z)^2, z^2]/n_L
    R c_tilde;       ///< [z dz, z dz]/n_L
    R fourth_power;  ///< E (z_i)^4

    [[nodiscard]] R change_squared() const { return a + b; }
    friend bool operator==(MupLayer const&, MupLayer const&) = default;
};

namespace mup_detail {

/// The 15 pairings of six strands. 0, 2: the changes of z_i (A, C); 1, 3: the derivatives of outputs k, k' (B, D) with
/// the labels of A and C; 4, 5: the outputs (E, F).
inline constexpr std::size_t pairing_count = 15;
inline constexpr std::size_t strand_count = 6;
using Blocks = std::array<unsigned, strand_count>;  ///< the block of each strand

struct Pairings {
    std::array<Blocks, pairing_count> all;
    std::array<std::array<unsigned, pairing_count>, pairing_count> blocks_of_join;
    std::array<std::size_t, pairing_count> exchanged;  ///< the pairing with A, B and C, D exchanged
};

/// The finest partition that is coarser than both, as block numbers from 0.
[[nodiscard]] inline Blocks join(Blocks x, Blocks const& y) {
    for (std::size_t i = 0; i < strand_count; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (y[i] != y[j] || x[i] == x[j]) continue;
            unsigned const from = x[i];
            for (auto& block : x) block = block == from ? x[j] : block;
        }
    }
    std::array<unsigned, strand_count> names{};
    unsigned count = 0;
    Blocks out{};
    for (std::size_t i = 0; i < strand_count; ++i) {
        std::size_t first = 0;
        while (x[first] != x[i]) ++first;
        if (first == i) names[i] = count++;
        out[i] = names[first];
    }
    return out;
}

[[nodiscard]] inline unsigned block_count(Blocks const& x) {
    unsigned most = 0;
    for (unsigned const b : x) most = b > most ? b : most;
    return most + 1;
}

[[nodiscard]] inline Pairings make_pairings() {
    Pairings out{};
    std::size_t n = 0;
    for (unsigned a = 1; a < strand_count; ++a) {
        // Strand 0 with a; the first of the rest with b; the last two together.
        std::array<unsigned, 4> rest{};
        std::size_t r = 0;
        for (unsigned s = 1; s < strand_count; ++s) {
            if (s != a) rest[r++] = s;
        }
        for (std::size_t b = 1; b < rest.size(); ++b) {
            Blocks p{};
            p[0] = p[a] = 0;
            for (std::size_t i = 0; i < rest.size(); ++i) p[rest[i]] = i == 0 || i == b ? 1 : 2;
            out.all[n++] = p;
        }
    }
    for (std::size_t x = 0; x < pairing_count; ++x) {
        for (std::size_t y = 0; y < pairing_count; ++y)
            out.blocks_of_join[x][y] = block_count(join(out.all[x], out.all[y]));
        auto const& b = out.all[x];
        Blocks const other = join({b[2], b[3], b[0], b[1], b[4], b[5]}, {0, 1, 2, 3, 4, 5});
        std::size_t at = 0;
        while (out.all[at] != other) ++at;
        out.exchanged[x] = at;
    }
    return out;
}

[[nodiscard]] inline Pairings const& pairings() {
    static Pairings const table = make_pairings();
    return table;
}

template <class R>
using Vector15 = std::array<R, pairing_count>;

/// Where the sums run without dividing; R itself where there is no such domain.
template <class R>
struct SumDomain {
    using Element = R;
    static R numerator(R const& x) { return x; }
    static R denominator(R const&) { return R(1); }
    static R value(R const& x) { return x; }
};
template <class R>
requires requires { typename Domain<R>::Element; }
struct SumDomain<R> : Domain<R> {
    using typename Domain<R>::Element;
    static R value(Element const& x) { return Domain<R>::finish(x, {}); }
};

/// Sums over pairings, all of them times `scale`, which keeps them polynomials in widths and rates.
template <class R>
struct SixStrands {
    using E = typename SumDomain<R>::Element;
    R scale;            ///< prod of v^3 and n/8 so far
    E none;             ///< no label placed: the same for every pairing
    Vector15<E> first;  ///< the label of A and B placed; that of C and D is the same with the strands exchanged
    Vector15<E> both;

    explicit SixStrands(R const& start) : scale(start), none(1) {
        first.fill(E(0));
        both.fill(E(0));
    }
};

/// A weight layer of this variance; `tau` is the label factor over the variance.
template <class R>
void pass_weights(SixStrands<R>& s, R const& variance, R const& tau) {
    using E = typename SixStrands<R>::E;
    auto const& table = pairings();
    E const t = SumDomain<R>::numerator(tau);
    E const d = SumDomain<R>::denominator(tau);
    R const divisor = SumDomain<R>::value(d);
    s.scale = s.scale * variance * variance * variance / (divisor * divisor);
    E const one = t * d * s.none;
    E const two = t * t * s.none;
    for (std::size_t p = 0; p < pairing_count; ++p) {
        auto const& block = table.all[p];
        bool const ab = block[0] == block[1];
        bool const cd = block[2] == block[3];
        E both = d * d * s.both[p];
        if (ab) both = both + t * d * s.first[table.exchanged[p]];
        if (cd) both = both + t * d * s.first[p];
        if (ab && cd) both = both + two;
        s.both[p] = both;
    }
    for (std::size_t p = 0; p < pairing_count; ++p) {
        E first = d * d * s.first[p];
        if (table.all[p][0] == table.all[p][1]) first = first + one;
        s.first[p] = first;
    }
    s.none = d * d * s.none;
}

/// A layer of n ReLU neurons: join of 3 blocks n^2(n+3)/8, of 2 blocks n(n+1)/4, of one n/2.
template <class R>
void pass_gates(SixStrands<R>& s, R const& n) {
    auto const& table = pairings();
    using E = typename SixStrands<R>::E;
    E const a = SumDomain<R>::numerator(n);
    E const b = SumDomain<R>::denominator(n);
    R const divisor = SumDomain<R>::value(b);
    s.scale = s.scale * n / (R(8) * divisor * divisor);
    std::array<E, 4> const weight{E(0), E(4) * b * b, E(2) * (a + b) * b, a * (a + E(3) * b)};
    auto through = [&](Vector15<E>& x) {
        Vector15<E> out;
        for (std::size_t p = 0; p < pairing_count; ++p) {
            std::array<E, 4> sum{E(0), E(0), E(0), E(0)};
            for (std::size_t q = 0; q < pairing_count; ++q) {
                E& into = sum[table.blocks_of_join[p][q]];
                into = into + x[q];
            }
            out[p] = weight[1] * sum[1] + weight[2] * sum[2] + weight[3] * sum[3];
        }
        x = out;
    };
    s.none = s.none * (a + E(4) * b) * (a + E(11) * b);  // the sum of a row
    through(s.first);
    through(s.both);
}

/// The three pairings of B, D, E, F as they come down from the outputs: BD|EF, BE|DF, BF|DE.
template <class R>
using Vector3 = std::array<R, 3>;

template <class R>
[[nodiscard]] Vector3<R> gated_down(Vector3<R> const& c, R const& n, R const& variance) {
    R const same = n * (n + R(1)) / R(4);
    R const other = n / R(2);
    R const all = c[0] + c[1] + c[2];
    Vector3<R> out;
    for (std::size_t i = 0; i < 3; ++i) out[i] = variance * variance * ((same - other) * c[i] + other * all);
    return out;
}

/// (1/n) sum over the neurons of layer l, where A and C end before the gate and the others pass it.
template <class R>
[[nodiscard]] R closed(SixStrands<R> const& x, Vector3<R> const& c, R const& n) {
    auto const& table = pairings();
    // Joins with A and C together, as blocks: 0 is always theirs and the strands tied to them.
    std::array<Blocks, 3> const above{Blocks{0, 1, 0, 1, 2, 2}, Blocks{0, 1, 0, 2, 1, 2}, Blocks{0, 1, 0, 2, 2, 1}};
    std::array<std::array<R, 2>, 4> sums;  // by blocks, and by whether the block of A and C has other strands too
    for (auto& row : sums) row.fill(R(0));
    for (std::size_t k = 0; k < 3; ++k) {
        using E = typename SixStrands<R>::E;
        std::array<std::array<E, 2>, 4> of_pairing;
        for (auto& row : of_pairing) row.fill(E(0));
        for (std::size_t p = 0; p < pairing_count; ++p) {
            Blocks const joined = join(table.all[p], above[k]);
            bool gated = false;
            for (std::size_t const s : {1U, 3U, 4U, 5U}) gated = gated || joined[s] == joined[0];
            E& into = of_pairing[block_count(joined)][gated ? 1 : 0];
            into = into + x.both[p];
        }
        for (std::size_t b = 1; b < sums.size(); ++b) {
            for (std::size_t g = 0; g < 2; ++g) sums[b][g] = sums[b][g] + c[k] * SumDomain<R>::value(of_pairing[b][g]);
        }
    }
    // Distinct neurons for groups of blocks; each group with one of B, D, E, F has a gate, of mean 1/2.
    R out = (sums[1][0] + sums[1][1]) / R(2);
    for (std::size_t g = 0; g < 2; ++g) {
        R const alone = R(1) / R(g == 1 ? 2 : 1);  // of the block of A and C by itself
        R const apart = n - R(1);
        out = out + sums[2][g] * (apart * alone / R(2) + R(1) / R(2));
        // Three blocks: on three neurons, on two in three ways, or on one.
        out =
            out + sums[3][g] * (apart * (n - R(2)) * alone / R(4) + apart * (R(2) / R(4) + alone / R(2)) + R(1) / R(2));
    }
    return x.scale * out;
}

}  // namespace mup_detail

/// Errors  UnsupportedError without a hidden layer, for another activation than ReLU, and for other variances than
///         2/fan_in and 1/n_L^2 in the output layer. One run per layer.
template <class R>
void require_mup(FullyConnected<R, std::uint64_t> const& net) {
    if (net.layers.size() < 2)
        throw UnsupportedError("mup_step: there is no hidden layer whose change could be asked for", "WIDTHS");
    R const last_width = net.layers.back().fan_in;
    if (!(net.layers.back().variance * last_width * last_width == R(1))) {
        throw UnsupportedError("mup_step: the output layer needs the variance 1/n_L^2; use --scheme mean-field",
                               "--variance");
    }
    require_functionals(net);
}

/// One step of gradient descent on 1/2 |z^(L+1) - y|^2 at initialisation, one sample, to first order in the step:
/// Delta z_i^(l) = - sum_mu h_mu d_mu z_i^(l) sum_k d_mu z_k^(L+1) (z_k^(L+1) - y_k), h_mu the rate of the layer of mu.
///
/// Law     Gaussian weights of variance 2/fan_in, 1/n_L^2 in the output layer (muP), no biases, ReLU; y independent of
///         the weights, E|y|^2 = `target_second` over all outputs, any mean.
/// Shape   one run per layer; the label factors of the hidden layers are the rates. Layers 1 .. L come back, O(layers).
/// Units   Delta z is linear in the rates.
/// Errors  UnsupportedError for other variances, laws or activations, and without a hidden layer.
/// Source  [Jelassi 2023, section 2], corrected: docs/formulas/mup_step.md.
template <Field R>
[[nodiscard]] std::vector<MupLayer<R>> mup_step(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                                R const& target_second) {
    namespace detail = mup_detail;
    require_mup(net);
    std::size_t const hidden = net.layers.size() - 1;
    auto const functionals = y_functionals(net, square);

    R const last_width = net.layers.back().fan_in;
    // From the outputs down to each layer: four strands for A, two for B.
    R const head = net.layers.back().variance;
    R const outputs = net.output_width();
    std::vector<detail::Vector3<R>> four(hidden + 1);
    std::vector<R> two(hidden + 1, head);
    R const head2 = head * head;
    four[hidden] = {head2 * outputs, head2 * outputs * outputs, head2 * outputs};
    for (std::size_t l = hidden; l-- > 1;) {
        auto const& above = net.layers[l];  // the weights into layer l + 1
        four[l] = detail::gated_down(four[l + 1], above.fan_out, above.variance);
        two[l] = two[l + 1] * above.variance * above.fan_out / R(2);
    }

    detail::SixStrands<R> s(R(square * square * square));
    std::vector<MupLayer<R>> out;
    R const mean_square = square / net.input_width();
    R before = mean_square * mean_square;  // E (|sigma^(l-1)|^2/n)^2
    for (std::size_t l = 1; l <= hidden; ++l) {
        auto const& run = net.layers[l - 1];
        R const n = run.fan_out;
        if (l > 1) detail::pass_gates(s, run.fan_in);
        detail::pass_weights(s, run.variance, R(run.label_factor / run.variance));
        auto const& y = functionals[l - 1];
        out.push_back({.a = detail::closed(s, four[l], n),
                       .b = target_second * two[l] * n * y.p1 / R(2),
                       .b_tilde = y.p0 / last_width,
                       .c = y.y0 / last_width,
                       .c_tilde = y.y1 / last_width,
                       .fourth_power = R(12) * before});
        before = y.s;
    }
    return out;
}

/// E (Delta z_i^(L))^2 of the networks n,n:L,N of muP with all rates 1, for L = 1 .. depth, in O(depth) together.
///
/// Law, Source  those of `mup_step`.
/// Shape   `width` is n, of the input and every hidden layer; `outputs` is N.
/// Errors  none.
template <Field R>
[[nodiscard]] std::vector<R> mup_last_changes(R const& width, R const& outputs, std::size_t depth, R const& square,
                                              R const& target_second) {
    namespace detail = mup_detail;
    R const variance = R(2) / width;
    R const mean_square = square / width;
    R const head = R(1) / (width * width);
    R const head2 = head * head;
    detail::Vector3<R> const four{head2 * outputs, head2 * outputs * outputs, head2 * outputs};
    detail::SixStrands<R> s(R(square * square * square));
    YFunctionals<R> y;
    y.s = mean_square * mean_square;
    std::vector<R> out;
    for (std::size_t l = 1; l <= depth; ++l) {
        if (l > 1) detail::pass_gates(s, width);
        detail::pass_weights(s, variance, R(R(1) / variance));
        y = next_y_functionals(y, width, width, width, mean_square);
        out.push_back(detail::closed(s, four, width) + target_second * head * width * y.p1 / R(2));
    }
    return out;
}

/// What `mup_last_changes` tends to as n goes to infinity, |x|^2 = n: L (2 L^2 + 1)/6 (E|y|^2 + g + 2 L g^2), g = N/n.
///
/// Law, Source  those of `mup_step`. g = 0 stands for any fixed number of outputs: the rate goes like L^(-3/2), else
///         like L^(-2).
/// Shape   `outputs_per_width` is g.
/// Errors  none.
template <Field R>
[[nodiscard]] R mup_limit_change(R const& depth, R const& outputs_per_width, R const& target_second) {
    R const& g = outputs_per_width;
    return depth * (R(2) * depth * depth + R(1)) / R(6) * (target_second + g + R(2) * depth * g * g);
}

}  // namespace isserlis
