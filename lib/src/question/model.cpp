// SPDX-License-Identifier: MIT
#include "question/model.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/network/check_graph.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/report/value.hpp>

#include "question/fan_words.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

/// What numeric and symbolic models do differently.
struct NumericKind {
    using R = Surd;
    using Count = std::uint64_t;
    static R symbol(std::string const& name, Bindings const& bindings) { return bindings.at(name); }
    static Count count_symbol(std::string const& name, Bindings const&) {
        throw DomainError("`widths`: the repeat count " + name + " has no value", "widths");
    }
};
struct SymbolicKind {
    using R = RationalFunction;
    using Count = Exponent;
    static R symbol(std::string const& name, Bindings const& bindings) {
        auto const at = bindings.find(name);
        return at == bindings.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
    }
    static Count count_symbol(std::string const& name, Bindings const&) { return Exponent::symbol(name); }
};

/// Widths from files are numbers from 1, or formulas.
void require_natural(Surd const& x, std::string const& what, char const* parameter = "network") {
    if (x.is_rational() && is_integer(x.to_rational()) && x.to_rational() >= 1) return;
    throw DomainError(named(what) + " = " + printable(to_string(x)) + "; a whole number from 1 is required", parameter);
}
void require_natural(RationalFunction const& x, std::string const& what, char const* parameter = "network") {
    if (x.is_numeric()) require_natural(x.evaluate({}), what, parameter);
}

std::uint64_t layer_count(std::vector<LayerRun<Surd, std::uint64_t>> const& runs) {
    std::uint64_t layers = 0;
    for (auto const& run : runs) layers += run.count;
    return layers;
}
std::uint64_t layer_count(std::vector<LayerRun<RationalFunction, Exponent>> const& runs) {
    Exponent layers;
    for (auto const& run : runs) layers = layers + run.count;
    if (!layers.is_constant()) {
        throw UnsupportedError("dense networks and lists with one entry per layer need a depth in numbers, not " +
                                   to_string(layers) + " layers",
                               "widths");
    }
    return checked_count(numerator_of(layers.constant()));
}
std::uint64_t whole(std::uint64_t count) { return count; }
std::uint64_t whole(Exponent const& count) { return checked_count(numerator_of(count.constant())); }

/// One run per layer, for lists.
template <class R, class Count>
std::vector<LayerRun<R, Count>> single_layers(std::vector<LayerRun<R, Count>> const& runs) {
    std::vector<LayerRun<R, Count>> out;
    for (auto const& run : runs) {
        for (std::uint64_t i = 0; i < whole(run.count); ++i) {
            out.push_back(run);
            out.back().count = Count(1);
        }
    }
    return out;
}

/// Puts values into a ModelText, part by part.
template <class Kind>
class Builder {
public:
    using R = typename Kind::R;
    using Count = typename Kind::Count;

    /// `requirements` gets what symbols leave open.
    Builder(ModelText const& text, Bindings const& bindings, std::vector<Requirement<R>>& requirements)
        : text_(text), bindings_(bindings), requirements_(requirements) {}

