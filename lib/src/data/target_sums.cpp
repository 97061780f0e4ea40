// SPDX-License-Identifier: MIT
#include <isserlis/data/target_sums.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/fractions.hpp>

#include <cstdint>

namespace isserlis {
namespace {

constexpr std::uint64_t largest_order = 20'000;

std::vector<std::uint64_t> prime_factors(std::uint64_t n) {
    std::vector<std::uint64_t> out;
    for (std::uint64_t p = 2; p * p <= n; ++p) {
        if (n % p != 0) continue;
        out.push_back(p);
        while (n % p == 0) n /= p;
    }
    if (n > 1) out.push_back(n);
    return out;
}

/// Coefficients of the N-th cyclotomic polynomial, N > 1, constant term first: the product of (1 - x^(N/d))^mu(d) over
/// the divisors d of N without squares, as a power series that ends.
std::vector<Integer> cyclotomic(std::uint64_t n) {
    auto const primes = prime_factors(n);
    std::uint64_t degree = n;
    for (auto const p : primes) degree = degree / p * (p - 1);
    std::vector<Integer> out(degree + 1);
    out[0] = 1;
    for (std::uint64_t subset = 0; subset < (std::uint64_t{1} << primes.size()); ++subset) {
        std::uint64_t power = n;
        bool odd = false;
        for (std::size_t i = 0; i < primes.size(); ++i) {
            if ((subset >> i & 1U) == 0) continue;
            power /= primes[i];
            odd = !odd;
        }
        if (odd) {
            for (std::size_t i = power; i < out.size(); ++i) out[i] += out[i - power];
        } else {
            for (std::size_t i = out.size(); i-- > power;) out[i] -= out[i - power];
        }
    }
    return out;
}

/// Takes multiples of a monic polynomial away until the degree is below its own.
void reduce(std::vector<Integer>& p, std::vector<Integer> const& modulus) {
    std::size_t const degree = modulus.size() - 1;
    std::vector<std::size_t> present;  // most coefficients of a cyclotomic polynomial are 0
    for (std::size_t i = 0; i < degree; ++i)
        if (modulus[i] != 0) present.push_back(i);
    while (p.size() > degree) {
        Integer const lead = p.back();
        std::size_t const shift = p.size() - 1 - degree;
        p.pop_back();
        if (lead == 0) continue;
        for (std::size_t const i : present) p[shift + i] -= lead * modulus[i];
    }
}

/// A sum of targets times rationals: the cosines in it, and the rest.
class MixedSum {
public:
    void add(Rational const& factor, RealNumber const& y) {
        if (y.turns()) {
            cosines_.emplace_back(factor, *y.turns());
            exact_ = exact_ && y.exact() ? std::optional(*exact_ + Surd(factor) * *y.exact()) : std::nullopt;
        } else {
            add(Surd(factor) * *y.exact());
        }
    }
    void add_square(RealNumber const& y) {
        if (!y.turns()) return add(*y.exact() * *y.exact());
        add(Surd(ratio(1, 2)));  // cos^2 = (1 + cos of twice the angle)/2
        add(ratio(1, 2), RealNumber::cosine_of_turns(2 * *y.turns()));
    }
    [[nodiscard]] std::optional<Surd> value() const {
        if (exact_) return *exact_ + rest_;
        auto const cosines = rational_cosine_sum(cosines_);
        if (!cosines) return std::nullopt;
        return Surd(*cosines) + rest_;
    }

private:
    void add(Surd const& x) { rest_ = rest_ + x; }

    std::vector<std::pair<Rational, Rational>> cosines_;
    std::optional<Surd> exact_ = Surd(0);  ///< of the cosines, while all of them are surds
    Surd rest_;
};

}  // namespace

std::optional<Rational> rational_cosine_sum(std::vector<std::pair<Rational, Rational>> const& terms) {
    Integer common = 1;
    std::vector<Rational> coefficients;
    for (auto const& [c, t] : terms) {
        common = lcm(common, denominator_of(t));
        coefficients.push_back(c);
    }
    if (common > largest_order)
        throw UnsupportedError("rational_cosine_sum: angles are multiples of 1/" + to_string(common) +
                               " of a turn; down to 1/" + std::to_string(largest_order) + " are served");
    std::uint64_t const n = checked_count(common);
    auto const [numerators, denominator] = Fractions<Rational>::over_common(coefficients);

    // 2 cos(2 pi k/n) = z^k + z^(n - k) for the root of unity z.
    std::vector<Integer> p(n);
    for (std::size_t j = 0; j < terms.size(); ++j) {
        Rational const& t = terms[j].second;
        Integer k = numerator_of(t) * (common / denominator_of(t)) % common;
        if (k < 0) k += common;
        std::uint64_t const at = checked_count(k);
        p[at] += numerators[j];
        p[(n - at) % n] += numerators[j];
    }
    if (n == 1) return ratio(p[0], 2 * denominator);
    if (n % 2 == 0) {  // z^(n/2) = -1
        for (std::size_t i = n / 2; i < n; ++i) p[i - n / 2] -= p[i];
        p.resize(n / 2);
    }
    reduce(p, cyclotomic(n));
    for (std::size_t i = 1; i < p.size(); ++i)
        if (p[i] != 0) return std::nullopt;
    return ratio(p.empty() ? Integer(0) : p[0], 2 * denominator);
}

std::optional<TargetSums> exact_target_sums(DataSet const& data) {
    TargetSums out;
    MixedSum squares;
    for (auto const& row : data.targets)
        for (auto const& y : row) squares.add_square(y);
    auto const sum = squares.value();
    if (!sum) return std::nullopt;
    out.squares = *sum;
    for (std::size_t j = 0; j < data.output_width(); ++j) {
        out.products.emplace_back();
        for (std::size_t i = 0; i < data.input_width(); ++i) {
            MixedSum product;
            for (std::size_t k = 0; k < data.samples(); ++k) product.add(data.inputs[k][i], data.targets[k][j]);
            auto const value = product.value();
            if (!value) return std::nullopt;
            out.products.back().push_back(*value * sqrt(data.squared_scales[i]));
        }
    }
    return out;
}

}  // namespace isserlis
