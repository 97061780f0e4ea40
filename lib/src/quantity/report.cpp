// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/formula/network_size.hpp>
#include <isserlis/question/reason.hpp>
#include <map>
#include <set>

#include "quantity/commands.hpp"
#include "quantity/unchecked.hpp"
#include "range/edges.hpp"
#include "range/range_fit.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_layers_shown = 6;
constexpr std::size_t shown_at_the_start = 1;
constexpr std::size_t shown_at_the_end = 2;
constexpr std::size_t most_symbols = 6;  ///< of formulas that take seconds beyond
constexpr ModelParameters report_parameters{
    .target = true, .activation = true, .variance = true, .law = true, .bias = true, .input = true};

/// The parameters of the report, and what `moments` calls one of them.
ParameterSet<ModelText> report_model() {
    ParameterSet<ModelText> out = model_parameters(report_parameters);
    out.add(kurtosis_parameter("fourth_moment", "R|LIST", ""));
    return out;
}

struct ReportRequest {
    ModelText typed;
    std::vector<ModelText> networks;
    bool biases = false;  ///< to be counted
};

/// Which indices of a command's results the report shows.
enum class Pick { all, shown_layers, last_layer, last_pair };

/// A command whose main results are in the report.
struct Part {
    Command (*command)();
    Pick pick;
    std::vector<std::string> names;
    /// Model options that the command does not have since its results do not depend on them.
    std::set<std::string> indifferent;
};

/// "l,2"
std::string joined_index(std::vector<std::string> const& index) {
    std::string out;
    for (auto const& part : index) out += (out.empty() ? "" : ",") + part;
    return out;
}

std::set<std::string> joined(std::set<std::string> a, std::set<std::string> const& b) {
    a.insert(b.begin(), b.end());
    return a;
}

std::vector<Part> const& parts() {
    static std::set<std::string> const target{"target_second_moment"};
    static std::set<std::string> const weights{"network", "activation", "head", "scheme", "variance"};
    static std::set<std::string> const data = joined(target, {"ties", "input", "input_squared_norm", "input_fourth"});
    static std::set<std::string> const law_and_data = joined(data, {"law", "kurtosis"});
    static std::set<std::string> const of_matrices = joined(weights, {"bias_variance", "bias_law"});
    static std::vector<Part> const all = {
        {norm_command,
         Pick::shown_layers,
         {"squared_norm_mean", "squared_norm_variance", "log_squared_norm_mean"},
         target},
        {init_command, Pick::shown_layers, {"weight_variance", "update_ratio"}, law_and_data},
        {jacobian_command, Pick::shown_layers, {"jacobian_mean", "jacobian_variance", "gradient_squared_mean"}, {}},
        {ntk_command, Pick::all, {"ntk_mean", "ntk_variance"}, target},
        {hessian_command,
         Pick::all,
         {"hessian_frobenius_squared", "gauss_newton", "functional", "cross", "target", "top_eigenvalue_upper",
          "dead_probability"},
         {}},
        {mup_command, Pick::all, {"mup_learning_rate"}, weights},
        {moments_command,
         Pick::last_layer,
         {"second_moment", "rho", "gamma", "nu", "tau", "eta"},
         joined(of_matrices, data)},
        {products_command, Pick::last_pair, {"phi", "psi"}, joined(of_matrices, law_and_data)},
        {scaling_factor_command, Pick::all, {"scaling_factor"}, joined(of_matrices, law_and_data)},
    };
    return all;
}

/// The layers of a shallow network; the first and last few of a deep one, so that the report stays one page.
template <class Count>
std::vector<std::string> shown_layers(Places<Count> const& places, Answer& answer) {
    std::vector<std::string> out;
    for (auto const& place : places) out.push_back(place.label);
    if (out.size() <= most_layers_shown) return out;
    answer.warn("layers " + out[shown_at_the_start] + " .. " + out[out.size() - shown_at_the_end - 1] +
                " are left out of the report; `layer` K shows any of them");
    out.erase(out.begin() + shown_at_the_start, out.end() - shown_at_the_end);
    return out;
}

