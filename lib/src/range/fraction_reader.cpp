// SPDX-License-Identifier: MIT
#include "range/fraction_reader.hpp"

#include <isserlis/ring/power.hpp>
#include <vector>

namespace isserlis::quantity {
namespace {

/// A product of fractions, put into lowest terms once.
class Factors {
public:
    void multiply(Rational const& x) {
        times(above_, mpq_numref(x.backend().data()));
        times(below_, mpq_denref(x.backend().data()));
    }
    [[nodiscard]] Rational product() const { return below_ == 1 ? Rational(above_) : ratio(above_, below_); }

private:
    static void times(Integer& out, mpz_srcptr x) {
        if (mpz_cmp_ui(x, 1) != 0) mpz_mul(out.backend().data(), out.backend().data(), x);
    }
    Integer above_ = 1;
    Integer below_ = 1;
};

}  // namespace

std::optional<Rational> FractionReader::value(Expression const& e) {
    using Kind = Expression::Kind;
    switch (e.kind()) {
        case Kind::number:
        case Kind::symbol:
        case Kind::power: {
            auto const* found = kept(e);
            if (found == nullptr && e.kind() == Kind::power) return power_of(e);
            return found == nullptr ? std::nullopt : std::optional(*found);
        }
        case Kind::sqrt:
        case Kind::exp: return std::nullopt;
        case Kind::add: return sum(e);
        case Kind::multiply: return product(e);
        case Kind::negate:
        case Kind::divide: break;
    }
    auto const first = value(e.operands()[0]);
    if (!first) return std::nullopt;
    if (e.kind() == Kind::negate) return Rational(-*first);
    auto const second = value(e.operands()[1]);
    if (!second || second->is_zero()) return std::nullopt;
    return Rational(*first / *second);
}

/// Put over one denominator at once; what is whole is added up by itself.
std::optional<Rational> FractionReader::sum(Expression const& e) {
    Integer whole = 0;
    Integer denominator = 1;
    std::vector<Rational> broken;
    for (auto const& operand : e.operands()) {
        auto const x = value(operand);
        if (!x) return std::nullopt;
        if (is_integer(*x)) {
            mpz_add(whole.backend().data(), whole.backend().data(), mpq_numref(x->backend().data()));
        } else {
            denominator = lcm(denominator, denominator_of(*x));
            broken.push_back(*x);
        }
    }
    if (broken.empty()) return Rational(whole);
    Integer total = whole * denominator;
    for (auto const& x : broken) total += numerator_of(x) * (denominator / denominator_of(x));
    return ratio(total, denominator);
}

std::optional<Rational> FractionReader::product(Expression const& e) {
    Factors out;
    for (auto const& operand : e.operands()) {
        if (auto const* found = kept(operand)) {
            out.multiply(*found);
            continue;
        }
        auto const x = value(operand);
        if (!x) return std::nullopt;
        out.multiply(*x);
    }
    return out.product();
}

/// Of a number, a symbol and its power, where it is kept: a long sum has the same few powers of its symbols in each
/// term. Null where there is none, and for the rest.
Rational const* FractionReader::kept(Expression const& e) {
    using Kind = Expression::Kind;
    if (e.kind() == Kind::number) return &e.number();
    if (e.kind() == Kind::symbol) {
        auto const at = values_.find(e.symbol());
        return at == values_.end() ? nullptr : &at->second;
    }
    if (e.kind() != Kind::power || e.operands()[0].kind() != Kind::symbol || e.operands()[1].kind() != Kind::number)
        return nullptr;
    auto& powers = powers_[e.operands()[0].symbol()];
    auto const [at, fresh] = powers.try_emplace(e.operands()[1].number());
    if (fresh) at->second = power_of(e);
    return at->second ? &*at->second : nullptr;
}

std::optional<Rational> FractionReader::power_of(Expression const& e) {
    constexpr double most_bits = 1e6;
    auto const base = value(e.operands()[0]);
    auto const exponent = value(e.operands()[1]);
    if (!base || !exponent || !is_integer(*exponent)) return std::nullopt;
    Integer const times = abs(numerator_of(*exponent));
    auto const bits = static_cast<double>(mpz_sizeinbase(numerator_of(*base).backend().data(), 2) +
                                          mpz_sizeinbase(denominator_of(*base).backend().data(), 2));
    bool const is_small = times.convert_to<double>() * bits < most_bits;
    bool const has_inverse = *exponent > 0 || !base->is_zero();
    if (!is_small || !has_inverse) return std::nullopt;
    Rational const raised = power(*base, checked_count(times));
    return *exponent < 0 ? Rational(1) / raised : raised;
}

}  // namespace isserlis::quantity
