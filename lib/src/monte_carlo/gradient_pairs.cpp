// SPDX-License-Identifier: MIT
#include "gradient_pairs.hpp"

#include <algorithm>
#include <optional>

namespace isserlis::monte_carlo::detail {
namespace {

constexpr std::size_t most_products = 64;  ///< of the terms of two brackets

bool has_free(ScopedFactor const& factor, std::string const& axis) {
    return factor.bracket && std::binary_search(factor.bracket->free.begin(), factor.bracket->free.end(), axis);
}

/// Is every term of the bracket a first derivative by the label, times what has it not?
bool is_gradient(ScopedSum const& sum, std::string const& label) {
    return std::all_of(sum.terms.begin(), sum.terms.end(), [&](ScopedTerm const& term) {
        unsigned found = 0;
        for (auto const& f : term.factors) {
            bool const first = f.labels.size() == 1 && f.labels.front() == label;
            if (!first && std::count(f.labels.begin(), f.labels.end(), label) > 0) return false;
            if (has_free(f, label) && !is_gradient(*f.bracket, label)) return false;
            if (first || has_free(f, label)) found += f.power;
        }
        return found == 1;
    });
}

/// The bracket of a term that has to be multiplied out for the label.
std::optional<std::size_t> bracket_to_open(ScopedTerm const& term, std::string const& label) {
    std::optional<std::size_t> out;
    unsigned found = 0;
    for (std::size_t f = 0; f < term.factors.size(); ++f) {
        auto const& factor = term.factors[f];
        bool const first = factor.labels.size() == 1 && factor.labels.front() == label;
        if (!first && std::count(factor.labels.begin(), factor.labels.end(), label) > 0) return std::nullopt;
        if (has_free(factor, label)) {
            std::size_t const terms = factor.bracket->terms.size();
            if (terms == 0 || terms * terms > most_products || !is_gradient(*factor.bracket, label))
                return std::nullopt;
            out = f;
        }
        if (first || has_free(factor, label)) found += factor.power;
    }
    return found == 2 ? out : std::nullopt;
}

/// Multiplies brackets out, each copy of a bracket with names of its own for what is summed inside.
class Opener {
public:
    ScopedSum opened(ScopedSum const& sum) {
        ScopedSum out{.free = sum.free, .terms = {}};
        for (ScopedTerm term : sum.terms) {
            for (auto& factor : term.factors)
                if (factor.bracket) factor.bracket = std::make_shared<ScopedSum const>(opened(*factor.bracket));
            open(term, out.terms);
        }
        return out;
    }

private:
    void open(ScopedTerm const& term, std::vector<ScopedTerm>& out) {
        for (auto const& label : term.summed) {
            auto const place = bracket_to_open(term, label);
            if (!place) continue;
            ScopedTerm rest = term;
            if (--rest.factors[*place].power == 0)
                rest.factors.erase(rest.factors.begin() + static_cast<std::ptrdiff_t>(*place));
            for (ScopedTerm const& inside : term.factors[*place].bracket->terms) {
                ScopedTerm next = rest;
                ScopedTerm const copy = with_own_names(inside);
                next.coefficient *= copy.coefficient;
                next.factors.insert(next.factors.end(), copy.factors.begin(), copy.factors.end());
                next.summed.insert(next.summed.end(), copy.summed.begin(), copy.summed.end());
                open(next, out);
            }
            return;
        }
        out.push_back(term);
    }

    ScopedTerm with_own_names(ScopedTerm term) {
        for (auto& axis : term.summed) {
            std::string const name = axis + "'" + std::to_string(++copies_);
            for (auto& factor : term.factors) rename(factor, axis, name);
            axis = name;
        }
        return term;
    }

    unsigned copies_ = 0;
};

}  // namespace

ScopedSum with_gradients_paired(ScopedSum const& sum) { return Opener().opened(sum); }

std::vector<std::size_t> gradient_pair(ScopedTerm const& term, std::string const& label) {
    std::vector<std::size_t> out;
    for (std::size_t f = 0; f < term.factors.size(); ++f) {
        auto const& factor = term.factors[f];
        if (has_free(factor, label)) return {};
        if (std::count(factor.labels.begin(), factor.labels.end(), label) == 0) continue;
        if (factor.labels.size() != 1 || factor.power > 2) return {};
        out.insert(out.end(), factor.power, f);
    }
    if (out.size() != 2) out.clear();
    return out;
}

}  // namespace isserlis::monte_carlo::detail
