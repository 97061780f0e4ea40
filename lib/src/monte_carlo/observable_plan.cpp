// SPDX-License-Identifier: MIT
#include "observable_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <isserlis/error.hpp>
#include <set>

namespace isserlis::monte_carlo::detail {
namespace {

using Set = LabelSets::Set;

/// Highest power of the targets in any term.
unsigned target_degree(ScopedSum const& sum) {
    unsigned highest = 0;
    for (auto const& term : sum.terms) {
        unsigned degree = 0;
        for (auto const& f : term.factors) {
            if (f.kind == ScopedFactor::Kind::target) degree += f.power;
            if (f.kind == ScopedFactor::Kind::bracket) degree += f.power * target_degree(*f.bracket);
            degree = std::min(degree, 1000U);  // far beyond all that is allowed
        }
        highest = std::max(highest, degree);
    }
    return highest;
}

/// Turns a scoped query into outputs to fill and a tensor program to run.
class Planner {
public:
    Planner(ObservablePlan& plan, ObservableSettings const& settings) : plan_(plan), settings_(settings) {}

    /// Sizes of all axes, from every place where they occur.
    void measure(ScopedSum const& sum) {
        for (auto const& term : sum.terms)
            for (auto const& factor : term.factors) {
                if (factor.bracket) measure(*factor.bracket);
                for (std::size_t p = 0; p < factor.places.size(); ++p) measure(factor, factor.places[p]);
                for (auto const& label : factor.labels) {
                    if (label_axes_.count(label) != 0) continue;
                    Set const set = plan_.label_sets.of(written(label));
                    label_axes_[label] = set;
                    axes_[label] = plan_.program.add_axis(set->size());
                }
            }
    }

