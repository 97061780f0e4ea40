// SPDX-License-Identifier: MIT
#include "formula/piecewise_means.hpp"

#include <isserlis/error.hpp>
#include <utility>

#include "formula/normal_pair.hpp"
#include "formula/pair_spot.hpp"
#include "formula/unit_jets.hpp"

namespace isserlis {
namespace {

enum class Side { below, above, at_zero };

/// weight z^power e^(rate z) below or above 0, above at rate 0, or the derivative of this order of delta(z).
struct Piece {
    Interval weight;
    Side side;
    long power;  ///< or order
    long rate;
};
using Pieces = std::vector<Piece>;

void add(Pieces& sum, Piece const& piece) {
    for (auto& known : sum)
        if (known.side == piece.side && known.power == piece.power && known.rate == piece.rate) {
            known.weight = known.weight + piece.weight;
            return;
        }
    sum.push_back(piece);
}

bool is_zero(Interval const& x) { return mpfr_zero_p(x.lower()) != 0 && mpfr_zero_p(x.upper()) != 0; }

/// As a distribution.
Pieces derivative(Pieces const& pieces) {
    Pieces out;
    for (auto const& p : pieces) {
        unsigned const bits = p.weight.bits();
        if (p.side == Side::at_zero) {
            add(out, {.weight = p.weight, .side = p.side, .power = p.power + 1, .rate = 0});
            continue;
        }
        if (p.rate != 0) add(out, {Interval(p.rate, bits) * p.weight, p.side, p.power, p.rate});
        if (p.power > 0) {
            add(out, {Interval(p.power, bits) * p.weight, p.side, p.power - 1, p.rate});
            continue;
        }
        Interval const jump = p.side == Side::above ? p.weight : Interval(0L, bits) - p.weight;
        add(out, {.weight = jump, .side = Side::at_zero, .power = 0, .rate = 0});
    }
    // ELU's slope has no jump.
    std::erase_if(out, [](Piece const& p) { return is_zero(p.weight); });
    return out;
}

/// scale (z above 0, alpha (e^z - 1) below).
Pieces pieces_of(EluConstants const& c, UnitFactor factor) {
    unsigned const bits = c.scale.bits();
    auto const of = [bits](long x) { return Interval(x, bits); };
    /// outer z^power above, and sum_k below[k] e^(k z).
    auto const both = [&](Interval const& outer, long power, Interval const& inner, std::vector<long> const& below) {
        Pieces out{{.weight = outer, .side = Side::above, .power = power, .rate = 0}};
        for (std::size_t k = 0; k < below.size(); ++k)
            if (below[k] != 0) out.push_back({inner * of(below[k]), Side::below, 0, static_cast<long>(k)});
        return out;
    };
    Interval const once = c.scale * c.alpha;
    switch (factor) {
        case UnitFactor::value: return both(c.scale, 1, once, {-1, 1});
        case UnitFactor::square: return both(c.scale * c.scale, 2, once * once, {1, -2, 1});
        case UnitFactor::cube: return both(c.scale * c.scale * c.scale, 3, once * once * once, {-1, 3, -3, 1});
        case UnitFactor::value_first: return both(c.scale * c.scale, 1, once * once, {0, -1, 1});
        case UnitFactor::square_first: return both(c.scale * c.scale * c.scale, 2, once * once * once, {0, 1, -2, 1});
        default: break;
    }
    // The value has no jump, which enclosures of its constants would leave open.
    Pieces out = both(c.scale, 0, once, {0, 1});
    for (std::size_t k = 1; k < place_of(factor); ++k) out = derivative(out);
    return out;
}

/// The derivative of this order of the density of variance `square` at 0.
Interval density_at_zero(long order, Interval const& square) {
    unsigned const bits = square.bits();
    if (order % 2 == 1) return Interval(bits);
    Interval out = Interval(1L, bits) / sqrt(Interval(2L, bits) * pi(bits) * square);
    for (long k = 1; k < order; k += 2) out = out * Interval(-k, bits) / square;
    return out;
}

/// E[y^power e^(rate y); y < 0], y normal of this variance: by parts, each from the two before.
Interval below_zero(long power, long rate, Interval const& square) {
    unsigned const bits = square.bits();
    auto const of = [bits](long x) { return Interval(x, bits); };
    Interval const deviation = sqrt(square);
    Interval before(bits);
    Interval here = exp(of(rate * rate) * square / of(2)) * normal_cdf(of(-rate) * deviation);
    for (long k = 1; k <= power; ++k) {
        Interval const edge = k == 1 ? deviation / sqrt(of(2) * pi(bits)) : of(0);
        Interval next = square * (of(k - 1) * before + of(rate) * here) - edge;
        before = std::exchange(here, std::move(next));
    }
    return here;
}

/// E of a piece of a normal number of this variance, without its weight.
Interval line_mean(Piece const& p, Interval const& square) {
    Interval const minus(-1L, square.bits());
    switch (p.side) {
        case Side::below: return below_zero(p.power, p.rate, square);
        case Side::above: {
            Interval const mirrored = below_zero(p.power, -p.rate, square);
            return p.power % 2 == 0 ? mirrored : minus * mirrored;
        }
        case Side::at_zero: break;
    }
    Interval const density = density_at_zero(p.power, square);
    return p.power % 2 == 0 ? density : minus * density;
}

/// Means over the pair (u, v), and over (u, -v).
class Quadrant {
public:
    explicit Quadrant(NormalPair pair) : p_(std::move(pair)), bits_(p_.bits()), u_(sqrt(p_.uu)), v_(sqrt(p_.vv)) {
        bool const opposite = is_zero(p_.root) && mpfr_sgn(p_.uv.upper()) < 0;
        empty_ = opposite;
        open_ = opposite ? Interval(bits_) : rest_of_angle(p_) / (of(2) * pi(bits_));
        if (!is_zero(p_.root)) {
            Interval const square = p_.root * p_.root;
            across_u_ = square / p_.vv;
            across_v_ = square / p_.uu;
        } else {
            across_u_ = across_v_ = Interval(bits_);
        }
    }

