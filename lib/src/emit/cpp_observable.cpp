// SPDX-License-Identifier: MIT
#include "cpp_observable.hpp"

namespace isserlis::emit {

char const* const cpp_tensors = R"(// The last axis runs fastest.
template <class T>
struct Tensor {
    std::string axes;  // a letter for each
    std::vector<std::size_t> sizes;
    std::vector<T> entries;
};

// Adds the letters of the axes that are not there yet, with their sizes.
template <class T>
void add_letters(const Tensor<T>& t, std::string& letters, std::vector<std::size_t>& sizes) {
    for (std::size_t k = 0; k < t.axes.size(); ++k) {
        const std::size_t at = letters.find(t.axes[k]);
        if (at == std::string::npos) letters += t.axes[k];
        sizes.resize(letters.size());
        sizes[at == std::string::npos ? letters.size() - 1 : at] = t.sizes[k];
    }
}

// By how many entries a step of each letter moves; a letter of two axes moves along both.
template <class T>
std::vector<std::size_t> steps_of(const Tensor<T>& t, const std::string& letters) {
    std::vector<std::size_t> out(letters.size(), 0);
    std::size_t step = 1;
    for (std::size_t k = t.axes.size(); k-- > 0; step *= t.sizes[k]) out[letters.find(t.axes[k])] += step;
    return out;
}

// The product of two tensors, summed over the letters that are not kept.
template <class T>
Tensor<T> contracted(const Tensor<T>& a, const Tensor<T>& b, const std::string& kept) {
    std::string letters = kept;
    std::vector<std::size_t> sizes;
    add_letters(a, letters, sizes);
    add_letters(b, letters, sizes);
    Tensor<T> out{kept, {sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(kept.size())}, {}};
    std::size_t count = 1;
    for (std::size_t size : out.sizes) count *= size;
    out.entries.resize(count);
    std::size_t all = 1;
    for (std::size_t size : sizes) all *= size;
    const auto in_a = steps_of(a, letters), in_b = steps_of(b, letters), in_out = steps_of(out, letters);
    std::vector<std::size_t> at(letters.size(), 0);
    for (std::size_t n = 0, x = 0, y = 0, z = 0; n < all; ++n) {
        out.entries[z] = out.entries[z] + a.entries[x] * b.entries[y];
        for (std::size_t k = letters.size(); k-- > 0;) {  // the next in turn
            x += in_a[k], y += in_b[k], z += in_out[k];
            if (++at[k] < sizes[k]) break;
            x -= at[k] * in_a[k], y -= at[k] * in_b[k], z -= at[k] * in_out[k];
            at[k] = 0;
        }
    }
    return out;
}

)";

char const* const cpp_observable = R"(template <class T>
struct Network {
    LayersOf<T> weights;
    std::vector<double> y;
    LayersOf<T> z = preactivations(weights);
};
template <class T>
Network<DualOf<T>> with_changes(const Network<T>& net) {
    LayersOf<DualOf<T>> weights(net.weights.size());
    for (std::size_t l = 0; l < weights.size(); ++l)
        for (const T& w : net.weights[l]) weights[l].emplace_back(w, T(0.0));
    return {std::move(weights), net.y};
}

const std::map<char, std::pair<std::size_t, std::size_t>> places{{{PLACES}}};  // the layers of a label, from 1
bool allowed(char label, std::size_t l) {
    const auto at = places.find(label);
    return at == places.end() || (at->second.first <= l + 1 && l + 1 <= at->second.second);
}
template <class T>
std::size_t total_size(const LayersOf<T>& layers) {
    std::size_t out = 0;
    for (const auto& layer : layers) out += layer.size();
    return out;
}

// An observable is a function of the network whose value is a tensor. A letter keeps the axis of the neurons; a
// number, from 1, picks one of them.
struct Neuron {
    char letter = 0;
    std::size_t number = 0;
    Neuron(char c) : letter(c) {}
    Neuron(int k) : number(static_cast<std::size_t>(k)) {}

    template <class T>
    Tensor<T> of(const std::vector<T>& vector) const {
        if (letter == 0) return {"", {}, {vector[number - 1]}};
        return {std::string(1, letter), {vector.size()}, vector};
    }
};
struct number {
    double x;

    template <class T>
    Tensor<T> operator()(const Network<T>&) const {
        return {"", {}, {T(x)}};
    }
};
struct target {
    Neuron k;

    template <class T>
    Tensor<T> operator()(const Network<T>& net) const {
        return k.of(std::vector<T>(net.y.begin(), net.y.end()));
    }
};
struct output {
    std::size_t layer;
    bool activated;
    Neuron i;

    template <class T>
    Tensor<T> operator()(const Network<T>& net) const {
        std::vector<T> v = net.z[layer - 1];
        for (T& x : v) x = activated ? gate(x) * x : x;
        return i.of(v);
    }
};
struct loss {
    template <class T>
    std::vector<T> residuals(const Network<T>& net) const {
        std::vector<T> out = net.z.back();
        for (std::size_t k = 0; k < out.size(); ++k) out[k] = out[k] + T(-net.y[k]);
        return out;
    }
    template <class T>
    Tensor<T> operator()(const Network<T>& net) const {
        T sum(0.0);
        for (const T& r : residuals(net)) sum = sum + 0.5 * (r * r);
        return {"", {}, {sum}};
    }
};

