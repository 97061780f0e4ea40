// SPDX-License-Identifier: MIT
#include "cpp_code.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace isserlis {
namespace {

/// A code fragment and how tightly it binds: 1 sum, 2 negation, 3 product, 4 primary.
struct Code {
    std::string text;
    int precedence = 4;
};

std::string grouped(Code const& c, int at_least) { return c.precedence >= at_least ? c.text : "(" + c.text + ")"; }

/// A primary without the brackets around all of it, if that is what it is.
std::string unbracketed(std::string const& primary) {
    return primary.front() == '(' ? primary.substr(1, primary.size() - 2) : primary;
}

/// A literal of type double, with all its digits.
std::string literal(Integer const& n) { return to_string(n) + ".0"; }

Code number(Rational const& x) {
    if (is_integer(x)) return {.text = literal(numerator_of(x)), .precedence = x < 0 ? 2 : 4};
    return {.text = literal(numerator_of(x)) + " / " + literal(denominator_of(x)), .precedence = x < 0 ? 2 : 3};
}

/// constant + sum of coefficients times symbols.
struct Linear {
    Rational constant = 0;
    std::map<std::string, Rational> slopes;

    Linear& add(Linear const& other, Rational const& times) {
        constant += other.constant * times;
        for (auto const& [symbol, slope] : other.slopes) {
            slopes[symbol] += slope * times;
            if (slopes[symbol] == 0) slopes.erase(symbol);
        }
        return *this;
    }
};

std::optional<Linear> linear(Expression const& e) {
    auto const& o = e.operands();
    Linear out;
    switch (e.kind()) {
        case Expression::Kind::number: out.constant = e.number(); return out;
        case Expression::Kind::symbol: out.slopes[e.symbol()] = 1; return out;
        case Expression::Kind::negate:
        case Expression::Kind::add:
            for (auto const& part : o) {
                auto const p = linear(part);
                if (!p) return std::nullopt;
                out.add(*p, e.kind() == Expression::Kind::negate ? -1 : 1);
            }
            return out;
        case Expression::Kind::divide:
        case Expression::Kind::multiply: {
            auto product = linear(o[0]);
            for (std::size_t i = 1; product && i < o.size(); ++i) {
                auto const factor = linear(o[i]);
                if (!factor) return std::nullopt;
                bool const divide = e.kind() == Expression::Kind::divide;
                if (factor->slopes.empty() && !(divide && factor->constant == 0)) {
                    product = Linear().add(*product, divide ? Rational(1 / factor->constant) : factor->constant);
                } else if (product->slopes.empty() && !divide) {
                    product = Linear().add(*factor, product->constant);
                } else {
                    return std::nullopt;
                }
            }
            return product;
        }
        case Expression::Kind::power:
        case Expression::Kind::sqrt:
        case Expression::Kind::exp: break;
    }
    return std::nullopt;
}

bool has_growing_power(Expression const& e) {
    if (e.kind() == Expression::Kind::power && !e.operands()[1].symbols().empty()) return true;
    return std::any_of(e.operands().begin(), e.operands().end(), has_growing_power);
}

/// Can it be 0 where its symbols are positive, and those of `zeros` 0 perhaps?
bool may_vanish(Expression const& e, std::set<std::string> const& zeros) {
    auto const& o = e.operands();
    auto const vanishes = [&](Expression const& part) { return may_vanish(part, zeros); };
    auto const is_negative = [](Expression const& part) {
        return part.kind() == Expression::Kind::negate ||
               (part.kind() == Expression::Kind::number && part.number() < 0);
    };
    switch (e.kind()) {
        case Expression::Kind::number: return e.number() == 0;
        case Expression::Kind::symbol: return zeros.count(e.symbol()) != 0;
        case Expression::Kind::add:
            return std::any_of(o.begin(), o.end(), is_negative) || std::all_of(o.begin(), o.end(), vanishes);
        case Expression::Kind::multiply: return std::any_of(o.begin(), o.end(), vanishes);
        case Expression::Kind::negate:
        case Expression::Kind::divide:
        case Expression::Kind::power:
        case Expression::Kind::sqrt: return vanishes(o[0]);
        case Expression::Kind::exp: break;
    }
    return false;
}

/// base^(slopes): what grows with the depth.
struct Growth {
    std::string base;  ///< its code, a primary
    std::map<std::string, Rational> slopes;
    bool may_vanish = false;
};

Code sum(std::vector<Code> const& terms) {
    if (terms.size() == 1) return terms[0];
    std::string out = grouped(terms[0], 1);
    for (std::size_t i = 1; i < terms.size(); ++i) {
        bool const minus = terms[i].text.front() == '-' && terms[i].precedence == 2;
        out += minus ? " - " + terms[i].text.substr(1) : " + " + grouped(terms[i], 2);
    }
    return {.text = out, .precedence = 1};
}

/// Of an exponent: constant and slopes.
Code exponent_code(Linear const& e) {
    std::vector<Code> terms;
    for (auto const& [symbol, slope] : e.slopes) {
        terms.push_back(slope == 1    ? Code{.text = symbol}
                        : slope == -1 ? Code{.text = "-" + symbol, .precedence = 2}
                                      : Code{.text = number(slope).text + " * " + symbol, .precedence = 3});
    }
    if (e.constant != 0) terms.push_back(number(e.constant));
    return sum(terms);
}

Code code(Expression const& e, std::set<std::string> const& zeros, std::vector<Growth> growth = {});

/// A product taken apart into plain factors and growing powers.
class Product {
public:
    Product(std::vector<Growth> growth, std::set<std::string> const& zeros)
        : growth_(std::move(growth)), zeros_(zeros) {}

