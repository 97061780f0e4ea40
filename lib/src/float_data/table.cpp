// SPDX-License-Identifier: MIT
#include <isserlis/float_data/table.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <isserlis/error.hpp>
#include <map>
#include <optional>
#include <utility>

namespace isserlis::float_data {
namespace {

using Index = Eigen::Index;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// The lines that count, with their numbers.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {
        if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // what some editors mark UTF-8 by
    }

    std::optional<std::string_view> next() {
        while (!rest_.empty()) {
            ++number_;
            std::size_t const end = std::min(rest_.find('\n'), rest_.size());
            std::string_view line = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            line = trimmed(line);
            if (!line.empty() && line.front() != '#') return line;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::size_t number() const { return number_; }

private:
    std::string_view rest_;
    std::size_t number_ = 0;
};

/// A number from 1 without leading zeros.
std::optional<std::size_t> column_index(std::string_view text) {
    constexpr std::size_t most_digits = 6;
    if (text.empty() || text.size() > most_digits || text.front() == '0') return std::nullopt;
    std::size_t out = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), out);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return out;
}

template <class T>
class TableReader {
public:
    TableReader(std::string_view text, std::string const& name) : text_(text) {
        out_.name = "data '" + printable(name) + "'";
    }

    FloatData<T> all() {
        Lines lines(text_);
        auto const header = lines.next();
        if (!header)
            throw ParseError(out_.name + " is empty; a header such as x1,x2,label and one line a sample are needed",
                             "data");
        read_header(*header, lines.number());
        std::size_t samples = 0;
        for (Lines counted = lines; counted.next();) ++samples;
        if (samples == 0) fail(lines.number(), "the header is not followed by any sample");
        out_.inputs.resize(static_cast<Index>(features_), static_cast<Index>(samples));
        if (label_) {
            out_.labels.resize(samples);
        } else {
            out_.targets.resize(static_cast<Index>(targets_), static_cast<Index>(samples));
        }
        for (std::size_t k = 0; k < samples; ++k) {
            auto const line = lines.next();
            read_sample(*line, lines.number(), k);
        }
        if (label_) out_.classes = std::size_t{*std::max_element(out_.labels.begin(), out_.labels.end())} + 1;
        return std::move(out_);
    }

private:
    /// Where the numbers of a column go.
    struct Column {
        char kind = 'x';  ///< x, y, or l for the label
        Index row = 0;
    };

    [[noreturn]] void fail(std::size_t line, std::string const& why) const {
        throw ParseError(out_.name + ", line " + std::to_string(line) + ": " + why, "data");
    }
    [[nodiscard]] std::string place_of(std::size_t line, std::size_t column) const {
        return out_.name + ", line " + std::to_string(line) + ", column " + std::to_string(column + 1) +
               (column < names_.size() ? " (" + printable(names_[column]) + ")" : "") + ": ";
    }
    [[noreturn]] void fail_at(std::size_t line, std::size_t column, std::string const& why) const {
        throw ParseError(place_of(line, column) + why, "data");
    }

    /// Takes one field, unquoted; text that stays valid until the next.
    std::string_view take_field(std::string_view& rest, std::size_t line, std::size_t column) {
        while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
        if (rest.empty() || rest.front() != '"') {
            std::size_t const end = std::min(rest.find(','), rest.size());
            auto const out = trimmed(rest.substr(0, end));
            rest.remove_prefix(end);
            return out;
        }
        unquoted_.clear();
        for (rest.remove_prefix(1);; rest.remove_prefix(1)) {
            if (rest.empty()) fail_at(line, column, "the quotation mark is not closed in the same line");
            if (rest.front() == '"') {
                rest.remove_prefix(1);
                if (rest.empty() || rest.front() != '"') break;
            }
            unquoted_ += rest.front();
        }
        rest = trimmed(rest);
        if (!rest.empty() && rest.front() != ',')
            fail_at(line, column, "there is text after the closing quotation mark");
        return trimmed(unquoted_);
    }

