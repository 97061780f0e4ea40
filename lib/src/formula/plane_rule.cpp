// SPDX-License-Identifier: MIT
#include "formula/plane_rule.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <isserlis/ring/add_product.hpp>
#include <numbers>
#include <utility>

#include "formula/unit_jets.hpp"

namespace isserlis {
namespace {

double upper_double(Interval const& x) { return mpfr_get_d(x.upper(), MPFR_RNDU); }

/// The larger of both upper ends.
Interval const& larger(Interval const& x, Interval const& y) {
    return mpfr_greater_p(x.upper(), y.upper()) != 0 ? x : y;
}

/// Numbers as integers: x is rounded down to a multiple of 2^-bits. Remembers how large they were, and how far off.
class Rounding {
public:
    explicit Rounding(unsigned bits) : bits_(bits), wide_(bits), size_(bits) {}

    [[nodiscard]] Integer operator()(Interval const& x) {
        wide_ = larger(wide_, x - x);  // its upper end is what x is wide
        size_ = larger(size_, larger(x, Interval(0L, bits_) - x));
        mpfr_t end;
        mpfr_init2(end, mpfr_get_prec(x.lower()));
        mpfr_mul_2ui(end, x.lower(), bits_, MPFR_RNDD);
        Integer out;
        mpfr_get_z(out.backend().data(), end, MPFR_RNDD);
        mpfr_clear(end);
        return out;
    }

    [[nodiscard]] Interval unit() const { return {ratio(Integer(1), Integer(1) << bits_), bits_}; }
    /// What is lost of any of them.
    [[nodiscard]] Interval radius() const { return wide_ + unit(); }
    /// At least the modulus of all, rounded or not.
    [[nodiscard]] Interval size() const { return size_ + radius(); }

private:
    unsigned bits_;
    Interval wide_, size_;  ///< upper ends
};

/// One of the two axes: places step k, |k| <= last. A point where u and v do not depend on it.
struct Axis {
    bool is_point = false;
    Rational half = 0;  ///< half a strip of it, in which u and v stay within 1 of the real line
    Interval step{2U};
    long last = 0;
    std::vector<Interval> places;
    std::vector<Integer> weights;  ///< density times step
    Rounding rounding{2U};
};

/// Factors at places of u or of v, by `place_of`.
struct FactorTable {
    explicit FactorTable(unsigned bits) : values(unit_factor_count), roundings(unit_factor_count, Rounding(bits)) {}
    std::vector<std::vector<Integer>> values;
    std::vector<Rounding> roundings;
};

/// How the places of both axes are chosen. On a lattice u = deviation (m i + n j) unit and v = deviation (m i - n j) unit,
/// so that few places of the unit serve all nodes.
struct Lattice {
    long m = 1;
    long n = 1;
    double unit = 0;  ///< 0 for no lattice
};

class PlaneRule {
public:
    PlaneRule(SmoothUnit unit, Interval const& uu, Interval const& correlation, Interval const& vv,
              std::vector<FactorPair> const& pairs, unsigned wanted)
        : unit_(unit), pairs_(pairs), bits_(uu.bits()), u_(sqrt(uu)), v_(sqrt(vv)) {
        for (auto const& [f, g] : pairs) {
            plain_ = plain_ && is_plain(f) && is_plain(g);
            note(of_u_, f);
            note(of_v_, g);
        }
        Interval const two = of(2);
        cos_ = sqrt(positive_part((of(1) + correlation) / two));
        sin_ = sqrt(positive_part((of(1) - correlation) / two));
        largest_ = larger(u_, v_);
        double size = 1;
        for (auto const& [f, g] : pairs)
            size = std::max(size, static_cast<double>(growth_of(unit, f).size * growth_of(unit, g).size));
        double const deviation = upper_double(largest_);
        double const nats = wanted * std::numbers::ln2 + std::log(2048 * size) + 4 * std::log1p(deviation);
        choose(deviation, nats);
    }

    [[nodiscard]] std::vector<Interval> operator()() const {
        std::vector<Integer> sums(pairs_.size());
        FactorTable u(bits_);
        FactorTable v(bits_);
        if (lattice_.unit > 0) {
            bool const alike = mpfr_equal_p(u_.lower(), v_.lower()) != 0 && mpfr_equal_p(u_.upper(), v_.upper()) != 0;
            u = table(u_);
            v = alike ? u : table(v_);
            add_lattice(u, v, sums);
        } else {
            add_nodes(u, v, sums);
        }
        Interval const of_rule = error_of_rule();
        std::vector<Interval> out;
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            auto const [f, g] = pairs_[i];
            Interval const at(ratio(sums[i], Integer(1) << (3 * bits_)), bits_);
            Interval const growth = of(growth_of(unit_, f).size * growth_of(unit_, g).size);
            out.push_back(
                widened(at, growth * of_rule + error_of_sum(u.roundings[place_of(f)], v.roundings[place_of(g)])));
        }
        return out;
    }

private:
    [[nodiscard]] Interval of(long x) const { return {x, bits_}; }