/// One network, asked of every command.
class Report {
public:
    Report(Session const& session, Bindings const& bindings, ModelText const& text, std::string widths, bool biases,
           Answer& answer)
        : session_(session),
          bindings_(bindings),
          text_(text),
          widths_(std::move(widths)),
          biases_(biases),
          answer_(answer) {}

    template <class Model>
    void add(Model const& model) {
        auto const places = layer_places(model.net().layers, session_.layer, answer_);
        layers_ = shown_layers(places, answer_);
        is_cut_ = session_.layer || places.size() > most_layers_shown;
        answer_.add("parameters", {}, parameter_count(model.net(), biases_), {}, not_random);
        auto const bounds = minimal_width(model.net().input_width(), model.net().output_width());
        answer_.add("minimal_width_lower", {}, bounds.lower, {}, not_random);
        answer_.add("minimal_width_upper", {}, bounds.upper, {}, not_random);
        for (auto const& part : parts()) add_part(part);
        leave_out("loss-curve", "of one sample it is asked by itself, of a data set with `data`");
        leave_out("coord-check", "its table has a line for each layer and quantity");
        leave_out("expect and form", "they answer what is typed");
        leave_out(text_.has_biases() ? "output_variance and update_ratio of init" : "output_variance of init",
                  "of inputs of the mean square c^2 per feature, not of this one");
        leave_out("kernel, gain, normalised, depth-rules, transfer, trace and the commands that train",
                  "they have questions of their own");
    }

private:
    void leave_out(std::string const& what, std::string const& why) {
        answer_.warn("not in the report: " + what + ": " + why);
    }

    void add_part(Part const& part) {
        Command const command = part.command();
        std::string const& name = command.text.name;
        if (name == "mup" && !is_mup_network()) {
            leave_out(name, "here it is asked of Gaussian ReLU networks of `scheme` mean-field with a linear head");
            return;
        }
        if ((name == "hessian" || name == "ntk") && open_symbols() > most_symbols) {
            leave_out(name, "formulas in " + std::to_string(open_symbols()) + " symbols take seconds; isserlis " +
                                name + " prints them");
            return;
        }
        try {
            auto const session = session_for(command, part);
            for (auto const& layer : asked_layers(part)) add_answer(command, part, session, layer);
        } catch (Interrupted const&) {
            throw;
        } catch (Error const& e) {
            if (std::string(e.argument()) == "input_fourth" && !text_.fourth) {
                add_without_fourth(command, part);
            } else {
                leave_out(name, reason(e));
            }
        }
    }

    /// Results that sum x_i^4 leaves alone: those that are the same where one coordinate is all of x and where all are
    /// alike, as each is a moment linear in it, or the root of one.
    void add_without_fourth(Command const& command, Part const& part) {
        auto const session = session_for(command, part);
        auto const typed = session.question.parameters.find("input_squared_norm");
        std::string const square = typed == session.question.parameters.end() ? "1" : typed->second.back();
        auto const asked = [&](std::string const& fourth, std::string const& layer) {
            Session at = session;
            at.question.parameters["input_fourth"] = {fourth};
            return answer_of(command, at, layer);
        };
        std::set<std::string> shown;
        std::map<std::string, std::string> needy;  // with its indices
        try {
            for (auto const& layer : asked_layers(part)) {
                auto const peaked = asked("(" + square + ")^2", layer);
                auto const flat = asked("(" + square + ")^2/" + text_.widths.front().width.text, layer);
                auto const& others = flat.assumptions();
                add_results(
                    command, part, peaked,
                    [&](std::string const& fact) {
                        return std::find(others.begin(), others.end(), fact) != others.end();
                    },
                    [&](Result const& result) {
                        bool const same =
                            std::any_of(flat.results().begin(), flat.results().end(), [&](Result const& other) {
                                return other.name == result.name && other.index == result.index &&
                                       other.exact == result.exact && other.decimal == result.decimal;
                            });
                        if (same) shown.insert(result.name);
                        if (!same) needy[result.name] += " [" + joined_index(result.index) + "]";
                        return same;
                    });
            }
        } catch (Interrupted const&) {
            throw;
        } catch (Error const& e) {
            leave_out(command.text.name, reason(e));
            return;
        }
        std::string names;
        for (auto const& name : part.names) {
            if (needy.count(name) == 0) continue;
            names += (names.empty() ? "" : ", ") + name + (shown.count(name) != 0 ? needy[name] : "");
        }
        if (!names.empty())
            leave_out(names,
                      "with a kurtosis other than 3 sum x_i^4 is needed; give it by `input_fourth`, or the "
                      "input itself by `input`");
    }