    /// A tensor over the free axes of the sum, shared with every sum that differs in names alone.
    TensorView bracket(ScopedSum const& sum) {
        std::map<std::string, std::string> names;
        std::string const key = text(sum, names);
        std::vector<std::string> order = sum.free;
        std::sort(order.begin(), order.end(),
                  [&](std::string const& a, std::string const& b) { return names[a] < names[b]; });
        std::vector<std::size_t> axes;
        for (auto const& letter : order) axes.push_back(axes_.at(letter));
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

private:
    [[nodiscard]] std::size_t node_of(ScopedFactor const& factor) const {
        auto const& nodes = plan_.layout.nodes();
        if (factor.kind != ScopedFactor::Kind::output || factor.name.empty()) return plan_.layout.output();
        auto const found =
            std::find_if(nodes.begin(), nodes.end(), [&](auto const& node) { return node.name == factor.name; });
        if (found == nodes.end()) refuse_query("there is no node '" + printable(factor.name) + "'");
        return static_cast<std::size_t>(found - nodes.begin());
    }

    [[nodiscard]] std::string described(ScopedFactor const& factor) const {
        if (factor.kind == ScopedFactor::Kind::constant) return printable(factor.name);
        if (factor.kind == ScopedFactor::Kind::target) return "y";
        std::string const letter = factor.activated ? "h" : "z";
        return factor.name.empty() ? letter : letter + "{" + printable(factor.name) + "}";
    }

    [[nodiscard]] std::size_t width_of(ScopedFactor const& factor) const {
        if (factor.kind != ScopedFactor::Kind::constant) return plan_.layout.nodes()[node_of(factor)].width;
        bool const vector = factor.places.size() == 1;
        auto const v = settings_.vectors.find(factor.name);
        auto const m = settings_.matrices.find(factor.name);
        if (vector && v != settings_.vectors.end()) return v->second.size();
        if (!vector && m != settings_.matrices.end()) return m->second.size();
        refuse_query("the " + std::string(vector ? "vector " : "matrix ") + printable(factor.name) + " is not given");
    }

    void measure(ScopedFactor const& factor, Place const& place) {
        std::size_t const width = width_of(factor);
        if (place.axis.empty()) {
            if (place.fixed > width)
                refuse_query(described(factor) + " has " + std::to_string(width) + " neurons, so there is no neuron " +
                             std::to_string(place.fixed));
            if (place.fixed == 0 && width != 1)
                refuse_query(described(factor) + " has " + std::to_string(width) +
                             " neurons; say which, by a letter or a number");
            return;
        }
        auto const [found, is_new] = axes_.emplace(place.axis, 0);
        if (is_new) {
            found->second = plan_.program.add_axis(width);
            widths_[place.axis] = {width, described(factor)};
            return;
        }
        auto const& [size, where] = widths_[place.axis];
        if (size != width)
            refuse_query("'" + printable(written(place.axis)) + "' runs over " + std::to_string(size) + " neurons of " +
                         where + " and over " + std::to_string(width) + " of " + described(factor));
    }

    /// The sum in a notation where axes are called by their first occurrence and what they run over.
    std::string text(ScopedSum const& sum, std::map<std::string, std::string>& names) {
        auto const name = [&](std::string const& axis) {
            auto const [found, is_new] = names.emplace(axis, "");
            if (is_new) {
                std::string const number = std::to_string(1000 + names.size());
                auto const label = label_axes_.find(axis);
                found->second = number + (label == label_axes_.end()
                                              ? "n" + std::to_string(widths_[axis].first)
                                              : "l" + std::to_string(reinterpret_cast<std::uintptr_t>(label->second)));
            }
            return found->second;
        };
        std::string out;
        for (auto const& term : sum.terms) {
            char coefficient[40];
            std::snprintf(coefficient, sizeof coefficient, "%a", term.coefficient);
            out += std::string("+") + coefficient;
            for (auto const& f : term.factors) {
                out += "*" + std::to_string(static_cast<int>(f.kind)) + (f.activated ? "h" : "z") + f.name + "@" +
                       f.input + "[";
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
        for (auto const& factor : term.factors) {
            TensorView view = tensor(factor);
            if (factor.power > 2) view.buffer = plan_.program.add_power(view.buffer, factor.power);
            for (unsigned k = 0; k < (factor.power == 2 ? 2U : 1U); ++k) views.push_back(view);
        }
        for (auto const& axis : term.summed) {
            auto const label = label_axes_.find(axis);
            if (label == label_axes_.end()) continue;
            if (auto const factors = label_factors(label->second)) {
                TensorView view{.buffer = *factors, .offset = 0, .axes = {}, .strides = {}};
                view.add_axis(axes_.at(axis), 1);
                views.push_back(view);
            }
        }
        plan_.program.add_product(out, term.coefficient, std::move(views));
    }

    TensorView tensor(ScopedFactor const& factor) {
        switch (factor.kind) {
            case ScopedFactor::Kind::bracket: return bracket(*factor.bracket);
            case ScopedFactor::Kind::output: return output(factor);
            case ScopedFactor::Kind::target: {
                if (!plan_.targets) plan_.targets = plan_.program.add_buffer(static_cast<double>(width_of(factor)));
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
                out.add_axis(axes_.at(places[p].axis), strides[p]);
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
    std::optional<std::size_t> label_factors(Set set) {
        std::vector<double> factors;
        for (std::size_t const w : *set)
            factors.push_back(plan_.graph.blocks.front().edges[plan_.layout.weights()[w].edge].label_factor);
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

    TensorView output(ScopedFactor const& factor) {
        if (factor.labels.size() > highest_derivative)
            throw UnsupportedError("`query`: a derivative of order " + std::to_string(factor.labels.size()) +
                                       "; up to order " + std::to_string(highest_derivative) + " is sampled",
                                   "query");
        Place const& place = factor.places.front();
        ObservablePlan::Output out;
        out.tensor.node = node_of(factor);
        out.tensor.activated = factor.activated;
        out.input = input(factor.input);
        if (place.axis.empty()) {
            out.tensor.first = place.fixed == 0 ? 0 : place.fixed - 1;
        } else {
            out.tensor.count = width_of(factor);
        }
        std::vector<std::string> labels = factor.labels;
        std::stable_sort(labels.begin(), labels.end(), [&](std::string const& a, std::string const& b) {
            return *label_axes_.at(a) < *label_axes_.at(b);  // by contents, so that every run rounds alike
        });
        double size = static_cast<double>(out.tensor.count);
        for (auto const& label : labels) {
            out.tensor.by.push_back(label_axes_.at(label));
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
            view.add_axis(axes_.at(labels[k]), stride);
            stride *= out.tensor.by[k]->size();
        }
        if (!place.axis.empty()) view.add_axis(axes_.at(place.axis), stride);
        return view;
    }

    ObservablePlan& plan_;
    ObservableSettings const& settings_;
    std::map<std::string, Set> label_axes_;
    std::map<std::string, std::size_t> axes_;  ///< of letters and labels
    std::map<std::string, std::pair<std::size_t, std::string>> widths_;
    std::map<std::string, TensorView> brackets_;
    std::map<std::string, std::size_t> constants_;
    std::map<std::string, std::size_t> inputs_;
};

}  // namespace

ObservablePlan::ObservablePlan(GraphModel const& model, Query const& query, ObservableSettings const& settings)
    : ObservablePlan(model, query, settings, scoped(query.observable, settings.parameters)) {}

ObservablePlan::ObservablePlan(GraphModel const& model, Query const& query, ObservableSettings const& settings,
                               ScopedSum const& sum)
    : graph(model.flat_graph()),
      layout(graph, model.unit_parameters),
      ties(gates_can_tie(graph)),
      label_sets(layout, query.restrictions, settings.labels_of_p_alone),
      target_law(settings.target_second_moment, settings.target_fourth_moment, target_degree(sum)) {
    require_decided_ties(graph, model.ties);
    Planner planner(*this, settings);
    planner.measure(sum);
    result = planner.bracket(sum).buffer;
}

double ObservablePlan::work() const {
    auto const weights = static_cast<double>(layout.weights().size());
    double out =
        operations_per_weight * weights + 2 * weights * static_cast<double>(inputs.size()) + 2 * program.work();
    for (auto const& o : outputs) out += work_of(layout, o.tensor);
    return out;
}

}  // namespace isserlis::monte_carlo::detail
