// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/strand/bundle.hpp>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// A summed or free name. Free ones are found by their text; bound ones have a number of their own.
struct Name {
    std::string text;
    unsigned bound = 0;  ///< 0 while it is free
    std::size_t position = 0;
    friend bool operator==(Name const& a, Name const& b) { return a.text == b.text && a.bound == b.bound; }
    friend auto operator<=>(Name const& a, Name const& b) {
        return std::pair(a.bound, a.text) <=> std::pair(b.bound, b.text);
    }
};

/// A neuron: a summed letter or a fixed number.
struct Neuron {
    Name letter;
    std::uint64_t fixed = 0;
};

/// An output with its labels: one strand.
struct OutputFactor {
    NodePlace node;
    bool activated = false;
    Neuron neuron;
    std::vector<Name> labels;
    unsigned input = 0;
    std::optional<Neuron> end{};  ///< of an entry of a matrix: the neuron of `end_node`
    NodePlace end_node{};
    std::optional<EdgePlace> matrix{};  ///< that it is an entry of, rather than of a Jacobian
};

/// A given vector or matrix, contracted with neurons of the output.
struct Constant {
    std::string name;
    std::vector<Neuron> neurons;
};

/// One term of an observable that is multiplied out.
struct Monomial {
    Rational number = 1;
    std::map<std::string, unsigned> parameters;
    std::vector<OutputFactor> outputs;
    std::vector<Neuron> targets;
    std::vector<Constant> constants;
};

/// Every neuron that is a letter, in outputs, targets and constants.
inline void for_each_letter(Monomial& m, auto const& f) {
    for (auto& o : m.outputs) {
        if (o.neuron.fixed == 0) f(o.neuron.letter);
        if (o.end && o.end->fixed == 0) f(o.end->letter);
    }
    for (auto& t : m.targets) {
        if (t.fixed == 0) f(t.letter);
    }
    for (auto& c : m.constants) {
        for (auto& n : c.neurons) {
            if (n.fixed == 0) f(n.letter);
        }
    }
}

inline void for_each_label(Monomial& m, auto const& f) {
    for (auto& o : m.outputs) {
        for (auto& l : o.labels) f(l);
    }
}

/// Puts a neuron in the place of a letter.
void replace(Monomial& m, Name letter, Neuron const& to);

}  // namespace isserlis
