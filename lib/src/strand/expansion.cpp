// SPDX-License-Identifier: MIT
#include <isserlis/strand/expansion.hpp>

#include <isserlis/error.hpp>
#include <isserlis/strand/symmetry.hpp>

#include <algorithm>
#include <set>
#include <tuple>

#include "monomial.hpp"
#include "target_mean.hpp"

namespace isserlis {
namespace {

constexpr std::size_t max_terms = 20'000;
constexpr unsigned max_factors = 4 * max_strands;

using Terms = std::vector<Monomial>;

class Expander {
public:
    explicit Expander(ExpansionContext const& context) : context_(context) {}

    Terms all(Observable const& o) {
        Terms out = close(evaluate(o));
        for (auto& m : out) {
            auto refuse = [](Name const& n, char const* what) {
                if (n.bound != 0) return;
                throw ParseError("`query`: character " + std::to_string(n.position + 1) + ": the " + what + " '" +
                                     n.text +
                                     "' finds no partner; it must occur at least twice in each term to be summed",
                                 "query");
            };
            for_each_letter(m, [&](Name const& n) { refuse(n, "letter"); });
            for_each_label(m, [&](Name const& n) { refuse(n, "label"); });
            for (auto const& t : m.targets) {
                if (t.fixed != 0) continue;
                for (auto const& o2 : m.outputs) {
                    // The letter of a fixed neuron is empty.
                    if (o2.end && o2.end->letter == t.letter) {
                        throw UnsupportedError("`query`: character " + std::to_string(t.letter.position + 1) +
                                                   ": a target shares its letter with the lower end of a matrix; that "
                                                   "is not served",
                                               "query");
                    }
                    if (!(o2.neuron.letter == t.letter)) continue;
                    if (o2.node == context_.output || context_.width(o2.node) == context_.width(context_.output))
                        continue;
                    throw DomainError("`query`: character " + std::to_string(t.letter.position + 1) + ": the letter '" +
                                          t.letter.text + "' runs over the outputs and over a layer of another width",
                                      "query");
                }
            }
            fix_single_neurons(m);
        }
        return out;
    }

private:
    /// A letter that runs over one neuron is that neuron, which halves the states that the recursion meets.
    void fix_single_neurons(Monomial& m) const {
        std::set<Name> single;
        std::set<Name> wide;
        auto const sort = [&](Neuron const& neuron, NodePlace at) {
            if (neuron.fixed == 0) (context_.width(at) == Integer(1) ? single : wide).insert(neuron.letter);
        };
        for (auto const& o : m.outputs) {
            sort(o.neuron, o.node);
            if (o.end) sort(*o.end, o.end_node);
        }
        for (auto const& letter : single) {
            if (wide.count(letter) == 0) replace(m, letter, {.letter = {}, .fixed = 1});
        }
    }

    using Kind = Observable::Kind;

    /// Binds, in each term, what occurs twice or more.
    Terms close(Terms terms) {
        for (auto& m : terms) {
            auto bind = [&](auto const& for_each) {
                std::map<std::string, unsigned> times;
                for_each(m, [&](Name const& n) { times[n.text] += n.bound == 0 ? 1 : 0; });
                for (auto const& [text, count] : times) {
                    if (count < 2) continue;
                    unsigned const fresh = ++last_bound_;
                    for_each(m, [&, &text = text](Name& n) {
                        if (n.bound == 0 && n.text == text) n.bound = fresh;
                    });
                }
            };
            bind([](Monomial& x, auto const& f) { for_each_letter(x, f); });
            bind([](Monomial& x, auto const& f) { for_each_label(x, f); });
        }
        return terms;
    }

    /// The same terms with new numbers for what is bound.
    Terms renamed(Terms terms) {
        for (auto& m : terms) {
            std::map<unsigned, unsigned> fresh;
            auto rename = [&](Name& n) {
                if (n.bound == 0) return;
                auto const [at, is_new] = fresh.try_emplace(n.bound, 0U);
                if (is_new) at->second = ++last_bound_;
                n.bound = at->second;
            };
            for_each_letter(m, rename);
            for_each_label(m, rename);
        }
        return terms;
    }

