// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/ring/matrix_chain.hpp>
#include <isserlis/ring/power.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace isserlis {

/// A stretch of a network: matrices one after the other with gates between them, none before the first or after the
/// last, with the identity beside them or without.
template <class R>
struct SteppedStage {
    std::vector<BranchMatrix<R>> matrices;  ///< the lowest first; label factors are the rates of a step
    bool skip = true;
    std::uint64_t count = 1;
};

namespace pairing_detail {

/// The partner of each strand; of strands outside of what is paired, the strand itself.
using Pairing = std::array<std::uint8_t, 6>;
inline constexpr Pairing alone{0, 1, 2, 3, 4, 5};

/// All ways to pair the strands of a set.
inline std::vector<Pairing> pairings_of(unsigned set) {
    if (set == 0) return {alone};
    auto const first = static_cast<unsigned>(std::countr_zero(set));
    std::vector<Pairing> out;
    for (unsigned other = first + 1; other < 6; ++other) {
        if ((set >> other & 1U) == 0) continue;
        for (auto pairing : pairings_of(set & ~(1U << first) & ~(1U << other))) {
            pairing[first] = static_cast<std::uint8_t>(other);
            pairing[other] = static_cast<std::uint8_t>(first);
            out.push_back(pairing);
        }
    }
    return out;
}

/// What is left of a contraction of the rows when the strands of `branch` are paired: a pairing of the others, and how
/// many loops have closed.
struct Folded {
    Pairing passed = alone;
    unsigned loops = 0;
};
inline Folded folded(Pairing const& rows, Pairing const& paired, unsigned branch, unsigned all) {
    Folded out;
    unsigned seen = 0;
    for (unsigned t = 0; t < 6; ++t) {
        if ((all & ~branch & 1U << t) == 0) continue;
        unsigned s = rows[t];
        while ((branch >> s & 1U) != 0) {
            seen |= 1U << s | 1U << paired[s];
            s = rows[paired[s]];
        }
        out.passed[t] = static_cast<std::uint8_t>(s);
    }
    for (unsigned start = 0; start < 6; ++start) {
        if ((branch & ~seen & 1U << start) == 0) continue;
        ++out.loops;
        for (unsigned s = start; (seen >> s & 1U) == 0; s = rows[paired[s]]) seen |= 1U << s | 1U << paired[s];
    }
    return out;
}

/// How many loops two pairings of a set of strands make.
inline unsigned loops_of(Pairing const& above, Pairing const& below, unsigned set) {
    unsigned loops = 0;
    unsigned seen = 0;
    for (unsigned start = 0; start < 6; ++start) {
        if ((set & ~seen & 1U << start) == 0) continue;
        for (unsigned s = start; (seen >> s & 1U) == 0; s = below[above[s]]) seen |= 1U << s | 1U << above[s];
        ++loops;
    }
    return loops;
}

/// E of the product over the loops of two pairings, a loop of 2p strands being sum_i g_i^(2p) over the gates of a layer: up
/// to three pairs, so that their number and that of the loops tell how long these are.
template <class R>
class LoopMeans {
public:
    LoopMeans(R const& width, Gate<R> const& gate) {
        R const& n = width;
        R const one = gate.moment(2);
        R const two = gate.moment(4);
        R const three = gate.moment(6);
        R const both = n * (n - R(1));
        means_[0] = {n * one};
        means_[1] = {n * two, n * two + both * one * one};
        means_[2] = {n * three, n * three + both * two * one,
                     n * three + R(3) * both * two * one + both * (n - R(2)) * one * one * one};
    }
    [[nodiscard]] R const& of(unsigned pairs, unsigned loops) const { return means_[pairs - 1][loops - 1]; }

private:
    std::array<std::array<R, 3>, 3> means_;
};

/// A pair of strands, the first of them given, that meets at the weights of a matrix.
struct Label {
    unsigned slot;
    std::size_t matrix;
};

/// Those of the vector that pair the labelled strands of this matrix, times what the matrix gives.
template <class R>
void pass_matrix(std::vector<R>& values, std::vector<Pairing> const& pairings, BranchMatrix<R> const& matrix,
                 std::size_t place, std::vector<Label> const& labels, unsigned pairs) {
    R factor(1);
    unsigned left = pairs;
    for (auto const& label : labels) {
        if (label.matrix != place) continue;
        factor = factor * matrix.label_factor;
        --left;
    }
    factor = factor * power(matrix.variance, left);
    for (std::size_t k = 0; k < pairings.size(); ++k) {
        bool meets = true;
        for (auto const& label : labels)
            meets = meets && (label.matrix != place || pairings[k][label.slot] == label.slot + 1);
        values[k] = meets ? R(values[k] * factor) : R(0);
    }
}

/// Calls add(pairs, columns, coefficient) for each way in which 2K strands, contracted above by `rows`, go through a stage,
/// so many pairs of them through its matrices.
template <class R, class F>
void through(SteppedStage<R> const& stage, Gate<R> const& gate, Pairing const& rows, unsigned all,
             std::vector<Label> const& labels, F const& add) {
    R const zero(0);
    unsigned labelled = 0;
    for (auto const& label : labels) labelled |= 3U << label.slot;
    std::vector<LoopMeans<R>> means;  // of the gates above each matrix but the last
    for (std::size_t j = 0; j + 1 < stage.matrices.size(); ++j) means.emplace_back(stage.matrices[j].width, gate);
    for (unsigned branch = stage.skip ? 0U : all; branch <= all; ++branch) {
        if (std::popcount(branch) % 2 != 0 || (branch & labelled) != labelled) continue;
        auto const pairings = pairings_of(branch);
        auto const pairs = static_cast<unsigned>(std::popcount(branch)) / 2;
        std::map<Pairing, std::vector<R>> groups;
        for (std::size_t k = 0; k < pairings.size(); ++k) {
            auto const top = folded(rows, pairings[k], branch, all);
            auto& values = groups.try_emplace(top.passed, pairings.size(), zero).first->second;
            values[k] = power(stage.matrices.back().width, top.loops);
        }
        for (auto& [passed, values] : groups) {
            for (std::size_t j = branch == 0 ? 0 : stage.matrices.size(); j-- > 0;) {
                pass_matrix(values, pairings, stage.matrices[j], j, labels, pairs);
                if (j == 0) break;
                std::vector<R> below(pairings.size(), zero);
                for (std::size_t l = 0; l < pairings.size(); ++l) {
                    std::array<R, 3> by_loops{zero, zero, zero};
                    for (std::size_t k = 0; k < pairings.size(); ++k) {
                        if (values[k] == zero) continue;
                        auto& sum = by_loops[loops_of(pairings[k], pairings[l], branch) - 1];
                        sum = sum + values[k];
                    }
                    for (unsigned loops = 1; loops <= pairs; ++loops)
                        below[l] = below[l] + by_loops[loops - 1] * means[j - 1].of(pairs, loops);
                }
                values = std::move(below);
            }
            for (std::size_t k = 0; k < pairings.size(); ++k) {
                if (values[k] == zero) continue;
                Pairing columns = passed;
                for (unsigned s = 0; s < 6; ++s) {
                    if ((branch >> s & 1U) != 0) columns[s] = pairings[k][s];
                }
                add(pairs, columns, values[k]);
            }
        }
    }
}

/// An invariant of K matrices: which of them are Q, and how their rows are contracted.
struct Invariant {
    unsigned labels;  ///< a bit for each matrix that is Q
    Pairing rows;
};

inline constexpr Pairing apart{1, 0, 3, 2, 5, 4};

/// Of K = 1: tr Y, tr Q; of 2: (tr Y)^2, tr Y tr Q, tr Y Q, (tr Q)^2, tr Q^2; of 3: (tr Y)^3, (tr Y)^2 tr Q, tr Y tr Y Q,
/// tr Y (tr Q)^2, tr Y tr Q^2, tr Q tr Y Q, tr Y Q^2.
template <std::size_t K>
std::vector<Invariant> invariants() {
    if constexpr (K == 1) {
        return {{0, apart}, {1, apart}};
    } else if constexpr (K == 2) {
        Pairing const joined{2, 3, 0, 1, 4, 5};
        return {{0, apart}, {2, apart}, {2, joined}, {3, apart}, {3, joined}};
    } else {
        Pairing const last_two{1, 0, 4, 5, 2, 3};
        return {{0, apart},
                {4, apart},
                {4, last_two},
                {6, apart},
                {6, last_two},
                {6, {4, 5, 3, 2, 0, 1}},
                {6, {5, 2, 1, 4, 3, 0}}};
    }
}

/// The place of an invariant among `invariants`.
template <std::size_t K>
std::size_t place_of(unsigned labels, Pairing const& rows) {
    auto const is_alone = [&](unsigned matrix) { return rows[2 * matrix] == 2 * matrix + 1; };
    std::vector<unsigned> q;
    for (unsigned matrix = 0; matrix < K; ++matrix) {
        if ((labels >> matrix & 1U) != 0) q.push_back(matrix);
    }
    if (q.empty()) return 0;
    if (q.size() == 1) return is_alone(q[0]) ? 1 : 2;
    if constexpr (K == 3) {
        unsigned const y = 3 - q[0] - q[1];
        if (is_alone(y)) return is_alone(q[0]) ? 3 : 4;
        return is_alone(q[0]) || is_alone(q[1]) ? 5 : 6;
    }
    return is_alone(q[0]) ? 3 : 4;
}

template <std::size_t K>
inline constexpr std::size_t invariant_count = K == 1   ? 2
                                               : K == 2 ? 5
                                                        : 7;

}  // namespace pairing_detail

