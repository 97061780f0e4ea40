// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/observable/statistic.hpp>

#include <algorithm>

#include "query_parser.hpp"

namespace isserlis {
namespace {

/// How often expectations may be multiplied: digits, and terms of sums, grow with it.
constexpr unsigned long highest_degree = 1000;

unsigned long degree_of(Statistic const& s) {
    unsigned long total = 0;
    unsigned long largest = 1;
    for (auto const& operand : s.operands) {
        unsigned long const degree = degree_of(operand);
        total += degree;
        largest = std::max(largest, degree);
    }
    if (s.kind == Statistic::Kind::power) return largest * std::max(s.exponent, 1U);
    return s.kind == Statistic::Kind::product ? total : largest;
}

/// Recursive descent over the grammar of Statistic.
class StatisticParser : QueryParser {
public:
    explicit StatisticParser(std::string_view text) : QueryParser(text) {}

    StatisticQuery all() {
        check_length();
        StatisticQuery out{.statistic = has_functions() ? sum() : whole(), .restrictions = {}};
        out.restrictions = restrictions();
        return out;
    }

private:
    /// Does E, Var or Cov stand before a square bracket anywhere? One look ahead, before anything is read.
    [[nodiscard]] bool has_functions() {
        bool found = false;
        while (!found && peek() != '\0') {
            std::size_t const size = word().size();
            bool const named = is_statistic_function(word());
            at_ += std::max<std::size_t>(size, 1);
            found = named && peek() == '[';
        }
        at_ = 0;
        return found;
    }

    static Statistic node(Statistic::Kind kind, std::size_t position, std::vector<Statistic> operands,
                          std::vector<int> signs) {
        Statistic out;
        out.kind = kind;
        out.position = position;
        out.operands = std::move(operands);
        out.signs = std::move(signs);
        return out;
    }

    Statistic whole() {
        Statistic out;
        out.kind = Statistic::Kind::whole_query;
        out.arguments.push_back(scope());
        return out;
    }

    Statistic sum() {
        auto all = signed_terms<Statistic>([&] { return term(); });
        if (all.is_plain()) return std::move(all.terms.front());
        return node(Statistic::Kind::sum, all.start, std::move(all.terms), std::move(all.signs));
    }

    Statistic term() {
        skip_space();
        std::size_t const start = at_;
        std::vector<int> signs{1};
        std::vector<Statistic> factors{factor()};
        for (;;) {
            if (accept('/')) {
                signs.push_back(-1);
                factors.push_back(divisor());
            } else if (accept('*') || at_factor()) {
                signs.push_back(1);
                factors.push_back(factor());
            } else {
                break;
            }
        }
        if (factors.size() == 1) return std::move(factors.front());
        return node(Statistic::Kind::product, start, std::move(factors), std::move(signs));
    }

    Statistic divisor() {
        Statistic out = factor();
        if (out.kind == Statistic::Kind::number && out.text == "0") fail_at(out.position, "division by 0");
        return out;
    }

    Statistic factor() {
        skip_space();
        std::size_t const start = at_;
        Statistic base = atom();
        base.position = start;
        if (!accept('^')) return base;
        Statistic out = node(Statistic::Kind::power, start, {std::move(base)}, {});
        out.exponent = exponent();
        if (degree_of(out) > highest_degree) {
            throw UnsupportedError("`query`: a power of degree " + std::to_string(degree_of(out)) + "; up to " +
                                       std::to_string(highest_degree) + " is served",
                                   "query");
        }
        return out;
    }

    Statistic number(std::size_t start) {
        auto const [over, under] = number_text();
        Statistic out;
        out.text = over;
        if (under == "1") return out;
        Statistic divisor;
        divisor.text = under;
        Statistic quotient = node(Statistic::Kind::product, start, {std::move(out), std::move(divisor)}, {1, -1});
        return node(Statistic::Kind::group, start, {std::move(quotient)}, {});
    }

    Statistic function(std::string_view name, std::size_t start) {
        Statistic out;
        out.kind = name == "E"     ? Statistic::Kind::mean
                   : name == "Var" ? Statistic::Kind::variance
                                   : Statistic::Kind::covariance;
        check_no_function(name, start);
        expect('[', "'" + std::string(name) + "' needs square brackets, such as " + std::string(name) +
                        (name == "Cov" ? "[z^2, loss]" : "[z^2]"));
        out.arguments.push_back(scope());
        if (name == "Cov") {
            expect(',', "',' and a second observable are expected here: Cov[.., ..]");
            out.arguments.push_back(scope());
        }
        expect(']', "',' or ']' is expected here");
        return out;
    }

    Statistic atom() {
        char const c = peek();
        std::size_t const start = at_;
        if (accept('(')) {
            Statistic inside = sum();
            expect(')', "a closing bracket is missing");
            return node(Statistic::Kind::group, start, {std::move(inside)}, {});
        }
        if (is_digit(c)) return number(start);
        Statistic out;
        auto const name = word();
        if (name.empty())
            fail(c == '\0' ? "the expression ends too early"
                           : "a number, a parameter, E[..], Var[..], Cov[..] or ( is expected here");
        at_ += name.size();
        if (name == "where" || name == "in") fail_at(start, "'" + std::string(name) + "' has no place here");
        if (is_statistic_function(name)) return function(name, start);
        bool const random = name == "z" || name == "h" || name == "y" || name == "loss" || name == "D";
        if (random || peek() == '[' || peek() == '{' || peek() == '@') {
            fail_at(start, "'" + std::string(name) +
                               "' stands outside of E[..], Var[..] and Cov[..]; beside them only numbers, parameters "
                               "and more of them stand");
        }
        check_no_function(name, start);
        out.kind = Statistic::Kind::parameter;
        out.text = std::string(name);
        return out;
    }
};

}  // namespace

bool is_statistic_function(std::string_view name) { return name == "E" || name == "Var" || name == "Cov"; }

StatisticQuery parse_statistic(std::string_view text) { return StatisticParser(text).all(); }

}  // namespace isserlis
