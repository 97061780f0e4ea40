// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace isserlis::quantity {

/// A parameter as messages name it; another text as it is.
[[nodiscard]] inline std::string named(std::string const& parameter) {
    bool const is_name = parameter.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string::npos;
    return is_name ? "`" + parameter + "`" : parameter;
}

/// The message of an error, inside another one.
[[nodiscard]] inline std::string told(Error const& e) {
    std::string const message = e.what();
    std::string const& about = e.argument();
    return about.empty() || !message.starts_with(about + ":") ? message : named(about) + message.substr(about.size());
}

/// "n0, n, m"
[[nodiscard]] inline std::string enumerated(std::vector<std::string> const& names) {
    std::string out;
    for (auto const& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

/// The entries of a comma-separated list, as typed.
[[nodiscard]] inline std::vector<std::string> split(std::string const& list) {
    std::vector<std::string> out;
    for (std::size_t start = 0; start <= list.size();) {
        std::size_t const comma = std::min(list.find(',', start), list.size());
        out.push_back(list.substr(start, comma - start));
        start = comma + 1;
    }
    return out;
}

}  // namespace isserlis::quantity
