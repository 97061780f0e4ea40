// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/fully_connected.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isserlis::testing {

/// E (Delta z_i)^2 of one muP step as far as it has the squared output, layer by layer over all 15 pairings of six
/// strands, with no use of their symmetry: joins, their blocks and their gates are counted out.
template <class R>
class PairingsByLayer {
public:
    /// One entry for each hidden layer.
    static std::vector<R> squared_output_part(FullyConnected<R, std::uint64_t> const& net, R const& square) {
        auto const table = all_pairings();
        std::size_t const hidden = net.layers.size() - 1;
        R const head = net.layers.back().variance;
        R const outputs = net.output_width();
        std::vector<std::array<R, 3>> four(hidden + 1);  // BD|EF, BE|DF, BF|DE as they come down
        four[hidden] = {head * head * outputs, head * head * outputs * outputs, head * head * outputs};
        for (std::size_t l = hidden; l-- > 1;) {
            auto const& run = net.layers[l];
            R const n = run.fan_out;
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t j = 0; j < 3; ++j) {
                    R const met = i == j ? n * (n + R(1)) / R(4) : n / R(2);
                    four[l][i] = four[l][i] + run.variance * run.variance * met * four[l + 1][j];
                }
            }
        }
        std::array<R, 15> none, ab, cd, both;  // by which labels are placed
        none.fill(square * square * square);
        ab.fill(R(0));
        cd.fill(R(0));
        both.fill(R(0));
        std::vector<R> out;
        for (std::size_t l = 1; l <= hidden; ++l) {
            auto const& run = net.layers[l - 1];
            if (l > 1) {
                for (auto* x : {&none, &ab, &cd, &both}) *x = gated(table, *x, run.fan_in);
            }
            R const v = run.variance;
            R const h = run.label_factor;
            for (std::size_t p = 0; p < 15; ++p) {
                R const of_ab = table[p][0] == table[p][1] ? h * v * v : R(0);
                R const of_cd = table[p][2] == table[p][3] ? h * v * v : R(0);
                R const of_both = table[p][0] == table[p][1] && table[p][2] == table[p][3] ? h * h * v : R(0);
                both[p] = v * v * v * both[p] + of_cd * ab[p] + of_ab * cd[p] + of_both * none[p];
                ab[p] = v * v * v * ab[p] + of_ab * none[p];
                cd[p] = v * v * v * cd[p] + of_cd * none[p];
                none[p] = v * v * v * none[p];
            }
            out.push_back(closed(table, both, four[l], run.fan_out));
        }
        return out;
    }

private:
    using Blocks = std::array<unsigned, 6>;  ///< strands A .. F: the block of each

    static std::vector<Blocks> all_pairings() {
        std::vector<Blocks> out;
        for (unsigned code = 0; code < 729; ++code) {  // every map to {0, 1, 2} that is a pairing with blocks in order
            Blocks b{};
            std::array<unsigned, 3> size{};
            unsigned rest = code;
            unsigned next = 0;
            bool in_order = true;
            for (auto& x : b) {
                x = rest % 3;
                rest /= 3;
                ++size[x];
                in_order = in_order && x <= next;
                if (x == next) ++next;
            }
            if (in_order && size == std::array<unsigned, 3>{2, 2, 2}) out.push_back(b);
        }
        return out;
    }
    static Blocks join(Blocks x, Blocks const& y) {
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (y[i] != y[j] || x[i] == x[j]) continue;
                unsigned const from = x[i];
                for (auto& block : x) block = block == from ? x[j] : block;
            }
        }
        return x;
    }
    static std::vector<unsigned> blocks(Blocks const& x) {
        std::vector<unsigned> out;
        for (unsigned const b : x) {
            bool known = false;
            for (unsigned const c : out) known = known || b == c;
            if (!known) out.push_back(b);
        }
        return out;
    }
    static std::array<R, 15> gated(std::vector<Blocks> const& table, std::array<R, 15> const& x, R const& n) {
        std::array<R, 4> const met{R(0), n / R(2), n * (n + R(1)) / R(4), n * n * (n + R(3)) / R(8)};
        std::array<R, 15> out;
        out.fill(R(0));
        for (std::size_t p = 0; p < 15; ++p) {
            for (std::size_t q = 0; q < 15; ++q) out[p] = out[p] + met[blocks(join(table[p], table[q])).size()] * x[q];
        }
        return out;
    }
    /// (1/n) sum over assignments of neurons to blocks, neurons may coincide; each neuron has one gate, of mean 1/2, if
    /// a strand other than A and C goes through it.
    static R closed(std::vector<Blocks> const& table, std::array<R, 15> const& both, std::array<R, 3> const& four,
                    R const& n) {
        std::array<Blocks, 3> const above{Blocks{0, 1, 0, 1, 2, 2}, Blocks{0, 1, 0, 2, 1, 2}, Blocks{0, 1, 0, 2, 2, 1}};
        R out(0);
        for (std::size_t p = 0; p < 15; ++p) {
            for (std::size_t k = 0; k < 3; ++k) {
                Blocks const joined = join(table[p], above[k]);
                auto const names = blocks(joined);
                R sum(0);
                for (auto const& merged : coarsenings(names.size())) {
                    R term(1);
                    unsigned neurons = 0;
                    for (unsigned c = 0; c < names.size(); ++c) {
                        bool used = false;
                        bool gate = false;
                        for (std::size_t s = 0; s < 6; ++s) {
                            std::size_t at = 0;
                            while (names[at] != joined[s]) ++at;
                            if (merged[at] != c) continue;
                            used = true;
                            gate = gate || (s != 0 && s != 2);
                        }
                        if (!used) continue;
                        term = term * (n - R(static_cast<int>(neurons++)));
                        if (gate) term = term / R(2);
                    }
                    sum = sum + term;
                }
                out = out + both[p] * four[k] * sum / n;
            }
        }
        return out;
    }
    /// All ways to merge so many blocks, each as the new block of every old one.
    static std::vector<std::vector<unsigned>> coarsenings(std::size_t count) {
        std::vector<std::vector<unsigned>> out{{}};
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<std::vector<unsigned>> longer;
            for (auto const& x : out) {
                unsigned next = 0;
                for (unsigned const b : x) next = b + 1 > next ? b + 1 : next;
                for (unsigned b = 0; b <= next; ++b) {
                    longer.push_back(x);
                    longer.back().push_back(b);
                }
            }
            out = longer;
        }
        return out;
    }
};

}  // namespace isserlis::testing
