// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/graph.hpp>
#include <isserlis/ring/rational.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

/// Brute force: outputs written out as polynomials in weights, gates and targets, differentiated, multiplied and
/// averaged monomial by monomial. Knows nothing of strands; shares with the library the rationals and the plain struct
/// Graph.
namespace oracle {

using isserlis::Rational;
using Net = isserlis::Graph<Rational, std::uint64_t>;

/// Exponents, four bits each, of up to 64 variables.
struct Monomial {
    static constexpr unsigned most_variables = 64;
    static constexpr unsigned most_power = 15;
    std::array<std::uint64_t, 4> packed{};

    [[nodiscard]] unsigned power(unsigned variable) const {
        return static_cast<unsigned>(packed[variable / 16] >> (4 * (variable % 16)) & 15U);
    }
    void add(unsigned variable, int times) {
        std::uint64_t const one = std::uint64_t(1) << (4 * (variable % 16));
        if (times > 0) {
            packed[variable / 16] += one;
        } else {
            packed[variable / 16] -= one;
        }
    }
    friend Monomial operator*(Monomial const& a, Monomial const& b) {
        Monomial out;
        for (std::size_t k = 0; k < 4; ++k) out.packed[k] = a.packed[k] + b.packed[k];
        return out;
    }
    friend bool operator==(Monomial const&, Monomial const&) = default;
};

struct MonomialHash {
    std::size_t operator()(Monomial const& m) const {
        std::uint64_t h = 0;
        for (auto const part : m.packed) h = (h ^ part ^ (h >> 29U)) * 0x9E3779B97F4A7C15U;
        return h;
    }
};

/// Integer polynomial; what overflows 64 bits is reported.
class WeightPolynomial {
public:
    WeightPolynomial() = default;
    WeightPolynomial(int value) {  // NOLINT(google-explicit-constructor)
        if (value != 0) terms_[{}] = value;
    }
    static WeightPolynomial variable(unsigned v) {
        WeightPolynomial out;
        Monomial m;
        m.add(v, 1);
        out.terms_[m] = 1;
        return out;
    }
    [[nodiscard]] auto const& terms() const { return terms_; }
    [[nodiscard]] bool is_zero() const { return terms_.empty(); }

    WeightPolynomial& operator+=(WeightPolynomial const& b) {
        for (auto const& [m, c] : b.terms_) add(m, c);
        return *this;
    }
    friend WeightPolynomial operator+(WeightPolynomial a, WeightPolynomial const& b) { return a += b; }
    friend WeightPolynomial operator-(WeightPolynomial const& a, WeightPolynomial const& b) {
        return a + b * WeightPolynomial(-1);
    }
    friend WeightPolynomial operator*(WeightPolynomial const& a, WeightPolynomial const& b) {
        WeightPolynomial out;
        for (auto const& [m, c] : a.terms_) {
            for (auto const& [n, d] : b.terms_) out.add(m * n, checked_product(c, d));
        }
        return out;
    }
    [[nodiscard]] WeightPolynomial derivative(unsigned v) const {
        WeightPolynomial out;
        for (auto const& [m, c] : terms_) {
            unsigned const k = m.power(v);
            if (k == 0) continue;
            Monomial lower = m;
            lower.add(v, -1);
            out.add(lower, checked_product(c, k));
        }
        return out;
    }
    void add(Monomial const& m, std::int64_t c) {
        auto const [at, fresh] = terms_.try_emplace(m, 0);
        if (__builtin_add_overflow(at->second, c, &at->second)) throw std::overflow_error("oracle: sum");
        if (at->second == 0) terms_.erase(at);
    }

private:
    static std::int64_t checked_product(std::int64_t a, std::int64_t b) {
        std::int64_t out = 0;
        if (__builtin_mul_overflow(a, b, &out)) throw std::overflow_error("oracle: product");
        return out;
    }
    std::unordered_map<Monomial, std::int64_t, MonomialHash> terms_;
};

inline WeightPolynomial power(WeightPolynomial const& p, unsigned k) {
    WeightPolynomial out(1);
    for (unsigned i = 0; i < k; ++i) out = out * p;
    return out;
}

/// One weight of the network.
struct Weight {
    unsigned variable;
    std::size_t node;  ///< that it leads into, from 1
    std::size_t row;
    std::size_t column;
    std::string edge;
    int label_factor;
};

/// One entry of a bias.
struct BiasEntry {
    unsigned variable;
    std::size_t node;  ///< from 1
    std::size_t row;
};

/// A network with every node's z and h as polynomials, at one input or several.
class Model {
public:
    /// `second` = E|y|^2 over all outputs, `fourth` = sum_i E y_i^4, `third` = E y_i^3.
    Model(Net const& net, std::vector<std::vector<int>> const& inputs, Rational const& second = 1,
          Rational const& fourth = 0, Rational const& third = 0)
        : inputs_(inputs.size()) {
        names_ = {net.input_name};
        gated_ = {false};
        z_.resize(inputs_);
        h_.resize(inputs_);
        for (std::size_t a = 0; a < inputs_; ++a) {
            std::vector<WeightPolynomial> x;
            for (int const value : inputs[a]) x.emplace_back(value);
            z_[a].push_back(x);
            h_[a].push_back(x);
        }
        std::size_t below = 0;
        for (auto const& stage : net.stages) {
            for (std::uint64_t copy = 0; copy < stage.count; ++copy) {
                std::size_t const base = names_.size() - 1;
                std::string const number = stage.numbered ? std::to_string(stage.first + copy) : "";
                for (std::size_t v = 1; v <= stage.nodes.size(); ++v) add_node(stage, v, base, below, number);
                below = names_.size() - 1;
            }
        }
        Rational const outputs = static_cast<int>(width(output()));
        for (std::size_t i = 0; i < width(output()); ++i) {
            y_.push_back(variable({Rational(1), Rational(0), second / outputs, third, fourth / outputs}));
        }
    }

