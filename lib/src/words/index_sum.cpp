// SPDX-License-Identifier: MIT
#include <isserlis/words/index_sum.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace isserlis::words {
namespace {

/// A number for each value of some indices, the last of which runs fastest.
template <class V>
struct Table {
    std::vector<std::size_t> indices;
    std::vector<V> values;
};

template <class V>
V settled(V x) {
    if constexpr (std::is_same_v<V, RationalFunction>) {
        return x.merged();
    } else {
        return x;
    }
}

template <class V>
class Elimination {
public:
    Elimination(std::vector<std::size_t> sizes, double& steps_left) : sizes_(std::move(sizes)), left_(steps_left) {}

    void add(Table<V> table) { tables_.push_back(std::move(table)); }

    V value() {
        std::set<std::size_t> open;
        for (std::size_t i = 0; i < sizes_.size(); ++i) open.insert(i);
        while (!open.empty()) {
            auto const next = *std::min_element(open.begin(), open.end(),
                                                [&](std::size_t a, std::size_t b) { return cost(a) < cost(b); });
            eliminate(next);
            open.erase(next);
        }
        V out(1);
        for (auto const& table : tables_) out = settled(V(out * table.values.front()));
        return out;
    }

private:
    [[nodiscard]] static bool has(Table<V> const& table, std::size_t index) {
        return std::find(table.indices.begin(), table.indices.end(), index) != table.indices.end();
    }

    [[nodiscard]] std::vector<std::size_t> neighbours(std::size_t index) const {
        std::set<std::size_t> out;
        for (auto const& table : tables_) {
            if (has(table, index)) out.insert(table.indices.begin(), table.indices.end());
        }
        out.erase(index);
        return {out.begin(), out.end()};
    }

    [[nodiscard]] double cost(std::size_t index) const {
        auto out = static_cast<double>(sizes_[index]);
        for (std::size_t const other : neighbours(index)) out *= static_cast<double>(sizes_[other]);
        return out;
    }

    /// The tables that have the index become one without it.
    void eliminate(std::size_t index) {
        left_ -= cost(index);
        if (left_ < 0)
            throw UnsupportedError(
                "`query`: the sums over the rows and columns of fixed matrices that are not diagonal have too many "
                "terms; take smaller fixed matrices, or fewer of them",
                "query");
        Table<V> out{.indices = neighbours(index), .values = {}};
        std::vector<Table<V>> met;
        auto const split = std::stable_partition(tables_.begin(), tables_.end(),
                                                 [&](auto const& table) { return !has(table, index); });
        std::move(split, tables_.end(), std::back_inserter(met));
        tables_.erase(split, tables_.end());
        std::vector<std::size_t> at(sizes_.size());
        for (bool more = true; more;) {
            V sum(0);
            for (at[index] = 0; at[index] < sizes_[index]; ++at[index]) {
                V term(1);
                for (auto const& table : met) {
                    std::size_t place = 0;
                    for (std::size_t const i : table.indices) place = place * sizes_[i] + at[i];
                    term = term * table.values[place];
                    if (term == V(0)) break;
                }
                sum = settled(V(sum + term));
            }
            out.values.push_back(std::move(sum));
            more = false;
            for (std::size_t k = out.indices.size(); k-- > 0 && !more;) {
                auto& place = at[out.indices[k]];
                more = ++place < sizes_[out.indices[k]];
                if (!more) place = 0;
            }
        }
        tables_.push_back(std::move(out));
    }

    std::vector<std::size_t> sizes_;
    std::vector<Table<V>> tables_;
    double& left_;
};

}  // namespace

template <class V>
V value_of(IndexSum const& sum, std::function<std::size_t(std::size_t)> const& size,
           std::function<V(Letter, std::size_t, std::size_t)> const& value, double& steps_left) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < sum.weights.size(); ++i) sizes.push_back(size(i));
    Elimination<V> elimination(sizes, steps_left);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        for (Letter const x : sum.weights[i]) {
            Table<V> table{.indices = {i}, .values = {}};
            for (std::size_t k = 0; k < sizes[i]; ++k) table.values.push_back(value(x, k, k));
            elimination.add(std::move(table));
        }
    }
    for (auto const& e : sum.entries) {
        bool const one = e.row == e.column;
        Table<V> table{.indices = one ? std::vector{e.row} : std::vector{e.row, e.column}, .values = {}};
        for (std::size_t i = 0; i < sizes[e.row]; ++i) {
            for (std::size_t j = one ? i : 0; j < (one ? i + 1 : sizes[e.column]); ++j)
                table.values.push_back(value(e.letter, i, j));
        }
        elimination.add(std::move(table));
    }
    return elimination.value();
}

template Rational value_of(IndexSum const&, std::function<std::size_t(std::size_t)> const&,
                           std::function<Rational(Letter, std::size_t, std::size_t)> const&, double&);
template RationalFunction value_of(IndexSum const&, std::function<std::size_t(std::size_t)> const&,
                                   std::function<RationalFunction(Letter, std::size_t, std::size_t)> const&, double&);

}  // namespace isserlis::words
