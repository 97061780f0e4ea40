// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace isserlis {

/// The shortest c with s_k + c_1 s_(k-1) + .. + c_L s_(k-L) = 0 (Berlekamp and Massey), c_0 = 1, kept as the sequence
/// goes on.
///
/// `Mod` is the arithmetic modulo a prime: `add_product` leaves sums that `reduced` brings back.
template <class Mod>
class ShortestRecurrence {
public:
    using Number = typename Mod::Number;
    explicit ShortestRecurrence(Mod const& mod) : mod_(mod) {}

    void add(Number const& next) {
        s_.push_back(next);
        Number gap = next;
        for (std::size_t i = 1; i <= length_; ++i) mod_.add_product(gap, c_[i], s_[s_.size() - 1 - i]);
        gap = mod_.reduced(std::move(gap));
        if (gap == 0) {
            ++since_;
            return;
        }
        auto const before = c_;
        Number factor = 0;
        mod_.add_product(factor, gap, mod_.inverse(last_));
        factor = mod_.negative(mod_.reduced(std::move(factor)));
        if (c_.size() < b_.size() + since_) c_.resize(b_.size() + since_, 0);
        for (std::size_t i = 0; i < b_.size(); ++i) {
            mod_.add_product(c_[i + since_], factor, b_[i]);
            c_[i + since_] = mod_.reduced(std::move(c_[i + since_]));
        }
        if (2 * length_ < s_.size()) {
            length_ = s_.size() - length_;
            b_ = before;
            last_ = gap;
            since_ = 1;
        } else {
            ++since_;
        }
    }
    [[nodiscard]] std::size_t length() const { return length_; }
    [[nodiscard]] std::vector<Number> const& coefficients() const { return c_; }

private:
    Mod const& mod_;
    std::vector<Number> s_;
    std::vector<Number> c_{1};  ///< length_ + 1 of them
    std::vector<Number> b_{1};
    std::size_t length_ = 0;
    std::size_t since_ = 1;
    Number last_ = 1;
};

/// A row vector and a square matrix of numbers modulo a prime.
template <class Mod>
struct NumberedRows {
    std::vector<typename Mod::Number> v;
    std::vector<std::vector<std::pair<unsigned, typename Mod::Number>>> rows;
};

/// c of the shortest recurrence of v T^K: at least of this length, and settled where it predicts so many terms more.
template <class Mod>
[[nodiscard]] std::vector<typename Mod::Number> shortest_recurrence(NumberedRows<Mod> const& of, Mod const& mod,
                                                                    std::size_t least, std::size_t predicted) {
    using Number = typename Mod::Number;
    std::size_t const size = of.rows.size();
    auto state = of.v;
    auto weight = [](std::size_t s) {
        return Number(static_cast<unsigned long>(1 + (s * s * 7919 + 104'729 * s) % 65'521));
    };
    ShortestRecurrence<Mod> found(mod);
    std::size_t const most = 2 * size + 4;
    for (std::size_t terms = 0; terms < most && terms < 2 * std::max(least, found.length()) + predicted; ++terms) {
        Number sum = 0;
        for (std::size_t s = 0; s < size; ++s) mod.add_product(sum, state[s], weight(s));
        found.add(mod.reduced(std::move(sum)));
        std::vector<Number> next(size);
        for (std::size_t s = 0; s < size; ++s) {
            if (state[s] == 0) continue;
            for (auto const& [t, x] : of.rows[s]) mod.add_product(next[t], state[s], x);
        }
        for (auto& x : next) x = mod.reduced(std::move(x));
        state = std::move(next);
    }
    return found.coefficients();
}

}  // namespace isserlis
