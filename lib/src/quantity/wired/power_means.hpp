// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/formula/loss_curve_squared.hpp>
#include <isserlis/ring/surd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "quantity/mean_over_inputs.hpp"
#include "quantity/wired/sample_words.hpp"

namespace isserlis::quantity {

/// Samples by their coordinates, for first matrices of any law: of weights that are not Gaussian four or six can meet, and
/// what meets is a sum over a coordinate of a product of more than two inputs.
class PowerMeans {
public:
    /// Shape   inputs (s x d_0), sum_k y^k x^k' (d_n x d_0), sum_k y^k, and the targets where a batch needs them.
    PowerMeans(Rows<Surd> inputs, Rows<Surd> products, std::vector<Surd> target_sum, Rows<Surd> targets, Surd share)
        : inputs_(std::move(inputs)), targets_(std::move(targets)), share_(std::move(share)) {
        Surd const n = from_count<Surd>(inputs_.size());
        std::size_t const width = inputs_.front().size();
        centre_.assign(width, Surd(0));
        for (auto const& x : inputs_) {
            for (std::size_t j = 0; j < width; ++j) centre_[j] = centre_[j] + x[j] / n;
        }
        sigma_ = loss_curve_detail::outer_sum(inputs_, inputs_);
        cross_ = std::move(products);
        for (auto* rows : {&sigma_, &cross_}) {
            for (auto& row : *rows) {
                for (auto& x : row) x = x / n;
            }
        }
        for (auto const& y : target_sum) target_.push_back(y / n);
    }

    /// The mean of every product that the strands of a word, `strands` of each sample, can leave.
    template <class R>
    [[nodiscard]] InputMeans<R> means(std::array<unsigned, 3> const& strands, Targets targets, bool batched) const {
        std::vector<unsigned> all;
        for (unsigned s = 0; s < 3; ++s) all.insert(all.end(), strands[s], s);
        InputMeans<R> out;
        add_partitions(all, 0, {}, [&](Blocks const& blocks) {
            if (out.count(blocks) != 0) return;
            Surd mean = apart(blocks, targets);
            if (batched && !share_.is_zero()) mean = (Surd(1) - share_) * mean + share_ * of_one(blocks, targets);
            out.emplace(blocks, R(mean));
        });
        return out;
    }

    /// About the products that `means` of all words take.
    [[nodiscard]] double work() const {
        auto const width = static_cast<double>(inputs_.front().size());
        double const each = share_.is_zero() ? 1 : static_cast<double>(inputs_.size());
        constexpr double partitions = 100;
        return partitions * width * width * width * each;
    }

private:
    using Blocks = std::vector<std::vector<unsigned>>;
    using Places = std::array<std::size_t, 3>;  ///< the coordinate of each block

    /// All ways to end strands in biases and to let the others meet in blocks of even size.
    template <class F>
    static void add_partitions(std::vector<unsigned> const& strands, std::size_t next, Blocks const& blocks,
                               F const& found) {
        if (next == strands.size()) {
            bool const even =
                std::all_of(blocks.begin(), blocks.end(), [](auto const& b) { return b.size() % 2 == 0; });
            if (!even) return;
            Blocks sorted = blocks;
            std::sort(sorted.begin(), sorted.end());  // each block is, as the strands are
            found(sorted);
            return;
        }
        add_partitions(strands, next + 1, blocks, found);
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            Blocks more = blocks;
            more[b].push_back(strands[next]);
            add_partitions(strands, next + 1, more, found);
        }
        constexpr std::size_t most_blocks = 3;  // of two strands or more
        if (blocks.size() == most_blocks) return;
        Blocks more = blocks;
        more.push_back({strands[next]});
        add_partitions(strands, next + 1, more, found);
    }

    /// The sum of f over the coordinates of the blocks.
    template <class F>
    [[nodiscard]] Surd summed(std::size_t blocks, F const& f) const {
        Surd out(0);
        Places at{};
        std::size_t const width = inputs_.front().size();
        while (true) {
            out = out + f(at);
            std::size_t b = 0;
            while (b < blocks && ++at[b] == width) at[b++] = 0;
            if (b == blocks) return out;
        }
    }

    /// The coordinates at which a sample occurs.
    static std::vector<std::size_t> places_of(unsigned sample, Blocks const& blocks, Places const& at) {
        std::vector<std::size_t> out;
        for (std::size_t b = 0; b < blocks.size(); ++b)
            out.insert(out.end(), static_cast<std::size_t>(std::count(blocks[b].begin(), blocks[b].end(), sample)),
                       at[b]);
        return out;
    }

    /// Of a sample by itself, with up to two strands.
    [[nodiscard]] Surd plain(std::vector<std::size_t> const& places) const {
        if (places.empty()) return Surd(1);
        return places.size() == 1 ? centre_[places[0]] : sigma_[places[0]][places[1]];
    }
    /// mean y_i, or mean y_i x_j where its strand has come down.
    [[nodiscard]] Surd with_target(std::size_t i, std::vector<std::size_t> const& places) const {
        return places.empty() ? target_[i] : cross_[i][places[0]];
    }

    [[nodiscard]] Surd apart(Blocks const& blocks, Targets targets) const {
        return summed(blocks.size(), [&](Places const& at) {
            auto const k = places_of(0, blocks, at);
            auto const l = places_of(1, blocks, at);
            auto const q = places_of(2, blocks, at);
            if (targets == Targets::none) return plain(k) * plain(l) * plain(q);
            auto const& other = targets == Targets::of_k_and_q ? q : l;
            auto const& third = targets == Targets::of_k_and_q ? l : q;
            Surd product(0);
            for (std::size_t i = 0; i < target_.size(); ++i)
                product = product + with_target(i, k) * with_target(i, other);
            return product * plain(third);
        });
    }

    /// k and q are one sample.
    [[nodiscard]] Surd of_one(Blocks const& blocks, Targets targets) const {
        Surd const n = from_count<Surd>(inputs_.size());
        return summed(blocks.size(), [&](Places const& at) {
            auto own = places_of(0, blocks, at);
            auto const q = places_of(2, blocks, at);
            own.insert(own.end(), q.begin(), q.end());
            auto const l = places_of(1, blocks, at);
            Surd sum(0);
            for (std::size_t s = 0; s < inputs_.size(); ++s) {
                Surd product(1);
                for (std::size_t const j : own) product = product * inputs_[s][j];
                if (targets == Targets::none) {
                    sum = sum + product;
                    continue;
                }
                Surd of_targets(0);
                for (std::size_t i = 0; i < target_.size(); ++i)
                    of_targets = of_targets +
                                 targets_[s][i] * (targets == Targets::of_k_and_q ? targets_[s][i] : with_target(i, l));
                sum = sum + product * of_targets;
            }
            return sum * (targets == Targets::of_k_and_l ? Surd(1) : plain(l)) / n;
        });
    }

    Rows<Surd> inputs_;
    Rows<Surd> targets_;
    Surd share_;
    std::vector<Surd> centre_;
    Rows<Surd> sigma_;
    Rows<Surd> cross_;
    std::vector<Surd> target_;
};

}  // namespace isserlis::quantity