    /// E[u^i v^j e^(s u + t v); u, v < 0]: by parts, from lower powers and from the edges of the quadrant.
    [[nodiscard]] Interval moment(long i, long s, long j, long t) const {
        if (empty_) return Interval(bits_);
        if (i == 0 && j == 0) return exponential(s, t);
        // d/du and d/dv of the rest.
        Interval by_u(bits_);
        Interval by_v(bits_);
        if (i > 0) {
            if (i > 1) by_u = by_u + of(i - 1) * moment(i - 2, s, j, t);
            if (s != 0) by_u = by_u + of(s) * moment(i - 1, s, j, t);
            if (i == 1) by_u = by_u - edge(u_, j, t, across_v_);
            if (j > 0) by_v = by_v + of(j) * moment(i - 1, s, j - 1, t);
            if (t != 0) by_v = by_v + of(t) * moment(i - 1, s, j, t);
            if (j == 0) by_v = by_v - edge(v_, i - 1, s, across_u_);
            return p_.uu * by_u + p_.uv * by_v;
        }
        if (j > 1) by_v = by_v + of(j - 1) * moment(0, s, j - 2, t);
        if (t != 0) by_v = by_v + of(t) * moment(0, s, j - 1, t);
        if (j == 1) by_v = by_v - edge(v_, 0, s, across_u_);
        if (s != 0) by_u = by_u + of(s) * moment(0, s, j - 1, t);
        by_u = by_u - edge(u_, j - 1, t, across_v_);
        return p_.vv * by_v + p_.uv * by_u;
    }

private:
    [[nodiscard]] Interval of(long x) const { return {x, bits_}; }

    /// E delta(u) v^j e^(t v) over v < 0, u of this deviation and v of this variance at u = 0.
    [[nodiscard]] Interval edge(Interval const& deviation, long j, long t, Interval const& across) const {
        Interval const density = of(1) / (sqrt(of(2) * pi(bits_)) * deviation);
        if (is_zero(across)) {
            // All of it at 0, half of it on either side.
            return j > 0 ? of(0) : density / of(2);
        }
        return density * below_zero(j, t, across);
    }

