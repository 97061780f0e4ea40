// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <isserlis/report/answer.hpp>

#include "comments.hpp"

namespace isserlis {
namespace {

/// RFC 4180: quoted when it has to be.
std::string field(std::string const& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (char const c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

/// Empty for what is no number: readers of CSV take inf for a word.
std::string number(double x) {
    if (!std::isfinite(x)) return "";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", x);
    return buffer;
}

std::string range_text(Result const& r) {
    std::string out = to_string(r.range);
    for (auto const& symbol : r.endless) out += (out.empty() ? "" : ", ") + symbol + " -> infinity";
    return out;
}

}  // namespace

std::string to_csv(Answer const& answer) {
    if (!answer.entries().empty()) {
        std::string list = heading(answer, "# ") + "name,index,command,formula,source,assumptions,summary\n";
        for (auto const& q : answer.entries()) {
            list += std::string(q.name) + "," + field(q.index) + "," + q.command + "," + field(q.formula) + "," +
                    field(q.source) + "," + field(q.assumptions) + "," + field(q.summary) + "\n";
        }
        return list;
    }
    if (answer.table()) return heading(answer, "# ") + *answer.table();
    bool const checking = answer.options().checking;
    // Swept symbols are the first columns.
    std::size_t const swept = answer.sweeps().size();
    std::string out = heading(answer, "# ");
    for (auto const& symbol : answer.sweeps()) out += symbol + ",";
    out += "name,index,exact,decimal";
    if (checking)
        out += ",check_mean,check_std_error,check_std_error_kind,check_z,check_samples,check_verdict,check_power";
    auto const& results = answer.results();
    // What is sampled must not look like what is certain.
    bool const forms = std::any_of(results.begin(), results.end(), [](Result const& r) { return !r.form.empty(); });
    bool const bounds =
        std::any_of(results.begin(), results.end(), [](Result const& r) { return r.bound.has_value(); });
    if (bounds) out += ",bound";
    bool const ranges = std::any_of(results.begin(), results.end(),
                                    [](Result const& r) { return !r.range.empty() || !r.endless.empty(); });
    if (ranges) out += ",range";
    if (forms) out += ",form";
    out += "\n";
    for (auto const& r : results) {
        std::string index;
        for (std::size_t i = 0; i < swept; ++i) out += field(r.index[i]) + ",";
        for (std::size_t i = swept; i < r.index.size(); ++i) index += (index.empty() ? "" : " ") + r.index[i];
        out += r.name + "," + field(index) + "," + field(r.exact.value_or("")) + "," + r.decimal.value_or("");
        if (checking) {
            if (r.check) {
                out += "," + number(r.check->mean) + "," + number(r.check->std_error) + "," +
                       name(r.check->std_error_kind) + "," + number(r.check->z) + "," +
                       std::to_string(r.check->samples) + "," + name(r.check->verdict) + "," +
                       (r.check->power ? number(*r.check->power) : "");
            } else {
                out += ",,,,,,,";
            }
        }
        if (bounds) out += std::string(",") + (r.bound ? name(*r.bound) : "");
        if (ranges) out += "," + field(range_text(r));
        if (forms) out += "," + field(r.form);
        out += "\n";
    }
    return out;
}

}  // namespace isserlis
