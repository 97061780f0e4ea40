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

/// Has each term of the bracket the label once, in a derivative of at most this order?
bool has_label_once(ScopedSum const& sum, std::string const& label, std::size_t order) {
    return std::all_of(sum.terms.begin(), sum.terms.end(), [&](ScopedTerm const& term) {
        unsigned found = 0;
        for (auto const& f : term.factors) {
            auto const times = std::count(f.labels.begin(), f.labels.end(), label);
            if (times > 1 || (times == 1 && f.labels.size() > order)) return false;
            if (has_free(f, label) && !has_label_once(*f.bracket, label, order)) return false;
            if (times == 1 || has_free(f, label)) found += f.power;
        }
        return found == 1;
    });
}

/// The bracket of a term that has to be multiplied out for the label.
std::optional<std::size_t> bracket_to_open(ScopedTerm const& term, std::string const& label, std::size_t order) {
    std::optional<std::size_t> out;
    unsigned found = 0;
    for (std::size_t f = 0; f < term.factors.size(); ++f) {
        auto const& factor = term.factors[f];
        auto const times = std::count(factor.labels.begin(), factor.labels.end(), label);
        if (times > 1 || (times == 1 && factor.labels.size() > order)) return std::nullopt;
        if (has_free(factor, label)) {
            std::size_t const terms = factor.bracket->terms.size();
            if (terms == 0 || terms * terms > most_products || !has_label_once(*factor.bracket, label, order))
                return std::nullopt;
            out = f;
        }
        if (times == 1 || has_free(factor, label)) found += factor.power;
    }
    return found == 2 ? out : std::nullopt;
}

bool is_label(ScopedFactor const& factor, std::string const& axis) {
    if (std::count(factor.labels.begin(), factor.labels.end(), axis) > 0) return true;
    if (!has_free(factor, axis)) return false;
    auto const& terms = factor.bracket->terms;
    return std::any_of(terms.begin(), terms.end(), [&](auto const& term) {
        return std::any_of(term.factors.begin(), term.factors.end(), [&](auto const& f) { return is_label(f, axis); });
    });
}

/// Is every label that the term sums one of a pair of gradients, or of a curvature?
bool is_covered(ScopedTerm const& term) {
    return std::all_of(term.summed.begin(), term.summed.end(), [&](std::string const& axis) {
        bool const label = std::any_of(term.factors.begin(), term.factors.end(),
                                       [&](auto const& factor) { return is_label(factor, axis); });
        return !label || !gradient_pair(term, axis).empty() || curvature(term, axis);
    });
}

bool has_axis(ScopedFactor const& factor, std::string const& axis) {
    return has_free(factor, axis) || std::any_of(factor.places.begin(), factor.places.end(),
                                                 [&](Place const& place) { return place.axis == axis; });
}

bool has_derivatives(ScopedFactor const& factor) {
    if (!factor.labels.empty()) return true;
    if (!factor.bracket) return false;
    auto const& terms = factor.bracket->terms;
    return std::any_of(terms.begin(), terms.end(), [](auto const& term) {
        return std::any_of(term.factors.begin(), term.factors.end(), has_derivatives);
    });
}

/// Has the factor that axis alone?
bool is_along(ScopedFactor const& factor, std::string const& axis) {
    if (factor.bracket) return factor.bracket->free == std::vector{axis};
    return std::all_of(factor.places.begin(), factor.places.end(),
                       [&](Place const& place) { return place.axis.empty() || place.axis == axis; });
}

/// Multiplies brackets out, each copy of a bracket with names of its own for what is summed inside.
class Opener {
public:
    ScopedSum opened(ScopedSum const& sum) {
        ScopedSum out{.free = sum.free, .terms = {}};
        for (ScopedTerm term : sum.terms) {
            for (auto& factor : term.factors)
                if (factor.bracket) factor.bracket = std::make_shared<ScopedSum const>(opened(*factor.bracket));
            std::vector<ScopedTerm> terms;
            open(term, 2, terms);
            if (terms.size() > most_products || !std::all_of(terms.begin(), terms.end(), is_covered)) {
                terms.clear();
                open(term, 1, terms);
            }
            out.terms.insert(out.terms.end(), terms.begin(), terms.end());
        }
        return out;
    }

private:
    /// For labels of derivatives up to this order.
    void open(ScopedTerm const& term, std::size_t order, std::vector<ScopedTerm>& out) {
        if (order == 2 && out.size() > most_products) return;  // they are too many already
        for (auto const& label : term.summed) {
            auto const place = bracket_to_open(term, label, order);
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
                open(next, order, out);
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

std::optional<Curvature> curvature(ScopedTerm const& term, std::string const& label) {
    auto const places_of = [&](std::string const& axis) {
        std::vector<std::size_t> out;
        for (std::size_t f = 0; f < term.factors.size(); ++f) {
            auto const& factor = term.factors[f];
            auto const times = static_cast<std::size_t>(std::count(factor.labels.begin(), factor.labels.end(), axis));
            out.insert(out.end(), times * std::min(factor.power, 3U), f);
            // In a bracket, or a third derivative: beyond this.
            if (has_free(factor, axis) || (times > 0 && factor.labels.size() > 2)) out.insert(out.end(), 3, f);
        }
        return out;
    };
    auto const places = places_of(label);
    if (places.size() != 2) return std::nullopt;
    auto const by_both =
        std::find_if(places.begin(), places.end(), [&](std::size_t f) { return term.factors[f].labels.size() == 2; });
    if (by_both == places.end()) return std::nullopt;
    auto const& labels = term.factors[*by_both].labels;
    Curvature out{.other = labels[labels[0] == label ? 1 : 0], .by_both = *by_both};
    if (out.other == label || std::find(term.summed.begin(), term.summed.end(), out.other) == term.summed.end())
        return std::nullopt;
    auto const others = places_of(out.other);
    if (others.size() != 2) return std::nullopt;
    if (others == places) {
        out.is_square = true;
        out.x = places[0];
        out.y = places[1];
        if (term.factors[out.x].input != term.factors[out.y].input) return std::nullopt;
        return out;
    }
    out.by_label = places[places[0] == *by_both ? 1 : 0];
    out.by_other = others[others[0] == *by_both ? 1 : 0];
    if (term.factors[out.by_label].labels.size() != 1 || term.factors[out.by_other].labels.size() != 1)
        return std::nullopt;
    return out;
}

std::vector<std::size_t> factors_along(ScopedTerm const& term, std::size_t place) {
    std::string const& letter = term.factors[place].places.front().axis;
    if (letter.empty() || std::find(term.summed.begin(), term.summed.end(), letter) == term.summed.end()) return {};
    std::vector<std::size_t> out;
    for (std::size_t f = 0; f < term.factors.size(); ++f) {
        auto const& factor = term.factors[f];
        if (f == place || !has_axis(factor, letter)) continue;
        if (has_derivatives(factor) || !is_along(factor, letter)) return {};
        out.push_back(f);
    }
    return out;
}

}  // namespace isserlis::monte_carlo::detail
