// SPDX-License-Identifier: MIT
#include "contraction_order.hpp"

#include <limits>

namespace isserlis::monte_carlo::detail {
namespace {

using Factors = std::vector<std::uint64_t>;
using Order = std::vector<std::pair<std::size_t, std::size_t>>;

constexpr std::size_t most_tried = 6;

double entries(std::uint64_t axes, std::vector<double> const& sizes) {
    double out = 1;
    for (std::size_t k = 0; k < sizes.size(); ++k)
        if ((axes >> k & 1U) != 0) out *= sizes[k];
    return out;
}

Factors multiplied(Factors factors, std::size_t i, std::size_t j, std::uint64_t kept) {
    factors[i] = axes_after(factors, i, j, kept);
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(j));
    return factors;
}

/// Tries all orders whose cost stays below `best`; returns whether one was found, and then lowers `best`.
bool try_all(Factors const& factors, std::uint64_t kept, std::vector<double> const& sizes, double spent, double& best,
             Order& order) {
    if (factors.size() < 2) {
        if (spent >= best) return false;
        best = spent;
        order.clear();
        return true;
    }
    bool found = false;
    for (std::size_t i = 0; i < factors.size(); ++i)
        for (std::size_t j = i + 1; j < factors.size(); ++j) {
            double const cost = spent + entries(factors[i] | factors[j], sizes);
            Order rest;
            if (cost >= best || !try_all(multiplied(factors, i, j, kept), kept, sizes, cost, best, rest)) continue;
            rest.insert(rest.begin(), {i, j});
            order = std::move(rest);
            found = true;
        }
    return found;
}

}  // namespace

std::uint64_t axes_after(Factors const& factors, std::size_t i, std::size_t j, std::uint64_t kept) {
    std::uint64_t needed = kept;
    for (std::size_t f = 0; f < factors.size(); ++f)
        if (f != i && f != j) needed |= factors[f];
    return (factors[i] | factors[j]) & needed;
}

Order contraction_order(Factors factors, std::uint64_t kept, std::vector<double> const& sizes) {
    Order out;
    while (factors.size() > most_tried) {
        std::pair<std::size_t, std::size_t> cheapest;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < factors.size(); ++i)
            for (std::size_t j = i + 1; j < factors.size(); ++j) {
                double const cost = entries(factors[i] | factors[j], sizes);
                if (cost >= least) continue;
                least = cost;
                cheapest = {i, j};
            }
        out.push_back(cheapest);
        factors = multiplied(factors, cheapest.first, cheapest.second, kept);
    }
    double best = std::numeric_limits<double>::infinity();
    Order rest;
    (void)try_all(factors, kept, sizes, 0, best, rest);
    out.insert(out.end(), rest.begin(), rest.end());
    return out;
}

}  // namespace isserlis::monte_carlo::detail
