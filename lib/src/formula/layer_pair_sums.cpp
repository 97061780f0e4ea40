// SPDX-License-Identifier: MIT
#include <isserlis/formula/layer_pair_sums.hpp>

#include <isserlis/error.hpp>
#include <isserlis/network/check_layers.hpp>
#include <isserlis/ring/add_product.hpp>
#include <isserlis/ring/common_scale.hpp>
#include <isserlis/ring/composed.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/product_tree.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/scaled_double.hpp>
#include <isserlis/ring/surd.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace isserlis {

template <class R, class Count>
R layer_prefactor(std::vector<LayerRun<R, Count>> const& layers) {
    std::vector<R> factors;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        auto const& run = layers[l];
        factors.push_back(power(R(run.variance * run.fan_out), run.count));
    }
    return product_tree(factors) / layers.back().fan_out;
}

namespace pair_sums_detail {

/// The factors of the channels at a width p/q, times p (C = 2) or p^2 (C = 3).
template <class N, std::size_t C>
ChannelVector<N, C> numerators(N const& p, N const& q) {
    N plus = p + q + q;
    N minus = p - q;
    if constexpr (C == 2) {
        return {std::move(plus), std::move(minus)};
    } else {
        static_assert(C == 3);
        return {N(plus * (p + N(4) * q)), N(plus * minus), N(minus * (p - N(2) * q))};
    }
}

using isserlis::detail::add_product;

/// A stretch of layers, each followed by its width: sums of layer factors E times channels N.
template <class E, class N, std::size_t C>
struct Stretch {
    ChannelVector<N, C> all{};
    E factors{0};
    ChannelMatrix<E, C> one{};
    ChannelMatrix<E, C> same{};
    ChannelCube<E, C> two{};

    static Stretch empty() {
        Stretch out;
        out.all.fill(N(1));
        for (auto& row : out.one) row.fill(E(0));
        for (auto& row : out.same) row.fill(E(0));
        for (auto& rows : out.two) {
            for (auto& row : rows) row.fill(E(0));
        }
        return out;
    }

    /// Puts a layer of factor t and a width with these channels on top.
    void append(E const& t, ChannelVector<N, C> const& width) {
        E const t2 = t * t;
        for (std::size_t x = 0; x < C; ++x) {
            E const below = t * all[x];
            E const below2 = t2 * all[x];
            for (std::size_t y = 0; y < C; ++y) {
                for (std::size_t z = 0; z < C; ++z) two[x][y][z] = (two[x][y][z] + one[x][y] * t) * width[z];
                same[x][y] = (same[x][y] + below2) * width[y];
            }
            for (std::size_t y = 0; y < C; ++y) one[x][y] = (one[x][y] + below) * width[y];
        }
        for (std::size_t x = 0; x < C; ++x) all[x] = all[x] * width[x];
        factors = factors + t;
    }