    Model<R, Count> all() {
        Model<R, Count> out;
        out.ties = text_.ties;
        out.derivatives = derivatives();
        activation_ = {.kind = text_.activation,
                       .slope = text_.slope ? value(*text_.slope, "`activation` leaky") : R(0)};
        switch (text_.wiring) {
            case Wiring::vanilla: {
                auto net = vanilla();
                for (std::size_t i = 0; i < net.layers.size(); ++i) out.orthogonal.push_back(text_.is_orthogonal(i));
                if (std::find(out.orthogonal.begin(), out.orthogonal.end(), true) == out.orthogonal.end())
                    out.orthogonal.clear();
                std::vector<std::optional<R>> sides;
                for (std::size_t i = 0; i < out.orthogonal.size(); ++i) {
                    sides.emplace_back();
                    if (!out.orthogonal[i]) continue;
                    sides.back() = larger_width(net.layers[i].fan_in, net.layers[i].fan_out).value_or(R(0));
                }
                out.network = {std::move(net), sides};
                break;
            }
            case Wiring::residual: out.network = residual(); break;
            case Wiring::dense: out.network = dense(); break;
            case Wiring::file: out.network = from_file(); break;
        }
        if (text_.data_scale) out.data_scale = value(*text_.data_scale, "c");
        require_positive(out.data_scale, "c");
        if (text_.target_second) out.target_second = value(*text_.target_second, "target_second_moment");
        require_at_least(out.target_second, R(0), "target_second_moment", "E|y|^2 is at least 0");
        if (text_.target_fourth) {
            out.target_fourth = value(*text_.target_fourth, "target_fourth_moment");
            R const least = out.target_second * out.target_second / out.graph().output_width();
            require_at_least(*out.target_fourth, least, "target_fourth_moment",
                             "sum_i E y_i^4 is at least (E|y|^2)^2 over the number of outputs, " + to_string(least));
        }
        read_input(out);
        return out;
    }

private:
    void require_positive(R const& x, std::string const& parameter) const {
        auto const s = sign_of(x);
        if (s && *s <= 0)
            throw DomainError(named(parameter) + " = " + printable(to_string(x)) + "; it has to be positive",
                              parameter);
        if (!s) requirements_.push_back({.value = x, .strict = true});
    }
    void require_at_least(R const& x, R const& bound, std::string const& parameter, std::string const& why) const {
        auto const s = sign_of(R(x - bound));
        if (s && *s < 0) throw DomainError(named(parameter) + " = " + printable(to_string(x)) + "; " + why, parameter);
        if (!s) requirements_.push_back({.value = R(x - bound), .strict = false});
    }
    R value(Expression const& e, std::string const& parameter) const {
        return value_by(e, parameter, [&](std::string const& name) { return Kind::symbol(name, bindings_); });
    }
    static R value_by(Expression const& e, std::string const& parameter, auto const& value_of) {
        try {
            return evaluate<R>(e, value_of);
        } catch (DomainError const& error) {
            throw DomainError(named(parameter) + ": " + error.what(), parameter);
        } catch (UnsupportedError const& error) {
            throw UnsupportedError(named(parameter) + ": " + error.what(), parameter);
        }
    }

    // ---- widths

    [[nodiscard]] std::optional<Integer> bound(WidthToken const& token, char const* what) const {
        if (!token.is_symbol) return parse_integer(token.text, "widths");
        auto const at = bindings_.find(token.text);
        if (at == bindings_.end()) return std::nullopt;
        if (!is_integer(at->second) || at->second < 1) {
            throw DomainError("`set` " + token.text + " = " + printable(to_string(at->second)) + "; a " + what +
                                  " has to be a whole number from 1",
                              "set");
        }
        return numerator_of(at->second);
    }

    [[nodiscard]] std::vector<WidthRun<R, Count>> widths() const {
        std::vector<WidthRun<R, Count>> out;
        bool previous_is_counted = false;
        for (auto const& item : text_.widths) {
            auto const width = bound(item.width, "width");
            auto const count = bound(item.count, "repeat count");
            if (count && *count > max_layers) {
                throw UnsupportedError(
                    "`widths`: " + to_string(*count) + " layers; the limit is " + std::to_string(max_layers), "widths");
            }
            R const w = width ? R(*width) : Kind::symbol(item.width.text, bindings_);
            Count const c = count ? Count(static_cast<int>(*count)) : Kind::count_symbol(item.count.text, bindings_);
            // Equal neighbours are one run, however they were typed.
            if (!out.empty() && count && previous_is_counted && out.back().width == w) {
                out.back().count = out.back().count + c;
            } else {
                out.push_back({.width = w, .count = c});
            }
            previous_is_counted = count.has_value();
        }
        return out;
    }

    [[nodiscard]] std::vector<LayerRun<R, Count>> layers() const {
        auto out = layers_between(widths());
        if (out.empty())
            throw ParseError("`widths`: one width only; a network needs an input and an output, such as 2,1", "widths");
        return out;
    }

    // ---- weights