/// What a stage does to the means of the invariants of Y = y y^T and of Q = sum eta |h|^2 J J^T, K of them together: y is
/// what a layer carries, J its derivative by the pre-activations that weights lead to, h what these weights read. The
/// matrix at place k is of the ways in which k pairs of strands go through the stage's matrices and K - k by its skip: a
/// polynomial in the square of a multiplier of the branch.
///
/// Law     Gaussian weights; gates are fair coins, independent of the weights: exact for one input.
/// Shape   K = 1, 2, 3: of 2, 5 and 7 invariants, in the order of `pairing_detail::invariants`; rows are results. Without
///         `labels` the stage's own weights take no step.
/// Errors  none.
/// Source  docs/formulas/pairing_moves.md
template <std::size_t K, Field R>
[[nodiscard]] std::array<Matrix<R, pairing_detail::invariant_count<K>>, K + 1> pairing_moves_by_pairs(
    SteppedStage<R> const& stage, Gate<R> const& gate, bool with_labels = true) {
    using namespace pairing_detail;
    constexpr unsigned all = (1U << 2 * K) - 1;
    std::array<Matrix<R, invariant_count<K>>, K + 1> out;
    auto const targets = invariants<K>();
    for (std::size_t i = 0; i < targets.size(); ++i) {
        auto const& target = targets[i];
        for (unsigned fresh = 0; fresh <= target.labels; ++fresh) {
            if ((fresh & ~target.labels) != 0 || (fresh != 0 && !with_labels)) continue;
            // Every choice of a matrix for each new label.
            std::vector<Label> labels;
            for (unsigned matrix = 0; matrix < K; ++matrix) {
                if ((fresh >> matrix & 1U) != 0) labels.push_back({.slot = 2 * matrix, .matrix = 0});
            }
            for (;;) {
                through(stage, gate, target.rows, all, labels, [&](unsigned pairs, Pairing const& columns, R const& x) {
                    auto& entry = out[pairs][i][place_of<K>(target.labels & ~fresh, columns)];
                    entry = entry + x;
                });
                std::size_t turn = 0;
                while (turn < labels.size() && ++labels[turn].matrix == stage.matrices.size())
                    labels[turn++].matrix = 0;
                if (turn == labels.size()) break;
            }
        }
    }
    return out;
}

/// All of them together.
template <std::size_t K, Field R>
[[nodiscard]] Matrix<R, pairing_detail::invariant_count<K>> pairing_move(SteppedStage<R> const& stage,
                                                                         Gate<R> const& gate, bool with_labels = true) {
    auto const moves = pairing_moves_by_pairs<K>(stage, gate, with_labels);
    constexpr std::size_t size = pairing_detail::invariant_count<K>;
    auto out = moves[0];
    for (std::size_t k = 1; k <= K; ++k) {
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) out[i][j] = out[i][j] + moves[k][i][j];
        }
    }
    return out;
}

}  // namespace isserlis