    /// The distribution function at shifted places.
    [[nodiscard]] Interval exponential(long s, long t) const {
        Interval const two = of(2);
        Interval const shift_u = of(s) * p_.uu + of(t) * p_.uv;
        Interval const shift_v = of(s) * p_.uv + of(t) * p_.vv;
        Interval const h = shift_u / u_;
        Interval const k = shift_v / v_;
        Interval triangles(bits_);
        if (t != 0) triangles = triangles + owen_triangle(h, of(t) * p_.root / u_);
        if (s != 0) triangles = triangles + owen_triangle(k, of(s) * p_.root / v_);
        Interval const size = exp((of(s) * shift_u + of(t) * shift_v) / two);
        return size * ((normal_cdf(of(0) - h) + normal_cdf(of(0) - k) - of(1)) / two + open_ + triangles);
    }

    NormalPair p_;
    unsigned bits_;
    Interval u_, v_;
    bool empty_ = false;
    Interval open_{2U};
    Interval across_u_{2U}, across_v_{2U};  ///< the variance of u at v = 0, and of v at u = 0
};

/// E F(u) G(v), piece by piece.
class PieceMeans {
public:
    PieceMeans(PairCovariance const& pair, unsigned bits)
        : p_(normal_pair(pair, bits)),
          alike_(p_),
          mirrored_(normal_pair({.uu = pair.uu, .uv = Enclosed(0) - pair.uv, .vv = pair.vv}, bits)) {}

    [[nodiscard]] Interval operator()(Pieces const& f, Pieces const& g) const {
        Interval sum(p_.bits());
        for (auto const& of_u : f)
            for (auto const& of_v : g) sum = sum + of_u.weight * of_v.weight * mean(of_u, of_v);
        return sum;
    }

private:
    [[nodiscard]] Interval mean(Piece const& f, Piece const& g) const {
        if (f.side == Side::at_zero) return at_zero(f.power, g, p_.uu);
        if (g.side == Side::at_zero) return at_zero(g.power, f, p_.vv);
        // Both below 0, by signs of u and of v.
        Quadrant const& quadrant = f.side == g.side ? alike_ : mirrored_;
        long const s = f.side == Side::above ? -f.rate : f.rate;
        long const t = g.side == Side::above ? -g.rate : g.rate;
        long const odd = (f.side == Side::above ? f.power : 0) + (g.side == Side::above ? g.power : 0);
        Interval const moment = quadrant.moment(f.power, s, g.power, t);
        return odd % 2 == 0 ? moment : Interval(0L, p_.bits()) - moment;
    }

    /// E delta^(k)(x) G(y) = (-1)^k d^k/dx^k of the density of x times E G(y) given x, at x = 0: there y is c x/E x^2 and
    /// a normal number apart from x.
    [[nodiscard]] Interval at_zero(long order, Piece const& g, Interval const& xx) const {
        unsigned const bits = p_.bits();
        if (mpfr_sgn(p_.root.lower()) <= 0)
            throw DomainError("pair_corrections: two inputs cannot be told apart in this precision", "gram");
        Interval const across = p_.root * p_.root / xx;
        Interval const slope = p_.uv / xx;
        Interval sum(bits);
        Interval factor(1L, bits);  // binomial(order, q) slope^q
        Pieces pieces{{.weight = Interval(1L, bits), .side = g.side, .power = g.power, .rate = g.rate}};
        for (long q = 0; q <= order; ++q) {
            Interval inner(bits);
            for (auto const& p : pieces) inner = inner + p.weight * line_mean(p, across);
            sum = sum + factor * density_at_zero(order - q, xx) * inner;
            if (q == order) break;
            factor = factor * slope * Interval(order - q, bits) / Interval(q + 1, bits);
            pieces = derivative(pieces);
        }
        return order % 2 == 0 ? sum : Interval(0L, bits) - sum;
    }

    NormalPair p_;
    Quadrant alike_, mirrored_;
};

}  // namespace

std::vector<Interval> piecewise_factor_means(SmoothUnit unit, PairCovariance const& pair,
                                             std::vector<FactorPair> const& pairs, unsigned bits) {
    require_pair_variance(pair.uu, bits);
    require_pair_variance(pair.vv, bits);
    EluConstants const constants = elu_constants(unit, bits);
    std::vector<Pieces> factors;
    for (std::size_t k = 0; k < unit_factor_count; ++k)
        factors.push_back(pieces_of(constants, static_cast<UnitFactor>(k)));
    PieceMeans const means(pair, bits);
    std::vector<Interval> out;
    for (auto const& [f, g] : pairs) out.push_back(means(factors[place_of(f)], factors[place_of(g)]));
    return out;
}

}  // namespace isserlis
