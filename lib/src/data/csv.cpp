// SPDX-License-Identifier: MIT
#include <isserlis/data/csv.hpp>

#include <isserlis/error.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

#include "exact_number.hpp"

namespace isserlis {
namespace {

std::string_view without_blanks(std::string_view text) {
    auto const blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

bool is_not_finite(std::string_view text) {
    if (!take(text, '-')) take(text, '+');
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return lower == "nan" || lower == "inf" || lower == "infinity";
}

struct CsvRow {
    std::size_t line;
    std::vector<std::string> fields;
};

class CsvReader {
public:
    CsvReader(std::string_view text, std::string const& name) : rest_(text) { out_.name = name; }

    DataSet all() {
        if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // what some editors mark UTF-8 by
        auto const header = next_row();
        if (!header) fail({}, "is empty; a header such as x1,x2,y1 and one line a sample are needed");
        read_header(*header);
        while (auto const row = next_row()) read_sample(*row);
        if (out_.inputs.empty()) fail(header->line, "the header is not followed by any sample");
        return std::move(out_);
    }

private:
    [[noreturn]] void fail(std::optional<std::size_t> line, std::string const& why) const {
        throw ParseError(out_.place() + (line ? ", line " + std::to_string(*line) + ": " : " ") + why, "data");
    }
    [[nodiscard]] std::string column_name(std::size_t column) const {
        return "column " + std::to_string(column + 1) + (column < names_.size() ? " (" + names_[column] + ")" : "");
    }
    [[noreturn]] void fail_at(std::size_t line, std::size_t column, std::string const& why) const {
        throw ParseError(out_.place() + ", line " + std::to_string(line) + ", " + column_name(column) + ": " + why,
                         "data");
    }

    /// One line without its end; nothing when the text is used up.
    std::optional<std::string_view> next_line() {
        if (rest_.empty()) return std::nullopt;
        ++line_;
        std::size_t const end = std::min(rest_.find('\n'), rest_.size());
        std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        return line;
    }

    std::optional<CsvRow> next_row() {
        while (auto const line = next_line()) {
            std::string_view const content = without_blanks(*line);
            if (content.empty() || content.front() == '#') continue;
            return CsvRow{.line = line_, .fields = split(content)};
        }
        return std::nullopt;
    }

    [[nodiscard]] std::vector<std::string> split(std::string_view line) const {
        std::vector<std::string> fields;
        while (true) {
            while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
            std::string field;
            if (take(line, '"')) {
                while (true) {
                    if (line.empty())
                        fail_at(line_, fields.size(), "the quotation mark is not closed in the same line");
                    if (take(line, '"')) {
                        if (!take(line, '"')) break;
                        field += '"';
                        continue;
                    }
                    field += line.front();
                    line.remove_prefix(1);
                }
                line = without_blanks(line);
                if (!line.empty() && line.front() != ',')
                    fail_at(line_, fields.size(), "there is text after the closing quotation mark");
            } else {
                std::size_t const end = std::min(line.find(','), line.size());
                field = line.substr(0, end);
                line.remove_prefix(end);
            }
            fields.emplace_back(without_blanks(field));
            if (!take(line, ',')) return fields;
        }
    }

    /// The number after the letter, in 1 .. 10^6 without leading zeros.
    static std::optional<std::size_t> index_of(std::string_view text) {
        constexpr std::size_t most_digits = 6;
        if (text.empty() || text.size() > most_digits || text.front() == '0') return std::nullopt;
        std::size_t out = 0;
        for (char const c : text) {
            if (c < '0' || c > '9') return std::nullopt;
            out = out * 10 + static_cast<std::size_t>(c - '0');
        }
        return out;
    }

    void read_header(CsvRow const& header) {
        names_ = header.fields;
        std::map<std::string, std::size_t> seen;
        for (std::size_t c = 0; c < names_.size(); ++c) {
            std::string const& name = names_[c];
            if (auto const [at, fresh] = seen.emplace(name, c); !fresh)
                fail_at(header.line, c, "the name occurs before, in column " + std::to_string(at->second + 1));
            char const kind = name.empty() ? '\0' : name.front();
            std::size_t const cut = name.find('_');
            auto const i = name.empty() ? std::nullopt : index_of(name.substr(1, kind == 'h' ? cut - 1 : cut));
            auto const j = cut == std::string::npos ? std::nullopt : index_of(name.substr(cut + 1));
            if (i && !j && cut == std::string::npos && (kind == 'x' || kind == 'y' || kind == 'g')) {
                (kind == 'x' ? x_ : kind == 'y' ? y_ : g_)[*i] = c;
            } else if (i && j && kind == 'h') {
                h_[{*i, *j}] = c;
            } else {
                fail_at(header.line, c,
                        "'" + printable(name) +
                            "' is no name of a column; known are x1, x2, .., y1, .., g1, .. and h1_1, h1_2, .., "
                            "separated by commas");
            }
        }
        require_all(header.line, x_, "x");
        if (y_.empty() && g_.empty())
            fail(header.line, "there is no column y1; targets y1, y2, .. or gradients g1, g2, .. are needed");
        require_all(header.line, y_, "y");
        require_all(header.line, g_, "g");
        if (!y_.empty() && !g_.empty() && y_.size() != g_.size())
            fail(header.line, "there are " + std::to_string(y_.size()) + " targets but " + std::to_string(g_.size()) +
                                  " gradients; each output has one of both");
        require_hessians(header.line, std::max(y_.size(), g_.size()));

        out_.squared_scales.assign(x_.size() + 1, Rational(1));
        for (auto const& [i, c] : x_) out_.input_columns.push_back(c + 1);
        for (auto const& [i, c] : y_) out_.target_columns.push_back(c + 1);
    }

    using Columns = std::map<std::size_t, std::size_t>;

    /// The columns have to be 1 .. n.
    void require_all(std::size_t line, Columns const& columns, std::string const& letter) const {
        std::size_t expected = 1;
        for (auto const& [index, column] : columns) {
            if (index != expected)
                fail(line, "there is no column " + letter + std::to_string(expected) + ", but there is " + letter +
                               std::to_string(index));
            ++expected;
        }
        if (columns.empty() && letter == "x") fail(line, "there is no column x1; features x1, x2, .. are needed");
    }

    void require_hessians(std::size_t line, std::size_t outputs) const {
        if (h_.empty()) return;
        for (auto const& [place, column] : h_)
            if (place.first > outputs || place.second > outputs)
                fail_at(line, column, "there are " + std::to_string(outputs) + " outputs only");
        for (std::size_t i = 1; i <= outputs; ++i)
            for (std::size_t j = i; j <= outputs; ++j)
                if (!h_.contains({i, j}) && !h_.contains({j, i}))
                    fail(line, "there is no column h" + std::to_string(i) + "_" + std::to_string(j) +
                                   ", but there are others; all entries of one triangle are needed");
    }

    Rational number(CsvRow const& row, std::size_t column) const {
        std::string const& text = row.fields[column];
        std::string const shown = "'" + printable(text) + "' ";
        if (text.empty()) fail_at(row.line, column, "the field is empty; a number is needed");
        if (is_not_finite(text)) fail_at(row.line, column, shown + "is not a finite number");
        std::optional<Rational> value;
        try {
            value = exact_number(text);
        } catch (UnsupportedError const& e) {
            throw UnsupportedError(
                out_.place() + ", line " + std::to_string(row.line) + ", " + column_name(column) + ": " + e.what(),
                "data");
        }
        if (!value) fail_at(row.line, column, shown + "is not a number such as 3, -0.25, 1e-3 or 2/3");
        return *value;
    }

    void read_sample(CsvRow const& row) {
        if (row.fields.size() != names_.size())
            fail(row.line, std::to_string(row.fields.size()) + (row.fields.size() == 1 ? " field" : " fields") +
                               ", but the header has " + std::to_string(names_.size()));
        auto& inputs = out_.inputs.emplace_back();
        for (auto const& [i, c] : x_) inputs.push_back(number(row, c));
        inputs.emplace_back(1);
        if (!y_.empty()) {
            auto& targets = out_.targets.emplace_back();
            for (auto const& [i, c] : y_) targets.emplace_back(number(row, c));
        }
        if (!g_.empty()) {
            auto& gradients = out_.gradients.emplace_back();
            for (auto const& [i, c] : g_) gradients.push_back(number(row, c));
        }
        if (!h_.empty()) read_hessian(row);
        out_.lines.push_back(row.line);
    }

    void read_hessian(CsvRow const& row) {
        std::size_t const d = std::max(y_.size(), g_.size());
        auto& hessian = out_.hessians.emplace_back(d, std::vector<Rational>(d));
        for (auto const& [place, c] : h_) {
            auto const [i, j] = place;
            Rational const value = number(row, c);
            if (i > j && h_.contains({j, i}) && hessian[j - 1][i - 1] != value)
                fail_at(row.line, c,
                        "the Hessian is not symmetric: h" + std::to_string(j) + "_" + std::to_string(i) + " is " +
                            to_string(hessian[j - 1][i - 1]));
            hessian[i - 1][j - 1] = hessian[j - 1][i - 1] = value;
        }
    }

    std::string_view rest_;
    std::size_t line_ = 0;
    std::vector<std::string> names_;
    Columns x_, y_, g_;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> h_;
    DataSet out_;
};

}  // namespace

DataSet parse_data_csv(std::string_view text, std::string const& name) { return CsvReader(text, name).all(); }

}  // namespace isserlis
