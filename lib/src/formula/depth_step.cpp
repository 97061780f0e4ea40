// SPDX-License-Identifier: MIT
#include <isserlis/formula/depth_step.hpp>

#include <cmath>
#include <isserlis/error.hpp>
#include <optional>
#include <utility>

namespace isserlis {
namespace {

using Column = std::vector<Interval>;

/// A square matrix of enclosures. Entries that are nothing are 0 and cost nothing.
class EnclosedMatrix {
public:
    EnclosedMatrix(std::size_t size, unsigned bits) : size_(size), bits_(bits), entries_(size * size) {}

    void set(std::size_t i, std::size_t j, Interval x) { entries_[i * size_ + j] = std::move(x); }
    [[nodiscard]] EnclosedMatrix after(EnclosedMatrix const& first) const {
        EnclosedMatrix out(size_, bits_);
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t k = 0; k < size_; ++k) {
                auto const& left = entries_[i * size_ + k];
                if (!left) continue;
                for (std::size_t j = 0; j < size_; ++j) {
                    auto const& right = first.entries_[k * size_ + j];
                    if (!right) continue;
                    auto& sum = out.entries_[i * size_ + j];
                    if (!sum) sum.emplace(bits_);
                    add_product(*sum, *left, *right);
                }
            }
        }
        return out;
    }
    [[nodiscard]] EnclosedMatrix scaled(Interval const& by) const {
        EnclosedMatrix out = *this;
        for (auto& entry : out.entries_) {
            if (entry) entry = *entry * by;
        }
        return out;
    }
    void add(EnclosedMatrix const& other) {
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            if (!other.entries_[k]) continue;
            entries_[k] = entries_[k] ? *entries_[k] + *other.entries_[k] : *other.entries_[k];
        }
    }
    void widen(Interval const& radius) {
        for (auto& entry : entries_) {
            if (entry) entry = widened(*entry, radius);
        }
    }
    [[nodiscard]] Column applied(Column const& to) const {
        Column out(size_, Interval(bits_));
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t j = 0; j < size_; ++j) {
                if (auto const& entry = entries_[i * size_ + j]) add_product(out[i], *entry, to[j]);
            }
        }
        return out;
    }

private:
    std::size_t size_;
    unsigned bits_;
    std::vector<std::optional<Interval>> entries_;
};

template <std::size_t D>
EnclosedMatrix enclosed(Matrix<Rational, D> const& matrix, unsigned bits) {
    EnclosedMatrix out(D, bits);
    for (std::size_t i = 0; i < D; ++i) {
        for (std::size_t j = 0; j < D; ++j) {
            if (matrix[i][j] != 0) out.set(i, j, Interval(matrix[i][j], bits));
        }
    }
    return out;
}

template <std::size_t D>
Column enclosed(std::array<Rational, D> const& column, unsigned bits) {
    Column out;
    for (auto const& x : column) out.emplace_back(x, bits);
    return out;
}

Column after_power(EnclosedMatrix matrix, std::uint64_t exponent, Column column) {
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 == 1) column = matrix.applied(column);
        if (exponent > 1) matrix = matrix.after(matrix);
    }
    return column;
}

/// A polynomial in s.
template <std::size_t D>
Matrix<Rational, D> value_at(std::vector<Matrix<Rational, D>> const& by_power, Rational const& s) {
    Matrix<Rational, D> out;
    for (std::size_t i = 0; i < D; ++i) {
        for (std::size_t j = 0; j < D; ++j) {
            for (std::size_t k = by_power.size(); k-- > 0;) out[i][j] = out[i][j] * s + by_power[k][i][j];
        }
    }
    return out;
}