    static Terms product(Terms const& a, Terms const& b) {
        if (a.size() * b.size() > max_terms) {
            throw UnsupportedError("`query`: more than " + std::to_string(max_terms) + " terms when multiplied out",
                                   "query");
        }
        Terms out;
        for (auto const& x : a) {
            for (auto const& y : b) {
                Monomial m = x;
                m.number *= y.number;
                for (auto const& [name, power] : y.parameters) m.parameters[name] += power;
                m.outputs.insert(m.outputs.end(), y.outputs.begin(), y.outputs.end());
                m.targets.insert(m.targets.end(), y.targets.begin(), y.targets.end());
                m.constants.insert(m.constants.end(), y.constants.begin(), y.constants.end());
                if (m.outputs.size() > max_factors || m.targets.size() > max_factors) {
                    throw UnsupportedError("`query`: a term has more than " + std::to_string(max_factors) +
                                               " outputs; up to " + std::to_string(max_strands) + " are served",
                                           "query");
                }
                out.push_back(std::move(m));
            }
        }
        return out;
    }

    [[nodiscard]] Neuron neuron_of(Observable const& o) const {
        if (o.indices.empty()) {
            // Without an index the node must have one neuron.
            NodePlace const at = o.node.empty() ? context_.output : context_.node(o.node);
            auto const width = context_.width(at);
            if (!width || *width != 1) {
                throw DomainError("`query`: character " + std::to_string(o.position + 1) + ": '" + to_string(o) +
                                      "' needs a neuron, such as [i]: its node has " +
                                      (width ? to_string(*width) : std::string("a symbolic number of")) + " neurons",
                                  "query");
            }
            return {.letter = {}, .fixed = 1};
        }
        return checked(o.indices.front(), o.node.empty() ? context_.output : context_.node(o.node));
    }

    [[nodiscard]] Neuron checked(NeuronIndex const& index, NodePlace at) const {
        if (index.fixed != 0) {
            auto const width = context_.width(at);
            if (width && *width < Integer(index.fixed)) {
                throw DomainError("`query`: character " + std::to_string(index.position + 1) + ": there is no neuron " +
                                      std::to_string(index.fixed) + " in a layer of " + to_string(*width),
                                  "query");
            }
        }
        return {.letter = {.text = index.letter, .bound = 0, .position = index.position}, .fixed = index.fixed};
    }

    [[nodiscard]] unsigned input_of(Observable const& o) const {
        if (o.input.empty()) return 0;
        auto const at = std::find(context_.inputs.begin(), context_.inputs.end(), o.input);
        if (at == context_.inputs.end()) {
            throw DomainError("`query`: character " + std::to_string(o.position + 1) + ": no input is called '" +
                                  o.input + "'; give it with `constants`",
                              "query");
        }
        return static_cast<unsigned>(at - context_.inputs.begin());
    }

    /// An entry of a matrix of weights, or of the Jacobian of a node by the input.
    [[nodiscard]] Terms entry(Observable const& o) const {
        OutputFactor f;
        if (o.name == "W") {
            MatrixPlace const at = context_.matrix(o.node);
            f.node = at.to;
            f.end_node = at.from;
            f.matrix = at.edge;
        } else {
            f.node = o.node.empty() ? context_.output : context_.node(o.node);
            f.activated = o.name == "Jh";
            f.input = input_of(o);
        }
        f.neuron = checked(o.indices[0], f.node);
        f.end = checked(o.indices[1], f.end_node);
        Monomial m;
        m.outputs = {std::move(f)};
        return {std::move(m)};
    }

    Terms output(Observable const& o) {
        OutputFactor f;
        f.node = o.node.empty() ? context_.output : context_.node(o.node);
        f.activated = o.activated;
        f.neuron = neuron_of(o);
        for (auto const& l : o.labels) f.labels.push_back({.text = l, .bound = 0, .position = o.position});
        f.input = input_of(o);
        Monomial m;
        // A path uses each weight once.
        std::set<std::string> seen(o.labels.begin(), o.labels.end());
        if (seen.size() != o.labels.size()) return {};
        m.outputs = {std::move(f)};
        return {std::move(m)};
    }