    [[nodiscard]] std::size_t output() const { return names_.size() - 1; }
    [[nodiscard]] std::size_t node(std::string const& name) const {
        for (std::size_t v = 0; v < names_.size(); ++v) {
            if (names_[v] == name) return v;
        }
        throw std::out_of_range("oracle: no node " + name);
    }
    [[nodiscard]] std::string const& name(std::size_t v) const { return names_[v]; }
    [[nodiscard]] std::size_t width(std::size_t v) const { return z_[0][v].size(); }
    [[nodiscard]] WeightPolynomial const& z(std::size_t v, std::size_t i, std::size_t input = 0) const {
        return z_[input][v][i];
    }
    [[nodiscard]] WeightPolynomial const& h(std::size_t v, std::size_t i, std::size_t input = 0) const {
        return h_[input][v][i];
    }
    [[nodiscard]] WeightPolynomial const& z(std::size_t i) const { return z_[0].back()[i]; }
    [[nodiscard]] std::size_t outputs() const { return width(output()); }
    [[nodiscard]] WeightPolynomial y(std::size_t i) const { return WeightPolynomial::variable(y_[i]); }
    [[nodiscard]] std::vector<Weight> const& weights() const { return weights_; }
    [[nodiscard]] std::vector<BiasEntry> const& biases() const { return biases_; }
    [[nodiscard]] std::vector<Weight> weights(std::function<bool(std::string const&)> const& edge) const {
        std::vector<Weight> out;
        for (auto const& w : weights_) {
            if (edge(w.edge)) out.push_back(w);
        }
        return out;
    }
    /// Twice the loss.
    [[nodiscard]] WeightPolynomial twice_loss() const {
        WeightPolynomial out;
        for (std::size_t i = 0; i < outputs(); ++i) out += power(z(i) - y(i), 2);
        return out;
    }

