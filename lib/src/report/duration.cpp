// SPDX-License-Identifier: MIT
#include <isserlis/report/duration.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <isserlis/error.hpp>
#include <isserlis/ring/rational.hpp>
#include <utility>

namespace isserlis {

std::string about(double seconds) {
    struct Unit {
        double size;
        char const* name;
    };
    constexpr std::array<Unit, 4> units{{{86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}}};
    for (auto const& unit : units) {
        double const count = std::round(seconds / unit.size);
        if (count < 2 && unit.size > 1) continue;
        auto const shown = static_cast<std::uint64_t>(std::max(1.0, count));
        return "about " + std::to_string(shown) + " " + unit.name + (shown == 1 ? "" : "s");
    }
    return "";
}

double read_duration(std::string const& text, std::string const& parameter) {
    constexpr double most = 1e9;
    double unit = 1;
    std::string number = text;
    for (auto const& [letter, seconds] : {std::pair('s', 1.0), std::pair('m', 60.0), std::pair('h', 3600.0)}) {
        if (text.empty() || text.back() != letter) continue;
        unit = seconds;
        number.pop_back();
    }
    auto const refuse = [&] {
        throw DomainError(parameter + ": '" + printable(text) +
                              "'; a time above 0 and up to 1e9 s is required, such as 90, 1.5m or 2h",
                          parameter);
    };
    double out = 0;
    try {
        out = parse_rational(number, parameter).convert_to<double>() * unit;
    } catch (ParseError const&) {
        refuse();
    }
    if (!(out > 0 && out <= most)) refuse();
    return out;
}

}  // namespace isserlis
