// SPDX-License-Identifier: MIT
#include <isserlis/report/quantities.hpp>

#include <algorithm>

namespace isserlis {
namespace {

template <class Wanted>
Quantity const* first(Wanted const& wanted) {
    auto const all = quantities();
    auto const at = std::find_if(all.begin(), all.end(), wanted);
    return at == all.end() ? nullptr : &*at;
}

}  // namespace

Quantity const* find_quantity(std::string_view name) {
    return first([&](Quantity const& q) { return q.name == name; });
}

Quantity const* find_quantity(std::string_view command, std::string_view name) {
    auto const of_command = [&](std::string_view wanted) {
        return first([&](Quantity const& q) { return q.name == wanted && q.command == command; });
    };
    if (auto const* own = of_command(name)) return own;
    for (std::string_view const expansion : {"_limit", "_leading", "_series_coefficient"}) {
        if (!name.ends_with(expansion)) continue;
        if (auto const* expanded = of_command(name.substr(0, name.size() - expansion.size()))) return expanded;
    }
    return find_quantity(name);
}

}  // namespace isserlis
