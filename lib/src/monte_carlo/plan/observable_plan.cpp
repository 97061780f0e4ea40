// SPDX-License-Identifier: MIT
#include "observable_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <isserlis/error.hpp>
#include <set>

#include "gradient_pairs.hpp"
#include "query_axes.hpp"

namespace isserlis::monte_carlo::detail {
namespace {

unsigned target_degree(std::vector<ScopedSum> const& sums) {
    unsigned highest = 0;
    for (auto const& sum : sums) highest = std::max(highest, target_degree(sum));
    return highest;
}

std::vector<ScopedSum> scoped_sums(std::vector<Query> const& queries, ObservableSettings const& settings) {
    std::vector<ScopedSum> out;
    for (auto const& query : queries)
        out.push_back(with_gradients_paired(scoped(query.observable, settings.parameters)));
    return out;
}

/// Turns scoped queries into outputs and kernels to fill and a tensor program to run.
class Planner {
public:
    Planner(ObservablePlan& plan, ObservableSettings const& settings, PairsOf pairs)
        : plan_(plan),
          settings_(settings),
          pairs_(pairs),
          axes_(plan.layout, settings, plan.label_sets, plan.program) {}

    /// The buffer of the query's value.
    std::size_t add(ScopedSum const& sum, std::vector<LabelRestriction> const& restrictions) {
        axes_.measure(sum, restrictions);
        return bracket(sum).buffer;
    }

private:
    /// A tensor over the free axes of the sum, shared with every sum that differs in names alone.
    TensorView bracket(ScopedSum const& sum) {
        std::map<std::string, std::string> names;
        std::string const key = text(sum, names);
        std::vector<std::string> order = sum.free;
        std::sort(order.begin(), order.end(),
                  [&](std::string const& a, std::string const& b) { return names[a] < names[b]; });
        std::vector<std::size_t> axes;
        for (auto const& letter : order) axes.push_back(axes_.axis(letter));
        auto found = brackets_.find(key);
        if (found == brackets_.end()) {
            TensorView const out = plan_.program.add_tensor(axes);
            plan_.program.clear(out);
            for (auto const& term : sum.terms) add_term(term, out);
            found = brackets_.emplace(key, out).first;
        }
        TensorView out = found->second;
        out.axes = axes;
        return out;
    }

    /// The sum in a notation where axes are called by their first occurrence and what they run over.
    std::string text(ScopedSum const& sum, std::map<std::string, std::string>& names) {
        auto const name = [&](std::string const& axis) {
            auto const [found, is_new] = names.emplace(axis, "");
            if (is_new) found->second = std::to_string(1000 + names.size()) + axes_.range(axis);
            return found->second;
        };
        std::string out;
        for (auto const& term : sum.terms) {
            char coefficient[40];
            std::snprintf(coefficient, sizeof coefficient, "%a", term.coefficient);
            out += std::string("+") + coefficient;
            for (auto const& f : term.factors) {
                out += "*" + std::to_string(static_cast<int>(f.kind)) + (f.activated ? "h" : "z") + f.name + "@" +
                       f.input + (f.matrix ? "W[" : "[");
                for (auto const& place : f.places)
                    out += (place.axis.empty() ? "=" + std::to_string(place.fixed) : name(place.axis)) + ",";
                out += ";";
                for (auto const& label : f.labels) out += name(label) + ",";
                out += "]";
                if (f.bracket) out += "(" + text(*f.bracket, names) + ")";
                out += "^" + std::to_string(f.power);
            }
            out += "/";
            for (auto const& axis : term.summed) out += name(axis) + ",";
        }
        return out;
    }

