// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/report/range.hpp>
#include <isserlis/ring/latex.hpp>

namespace isserlis {
namespace {

struct Signs {
    char const* equal;
    char const* at_least;
    char const* at_most;
    char const* above;
    char const* other;
};
constexpr Signs plain{.equal = " = ", .at_least = " >= ", .at_most = " <= ", .above = " > ", .other = " != "};
constexpr Signs typeset{
    .equal = " = ", .at_least = " \\geq ", .at_most = " \\leq ", .above = " > ", .other = " \\neq "};

std::string written(SymbolRange const& r, Signs const& signs, auto const& shown) {
    std::string const name = shown(r.symbol);
    std::string out;
    if (r.is_point()) {
        out = name + signs.equal + shown(r.least);
    } else if (r.most.empty()) {
        out = name + (r.open ? signs.above : signs.at_least) + shown(r.least);
    } else {
        out = shown(r.least) + signs.at_most + name + signs.at_most + shown(r.most);
    }
    for (auto const& value : r.without) out += ", " + name + signs.other + shown(value);
    return out;
}

std::string written(Range const& range, Signs const& signs, auto const& shown, char const* between) {
    std::string out;
    for (auto const& s : range.symbols) out += (out.empty() ? "" : between) + written(s, signs, shown);
    for (auto const& e : range.nonzero) out += (out.empty() ? "" : between) + shown(e) + signs.other + "0";
    return out;
}

/// Whole numbers, then real ones, then what must not be 0.
std::string sentence(Range const& range, auto const& shown, auto const& words) {
    std::string out;
    auto const add = [&](std::string const& kind, Range const& part) {
        if (part.empty()) return;
        out += (out.empty() ? "" : "; ") + (kind.empty() ? "" : kind + " ") + words(shown(part));
    };
    Range whole;
    Range real;
    for (auto const& s : range.symbols) (s.whole ? whole : real).symbols.push_back(s);
    add("whole", whole);
    add("real", real);
    add("", {.symbols = {}, .nonzero = range.nonzero});
    return out;
}

}  // namespace

SymbolRange const* Range::find(std::string const& symbol) const {
    auto const at = std::find_if(symbols.begin(), symbols.end(), [&](auto const& s) { return s.symbol == symbol; });
    return at == symbols.end() ? nullptr : &*at;
}

void Range::set(SymbolRange range) {
    auto const at =
        std::find_if(symbols.begin(), symbols.end(), [&](auto const& s) { return s.symbol == range.symbol; });
    if (at == symbols.end()) {
        symbols.push_back(std::move(range));
    } else {
        *at = std::move(range);
    }
}

std::string to_string(SymbolRange const& range) {
    return written(range, plain, [](std::string const& text) { return text; });
}

std::string to_string(Range const& range) {
    return written(
        range, plain, [](std::string const& text) { return text; }, ", ");
}

std::string latex(Range const& range) {
    auto const shown = [](std::string const& text) { return latex(Expression::parse(text, "range")); };
    return written(range, typeset, shown, ",\\ ");
}

std::string stated(Range const& range) {
    return sentence(
        range, [](Range const& part) { return to_string(part); }, [](std::string const& text) { return text; });
}

std::string stated_in_latex(Range const& range) {
    return sentence(
        range, [](Range const& part) { return latex(part); }, [](std::string const& text) { return "$" + text + "$"; });
}

Range common_range(std::vector<Range const*> const& ranges) {
    struct Count {
        SymbolRange range;
        std::size_t times;
    };
    std::vector<std::string> order;
    std::vector<Count> counts;
    for (auto const* range : ranges) {
        for (auto const& s : range->symbols) {
            if (std::find(order.begin(), order.end(), s.symbol) == order.end()) order.push_back(s.symbol);
            if (s.is_point()) continue;  // an edge is a row's own
            auto const at = std::find_if(counts.begin(), counts.end(), [&](auto const& c) { return c.range == s; });
            if (at == counts.end()) {
                counts.push_back({.range = s, .times = 1});
            } else {
                ++at->times;
            }
        }
    }
    Range out;
    for (auto const& name : order) {
        Count const* best = nullptr;
        for (auto const& c : counts) {
            if (c.range.symbol == name && (best == nullptr || c.times > best->times)) best = &c;
        }
        if (best != nullptr) out.set(best->range);
    }
    // A divisor of all that have one.
    std::vector<std::string> const* shared = nullptr;
    for (auto const* range : ranges) {
        if (range->nonzero.empty()) continue;
        if (shared != nullptr && *shared != range->nonzero) return out;
        shared = &range->nonzero;
    }
    if (shared != nullptr) out.nonzero = *shared;
    return out;
}

Range beyond(Range const& range, Range const& common) {
    Range out;
    for (auto const& s : range.symbols) {
        auto const* known = common.find(s.symbol);
        if (known == nullptr || !(*known == s)) out.symbols.push_back(s);
    }
    if (range.nonzero != common.nonzero) out.nonzero = range.nonzero;
    return out;
}

}  // namespace isserlis