    void take(Expression const& e, Rational const& times) {
        auto const& o = e.operands();
        if (e.kind() == Expression::Kind::multiply) {
            for (auto const& factor : o) take(factor, times);
        } else if (e.kind() == Expression::Kind::divide) {
            take(o[0], times);
            take(o[1], -times);
        } else if (e.kind() == Expression::Kind::negate) {
            negative_ = !negative_;
            take(o[0], times);
        } else if (e.kind() == Expression::Kind::power && !o[1].symbols().empty() && linear(o[1])) {
            Linear const exponent = Linear().add(*linear(o[1]), times);
            std::string const base = grouped(code(o[0], zeros_), 4);
            bool const vanishes = may_vanish(o[0], zeros_);
            if (vanishes && exponent.constant != 0) {
                // 0^(L - 1) is not 0^L/0.
                above_.push_back({.text = "std::pow(" + unbracketed(base) + ", " + exponent_code(exponent).text + ")"});
                return;
            }
            growth_.push_back({.base = base, .slopes = exponent.slopes, .may_vanish = vanishes});
            if (exponent.constant != 0) constants_.emplace_back(base, exponent.constant);
        } else if (auto const sum = growing_sum(e)) {
            take_sum(e, *sum, times);
        } else {
            (times > 0 ? above_ : below_).push_back(code(e, zeros_));
        }
    }

    [[nodiscard]] Code finish() {
        for (auto const& [base, exponent] : constants_) {
            auto const magnitude = abs(exponent);
            Code const power{
                .text = magnitude == 1 ? base : "std::pow(" + unbracketed(base) + ", " + number(magnitude).text + ")"};
            (exponent > 0 ? above_ : below_).push_back(power);
        }
        gather();
        std::erase_if(above_, [this](Code const& c) { return c.text == "1.0" && above_.size() > 1; });
        if (above_.empty()) above_.push_back({.text = "1.0"});
        bool const alone = above_.size() == 1 && below_.empty();
        std::string out = grouped(above_[0], alone && !negative_ ? 1 : 3);
        for (std::size_t i = 1; i < above_.size(); ++i) out += " * " + grouped(above_[i], 4);
        for (auto const& c : below_) out += " / " + grouped(c, 4);
        if (negative_) return {.text = "-" + out, .precedence = 2};
        return {.text = out, .precedence = alone ? above_[0].precedence : 3};
    }

private:
    /// A sum of growing powers, or a root or a power of one.
    struct Sum {
        Expression const* terms;
        Rational exponent;
    };
    static std::optional<Sum> growing_sum(Expression const& e) {
        auto const& o = e.operands();
        Expression const* terms = &e;
        Rational exponent = 1;
        if (e.kind() == Expression::Kind::sqrt) {
            terms = &o[0];
            exponent = ratio(1, 2);
        } else if (e.kind() == Expression::Kind::power) {
            auto const power = linear(o[1]);
            if (!power || !power->slopes.empty()) return std::nullopt;
            terms = &o[0];
            exponent = power->constant;
        }
        if (terms->kind() != Expression::Kind::add || !has_growing_power(*terms)) return std::nullopt;
        return Sum{.terms = terms, .exponent = exponent};
    }

