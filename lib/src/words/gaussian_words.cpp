// SPDX-License-Identifier: MIT
#include <isserlis/words/gaussian_words.hpp>

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational.hpp>
#include <map>
#include <string>

namespace isserlis::words {
namespace {

/// Do the counts leave a letter without a partner?
bool has_odd_letter(TraceProduct const& product, std::vector<WordMatrix> const& matrices) {
    std::vector<long> balance(matrices.size());
    std::vector<bool> odd(matrices.size());
    for (auto const& word : product) {
        for (Letter const x : word) {
            if (is_fixed(x)) continue;
            odd[matrix_of(x)] = !odd[matrix_of(x)];
            balance[matrix_of(x)] += is_conjugated(x) ? -1 : 1;
        }
    }
    for (std::size_t m = 0; m < matrices.size(); ++m) {
        if (odd[m] || (matrices[m].complex && balance[m] != 0)) return true;
    }
    return false;
}

}  // namespace

template <class R>
void GaussianWords<R>::add(Rest& rest, Word const& word, std::size_t dimension) const {
    if (word.empty()) {
        rest.loops.push_back(dimension);
    } else {
        rest.traces.push_back(canonical(word));
    }
}

// X the first letter, entries x_ij; its partner Y, entries y_kl. E x_ij y_kl = 1 where (k, l) = (i, j), or where
// (k, l) = (j, i) if one of the two is transposed.

/// tr(X a Y b) becomes tr(a b^T), or tr(a) tr(b).
template <class R>
typename GaussianWords<R>::Rest GaussianWords<R>::within(TraceProduct const& product, std::size_t place) const {
    Word const& word = product.back();
    Letter const x = word.front();
    WordMatrix const& matrix = matrices_[matrix_of(x)];
    Word const a = word.substr(1, place - 1);
    Word const b = word.substr(place + 1);
    Rest rest{.traces = TraceProduct(product.begin(), product.end() - 1), .loops = {}};
    if (is_transposed(x) == is_transposed(word[place])) {
        add(rest, a + transposed(b), matrix.rows);
    } else {
        add(rest, a, matrix.columns_of(x));
        add(rest, b, matrix.rows_of(x));
    }
    return rest;
}

/// tr(X b) tr(Y c) becomes tr(b c^T), or tr(b c).
template <class R>
typename GaussianWords<R>::Rest GaussianWords<R>::between(TraceProduct const& product, std::size_t other,
                                                          std::size_t place) const {
    Word const& word = product.back();
    Word const b = word.substr(1);
    Word const c = product[other].substr(place + 1) + product[other].substr(0, place);
    Rest rest{.traces = TraceProduct(product.begin(), product.end() - 1), .loops = {}};
    rest.traces.erase(rest.traces.begin() + static_cast<std::ptrdiff_t>(other));
    bool const same = is_transposed(word.front()) == is_transposed(product[other][place]);
    add(rest, b + (same ? transposed(c) : c), matrices_[matrix_of(word.front())].rows);
    return rest;
}

template <class R>
R GaussianWords<R>::contracted(TraceProduct const& given) {
    // The longest word is cut, at a random letter, which keeps the products few.
    TraceProduct product = given;
    auto& cut = product.back();
    std::rotate(cut.begin(), std::find_if(cut.begin(), cut.end(), [](Letter y) { return !is_fixed(y); }), cut.end());
    // Many partners leave the same rest.
    std::map<std::pair<TraceProduct, std::vector<std::size_t>>, int> rests;
    auto const count = [&](Rest rest) {
        sort_traces(rest.traces);
        std::sort(rest.loops.begin(), rest.loops.end());
        ++rests[{std::move(rest.traces), std::move(rest.loops)}];
    };
    Letter const x = product.back().front();
    auto const is_partner = [&](Letter y) {
        return !is_fixed(y) && matrix_of(y) == matrix_of(x) &&
               (!matrices_[matrix_of(x)].complex || is_conjugated(y) != is_conjugated(x));
    };
    for (std::size_t place = 1; place < product.back().size(); ++place) {
        if (is_partner(product.back()[place])) count(within(product, place));
    }
    for (std::size_t other = 0; other + 1 < product.size(); ++other) {
        for (std::size_t place = 0; place < product[other].size(); ++place) {
            if (is_partner(product[other][place])) count(between(product, other, place));
        }
    }
    R sum(0);
    for (auto const& [rest, times] : rests) {
        R term = R(times) * mean(rest.first);
        for (std::size_t const dimension : rest.second) term = term * dimensions_[dimension];
        sum = sum + term;
    }
    return sum;
}

template <class R>
R GaussianWords<R>::mean(TraceProduct const& product) {
    if (product.empty()) return R(1);
    if (has_odd_letter(product, matrices_)) return R(0);
    if (std::any_of(product.begin(), product.end(), [](Word const& w) { return is_fixed(w); })) {
        TraceProduct rest;
        R factor(1);
        for (auto const& word : product) {
            if (is_fixed(word)) {
                factor = factor * fixed_trace_(word);
            } else {
                rest.push_back(word);
            }
        }
        return factor * mean(rest);
    }
    Word const key = key_of(product);
    if (auto const at = known_.find(key); at != known_.end()) return at->second;
    if (known_.size() >= most_states)
        throw UnsupportedError("`query`: more than " + std::to_string(most_states) +
                                   " different products of traces occur on the way; ask for shorter words or fewer "
                                   "matrices",
                               "query");
    R const value = contracted(product);
    known_.emplace(key, value);
    return value;
}

template class GaussianWords<Rational>;
template class GaussianWords<Polynomial>;

}  // namespace isserlis::words
