// SPDX-License-Identifier: MIT
#include <isserlis/words/gaussian_words.hpp>

#include <isserlis/error.hpp>
#include <isserlis/ring/polynomial.hpp>
#include <isserlis/ring/rational.hpp>

#include <algorithm>
#include <iterator>
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

/// The first random letter of the word in front, which keeps the words few.
Word turned_to_random(Word word) {
    std::rotate(word.begin(), std::find_if(word.begin(), word.end(), [](Letter y) { return !is_fixed(y); }),
                word.end());
    return word;
}

/// Pairs that leave the same words are one rest.
template <class Rest>
void add(std::vector<Rest>& rests, Rest rest) {
    auto const at = std::find_if(rests.begin(), rests.end(), [&](Rest const& r) { return r.words == rest.words; });
    if (at == rests.end()) {
        rests.push_back(std::move(rest));
    } else {
        at->factor = at->factor + rest.factor;
    }
}

}  // namespace

template <class R>
typename GaussianWords<R>::Number GaussianWords<R>::number_of(Word const& word) {
    auto const [at, fresh] = numbers_.try_emplace(word, static_cast<Number>(words_.size()));
    if (fresh) words_.push_back(word);
    return at->second;
}

template <class R>
bool GaussianWords<R>::are_partners(Letter x, Letter y) const {
    return !is_fixed(y) && matrix_of(y) == matrix_of(x) &&
           (!matrices_[matrix_of(x)].complex || is_conjugated(y) != is_conjugated(x));
}

/// A trace that is left: of no letters at all, of fixed ones, or of a word that goes on.
template <class R>
void GaussianWords<R>::leave(Rest& rest, Word const& word, std::size_t dimension) {
    if (word.empty()) {
        rest.factor = rest.factor * dimensions_[dimension];
    } else if (is_fixed(word)) {
        rest.factor = rest.factor * fixed_trace_(canonical(word));
    } else {
        rest.words.push_back(number_of(canonical(word)));
        std::sort(rest.words.begin(), rest.words.end());
    }
}

// X the first letter, entries x_ij; its partner Y, entries y_kl. E x_ij y_kl = 1 where (k, l) = (i, j), or where
// (k, l) = (j, i) if one of the two is transposed.

/// tr(X a Y b) becomes tr(a b^T), or tr(a) tr(b).
template <class R>
typename GaussianWords<R>::Rests const& GaussianWords<R>::within(Number cut) {
    if (auto const at = within_.find(cut); at != within_.end()) return at->second;
    Word const word = turned_to_random(words_[cut]);
    Letter const x = word.front();
    WordMatrix const& matrix = matrices_[matrix_of(x)];
    Rests out;
    for (std::size_t place = 1; place < word.size(); ++place) {
        if (!are_partners(x, word[place])) continue;
        Word const a = word.substr(1, place - 1);
        Word const b = word.substr(place + 1);
        Rest rest{.factor = R(1), .words = {}};
        if (is_transposed(x) == is_transposed(word[place])) {
            leave(rest, a + transposed(b), matrix.rows);
        } else {
            leave(rest, a, matrix.columns_of(x));
            leave(rest, b, matrix.rows_of(x));
        }
        add(out, std::move(rest));
    }
    return within_.emplace(cut, std::move(out)).first->second;
}

/// tr(X b) tr(Y c) becomes tr(b c^T), or tr(b c).
template <class R>
typename GaussianWords<R>::Rests const& GaussianWords<R>::between(Number cut, Number other) {
    if (auto const at = between_.find({cut, other}); at != between_.end()) return at->second;
    Word const word = turned_to_random(words_[cut]);
    Word const met = words_[other];
    Letter const x = word.front();
    Word const b = word.substr(1);
    Rests out;
    for (std::size_t place = 0; place < met.size(); ++place) {
        if (!are_partners(x, met[place])) continue;
        Word const c = met.substr(place + 1) + met.substr(0, place);
        Rest rest{.factor = R(1), .words = {}};
        leave(rest, b + (is_transposed(x) == is_transposed(met[place]) ? transposed(c) : c),
              matrices_[matrix_of(x)].rows);
        add(out, std::move(rest));
    }
    return between_.emplace(std::pair(cut, other), std::move(out)).first->second;
}

template <class R>
R GaussianWords<R>::contracted(Product product) {
    // The longest word is cut, which keeps the products few.
    auto const longest = std::max_element(product.begin(), product.end(), [this](Number a, Number b) {
        return std::pair(words_[a].size(), a) < std::pair(words_[b].size(), b);
    });
    Number const cut = *longest;
    product.erase(longest);
    R sum(0);
    auto const add_means = [&](Product const& others, Rests const& rests, int times) {
        for (auto const& rest : rests) {
            Product left;
            std::merge(others.begin(), others.end(), rest.words.begin(), rest.words.end(), std::back_inserter(left));
            R const mean = known_mean(left);
            sum = sum + (times == 1 ? R(rest.factor * mean) : R(R(times) * rest.factor * mean));
        }
    };
    add_means(product, within(cut), 1);
    for (std::size_t k = 0; k < product.size();) {
        Number const other = product[k];
        std::size_t const first = k;
        while (k < product.size() && product[k] == other) ++k;
        Product others = product;
        others.erase(first, 1);
        add_means(others, between(cut, other), static_cast<int>(k - first));
    }
    return sum;
}

template <class R>
R GaussianWords<R>::known_mean(Product const& product) {
    if (product.empty()) return R(1);
    if (auto const at = known_.find(product); at != known_.end()) return at->second;
    if (known_.size() >= most_states)
        throw UnsupportedError("`query`: more than " + std::to_string(most_states) +
                                   " different products of traces occur on the way; ask for shorter words or fewer "
                                   "matrices",
                               "query");
    R const value = contracted(product);
    known_.emplace(product, value);
    return value;
}

template <class R>
R GaussianWords<R>::mean(TraceProduct const& product) {
    // A pair takes two letters of one matrix, so that what is odd stays odd.
    if (has_odd_letter(product, matrices_)) return R(0);
    Rest whole{.factor = R(1), .words = {}};
    for (auto const& word : product) leave(whole, word, 0);
    return whole.factor * known_mean(whole.words);
}

template class GaussianWords<Rational>;
template class GaussianWords<Polynomial>;

}  // namespace isserlis::words