    void read_header(std::string_view rest, std::size_t line) {
        std::map<std::string, std::size_t> seen;
        std::map<char, std::map<std::size_t, std::size_t>> columns;
        for (bool more = true; more;) {
            std::size_t const c = names_.size();
            std::string const name(take_field(rest, line, c));
            names_.push_back(name);
            if (auto const [at, fresh] = seen.emplace(name, c); !fresh)
                fail_at(line, c, "the name occurs before, in column " + std::to_string(at->second + 1));
            auto const index = name.empty() ? std::nullopt : column_index(std::string_view(name).substr(1));
            if (name == "label") {
                label_ = true;
                columns_.push_back({.kind = 'l'});
            } else if (index && (name[0] == 'x' || name[0] == 'y')) {
                columns[name[0]][*index] = c;
                columns_.push_back({.kind = name[0], .row = static_cast<Index>(*index - 1)});
            } else {
                fail_at(line, c,
                        "'" + printable(name) +
                            "' is no name of a column; known are x1, x2, .., y1, .. and label, "
                            "separated by commas");
            }
            more = !rest.empty();
            if (more) rest.remove_prefix(1);
        }
        for (auto const& [kind, of_kind] : columns) {
            std::size_t expected = 1;
            for (auto const& [index, column] : of_kind) {
                if (index != expected)
                    fail(line, std::string("there is no column ") + kind + std::to_string(expected) +
                                   ", but there is " + kind + std::to_string(index));
                ++expected;
            }
        }
        features_ = columns['x'].size();
        targets_ = columns['y'].size();
        if (features_ == 0) fail(line, "there is no column x1; features x1, x2, .. are needed");
        if (label_ == (targets_ > 0))
            fail(line, label_ ? "there are targets y1, .. and a label; one of both is needed"
                              : "there is no column y1 and no label; targets y1, y2, .. or a label are needed");
    }

    double part(std::string_view text, std::string_view whole, std::size_t line, std::size_t column) const {
        if (text.starts_with('+')) text.remove_prefix(1);
        double out = 0;
        auto const end = text.data() + text.size();
        auto const read = std::from_chars(text.data(), end, out);
        std::string const shown = "'" + printable(whole) + "' ";
        if (read.ec == std::errc::result_out_of_range) fail_at(line, column, shown + "is outside the range of double");
        if (read.ec != std::errc() || read.ptr != end)
            fail_at(line, column, shown + "is not a number such as 3, -0.25, 1e-3 or 2/3");
        if (!std::isfinite(out)) fail_at(line, column, shown + "is not a finite number");
        return out;
    }

    double number(std::string_view text, std::size_t line, std::size_t column) const {
        if (text.empty()) fail_at(line, column, "the field is empty; a number is needed");
        std::size_t const slash = text.find('/');
        double const numerator = part(text.substr(0, slash), text, line, column);
        if (slash == std::string_view::npos) return numerator;
        std::string_view const below = text.substr(slash + 1);
        if (below.empty() || below.find_first_not_of("0123456789") != std::string_view::npos)
            fail_at(line, column, "'" + printable(text) + "' is not a number such as 3, -0.25, 1e-3 or 2/3");
        double const denominator = part(below, text, line, column);
        if (denominator == 0) fail_at(line, column, "'" + printable(text) + "' divides by 0");
        return numerator / denominator;
    }

    std::uint32_t label(std::string_view text, std::size_t line, std::size_t column) const {
        std::uint32_t out = 0;
        auto const end = text.data() + text.size();
        auto const read = std::from_chars(text.data(), end, out);
        bool const too_large = read.ec == std::errc::result_out_of_range;
        if (!too_large && (text.empty() || read.ec != std::errc() || read.ptr != end))
            fail_at(line, column, "'" + printable(text) + "' is no class; a whole number from 0 is needed");
        if (too_large || out >= most_classes)
            throw UnsupportedError(place_of(line, column) + "'" + printable(text) + "' is a class beyond " +
                                       std::to_string(most_classes - 1),
                                   "data");
        return out;
    }

    void read_sample(std::string_view rest, std::size_t line, std::size_t k) {
        auto const sample = static_cast<Index>(k);
        std::size_t fields = 0;
        for (bool more = true; more; ++fields) {
            auto const text = take_field(rest, line, fields);
            if (fields < columns_.size()) {
                auto const [kind, row] = columns_[fields];
                if (kind == 'l') {
                    out_.labels[k] = label(text, line, fields);
                } else if (kind == 'y') {
                    out_.targets(row, sample) = number(text, line, fields);
                } else {
                    out_.inputs(row, sample) = static_cast<T>(number(text, line, fields));
                }
            }
            more = !rest.empty();
            if (more) rest.remove_prefix(1);
        }
        if (fields != columns_.size())
            fail(line, std::to_string(fields) + (fields == 1 ? " field" : " fields") + ", but the header has " +
                           std::to_string(columns_.size()));
    }

    std::string_view text_;
    std::vector<std::string> names_;
    std::vector<Column> columns_;
    std::string unquoted_;
    bool label_ = false;
    std::size_t features_ = 0;
    std::size_t targets_ = 0;
    FloatData<T> out_;
};

}  // namespace

template <class T>
FloatData<T> parse_float_csv(std::string_view text, std::string const& name) {
    return TableReader<T>(text, name).all();
}

template FloatData<float> parse_float_csv(std::string_view, std::string const&);
template FloatData<double> parse_float_csv(std::string_view, std::string const&);

}  // namespace isserlis::float_data
