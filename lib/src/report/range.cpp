// SPDX-License-Identifier: MIT
#include <isserlis/report/range.hpp>

#include <algorithm>
#include <isserlis/ring/latex.hpp>

namespace isserlis {
namespace {

struct Signs {
    char const* equal;
    char const* at_least;
    char const* at_most;
    char const* above;
    char const* other;
    char const* below;
    char const* any;
};
constexpr Signs plain{.equal = " = ",
                      .at_least = " >= ",
                      .at_most = " <= ",
                      .above = " > ",
                      .other = " != ",
                      .below = " < ",
                      .any = " real"};
constexpr Signs typeset{.equal = " = ",
                        .at_least = " \\geq ",
                        .at_most = " \\leq ",
                        .above = " > ",
                        .other = " \\neq ",
                        .below = " < ",
                        .any = " \\in \\mathbb{R}"};

std::string written(SymbolRange const& r, Signs const& signs, auto const& shown) {
    std::string const name = shown(r.symbol);
    std::string out;
    if (r.is_point()) {
        out = name + signs.equal + shown(r.least);
    } else if (r.least.empty()) {
        out = name + signs.any;
    } else if (r.most.empty()) {
        out = name + (r.open ? signs.above : signs.at_least) + shown(r.least);
    } else {
        out = shown(r.least) + (r.open ? signs.below : signs.at_most) + name + signs.at_most + shown(r.most);
    }
    for (auto const& value : r.without) out += ", " + name + signs.other + shown(value);
    return out;
}

std::string written(Range const& range, Signs const& signs, auto const& shown, char const* between) {
    std::string out;
    for (auto const& s : range.symbols) out += (out.empty() ? "" : between) + written(s, signs, shown);
    auto const add = [&](std::vector<std::string> const& expressions, char const* sign) {
        for (auto const& e : expressions) out += (out.empty() ? "" : between) + shown(e) + sign + "0";
    };
    add(range.nonzero, signs.other);
    add(range.positive, signs.above);
    add(range.not_negative, signs.at_least);
    return out;
}

/// Whole numbers, then real ones, those without ends, then conditions.
std::string sentence(Range const& range, auto const& shown, auto const& words) {
    std::string out;
    auto const add = [&](std::string const& kind, Range const& part) {
        if (part.empty()) return;
        out += (out.empty() ? "" : "; ") + (kind.empty() ? "" : kind + " ") + words(shown(part));
    };
    Range whole;
    Range real;
    Range any;
    for (auto const& s : range.symbols) (s.whole ? whole : s.least.empty() ? any : real).symbols.push_back(s);
    add("whole", whole);
    add("real", real);
    add("", any);
    Range conditions = range;
    conditions.symbols.clear();
    add("", conditions);
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

namespace {

/// The conditions of all ranges that have any, where they agree.
std::vector<std::string> shared(std::vector<Range const*> const& ranges, std::vector<std::string> Range::*list) {
    std::vector<std::string> out;
    for (auto const* range : ranges) {
        auto const& here = range->*list;
        if (!here.empty() && !out.empty() && here != out) return {};
        if (!here.empty()) out = here;
    }
    return out;
}

}  // namespace

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
    for (auto const list : {&Range::nonzero, &Range::positive, &Range::not_negative}) out.*list = shared(ranges, list);
    return out;
}

Range beyond(Range const& range, Range const& common) {
    Range out;
    for (auto const& s : range.symbols) {
        auto const* known = common.find(s.symbol);
        if (known == nullptr || !(*known == s)) out.symbols.push_back(s);
    }
    for (auto const list : {&Range::nonzero, &Range::positive, &Range::not_negative}) {
        if (range.*list != common.*list) out.*list = range.*list;
    }
    return out;
}

}  // namespace isserlis