    void add_term(ScopedTerm const& term, TensorView const& out) {
        if (term.coefficient == 0) return;
        for (auto const& factor : term.factors)
            // Two derivatives by one weight: a path takes each matrix once.
            if (std::set<std::string>(factor.labels.begin(), factor.labels.end()).size() < factor.labels.size()) return;
        std::vector<TensorView> views;
        std::set<std::size_t> taken;
        std::set<std::string> summed_inside;
        std::vector<std::string> left;
        for (auto const& axis : term.summed) {
            if (summed_inside.count(axis) != 0) continue;
            auto const pair = gradient_pair(term, axis);
            if (!pair.empty()) {
                views.push_back(kernel(term, pair, axis, taken));
                continue;
            }
            auto const curved = curvature(term, axis);
            if (!curved) {
                left.push_back(axis);
                continue;
            }
            summed_inside.insert(curved->other);
            views.push_back(curved->is_square ? square(term, *curved, axis, taken) : bend(term, *curved, axis, taken));
        }
        for (std::size_t f = 0; f < term.factors.size(); ++f) {
            if (taken.count(f) != 0) continue;
            auto const& factor = term.factors[f];
            TensorView view = tensor(factor);
            if (factor.power > 2) view.buffer = plan_.program.add_power(view.buffer, factor.power);
            for (unsigned k = 0; k < (factor.power == 2 ? 2U : 1U); ++k) views.push_back(view);
        }
        for (auto const& axis : left) {
            auto const* const set = axes_.label(axis);
            if (set == nullptr) continue;
            if (auto const factors = label_factors(set)) {
                TensorView view{.buffer = *factors, .offset = 0, .axes = {}, .strides = {}};
                view.add_axis(axes_.axis(axis), 1);
                views.push_back(view);
            }
        }
        plan_.program.add_product(out, term.coefficient, std::move(views));
    }

    /// The sum over a label of the product of two first derivatives by it.
    TensorView kernel(ScopedTerm const& term, std::vector<std::size_t> const& pair, std::string const& label,
                      std::set<std::size_t>& taken) {
        taken.insert(pair.begin(), pair.end());
        auto const at = [&](std::size_t place) {
            if (pairs_ == PairsOf::outputs) return neurons(term.factors[place]);
            NeuronsAt const out = neurons_or_sum(term, place, taken);
            plan_.has_sums_in_pairs = plan_.has_sums_in_pairs || out.factors;
            return out;
        };
        NeuronsAt const of_a = at(pair[0]);
        NeuronsAt const of_b = at(pair[1]);
        std::string const& letter_a = term.factors[pair[0]].places.front().axis;
        std::string const& letter_b = term.factors[pair[1]].places.front().axis;
        bool const diagonal = !letter_a.empty() && letter_a == letter_b;
        auto const place = plan_.kernels.add(plan_.program, of_a, of_b, diagonal, factors_of(label));
        TensorView out{.buffer = place.buffer, .offset = 0, .axes = {}, .strides = {}};
        if (!letter_a.empty() && !of_a.factors) out.add_axis(axes_.axis(letter_a), place.a);
        if (!letter_b.empty() && !of_b.factors && !diagonal) out.add_axis(axes_.axis(letter_b), place.b);
        return out;
    }

    [[nodiscard]] EdgeFactors factors_of(std::string const& label) const {
        return plan_.label_sets.factors(axes_.label(label), plan_.graph);
    }

    /// The sum over two labels of the product of two second derivatives by both.
    TensorView square(ScopedTerm const& term, Curvature const& of, std::string const& label,
                      std::set<std::size_t>& taken) {
        auto const& x = term.factors[of.x];
        auto const& y = term.factors[of.y];
        taken.insert({of.x, of.y});
        std::string const& letter_x = x.places.front().axis;
        std::string const& letter_y = y.places.front().axis;
        bool const diagonal = !letter_x.empty() && letter_x == letter_y;
        NeuronsAt const of_x = neurons_or_sum(term, of.x, taken);
        NeuronsAt const of_y = neurons_or_sum(term, of.y, taken);
        TensorView out{.buffer = plan_.curvatures.add_square(plan_.program, of_x, of_y, diagonal, factors_of(label),
                                                             factors_of(of.other)),
                       .offset = 0,
                       .axes = {},
                       .strides = {}};
        if (!letter_x.empty() && !of_x.factors) out.add_axis(axes_.axis(letter_x), diagonal ? 1 : of_y.rows());
        if (!letter_y.empty() && !of_y.factors && !diagonal) out.add_axis(axes_.axis(letter_y), 1);
        return out;
    }

