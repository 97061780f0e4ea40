// SPDX-License-Identifier: MIT
#include <isserlis/ring/parse.hpp>

#include <algorithm>

#include "characters.hpp"

namespace isserlis {

/// Recursive descent; precedence as in every computer algebra system, ^ to the right.
class ExpressionParser {
public:
    ExpressionParser(std::string_view text, std::string_view argument) : text_(text), argument_(argument) {}

    Expression all() {
        Expression out = sum();
        skip_space();
        if (at_ < text_.size()) fail("an operator or the end is expected here");
        return out;
    }

private:
    using Kind = Expression::Kind;
    static constexpr int deepest = 200;      // brackets, signs and powers
    static constexpr int most_levels = 400;  // of a whole tree, rows of divisions with it

    [[noreturn, gnu::noinline]] void fail(char const* why) const {
        throw ParseError(
            std::string(argument_) + ": '" + printable(text_) + "', character " + std::to_string(at_ + 1) + ": " + why,
            std::string(argument_));
    }

    void skip_space() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool accept(char c) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    [[nodiscard]] Expression node(Kind kind, std::vector<Expression> operands) const {
        Expression out;
        out.kind_ = kind;
        for (auto const& o : operands) out.levels_ = std::max(out.levels_, o.levels_ + 1);
        if (out.levels_ > most_levels) fail("this is nested too deeply");
        out.operands_ = std::move(operands);
        return out;
    }
    [[nodiscard]] Expression node(Kind kind, Expression&& operand) const {
        std::vector<Expression> operands;
        operands.push_back(std::move(operand));
        return node(kind, std::move(operands));
    }
    [[nodiscard]] Expression node(Kind kind, Expression&& first, Expression&& second) const {
        std::vector<Expression> operands;
        operands.reserve(2);
        operands.push_back(std::move(first));
        operands.push_back(std::move(second));
        return node(kind, std::move(operands));
    }
    /// Sums and products of one operand are that operand.
    [[nodiscard]] Expression joined(Kind kind, std::vector<Expression>&& operands) const {
        return operands.size() == 1 ? std::move(operands.front()) : node(kind, std::move(operands));
    }
    [[nodiscard]] bool is_next(char a, char b) {
        skip_space();
        return at_ < text_.size() && (text_[at_] == a || text_[at_] == b);
    }
    /// Most have a few operands.
    [[nodiscard]] static std::vector<Expression> begun(Expression&& first) {
        std::vector<Expression> out;
        out.reserve(3);
        out.push_back(std::move(first));
        return out;
    }

    // Sums and products keep all their operands in one node: a sum of 100,000 roots is not 100,000 levels deep.
    Expression sum() {
        if (++depth_ > deepest) fail("brackets are nested too deeply");
        Expression first = product();
        if (!is_next('+', '-')) {
            --depth_;
            return first;
        }
        auto operands = begun(std::move(first));
        for (;;) {
            if (accept('+')) {
                operands.push_back(product());
            } else if (accept('-')) {
                operands.push_back(node(Kind::negate, product()));
            } else {
                --depth_;
                return joined(Kind::add, std::move(operands));
            }
        }
    }
    Expression product() {
        Expression first = signed_power();
        if (!is_next('*', '/')) return first;
        auto operands = begun(std::move(first));
        for (int divisions = 0;;) {
            if (accept('*')) {
                operands.push_back(signed_power());
            } else if (accept('/')) {
                if (++divisions > deepest) fail("too many divisions in a row; use brackets");
                Expression dividend = joined(Kind::multiply, std::move(operands));
                operands.clear();
                operands.push_back(node(Kind::divide, std::move(dividend), signed_power()));
            } else {
                return joined(Kind::multiply, std::move(operands));
            }
        }
    }
    Expression signed_power() {
        if (accept('-')) {
            if (++depth_ > deepest) fail("too many signs in a row");
            Expression out = node(Kind::negate, signed_power());
            --depth_;
            return out;
        }
        Expression base = primary();
        if (!accept('^')) return base;
        if (++depth_ > deepest) fail("powers are nested too deeply");
        Expression out = node(Kind::power, std::move(base), signed_power());
        --depth_;
        return out;
    }
    [[nodiscard]] bool digit_at(std::size_t place) const { return place < text_.size() && is_digit(text_[place]); }