// The derivative of anything by all weights, one direction at a time.
template <class Part>
struct Slope {
    char label;
    Part part;

    template <class T>
    Tensor<T> operator()(const Network<T>& net) const {
        auto moved = with_changes(net);
        Tensor<T> out;
        const std::size_t count = total_size(net.weights);
        std::size_t m = 0;
        for (std::size_t l = 0; l < net.weights.size(); ++l) {
            for (auto& w : moved.weights[l]) {
                const std::size_t here = m++;
                if (!allowed(label, l)) continue;
                w.change = T(1.0);
                moved.z = preactivations(moved.weights);
                const auto value = part(moved);
                w.change = T(0.0);
                out.axes = value.axes + label;
                out.sizes = value.sizes;
                out.sizes.push_back(count);
                out.entries.resize(value.entries.size() * count);
                for (std::size_t e = 0; e < value.entries.size(); ++e)
                    out.entries[e * count + here] = value.entries[e].change;
            }
        }
        return out;
    }
};

// First derivatives of outputs and of the loss, backwards through the network.
template <class T>
void add_row(Tensor<T>& out, char label, const LayersOf<T>& row) {
    for (std::size_t l = 0; l < row.size(); ++l)
        for (std::size_t m = 0; m < widths[l] * widths[l + 1]; ++m)
            out.entries.push_back(allowed(label, l) && m < row[l].size() ? row[l][m] : T(0.0));
}
template <>
struct Slope<output> {
    char label;
    output part;

    template <class T>
    Tensor<T> operator()(const Network<T>& net) const {
        Tensor<T> out = part(net);
        const auto& z = net.z[part.layer - 1];
        out.entries.clear();
        for (std::size_t i = 0; i < z.size(); ++i) {
            if (part.i.letter == 0 && i + 1 != part.i.number) continue;
            std::vector<T> above(z.size());
            above[i] = T(part.activated ? gate(z[i]) : 1.0);
            add_row(out, label, gradient(net.weights, net.z, above, part.layer));
        }
        out.axes += label;
        out.sizes.push_back(total_size(net.weights));
        return out;
    }
};
template <>
struct Slope<loss> {
    char label;
    loss part;

    template <class T>
    Tensor<T> operator()(const Network<T>& net) const {
        Tensor<T> out{std::string(1, label), {total_size(net.weights)}, {}};
        add_row(out, label, gradient(net.weights, net.z, part.residuals(net), net.weights.size()));
        return out;
    }
};
template <char label, char... labels, class Part>
auto derivative(Part part) {
    const Slope<Part> slope{label, part};
    if constexpr (sizeof...(labels) == 0) {
        return slope;
    } else {
        return derivative<labels...>(slope);
    }
}

// Letters that occur twice or more among the axes of all factors are summed, each with the last one; those of
// derivatives with what multiplies a pair of them.
const std::string labels = "{{LABELS}}";
template <class T>
Tensor<T> product_of(std::vector<Tensor<T>> tensors) {
    std::string all;
    for (const auto& f : tensors) all += f.axes;
    for (char c : labels) {
        if (all.find(c) == all.rfind(c)) continue;
        Tensor<T> pairs{std::string(1, c), {}, {}};
        for (std::size_t l = 0; l < factors.size(); ++l)
            pairs.entries.insert(pairs.entries.end(), widths[l] * widths[l + 1], T(factors[l]));
        pairs.sizes.push_back(pairs.entries.size());
        tensors.push_back(pairs);
        all += c;
    }
    Tensor<T> out{"", {}, {T(1.0)}};
    for (std::size_t k = 0; k < tensors.size(); ++k) {
        std::string later, kept;
        for (std::size_t j = k + 1; j < tensors.size(); ++j) later += tensors[j].axes;
        for (char c : out.axes + tensors[k].axes) {
            const bool once = all.find(c) == all.rfind(c);
            const bool wanted = once || later.find(c) != std::string::npos;
            if (wanted && kept.find(c) == std::string::npos) kept += c;
        }
        out = contracted(out, tensors[k], kept);
    }
    return out;
}
template <class... Parts>
auto product(Parts... parts) {
    return [=](const auto& net) { return product_of(std::vector{parts(net)...}); };
}
template <class... Parts>
auto total(std::vector<double> signs, Parts... parts) {
    return [=](const auto& net) {
        const std::vector terms{parts(net)...};
        auto out = terms[0];
        for (auto& x : out.entries) x = 0.0;
        for (std::size_t k = 0; k < terms.size(); ++k) {
            decltype(out) sign{"", {}, {}};
            sign.entries.emplace_back(signs[k]);
            const auto term = contracted(sign, terms[k], out.axes);
            for (std::size_t e = 0; e < out.entries.size(); ++e) out.entries[e] = out.entries[e] + term.entries[e];
        }
        return out;
    };
}

const auto observable = {{PROGRAM}};

std::vector<double> statistics(const Layers& weights, const std::vector<double>& y) {
    LayersOf<double> values(weights.size());
    for (std::size_t l = 0; l < weights.size(); ++l)
        for (const Dual& w : weights[l]) values[l].push_back(w.value);
    return observable(Network<double>{values, y}).entries;
}
)";

}  // namespace isserlis::emit
