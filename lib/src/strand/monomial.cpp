// SPDX-License-Identifier: MIT
#include "monomial.hpp"

namespace isserlis {

void replace(Monomial& m, Name const letter, Neuron const& to) {
    auto const put = [&](Neuron& n) {
        if (n.fixed == 0 && n.letter == letter) n = to;
    };
    for (auto& o : m.outputs) {
        put(o.neuron);
        if (o.end) put(*o.end);
    }
    for (auto& t : m.targets) put(t);
    for (auto& c : m.constants) {
        for (auto& n : c.neurons) put(n);
    }
}

}  // namespace isserlis