    /// The sum over two labels of a second derivative by both and a first one by each.
    TensorView bend(ScopedTerm const& term, Curvature const& of, std::string const& label,
                    std::set<std::size_t>& taken) {
        std::size_t const places[] = {of.by_label, of.by_both, of.by_other};  // NOLINT(modernize-avoid-c-arrays)
        taken.insert(std::begin(places), std::end(places));
        std::vector<NeuronsAt> at;
        for (std::size_t const f : places) at.push_back(neurons_or_sum(term, f, taken));
        TensorView out{.buffer = plan_.curvatures.add_bend(plan_.program, at[0], at[1], at[2], factors_of(label),
                                                           factors_of(of.other)),
                       .offset = 0,
                       .axes = {},
                       .strides = {}};
        std::size_t const strides[] = {at[1].rows() * at[2].rows(), at[2].rows(),
                                       1};  // NOLINT(modernize-avoid-c-arrays)
        for (std::size_t k = 0; k < at.size(); ++k) {
            std::string const& letter = term.factors[places[k]].places.front().axis;
            if (!letter.empty() && !at[k].factors) out.add_axis(axes_.axis(letter), strides[k]);
        }
        return out;
    }

    /// What a factor takes; where its letter is summed with factors that have nothing else, the sum with those as
    /// factors: (z[i] - y[i]) z[i;m] is one gradient, not one for each output.
    NeuronsAt neurons_or_sum(ScopedTerm const& term, std::size_t place, std::set<std::size_t>& taken) {
        NeuronsAt out = neurons(term.factors[place]);
        auto const along = factors_along(term, place);
        if (along.empty() || out.rows() == 1) return out;
        ScopedSum factors{.free = {term.factors[place].places.front().axis}, .terms = {ScopedTerm{}}};
        for (std::size_t const f : along) factors.terms.front().factors.push_back(term.factors[f]);
        taken.insert(along.begin(), along.end());
        plan_.program.first([&] {
            std::swap(brackets_, first_brackets_);
            out.factors = bracket(factors).buffer;
            std::swap(brackets_, first_brackets_);
        });
        return out;
    }

    /// What an output factor takes, at which input.
    [[nodiscard]] NeuronsAt neurons(ScopedFactor const& factor) {
        Place const& place = factor.places.front();
        NeuronsAt out{.neurons = {.node = axes_.node_of(factor), .activated = factor.activated, .first = 0, .count = 1},
                      .input = input(factor.input)};
        if (place.axis.empty())
            out.neurons.first = place.fixed == 0 ? 0 : place.fixed - 1;
        else
            out.neurons.count = axes_.width_of(factor);
        return out;
    }

    TensorView tensor(ScopedFactor const& factor) {
        switch (factor.kind) {
            case ScopedFactor::Kind::bracket: return bracket(*factor.bracket);
            case ScopedFactor::Kind::output: return output(factor);
            case ScopedFactor::Kind::entry: return entry(factor);
            case ScopedFactor::Kind::target: {
                if (!plan_.targets)
                    plan_.targets = plan_.program.add_buffer(static_cast<double>(axes_.width_of(factor)));
                return along(*plan_.targets, factor.places, {1});
            }
            case ScopedFactor::Kind::constant: break;
        }
        if (factor.places.size() == 1)
            return along(constant("vector " + factor.name, settings_.vectors.at(factor.name)), factor.places, {1});
        auto const& rows = settings_.matrices.at(factor.name);
        std::vector<double> entries;
        for (auto const& row : rows) entries.insert(entries.end(), row.begin(), row.end());
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = 0; j < rows.size(); ++j)
                if (rows[i].size() != rows.size() || rows[j].size() != rows.size() || !(rows[i][j] == rows[j][i]))
                    refuse_query("the matrix " + printable(factor.name) + " is not symmetric");
        return along(constant("matrix " + factor.name, entries), factor.places, {rows.size(), 1});
    }

    [[nodiscard]] TensorView along(std::size_t buffer, std::vector<Place> const& places,
                                   std::vector<std::size_t> const& strides) const {
        TensorView out{.buffer = buffer, .offset = 0, .axes = {}, .strides = {}};
        for (std::size_t p = 0; p < places.size(); ++p) {
            if (!places[p].axis.empty())
                out.add_axis(axes_.axis(places[p].axis), strides[p]);
            else if (places[p].fixed != 0)
                out.offset += (places[p].fixed - 1) * strides[p];
        }
        return out;
    }

