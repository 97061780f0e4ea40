// SPDX-License-Identifier: MIT
#include <isserlis/words/weingarten.hpp>

#include <algorithm>
#include <functional>
#include <map>

namespace isserlis::words {
namespace {

using RationalRows = std::vector<std::vector<Rational>>;

/// The pairings q as the equations see them: times[mu][lambda][loops] of them have coset type lambda beside the first
/// pairing, and so many loops beside a pairing of type mu.
std::vector<std::vector<std::vector<Integer>>> loop_counts(unsigned k) {
    auto const pairings = all_pairings(k);
    auto const types = all_partitions(k);
    std::map<Partition, std::size_t> place;
    for (std::size_t i = 0; i < types.size(); ++i) place[types[i]] = i;
    std::vector<std::size_t> type(pairings.size());
    std::vector<Pairing const*> of_type(types.size());
    for (std::size_t i = 0; i < pairings.size(); ++i) {
        type[i] = place.at(coset_type(pairings.front(), pairings[i]));
        of_type[type[i]] = &pairings[i];
    }
    std::vector out(types.size(), std::vector(types.size(), std::vector<Integer>(k + 1)));
    for (std::size_t mu = 0; mu < types.size(); ++mu) {
        for (std::size_t i = 0; i < pairings.size(); ++i)
            ++out[mu][type[i]][coset_type(*of_type[mu], pairings[i]).size()];
    }
    return out;
}

RationalRows product(RationalRows const& a, RationalRows const& b) {
    RationalRows out(a.size(), std::vector<Rational>(b.front().size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.front().size(); ++j) {
            for (std::size_t l = 0; l < b.size(); ++l) out[i][j] += a[i][l] * b[l][j];
        }
    }
    return out;
}

/// Some solution of a system that has one: unknowns that nothing determines are 0.
std::vector<Rational> some_solution(RationalRows a, std::vector<Rational> b) {
    std::size_t const n = a.size();
    std::vector<std::size_t> pivots;
    std::size_t row = 0;
    for (std::size_t column = 0; column < n && row < n; ++column) {
        std::size_t at = row;
        while (at < n && a[at][column] == 0) ++at;
        if (at == n) continue;
        std::swap(a[at], a[row]);
        std::swap(b[at], b[row]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == row || a[i][column] == 0) continue;
            Rational const f = a[i][column] / a[row][column];
            for (std::size_t j = column; j < n; ++j) a[i][j] -= f * a[row][j];
            b[i] -= f * b[row];
        }
        pivots.push_back(column);
        ++row;
    }
    std::vector<Rational> out(n);
    for (std::size_t i = 0; i < pivots.size(); ++i) out[pivots[i]] = b[i] / a[i][pivots[i]];
    return out;
}

/// G w G = G for the matrix G of n^loops: w = 1/G where that exists.
std::vector<Rational> weingarten_at(std::vector<std::vector<std::vector<Integer>>> const& times, Integer const& n) {
    std::size_t const size = times.size();
    RationalRows gram(size, std::vector<Rational>(size));
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
            Integer sum = 0;
            for (std::size_t l = times[i][j].size(); l-- > 0;) sum = sum * n + times[i][j][l];
            gram[i][j] = sum;
        }
    }
    // The unit stands at the type 1 + .. + 1, the last one.
    std::vector<Rational> unit_column;
    for (auto const& row : gram) unit_column.push_back(row.back());
    return some_solution(product(gram, gram), unit_column);
}

/// Zeros of the least common denominator, with their multiplicities.
std::map<long, unsigned> denominator_shifts(unsigned k) {
    std::map<long, unsigned> out;
    for (auto const& rows : all_partitions(k)) {
        std::map<long, unsigned> here;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (unsigned j = 0; j < rows[i]; ++j) ++here[2 * static_cast<long>(j) - static_cast<long>(i)];
        }
        for (auto const& [shift, count] : here) out[shift] = std::max(out[shift], count);
    }
    return out;
}