    /// Entry i of a list that has one value for all, or one for each.
    [[nodiscard]] R entry(std::vector<Expression> const& list, std::size_t i, std::string const& parameter) const {
        return value(list[list.size() == 1 ? 0 : i], parameter);
    }
    [[nodiscard]] R variance_of(std::size_t i, Gate<R> const& gate, R const& fan_in, R const& fan_out, bool is_last,
                                bool is_scaled = true) const {
        if (text_.variances.empty()) {
            R const scheme = weight_variance(text_.scheme.value_or(Scheme::he), gate, fan_in, fan_out, is_last);
            if (!text_.alpha || !is_scaled) return scheme;
            R const alpha = value(*text_.alpha, "alpha");
            require_positive(alpha, "alpha");
            return alpha * scheme;
        }
        auto const& list = text_.variances;
        R const out = variance_value(list[list.size() == 1 ? 0 : i], fan_in, fan_out, "variance");
        require_positive(out, "variance");
        return out;
    }
    /// The value of a variance, in which fan_in and fan_out are words.
    [[nodiscard]] R variance_value(Expression const& e, R const& fan_in, R const& fan_out,
                                   std::string const& parameter) const {
        return value_by(e, parameter, [&](std::string const& name) {
            if (name == fan_in_word) return fan_in;
            return name == fan_out_word ? fan_out : Kind::symbol(name, bindings_);
        });
    }
    [[nodiscard]] WeightLaw<R> law_of_kurtosis(R const& kurtosis, std::string const& parameter) const {
        require_at_least(kurtosis, R(1), parameter, "E w^4 >= (E w^2)^2, so a kurtosis or fourth moment is at least 1");
        return {.kind = LawKind::kurtosis, .kurtosis_value = kurtosis};
    }
    [[nodiscard]] WeightLaw<R> law_at(std::size_t i) const {
        if (!text_.layer_laws.empty())
            return {.kind = text_.layer_laws[i].value_or(LawKind::gaussian), .kurtosis_value = R(0)};
        if (text_.kurtoses.empty()) return {.kind = text_.law.value_or(LawKind::gaussian), .kurtosis_value = R(0)};
        return law_of_kurtosis(entry(text_.kurtoses, i, text_.kurtosis_parameter), text_.kurtosis_parameter);
    }
    /// None where variance and label factor are 0: a network without biases is the same whichever way that is said.
    [[nodiscard]] std::optional<Bias<R>> bias_of(std::optional<Expression> const& variance, LawKind law,
                                                 R const& label_factor, R const& fan_in, R const& fan_out,
                                                 std::string const& parameter) const {
        Bias<R> out{.law = {.kind = law, .kurtosis_value = R(0)}, .label_factor = label_factor};
        if (variance) out.variance = variance_value(*variance, fan_in, fan_out, parameter);
        require_at_least(out.variance, R(0), parameter, "a variance is at least 0");
        if (out.variance == R(0) && label_factor == R(0)) return std::nullopt;
        return out;
    }
    [[nodiscard]] std::optional<Bias<R>> bias_at(std::size_t i, R const& fan_in, R const& fan_out) const {
        auto const& variances = text_.bias_variances;
        std::optional<Expression> variance;
        if (!variances.empty()) variance = variances[variances.size() == 1 ? 0 : i];
        auto const& factors = text_.bias_label_factors;
        R const factor = factors.empty() ? R(0) : entry(factors, i, "bias_label_factor");
        require_at_least(factor, R(0), "bias_label_factor", "at least 0 is required");
        return bias_of(variance, text_.bias_law, factor, fan_in, fan_out, "bias_variance");
    }
    /// Which entry of the lists of biases is that of a matrix, where `at` says it of a list.
    [[nodiscard]] std::size_t bias_entry(auto const& at) const {
        return at(text_.bias_variances.size() > 1 ? text_.bias_variances : text_.bias_label_factors);
    }
    [[nodiscard]] R typed_label_factor(std::size_t i) const {
        return text_.label_factors.empty() ? R(1) : entry(text_.label_factors, i, text_.label_factor_parameter);
    }
    /// Of derivatives by the weights: a pair of derivatives by theta has the variance of W = sqrt(variance) theta.
    [[nodiscard]] R label_factor(std::size_t i, R const& variance) const {
        R const typed = typed_label_factor(i);
        return text_.has_unit_parameters() ? R(typed * variance) : typed;
    }
    [[nodiscard]] DerivativeText<R> derivatives() const {
        DerivativeText<R> out{
            .unit_parameters = text_.has_unit_parameters(), .over_fan_in = text_.effective, .factors = {}};
        out.parametrisation = text_.parametrisation;
        for (std::size_t i = 0; i < text_.label_factors.size(); ++i) out.factors.push_back(typed_label_factor(i));
        if (text_.wiring != Wiring::file) return out;
        for (auto const& e : text_.file.edges) {
            if (!e.skip) out.factors.push_back(e.label_factor ? value(*e.label_factor, "network") : R(1));
        }
        return out;
    }