    static void note(std::vector<UnitFactor>& known, UnitFactor factor) {
        if (std::find(known.begin(), known.end(), factor) == known.end()) known.push_back(factor);
    }

    /// Steps for which the rule over each axis is off by e^-nats or so, and of these the cheapest lattice.
    void choose(double deviation, double nats) {
        double const cosine = upper_double(cos_);
        double const sine = upper_double(sin_);
        auto const widest = [&](Axis& axis, double scale) {
            axis.half = half_strip(scale);
            double const half = axis.half.convert_to<double>();
            return 2 * std::numbers::pi * half / (nats + half * half / 2);
        };
        double const step_p = widest(p_, deviation * cosine);
        double const step_q = widest(q_, deviation * sine);
        double const end = std::sqrt(2 * nats) + 2;
        p_.is_point = cosine == 0;
        q_.is_point = sine == 0;
        auto const nodes = [end](double p, double q) { return 4 * end * end / (p * q); };
        // Seconds: of a node on a lattice, and of a place of all factors.
        constexpr double node_seconds = 0.4e-6;
        constexpr double place_seconds = 20e-6;
        double best = nodes(step_p, step_q) * 2 * place_seconds;
        double const along = step_p * cosine;
        double const across = step_q * sine;
        double const less = std::min(along, across);
        for (long few = 1; few <= 8 && less > 0; ++few) {
            double const unit = less / static_cast<double>(few);
            if (std::max(along, across) / unit > 1e6) break;
            auto const many = static_cast<long>(std::max(along, across) / unit);
            long const m = along < across ? few : many;
            long const n = along < across ? many : few;
            double const p = static_cast<double>(m) * unit / cosine;
            double const q = static_cast<double>(n) * unit / sine;
            double const cost = nodes(p, q) * node_seconds + 2 * end * (cosine + sine) / unit * 2 * place_seconds;
            if (cost < best) {
                best = cost;
                lattice_ = {.m = m, .n = n, .unit = unit};
            }
        }
        if (lattice_.unit > 0) {
            Interval const unit(Rational(lattice_.unit), bits_);
            p_.step = of(lattice_.m) * unit / cos_;
            q_.step = of(lattice_.n) * unit / sin_;
        } else {
            p_.step = Interval(Rational(step_p), bits_);
            q_.step = Interval(Rational(step_q), bits_);
        }
        for (Axis* axis : {&p_, &q_}) {
            if (axis->is_point) {
                axis->rounding = Rounding(bits_);
                axis->places.push_back(of(0));
                axis->weights.push_back(axis->rounding(of(1)));
                continue;
            }
            axis->last = static_cast<long>(std::ceil(end / upper_double(axis->step))) + 1;
            axis->rounding = Rounding(bits_);
            for (long k = -axis->last; k <= axis->last; ++k) {
                axis->places.push_back(of(k) * axis->step);
                axis->weights.push_back(axis->rounding(normal_density(axis->places.back()) * axis->step));
            }
        }
    }

    /// At deviation unit k, |k| <= m last_p + n last_q.
    [[nodiscard]] FactorTable table(Interval const& deviation) const {
        long const last = last_place();
        Interval const step = deviation * Interval(Rational(lattice_.unit), bits_);
        std::vector<UnitPlace> places;
        for (long k = 0; k <= last; ++k) places.emplace_back(unit_, of(k) * step);
        FactorTable out(bits_);
        for (long k = -last; k <= last; ++k) {
            UnitPlace const& at = places[static_cast<std::size_t>(std::labs(k))];
            auto const factors = k < 0 ? at.reflected().factors(plain_) : at.factors(plain_);
            for (std::size_t i = 0; i < factors.size(); ++i) out.values[i].push_back(out.roundings[i](factors[i]));
        }
        return out;
    }
    [[nodiscard]] long last_place() const { return lattice_.m * p_.last + lattice_.n * q_.last; }

    /// Weights of nodes are products of those of the axes, rounded down.
    [[nodiscard]] Integer weight(std::size_t i, std::size_t j) const {
        return (p_.weights[i] * q_.weights[j]) >> bits_;
    }