    /// E of the polynomial: gates are fair coins, all else as the laws say.
    [[nodiscard]] Rational mean(WeightPolynomial const& p) const {
        Rational sum = 0;
        for (auto const& [m, c] : p.terms()) sum += Rational(c) * mean(m);
        return sum;
    }
    /// E p q without multiplying out.
    [[nodiscard]] Rational mean(WeightPolynomial const& p, WeightPolynomial const& q) const {
        std::unordered_map<Monomial, std::vector<std::pair<Monomial, std::int64_t>>, MonomialHash> by_parity;
        for (auto const& [m, c] : q.terms()) by_parity[parity(m)].emplace_back(m, c);
        std::unordered_map<Monomial, Rational, MonomialHash> known;
        Rational sum = 0;
        for (auto const& [m, c] : p.terms()) {
            auto const at = by_parity.find(parity(m));
            if (at == by_parity.end()) continue;
            for (auto const& [n, d] : at->second) {
                Monomial const both = m * n;
                auto const [value, fresh] = known.try_emplace(both);
                if (fresh) value->second = mean(both);
                sum += Rational(c) * Rational(d) * value->second;
            }
        }
        return sum;
    }
    /// g^k = g for the gates of a ReLU network: fewer monomials of the same value.
    [[nodiscard]] WeightPolynomial with_idempotent_gates(WeightPolynomial const& p) const {
        WeightPolynomial out;
        for (auto const& [m, c] : p.terms()) {
            Monomial reduced = m;
            for (auto const& g : gates_) {
                while (reduced.power(g.variable) > 1) reduced.add(g.variable, -1);
            }
            out.add(reduced, c);
        }
        return out;
    }

    /// Has the polynomial a monomial whose mean over real gates is not the mean over coins? Going down from the output,
    /// a gated row is odd before a weight has shown that the mean is 0.
    [[nodiscard]] bool needs_absolute_moments(WeightPolynomial const& p) const {
        for (auto const& [m, c] : p.terms()) {
            for (std::size_t v = output(); v > 0; --v) {
                std::vector<unsigned> row(width(v), 0);
                bool odd_weight = false;
                auto const count = [&](auto const& entry) {
                    if (entry.node != v) return;
                    row[entry.row] += m.power(entry.variable);
                    odd_weight = odd_weight || m.power(entry.variable) % 2 == 1;
                };
                for (auto const& w : weights_) count(w);
                for (auto const& b : biases_) count(b);
                bool odd_row = false;
                for (unsigned const k : row) odd_row = odd_row || k % 2 == 1;
                if (gated_[v] && odd_row) return true;
                if (odd_weight) break;
            }
        }
        return false;
    }

    // ---- real networks: weights take values, gates open by the sign of z

    /// Replaces the law of weight k by equal chances for these values; biases come after the weights.
    void set_atoms(std::vector<std::vector<int>> const& atoms) {
        atoms_ = atoms;
        for (std::size_t k = 0; k < atoms.size(); ++k) {
            auto& moments = moments_[drawn(k)];
            for (unsigned p = 0; p <= Monomial::most_power; ++p) {
                Rational sum = 0;
                for (int const a : atoms[k]) sum += isserlis::power(Rational(a), p);
                moments[p] = sum / static_cast<int>(atoms[k].size());
            }
        }
    }

    /// The mean of the polynomial over all networks with weights in these atoms, its gates being those of the network
    /// itself; `slope` the negative side's.
    [[nodiscard]] Rational mean_over_real_networks(WeightPolynomial const& p, Rational const& slope) const {
        std::vector<Rational> value(moments_.size(), Rational(0));
        Rational sum = 0;
        std::int64_t networks = 0;
        std::function<void(std::size_t)> choose = [&](std::size_t k) {
            if (k < atoms_.size()) {
                for (int const a : atoms_[k]) {
                    value[drawn(k)] = a;
                    choose(k + 1);
                }
                return;
            }
            // Gates from the input up: those above a gate do not enter its pre-activation.
            for (auto const& g : gates_) {
                Rational const z = at(z_[0][g.node][g.row], value);
                // z = 0 where all gates below are shut; they shut every path, and this gate must not matter.
                value[g.variable] = z.is_zero() ? Rational(17) : z > 0 ? Rational(1) : slope;
            }
            sum += at(p, value);
            ++networks;
        };
        choose(0);
        return sum / Rational(networks);
    }

private:
    struct Gate {
        unsigned variable;
        std::size_t node;
        std::size_t row;
    };

    /// The variable of weight k, or of a bias behind the weights.
    [[nodiscard]] unsigned drawn(std::size_t k) const {
        return k < weights_.size() ? weights_[k].variable : biases_[k - weights_.size()].variable;
    }

