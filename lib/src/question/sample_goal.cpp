// SPDX-License-Identifier: MIT
#include "question/sample_goal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <utility>

#include "question/spelling.hpp"

namespace isserlis::quantity {

double read_seconds(std::string const& text) {
    constexpr double most = 1e9;
    double unit = 1;
    std::string number = text;
    for (auto const& [letter, seconds] : {std::pair('s', 1.0), std::pair('m', 60.0), std::pair('h', 3600.0)}) {
        if (text.empty() || text.back() != letter) continue;
        unit = seconds;
        number.pop_back();
    }
    double const out = parse_rational(number, "time").convert_to<double>() * unit;
    if (!(out > 0 && out <= most))
        throw DomainError("`time` = " + printable(text) + "; a time above 0 and up to 1e9 s is required, such as 60s",
                          "time");
    return out;
}

double read_share(std::string const& text, std::string const& parameter) {
    bool const percent = text.ends_with("%");
    Rational const value = parse_rational(percent ? text.substr(0, text.size() - 1) : text, parameter);
    double const out = value.convert_to<double>() / (percent ? 100 : 1);
    if (!(out > 0 && out < 1))
        throw DomainError(
            named(parameter) + " = " + printable(text) + "; a share between 0% and 100% is required, such as 1%",
            parameter);
    return out;
}

Session with_samples(Session const& session, std::uint64_t samples) {
    Session out = session;
    if (session.goal && session.goal->seconds) out.whatever_it_takes = true;  // as long as was asked for
    out.goal.reset();
    out.samples = samples;
    std::string const number = std::to_string(samples);
    for (char const* parameter : {"time", "until"}) out.question.parameters.erase(parameter);
    out.question.parameters["check"] = {number};
    std::erase_if(out.typed, [](TypedWord const& w) { return w.parameter == "time" || w.parameter == "until"; });
    out.typed.push_back(typed_option("check", number));
    return out;
}

std::optional<double> worst_error(Answer const& answer) {
    std::optional<double> out;
    for (auto const& result : answer.results()) {
        if (!result.check || (result.decimal && std::strtod(result.decimal->c_str(), nullptr) == 0)) continue;
        double const error = std::abs(result.check->std_error / result.check->mean);
        out = std::max(out.value_or(0), std::isfinite(error) ? error : HUGE_VAL);
    }
    return out;
}

}  // namespace isserlis::quantity
