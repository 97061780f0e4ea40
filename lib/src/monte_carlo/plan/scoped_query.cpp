// SPDX-License-Identifier: MIT
#include "scoped_query.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <isserlis/error.hpp>

namespace isserlis::monte_carlo::detail {
namespace {

using Kind = Observable::Kind;
using Counts = std::map<std::string, unsigned>;

constexpr std::size_t most_terms = 4096;
constexpr unsigned highest_power = 1'000'000;

/// Terms with equal occurrences of every letter, as one factor sees them from outside.
struct Part {
    Counts counts;
    std::vector<ScopedTerm> terms;  ///< none: the part is 0, but its letters still want partners
};

double whole(std::string_view digits) {
    double out = 0;
    auto const [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (failure != std::errc() || end != digits.data() + digits.size() || !std::isfinite(out))
        throw UnsupportedError("`query`: the number " + printable(digits) + " is beyond double", "query");
    return out;
}

double value(std::string const& number) {
    std::size_t const slash = number.find('/');
    if (slash == std::string::npos) return whole(number);
    return whole(std::string_view(number).substr(0, slash)) / whole(std::string_view(number).substr(slash + 1));
}

std::vector<std::string> letters(Counts const& counts) {
    std::vector<std::string> out;
    for (auto const& [letter, count] : counts)
        if (count > 0) out.push_back(letter);
    return out;
}

ScopedFactor bracket_of(Counts const& counts, std::vector<ScopedTerm> terms) {
    ScopedFactor out;
    out.bracket = std::make_shared<ScopedSum const>(ScopedSum{.free = letters(counts), .terms = std::move(terms)});
    return out;
}

/// a * b^power.
Part product(Part const& a, Part const& b, unsigned power, double ways) {
    Part out = a;
    // Whether a letter occurs once or more often is all that matters: two stands for more.
    for (auto const& [letter, count] : b.counts)
        out.counts[letter] = std::min(out.counts[letter] + count * std::min(power, 2U), 2U);
    if (b.terms.empty() && power > 0) out.terms.clear();
    if (out.terms.empty()) return out;
    auto& term = out.terms.front();
    term.coefficient *= ways;
    if (power == 0) return out;
    auto const& inside = b.terms.front().factors;
    bool const small = std::all_of(inside.begin(), inside.end(),
                                   [&](auto const& f) { return std::uint64_t{f.power} * power <= highest_power; });
    if (b.terms.size() == 1 && b.terms.front().summed.empty() && small) {
        term.coefficient *= std::pow(b.terms.front().coefficient, power);
        for (auto factor : inside) {
            factor.power *= power;
            term.factors.push_back(std::move(factor));
        }
        return out;
    }
    term.factors.push_back(bracket_of(b.counts, b.terms));
    term.factors.back().power = power;
    return out;
}

/// The derivative of a sum by one label, the product rule term by term.
std::vector<ScopedTerm> derivative(std::vector<ScopedTerm> const& terms, std::string const& label) {
    std::vector<ScopedTerm> out;
    for (auto const& term : terms) {
        for (std::size_t f = 0; f < term.factors.size(); ++f) {
            ScopedFactor inner = term.factors[f];
            inner.power = 1;
            if (inner.kind == ScopedFactor::Kind::output) {
                inner.labels.push_back(label);
            } else if (inner.kind == ScopedFactor::Kind::bracket) {
                auto differentiated = derivative(inner.bracket->terms, label);
                if (differentiated.empty()) continue;
                Counts counts;
                for (auto const& letter : inner.bracket->free) counts[letter] = 1;
                counts[label] = 1;
                inner = bracket_of(counts, std::move(differentiated));
            } else if (inner.kind == ScopedFactor::Kind::entry) {
                throw UnsupportedError("`query`: derivatives of J and of matrices by the weights are not served",
                                       "query");
            } else {
                continue;
            }
            ScopedTerm next = term;
            next.coefficient *= term.factors[f].power;
            if (--next.factors[f].power == 0) next.factors.erase(next.factors.begin() + static_cast<std::ptrdiff_t>(f));
            auto const* const bracket = inner.bracket.get();
            if (bracket != nullptr && bracket->terms.size() == 1 && bracket->terms.front().summed.empty()) {
                next.coefficient *= bracket->terms.front().coefficient;
                auto const& inside = bracket->terms.front().factors;
                next.factors.insert(next.factors.end(), inside.begin(), inside.end());
            } else {
                next.factors.push_back(std::move(inner));
            }
            out.push_back(std::move(next));
        }
    }
    return out;
}

class Scoper {
public:
    explicit Scoper(std::map<std::string, double> const& parameters) : parameters_(parameters) {}

    /// The contents of a bracket, its letters summed where they meet: one part for each set of letters that stay free.
    std::vector<Part> closed(Observable const& contents) {
        std::map<std::vector<std::string>, Part> parts;
        bool const sum = contents.kind == Kind::sum;
        for (std::size_t t = 0; t < (sum ? contents.operands.size() : 1); ++t) {
            double const sign = sum ? contents.signs[t] : 1;
            for (Part& part : open(sum ? contents.operands[t] : contents)) {
                bind(part);
                auto& home = parts[letters(part.counts)];
                home.counts = part.counts;
                for (auto& term : part.terms) {
                    term.coefficient *= sign;
                    home.terms.push_back(std::move(term));
                }
            }
        }
        std::vector<Part> out;
        for (auto& [free, part] : parts) out.push_back(std::move(part));
        return out;
    }

private:
    [[nodiscard]] std::string fresh(std::string const& letter) {
        return written(letter) + "#" + std::to_string(++renamed_);
    }

    /// Sums what occurs twice or more in a term; the rest occurs once from outside.
    void bind(Part& part) {
        Counts free;
        for (auto const& [letter, count] : part.counts) {
            if (count == 1) free[letter] = 1;
            if (count < 2) continue;
            std::string const name = fresh(letter);
            for (auto& term : part.terms) {
                for (auto& factor : term.factors) rename(factor, letter, name);
                term.summed.push_back(name);
            }
        }
        part.counts = std::move(free);
    }

    /// A product of powers, multiplied out over brackets with several parts; nothing is summed yet.
    std::vector<Part> open(Observable const& term) {
        std::vector<Part> out{Part{.counts = {}, .terms = {ScopedTerm{}}}};
        bool const product = term.kind == Kind::product;
        for (std::size_t f = 0; f < (product ? term.operands.size() : 1); ++f) {
            Observable const& factor = product ? term.operands[f] : term;
            bool const power = factor.kind == Kind::power;
            std::vector<Part> const parts = atom(power ? factor.operands.front() : factor);
            std::vector<Part> next;
            for (Part const& part : out) multiply(part, parts, 0, power ? factor.exponent : 1, 1, next);
            out = std::move(next);
        }
        return out;
    }

    /// Appends all monomials of part * (parts[first] + ..)^power.
    void multiply(Part const& part, std::vector<Part> const& parts, std::size_t first, unsigned power, double ways,
                  std::vector<Part>& out) {
        if (first + 1 == parts.size()) {
            out.push_back(product(part, parts[first], power, ways));
            if (out.size() > most_terms)
                throw UnsupportedError(
                    "`query`: the brackets multiply out to more than " + std::to_string(most_terms) + " terms",
                    "query");
            return;
        }
        double choose = 1;
        for (unsigned k = 0; k <= power; ++k) {
            multiply(product(part, parts[first], k, 1), parts, first + 1, power - k, ways * choose, out);
            choose = choose * (power - k) / (k + 1);
        }
    }

    std::vector<Part> atom(Observable const& o) {
        switch (o.kind) {
            case Kind::number: return {constant_part(value(o.number))};
            case Kind::parameter: {
                auto const found = parameters_.find(o.name);
                if (found == parameters_.end())
                    throw DomainError("`query`: the parameter " + printable(o.name) + " has no value", "query");
                if (!std::isfinite(found->second))
                    throw DomainError("`query`: the parameter " + printable(o.name) + " is not finite", "query");
                return {constant_part(found->second)};
            }
            case Kind::output:
            case Kind::entry:
            case Kind::target:
            case Kind::constant: return {leaf(o)};
            case Kind::loss: return {loss()};
            case Kind::trace:
            case Kind::group: return closed(o.operands.front());
            case Kind::derivative: {
                auto parts = atom(o.operands.front());
                for (auto const& label : o.labels)
                    for (Part& part : parts) {
                        part.terms = derivative(part.terms, label);
                        part.counts[label] = std::min(part.counts[label] + 1, 2U);
                    }
                return parts;
            }
            case Kind::power:
            case Kind::product:
            case Kind::sum: break;
        }
        return closed(o);
    }

    static Part constant_part(double coefficient) {
        Part out{.counts = {}, .terms = {ScopedTerm{}}};
        out.terms.front().coefficient = coefficient;
        return out;
    }

    static Part leaf(Observable const& o) {
        ScopedFactor factor;
        factor.kind = o.kind == Kind::output   ? ScopedFactor::Kind::output
                      : o.kind == Kind::entry  ? ScopedFactor::Kind::entry
                      : o.kind == Kind::target ? ScopedFactor::Kind::target
                                               : ScopedFactor::Kind::constant;
        factor.matrix = o.kind == Kind::entry && o.name == "W";
        factor.activated = o.activated || (o.kind == Kind::entry && o.name == "Jh");
        factor.name = o.kind == Kind::output || o.kind == Kind::entry ? o.node : o.name;
        factor.input = o.input;
        factor.labels = o.labels;
        for (auto const& index : o.indices) factor.places.push_back({.axis = index.letter, .fixed = index.fixed});
        if (o.indices.empty()) factor.places.emplace_back();
        Part out{.counts = {}, .terms = {ScopedTerm{}}};
        for (auto const& place : factor.places)
            if (!place.axis.empty()) ++out.counts[place.axis];
        for (auto const& label : o.labels) ++out.counts[label];
        out.terms.front().factors.push_back(std::move(factor));
        return out;
    }

    /// sum_i (z_i - y_i)^2 / 2, with a letter of its own.
    Part loss() {
        std::string const i = fresh("i");
        ScopedTerm output;
        ScopedTerm target;
        output.factors.resize(1);
        output.factors[0].kind = ScopedFactor::Kind::output;
        output.factors[0].places = {{.axis = i, .fixed = 0}};
        target = output;
        target.factors[0].kind = ScopedFactor::Kind::target;
        target.coefficient = -1;
        ScopedTerm squared;
        squared.coefficient = 0.5;
        squared.summed = {i};
        squared.factors = {bracket_of({{i, 1}}, {output, target})};
        squared.factors[0].power = 2;
        return {.counts = {}, .terms = {squared}};
    }

    std::map<std::string, double> const& parameters_;
    unsigned renamed_ = 0;
};

}  // namespace

void rename(ScopedFactor& factor, std::string const& from, std::string const& to) {
    for (auto& place : factor.places)
        if (place.axis == from) place.axis = to;
    for (auto& label : factor.labels)
        if (label == from) label = to;
    if (!factor.bracket || !std::binary_search(factor.bracket->free.begin(), factor.bracket->free.end(), from)) return;
    ScopedSum inside = *factor.bracket;
    for (auto& term : inside.terms)
        for (auto& f : term.factors) rename(f, from, to);
    std::replace(inside.free.begin(), inside.free.end(), from, to);
    std::sort(inside.free.begin(), inside.free.end());
    factor.bracket = std::make_shared<ScopedSum const>(std::move(inside));
}

std::string written(std::string const& axis) { return axis.substr(0, axis.find('#')); }

ScopedSum scoped(Observable const& observable, std::map<std::string, double> const& parameters) {
    ScopedSum out;
    for (Part& part : Scoper(parameters).closed(observable)) {
        if (!part.counts.empty())
            throw DomainError("`query`: '" + printable(part.counts.begin()->first) +
                                  "' occurs once in a term and finds no partner to be summed with",
                              "query");
        for (auto& term : part.terms) out.terms.push_back(std::move(term));
    }
    return out;
}

}  // namespace isserlis::monte_carlo::detail