    /// Calls f with each list parameter that has one entry for each layer or matrix.
    void for_each_list(auto const& f) const {
        if (text_.variances.size() > 1) f(text_.variances.size(), std::string("variance"));
        if (text_.bias_variances.size() > 1) f(text_.bias_variances.size(), std::string("bias_variance"));
        if (text_.bias_label_factors.size() > 1) f(text_.bias_label_factors.size(), std::string("bias_label_factor"));
        if (text_.kurtoses.size() > 1) f(text_.kurtoses.size(), text_.kurtosis_parameter);
        if (!text_.layer_laws.empty()) f(text_.layer_laws.size(), std::string("law"));
        if (text_.label_factors.size() > 1) f(text_.label_factors.size(), text_.label_factor_parameter);
    }

    // ---- wirings

    [[nodiscard]] FullyConnected<R, Count> vanilla() const {
        FullyConnected<R, Count> net;
        net.layers = layers();
        net.activation = activation_;
        net.gated_head = text_.gated_head;
        for_each_list([&](std::size_t entries, std::string const& parameter) {
            auto const count = layer_count(net.layers);
            if (count != entries) {
                throw DomainError(named(parameter) + ": " + std::to_string(entries) + " values for " +
                                      std::to_string(count) + " weight layers; give one for all or one for each",
                                  parameter);
            }
            net.layers = single_layers(net.layers);
        });
        if (text_.scheme == Scheme::mean_field && !(net.layers.back().count == Count(1))) {
            // The output layer has a variance of its own: a run by itself.
            auto head = net.layers.back();
            net.layers.back().count = head.count - Count(1);
            head.count = Count(1);
            net.layers.push_back(head);
        }
        if (text_.parametrisation) part_ends(net.layers);
        for (std::size_t i = 0; i < net.layers.size(); ++i) {
            auto& run = net.layers[i];
            run.law = law_at(i);
            run.bias = bias_at(i, run.fan_in, run.fan_out);
            if (text_.parametrisation) {
                ParametrisedLayer<R> const layer(*text_.parametrisation, kind_of_layer(i, net.layers.size()),
                                                 activation_, run.fan_in, run.fan_out);
                run.variance = layer.weight_variance();
                run.label_factor = typed_label_factor(i) * layer.label_factor();
                continue;
            }
            run.variance = variance_of(i, activation_.gate(), run.fan_in, run.fan_out, i + 1 == net.layers.size());
            run.label_factor = label_factor(i, run.variance);
            if (text_.effective) run.label_factor = run.label_factor / run.fan_in;
        }
        return net;
    }

