// SPDX-License-Identifier: MIT
#include "quantity/wired/meetings.hpp"

#include <set>

namespace isserlis::quantity {
namespace {

/// Strands one after another: each into a block that is there, into one of its own, or into a bias.
void add_blocks(std::vector<unsigned> const& strands, std::size_t next, bool open, Meetings const& blocks,
                std::set<Meetings>& out) {
    if (next == strands.size()) {
        Meetings sorted = blocks;
        std::sort(sorted.begin(), sorted.end());  // each block is, as the strands are
        if (std::all_of(sorted.begin(), sorted.end(), [](auto const& b) { return b.size() % 2 == 0; }))
            out.insert(std::move(sorted));
        return;
    }
    if (open) add_blocks(strands, next + 1, open, blocks, out);
    for (std::size_t b = 0; b <= blocks.size(); ++b) {
        Meetings more = blocks;
        if (b == blocks.size()) more.emplace_back();
        more[b].push_back(strands[next]);
        add_blocks(strands, next + 1, open, more, out);
    }
}

}  // namespace

std::vector<Meetings> meetings_of(std::vector<unsigned> const& strands, bool open, bool pairs) {
    std::vector<unsigned> all;
    for (unsigned input = 0; input < strands.size(); ++input) all.insert(all.end(), strands[input], input);
    std::set<Meetings> found;
    add_blocks(all, 0, open, {}, found);
    std::vector<Meetings> out;
    for (auto const& meetings : found) {
        if (!pairs || std::all_of(meetings.begin(), meetings.end(), [](auto const& b) { return b.size() == 2; }))
            out.push_back(meetings);
    }
    return out;
}

}  // namespace isserlis::quantity