    /// This stretch below, the other above.
    [[nodiscard]] Stretch then(Stretch const& above) const {
        Stretch out;
        for (std::size_t x = 0; x < C; ++x) {
            out.all[x] = all[x] * above.all[x];
            for (std::size_t y = 0; y < C; ++y) {
                out.one[x][y] = one[x][y] * above.all[y];
                add_product(out.one[x][y], above.one[x][y], all[x]);
                out.same[x][y] = same[x][y] * above.all[y];
                add_product(out.same[x][y], above.same[x][y], all[x]);
                for (std::size_t z = 0; z < C; ++z) {
                    out.two[x][y][z] = two[x][y][z] * above.all[z];
                    add_product(out.two[x][y][z], above.two[x][y][z], all[x]);
                    add_product(out.two[x][y][z], one[x][y], above.one[y][z]);
                }
            }
        }
        out.factors = factors + above.factors;
        return out;
    }
};

/// One layer with the width on top of it, `count` times; no width on top of the network.
template <class E, class N, std::size_t C>
struct Step {
    E factor{0};
    ChannelVector<N, C> width{};
    std::uint64_t count = 1;
};

__extension__ typedef __int128 Wide;  // NOLINT(modernize-use-using): only a typedef may be an extension

inline Integer integer(Wide x) {
    Wide const size = x < 0 ? -x : x;
    std::array<std::uint64_t, 2> const words{static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(size >> 64)};
    Integer out;
    mpz_import(out.backend().data(), words.size(), -1, sizeof(std::uint64_t), 0, 0, words.data());
    if (x < 0) mpz_neg(out.backend().data(), out.backend().data());
    return out;
}

/// As many steps from the front as surely fit 128 bits, and their stretch.
template <std::size_t C>
std::size_t in_words(std::span<Step<Integer, Integer, C> const> steps, Stretch<Integer, Integer, C>& out) {
    constexpr unsigned most_bits = 120;
    constexpr unsigned most_steps = 64;
    auto words = Stretch<Wide, Wide, C>::empty();
    unsigned width_bits = 0;
    unsigned factor_bits = 0;
    std::size_t taken = 0;
    auto bits = [](Integer const& x) { return static_cast<unsigned>(mpz_sizeinbase(x.backend().data(), 2)); };
    for (; taken < steps.size() && taken < most_steps && steps[taken].count == 1; ++taken) {
        auto const& step = steps[taken];
        factor_bits = std::max(factor_bits, bits(step.factor));
        // At width 1 a channel may be 0 and another smaller than it; the largest is the first.
        width_bits += bits(step.width[0]);
        // Sums have at most taken^2 terms, of two factors each.
        unsigned const terms = 2 * static_cast<unsigned>(std::bit_width(taken + 1));
        if (factor_bits >= 60 || bits(step.width[0]) >= 60 || width_bits + 2 * factor_bits + terms > most_bits) break;
        ChannelVector<Wide, C> width;
        for (std::size_t x = 0; x < C; ++x)
            width[x] = static_cast<Wide>(step.width[x].template convert_to<std::int64_t>());
        words.append(static_cast<Wide>(step.factor.template convert_to<std::int64_t>()), width);
    }
    if (taken == 0) return 0;
    out.factors = integer(words.factors);
    for (std::size_t x = 0; x < C; ++x) {
        out.all[x] = integer(words.all[x]);
        for (std::size_t y = 0; y < C; ++y) {
            out.one[x][y] = integer(words.one[x][y]);
            out.same[x][y] = integer(words.same[x][y]);
            for (std::size_t z = 0; z < C; ++z) out.two[x][y][z] = integer(words.two[x][y][z]);
        }
    }
    return taken;
}

/// A step taken `count` times.
template <class E, class N, std::size_t C>
Stretch<E, N, C> repeated(Step<E, N, C> const& step, std::uint64_t count) {
    constexpr std::uint64_t few = 8;
    if (count > few) {
        auto const lower = repeated(step, count / 2);
        auto out = lower.then(lower);
        if (count % 2 == 1) out.append(step.factor, step.width);
        return out;
    }
    auto out = Stretch<E, N, C>::empty();
    for (std::uint64_t i = 0; i < count; ++i) out.append(step.factor, step.width);
    return out;
}

/// A balanced tree over groups of a few layers: the numbers of each product have about equal size.
template <class E, class N, std::size_t C>
Stretch<E, N, C> tree(std::span<Step<E, N, C> const> steps) {
    constexpr std::size_t few = 8;
    std::vector<Stretch<E, N, C>> leaves;
    while (!steps.empty()) {
        auto& leaf = leaves.emplace_back(Stretch<E, N, C>::empty());
        std::size_t taken = 0;
        if constexpr (std::is_same_v<E, Integer>) taken = in_words<C>(steps, leaf);
        for (; taken < few && taken < steps.size() && steps[taken].count == 1; ++taken)
            leaf.append(steps[taken].factor, steps[taken].width);
        if (taken == 0) {
            leaf = repeated(steps[0], steps[0].count);
            taken = 1;
        }
        steps = steps.subspan(taken);
    }
    return composed(std::span<Stretch<E, N, C> const>(leaves), std::identity{},
                    [](auto const& above, auto const& below) { return below.then(above); });
}

template <class R, class Count>
bool has_label_factors(std::vector<LayerRun<R, Count>> const& layers) {
    return !std::all_of(layers.begin(), layers.end(), [](auto const& run) { return run.label_factor == 1; });
}

/// The layer factors h/v.
inline CommonScale layer_factors(std::vector<LayerRun<Surd, std::uint64_t>> const& layers) {
    constexpr std::size_t most_roots = 64;
    bool const plain = !has_label_factors(layers);
    std::vector<Surd> quotients;
    std::vector<std::reference_wrapper<Surd const>> variances;
    quotients.reserve(layers.size());
    variances.reserve(layers.size());
    for (auto const& run : layers) {
        if (sign(run.label_factor) <= 0)
            throw DomainError(
                "a label factor is " + to_string(run.label_factor) + "; sums over pairs of layers need positive ones",
                "label_factor");
        if (!plain) quotients.push_back(run.variance / run.label_factor);
        variances.emplace_back(plain ? run.variance : quotients.back());
    }
    auto out = reciprocals_over_common_scale(variances);
    if (out.radicands.size() > most_roots) {
        throw UnsupportedError("the layer factors have " + std::to_string(out.radicands.size()) +
                                   " different square roots; exact sums over pairs of layers are served up to " +
                                   std::to_string(most_roots),
                               "widths");
    }
    return out;
}

template <class E, std::size_t C>
void fill(LayerPairSums<Surd, C>& out, std::vector<LayerRun<Surd, std::uint64_t>> const& layers,
          CommonScale const& set) {
    using N = std::conditional_t<std::is_same_v<E, Surd>, Surd, Integer>;
    std::vector<Step<E, N, C>> steps;
    std::vector<Integer> denominators;
    steps.reserve(layers.size() + 1);
    denominators.reserve(layers.size());
    for (std::size_t l = 0; l < layers.size(); ++l) {
        bool const last = l + 1 == layers.size();
        E factor = scaled_element<E>(set, l);
        std::uint64_t const below = layers[l].count - (last ? 1 : 0);
        if (below != 0) {
            if (!layers[l].fan_out.is_rational()) (void)layers[l].fan_out.to_rational();  // refuses
            Rational const& d = layers[l].fan_out.terms().front().coefficient;
            Integer p = numerator_of(d);
            Step<E, N, C> step{.factor = factor, .width = {}, .count = below};
            auto whole = numerators<Integer, C>(p, denominator_of(d));
            for (std::size_t x = 0; x < C; ++x) step.width[x] = N(std::move(whole[x]));
            steps.push_back(std::move(step));
            denominators.push_back(below == 1 ? std::move(p) : power(p, below));
        }
        if (last) {
            Step<E, N, C> step{.factor = factor, .width = {}, .count = 1};
            step.width.fill(N(1));
            steps.push_back(std::move(step));
        }
    }
    auto const sums = tree<E, N, C>(std::span<Step<E, N, C> const>(steps));
    for (std::size_t x = 0; x < C; ++x) {
        out.all_[x] = as_surd(sums.all[x]);
        for (std::size_t y = 0; y < C; ++y) {
            out.one_[x][y] = as_surd(sums.one[x][y]);
            out.same_[x][y] = as_surd(sums.same[x][y]);
            for (std::size_t z = 0; z < C; ++z) out.two_[x][y][z] = as_surd(sums.two[x][y][z]);
        }
    }
    out.factors_ = as_surd(sums.factors);
    Integer const denominator = product_tree(denominators);

    if (std::is_same_v<E, Integer> && !has_label_factors(layers)) {
        // prod d / prod (1/v), with the products that are at hand.
        std::vector<Integer> inverse;
        inverse.reserve(layers.size());
        std::uint64_t depth = 0;
        for (std::size_t l = 0; l < layers.size(); ++l) {
            Integer const& e = set.whole[l];
            inverse.push_back(layers[l].count == 1 ? e : power(e, layers[l].count));
            depth += layers[l].count;
        }
        out.prefactor = Surd(ratio(denominator, product_tree(inverse))) / power(set.scale, depth);
    } else {
        out.prefactor = layer_prefactor(layers);
    }
    out.scale_ = ratio(1, C == 2 ? denominator : Integer(denominator * denominator));
    out.factor_scale_ = set.scale * out.prefactor;
}

/// A layer of factor t and a width with channels x, L times for symbolic L >= 0: geometric sums.
template <class R, std::size_t C>
Stretch<R, R, C> symbolic_run(R const& t, ChannelVector<R, C> const& x, Exponent const& count) {
    R const layers(count);
    auto equal = [&](std::size_t a, std::size_t b) { return a == b || R(x[a] - x[b]).is_zero(); };
    auto to_the_count = [&](std::size_t a) { return x[a].is_zero() ? R(0) : power(x[a], count); };
    // sum_(0 <= i < L) a^i b^(L - i)
    auto geometric = [&](std::size_t a, std::size_t b) {
        if (equal(a, b)) return R(layers * to_the_count(a));
        return R(x[b] * (to_the_count(a) - to_the_count(b)) / (x[a] - x[b]));
    };
    // sum_(0 <= i < L) i a^i b^(L - i)
    auto weighted = [&](std::size_t a, std::size_t b) {
        if (equal(a, b)) return R(layers * (layers - R(1)) / R(2) * to_the_count(a));
        R const gap = x[a] - x[b];
        return R(x[b] / gap * (layers * to_the_count(a) - x[a] * (to_the_count(a) - to_the_count(b)) / gap));
    };
    // sum_(0 <= i < j < L) a^i b^(j - i) c^(L - j)
    auto pairs = [&](std::size_t a, std::size_t b, std::size_t c) {
        if (equal(a, b)) return weighted(a, c);
        if (equal(a, c)) return weighted(a, b);
        if (equal(b, c)) return R((layers - R(1)) * geometric(a, b) - weighted(a, b));
        return R(x[b] / (x[a] - x[b]) * (geometric(a, c) - geometric(b, c)));
    };
    Stretch<R, R, C> out;
    out.factors = layers * t;
    for (std::size_t a = 0; a < C; ++a) {
        out.all[a] = to_the_count(a);
        for (std::size_t c = 0; c < C; ++c) {
            out.one[a][c] = t * geometric(a, c);
            out.same[a][c] = t * out.one[a][c];
            for (std::size_t b = 0; b < C; ++b) out.two[a][b][c] = t * t * pairs(a, b, c);
        }
    }
    return out;
}

/// Over a field: widths are divided by as they come.
template <std::size_t C, class R, class Count>
void sweep(LayerPairSums<R, C>& out, std::vector<LayerRun<R, Count>> const& layers) {
    auto sums = Stretch<R, R, C>::empty();
    for (std::size_t l = 0; l < layers.size(); ++l) {
        auto const& run = layers[l];
        R const factor = run.label_factor / run.variance;
        bool const last = l + 1 == layers.size();
        Count const below = run.count - Count(last ? 1 : 0);
        if (!(below == Count(0))) {
            auto const widths = numerators<R, C>(R(1), R(R(1) / run.fan_out));
            std::uint64_t number = 0;
            if constexpr (std::is_same_v<Count, Exponent>) {
                if (below.is_constant()) {
                    number = checked_count(numerator_of(below.constant()));
                } else {
                    sums = sums.then(symbolic_run<R, C>(factor, widths, below));
                }
            } else {
                number = below;
            }
            for (std::uint64_t i = 0; i < number; ++i) sums.append(factor, widths);
        }
        if (last) {
            ChannelVector<R, C> top;
            top.fill(R(1));
            sums.append(factor, top);
        }
    }
    out.all_ = sums.all;
    out.one_ = sums.one;
    out.same_ = sums.same;
    out.two_ = sums.two;
    out.factors_ = sums.factors;
    out.factor_scale_ = out.prefactor;
}

template <class R, class Count>
void require_layers(std::vector<LayerRun<R, Count>> const& layers) {
    check_widths(layers, "layer_pair_sums");
    for (auto const& run : layers) {
        if (!may_be_positive(run.variance))
            throw DomainError("a weight variance is " + shown(run.variance) + "; it has to be positive", "variance");
    }
}

}  // namespace pair_sums_detail