    std::size_t constant(std::string const& key, std::vector<double> const& entries) {
        auto const [found, is_new] = constants_.emplace(key, 0);
        if (is_new) {
            for (double const entry : entries)
                if (!std::isfinite(entry)) refuse_query("an entry of the " + printable(key) + " is not finite");
            found->second = plan_.program.add_buffer(static_cast<double>(entries.size()));
            plan_.constants.push_back({.buffer = found->second, .entries = entries});
        }
        return found->second;
    }

    /// The buffer with the label factors of a set of weights, unless they are all 1.
    std::optional<std::size_t> label_factors(LabelSets::Set set) {
        auto const& edges = plan_.graph.stages.front().edges;
        std::vector<double> factors;
        for (std::size_t const w : plan_.label_sets.weights(set))
            factors.push_back(edges[plan_.layout.weights()[w].edge].label_factor);
        if (std::all_of(factors.begin(), factors.end(), [](double f) { return f == 1; })) return std::nullopt;
        return constant("label factors " + std::to_string(reinterpret_cast<std::uintptr_t>(set)), factors);
    }

    std::size_t input(std::string const& name) {
        auto const [found, is_new] = inputs_.emplace(name, plan_.inputs.size());
        if (!is_new) return found->second;
        auto const given = settings_.inputs.find(name);
        if (given == settings_.inputs.end())
            refuse_query(name.empty() ? "no input is given" : "the input @" + printable(name) + " is not given");
        std::size_t const width = plan_.layout.nodes().front().width;
        if (given->second.size() != width)
            throw DomainError("ObservableSettings: the input " + printable(name) + " has " +
                                  std::to_string(given->second.size()) + " entries, the network takes " +
                                  std::to_string(width),
                              "input");
        for (double const x : given->second)
            if (!std::isfinite(x))
                throw DomainError("ObservableSettings: an entry of the input " + printable(name) + " is not finite",
                                  "input");
        plan_.inputs.push_back(given->second);
        return found->second;
    }

    TensorView entry(ScopedFactor const& factor) {
        ObservablePlan::Entries out;
        if (factor.matrix) {
            out.tensor.edge = axes_.edge_of(factor);
        } else {
            out.tensor.node = axes_.node_of(factor);
            out.tensor.activated = factor.activated;
            out.input = input(factor.input);
        }
        std::size_t const columns = axes_.width_of(factor, 1);
        auto const found = std::find_if(plan_.entries.begin(), plan_.entries.end(),
                                        [&](auto const& e) { return e.tensor == out.tensor && e.input == out.input; });
        if (found != plan_.entries.end()) {
            out.buffer = found->buffer;
        } else {
            out.buffer =
                plan_.program.add_buffer(static_cast<double>(axes_.width_of(factor, 0)) * static_cast<double>(columns));
            plan_.entries.push_back(out);
        }
        return along(out.buffer, factor.places, {columns, 1});
    }

    TensorView output(ScopedFactor const& factor) {
        if (factor.labels.size() > highest_derivative)
            throw UnsupportedError("`query`: a derivative of order " + std::to_string(factor.labels.size()) +
                                       "; up to order " + std::to_string(highest_derivative) + " is sampled",
                                   "query");
        Place const& place = factor.places.front();
        ObservablePlan::Output out;
        NeuronsAt const at = neurons(factor);
        auto const& of = at.neurons;
        out.tensor = {.node = of.node, .activated = of.activated, .first = of.first, .count = of.count, .by = {}};
        out.input = at.input;
        std::vector<std::string> labels = factor.labels;
        std::stable_sort(labels.begin(), labels.end(), [&](std::string const& a, std::string const& b) {
            // By contents, so that every run rounds alike.
            return plan_.label_sets.weights(axes_.label(a)) < plan_.label_sets.weights(axes_.label(b));
        });
        double size = static_cast<double>(out.tensor.count);
        for (auto const& label : labels) {
            if (plan_.label_sets.runs_over_biases(axes_.label(label), plan_.graph))
                throw UnsupportedError(
                    "`query`: derivatives by biases are sampled in sums of products of two first derivatives by one "
                    "label; "
                    "leave `bias_label_factor` out, or say by `where` which weights the label " +
                        label + " runs over",
                    "query");
            out.tensor.by.push_back(&plan_.label_sets.weights(axes_.label(label)));
            size *= static_cast<double>(out.tensor.by.back()->size());
        }
        auto const same = [&](ObservablePlan::Output const& o) {
            return o.tensor.node == out.tensor.node && o.tensor.activated == out.tensor.activated &&
                   o.tensor.first == out.tensor.first && o.tensor.count == out.tensor.count &&
                   o.tensor.by == out.tensor.by && o.input == out.input;
        };
        auto const found = std::find_if(plan_.outputs.begin(), plan_.outputs.end(), same);
        if (found != plan_.outputs.end()) {
            out.buffer = found->buffer;
        } else {
            out.buffer = plan_.program.add_buffer(size);
            plan_.outputs.push_back(out);
        }
        TensorView view{.buffer = out.buffer, .offset = 0, .axes = {}, .strides = {}};
        std::size_t stride = 1;
        for (std::size_t k = labels.size(); k-- > 0;) {
            view.add_axis(axes_.axis(labels[k]), stride);
            stride *= out.tensor.by[k]->size();
        }
        if (!place.axis.empty()) view.add_axis(axes_.axis(place.axis), stride);
        return view;
    }

