// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <isserlis/report/duration.hpp>

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

}  // namespace isserlis
