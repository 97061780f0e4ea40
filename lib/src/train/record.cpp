// SPDX-License-Identifier: MIT
#include <isserlis/train/record.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <isserlis/error.hpp>

namespace isserlis::train {
namespace {

constexpr int record_version = 1;
constexpr std::string_view maker = "isserlis ";
constexpr std::string_view last_line = "end ";

std::string hexadecimal(std::uint64_t number) {
    std::array<char, 16> out{};
    auto const end = std::to_chars(out.data(), out.data() + out.size(), number, 16).ptr;
    return {out.data(), end};
}

void append_number(std::string& out, double number) {
    std::array<char, 40> text{};
    auto const end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::hex).ptr;
    out.append(text.data(), end);
}

std::uint64_t sum_of(std::string_view text) {
    Fingerprint out;
    out.add(text);
    return out.value();
}

/// Takes what is before the separator, which goes too.
std::string_view taken(std::string_view& rest, char separator) {
    auto const at = std::min(rest.find(separator), rest.size());
    auto const out = rest.substr(0, at);
    rest.remove_prefix(std::min(at + 1, rest.size()));
    return out;
}

class RecordReader {
public:
    RecordReader(std::string_view text, std::string const& place) : text_(text), place_(place) {}

    Record read(std::string const& kind, std::uint64_t run) {
        require_kind(kind);
        require_sum();
        if (line() != "run " + hexadecimal(run))
            throw DomainError(place_ +
                                  ": it was left by another run, of other data, options, seed or network; name "
                                  "another file, or remove this one",
                              place_);
        Record out{.kind = kind, .run = run, .rows = {}};
        while (!text_.empty()) {
            std::string_view rest = line();
            auto& row = out.rows.emplace_back();
            row.key = taken(rest, ' ');
            while (!rest.empty()) row.numbers.push_back(number(taken(rest, ' ')));
        }
        return out;
    }

private:
    std::string_view line() { return taken(text_, '\n'); }

    void require_kind(std::string const& kind) {
        std::string const wanted = std::string(maker) + kind + " ";
        if (!text_.starts_with(wanted))
            throw ParseError(place_ + ": no " + kind + " file of isserlis; its first line should be '" + wanted +
                                 std::to_string(record_version) + "'",
                             place_);
        std::uint64_t const whole = sum_of(text_.substr(0, text_.rfind(last_line)));
        std::string_view version = line();
        version.remove_prefix(wanted.size());
        if (version != std::to_string(record_version))
            throw UnsupportedError(place_ + ": version '" + printable(version) + "' of the format; version " +
                                       std::to_string(record_version) + " is read",
                                   place_);
        sum_ = whole;
    }

    void require_sum() {
        auto const at = text_.rfind(last_line);
        if (at == std::string_view::npos || text_.substr(at) != std::string(last_line) + hexadecimal(sum_) + "\n")
            throw ParseError(place_ + ": the file is cut short or damaged: its last line is not the sum of the others",
                             place_);
        text_ = text_.substr(0, at);
    }

    [[nodiscard]] double number(std::string_view text) const {
        double out = 0;
        auto const end = text.data() + text.size();
        auto const read = std::from_chars(text.data(), end, out, std::chars_format::hex);
        if (read.ec != std::errc() || read.ptr != end)
            throw ParseError(place_ + ": '" + printable(text) + "' is no number in base 16", place_);
        return out;
    }

    std::string_view text_;
    std::string const& place_;
    std::uint64_t sum_ = 0;
};

}  // namespace

void Fingerprint::add_byte(unsigned char byte) {
    constexpr std::uint64_t prime = 0x100000001b3U;
    value_ = (value_ ^ byte) * prime;
}

void Fingerprint::add(std::string_view text) {
    for (char const c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
}

void Fingerprint::add(std::uint64_t number) {
    for (unsigned shift = 0; shift < 64; shift += 8) add_byte(static_cast<unsigned char>(number >> shift & 0xffU));
}

void Fingerprint::add(double number) { add(std::bit_cast<std::uint64_t>(number)); }

void Record::add(std::string key, std::span<double const> numbers) {
    rows.push_back({std::move(key), {numbers.begin(), numbers.end()}});
}

std::vector<double> const& Record::only(std::string const& key, std::string const& place) const {
    Row const* out = nullptr;
    for (auto const& row : rows) {
        if (row.key != key) continue;
        if (out != nullptr) throw ParseError(place + ": two rows '" + key + "', where one belongs", place);
        out = &row;
    }
    if (out == nullptr) throw ParseError(place + ": the row '" + key + "' is missing", place);
    return out->numbers;
}

std::string record_text(Record const& record) {
    std::string out = std::string(maker) + record.kind + " " + std::to_string(record_version) + "\nrun " +
                      hexadecimal(record.run) + "\n";
    for (auto const& row : record.rows) {
        out += row.key;
        for (double const x : row.numbers) {
            out += ' ';
            append_number(out, x);
        }
        out += '\n';
    }
    return out + std::string(last_line) + hexadecimal(sum_of(out)) + "\n";
}

Record parse_record(std::string_view text, std::string const& kind, std::uint64_t run, std::string const& place) {
    return RecordReader(text, place).read(kind, run);
}

}  // namespace isserlis::train
