// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/report/answer.hpp>
#include <map>

#include "check_text.hpp"

namespace isserlis {
namespace {

using TableRow = std::vector<std::string>;

std::string joined(std::vector<std::string> const& parts, char const* separator) {
    std::string out;
    for (auto const& p : parts) out += (out.empty() ? "" : separator) + p;
    return out;
}

/// Columns padded to their widest entry; the last one is not padded, so that long formulas may run on.
void append_table(std::string& out, std::vector<TableRow> const& rows) {
    std::vector<std::size_t> width;
    for (auto const& row : rows) {
        width.resize(std::max(width.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
    }
    for (auto const& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line += std::string(width[i] - row[i].size() + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
}

/// Exact values longer than this are cut in the report, which is a page to read; JSON has all of them.
constexpr std::size_t longest_in_report = 60;
/// Exact numbers longer than this are cut in a table: nobody reads them there, and they bury the rest of it.
constexpr std::size_t longest_number = 500;

std::string cut_number(std::string const& text, Answer::Options const& options) {
    constexpr std::size_t shown = 20;
    return text.substr(0, shown) + "..." + text.substr(text.size() - shown) + " (" + std::to_string(text.size()) +
           " characters: " + options.spoken("`format`") + " json has them all)";
}

/// A long divisor is seen in the formula, and so is the formula; formats for programs have them again.
Range shortened(Range range, std::string const& formula = {}) {
    constexpr std::size_t longest_divisor = 30;
    std::replace(range.not_negative.begin(), range.not_negative.end(), formula, std::string("value"));
    for (auto& e : range.nonzero) {
        if (e.size() > longest_divisor) e = "divisors";
    }
    range.nonzero.erase(std::unique(range.nonzero.begin(), range.nonzero.end()), range.nonzero.end());
    return range;
}

std::string exact_text(Result const& r, Answer::Options const& options, bool cut) {
    if (!r.exact) return r.certified ? "(certified digits)" : r.form.empty() ? "-" : "[" + r.form + "]";
    bool const number = r.decimal.has_value();
    if (number && !cut && !options.unlimited && r.exact->size() > longest_number) return cut_number(*r.exact, options);
    if (!cut || r.exact->size() <= longest_in_report) return *r.exact;
    Quantity const* q = find_quantity(r.name);
    return "(" + std::to_string(r.exact->size()) + " characters: isserlis " + (q == nullptr ? "" : q->command) + ")";
}

/// The first two digits of a probability, whose ends are no certainty.
std::string probability(double p) {
    if (p < 0.01) return "<0.01";
    if (p > 0.99) return ">0.99";
    return short_number(std::floor(100 * p) / 100, "%.2f");
}

/// With which power the checks see an error: how many of them surely, and which one least.
std::string power_line(std::vector<Result const*> const& ordered) {
    constexpr double surely = 0.99;
    std::size_t checks = 0;
    std::size_t sure = 0;
    bool zeros = false;   // of which no error is a share
    bool others = false;  // which cannot disagree
    Result const* least = nullptr;
    for (auto const* r : ordered) {
        if (!r->check) continue;
        if (!r->check->power) {
            bool const is_bound =
                r->check->verdict == Check::Verdict::holds || r->check->verdict == Check::Verdict::fails;
            bool const is_zero = r->decimal == "0";
            zeros = zeros || (is_zero && !is_bound);
            others = others || (!is_zero && !is_bound);
            continue;
        }
        ++checks;
        if (*r->check->power >= surely) ++sure;
        if (least == nullptr || *r->check->power < *least->check->power) least = r;
    }
    if (least == nullptr) return zeros ? "\npower: an error of 10 % means nothing where the value is 0\n" : "";
    std::string out = "\npower: an error of 10 % would be seen with probability ";
    if (checks == 1) return out + probability(*least->check->power) + "\n";
    std::string const of = std::to_string(checks) + " checks" + (zeros ? " of values other than 0" : "") +
                           (others ? " that can disagree" : "");
    if (sure > 0) out += "0.99 or more in " + (sure == checks ? "all " : std::to_string(sure) + " of ") + of;
    if (sure == checks) return out + "\n";
    std::string const index = least->index.empty() ? "" : " " + joined(least->index, ",");
    out += (sure > 0 ? ", least " : "below 0.99 in all " + of + ", least ") + probability(*least->check->power);
    return out + " (" + least->name + index + ")\n";
}

/// The results as one table; equal names together, in the order in which they first came.
void append_results(std::string& out, Answer const& answer) {
    auto const& all = answer.results();
    if (all.empty()) return;
    auto any = [&](auto const& test) { return std::any_of(all.begin(), all.end(), test); };
    bool const checks = any([](Result const& r) { return r.check.has_value(); });
    bool const bounds = any([](Result const& r) { return r.bound.has_value(); });
    bool const indexed = any([](Result const& r) { return !r.index.empty(); });
    bool const decimals = any([](Result const& r) { return r.decimal.has_value(); });
    Range const common = common_range(answer);
    bool const ranges = any([&](Result const& r) { return !beyond(r.range, common).empty(); });
    std::map<std::string, std::size_t> first;
    for (auto const& r : all) first.emplace(r.name, first.size());
    std::vector<Result const*> ordered;
    for (auto const& r : all) ordered.push_back(&r);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [&](auto const* a, auto const* b) { return first[a->name] < first[b->name]; });

    std::vector<TableRow> rows(1);
    TableRow& header = rows.front();
    header.emplace_back("quantity");
    if (indexed) {
        auto columns = answer.sweeps();
        if (any([&](Result const& r) { return r.index.size() > answer.sweeps().size(); }))
            columns.emplace_back("index");
        header.push_back(joined(columns, ","));
    }
    if (decimals) header.emplace_back("decimal");
    if (checks) header.insert(header.end(), {"sampled", "std error", "z"});
    if (checks || bounds) header.emplace_back("verdict");
    if (ranges) header.emplace_back("for");
    header.emplace_back("exact");
    std::string group;
    for (auto const* r : ordered) {
        if (answer.is_grouped()) {
            Quantity const* q = find_quantity(r->name);
            std::string const command = q == nullptr ? "" : q->command;
            if (command != group) rows.push_back({"-- " + command + " --"});
            group = command;
        }
        TableRow row{r->name};
        if (indexed) row.push_back(joined(r->index, ","));
        if (decimals) row.push_back(r->decimal.value_or("-"));
        if (checks && r->check) {
            row.insert(row.end(), {short_number(r->check->mean, "%.6g"),
                                   short_number(r->check->std_error, "%.2g") + " " + name(r->check->std_error_kind),
                                   short_number(r->check->z, "%+.2f")});
        } else if (checks) {
            row.insert(row.end(), {"-", "-", "-"});
        }
        if (checks || bounds) row.emplace_back(verdict_of(*r));
        if (ranges) {
            Range const own = shortened(beyond(r->range, common), r->exact.value_or(""));
            row.push_back(own.empty() ? "-" : to_string(own));
        }
        row.push_back(exact_text(*r, answer.options(), answer.is_grouped()));
        rows.push_back(std::move(row));
    }
    append_table(out, rows);
    if (checks) out += power_line(ordered);
    if (!common.empty()) out += "\nrange: " + stated(shortened(common)) + "\n";
}

}  // namespace

std::string to_text(Answer const& answer) {
    std::string out = answer.title() + "\n";
    if (!answer.assumptions().empty()) out += "assumes: " + joined(answer.assumptions(), "; ") + "\n";
    out += "\n";
    for (auto const& q : answer.entries()) {
        out += std::string(q.name) + (*q.index == '\0' ? "" : "[" + std::string(q.index) + "]") + "  (isserlis " +
               q.command + ")\n";
        out += "  formula: " + std::string(q.formula) + "\n  source:  " + q.source + "\n  assumes: " + q.assumptions +
               "\n";
    }
    append_results(out, answer);
    for (auto const& text : answer.explanations()) out += "\n" + text + "\n";
    if (answer.options().checking) {
        std::vector<std::string> reasons;
        for (auto const& r : answer.results()) {
            if (r.check || r.unchecked.empty()) continue;
            std::string const line = "unchecked: " + r.name + ": " + r.unchecked;
            if (std::find(reasons.begin(), reasons.end(), line) == reasons.end()) reasons.push_back(line);
        }
        if (!reasons.empty()) out += "\n";
        for (auto const& line : reasons) out += line + "\n";
    }
    if (!answer.warnings().empty()) out += "\n";
    for (auto const& text : answer.warnings()) out += "note: " + text + "\n";
    return out;
}

}  // namespace isserlis