    /// What `layer` is for this part: a deep network is asked layer by layer, since a command would work on all.
    [[nodiscard]] std::vector<std::string> asked_layers(Part const& part) const {
        if (!is_cut_ || part.pick == Pick::all) return {""};
        if (part.pick == Pick::shown_layers) return layers_;
        return {part.pick == Pick::last_layer ? layers_.back() : "1," + layers_.back()};
    }

    [[nodiscard]] std::size_t open_symbols() const {
        auto const symbols = text_.symbols();
        return static_cast<std::size_t>(
            std::count_if(symbols.begin(), symbols.end(), [&](auto const& s) { return bindings_.count(s) == 0; }));
    }

    /// mup has no options for what it takes for granted.
    [[nodiscard]] bool is_mup_network() const {
        return text_.scheme == Scheme::mean_field && text_.activation == ActivationKind::relu && !text_.gated_head &&
               !text_.alpha && text_.law.value_or(LawKind::gaussian) == LawKind::gaussian && text_.kurtoses.empty();
    }

    /// The options as this command spells them, without those that it does not depend on.
    [[nodiscard]] Session session_for(Command const& command, Part const& part) const {
        Session out = session_;
        out.layer.reset();
        out.sweeps.clear();
        out.question.command = command.text.name;
        out.question.words = {widths_};
        auto& options = out.question.parameters;
        options.erase("layer");
        options.erase("table");
        options.erase("biases");
        for (auto const& parameter : part.indifferent) options.erase(parameter);
        auto const kurtosis = options.find("kurtosis");
        if (command.text.name == "moments" && kurtosis != options.end()) {
            options["fourth_moment"] = kurtosis->second;
            options.erase(kurtosis);
        }
        // Where a scheme fixes the law, as pytorch does, the entries have that law too.
        if (command.text.name == "moments" && text_.law && options.count("law") == 0)
            options["law"] = {isserlis::name(*text_.law)};
        ModelText typed;
        report_model().read(out.question, typed);
        auto symbols = typed.symbols();
        for (auto const& item : text_.widths) {
            for (auto const* token : {&item.width, &item.count}) {
                if (token->is_symbol) symbols.insert(token->text);
            }
        }
        std::erase_if(out.bindings, [&](auto const& b) { return symbols.count(b.first) == 0; });
        return out;
    }

    [[nodiscard]] Answer answer_of(Command const& command, Session session, std::string const& layer) const {
        if (!layer.empty()) session.layer = layer;
        Answer out(command.text.name, session.output);
        evaluate_with_ranges(command, command.read(session), session, bindings_, {}, out);
        return out;
    }

    void add_answer(Command const& command, Part const& part, Session const& session, std::string const& layer) {
        add_results(
            command, part, answer_of(command, session, layer), [](std::string const&) { return true; },
            [](Result const&) { return true; });
    }