    /// Makes the first and the last layer runs by themselves, which have rules of their own.
    static void part_ends(std::vector<LayerRun<R, Count>>& runs) {
        if (runs.size() == 1 && runs.front().count == Count(1))
            throw DomainError("`parametrisation`: a network of one weight layer has no width; list a hidden layer too",
                              "widths");
        auto const part = [&](std::size_t at, bool first) {
            if (runs[at].count == Count(1)) return;
            if (!is_constant_count(runs[at].count))
                throw UnsupportedError(
                    "`parametrisation`: the input and the output layer have rules of their own; list "
                    "them beside the repeated ones, such as n,n:L,n",
                    "widths");
            auto end = runs[at];
            runs[at].count = runs[at].count - Count(1);
            end.count = Count(1);
            runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(first ? at : at + 1), end);
        };
        part(runs.size() - 1, false);
        part(0, true);
    }
    static bool is_constant_count(std::uint64_t) { return true; }
    static bool is_constant_count(Exponent const& count) { return count.is_constant(); }

    /// Takes the first or the last layer off.
    static LayerRun<R, Count> taken_off(std::vector<LayerRun<R, Count>>& runs, bool first) {
        if (runs.empty())
            throw ParseError(
                "`widths`: between two plain matrices a residual network lists d_0, y^0..y^L and the output, such as "
                "2,10:4,1",
                "widths");
        auto& run = first ? runs.front() : runs.back();
        LayerRun<R, Count> out = run;
        out.count = Count(1);
        if (!(run.count == Count(1))) {
            run.count = run.count - Count(1);
        } else if (first) {
            runs.erase(runs.begin());
        } else {
            runs.pop_back();
        }
        return out;
    }
    /// A plain matrix at either end, the first or the last of each list: no gate before or after it.
    [[nodiscard]] BranchMatrix<R> plain_matrix(LayerRun<R, Count> const& run, bool is_last) const {
        auto at = [&](std::vector<Expression> const& list) { return is_last && !list.empty() ? list.size() - 1 : 0; };
        Gate<R> const none = Gate<R>::open();
        R const variance = variance_of(at(text_.variances), none, run.fan_in, run.fan_out, is_last, false);
        return {.width = run.fan_out,
                .variance = variance,
                .law = law_at(at(text_.kurtoses)),
                .label_factor = label_factor(at(text_.label_factors), variance),
                .bias = bias_at(bias_entry(at), run.fan_in, run.fan_out)};
    }

    /// Every list has one entry for all matrices, one for each matrix of a branch, or one for each matrix; plain
    /// matrices come first and last.
    [[nodiscard]] Graph<R, Count> residual() const {
        auto runs = layers();
        std::vector<LayerRun<R, Count>> plain;
        if (text_.projections) {
            plain.push_back(taken_off(runs, true));
            plain.push_back(taken_off(runs, false));
            if (runs.empty()) (void)taken_off(runs, true);
        }
        R const width = runs.front().fan_in;
        for (auto const& run : runs) {
            if (run.fan_out == width) continue;
            throw DomainError("`widths`: a residual network lists y^0..y^L, which have equal widths; here are " +
                                  to_string(width) + " and " + to_string(run.fan_out),
                              "widths");
        }
        std::size_t const matrices = text_.branch_matrices;
        std::size_t const before = plain.empty() ? 0 : 1;
        std::string const and_plain = plain.empty() ? "" : " and the two plain ones";
        bool each = false;
        for_each_list([&](std::size_t entries, std::string const& parameter) {
            if (entries == matrices + 2 * before) return;
            auto const blocks = layer_count(runs);
            if (blocks * matrices + 2 * before != entries) {
                throw DomainError(named(parameter) + ": " + std::to_string(entries) + " values; give one for all, " +
                                      std::to_string(matrices + 2 * before) + " for the matrices of a branch" +
                                      and_plain + ", or " + std::to_string(blocks * matrices + 2 * before) +
                                      " for all matrices of " + std::to_string(blocks) + " blocks" + and_plain,
                                  parameter);
            }
            each = true;
        });
        auto branch = [&](std::size_t block) {
            std::vector<BranchMatrix<R>> out;
            R fan_in = width;
            for (std::size_t j = 0; j < matrices; ++j) {
                bool const last = j + 1 == matrices;
                auto at = [&](std::vector<Expression> const& list) {
                    return before + (list.size() == matrices + 2 * before ? j : block * matrices + j);
                };
                // No gate follows the last matrix of a branch.
                Gate<R> const none = Gate<R>::open();
                bool const ungated = last && !activation_.is_concatenated();
                R fan_out = width;
                if (!last && !text_.branch_widths.empty()) {
                    fan_out = entry(text_.branch_widths, j, "branch_widths");
                    require_natural(fan_out, "branch_widths", "branch_widths");
                }
                R const variance =
                    variance_of(at(text_.variances), ungated ? none : activation_.gate(), fan_in, fan_out, false);
                out.push_back({.width = fan_out,
                               .variance = variance,
                               .law = law_at(at(text_.kurtoses)),
                               .label_factor = label_factor(at(text_.label_factors), variance),
                               .bias = bias_at(bias_entry(at), fan_in, fan_out)});
                fan_in = fan_out;
            }
            return out;
        };
        std::vector<std::pair<std::vector<BranchMatrix<R>>, Count>> branches;
        if (each) {
            for (std::size_t k = 0; k < layer_count(runs); ++k) branches.emplace_back(branch(k), Count(1));
        } else {
            Count blocks = runs.front().count;
            for (std::size_t k = 1; k < runs.size(); ++k) blocks = blocks + runs[k].count;
            branches.emplace_back(branch(0), blocks);
        }
        auto const graph = residual_graph<R, Count>(width, activation_, branches);
        if (plain.empty()) return graph;
        return between_matrices(graph, plain.front().fan_in, plain_matrix(plain.front(), false),
                                plain_matrix(plain.back(), true));
    }

    [[nodiscard]] Graph<R, Count> dense() const {
        auto const runs = single_layers(checked_depth(layers()));
        for_each_list([&](std::size_t entries, std::string const& parameter) {
            if (entries == runs.size()) return;
            throw DomainError(named(parameter) + ": " + std::to_string(entries) + " values for " +
                                  std::to_string(runs.size()) + " dense layers; give one for all or one for each",
                              parameter);
        });
        std::vector<BranchMatrix<R>> out;
        R fan_in(0);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            bool const starts_here = i == 1 && text_.first_source == 1;
            fan_in = starts_here ? runs[i].fan_in : fan_in + runs[i].fan_in;
            R const variance = variance_of(i, activation_.gate(), fan_in, runs[i].fan_out, i + 1 == runs.size());
            out.push_back({.width = runs[i].fan_out,
                           .variance = variance,
                           .law = law_at(i),
                           .label_factor = label_factor(i, variance),
                           .bias = bias_at(i, fan_in, runs[i].fan_out)});
        }
        return dense_graph<R, Count>(runs.front().fan_in, activation_, text_.gated_head, out, text_.first_source);
    }

    /// A dense network grows with each layer, so that no two blocks are equal.
    static std::vector<LayerRun<R, Count>> checked_depth(std::vector<LayerRun<R, Count>> runs) {
        constexpr std::uint64_t most = 10'000;
        if (layer_count(runs) > most)
            throw UnsupportedError("`widths`: " + std::to_string(layer_count(runs)) +
                                       " layers; dense networks are served up to " + std::to_string(most),
                                   "widths");
        return runs;
    }

    [[nodiscard]] Graph<R, Count> from_file() const {
        auto const& file = text_.file;
        auto width_of = [&](std::size_t v) {
            R const out = value(file.nodes[v].width, "network");
            require_natural(out, "`network`: the width of node \"" + file.nodes[v].name + "\"");
            return out;
        };
        Graph<R, Count> out;
        out.input_name = file.nodes.front().name;
        out.input_width = width_of(0);
        GraphBlock<R, Count> block;
        block.numbered = false;
        std::vector<R> fan_in(file.nodes.size(), R(0));
        for (auto const& e : file.edges) {
            if (!e.skip) fan_in[e.to] = fan_in[e.to] + width_of(e.from);
        }
        for (std::size_t v = 1; v < file.nodes.size(); ++v) {
            auto const& node = file.nodes[v];
            auto& out_node = block.nodes.emplace_back(linear_node(width_of(v), node.name));
            if (node.concatenation) out_node.kind = GraphNode<R>::Kind::concatenation;
            out_node.bias = bias_of(node.bias_variance, node.bias_law, R(0), fan_in[v], out_node.width, "network");
            if (!node.gated) continue;
            out_node.gate = Gate<R>{};
            if (node.slope) out_node.gate->negative = value(*node.slope, "network");
        }
        for (auto const& e : file.edges) {
            GraphEdge<R> edge{.name = e.name, .from = e.from, .to = e.to};
            if (e.skip) {
                edge.kind = GraphEdge<R>::Kind::skip;
            } else {
                std::string const what = "`network`: the variance of edge \"" + e.name + "\"";
                auto const gate = block.nodes[e.to - 1].gate.value_or(Gate<R>::open());
                R const& rows = block.nodes[e.to - 1].width;
                edge.variance = e.variance ? variance_value(*e.variance, fan_in[e.to], rows, "network")
                                           : weight_variance(Scheme::he, gate, fan_in[e.to], R(1), false);
                require_positive(edge.variance, what);
                if (e.kurtosis) edge.law = law_of_kurtosis(value(*e.kurtosis, "network"), "network");
                if (e.law) edge.law.kind = *e.law;
                if (e.label_factor) edge.label_factor = value(*e.label_factor, "network");
            }
            block.edges.push_back(std::move(edge));
        }
        out.blocks = {std::move(block)};
        check_graph(out, "network");
        return out;
    }

    // ---- input

    void read_input(Model<R, Count>& out) const {
        R const& width = out.graph().input_width;
        if (text_.input) {
            R square(text_.input->square);
            R fourth(text_.input->fourth);
            out.input.assign(text_.input->numbers.begin(), text_.input->numbers.end());
            if (out.input.empty()) {
                for (auto const& e : text_.input->entries) {
                    R const x = value(e, "input");
                    out.input.push_back(x);
                    square = square + x * x;
                    fourth = fourth + x * x * x * x;
                }
            }
            auto const gap = sign_of(R(width - R(static_cast<int>(out.input.size()))));
            if (gap && *gap != 0) {
                throw DomainError("`input`: " + std::to_string(out.input.size()) +
                                      " coordinates for an input width of " + to_string(width),
                                  "input");
            }
            out.squared_norm = square;
            out.fourth = fourth;
            require_positive(out.squared_norm, "`input`: |x|^2");
            return;
        }
        if (text_.squared_norm) out.squared_norm = value(*text_.squared_norm, "input_squared_norm");
        require_positive(out.squared_norm, "input_squared_norm");
        if (!text_.fourth) return;
        out.fourth = value(*text_.fourth, "input_fourth");
        R const most = out.squared_norm * out.squared_norm;
        require_at_least(*out.fourth, R(most / width), "input_fourth",
                         "sum x_i^4 is at least |x|^4/d_0 = " + to_string(R(most / width)));
        require_at_least(most, *out.fourth, "|x|^4",
                         "it is at least sum x_i^4 = `input_fourth` = " + to_string(*out.fourth));
    }

    ModelText const& text_;
    Bindings const& bindings_;
    std::vector<Requirement<R>>& requirements_;
    Activation<R> activation_;
};

template <class Kind>
auto built(ModelText const& text, Bindings const& bindings) {
    std::vector<Requirement<typename Kind::R>> requirements;
    auto out = Builder<Kind>(text, bindings, requirements).all();
    out.requirements = std::move(requirements);
    return out;
}

}  // namespace

NumericModel numeric_model(ModelText const& text, Bindings const& bindings) {
    return built<NumericKind>(text, bindings);
}
SymbolicModel symbolic_model(ModelText const& text, Bindings const& bindings) {
    return built<SymbolicKind>(text, bindings);
}

Rational rational_of(Surd const& x, std::string const& parameter) {
    if (x.is_rational()) return x.to_rational();
    throw UnsupportedError(named(parameter) + ": " + to_string(x) + " has a root in it; rational numbers are served",
                           parameter);
}
Rational rational_at(Expression const& e, Bindings const& bindings, std::string const& parameter) {
    return rational_of(value_at<Surd>(e, bindings, parameter), parameter);
}

}  // namespace isserlis::quantity