    /// d/d(label): the label goes to each output in turn.
    Terms derivative(Terms const& terms, Name const& label) {
        Terms out;
        for (auto const& m : terms) {
            for (std::size_t k = 0; k < m.outputs.size(); ++k) {
                auto const& labels = m.outputs[k].labels;
                if (m.outputs[k].end) {
                    throw UnsupportedError(
                        "`query`: derivatives of J and of matrices by the weights are not served; D stands before z, h "
                        "and what is made of them",
                        "query");
                }
                if (std::find(labels.begin(), labels.end(), label) != labels.end()) continue;
                Monomial d = m;
                d.outputs[k].labels.push_back(label);
                out.push_back(std::move(d));
                if (out.size() > max_terms)
                    throw UnsupportedError("`query`: too many terms when differentiated", "query");
            }
        }
        return out;
    }

    Terms loss() {
        Name const i{.text = "i", .bound = ++last_bound_, .position = 0};
        OutputFactor z;
        z.node = context_.output;
        z.neuron = {.letter = i, .fixed = 0};
        Monomial zz;
        zz.number = ratio(1, 2);
        zz.outputs = {z, z};
        Monomial zy;
        zy.number = -1;
        zy.outputs = {z};
        zy.targets = {{.letter = i, .fixed = 0}};
        Monomial yy;
        yy.number = ratio(1, 2);
        yy.targets = {{.letter = i, .fixed = 0}, {.letter = i, .fixed = 0}};
        return renamed({zz, zy, yy});
    }

    Terms evaluate(Observable const& o) {
        Monomial m;
        switch (o.kind) {
            case Kind::number: m.number = parse_rational(o.number, "query"); return {m};
            case Kind::parameter: m.parameters[o.name] = 1; return {m};
            case Kind::output: return output(o);
            case Kind::entry: return entry(o);
            case Kind::target:
                m.targets = {o.indices.empty() ? neuron_of(o) : checked(o.indices.front(), context_.output)};
                return {m};
            case Kind::constant: {
                Constant c{.name = o.name, .neurons = {}};
                for (auto const& i : o.indices) c.neurons.push_back(checked(i, context_.output));
                m.constants = {c};
                return {m};
            }
            case Kind::loss: return loss();
            case Kind::derivative: {
                Terms out = evaluate(o.operands.front());
                for (auto const& l : o.labels) out = derivative(out, {.text = l, .bound = 0, .position = o.position});
                return out;
            }
            case Kind::trace:
            case Kind::group: return close(evaluate(o.operands.front()));
            case Kind::power: {
                Terms const base = evaluate(o.operands.front());
                Terms out{Monomial{}};
                for (unsigned k = 0; k < o.exponent; ++k) out = product(out, renamed(base));
                return out;
            }
            case Kind::product: {
                Terms out = evaluate(o.operands.front());
                for (std::size_t k = 1; k < o.operands.size(); ++k) out = product(out, evaluate(o.operands[k]));
                return out;
            }
            case Kind::sum: break;
        }
        Terms out;
        for (std::size_t k = 0; k < o.operands.size(); ++k) {
            for (auto& term : evaluate(o.operands[k])) {
                if (o.signs[k] < 0) term.number = -term.number;
                out.push_back(std::move(term));
            }
        }
        return out;
    }

