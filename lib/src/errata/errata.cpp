// SPDX-License-Identifier: MIT
#include <isserlis/errata/errata.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include "errata/sources.hpp"

namespace isserlis::errata {
namespace {

/// "R24", or "r24": its letter and number.
struct Id {
    char letter = 0;
    int number = 0;
};

std::optional<Id> read_id(std::string_view text) {
    Id out;
    if (text.size() < 2) return std::nullopt;
    out.letter =
        'a' <= text.front() && text.front() <= 'z' ? static_cast<char>(text.front() - 'a' + 'A') : text.front();
    auto const end = std::from_chars(text.data() + 1, text.data() + text.size(), out.number);
    if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
    return out;
}

/// "I3 to I7" has I5, "H6, H7" both.
bool covers(std::string_view ids, Id const& id) {
    for (std::string_view const between : {" to ", ", "}) {
        std::size_t const at = ids.find(between);
        if (at == std::string_view::npos) continue;
        auto const first = read_id(ids.substr(0, at));
        auto const last = read_id(ids.substr(at + between.size()));
        if (!first || !last || first->letter != id.letter) return false;
        bool const is_range = between == " to ";
        return is_range ? first->number <= id.number && id.number <= last->number
                        : id.number == first->number || id.number == last->number;
    }
    auto const only = read_id(ids);
    return only && only->letter == id.letter && only->number == id.number;
}

}  // namespace

std::vector<Item> const& items() {
    static std::vector<Item> const all = [] {
        std::vector<Item> out;
        for (auto const make :
             {hettinger_items, residual_items, dense_residual_items, maximal_rate_items, mup_items, book_items}) {
            auto const some = make();
            out.insert(out.end(), some.begin(), some.end());
        }
        return out;
    }();
    return all;
}

Item const* find_item(std::string_view id) {
    auto const read = read_id(id);
    if (!read) return nullptr;
    auto const at = std::find_if(items().begin(), items().end(), [&](Item const& i) { return covers(i.ids, *read); });
    return at == items().end() ? nullptr : &*at;
}

}  // namespace isserlis::errata