    /// Takes the growth of its shortest term out of a sum.
    void take_sum(Expression const& e, Sum const& sum_of, Rational const& times) {
        std::vector<std::vector<Growth>> growths;
        for (auto const& term : sum_of.terms->operands()) {
            Product product({}, zeros_);
            product.take(term, 1);
            std::erase_if(product.growth_, [](Growth const& g) { return g.may_vanish; });  // no divisors
            growths.push_back(product.growth_);
        }
        auto const length = [](std::vector<Growth> const& growth) {
            std::size_t out = 0;
            for (auto const& g : growth) out += g.base.size();
            return out;
        };
        auto const reference = *std::min_element(growths.begin(), growths.end(),
                                                 [&](auto const& a, auto const& b) { return length(a) < length(b); });
        auto const scaled = [&](Rational const& by) {
            auto out = reference;
            for (auto& g : out) {
                for (auto& [symbol, slope] : g.slopes) slope *= by;
            }
            return out;
        };
        std::vector<Code> terms;
        for (auto const& term : sum_of.terms->operands()) terms.push_back(code(term, zeros_, scaled(-1)));
        Code const total = sum(terms);
        (times > 0 ? above_ : below_)
            .push_back(e.kind() == Expression::Kind::sqrt ? Code{.text = "std::sqrt(" + total.text + ")"}
                       : e.kind() == Expression::Kind::power
                           ? Code{.text = "std::pow(" + total.text + ", " + number(sum_of.exponent).text + ")"}
                           : total);
        for (auto& g : scaled(sum_of.exponent * times)) growth_.push_back(std::move(g));
    }

    /// One power for each exponent, up to a factor: pow(product of bases, exponent).
    void gather() {
        struct Group {
            std::map<std::string, Rational> slopes;  ///< the first one 1
            std::vector<std::pair<std::string, Rational>> bases;
        };
        std::vector<Group> groups;
        for (auto const& [base, slopes, may_vanish] : growth_) {
            if (slopes.empty()) continue;
            Rational const lead = slopes.begin()->second;
            auto unit = slopes;
            for (auto& [symbol, slope] : unit) slope /= lead;
            auto group = std::find_if(groups.begin(), groups.end(), [&](Group const& g) { return g.slopes == unit; });
            if (group == groups.end()) group = groups.insert(groups.end(), {.slopes = unit, .bases = {}});
            auto const same = std::find_if(group->bases.begin(), group->bases.end(),
                                           [&, b = base](auto const& x) { return x.first == b; });
            if (same == group->bases.end()) {
                group->bases.emplace_back(base, lead);
            } else {
                same->second += lead;
            }
        }
        for (auto& group : groups) {
            std::erase_if(group.bases, [](auto const& b) { return b.second == 0; });
            if (group.bases.empty()) continue;
            // A lone power keeps its own exponent, and positive exponents read best.
            Rational scale = 1;
            if (group.bases.size() == 1 ||
                std::all_of(group.bases.begin(), group.bases.end(), [](auto const& b) { return b.second < 0; }))
                scale = group.bases[0].second;
            Linear exponent;
            for (auto const& [symbol, slope] : group.slopes) exponent.slopes[symbol] = slope * scale;
            std::string above;
            std::string below;
            for (auto const& [base, times] : group.bases) {
                Rational const t = times / scale;
                std::string const factor = abs(t) == 1 ? base : "std::pow(" + base + ", " + number(abs(t)).text + ")";
                if (t > 0)
                    above += (above.empty() ? "" : " * ") + factor;
                else
                    below += " / " + factor;
            }
            if (above.empty()) above = "1.0";
            std::string const ratio = below.empty() && group.bases.size() == 1 ? unbracketed(above) : above + below;
            above_.push_back({.text = "std::pow(" + ratio + ", " + exponent_code(exponent).text + ")"});
        }
    }

