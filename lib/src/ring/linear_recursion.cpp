// SPDX-License-Identifier: MIT
#include <isserlis/ring/linear_recursion.hpp>

#include <array>
#include <optional>

namespace isserlis {
namespace detail {
namespace {

/// Up to this many steps make one leaf of the tree.
constexpr std::size_t steps_per_leaf = 64;

using Words = std::array<unsigned long, 4>;  // a, b, c, d

std::optional<Words> words_of(Matrix2<Integer> const& m) {
    Words out{};
    std::size_t i = 0;
    for (auto const* x : {&m.a, &m.b, &m.c, &m.d}) {
        auto const* z = x->backend().data();
        if (mpz_sgn(z) < 0 || mpz_fits_ulong_p(z) == 0) return std::nullopt;
        out[i++] = mpz_get_ui(z);
    }
    return out;
}

/// x y, if it fits.
std::optional<Words> product(Words const& x, Words const& y) {
    Words out{};
    auto const entry = [&](std::size_t at, unsigned long p, unsigned long q, unsigned long r, unsigned long s) {
        unsigned long first = 0;
        unsigned long second = 0;
        return !__builtin_mul_overflow(p, q, &first) && !__builtin_mul_overflow(r, s, &second) &&
               !__builtin_add_overflow(first, second, &out[at]);
    };
    bool const fits = entry(0, x[0], y[0], x[1], y[2]) && entry(1, x[0], y[1], x[1], y[3]) &&
                      entry(2, x[2], y[0], x[3], y[2]) && entry(3, x[2], y[1], x[3], y[3]);
    return fits ? std::optional(out) : std::nullopt;
}

/// A product that grows by word-sized factors from the left, in place.
class Leaf {
public:
    void multiply(Words const& w) {
        if (empty_) {
            set(matrix_.a, w[0]);
            set(matrix_.b, w[1]);
            set(matrix_.c, w[2]);
            set(matrix_.d, w[3]);
            empty_ = false;
            return;
        }
        column(w, matrix_.a, matrix_.c);
        column(w, matrix_.b, matrix_.d);
    }
    [[nodiscard]] bool empty() const { return empty_; }
    [[nodiscard]] Matrix2<Integer> take() { return std::move(matrix_); }

private:
    static void set(Integer& x, unsigned long word) { mpz_set_ui(x.backend().data(), word); }
    void column(Words const& w, Integer& top, Integer& bottom) {
        auto* t = top.backend().data();
        auto* b = bottom.backend().data();
        auto* s = scratch_.backend().data();
        mpz_mul_ui(s, t, w[0]);
        mpz_addmul_ui(s, b, w[1]);
        mpz_mul_ui(b, b, w[3]);
        mpz_addmul_ui(b, t, w[2]);
        mpz_swap(t, s);
    }
    Matrix2<Integer> matrix_;
    Integer scratch_;
    bool empty_ = true;
};

/// The steps as word-sized matrices combined while they fit; empty when one of them does not.
std::optional<Matrix2<Integer>> leaf_product(std::span<LinearStep<Integer> const> steps) {
    Leaf leaf;
    std::optional<Words> pending;
    for (auto const& [matrix, count] : steps) {
        if (count != 1) return std::nullopt;
        auto const words = words_of(matrix);
        if (!words) return std::nullopt;
        auto const both = pending ? product(*words, *pending) : words;
        if (!both) leaf.multiply(*pending);
        pending = both ? both : words;
    }
    leaf.multiply(*pending);
    return leaf.take();
}

/// x y by the schoolbook, with fused additions.
Matrix2<Integer> multiplied(Matrix2<Integer> const& x, Matrix2<Integer> const& y) {
    Matrix2<Integer> out;
    auto const entry = [](Integer& to, Integer const& p, Integer const& q, Integer const& r, Integer const& s) {
        mpz_mul(to.backend().data(), p.backend().data(), q.backend().data());
        mpz_addmul(to.backend().data(), r.backend().data(), s.backend().data());
    };
    entry(out.a, x.a, y.a, x.b, y.c);
    entry(out.b, x.a, y.b, x.b, y.d);
    entry(out.c, x.c, y.a, x.d, y.c);
    entry(out.d, x.c, y.b, x.d, y.d);
    return out;
}

}  // namespace

template <>
Matrix2<Integer> whole_product<Integer>(std::span<LinearStep<Integer> const> steps) {
    if (steps.size() <= steps_per_leaf) {
        if (auto leaf = leaf_product(steps)) return std::move(*leaf);
    }
    if (steps.size() == 1) return whole_step(steps[0], multiplied);
    std::size_t const half = steps.size() / 2;
    return multiplied(whole_product<Integer>(steps.subspan(half)), whole_product<Integer>(steps.first(half)));
}

}  // namespace detail

template <>
void apply<Polynomial>(std::vector<LinearStep<Polynomial>> const& steps, std::span<Vector2<Polynomial>> vectors, bool) {
    std::vector<Polynomial::Step> borrowed;
    borrowed.reserve(steps.size());
    for (auto const& [m, count] : steps)
        borrowed.push_back({.a = &m.a, .b = &m.b, .c = &m.c, .d = &m.d, .count = count});
    for (auto& v : vectors) {
        auto [first, second] = Polynomial::carry(borrowed, v.first, v.second);
        v = {.first = std::move(first), .second = std::move(second)};
    }
}

using Pair = Vector2<RationalFunction>;

namespace {

Pair operator+(Pair const& x, Pair const& y) {
    return {.first = (x.first + y.first).merged(), .second = (x.second + y.second).merged()};
}
Pair operator*(RationalFunction const& scale, Pair const& x) {
    return {.first = (scale * x.first).merged(), .second = (scale * x.second).merged()};
}

}  // namespace

Pair LinearRecursion<RationalFunction, Exponent>::carried(std::size_t from, Pair const& v) const {
    using R = RationalFunction;
    if (from == steps_.size()) return v;
    auto const& [m, count] = steps_[from];
    if (count.is_constant()) {
        std::uint64_t const times = checked_count(numerator_of(count.constant()));
        return carried(from + 1, detail::whole_step(LinearStep<R>{.matrix = m, .count = times}) * v);
    }
    R const half = R(1) / R(2);
    R const trace = (m.a + m.d).merged();
    R const determinant = (m.a * m.d - m.b * m.c).merged();
    R const discriminant = (trace * trace - R(4) * determinant).merged();
    // What is above is linear in both.
    Pair const none = carried(from + 1, v);
    Pair const once = carried(from + 1, m * v);
    R const mean = (trace * half).merged();
    Pair const apart = once + R(-1) * (mean * none);
    if (discriminant.is_zero()) {  // l^K + K l^(K - 1) (m - l)
        if (mean.is_zero()) return {.first = R(0), .second = R(0)};
        return power(mean, count) * (none + R(R(count) / mean) * apart);
    }
    R const gap = sqrt(discriminant);
    Pair sum{.first = R(0), .second = R(0)};
    for (int const sign : {1, -1}) {
        R const root = (mean + R(sign) * half * gap).merged();
        if (root.is_zero()) continue;  // 0^K
        Pair const coefficient = half * none + R(R(sign) / gap) * apart;
        R const scale = power(root, count);
        sum = {.first = sum.first + scale * coefficient.first, .second = sum.second + scale * coefficient.second};
    }
    return sum;
}

}  // namespace isserlis
