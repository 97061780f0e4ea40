// SPDX-License-Identifier: MIT
#include "program_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace isserlis {

std::string number_text(double x) {
    std::array<char, 40> buffer{};
    auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
    std::string out(buffer.data(), end);
    return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

std::string two_digits(double x) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), x >= 100 && x < 1e6 ? "%.0f" : "%.2g", x);
    return text.data();
}

namespace emit {

std::string sensitivity(KnownStatistic const& s, std::uint64_t samples) {
    double const error = tolerated_errors * s.deviation / std::sqrt(static_cast<double>(samples));
    if (s.exact == 0) return "within " + two_digits(error);
    double const share = 100 * error / std::abs(s.exact);
    return "within " + two_digits(share) + "%; off by " + two_digits(2 * share) + "% fails" +
           (s.sampled ? "; the deviation is sampled" : "");
}

char const* factor_meaning(KnownAnswer::Kind kind) {
    bool const rates = kind == KnownAnswer::Kind::mup || kind == KnownAnswer::Kind::steps;
    return rates ? "learning rate of each layer" : "what multiplies a summed pair of derivatives, by layer";
}

std::string filled(std::string text, std::vector<std::pair<std::string, std::string>> const& values) {
    for (auto const& [name, value] : values) {
        std::string const mark = "{{" + name + "}}";
        for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
            text.replace(at, mark.size(), value);
    }
    return text;
}

namespace {

/// The constant that says of each layer what is read there; of norms alone, others do not ask.
std::string read_at(KnownAnswer const& known, Writing const& writing) {
    if (known.kind != KnownAnswer::Kind::norm && known.kind != KnownAnswer::Kind::init) return "";
    return writing.read_at + listed(known.activated, writing.yes, writing.no) + writing.end_of_list + "  " +
           writing.mark + " is the activation read at each layer, or what it acts on\n";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> shared_values(KnownAnswer const& known, Writing const& writing) {
    std::string exact;
    for (auto const& s : known.statistics) {
        exact += std::string("    ") + writing.open + std::to_string(s.position) + ", \"" + s.name + "\", " +
                 number_text(s.exact) + ", " + number_text(s.deviation) + writing.close + ",  " + writing.mark + " " +
                 sensitivity(s, known.samples) + "\n";
    }
    for (auto const& name : known.left_out) exact += std::string("    ") + writing.mark + " left out: " + name + "\n";
    return {{"TITLE", known.title},
            {"ALL_WIDTHS", listed(known.widths)},
            {"VARIANCES", listed(known.variances)},
            {"SCALES", listed(known.scales)},
            {"FACTORS", listed(known.factors)},
            {"FACTOR_MEANING", factor_meaning(known.kind)},
            {"SLOPE", number_text(known.slope)},
            {"READ_AT", read_at(known, writing)},
            {"ORDER", std::to_string(known.order)},
            {"INPUT", listed(known.input)},
            {"TARGET", number_text(known.target_second)},
            {"SAMPLES", std::to_string(known.samples)},
            {"BATCH", std::to_string(known.batch)},
            {"ERRORS", std::to_string(tolerated_errors)},
            {"EXACT", exact}};
}

std::string listed(std::vector<double> const& values) {
    std::string out;
    for (double const x : values) out += (out.empty() ? "" : ", ") + number_text(x);
    return out;
}

std::string listed(std::vector<std::uint64_t> const& values) {
    std::string out;
    for (auto const x : values) out += (out.empty() ? "" : ", ") + std::to_string(x);
    return out;
}

std::string listed(std::vector<bool> const& values, char const* yes, char const* no) {
    std::string out;
    for (bool const x : values) out += (out.empty() ? "" : ", ") + std::string(x ? yes : no);
    return out;
}

}  // namespace emit
}  // namespace isserlis