    /// Digits, points, underscores between digits, and an exponent. An e without a number behind it is a letter.
    void skip_number() {
        auto const separates = [&] { return text_[at_] == '_' && digit_at(at_ + 1); };
        while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.' || separates())) ++at_;
        if (at_ >= text_.size() || (text_[at_] != 'e' && text_[at_] != 'E')) return;
        bool const has_sign = at_ + 1 < text_.size() && (text_[at_ + 1] == '-' || text_[at_ + 1] == '+');
        std::size_t const first = at_ + (has_sign ? 2 : 1);
        if (!digit_at(first)) return;
        at_ = first;
        while (digit_at(at_)) ++at_;
    }
    /// What has no brackets is read apart: its strings would weigh on the stack of all that are nested.
    [[gnu::noinline]] Expression number() {
        std::size_t const start = at_;
        skip_number();
        Expression out;
        auto const token = text_.substr(start, at_ - start);
        if (at_ < text_.size() && is_letter(text_[at_])) fail("a number is followed by a letter; write * between them");
        try {
            out.leaf_ = parse_rational(token, argument_);
        } catch (ParseError const&) {
            at_ = start;
            fail("this is not a number such as 3, 0.25, 1e-3 or 9/5 (no leading zeros)");
        }
        return out;
    }
    [[gnu::noinline]] static Expression symbol(std::string_view name) {
        Expression out;
        out.kind_ = Kind::symbol;
        out.leaf_ = std::string(name);
        return out;
    }
    Expression primary() {
        skip_space();
        if (at_ >= text_.size()) fail("a number or a symbol is missing");
        char const c = text_[at_];
        if (accept('(')) {
            Expression out = sum();
            if (!accept(')')) fail("a closing bracket is missing");
            return out;
        }
        if (is_digit(c)) return number();
        if (!is_letter(c)) fail("a number, a symbol or a bracket is expected here");
        std::size_t const start = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        auto const name = text_.substr(start, at_ - start);
        if (name != "sqrt" && name != "exp") return symbol(name);
        if (!accept('('))
            fail(name == "exp" ? "exp needs an argument in brackets" : "sqrt needs an argument in brackets");
        Expression inside = sum();
        if (!accept(')')) fail("a closing bracket is missing");
        return node(name == "exp" ? Kind::exp : Kind::sqrt, std::move(inside));
    }

    std::string_view text_;
    std::string_view argument_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

Expression Expression::parse(std::string_view text, std::string_view argument) {
    return ExpressionParser(text, argument).all();
}

namespace {

void collect_symbols(Expression const& e, std::set<std::string>& out) {
    if (e.kind() == Expression::Kind::symbol) out.insert(e.symbol());
    for (auto const& operand : e.operands()) collect_symbols(operand, out);
}

}  // namespace

std::set<std::string> Expression::symbols() const {
    std::set<std::string> out;
    collect_symbols(*this, out);
    return out;
}

Interval enclose(Expression const& e, unsigned bits, std::map<std::string, Rational> const& values) {
    auto const value_of = [&](std::string const& name) -> Rational const& {
        auto const known = values.find(name);
        if (known == values.end()) throw UnsupportedError("the symbol '" + name + "' has no value");
        return known->second;
    };
    auto at = [&](std::size_t i) { return enclose(e.operands()[i], bits, values); };
    switch (e.kind()) {
        case Expression::Kind::number: return Interval(e.number(), bits);
        case Expression::Kind::symbol: return Interval(value_of(e.symbol()), bits);
        case Expression::Kind::add:
        case Expression::Kind::multiply: {
            Interval out = at(0);
            for (std::size_t i = 1; i < e.operands().size(); ++i) {
                out = e.kind() == Expression::Kind::add ? out + at(i) : out * at(i);
            }
            return out;
        }
        case Expression::Kind::divide: return at(0) / at(1);
        case Expression::Kind::negate: return Interval(0L, bits) - at(0);
        case Expression::Kind::sqrt: return sqrt(at(0));
        case Expression::Kind::exp: return exp(at(0));
        case Expression::Kind::power: break;
    }
    auto const exponent =
        evaluate<Surd>(e.operands()[1], [&](std::string const& name) { return Surd(value_of(name)); });
    constexpr std::int64_t most = 1'000'000'000'000;  // the ends are far within the exponents of MPFR
    bool const whole = exponent.is_rational() && is_integer(exponent.to_rational());
    Surd const times = whole ? exponent : Surd(exponent * Surd(2));
    if (!times.is_rational() || !is_integer(times.to_rational()) || abs(times.to_rational()) > most)
        throw UnsupportedError("the exponent " + to_string(exponent) +
                               " is neither a whole number of moderate size nor half of one");
    Integer const n = numerator_of(times.to_rational());
    Interval out(1L, bits);
    Interval square = whole ? at(0) : sqrt(at(0));
    for (auto left = checked_count(abs(n)); left != 0; left /= 2) {
        if (left % 2 == 1) out = out * square;
        square = square * square;
    }
    return n < 0 ? Interval(1L, bits) / out : out;
}

Surd parse_surd(std::string_view text, std::string_view argument) {
    return evaluate<Surd>(Expression::parse(text, argument), [&](std::string const& name) -> Surd {
        throw ParseError(std::string(argument) + ": the symbol '" + name + "' stands where a number is needed",
                         std::string(argument));
    });
}

RationalFunction parse_rational_function(std::string_view text, std::string_view argument) {
    return evaluate<RationalFunction>(Expression::parse(text, argument),
                                      [](std::string const& name) { return RationalFunction::symbol(name); });
}

}  // namespace isserlis