/// exp(t A) column by Taylor's series of the matrix over 2^halvings, whose norm is below 1/2, and squares; in enclosures,
/// since the digits of exact terms grow with the square of their number.
template <std::size_t D>
Column after_exponential(Matrix<Rational, D> const& matrix, Rational const& t, std::array<Rational, D> const& start,
                         unsigned bits) {
    double norm = 0;
    for (std::size_t i = 0; i < D; ++i) {
        double row = 0;
        for (auto const& x : matrix[i]) row += std::abs(Rational(x * t).template convert_to<double>());
        norm = std::max(norm, row);
    }
    unsigned const halvings = norm < 0.25 ? 0 : static_cast<unsigned>(std::ceil(std::log2(norm))) + 2;
    unsigned const work = bits + 2 * guard_bits + 4 * halvings;
    Matrix<Rational, D> small;
    Matrix<Rational, D> one;
    Rational const factor = t / Rational(power(Integer(2), halvings));
    for (std::size_t i = 0; i < D; ++i) {
        one[i][i] = Rational(1);
        for (std::size_t j = 0; j < D; ++j) small[i][j] = matrix[i][j] * factor;
    }
    // Of norm below 1/2, so that the rest after the term 1/k! is below 2/2^k/k!.
    EnclosedMatrix const step = enclosed(small, work);
    EnclosedMatrix term = enclosed(one, work);
    EnclosedMatrix out = term;
    Rational rest(2);
    for (unsigned k = 1; denominator_of(rest) < power(Integer(2), work); ++k) {
        term = step.after(term).scaled(Interval(ratio(1, static_cast<int>(k)), work));
        out.add(term);
        rest = rest / Rational(2 * k);
    }
    // Powers of a matrix without entries above the diagonal blocks have none there.
    out.widen(Interval(rest, work));
    for (unsigned k = 0; k < halvings; ++k) out = out.after(out);
    return out.applied(enclosed(start, work));
}

}  // namespace

DepthStep::DepthStep(SteppedNetwork<Rational> net, Rational square, Rational target_second)
    : net_(std::move(net)), square_(std::move(square)) {
    bool const good = net_.stages.size() == 3 && !net_.stages[0].skip && net_.stages[0].matrices.size() == 1 &&
                      net_.stages[1].skip && !net_.stages[2].skip && net_.stages[2].matrices.size() == 1;
    if (!good) throw DomainError("depth_step: a residual block between two matrices is required", "widths");
    net_.stages[1].count = 1;
    (void)residual_detail::checked(net_);
    first_square_ = square_ * net_.stages[0].matrices.front().variance;
    gain_ = pairing_move<1>(net_.stages[1], net_.gate)[0][0] - Rational(1);
    fours_ = powers<2>();
    sixes_ = powers<3>();
    // S = V^T V of the last matrix V, N x n of variance v: E S_ab S_cd = v^2 (N^2 d_ab d_cd + N (d_ac d_bd + d_ad d_bc)).
    auto const& last = net_.stages[2].matrices.front();
    Rational const& n = net_.stages[0].matrices.front().width;
    Rational const squared = last.variance * last.variance * last.width;
    of_four_ = target_second * last.variance / n;
    of_six_ = {Rational(squared / n), Rational(squared * (last.width + Rational(1)) / n)};
}

template <std::size_t K>
DepthStep::Powers<K> DepthStep::powers() const {
    constexpr std::size_t size = pairing_detail::invariant_count<K>;
    auto const moves = pairing_moves_by_pairs<K>(net_.stages[1], net_.gate);
    Powers<K> out{.by_power = {moves.begin(), moves.end()}, .start = {}};
    std::array<Rational, size> input;
    input.fill(Rational(0));
    input[0] = power(square_, K);
    out.start = pairing_move<K>(net_.stages[0], net_.gate) * input;
    return out;
}

DepthStep::Moments DepthStep::at(std::uint64_t depth, Rational const& s) const {
    auto const raised = [&](auto const& powers) {
        auto const start = chain_state(powers.start);
        return depth == 0 ? start : after(chain_step(value_at(powers.by_power, s), depth), start);
    };
    auto const six = raised(sixes_);
    return {
        .square = first_square_ * power(Rational(Rational(1) + gain_ * s), depth),
        .change_square = of_four_ * raised(fours_).value(4) + of_six_[0] * six.value(4) + of_six_[1] * six.value(6)};
}

Interval DepthStep::weighted(Column const& four, Column const& six, unsigned bits) const {
    return Interval(of_four_, bits) * four[4] + Interval(of_six_[0], bits) * six[4] +
           Interval(of_six_[1], bits) * six[6];
}