    ObservablePlan& plan_;
    ObservableSettings const& settings_;
    PairsOf pairs_;
    QueryAxes axes_;
    std::map<std::string, TensorView> brackets_;
    std::map<std::string, TensorView> first_brackets_;  ///< that are there before the kernels
    std::map<std::string, std::size_t> constants_;
    std::map<std::string, std::size_t> inputs_;
};

}  // namespace

ObservablePlan::ObservablePlan(GraphModel const& model, std::vector<Query> const& queries,
                               ObservableSettings const& settings, PairsOf pairs)
    : ObservablePlan(model, queries, settings, pairs, scoped_sums(queries, settings)) {}

ObservablePlan::ObservablePlan(GraphModel const& model, std::vector<Query> const& queries,
                               ObservableSettings const& settings, PairsOf pairs, std::vector<ScopedSum> const& sums)
    : graph(model.flat_graph()),
      layout(graph, model.unit_parameters),
      ties(gates_can_tie(graph)),
      precision(model.precision),
      label_sets(layout, settings.labels_of_p_alone),
      target_law({.mean = settings.target_mean,
                  .second = settings.target_second_moment,
                  .third = settings.target_third_moment,
                  .fourth = settings.target_fourth_moment},
                 target_degree(sums)),
      kernels(layout),
      curvatures(layout, kernels) {
    require_decided_ties(graph, model.ties);
    Planner planner(*this, settings, pairs);
    for (std::size_t q = 0; q < queries.size(); ++q) results.push_back(planner.add(sums[q], queries[q].restrictions));
}

double ObservablePlan::work() const {
    auto const weights = static_cast<double>(layout.size());
    double one_by_one = 2 * weights * static_cast<double>(inputs.size()) + 2 * program.work();
    for (auto const& o : outputs) one_by_one += work_of(layout, o.tensor);
    for (auto const& e : entries) one_by_one += EntryFiller(layout, e.tensor).work();
    return weights + one_by_one / operations_per_weight +
           2 * (kernels.work() + curvatures.work()) / batched_operations_per_weight;
}

double ObservablePlan::numbers() const {
    double const copies = precision == Precision::float32 ? 0.5 : layout.concatenated() ? 2 : 1;
    double out = static_cast<double>(layout.drawn()) * copies + kernels.numbers();
    for (std::size_t const size : program.buffer_sizes()) out += static_cast<double>(size);
    return out;
}

std::shared_ptr<ObservablePlan const> best_plan(GraphModel const& model, std::vector<Query> const& queries,
                                                ObservableSettings const& settings) {
    auto const sums = std::make_shared<ObservablePlan const>(model, queries, settings, PairsOf::sums);
    if (!sums->has_sums_in_pairs) return sums;
    try {
        auto const outputs = std::make_shared<ObservablePlan const>(model, queries, settings, PairsOf::outputs);
        return outputs->work() <= sums->work() ? outputs : sums;
    } catch (UnsupportedError const&) {
        return sums;  // which are smaller
    }
}

}  // namespace isserlis::monte_carlo::detail
