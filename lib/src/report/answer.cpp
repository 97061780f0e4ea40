// SPDX-License-Identifier: MIT
#include <isserlis/report/answer.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/report/product_text.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/parse.hpp>
#include <isserlis/utf8.hpp>
#include <set>

#include "characters.hpp"

namespace isserlis {

namespace {

/// How far beyond the limit the size of an answer has to be foreseen, after so many of its results.
double surely_beyond(std::size_t results) {
    if (results < 64) return HUGE_VAL;
    return results < 1000 ? 1.25 : 1.05;
}

void add_once(std::vector<std::string>& list, std::string text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

/// The symbols of a printed formula, without reading it as one: it may be long.
std::set<std::string> names_in(std::string const& formula) {
    std::set<std::string> out;
    for (std::size_t i = 0; i < formula.size();) {
        std::size_t end = i;
        while (end < formula.size() && (is_letter(formula[end]) || is_digit(formula[end]))) ++end;
        if (end == i) {
            ++i;
            continue;
        }
        if (is_letter(formula[i])) out.insert(formula.substr(i, end - i));
        i = end;
    }
    out.erase("sqrt");
    out.erase("exp");
    return out;
}

/// Of an index: a number, a formula, or the name of an architecture.
bool has_symbol(std::string const& text, std::string const& symbol) {
    try {
        return text.find(symbol) != std::string::npos && Expression::parse(text, "index").symbols().count(symbol) != 0;
    } catch (Error const&) {
        return false;
    }
}

/// The symbols of the formula and of the index, in the order in which they were declared, others last; no divisors yet.
Range natural_range(Result const& r, std::vector<Declared> const& declared, Range const& required) {
    std::set<std::string> symbols;
    if (r.decimal) {
        // No symbols, but for those of the index.
    } else if (r.exact) {
        symbols = names_in(*r.exact);
    } else if (auto const form = read_products(r.form)) {
        symbols.merge(form->symbols());
    } else {
        return {};  // there is no value
    }
    for (auto const& part : r.index) {
        for (auto const& d : declared) {
            if (has_symbol(part, d.range.symbol)) symbols.insert(d.range.symbol);
        }
    }
    Range out;
    for (auto const list : {&Range::positive, &Range::not_negative}) {
        for (auto const& e : required.*list) {
            auto const names = names_in(e);
            bool const shares =
                std::any_of(names.begin(), names.end(), [&](auto const& s) { return symbols.count(s) != 0; });
            if (shares) add_once(out.*list, e);
        }
    }
    for (auto const& d : declared) {
        // A width from above 1 on bounds constants too.
        bool const bounds = d.role == SymbolRole::width && d.range.least != "1";
        if (symbols.erase(d.range.symbol) != 0 || bounds) out.symbols.push_back(d.range);
    }
    for (auto const& s : symbols) out.symbols.push_back(SymbolRange::positive(s));
    return out;
}

}  // namespace

bool leave_out_zero_divisors(Result& result) {
    if (!result.exact || result.decimal) return true;
    auto const& symbols = result.range.symbols;
    bool const positive = std::all_of(symbols.begin(), symbols.end(),
                                      [](auto const& s) { return s.whole || (s.open && s.least == "0"); });
    bool const above_zero = positive && !result.mean_square.empty();
    return leave_out_zero_divisors(above_zero ? result.mean_square : *result.exact, result.range);
}

void Answer::declare(SymbolRange range, SymbolRole role) {
    auto const at =
        std::find_if(declared_.begin(), declared_.end(), [&](auto const& d) { return d.range.symbol == range.symbol; });
    if (at == declared_.end()) {
        declared_.push_back({.range = std::move(range), .role = role});
    } else {
        *at = {.range = std::move(range), .role = role};
    }
}

void Answer::replace_results(std::size_t first, std::vector<Result> results) {
    results_.resize(first);
    for (auto& r : results) results_.push_back(std::move(r));
}

Result const& Answer::at(std::string const& name, std::vector<std::string> const& index) const& {
    auto const joined = [](std::vector<std::string> const& parts) {
        std::string out;
        for (auto const& part : parts) out += (out.empty() ? "" : ",") + part;
        return "[" + out + "]";
    };
    constexpr std::size_t most_named = 60;
    std::string others;
    for (auto const& r : results_) {
        if (r.name != name) continue;
        if (r.index == index) return r;
        if (others.size() < most_named) others += (others.empty() ? "; there is " : ", ") + joined(r.index);
    }
    throw DomainError(command_ + ": no result " + printable(name) + " " + printable(joined(index)) + " here" + others,
                      name);
}

void Answer::assume(std::string text) { add_once(assumptions_, options_.spoken(std::move(text))); }
void Answer::explain(std::string text) { explanations_.push_back(options_.spoken(std::move(text))); }
void Answer::warn(std::string text) { add_once(warnings_, options_.spoken(std::move(text))); }

void Answer::name_index_prefix(std::string const& name) { add_once(prefix_names_, name); }

void Answer::adopt(Result result) {
    result.index.insert(result.index.begin(), prefix_.begin(), prefix_.end());
    results_.push_back(std::move(result));
}

void Answer::add(std::string name, std::vector<std::string> index, Value const& value, std::optional<Check> check,
                 std::string unchecked) {
    Result out;
    out.name = std::move(name);
    out.index = prefix_;
    out.check = check;
    out.unchecked = options_.spoken(std::move(unchecked));
    out.index.insert(out.index.end(), index.begin(), index.end());
    out.exact = value.exact();
    out.form = options_.spoken(value.form());
    if (options_.exact_only) {
        results_.push_back(std::move(out));
        return;
    }
    out.mean_square = value.mean_square();
    out.decimal = value.decimal(options_.digits);
    out.certified = value.is_certified() && out.decimal.has_value();
    if (value.is_certified() && !out.decimal)
        warn(out.name + ": served up to `digits` " + std::to_string(value.most_digits()));
    if (options_.format == Format::latex || options_.latex) out.latex = value.latex(options_.digits);
    out.range = natural_range(out, declared_, required_);
    if (!leave_out_zero_divisors(out))
        warn(out.name + ": a formula too long to be searched for divisors that can be 0; it holds where none is");
    size_ += 80 + (out.exact ? out.exact->size() : 0) + (out.decimal ? out.decimal->size() : 0) +
             (options_.format == Format::latex ? out.latex.size() : 0);
    results_.push_back(std::move(out));
    if (options_.unlimited) return;
    // Numbers grow with the layer, so the rest of the answer is at least as large per result as what is there: a few
    // results tell, before the work is done.
    double const share =
        static_cast<double>(std::max(expected_, results_.size())) / static_cast<double>(results_.size());
    double const whole = static_cast<double>(size_) * share;
    bool const told = size_ > size_limit || whole > surely_beyond(results_.size()) * size_limit;
    if (!told) return;
    throw UnsupportedError("the answer would have at least " + std::to_string(static_cast<std::uint64_t>(whole / 1e6)) +
                               " MB; choose one layer with `layer` K, or write it to a file with `output_file` FILE",
                           "layer");
}

void Answer::add_limit(std::string name, std::vector<std::string> index, Value const& value,
                       std::vector<std::string> const& endless, std::string unchecked) {
    add(std::move(name), std::move(index), value, {}, std::move(unchecked));
    auto& r = results_.back();
    for (auto const& symbol : endless) {
        if (!symbol.empty()) r.endless.push_back(symbol);
    }
    std::erase_if(r.range.symbols, [&](SymbolRange const& s) {
        return std::find(endless.begin(), endless.end(), s.symbol) != endless.end();
    });
    std::erase_if(r.range.nonzero, [&](std::string const& divisor) {
        auto const names = names_in(divisor);
        return std::any_of(endless.begin(), endless.end(),
                           [&](auto const& symbol) { return names.count(symbol) != 0; });
    });
}

void Answer::add_bound(std::string name, std::vector<std::string> index, Value const& value, std::optional<bool> holds,
                       std::string unchecked) {
    add(std::move(name), std::move(index), value, {}, std::move(unchecked));
    if (holds) results_.back().bound = *holds ? Check::Verdict::holds : Check::Verdict::fails;
}

void Answer::hold_where_not_negative() {
    auto& r = results_.back();
    if (r.exact && !r.decimal) r.range.not_negative.push_back(*r.exact);
}

bool Answer::any_disagreement() const {
    return failed_ || std::any_of(results_.begin(), results_.end(), [](Result const& r) {
               return r.check &&
                      (r.check->verdict == Check::Verdict::disagrees || r.check->verdict == Check::Verdict::fails);
           });
}

Range common_range(Answer const& answer) {
    std::vector<Range const*> all;
    for (auto const& r : answer.results()) all.push_back(&r.range);
    Range out = common_range(all);
    auto const place = [&](SymbolRange const& s) {
        auto const& known = answer.declared();
        auto const at =
            std::find_if(known.begin(), known.end(), [&](auto const& d) { return d.range.symbol == s.symbol; });
        return std::pair(at == known.end() ? SymbolRole::parameter : at->role, at - known.begin());
    };
    std::stable_sort(out.symbols.begin(), out.symbols.end(),
                     [&](auto const& a, auto const& b) { return place(a) < place(b); });
    return out;
}

std::string render(Answer const& answer) {
    if (answer.document()) return *answer.document();
    switch (answer.options().format) {  // names of files and nodes may have any characters
        case Format::text: return legible(to_text(answer));
        case Format::json: return to_json(answer);
        case Format::latex: return legible(to_latex(answer));
        case Format::cpp: return legible(to_cpp(answer));
        case Format::csv: break;
    }
    return legible(to_csv(answer));
}

}  // namespace isserlis
