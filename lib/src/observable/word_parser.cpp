// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "query_parser.hpp"

namespace isserlis {
namespace {

using Kind = Observable::Kind;

constexpr std::size_t most_letters = 100;

std::vector<MatrixLetter> transposed(std::vector<MatrixLetter> word) {
    std::reverse(word.begin(), word.end());
    for (auto& letter : word) letter.transposed = !letter.transposed;
    return word;
}

/// Entries whose letters are tied in a ring.
Observable ring_of(std::vector<MatrixLetter> const& word) {
    Observable out;
    out.kind = Kind::product;
    auto const letter = [&](std::size_t k) {
        return NeuronIndex{.letter = "t" + std::to_string(k % word.size()), .fixed = 0, .position = word[0].position};
    };
    for (std::size_t k = 0; k < word.size(); ++k) {
        Observable entry;
        entry.kind = Kind::entry;
        entry.position = word[k].position;
        entry.name = word[k].name;
        entry.node = word[k].place;
        entry.input = word[k].input;
        entry.indices = {letter(k), letter(k + 1)};
        if (word[k].transposed) std::swap(entry.indices[0], entry.indices[1]);
        out.operands.push_back(std::move(entry));
    }
    return out.operands.size() == 1 ? Observable(out.operands.front()) : out;
}

}  // namespace

bool QueryParser::at_matrix(std::string_view name) {
    return peek() == '{' ? name == "W" || names_matrix(name) : names_matrix(name);
}

bool names_matrix(std::string_view name) {
    if (name == "J" || name == "Jh") return true;
    return name.size() > 1 && name.front() == 'W' && std::all_of(name.begin() + 1, name.end(), is_digit);
}

MatrixLetter QueryParser::matrix(std::string_view name, std::size_t start) {
    bool const weights = name.front() == 'W';
    MatrixLetter out{.name = weights ? "W" : std::string(name),
                     .place = weights ? std::string(name.substr(1)) : "",
                     .input = {},
                     .transposed = false,
                     .position = start};
    if (out.place.empty() && accept('{')) out.place = braced();
    if (weights && out.place.empty()) fail_at(start, "which matrix? W1 is the lowest, W{L} that of layer L");
    if (!weights && accept('@')) out.input = input_name();
    return out;
}

Observable QueryParser::entry(std::string_view name, std::size_t start) {
    MatrixLetter const letter = matrix(name, start);
    Observable out;
    out.kind = Kind::entry;
    out.name = letter.name;
    out.node = letter.place;
    out.input = letter.input;
    expect('[', "a matrix stands in tr(..) or norm2(..), or has two indices, as in " + std::string(name) + "[i,j]");
    out.indices.push_back(neuron());
    expect(',', "an entry of a matrix has two indices, such as [i,j]");
    out.indices.push_back(neuron());
    expect(']', "']' is expected here");
    return out;
}

Observable QueryParser::trace(bool squared_norm, std::size_t start) {
    expect('(', "'(' is expected here");
    auto word = matrices();
    expect(')', "a matrix or ) is expected here");
    Observable out;
    out.kind = Kind::trace;
    out.name = std::string(trimmed(text_.substr(start, at_ - start)));
    if (squared_norm) {
        auto const other = transposed(word);
        word.insert(word.end(), other.begin(), other.end());
    }
    out.operands.push_back(ring_of(word));
    return out;
}

std::vector<MatrixLetter> QueryParser::matrices() {
    if (++depth_ > deepest) fail("brackets are nested too deeply");
    std::vector<MatrixLetter> out;
    do {
        auto const next = matrix_power();
        out.insert(out.end(), next.begin(), next.end());
        if (out.size() > most_letters)
            fail("a word of more than " + std::to_string(most_letters) + " letters is not served");
        (void)accept('*');
    } while (peek() != ')' && peek() != '\0');
    --depth_;
    return out;
}

std::vector<MatrixLetter> QueryParser::matrix_power() {
    std::vector<MatrixLetter> base;
    skip_space();
    std::size_t const start = at_;
    if (accept('(')) {
        base = matrices();
        expect(')', "a matrix or ) is expected here");
    } else {
        auto const name = word();
        at_ += name.size();
        if (name.empty() || !at_matrix(name)) {
            fail_at(start,
                    "a matrix is expected here: J (Jh), the Jacobian of z (h) by the input, or W1, W2, .., the weights "
                    "from the input on; sums and numbers stand outside of tr(..)");
        }
        base.push_back(matrix(name, start));
    }
    while (accept('^')) {
        if (accept_word("T")) {
            base = transposed(std::move(base));
            continue;
        }
        std::size_t const at = at_;
        std::string const times = digits();
        if (times.size() > 3 || times == "0" || std::stoul(times) * base.size() > most_letters)
            fail_at(at,
                    "a power from 1 on, and at most " + std::to_string(most_letters) + " letters in all, is served");
        std::vector<MatrixLetter> power;
        for (unsigned long k = 0; k < std::stoul(times); ++k) power.insert(power.end(), base.begin(), base.end());
        base = std::move(power);
    }
    return base;
}

}  // namespace isserlis
