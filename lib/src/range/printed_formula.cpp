// SPDX-License-Identifier: MIT
#include "range/printed_formula.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/report/product_text.hpp>
#include <isserlis/ring/surd.hpp>
#include <set>
#include <string_view>
#include <utility>

namespace isserlis::quantity {
namespace {

using Values = std::map<std::string, Rational>;

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

/// Reads plain arithmetic: no words, roots, divisors that are 0, nor large powers.
class FractionReader {
public:
    explicit FractionReader(Values const& values) : values_(values) {}

    [[nodiscard]] std::optional<Rational> value(Expression const& e) {
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
    /// Multiplies by the value; false where there is none.
    bool multiply(Factors& by, Expression const& e) {
        if (auto const* found = kept(e)) {
            by.multiply(*found);
            return true;
        }
        auto const x = value(e);
        if (x) by.multiply(*x);
        return x.has_value();
    }

private:
    /// Put over one denominator at once; what is whole is added up by itself.
    std::optional<Rational> sum(Expression const& e) {
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
    std::optional<Rational> product(Expression const& e) {
        Factors out;
        for (auto const& operand : e.operands())
            if (!multiply(out, operand)) return std::nullopt;
        return out.product();
    }
    /// Of a number, a symbol and its power, where it is kept: a long sum has the same few powers of its symbols in each
    /// term. Null where there is none, and for the rest.
    Rational const* kept(Expression const& e) {
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
    std::optional<Rational> power_of(Expression const& e) {
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

    Values const& values_;
    std::map<std::string_view, std::map<Rational, std::optional<Rational>>> powers_;
};

bool holds_root(Expression const& e) {
    return e.kind() == Expression::Kind::sqrt || e.kind() == Expression::Kind::exp ||
           std::any_of(e.operands().begin(), e.operands().end(), holds_root);
}

/// Adds the parts that hold a root; is e one of them?
bool find_rooted(Expression const& e, std::set<Expression const*>& out) {
    bool rooted = e.kind() == Expression::Kind::sqrt || e.kind() == Expression::Kind::exp;
    for (auto const& part : e.operands()) rooted = find_rooted(part, out) || rooted;
    if (rooted) out.insert(&e);
    return rooted;
}

/// The value of an expression with roots. Each root is split into its square factors once, and what has no root is put
/// together as fractions: sums of hundreds of terms with one root are what is printed.
class RootReader {
public:
    RootReader(Expression const& whole, Values const& values) : fractions_(values) { find_rooted(whole, rooted_); }

    /// Of a part of the whole. None for words, symbols without values and large powers.
    /// Errors  UnsupportedError, DomainError of surds.
    [[nodiscard]] std::optional<Surd> value(Expression const& e) {
        using Kind = Expression::Kind;
        if (auto const plain = without_roots(e)) return Surd(*plain);
        if (e.kind() == Kind::exp || e.operands().empty()) return std::nullopt;
        if (e.kind() == Kind::multiply) return product(e);
        std::vector<Surd> parts;
        for (auto const& operand : e.operands()) {
            auto part = value(operand);
            if (!part) return std::nullopt;
            parts.push_back(std::move(*part));
        }
        switch (e.kind()) {
            case Kind::add: return sum(parts);
            case Kind::negate: return -parts[0];
            case Kind::divide: return parts[0] / parts[1];
            case Kind::sqrt: return root(parts[0]);
            default: return raised(parts[0], parts[1]);
        }
    }

private:
    static Surd sum(std::vector<Surd> const& parts) {
        Surd out;
        for (auto const& x : parts) out = out + x;
        return out;
    }
    /// The fractions among the factors are put together first.
    std::optional<Surd> product(Expression const& e) {
        Factors plain;
        Surd rooted = 1;
        for (auto const& operand : e.operands()) {
            if (rooted_.count(&operand) == 0 && fractions_.multiply(plain, operand)) continue;
            auto const part = value(operand);
            if (!part) return std::nullopt;
            rooted = rooted * *part;
        }
        return Surd(plain.product()) * rooted;
    }
    Surd root(Surd const& x) {
        if (!x.is_rational()) return sqrt(x);
        auto const [at, fresh] = roots_.try_emplace(x.to_rational());
        if (fresh) at->second = sqrt(x);
        return at->second;
    }
    /// To whole and half powers.
    std::optional<Surd> raised(Surd const& base, Surd const& exponent) {
        constexpr int largest = 1000;
        if (!exponent.is_rational()) return std::nullopt;
        Rational const twice = exponent.to_rational() * 2;
        if (!is_integer(twice) || abs(twice) > largest) return std::nullopt;
        Integer const halves = abs(numerator_of(twice));
        Surd out = power(base, checked_count(Integer(halves / 2)));
        if (halves % 2 == 1) out = out * root(base);
        return twice < 0 ? Surd(1) / out : out;
    }

    std::optional<Rational> without_roots(Expression const& e) {
        return rooted_.count(&e) != 0 ? std::nullopt : fractions_.value(e);
    }

    FractionReader fractions_;
    std::set<Expression const*> rooted_;
    std::map<Rational, Surd> roots_;
};

bool are_known(std::set<std::string> const& symbols, Values const& values) {
    return std::all_of(symbols.begin(), symbols.end(), [&](auto const& symbol) { return values.count(symbol) != 0; });
}

/// None for words, products over l, and what takes a formula to be worked out, such as symbols without values and roots
/// in roots. `symbols` are those of the formula.
std::optional<Surd> number_of(Expression const& formula, std::set<std::string> const& symbols, Values const& values) {
    if (!are_known(symbols, values)) return std::nullopt;
    try {
        return RootReader(formula, values).value(formula);
    } catch (UnsupportedError const&) {
        return std::nullopt;
    }
}

/// Are there roots in products and quotients alone, not in what they are multiplied with?
bool has_outer_roots_alone(Expression const& e) {
    using Kind = Expression::Kind;
    if (e.kind() == Kind::multiply || e.kind() == Kind::divide || e.kind() == Kind::negate)
        return std::all_of(e.operands().begin(), e.operands().end(), has_outer_roots_alone);
    return e.kind() == Kind::sqrt ? !holds_root(e.operands()[0]) : !holds_root(e);
}

/// A number by its sign and its square, which have one form where a root of a large number has several.
struct SignedSquare {
    int sign;
    Rational square;
    friend bool operator==(SignedSquare const&, SignedSquare const&) = default;
};

/// Of products and quotients of plain arithmetic and its roots; none for the rest.
std::optional<SignedSquare> square_of(Expression const& e, FractionReader& fractions) {
    using Kind = Expression::Kind;
    if (e.kind() == Kind::multiply || e.kind() == Kind::divide || e.kind() == Kind::negate) {
        SignedSquare out{.sign = e.kind() == Kind::negate ? -1 : 1, .square = 1};
        for (std::size_t i = 0; i < e.operands().size(); ++i) {
            auto const next = square_of(e.operands()[i], fractions);
            bool const divides = e.kind() == Kind::divide && i == 1;
            if (!next || (divides && next->sign == 0)) return std::nullopt;
            out.sign *= next->sign;
            out.square = divides ? Rational(out.square / next->square) : Rational(out.square * next->square);
        }
        return out;
    }
    bool const is_root = e.kind() == Kind::sqrt;
    auto const x = fractions.value(is_root ? e.operands()[0] : e);
    if (!x || (is_root && *x < 0)) return std::nullopt;
    return SignedSquare{.sign = x->is_zero() ? 0 : (*x < 0 ? -1 : 1), .square = is_root ? *x : Rational(*x * *x)};
}

std::optional<SignedSquare> square_of(Expression const& e, Values const& values) {
    FractionReader fractions(values);
    return square_of(e, fractions);
}

std::optional<Expression> read(std::string const& text) {
    if (read_products(text)) return std::nullopt;
    try {
        return Expression::parse(text, "value");
    } catch (ParseError const&) {
        return std::nullopt;  // words
    }
}

constexpr std::size_t long_formula = 4000;  ///< characters from which on sums of terms with symbols take too long

/// Numbers for the symbols that have none, at which no polynomial is 0 by chance: one of degree d is 0 at d of all numbers.
Values at_a_point(std::set<std::string> const& symbols, Values values) {
    constexpr int first = 1'000'003;
    constexpr int step = 10'007;
    constexpr int below = 997;
    int numerator = first;
    for (auto const& symbol : symbols)
        if (values.emplace(symbol, ratio(numerator, below)).second) numerator += step;
    return values;
}

/// A root of a number too large to be factored has several forms; its square has one.
bool are_equal(Surd const& x, Surd const& y) { return x == y || (sign(x) == sign(y) && x * x == y * y); }

}  // namespace

PrintedFormula::PrintedFormula(std::string text) : text_(std::move(text)), read_(read(text_)) {
    if (read_) symbols_ = read_->symbols();
}

std::optional<bool> PrintedFormula::agrees(Values const& values, std::string const& other) const {
    try {
        // Numbers are put together in far less time than formulas, of which every sum is brought into lowest terms.
        auto const number = read(other);
        if (read_ && number && has_outer_roots_alone(*read_) && has_outer_roots_alone(*number)) {
            auto const u = square_of(*read_, values);
            auto const v = u ? square_of(*number, {}) : std::nullopt;
            if (u && v) return *u == *v;
        }
        auto const symbols = number ? number->symbols() : std::set<std::string>{};
        auto const x = read_ && number ? number_of(*read_, symbols_, values) : std::nullopt;
        auto const y = x ? number_of(*number, symbols, {}) : std::nullopt;
        if (x && y) return are_equal(*x, *y);
        if (read_ && number && std::max(text_.size(), other.size()) > long_formula) {
            auto const point = at_a_point(symbols_, values);
            auto const u = number_of(*read_, symbols_, point);
            auto const v = u ? number_of(*number, symbols, point) : std::nullopt;
            if (u && v) return are_equal(*u, *v);
        }
        auto const a = formula_at(text_, values);
        auto const b = formula_at(other, {});
        if (!a || !b) return std::nullopt;
        if (*a == *b) return true;
        return a->is_numeric() && b->is_numeric() && are_equal(a->evaluate({}), b->evaluate({}));
    } catch (DomainError const&) {
        return false;  // a divisor is 0
    } catch (UnsupportedError const&) {
        return std::nullopt;
    }
}

}  // namespace isserlis::quantity