    /// What of the answer is for the report and these predicates let through.
    void add_results(Command const& command, Part const& part, Answer const& out, auto const& is_fact,
                     auto const& is_result) {
        for (auto const& fact : out.assumptions()) {
            if (!is_assumed(fact) && !fact.starts_with("output variance") && is_fact(fact))
                answer_.assume(command.text.name + ": " + fact);
        }
        for (auto const& name : part.names) {
            if (name == "update_ratio" && text_.has_biases()) continue;  // it depends on the input, and is of another
            for (auto const& result : out.results()) {
                if (result.name != name || !is_result(result)) continue;
                if (is_shown(result, part.pick)) {
                    adopt(result);
                } else if (auto const edge = of_one_layer(result, part.pick)) {
                    adopt(*edge);
                }
            }
        }
    }

    void adopt(Result const& result) {
        if (result.exact || result.decimal) {
            answer_.adopt(result);
        } else {
            leave_out(result.name, result.form);
        }
    }

    [[nodiscard]] bool is_assumed(std::string const& fact) const {
        auto const& known = answer_.assumptions();
        return std::find(known.begin(), known.end(), fact) != known.end();
    }

    [[nodiscard]] bool is_shown(Result const& result, Pick pick) const {
        if (pick == Pick::all || result.index.empty()) return true;
        auto const& index = result.index;
        auto const& symbols = result.range.symbols;
        // An edge of what is shown.
        if (std::any_of(symbols.begin(), symbols.end(), [](auto const& s) { return s.is_point(); })) return true;
        if (pick == Pick::shown_layers)
            return !is_cut_ || std::find(layers_.begin(), layers_.end(), index[0]) != layers_.end();
        return index.back() == layers_.back() && (index.size() == 1 || index.front() == "1");
    }

    /// Where the last layer is any of a stretch: the first one, which it is at one depth.
    [[nodiscard]] std::optional<Result> of_one_layer(Result const& result, Pick pick) const {
        bool const is_first = result.index.back() == "1" && result.index.front() == "1";
        if (pick == Pick::all || pick == Pick::shown_layers || !is_first) return std::nullopt;
        for (auto const& d : answer_.declared()) {
            if (d.role != SymbolRole::layer || d.range.symbol != layers_.back()) continue;
            Exponent const most = linear_form(d.range.most);
            if (most.symbols().size() != 1 || most.symbols().front().second != 1) continue;
            Result out = result;
            out.range.set(SymbolRange::only(most.symbols().front().first, to_string(Rational(1 - most.constant()))));
            return out;
        }
        return std::nullopt;
    }

    Session const& session_;
    Bindings const& bindings_;
    ModelText const& text_;
    std::string widths_;
    bool biases_;
    Answer& answer_;
    std::vector<std::string> layers_;
    bool is_cut_ = false;  ///< not all layers are shown
};

void evaluate_report(ReportRequest const& request, Session const& session, Bindings const& bindings, Answer& answer) {
    answer.group_by_command();
    std::size_t next = 0;
    for_each_network(request.networks, session, bindings, report_parameters, answer, [&](ModelText const& text) {
        answer.assume("report: minimal widths are those of ReLU networks with biases");
        bool const biases = request.biases || text.has_biases();
        if (biases)
            answer.assume(std::string("report: parameters counts a bias for each neuron; ") +
                          (text.has_biases() ? "derivatives are by" : "all else is by and of") + " weights alone");
        std::string const& widths = session.question.words[next++];
        with_model(text, bindings,
                   [&](auto const& model) { Report(session, bindings, text, widths, biases, answer).add(model); });
    });
}

}  // namespace

Command report_command() {
    CommandOf<ReportRequest> out;
    out.text = {
        .name = "report",
        .summary = "The main results of other commands for one architecture, on one page",
        .positional = "`widths`",
        .positional_help = "d_0,..,d_n; numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
    };
    out.parameters.add(&ReportRequest::typed, model_parameters(report_parameters));
    out.parameters.add({"biases", "Count biases among the parameters, one for each neuron", &ReportRequest::biases});
    out.complete = read_all_networks<ReportRequest>;
    out.evaluate = evaluate_report;
    out.has_ranges = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