    void add_lattice(FactorTable const& u, FactorTable const& v, std::vector<Integer>& sums) const {
        long const last = last_place();
        auto const count = static_cast<std::size_t>(2 * last + 1);
        // For each place of u the sums over its nodes, of weights times factors of v.
        std::vector<std::vector<Integer>> inner(unit_factor_count);
        for (auto const g : of_v_) inner[place_of(g)].resize(count);
        for (long i = -p_.last; i <= p_.last; ++i) {
            for (long j = -q_.last; j <= q_.last; ++j) {
                Integer const here =
                    weight(static_cast<std::size_t>(i + p_.last), static_cast<std::size_t>(j + q_.last));
                auto const k = static_cast<std::size_t>(lattice_.m * i + lattice_.n * j + last);
                auto const l = static_cast<std::size_t>(lattice_.m * i - lattice_.n * j + last);
                for (auto const g : of_v_) detail::add_product(inner[place_of(g)][k], here, v.values[place_of(g)][l]);
            }
        }
        for (std::size_t s = 0; s < pairs_.size(); ++s) {
            auto const& f = u.values[place_of(pairs_[s].first)];
            auto const& g = inner[place_of(pairs_[s].second)];
            for (std::size_t k = 0; k < count; ++k) detail::add_product(sums[s], f[k], g[k]);
        }
    }

    /// Without a lattice, as where u and v are nearly the same: each node has places of its own.
    void add_nodes(FactorTable& u, FactorTable& v, std::vector<Integer>& sums) const {
        std::vector<Integer> of_u(unit_factor_count);
        std::vector<Integer> of_v(unit_factor_count);
        auto const find = [&](FactorTable& table, Interval const& z, std::vector<Integer>& out) {
            auto const factors = UnitPlace(unit_, z).factors(plain_);
            for (std::size_t k = 0; k < factors.size(); ++k) out[k] = table.roundings[k](factors[k]);
        };
        for (std::size_t i = 0; i < p_.places.size(); ++i) {
            Interval const along = cos_ * p_.places[i];
            for (std::size_t j = 0; j < q_.places.size(); ++j) {
                Interval const across = sin_ * q_.places[j];
                find(u, u_ * (along + across), of_u);
                find(v, v_ * (along - across), of_v);
                Integer const here = weight(i, j);
                for (std::size_t s = 0; s < pairs_.size(); ++s) {
                    Integer const product = here * of_v[place_of(pairs_[s].second)];
                    detail::add_product(sums[s], product, of_u[place_of(pairs_[s].first)]);
                }
            }
        }
    }

    /// Of the rule over one axis, for a function of at most (1 + |x|)^4 at x + iy: 2 M/(e^(2 pi a/h) - 1) with
    /// E (1 + |x|)^4 <= 20, and both tails, where (1 + x)^4 <= 16 x^4.
    [[nodiscard]] Interval axis_error(Axis const& axis) const {
        if (axis.is_point) return of(0);
        Interval const half(axis.half, bits_);
        Interval const turns = of(2) * pi(bits_) * half / axis.step;
        Interval const strip = of(40) * exp(half * half / of(2)) / (exp(turns) - of(1));
        Interval const end = of(axis.last) * axis.step;
        Interval const square = end * end;
        return strip + of(32) * end * square * normal_density(end) / (of(1) - of(4) / square);
    }

    /// Of factors that are at most (1 + |x|)^k, the degrees adding up to 4.
    [[nodiscard]] Interval error_of_rule() const {
        Interval rows = of(p_.is_point ? 1 : 0);  // the rule's own sum of (1 + |p|)^4
        for (Interval const& place : p_.places) {
            if (p_.is_point) break;
            Interval const size = of(1) + larger(place, of(0) - place);
            Interval const square = size * size;
            add_product(rows, normal_density(place) * p_.step, square * square);
        }
        Interval const size = of(1) + largest_;
        Interval const square = size * size;
        return square * square * (of(20) * axis_error(p_) + rows * axis_error(q_));
    }

    /// Of weights and factors that are integers.
    [[nodiscard]] Interval error_of_sum(Rounding const& f, Rounding const& g) const {
        auto const total = [this](Axis const& axis) {
            Integer sum = 0;
            for (auto const& w : axis.weights) sum += w;
            return Interval(ratio(sum, Integer(1) << bits_), bits_);
        };
        Rounding const& p = p_.rounding;
        Rounding const& q = q_.rounding;
        Interval const of_weight = p.radius() * q.size() + p.size() * q.radius() + p.unit();
        Interval const nodes = of(static_cast<long>(p_.weights.size() * q_.weights.size()));
        return nodes * of_weight * f.size() * g.size() +
               total(p_) * total(q_) * (f.radius() * g.size() + f.size() * g.radius());
    }

    SmoothUnit unit_;
    std::vector<FactorPair> const& pairs_;
    unsigned bits_;
    Interval u_, v_;
    bool plain_ = true;
    std::vector<UnitFactor> of_u_, of_v_;
    Interval cos_{2U}, sin_{2U}, largest_{2U};
    Axis p_, q_;
    Lattice lattice_;
};

}  // namespace

std::vector<Interval> plane_factor_means(SmoothUnit unit, Interval const& uu, Interval const& correlation,
                                         Interval const& vv, std::vector<FactorPair> const& pairs, unsigned wanted) {
    return PlaneRule(unit, uu, correlation, vv, pairs, wanted)();
}

}  // namespace isserlis