Interval DepthStep::square(std::uint64_t depth, Rational const& s, unsigned bits) const {
    EnclosedMatrix one(1, bits);
    one.set(0, 0, Interval(Rational(Rational(1) + gain_ * s), bits));
    return after_power(one, depth, {Interval(first_square_, bits)})[0];
}

Interval DepthStep::change_square(std::uint64_t depth, Rational const& s, unsigned bits) const {
    auto const raised = [&](auto const& powers) {
        return after_power(enclosed(value_at(powers.by_power, s), bits), depth, enclosed(powers.start, bits));
    };
    return weighted(raised(fours_), raised(sixes_), bits);
}

Interval DepthStep::square_limit(Rational const& t, unsigned bits) const {
    return Interval(first_square_, bits) * exp(Interval(Rational(gain_ * t), bits));
}

Interval DepthStep::change_square_limit(Rational const& t, unsigned bits) const {
    auto const limit = [&](auto const& powers) { return after_exponential(powers.by_power[1], t, powers.start, bits); };
    return weighted(limit(fours_), limit(sixes_), bits + guard_bits);
}

namespace {

/// x to so many bits, as a fraction whose denominator is a power of two.
Rational rounded(Rational const& x, unsigned bits) {
    Rational out;
    mpfr_get_q(out.backend().data(), Interval(x, bits).lower());
    return out;
}

/// Where a function that is nearly linear is 0, between `low` and `high`, by secants; a guess, of which nothing is sure.
template <class F>
std::optional<Rational> zero_by_secants(F const& value, Rational low, Rational high, unsigned bits) {
    constexpr int most_steps = 40;
    Rational const share(Rational(1) / Rational(power(Integer(2), bits + 8)));
    Rational before = high;
    Rational at_before = value(before);
    Rational x = (low + high) / 2;
    for (int k = 0; k < most_steps; ++k) {
        Rational const at_x = value(x);
        (at_x < 0 ? low : high) = x;
        if (at_x == at_before) return x;
        Rational next = rounded(Rational(x - at_x * (x - before) / (at_x - at_before)), bits + guard_bits);
        if (next <= low || next >= high) next = rounded(Rational((low + high) / 2), bits + guard_bits);
        if (abs(Rational(next - x)) <= share * next) return next;
        before = std::exchange(x, next);
        at_before = at_x;
    }
    return std::nullopt;
}

}  // namespace

Interval DepthStep::scale_of_change(std::uint64_t depth, Rational const& change, Rational const& most,
                                    unsigned bits) const {
    unsigned work = bits + guard_bits;
    auto const below = [&](Rational const& s) {
        for (unsigned tries = 0; tries < 3; ++tries, work *= 2) {
            Interval const difference = change_square(depth, s, work) - Interval(change, work);
            if (!difference.contains_zero()) return mpfr_sgn(difference.lower()) < 0;
        }
        throw DomainError("depth_step: a change that cannot be told from " + to_string(change), "depths");
    };
    Rational low(0);
    Rational high = most;
    if (!below(low) || below(high))
        throw DomainError("depth_step: no multiplier up to the given one makes this change", "depths");
    Rational const share(Rational(1) / Rational(power(Integer(2), bits)));
    // The logarithm of the change, which is nearly linear in s, tells where to look.
    auto const logarithm = [&](Rational const& s) {
        Rational out;
        Interval const found = log(change_square(depth, s, work) / Interval(change, work));
        mpfr_get_q(out.backend().data(), found.lower());
        return out;
    };
    if (auto const guess = zero_by_secants(logarithm, low, high, bits)) {
        Rational const radius = rounded(Rational(*guess * share / 4), guard_bits);
        for (Rational const& s : {Rational(*guess - radius), Rational(*guess + radius)}) {
            if (s > low && s < high) (below(s) ? low : high) = s;
        }
    }
    while (high - low > share * high) {
        Rational const middle = (low + high) / 2;
        (below(middle) ? low : high) = middle;
    }
    Interval const lower(low, bits + guard_bits);
    return widened(lower, Interval(Rational(high - low), bits + guard_bits));
}

Rational DepthStep::growth(Rational const& s) const { return value_at(sixes_.by_power, s)[0][0]; }

}  // namespace isserlis
