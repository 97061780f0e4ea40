// SPDX-License-Identifier: MIT
#include <isserlis/strand/symmetry.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {
namespace {

constexpr unsigned nowhere = ~0U;

/// Backtracking search for a relabelling of `a` that gives `b`, strand by strand.
class Search {
public:
    Search(Bundle const& a, Bundle const& b) : a_(a), b_(b), shared_a_(shared_labels(a)), shared_b_(shared_labels(b)) {}

    /// A relabelling that maps strand k to images[k] for the first strands.
    std::optional<Relabelling> find(std::vector<unsigned> const& images) {
        image_.assign(a_.strands.size(), nowhere);
        used_.assign(a_.strands.size(), false);
        if (a_.strands.size() != b_.strands.size() || a_.labels.size() != b_.labels.size() ||
            a_.constants.size() != b_.constants.size() || a_.letters.size() != b_.letters.size()) {
            return std::nullopt;
        }
        for (unsigned s = 0; s < images.size(); ++s) {
            if (!fits(s, images[s])) return std::nullopt;
            place(s, images[s]);
        }
        return extend(static_cast<unsigned>(images.size()));
    }

private:
    /// How many labels of each kind two strands have in common, on the diagonal those of one, in rows: digits of base
    /// `max_labels` + 1, which 64 bits hold since no more labels than that are of any kind.
    std::vector<std::uint64_t> shared_labels(Bundle const& bundle) {
        std::size_t const n = bundle.strands.size();
        std::vector<std::uint64_t> out(n * n, 0);
        for (auto const& l : bundle.labels) {
            std::pair const kind(l.restriction, l.strands.size());
            auto const at = std::find(kinds_.begin(), kinds_.end(), kind);
            std::uint64_t digit = 1;
            for (auto k = kinds_.begin(); k != at; ++k) digit *= max_labels + 1;
            if (at == kinds_.end()) kinds_.push_back(kind);
            for (unsigned const s : l.strands) {
                for (unsigned const t : l.strands) out[s * n + t] += digit;
            }
        }
        return out;
    }
    static std::multiset<std::string> constant_names(Bundle const& bundle, unsigned letter) {
        std::multiset<std::string> out;
        for (auto const& c : bundle.constants) {
            for (unsigned const l : c.letters) {
                if (l == letter) out.insert(c.name);
            }
        }
        return out;
    }

    bool fits(unsigned s, unsigned t) const {
        if (used_[t]) return false;
        std::size_t const n = image_.size();
        Strand const& x = a_.strands[s];
        Strand const& y = b_.strands[t];
        if (x.start != y.start || x.activated != y.activated || x.input != y.input) return false;
        if (x.matrix != y.matrix || x.end_letter.has_value() != y.end_letter.has_value()) return false;
        if (x.end_letter && a_.letters[*x.end_letter] != b_.letters[*y.end_letter]) return false;
        if ((x.end_letter == x.letter) != (y.end_letter == y.letter)) return false;
        if (a_.letters[x.letter] != b_.letters[y.letter]) return false;
        if (constant_names(a_, x.letter) != constant_names(b_, y.letter)) return false;
        for (unsigned r = 0; r < s; ++r) {
            if (image_[r] == nowhere) continue;
            Strand const& u = a_.strands[r];
            Strand const& v = b_.strands[image_[r]];
            if ((u.letter == x.letter) != (v.letter == y.letter)) return false;
            if ((u.end_letter == x.letter) != (v.end_letter == y.letter)) return false;
            if ((x.end_letter == u.letter) != (y.end_letter == v.letter)) return false;
            bool const end_together = x.end_letter && u.end_letter == x.end_letter;
            if (end_together != (y.end_letter && v.end_letter == y.end_letter)) return false;
            if (shared_a_[r * n + s] != shared_b_[image_[r] * n + t]) return false;
        }
        return shared_a_[s * n + s] == shared_b_[t * n + t];
    }
    void place(unsigned s, unsigned t) {
        image_[s] = t;
        used_[t] = true;
    }

    std::optional<Relabelling> extend(unsigned s) {
        if (s == image_.size()) return with_labels();
        for (unsigned t = 0; t < image_.size(); ++t) {
            if (!fits(s, t)) continue;
            place(s, t);
            if (auto found = extend(s + 1)) return found;
            image_[s] = nowhere;
            used_[t] = false;
        }
        return std::nullopt;
    }