    std::vector<Code> above_;
    std::vector<Code> below_;
    std::vector<std::pair<std::string, Rational>> constants_;
    std::vector<Growth> growth_;
    std::set<std::string> const& zeros_;
    bool negative_ = false;
};

/// e times the growing factors.
Code code(Expression const& e, std::set<std::string> const& zeros, std::vector<Growth> growth) {
    auto const& o = e.operands();
    if (growth.empty()) {
        switch (e.kind()) {
            case Expression::Kind::number: return number(e.number());
            case Expression::Kind::symbol: return {.text = e.symbol()};
            case Expression::Kind::add: {
                std::vector<Code> terms;
                for (auto const& term : o) terms.push_back(code(term, zeros));
                return sum(terms);
            }
            case Expression::Kind::sqrt: return {.text = "std::sqrt(" + code(o[0], zeros).text + ")"};
            case Expression::Kind::exp: return {.text = "std::exp(" + code(o[0], zeros).text + ")"};
            case Expression::Kind::power:
                if (linear(o[1]) && !o[1].symbols().empty()) break;
                return {.text = "std::pow(" + code(o[0], zeros).text + ", " + code(o[1], zeros).text + ")"};
            case Expression::Kind::multiply:
            case Expression::Kind::divide:
            case Expression::Kind::negate: break;
        }
    }
    Product product(std::move(growth), zeros);
    product.take(e, 1);
    return product.finish();
}

/// The sum of all exponents: how far a value may be from those of its symbols.
Rational degree(Expression const& e) {
    auto const& o = e.operands();
    if (e.kind() == Expression::Kind::symbol) return 1;
    if (e.kind() == Expression::Kind::power && o[1].symbols().empty() && linear(o[1]))
        return degree(o[0]) * abs(linear(o[1])->constant);
    Rational sum = 0;
    for (auto const& part : o) sum += degree(part);
    return sum;
}

/// Is every operation one of positive numbers that loses no digits?
bool keeps_digits(Expression const& e) {
    switch (e.kind()) {
        case Expression::Kind::number: return e.number() >= 0 && numerator_of(e.number()) < Integer(1) << 53;
        case Expression::Kind::negate:
        case Expression::Kind::exp: return false;
        default: break;
    }
    return std::all_of(e.operands().begin(), e.operands().end(), keeps_digits);
}

/// Ends of the name or number that starts at `at`; `at` itself where there is none.
std::size_t word_end(std::string const& text, std::size_t at) {
    auto const part_of_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == ':';
    };
    while (at < text.size() && part_of_word(text[at])) ++at;
    return at;
}

bool is_number(std::string const& word) {
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
}

/// Among literals alone, C++ would compute in doubles.
bool meets_literals(std::string const& text, std::size_t start, std::size_t end, std::string const& word_before) {
    bool const argument = start > 0 && text[start - 1] == '(' && word_before.starts_with("std::");
    bool const operand = text.compare(end, 3, " / ") == 0 || text.compare(end, 3, " * ") == 0;
    std::size_t const next = end + 3;
    return argument || (operand && is_number(text.substr(next, word_end(text, next) - next)));
}

}  // namespace

bool is_linear(Expression const& e) { return linear(e).has_value(); }

bool plain_doubles_do(Expression const& e) {
    constexpr int most = 30;  // 1e8^30 is within double
    return keeps_digits(e) && !has_growing_power(e) && degree(e) <= most;
}

std::string cpp_code(Expression const& e) { return code(e, {}).text; }

std::string cpp_code(Expression const& e, std::string const& type, std::set<std::string> const& zeros) {
    constexpr std::size_t exact_digits = 15 + 2;  // and ".0"
    std::string const text = code(e, zeros).text;
    std::string out;
    std::string before;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = word_end(text, at);
        if (end == at) {
            if (text[at] != '(') before.clear();
            out += text[at++];
            continue;
        }
        std::string const word = text.substr(at, end - at);
        if (!is_number(word)) {
            out += word.starts_with("std::") ? word.substr(5) : word;
        } else if (word.size() > exact_digits) {
            out += type + "(\"" + word.substr(0, word.size() - 2) + "\")";
        } else {
            out += meets_literals(text, at, end, before) ? type + "(" + word + ")" : word;
        }
        before = word;
        at = end;
    }
    return out;
}

}  // namespace isserlis