/// The coefficients of the polynomial with these values at first, first + 1, .., lowest first: Newton's.
std::vector<Rational> interpolated(std::vector<Rational> values, long first) {
    std::size_t const n = values.size();
    for (std::size_t order = 1; order < n; ++order) {
        for (std::size_t i = n; i-- > order;)
            values[i] = (values[i] - values[i - 1]) / Rational(static_cast<long>(order));
    }
    std::vector<Rational> out(n);
    for (std::size_t i = n; i-- > 0;) {
        // out <- out (x - x_i) + values[i]
        Rational const at = first + static_cast<long>(i);
        for (std::size_t j = n; j-- > 0;) out[j] = (j > 0 ? out[j - 1] : Rational(0)) - at * out[j];
        out[0] += values[i];
    }
    return out;
}

}  // namespace

std::vector<Pairing> all_pairings(unsigned k) {
    std::vector<Pairing> out;
    constexpr std::uint8_t alone = 0xFF;
    Pairing now(std::size_t{2} * k, alone);
    std::function<void()> const extend = [&] {
        auto const first = std::find(now.begin(), now.end(), alone);
        if (first == now.end()) {
            out.push_back(now);
            return;
        }
        auto const i = static_cast<std::uint8_t>(first - now.begin());
        for (std::size_t j = i + std::size_t{1}; j < now.size(); ++j) {
            if (now[j] != alone) continue;
            now[i] = static_cast<std::uint8_t>(j);
            now[j] = i;
            extend();
            now[i] = now[j] = alone;
        }
    };
    extend();
    return out;
}

std::vector<Partition> all_partitions(unsigned k) {
    std::vector<Partition> out;
    Partition now;
    std::function<void(unsigned, unsigned)> const extend = [&](unsigned rest, unsigned most) {
        if (rest == 0) out.push_back(now);
        for (unsigned part = std::min(rest, most); part > 0; --part) {
            now.push_back(part);
            extend(rest - part, part);
            now.pop_back();
        }
    };
    extend(k, k);
    return out;
}

Partition coset_type(Pairing const& p, Pairing const& q) {
    Partition out;
    std::vector<bool> seen(p.size());
    for (std::size_t start = 0; start < p.size(); ++start) {
        if (seen[start]) continue;
        unsigned length = 0;
        for (std::size_t at = start; !seen[at]; at = q[p[at]]) {
            seen[at] = seen[p[at]] = true;
            ++length;
        }
        out.push_back(length);
    }
    std::sort(out.rbegin(), out.rend());
    return out;
}

std::vector<Rational> orthogonal_weingarten(unsigned k, Integer const& n) { return weingarten_at(loop_counts(k), n); }

std::vector<RationalFunction> orthogonal_weingarten(unsigned k, RationalFunction const& n) {
    auto const times = loop_counts(k);
    auto const shifts = denominator_shifts(k);
    std::size_t degree = 0;
    for (auto const& [shift, count] : shifts) degree += count;
    // Each function is at most of order n^-k: its numerator has degree - k + 1 coefficients.
    std::size_t const points = degree - k + 1;
    std::vector<std::vector<Rational>> values(times.size());
    for (std::size_t i = 0; i < points; ++i) {
        Integer const at = static_cast<long>(k + i);
        Rational denominator = 1;
        for (auto const& [shift, count] : shifts) denominator *= power(Rational(at + shift), count);
        auto const here = weingarten_at(times, at);
        for (std::size_t type = 0; type < here.size(); ++type) values[type].push_back(here[type] * denominator);
    }
    RationalFunction denominator(1);
    for (auto const& [shift, count] : shifts)
        denominator = denominator * power(n + RationalFunction(static_cast<int>(shift)), std::uint64_t{count});
    std::vector<RationalFunction> out;
    for (auto& of_type : values) {
        auto const coefficients = interpolated(std::move(of_type), static_cast<long>(k));
        RationalFunction numerator(0);
        for (std::size_t i = coefficients.size(); i-- > 0;)
            numerator = (numerator * n + RationalFunction(coefficients[i])).merged();
        out.push_back((numerator / denominator).merged());
    }
    return out;
}

}  // namespace isserlis::words
