// SPDX-License-Identifier: MIT
#include "question/measured_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/network/widths.hpp>
#include <map>

#include "question/graph_file.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_measured_rows = 100'000;
constexpr double largest_count = 1e15;  ///< whole numbers up to here are exact in a double
constexpr char const* known_columns = "layer, width, value, quantity, statistic, samples, std_error";

std::vector<std::string> fields_of(std::string const& text, char separator) {
    std::vector<std::string> out(1);
    for (char const c : text) {
        if (c == separator) {
            out.emplace_back();
        } else {
            out.back() += c;
        }
    }
    return out;
}

/// Without blanks and quotes around it.
std::string trimmed(std::string const& text) {
    auto const first = text.find_first_not_of(" \t\r\"");
    if (first == std::string::npos) return "";
    return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

class MeasuredReader {
public:
    explicit MeasuredReader(std::string path) : path_(std::move(path)) {}

    std::vector<MeasuredRow> all() {
        std::vector<MeasuredRow> out;
        for (auto const& text : fields_of(file_content(path_, "measured", memory_of_exact_numbers), '\n')) {
            ++line_;
            std::string const content = trimmed(text);
            if (content.empty() || content.front() == '#') continue;
            auto fields = fields_of(text, ',');
            for (auto& f : fields) f = trimmed(f);
            if (columns_.empty()) {
                read_header(fields);
                continue;
            }
            if (fields.size() != columns_.size())
                fail("", std::to_string(fields.size()) + " fields for " + std::to_string(columns_.size()) + " columns");
            if (out.size() == most_measured_rows) {
                throw UnsupportedError("`measured`: '" + printable(path_) + "' has more than " +
                                           std::to_string(most_measured_rows) + " rows",
                                       "measured");
            }
            out.push_back(row(fields));
        }
        if (columns_.empty()) fail("", std::string("no header; name the columns: ") + known_columns);
        if (out.empty()) fail("", "no row below the header");
        return out;
    }

private:
    [[noreturn]] void fail(std::string const& column, std::string const& why) const {
        throw ParseError("`measured`: '" + printable(path_) + "' line " + std::to_string(line_) +
                             (column.empty() ? "" : ", column " + column) + ": " + why,
                         "measured");
    }

    void read_header(std::vector<std::string> const& fields) {
        auto const known = fields_of(known_columns, ',');
        for (auto const& name : fields) {
            if (std::none_of(known.begin(), known.end(), [&](auto const& k) { return trimmed(k) == name; }))
                fail(printable(name), std::string("no such column; known are ") + known_columns);
            if (!columns_.emplace(name, columns_.size()).second) fail(name, "named twice");
        }
        for (char const* needed : {"layer", "width", "value"}) {
            if (columns_.count(needed) == 0)
                fail(needed, "missing; a header such as layer,width,quantity,value is required");
        }
    }

    [[nodiscard]] double number(std::vector<std::string> const& fields, std::string const& column) const {
        std::string const& text = fields[columns_.at(column)];
        char* end = nullptr;
        double const x = std::strtod(text.c_str(), &end);
        if (text.empty() || *end != '\0' || !std::isfinite(x))
            fail(column, "'" + printable(text) + "' is not a number such as 0.25 or 1e-3");
        return x;
    }
    [[nodiscard]] std::uint64_t count(std::vector<std::string> const& fields, std::string const& column) const {
        double const x = number(fields, column);
        if (x < 1 || x > largest_count || x != std::floor(x))
            fail(column, "'" + printable(fields[columns_.at(column)]) + "' is not a whole number from 1");
        return static_cast<std::uint64_t>(x);
    }
    [[nodiscard]] std::string word(std::vector<std::string> const& fields, std::string const& column,
                                   std::vector<std::string> const& choices) const {
        if (columns_.count(column) == 0) return choices.front();
        std::string const& text = fields[columns_.at(column)];
        if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
        std::string known;
        for (auto const& c : choices) known += (known.empty() ? "" : ", ") + c;
        fail(column, "'" + printable(text) + "' is none of " + known);
    }

    [[nodiscard]] MeasuredRow row(std::vector<std::string> const& fields) const {
        MeasuredRow out;
        out.line = line_;
        out.layer = count(fields, "layer");
        out.width = count(fields, "width");
        out.value = number(fields, "value");
        out.quantity = word(fields, "quantity", {"preactivation", "change", "updated"});
        out.statistic = word(fields, "statistic", {"mean", "rms"});
        if (columns_.count("samples") != 0) out.samples = count(fields, "samples");
        if (columns_.count("std_error") != 0) {
            out.std_error = number(fields, "std_error");
            if (*out.std_error <= 0) fail("std_error", "has to be positive");
        } else if (out.statistic == "rms") {
            fail("std_error", "missing; that of a sampled rms takes moments beyond these, so give it in the file");
        }
        return out;
    }

    std::string path_;
    std::size_t line_ = 0;
    std::map<std::string, std::size_t> columns_;
};

}  // namespace

std::vector<MeasuredRow> read_measured_file(std::string const& path) { return MeasuredReader(path).all(); }

}  // namespace isserlis::quantity
