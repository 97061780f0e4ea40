// SPDX-License-Identifier: MIT
#include "question/sample_goal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <utility>

#include "question/spelling.hpp"

namespace isserlis::quantity {

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
