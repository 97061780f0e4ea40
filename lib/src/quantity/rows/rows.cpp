// SPDX-License-Identifier: MIT
#include "quantity/rows/rows.hpp"

#include <string_view>

#include "quantity/commands.hpp"

namespace isserlis::quantity {

std::vector<QuantityRows> const& all_quantity_rows() {
    static std::vector<QuantityRows> const all = [] {
        std::vector<QuantityRows> out;
        for (auto const& maker : command_makers) {
            if (maker.quantities == nullptr) continue;
            out.push_back(maker.quantities());
            for (auto& q : out.back().quantities) q.command = out.back().command;
        }
        return out;
    }();
    return all;
}

char const* why_unverified(Quantity const& quantity) {
    for (auto const& rows : all_quantity_rows()) {
        if (std::string_view(rows.command) != quantity.command) continue;
        for (auto const* name : {"", quantity.name}) {
            if (auto const at = rows.unverified.find(name); at != rows.unverified.end()) return at->second;
        }
    }
    return nullptr;
}

}  // namespace isserlis::quantity

namespace isserlis {

std::span<Quantity const> quantities() {
    static std::vector<Quantity> const all = [] {
        std::vector<Quantity> out;
        for (auto const& rows : quantity::all_quantity_rows())
            out.insert(out.end(), rows.quantities.begin(), rows.quantities.end());
        return out;
    }();
    return all;
}

}  // namespace isserlis
