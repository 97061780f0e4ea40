// SPDX-License-Identifier: MIT
#include "partition.hpp"
#include <isserlis/error.hpp>

namespace plain {

using isserlis::UnsupportedError;

namespace {

void check_size(std::size_t size) {
    if (size > max_strands) {
        throw UnsupportedError("partition: " + std::to_string(size) + " strands; up to " + std::to_string(max_strands) +
                               " are served");
    }
}

}  // namespace

Partition::Partition(unsigned size) : size_(size), blocks_(size) {
    check_size(size);
    for (unsigned i = 0; i < size; ++i) block_[i] = static_cast<std::uint8_t>(i);
}

Partition::Partition(std::vector<unsigned> const& labels) : size_(static_cast<unsigned>(labels.size())) {
    check_size(labels.size());
    for (unsigned i = 0; i < size_; ++i) {
        unsigned first = 0;
        while (labels[first] != labels[i]) ++first;
        block_[i] = first == i ? static_cast<std::uint8_t>(blocks_++) : block_[first];
    }
}

std::vector<std::vector<unsigned>> Partition::parts() const {
    std::vector<std::vector<unsigned>> out(blocks_);
    for (unsigned i = 0; i < size_; ++i) out[block_[i]].push_back(i);
    return out;
}

bool Partition::refines(Partition const& coarser) const { return join(*this, coarser) == coarser; }

Partition join(Partition const& a, Partition const& b) {
    std::vector<unsigned> label(a.size());
    for (unsigned i = 0; i < a.size(); ++i) label[i] = a.block_of(i);
    // Ties of b merge labels of a; the strands are few, so plain relabelling will do.
    for (unsigned i = 0; i < b.size(); ++i) {
        for (unsigned j = 0; j < i; ++j) {
            if (b.block_of(i) != b.block_of(j) || label[i] == label[j]) continue;
            unsigned const from = label[i];
            unsigned const to = label[j];
            for (auto& l : label) l = l == from ? to : l;
        }
    }
    return Partition(label);
}

std::vector<Partition> all_partitions(unsigned size) {
    check_size(size);
    std::vector<Partition> out;
    std::vector<unsigned> label(size, 0);
    // Restricted growth strings in lexicographic order.
    auto extend = [&](auto const& self, unsigned at, unsigned used) -> void {
        if (at == size) {
            out.emplace_back(label);
            return;
        }
        for (unsigned l = 0; l <= used && l < size; ++l) {
            label[at] = l;
            self(self, at + 1, l == used ? used + 1 : used);
        }
    };
    extend(extend, 0, 0);
    return out;
}

std::string to_string(Partition const& p) {
    std::string out;
    for (auto const& part : p.parts()) {
        if (!out.empty()) out += "|";
        for (unsigned const strand : part) out += std::to_string(strand);
    }
    return out;
}

}  // namespace plain