    /// The labels follow their strands; constants must come out the same.
    std::optional<Relabelling> with_labels() const {
        Relabelling out{.strands = image_, .labels = {}};
        std::vector<bool> taken(b_.labels.size(), false);
        for (auto const& label : a_.labels) {
            std::vector<unsigned> strands;
            for (unsigned const s : label.strands) strands.push_back(image_[s]);
            std::sort(strands.begin(), strands.end());
            std::size_t l = 0;
            while (l < b_.labels.size() &&
                   (taken[l] || b_.labels[l].strands != strands || b_.labels[l].restriction != label.restriction)) {
                ++l;
            }
            if (l == b_.labels.size()) return std::nullopt;
            taken[l] = true;
            out.labels.push_back(static_cast<unsigned>(l));
        }
        auto const constants = [](Bundle const& bundle, std::vector<unsigned> const& letter_of) {
            std::multiset<std::pair<std::string, std::multiset<unsigned>>> all;
            for (auto const& c : bundle.constants) {
                std::multiset<unsigned> letters;
                for (unsigned const l : c.letters) letters.insert(letter_of[l]);
                all.emplace(c.name, letters);
            }
            return all;
        };
        // Letters without strands are told apart by their number alone.
        std::vector<unsigned> to(a_.letters.size());
        std::vector<unsigned> same(b_.letters.size());
        for (unsigned l = 0; l < to.size(); ++l) to[l] = l;
        for (unsigned l = 0; l < same.size(); ++l) same[l] = l;
        for (unsigned s = 0; s < image_.size(); ++s) {
            Strand const& from = a_.strands[s];
            Strand const& image = b_.strands[image_[s]];
            to[from.letter] = image.letter;
            if (from.end_letter) to[*from.end_letter] = *image.end_letter;
        }
        if (constants(a_, to) != constants(b_, same)) return std::nullopt;
        for (unsigned l = 0; l < to.size(); ++l) {
            if (a_.letters[l] != b_.letters[to[l]]) return std::nullopt;
        }
        return out;
    }

    Bundle const& a_;
    Bundle const& b_;
    std::vector<std::pair<unsigned, std::size_t>> kinds_;  ///< restrictions and sizes
    std::vector<std::uint64_t> shared_a_;
    std::vector<std::uint64_t> shared_b_;
    std::vector<unsigned> image_;
    std::vector<bool> used_;
};

}  // namespace

namespace {

/// One relabelling for each pair (base point, another place where it can go) generates the whole group, as in
/// Schreier-Sims: by base point.
std::vector<std::vector<Relabelling>> moves_of_bases(Bundle const& bundle) {
    auto const n = static_cast<unsigned>(bundle.strands.size());
    std::vector<std::vector<Relabelling>> out(n);
    Search search(bundle, bundle);
    std::vector<unsigned> images;
    for (unsigned base = 0; base < n; ++base) {
        for (unsigned t = base + 1; t < n; ++t) {
            images.resize(base);
            images.push_back(t);
            if (auto found = search.find(images)) out[base].push_back(std::move(*found));
        }
        images.resize(base);
        images.push_back(base);
    }
    return out;
}

}  // namespace

std::vector<bool> ends_at_input(Bundle const& bundle) {
    std::set<unsigned> tied;
    for (auto const& s : bundle.strands) {
        tied.insert(s.letter);
        if (s.matrix && s.end_letter) tied.insert(*s.end_letter);
    }
    for (auto const& c : bundle.constants) tied.insert(c.letters.begin(), c.letters.end());
    std::vector<bool> out;
    for (auto const& s : bundle.strands) out.push_back(s.end_letter && !s.matrix && tied.count(*s.end_letter) == 0);
    return out;
}

Bundle without_ends_at_input(Bundle bundle) {
    auto const ends = ends_at_input(bundle);
    for (std::size_t s = 0; s < ends.size(); ++s) {
        if (ends[s]) bundle.strands[s].end_letter.reset();
    }
    return bundle;
}

double symmetry_count(Bundle const& bundle) {
    double out = 1;
    for (auto const& moves : moves_of_bases(bundle)) out *= static_cast<double>(moves.size() + 1);
    return out;
}

std::vector<Relabelling> symmetry_generators(Bundle const& bundle) {
    std::vector<Relabelling> out;
    auto const n = static_cast<unsigned>(bundle.strands.size());
    for (auto& moves : moves_of_bases(bundle)) {
        for (auto& move : moves) out.push_back(std::move(move));
    }
    // Labels on the same strands can trade places without any strand moving.
    for (std::size_t l = 0; l < bundle.labels.size(); ++l) {
        for (std::size_t k = l + 1; k < bundle.labels.size(); ++k) {
            if (bundle.labels[l].strands != bundle.labels[k].strands ||
                bundle.labels[l].restriction != bundle.labels[k].restriction) {
                continue;
            }
            Relabelling swap;
            for (unsigned s = 0; s < n; ++s) swap.strands.push_back(s);
            for (unsigned m = 0; m < bundle.labels.size(); ++m) swap.labels.push_back(m);
            std::swap(swap.labels[l], swap.labels[k]);
            out.push_back(std::move(swap));
            break;
        }
    }
    return out;
}

bool isomorphic(Bundle const& a, Bundle const& b) { return Search(a, b).find({}).has_value(); }

}  // namespace isserlis