    unsigned variable(std::vector<Rational> moments) {
        moments.resize(Monomial::most_power + 1);
        moments_.push_back(std::move(moments));
        if (moments_.size() > Monomial::most_variables) throw std::length_error("oracle: too many variables");
        return static_cast<unsigned>(moments_.size() - 1);
    }

    /// E w^(2p) of a law, written down from its density.
    static std::vector<Rational> law_moments(isserlis::WeightLaw<Rational> const& law, Rational const& variance) {
        std::vector<Rational> out;
        for (unsigned k = 0; k <= Monomial::most_power; ++k) {
            if (k % 2 == 1) {
                out.emplace_back(0);
                continue;
            }
            unsigned const p = k / 2;
            Rational factor = 1;
            switch (law.kind) {
                case isserlis::LawKind::gaussian:  // (2p - 1)!!
                    for (unsigned i = 1; i < k; i += 2) factor *= i;
                    break;
                case isserlis::LawKind::uniform:  // on [-a, a], a^2 = 3 c: a^2p / (2p + 1)
                    factor = isserlis::power(Rational(3), p) / (k + 1);
                    break;
                case isserlis::LawKind::rademacher: break;
                case isserlis::LawKind::laplace:  // (2p)! b^2p, 2 b^2 = c
                    for (unsigned i = 1; i <= k; ++i) factor *= i;
                    factor /= isserlis::power(Rational(2), p);
                    break;
                case isserlis::LawKind::kurtosis:
                    if (p == 2) factor = law.kurtosis_value;
                    if (p > 2) factor = 1'000'003;  // unknown, and so it must not matter
                    break;
            }
            out.push_back(factor * isserlis::power(variance, p));
        }
        return out;
    }

