// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/add_product.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace isserlis {

/// A value for some of the states.
template <class F>
struct Flow {
    using Element = typename F::Element;

    std::vector<unsigned> active;
    std::vector<Element> values;  ///< by state
    std::vector<char> is_active;

    void add(unsigned state, Element const& a, Element const& b) {
        activate(state);
        detail::add_product(values[state], a, b);
    }
    /// Adds x, and leaves some other number in its place.
    void take(unsigned state, Element& x) {
        if (state < is_active.size() && is_active[state] != 0) {
            values[state] = values[state] + x;
        } else {
            activate(state);
            std::swap(values[state], x);
        }
    }
    /// Empties the flow but keeps the memory of its numbers.
    void clear() {
        for (unsigned const s : active) {
            values[s] = 0;
            is_active[s] = 0;
        }
        active.clear();
    }

private:
    void activate(unsigned state) {
        if (values.size() <= state) {
            std::size_t const room = std::max<std::size_t>(state + 1, 2 * values.size());
            values.resize(room);
            is_active.resize(room, 0);
            active.reserve(room);
        }
        if (is_active[state] != 0) return;
        is_active[state] = 1;
        active.push_back(state);
    }
};

/// A linear map between states, row by row: the state below and its factor.
template <class F>
using TransferRows = std::vector<std::vector<std::pair<unsigned, typename F::Element>>>;

/// The flow on the far side of a transfer.
template <class F>
[[nodiscard]] Flow<F> times(Flow<F> const& flow, TransferRows<F> const& rows) {
    Flow<F> out;
    for (unsigned const s : flow.active) {
        for (auto const& [t, x] : rows[s]) out.add(t, flow.values[s], x);
    }
    return out;
}

/// One transfer after another.
template <class F>
[[nodiscard]] TransferRows<F> transfer_product(TransferRows<F> const& a, TransferRows<F> const& b) {
    TransferRows<F> out(a.size());
    for (std::size_t s = 0; s < a.size(); ++s) {
        Flow<F> row;
        for (auto const& [t, x] : a[s]) {
            for (auto const& [u, y] : b[t]) row.add(u, x, y);
        }
        for (unsigned const u : row.active) out[s].emplace_back(u, std::move(row.values[u]));
    }
    return out;
}

}  // namespace isserlis