    ExpansionContext const& context_;
    unsigned last_bound_ = 0;
};

/// Letters and labels become numbers.
BundleTerm numbered(Weighted const& w, NodePlace output, std::map<std::string, unsigned> const& restrictions) {
    auto const& m = w.monomial;
    BundleTerm out{.coefficient = w.coefficient, .bundle = {}};
    // A fixed neuron is one of its node, a letter may run over several.
    std::map<std::tuple<Name, std::uint64_t, NodePlace>, unsigned> letters;
    auto letter = [&](Neuron const& n, NodePlace node) {
        auto const [at, fresh] = letters.try_emplace(
            n.fixed == 0 ? std::tuple(n.letter, n.fixed, NodePlace{}) : std::tuple(Name{}, n.fixed, node),
            static_cast<unsigned>(out.bundle.letters.size()));
        if (fresh) out.bundle.letters.push_back(n.fixed);
        return at->second;
    };
    std::map<Name, std::size_t> labels;
    for (auto const& o : m.outputs) {
        auto const strand = static_cast<unsigned>(out.bundle.strands.size());
        out.bundle.strands.push_back(
            {.start = o.node, .activated = o.activated, .letter = letter(o.neuron, o.node), .input = o.input});
        if (o.end) out.bundle.strands.back().end_letter = letter(*o.end, o.end_node);
        out.bundle.strands.back().matrix = o.matrix;
        for (auto const& l : o.labels) {
            auto const [at, fresh] = labels.try_emplace(l, out.bundle.labels.size());
            if (fresh) {
                auto const r = restrictions.find(l.text);
                out.bundle.labels.push_back(
                    {.strands = {}, .restriction = r == restrictions.end() ? 0 : r->second, .name = l.text});
            }
            out.bundle.labels[at->second].strands.push_back(strand);
        }
    }
    for (auto const& c : m.constants) {
        ConstantFactor factor{.name = c.name, .letters = {}};
        for (auto const& n : c.neurons) factor.letters.push_back(letter(n, output));
        out.bundle.constants.push_back(std::move(factor));
    }
    return out;
}

/// Terms of the same shape add up.
void merge(std::vector<BundleTerm>& terms) {
    std::vector<BundleTerm> out;
    for (auto& term : terms) {
        auto const same = std::find_if(out.begin(), out.end(), [&](BundleTerm const& other) {
            return other.coefficient.parameters == term.coefficient.parameters &&
                   other.coefficient.first == term.coefficient.first &&
                   other.coefficient.second == term.coefficient.second &&
                   other.coefficient.third == term.coefficient.third &&
                   other.coefficient.fourth == term.coefficient.fourth &&
                   other.coefficient.outputs == term.coefficient.outputs && isomorphic(other.bundle, term.bundle);
        });
        if (same == out.end()) {
            out.push_back(std::move(term));
        } else {
            same->coefficient.number += term.coefficient.number;
        }
    }
    std::erase_if(out, [](BundleTerm const& t) { return t.coefficient.number.is_zero(); });
    terms = std::move(out);
}

}  // namespace

std::vector<BundleTerm> expand(Query const& query, ExpansionContext const& context) {
    std::vector<Weighted> averaged;
    for (auto const& m : Expander(context).all(query.observable)) {
        average_targets(m, {.number = m.number, .parameters = m.parameters}, context, averaged);
    }
    std::map<std::string, unsigned> restrictions;
    for (auto const& r : query.restrictions) {
        if (!restrictions.try_emplace(r.label, static_cast<unsigned>(restrictions.size() + 1)).second) {
            throw ParseError("`query`: character " + std::to_string(r.position + 1) + ": the label '" + r.label +
                                 "' is restricted twice",
                             "query");
        }
    }
    std::vector<BundleTerm> out;
    for (auto const& w : averaged) {
        std::size_t const strands = w.monomial.outputs.size();
        if (strands > max_strands) {
            throw UnsupportedError("`query`: a term has " + std::to_string(strands) +
                                       " strands (outputs multiplied); up to " + std::to_string(max_strands) +
                                       " are served",
                                   "query");
        }
        out.push_back(numbered(w, context.output, restrictions));
        std::size_t const labels = out.back().bundle.labels.size();
        if (labels > max_labels) {
            throw UnsupportedError("`query`: a term has " + std::to_string(labels) +
                                       " labels, those of powers counted anew; up to " + std::to_string(max_labels) +
                                       " are served",
                                   "query");
        }
    }
    merge(out);
    return out;
}

}  // namespace isserlis
