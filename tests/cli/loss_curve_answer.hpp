// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <string>

#include "json_answer.hpp"

namespace isserlis::test {

inline JsonAnswer asked(std::string const& rest) { return ask("loss-curve " + rest); }

/// Of network k.
inline double value(JsonAnswer const& answer, std::string const& name, int k = 1) {
    return std::stod(answer.result(name, {k})["decimal"].get<std::string>());
}

/// Some result is sampled, and none of them disagrees.
inline void check_sampled(std::string const& line) {
    CAPTURE(line);
    JsonAnswer const answer = asked(line);
    int checked = 0;
    for (auto const& r : answer.json["results"]) {
        if (r["check"].is_null()) continue;
        CAPTURE(r.dump());
        CHECK(r["check"]["verdict"] != "disagrees");
        ++checked;
    }
    CHECK(checked >= 1);
}

}  // namespace isserlis::test
