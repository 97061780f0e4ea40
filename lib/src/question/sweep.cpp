// SPDX-License-Identifier: MIT
#include "question/sweep.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/ring/parse.hpp>
#include <string_view>

#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::uint64_t most_rows = 100'000;
constexpr std::uint64_t most_value = 1'000'000'000'000'000'000;  // so that a step more does not wrap around
constexpr char const* parameter = "table";

[[noreturn]] void refuse_rows(double rows) {
    char shown[40];
    std::snprintf(shown, sizeof shown, rows < 1e15 ? "%.0f" : "%.2g", rows);
    throw UnsupportedError("`table`: " + std::string(shown) + " rows; up to " + std::to_string(most_rows) +
                               " are served; wider steps have fewer, such as n=1..1e6..x10",
                           parameter);
}

std::uint64_t whole(std::string const& symbol, std::string const& text, std::uint64_t least) {
    Integer const value = parse_integer(text, parameter);
    if (value < least || value > most_value) {
        throw DomainError("`table` " + symbol + ": '" + printable(text) + "' in a range; a whole number from " +
                              std::to_string(least) + " to " + std::to_string(most_value) + " is required",
                          parameter);
    }
    return static_cast<std::uint64_t>(value);
}

/// A..B, A..B..STEP or A..B..xFACTOR.
void add_range(std::string const& symbol, std::string const& text, std::vector<Rational>& into) {
    std::size_t const dots = text.find("..");
    std::size_t const more = text.find("..", dots + 2);
    std::uint64_t const first = whole(symbol, text.substr(0, dots), 1);
    std::uint64_t const last =
        whole(symbol, text.substr(dots + 2, more == std::string::npos ? more : more - dots - 2), 1);
    std::string const step = more == std::string::npos ? "1" : text.substr(more + 2);
    if (last < first) throw DomainError("`table`: " + printable(text) + " ends before it begins", parameter);
    if (step.starts_with('x')) {
        std::uint64_t const factor = whole(symbol, step.substr(1), 2);
        for (std::uint64_t value = first;; value *= factor) {
            into.emplace_back(Integer(value));
            if (value > last / factor) return;
        }
    }
    std::uint64_t const difference = whole(symbol, step, 1);
    std::uint64_t const rows = (last - first) / difference + 1;
    if (rows > most_rows) refuse_rows(static_cast<double>(rows));
    for (std::uint64_t i = 0; i < rows; ++i) into.emplace_back(Integer(first + i * difference));
}

Rational value_of(std::string const& text) {
    Surd const value = parse_surd(text, parameter);
    if (!value.is_rational())
        throw DomainError("`table`: '" + printable(text) + "' is not a rational number", parameter);
    return value.to_rational();
}

void add_item(std::string const& text, Sweep& into) {
    if (text.find("..") != std::string::npos) {
        add_range(into.symbol, text, into.values);
    } else {
        into.values.push_back(value_of(text));
    }
}

/// A table has a column for each symbol beside its own.
void require_free_column(std::string const& symbol) {
    constexpr std::array own{"name", "index", "exact", "decimal", "bound", "range", "form"};
    if (std::find(own.begin(), own.end(), symbol) == own.end() && !symbol.starts_with("check_")) return;
    throw ParseError(
        "`table`: '" + symbol + "' is a column of its own; write the symbol as '" + symbol + "0' or '" + symbol + "_'",
        parameter);
}

}  // namespace

std::string values_text(Bindings const& bindings) {
    std::string out;
    for (auto const& [symbol, value] : bindings) out += (out.empty() ? "" : ", ") + symbol + " = " + to_string(value);
    return out;
}

std::vector<Sweep> read_sweeps(std::vector<std::string> const& texts) {
    std::vector<Sweep> out;
    for (auto const& text : texts) {
        bool named = false;
        for (auto const& item : split(text)) {
            std::size_t const equal = item.find('=');
            if (equal != std::string::npos) {
                out.push_back({.symbol = item.substr(0, equal), .values = {}});
                check_symbol(out.back().symbol, parameter);
                require_free_column(out.back().symbol);
                named = true;
            }
            if (!named) {
                throw ParseError("`table`: '" + printable(text) +
                                     "' is not NAME=VALUES, such as n=1..64, n=16,32,64 or n=16..1024..x2",
                                 parameter);
            }
            add_item(equal == std::string::npos ? item : item.substr(equal + 1), out.back());
        }
    }
    double rows = 1;
    for (auto const& s : out) {
        auto const same = [&](auto const& other) { return other.symbol == s.symbol; };
        if (std::count_if(out.begin(), out.end(), same) > 1)
            throw ParseError("`table`: '" + s.symbol + "' is given twice", parameter);
        rows *= static_cast<double>(s.values.size());
    }
    if (rows > most_rows) refuse_rows(rows);
    return out;
}

namespace {

/// Is it an error about the value of this symbol by `set`?
bool is_of_set_value(DomainError const& e, Sweep const& sweep) {
    return e.argument() == "set" && std::string_view(e.what()).starts_with("`set` " + sweep.symbol + " = ");
}

}  // namespace

void for_each_value(std::vector<Sweep> const& sweeps, Bindings const& bindings,
                    std::function<void(Bindings const&, std::vector<std::string> const&)> const& f) {
    std::vector<std::size_t> at(sweeps.size(), 0);
    for (bool more = true; more;) {
        Bindings here = bindings;
        std::vector<std::string> values;
        for (std::size_t i = 0; i < sweeps.size(); ++i) {
            here[sweeps[i].symbol] = sweeps[i].values[at[i]];
            values.push_back(to_string(sweeps[i].values[at[i]]));
        }
        try {
            f(here, values);
        } catch (DomainError const& e) {
            if (std::none_of(sweeps.begin(), sweeps.end(), [&](auto const& s) { return is_of_set_value(e, s); })) throw;
            std::string const message = e.what();
            throw DomainError("`table` " + message.substr(std::string_view("`set` ").size()), "table");
        }
        more = false;
        for (std::size_t i = sweeps.size(); i-- > 0 && !more;) {
            more = ++at[i] < sweeps[i].values.size();
            if (!more) at[i] = 0;
        }
    }
}

}  // namespace isserlis::quantity