template <std::size_t C, class R, class Count>
LayerPairSums<R, C> layer_pair_sums(std::vector<LayerRun<R, Count>> const& layers) {
    namespace detail = pair_sums_detail;
    detail::require_layers(layers);
    LayerPairSums<R, C> out;
    if constexpr (std::is_same_v<R, Surd>) {
        auto const set = detail::layer_factors(layers);
        bool const fits = std::all_of(set.radicands.begin(), set.radicands.end(),
                                      [](Integer const& r) { return r < (Integer(1) << 62); });
        if (!set.whole.empty()) {
            detail::fill<Integer>(out, layers, set);
        } else if (set.radicands.size() == 2 && *set.radicands.begin() == 1 && fits) {
            detail::fill<QuadraticInteger>(out, layers, set);
        } else {
            detail::fill<Surd>(out, layers, set);
        }
    } else {
        out.prefactor = layer_prefactor(layers);
        detail::sweep<C>(out, layers);
    }
    return out;
}

template Surd layer_prefactor(std::vector<LayerRun<Surd, std::uint64_t>> const&);
template LayerPairSums<Surd, 2> layer_pair_sums<2>(std::vector<LayerRun<Surd, std::uint64_t>> const&);
template LayerPairSums<Surd, 3> layer_pair_sums<3>(std::vector<LayerRun<Surd, std::uint64_t>> const&);
template double layer_prefactor(std::vector<LayerRun<double, std::uint64_t>> const&);
template LayerPairSums<double, 2> layer_pair_sums<2>(std::vector<LayerRun<double, std::uint64_t>> const&);
template LayerPairSums<double, 3> layer_pair_sums<3>(std::vector<LayerRun<double, std::uint64_t>> const&);
template ScaledDouble layer_prefactor(std::vector<LayerRun<ScaledDouble, std::uint64_t>> const&);
template LayerPairSums<ScaledDouble, 2> layer_pair_sums<2>(std::vector<LayerRun<ScaledDouble, std::uint64_t>> const&);
template LayerPairSums<ScaledDouble, 3> layer_pair_sums<3>(std::vector<LayerRun<ScaledDouble, std::uint64_t>> const&);
template RationalFunction layer_prefactor(std::vector<LayerRun<RationalFunction, std::uint64_t>> const&);
template LayerPairSums<RationalFunction, 2> layer_pair_sums<2>(
    std::vector<LayerRun<RationalFunction, std::uint64_t>> const&);
template LayerPairSums<RationalFunction, 3> layer_pair_sums<3>(
    std::vector<LayerRun<RationalFunction, std::uint64_t>> const&);
template RationalFunction layer_prefactor(std::vector<LayerRun<RationalFunction, Exponent>> const&);
template LayerPairSums<RationalFunction, 2> layer_pair_sums<2>(
    std::vector<LayerRun<RationalFunction, Exponent>> const&);
template LayerPairSums<RationalFunction, 3> layer_pair_sums<3>(
    std::vector<LayerRun<RationalFunction, Exponent>> const&);

}  // namespace isserlis