    void add_node(isserlis::GraphStage<Rational, std::uint64_t> const& stage, std::size_t v, std::size_t base,
                  std::size_t below, std::string const& number) {
        using Node = isserlis::GraphNode<Rational>;
        using Edge = isserlis::GraphEdge<Rational>;
        auto const& node = stage.nodes[v - 1];
        std::size_t const here = names_.size();
        bool const parts = node.kind == Node::Kind::concatenation;
        auto const n = static_cast<std::size_t>(whole(node.width));
        std::vector<std::vector<WeightPolynomial>> z(inputs_, std::vector<WeightPolynomial>(parts ? 0 : n));
        for (auto const& edge : stage.edges) {
            if (edge.to != v) continue;
            std::size_t const from = edge.from == 0 ? below : base + edge.from;
            std::size_t const columns = width(from);
            if (edge.kind == Edge::Kind::skip) {
                for (std::size_t a = 0; a < inputs_; ++a) {
                    for (std::size_t j = 0; j < columns; ++j) {
                        if (parts) {
                            z[a].push_back(h_[a][from][j]);
                        } else {
                            z[a].at(j) += h_[a][from][j];
                        }
                    }
                }
                continue;
            }
            auto const moments = law_moments(edge.law, edge.variance);
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < columns; ++j) {
                    unsigned const w = variable(moments);
                    weights_.push_back({.variable = w,
                                        .node = here,
                                        .row = i,
                                        .column = j,
                                        .edge = number + edge.name,
                                        .label_factor = whole(edge.label_factor)});
                    for (std::size_t a = 0; a < inputs_; ++a) z[a][i] += WeightPolynomial::variable(w) * h_[a][from][j];
                }
            }
        }
        for (std::size_t i = 0; node.bias && i < n; ++i) {
            unsigned const b = variable(law_moments(node.bias->law, node.bias->variance));
            if (node.bias->label_factor.is_zero()) {
                biases_.push_back({.variable = b, .node = here, .row = i});
            } else {  // derivatives by it are summed with those by weights
                weights_.push_back({.variable = b,
                                    .node = here,
                                    .row = i,
                                    .column = 0,
                                    .edge = "bias",
                                    .label_factor = whole(node.bias->label_factor)});
            }
            for (std::size_t a = 0; a < inputs_; ++a) z[a][i] += WeightPolynomial::variable(b);
        }
        auto h = z;
        if (node.gate) {
            std::vector<Rational> moments{Rational(1)};
            for (unsigned k = 1; k <= Monomial::most_power; ++k)
                moments.push_back((isserlis::power(node.gate->positive, k) + isserlis::power(node.gate->negative, k)) /
                                  2);
            if (inputs_ > 1) throw std::logic_error("oracle: a gate at two inputs");
            for (std::size_t i = 0; i < n; ++i) {
                unsigned const g = variable(moments);
                gates_.push_back({.variable = g, .node = here, .row = i});
                h[0][i] = WeightPolynomial::variable(g) * z[0][i];
            }
        }
        names_.push_back(number + node.name);
        gated_.push_back(node.gate.has_value());
        for (std::size_t a = 0; a < inputs_; ++a) {
            if (z[a].size() != n) throw std::logic_error("oracle: the parts of a concatenation");
            z_[a].push_back(z[a]);
            h_[a].push_back(h[a]);
        }
    }

    static int whole(Rational const& x) { return static_cast<int>(isserlis::checked_count(isserlis::numerator_of(x))); }

    [[nodiscard]] Rational mean(Monomial const& m) const {
        for (unsigned v = 0; v < moments_.size(); ++v) {
            if (unsigned const k = m.power(v); k > 0 && moments_[v][k].is_zero()) return 0;
        }
        Rational out = 1;
        for (unsigned v = 0; v < moments_.size(); ++v) {
            if (unsigned const k = m.power(v); k > 0) out *= moments_[v][k];
        }
        return out;
    }

    /// The parities of the variables that are symmetric: weights and biases.
    [[nodiscard]] Monomial parity(Monomial const& m) const {
        Monomial out;
        for (auto const& w : weights_) {
            if (m.power(w.variable) % 2 == 1) out.add(w.variable, 1);
        }
        for (auto const& b : biases_) {
            if (m.power(b.variable) % 2 == 1) out.add(b.variable, 1);
        }
        return out;
    }

    static Rational at(WeightPolynomial const& p, std::vector<Rational> const& value) {
        Rational sum = 0;
        for (auto const& [m, c] : p.terms()) {
            Rational product = c;
            for (unsigned v = 0; v < value.size(); ++v) {
                for (unsigned k = m.power(v); k > 0; --k) product *= value[v];
            }
            sum += product;
        }
        return sum;
    }

    std::size_t inputs_;
    std::vector<std::string> names_;
    std::vector<bool> gated_;
    std::vector<std::vector<std::vector<WeightPolynomial>>> z_;  ///< by input, node, neuron
    std::vector<std::vector<std::vector<WeightPolynomial>>> h_;
    std::vector<Weight> weights_;
    std::vector<BiasEntry> biases_;
    std::vector<Gate> gates_;
    std::vector<unsigned> y_;
    std::vector<std::vector<Rational>> moments_;  ///< E v^k by variable and k
    std::vector<std::vector<int>> atoms_;
};

// ---- sums that observables are made of

inline WeightPolynomial d(WeightPolynomial const& p, Weight const& w) { return p.derivative(w.variable); }
inline WeightPolynomial sum_outputs(Model const& m, auto const& f) {
    WeightPolynomial out;
    for (std::size_t i = 0; i < m.outputs(); ++i) out += f(i);
    return out;
}
inline WeightPolynomial sum_weights(Model const& m, auto const& f) {
    WeightPolynomial out;
    for (auto const& w : m.weights()) out += f(w) * WeightPolynomial(w.label_factor);
    return out;
}
inline WeightPolynomial squared_norm(Model const& m) {
    return sum_outputs(m, [&](auto i) { return power(m.z(i), 2); });
}
/// sum_m dz_i dz_j.
inline WeightPolynomial kernel(Model const& m, std::size_t i, std::size_t j) {
    return sum_weights(m, [&](auto const& w) { return d(m.z(i), w) * d(m.z(j), w); });
}
inline WeightPolynomial trace_of_kernel(Model const& m) {
    return sum_outputs(m, [&](auto i) { return kernel(m, i, i); });
}

}  // namespace oracle
