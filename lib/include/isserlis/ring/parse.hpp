// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace isserlis {

/// Parsed arithmetic: numbers (1e-3 too), symbols, + - * / ^, sqrt( ), exp( ), brackets. It reads what is printed.
class Expression {
public:
    enum class Kind { number, symbol, add, multiply, divide, power, negate, sqrt, exp };
    // add and multiply have two operands or more; divide and power two; negate, sqrt and exp one.

    /// Reads all of `text`; `argument` names it in messages.
    /// Errors  ParseError with the character's place.
    static Expression parse(std::string_view text, std::string_view argument);

    [[nodiscard]] Kind kind() const { return kind_; }
    /// Of a number, and of a symbol.
    [[nodiscard]] Rational const& number() const { return std::get<Rational>(leaf_); }
    [[nodiscard]] std::string const& symbol() const { return std::get<std::string>(leaf_); }
    [[nodiscard]] std::vector<Expression> const& operands() const { return operands_; }
    /// All symbols that occur.
    [[nodiscard]] std::set<std::string> symbols() const;

private:
    friend class ExpressionParser;
    Kind kind_ = Kind::number;
    int levels_ = 0;  ///< below this one
    std::variant<std::monostate, Rational, std::string> leaf_;
    std::vector<Expression> operands_;
};

namespace detail {

// What a short text may ask for. Errors  UnsupportedError that says how much it would be.

/// For base^exponent, before it is computed.
void require_moderate_power(Surd const& base, Integer const& exponent);
void require_moderate_power(RationalFunction const& base, Exponent const& exponent);
/// For a b, likewise.
void require_moderate_product(Surd const& a, Surd const& b);
void require_moderate_product(RationalFunction const& a, RationalFunction const& b);
/// For what sums, products and quotients have grown to.
void require_moderate(Surd const& x);
void require_moderate(RationalFunction const& x);

}  // namespace detail

/// The value over a field R; `value_of(name)` gives R for a symbol.
/// Errors  DomainError for division by 0; UnsupportedError for a power that R cannot take.
template <class R, class Resolver>
[[nodiscard]] R evaluate(Expression const& e, Resolver const& value_of) {
    auto at = [&](std::size_t i) { return evaluate<R>(e.operands()[i], value_of); };
    auto moderate = [](R x) {
        detail::require_moderate(x);
        return x;
    };
    switch (e.kind()) {
        case Expression::Kind::number: return R(e.number());
        case Expression::Kind::symbol: return value_of(e.symbol());
        case Expression::Kind::add:
        case Expression::Kind::multiply: {
            auto join = [&](R const& x, R const& y) {
                if (e.kind() == Expression::Kind::add) return moderate(R(x + y));
                detail::require_moderate_product(x, y);
                return moderate(R(x * y));
            };
            if constexpr (std::is_same_v<R, RationalFunction>) {
                if (e.kind() == Expression::Kind::add) {  // in n log n steps of n parts, not n^2
                    std::vector<R> parts;
                    for (std::size_t i = 0; i < e.operands().size(); ++i) parts.push_back(at(i));
                    return moderate(R::sum(parts));
                }
                R out = at(0);
                for (std::size_t i = 1; i < e.operands().size(); ++i) out = join(out, at(i));
                return out;
            } else {
                auto over = [&](auto const& self, std::size_t first, std::size_t last) -> R {
                    if (last - first == 1) return at(first);
                    std::size_t const middle = first + (last - first) / 2;
                    R const left = self(self, first, middle);
                    return join(left, self(self, middle, last));
                };
                return over(over, 0, e.operands().size());
            }
        }
        case Expression::Kind::divide: {
            // A row of divisions takes no stack.
            std::vector<Expression const*> divisors;
            Expression const* dividend = &e;
            for (; dividend->kind() == Expression::Kind::divide; dividend = dividend->operands().data())
                divisors.push_back(&dividend->operands()[1]);
            R out = evaluate<R>(*dividend, value_of);
            for (; !divisors.empty(); divisors.pop_back())
                out = moderate(R(out / evaluate<R>(*divisors.back(), value_of)));
            return out;
        }
        case Expression::Kind::negate: return R(0) - at(0);
        case Expression::Kind::sqrt: return sqrt(at(0));
        case Expression::Kind::exp: throw UnsupportedError("exp( ) is no exact number; it occurs in limits only");
        case Expression::Kind::power: break;
    }
    R const base = at(0);
    if constexpr (std::is_same_v<R, RationalFunction>) {
        Exponent const exponent = as_exponent(at(1));
        detail::require_moderate_power(base, exponent);
        return power(base, exponent);
    } else {
        Rational const exponent = at(1).to_rational();
        if (denominator_of(exponent) > 2) {
            throw UnsupportedError("the exponent " + to_string(exponent) + " is neither whole nor half");
        }
        Integer const twice = numerator_of(Rational(exponent * 2));
        if (abs(twice) > 1'000'000) throw UnsupportedError("the exponent " + to_string(exponent) + " is too large");
        detail::require_moderate_power(base, abs(twice) / 2);
        auto const size = checked_count(abs(twice));
        R out = power(base, size / 2);
        if (size % 2 == 1) out = out * sqrt(base);
        return twice < 0 ? R(1) / out : out;
    }
}

/// Certain bounds of an expression whose symbols have these values.
/// Errors  DomainError for division by an enclosure of 0; UnsupportedError for a symbol without a value, or an exponent
/// that is not whole.
[[nodiscard]] Interval enclose(Expression const& e, unsigned bits, std::map<std::string, Rational> const& values = {});

/// A number from text: what `to_string(Surd)` prints, and any arithmetic of numbers.
[[nodiscard]] Surd parse_surd(std::string_view text, std::string_view argument);
/// A formula from text: what `to_string(RationalFunction)` prints.
[[nodiscard]] RationalFunction parse_rational_function(std::string_view text, std::string_view argument);

}  // namespace isserlis
