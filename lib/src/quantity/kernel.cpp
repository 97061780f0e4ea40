// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/formula/pair_correction.hpp>
#include <isserlis/formula/width_correction.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/verify/observable.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "quantity/commands.hpp"
#include "quantity/engine_unit.hpp"
#include "quantity/kernel_check.hpp"
#include "quantity/kernel_data.hpp"
#include "quantity/kernel_values.hpp"
#include "question/names.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::uint64_t most_hidden_layers = 1'000;
constexpr std::uint64_t most_listed_layers = 50;  ///< beyond, the last one alone

struct NamedUnit {
    std::string typed;
    KernelUnit unit;
};

struct KernelRequest {
    std::vector<NamedUnit> units;
    std::uint64_t hidden_layers = 1;
    Expression weight_variance = Expression::parse("1", "weight_variance");
    Expression bias_variance = Expression::parse("0", "bias_variance");
    std::vector<Expression> gram;             ///< |x|^2/n_0, x.y/n_0, |y|^2/n_0
    std::vector<Expression> relative_widths;  ///< of hidden layers over n; none means 1
    DataSetText set;                          ///< samples in place of two inputs
    std::optional<DataSet> data;              ///< what it names
};

NamedUnit kernel_unit(std::string const& word) {
    if (auto const smooth = smooth_unit(word)) return {.typed = word, .unit = *smooth};
    return {.typed = word, .unit = gate_of_unit(word)};
}

void complete_kernel(KernelRequest& request, Session const& session) {
    if (session.question.words.empty())
        throw ParseError("a unit is missing; choose " + std::string(unit_choices), "units");
    for (auto const& word : session.question.words) request.units.push_back(kernel_unit(word));
    if (!request.set.name.empty()) {
        for (char const* other : {"gram", "relative_widths"})
            if (session.question.parameters.count(other) != 0)
                throw ParseError(named(other) + " is for two inputs; those of `data` are its samples", other);
        request.data = read_data_set(request.set);
        constexpr std::size_t most_samples = 100;
        if (request.data->samples() > most_samples)
            throw UnsupportedError("`data`: " + std::to_string(request.data->samples()) + " samples; up to " +
                                       std::to_string(most_samples) + " are served",
                                   "data");
    }
    if (request.gram.empty()) request.gram = parse_list("1,1/2,1", "gram");
    if (request.gram.size() != 3)
        throw ParseError("`gram`: " + std::to_string(request.gram.size()) +
                             " numbers; three are required, |x|^2/n_0, x.y/n_0 and |y|^2/n_0 of the two inputs",
                         "gram");
    std::set<std::string> symbols;
    for (auto const& e : request.gram) symbols.merge(e.symbols());
    for (auto const& e : request.relative_widths) symbols.merge(e.symbols());
    symbols.merge(request.weight_variance.symbols());
    symbols.merge(request.bias_variance.symbols());
    check_bindings(symbols, session);
}

/// One row for each layer: which entry of its kernels.
struct KernelRow {
    char const* name;
    char const* form;
    Kernels::Pick pick;
    char const* query;  ///< whose mean over networks with one hidden layer it is, z of the layer in question
};

constexpr std::array<KernelRow, 6> kernel_rows = {{
    {"kernel", "K(x,y)", [](WideKernels const& k) -> Enclosed const& { return k.kernel.uv; }, "z[1]@x z[1]@y"},
    {"kernel_x", "K(x,x)", [](WideKernels const& k) -> Enclosed const& { return k.kernel.uu; }, "z[1]@x z[1]@x"},
    {"kernel_y", "K(y,y)", [](WideKernels const& k) -> Enclosed const& { return k.kernel.vv; }, "z[1]@y z[1]@y"},
    {"tangent_kernel", "Theta(x,y)", [](WideKernels const& k) -> Enclosed const& { return k.tangent.uv; },
     "z[1;m]@x z[1;m]@y"},
    {"tangent_kernel_x", "Theta(x,x)", [](WideKernels const& k) -> Enclosed const& { return k.tangent.uu; },
     "z[1;m]@x z[1;m]@x"},
    {"tangent_kernel_y", "Theta(y,y)", [](WideKernels const& k) -> Enclosed const& { return k.tangent.vv; },
     "z[1;m]@y z[1;m]@y"},
}};

/// The rows of the first two layers, whose means are these at any width; in the order of `kernel_rows`.
std::map<std::uint64_t, std::vector<Check>> sampled_layers(NamedUnit const& unit, WideNetwork const& network,
                                                           InputGram const& inputs, Kernels const& kernels,
                                                           std::vector<std::uint64_t> const& layers,
                                                           Session const& session) {
    std::map<std::uint64_t, std::vector<Check>> out;
    auto const* gate = std::get_if<Gate<Rational>>(&unit.unit);
    if (!session.samples || gate == nullptr) return out;
    monte_carlo::ObservableSettings settings;
    settings.inputs = sampled_inputs(inputs);
    for (auto const layer : layers) {
        if (layer > last_exact_layer) continue;
        std::vector<ExactMean> means;
        for (auto const& row : kernel_rows)
            means.push_back({.query = parse_query(row.query),
                             .mean = kernels.value(layer, row.pick, row.form).to_double(),
                             .second_moment = std::nullopt});
        out[layer] = check_observables(sampled_network(*gate, network, 2, layer), means, settings, *session.samples,
                                       session.seed, session.run_control());
    }
    return out;
}

/// Of the time of an integral over tanh: sin and cos have closed forms, ELU and SELU nearly.
double share_of_integral(KernelUnit const& unit) {
    auto const* smooth = std::get_if<SmoothUnit>(&unit);
    if (smooth == nullptr || *smooth == SmoothUnit::sin || *smooth == SmoothUnit::cos) return 0;
    return *smooth == SmoothUnit::elu || *smooth == SmoothUnit::selu ? 0.03 : 1;
}

/// Of that time, what sums over the plane take: erf at each place is dear, deep softplus and sigmoid networks as measured.
double share_of_pairs(KernelUnit const& unit) {
    auto const is = [&](SmoothUnit smooth) { return unit == KernelUnit(smooth); };
    double const share = is(SmoothUnit::softplus)                      ? 30
                         : is(SmoothUnit::gelu) || is(SmoothUnit::erf) ? 20
                         : is(SmoothUnit::sigmoid)                     ? 12
                                                                       : 3;
    return share * share_of_integral(unit);
}

constexpr double most_integral_seconds = 600;

bool shrinks(WideNetwork const& network) { return network.bias_variance == 0 && network.weight_variance < 1; }

/// Integrals over smooth units are enclosed layer by layer: each layer costs digits, and a small kernel the digits of its
/// smallness. Their time grows with the square of all digits.
double integral_seconds(WideNetwork const& network, int digits) {
    constexpr double usual_digits = 17;
    constexpr double seconds_at_usual_digits = 0.1;  // of a layer
    constexpr double lost_digits = 0.3;
    auto const layers = static_cast<double>(network.hidden_layers);
    bool const loses = shrinks(network) && network.weight_variance > 0;
    double const smallness = loses ? -std::log10(network.weight_variance.convert_to<double>()) : 0;
    double const worked = (digits + layers * (lost_digits + smallness)) / usual_digits;
    return layers * seconds_at_usual_digits * worked * worked;
}

void require_quick_integrals(KernelRequest const& request, WideNetwork const& network, int digits) {
    double const samples = request.data ? static_cast<double>(request.data->samples()) : 1;
    double const pairs = samples * (samples + 1) / 2;
    double integrals = 0;
    for (auto const& unit : request.units) integrals += share_of_integral(unit.unit);
    if (pairs * integrals * integral_seconds(network, digits) <= most_integral_seconds) return;
    throw UnsupportedError("`depth`: " + std::to_string(request.hidden_layers) +
                               (request.hidden_layers == 1 ? " hidden layer" : " hidden layers") +
                               " of smooth units take longer than minutes here; ask for fewer layers, for "
                               "fewer `digits`" +
                               (request.data ? ", for fewer samples" : "") +
                               (shrinks(network) ? ", or for a `weight_variance` nearer to 1" : ""),
                           "depth");
}

std::vector<std::uint64_t> layers_asked(KernelRequest const& request, Session const& session, Answer& answer) {
    std::uint64_t const last = request.hidden_layers + 1;
    if (session.layer) {
        require_layer_number(*session.layer, std::to_string(last));
        return {parse_count(*session.layer, "layer", 1, last)};
    }
    if (last > most_listed_layers) {
        answer.warn("the last of " + std::to_string(last) + " layers is listed; `layer` K prints any other");
        return {last};
    }
    std::vector<std::uint64_t> out;
    for (std::uint64_t l = 1; l <= last; ++l) out.push_back(l);
    return out;
}

/// The rows of order 1/n.
void add_corrections(NamedUnit const& unit, WideNetwork const& network, InputGram const& inputs, Kernels const& kernels,
                     std::optional<CorrectedWidths> const& widths, std::uint64_t layer, Session const& session,
                     Answer& answer) {
    using Estimates = monte_carlo::WidthCorrectionEstimates;
    std::optional<Estimates> sampled;
    if (session.samples && widths && layer >= first_corrected_layer && layer <= last_corrected_layer) {
        auto const at = sampled_inputs(inputs);
        auto const limit = [&](std::size_t row) {
            return kernels.value(layer, kernel_rows[row].pick, kernel_rows[row].form).to_double();
        };
        auto const* gate = std::get_if<Gate<Rational>>(&unit.unit);
        sampled = sampled_corrections({.unit = gate != nullptr ? engine_unit(*gate) : engine_unit(unit.typed),
                                       .weight_variance = network.weight_variance.convert_to<double>(),
                                       .bias_variance = network.bias_variance.convert_to<double>(),
                                       .hidden = {},
                                       .width = 1,
                                       .x = at.at("x"),
                                       .y = at.at("y"),
                                       .kernel_x = limit(1),
                                       .kernel_xy = limit(0),
                                       .tangent_x = limit(4),
                                       .tangent_xy = limit(3)},
                                      *widths, layer, session);
    }
    std::string const why = layer < first_corrected_layer ? "0 in the first layer, which has no hidden units below"
                            : layer > last_corrected_layer
                                ? "of order 1/width; layers 2 to 5 are sampled"
                                : "of order 1/width; sampled where n times the relative widths is "
                                  "whole for an n up to 512";
    std::vector<std::string> const index{std::to_string(layer), unit.typed};
    auto const add = [&](char const* name, Value const& value, monte_carlo::Estimate Estimates::*estimate) {
        // At the digits that are printed first: another precision takes as long again.
        bool const has_value = value.decimal(session.output.digits) || value.decimal(3);
        std::optional<Check> check;
        if (sampled && has_value) check = compared_to_order(value.to_double(), (*sampled).*estimate);
        answer.add(name, index, value, check, has_value ? why : "there is no value");
    };
    add("four_point_vertex", kernels.correction(layer, &WidthCorrection::vertex, "V(x)"), &Estimates::vertex);
    add("kernel_correction", kernels.correction(layer, &WidthCorrection::kernel, "G(x)"), &Estimates::kernel);
    add("tangent_kernel_correction", kernels.correction(layer, &WidthCorrection::tangent, "T(x)"), &Estimates::tangent);
    add("four_point_vertex_xy", kernels.pair_correction(layer, &PairCorrection::vertex, "V(x,y)"),
        &Estimates::vertex_xy);
    add("kernel_correction_xy", kernels.pair_correction(layer, &PairCorrection::kernel, "G(x,y)"),
        &Estimates::kernel_xy);
    add("tangent_kernel_correction_xy", kernels.pair_correction(layer, &PairCorrection::tangent, "T(x,y)"),
        &Estimates::tangent_xy);
}

void add_unit(NamedUnit const& unit, WideNetwork const& network, InputGram const& inputs,
              std::vector<Rational> const& relative_widths, std::vector<std::uint64_t> const& layers,
              Session const& session, Answer& answer) {
    constexpr double most_pair_seconds = 60;
    double const pair_seconds = share_of_pairs(unit.unit) * integral_seconds(network, answer.options().digits);
    Kernels const kernels(network, inputs, relative_widths, pair_seconds <= most_pair_seconds);
    auto const checks = sampled_layers(unit, network, inputs, kernels, layers, session);
    auto const widths = corrected_widths(network, relative_widths);
    std::string const why = std::holds_alternative<SmoothUnit>(unit.unit)
                                ? not_of_smooth_units
                                : "a limit of infinite width, which finite networks meet up to 1/width";
    for (auto const layer : layers) {
        std::vector<std::string> const index{std::to_string(layer), unit.typed};
        auto const sampled = checks.find(layer);
        for (std::size_t k = 0; k < kernel_rows.size(); ++k) {
            auto const& row = kernel_rows[k];
            answer.add(row.name, index, kernels.value(layer, row.pick, row.form),
                       sampled == checks.end() ? std::nullopt : std::optional(sampled->second[k]), why);
            if (k == 2)
                answer.add("kernel_correlation", index, kernels.correlation(layer), {},
                           "made of rows that are sampled where they can be");
        }
        add_corrections(unit, network, inputs, kernels, widths, layer, session, answer);
    }
}

void say_what_is_sampled(KernelRequest const& request, std::optional<CorrectedWidths> const& widths,
                         std::vector<std::uint64_t> const& layers, Answer& answer) {
    auto const is_gate = [](NamedUnit const& unit) { return std::holds_alternative<Gate<Rational>>(unit.unit); };
    auto const [first, last] = std::pair(layers.front(), layers.back());
    if (std::any_of(request.units.begin(), request.units.end(), is_gate) && first <= last_exact_layer)
        answer.assume("networks sampled beside rows of infinite width end at layer 1 or 2, behind " +
                      std::to_string(sampled_width) + " hidden units, and read 2 coordinates");
    if (widths && first <= last_corrected_layer && last >= first_corrected_layer)
        answer.assume(corrections_text(*widths));
}

char const* limit_text(KernelRequest const& request) {
    return request.hidden_layers == 0 ? "exact: no hidden layer"
                                      : "limit of infinite hidden widths; layers 1 and 2 have these means at any width";
}
constexpr char const* of_tangent_kernels =
    "tangent kernels by theta and beta of W = sqrt(variance) theta, b = sqrt(variance) beta";

/// Kernels of every two samples.
void evaluate_data(KernelRequest const& request, WideNetwork& network, Session const& session, Answer& answer) {
    auto const& data = *request.data;
    answer.assume(data_text(data, request.set));
    answer.assume(
        "kernels of every two samples x and y and of one with itself, whose numbers are the index, n_0 = d_0");
    if (!data.targets.empty() && !data.lines.empty())
        answer.warn("columns y of the data are not used: kernels are of inputs");
    answer.assume(limit_text(request));
    answer.assume(of_tangent_kernels);
    require_quick_integrals(request, network, answer.options().digits);
    auto const layers = layers_asked(request, session, answer);
    auto const is_gate = [](NamedUnit const& unit) { return std::holds_alternative<Gate<Rational>>(unit.unit); };
    if (session.samples && std::any_of(request.units.begin(), request.units.end(), is_gate) &&
        layers.front() <= last_exact_layer)
        answer.assume("sampled networks end at layer 1 or 2, behind " + std::to_string(sampled_width) +
                      " hidden units");
    std::size_t const samples = data.samples();
    answer.expect(3 * samples * (samples + 1) / 2 * layers.size() * request.units.size());
    for (auto const& unit : request.units) {
        network.unit = unit.unit;
        add_kernels_of_samples({.unit = unit.typed, .network = network, .layers = layers}, data, session, answer);
    }
}

void state_corrections(std::string const& widths, Answer& answer) {
    answer.assume("of order 1/n at x, " + widths +
                  ": E z^2 = kernel_x + kernel_correction/n + O(1/n^2), "
                  "E z^4 - 3 (E z^2)^2 = 3 four_point_vertex/n + O(1/n^2), and the mean of the tangent kernel is "
                  "tangent_kernel_x + tangent_kernel_correction/n + O(1/n^2)");
    answer.assume(
        "of order 1/n at x and y: E z(x) z(y) = kernel + kernel_correction_xy/n + O(1/n^2), the mean of the tangent "
        "kernel is tangent_kernel + tangent_kernel_correction_xy/n + O(1/n^2), and of two neurons of a layer "
        "E z_1(x) z_1(y) z_2(x) z_2(y) - (E z(x) z(y))^2 = four_point_vertex_xy/n + O(1/n^2)");
}

void evaluate_kernel(KernelRequest const& request, Session const& session, Bindings const& bindings, Answer& answer) {
    WideNetwork network{.unit = {},
                        .weight_variance = rational_at(request.weight_variance, bindings, "weight_variance"),
                        .bias_variance = rational_at(request.bias_variance, bindings, "bias_variance"),
                        .hidden_layers = request.hidden_layers};
    InputGram const inputs{.xx = rational_at(request.gram[0], bindings, "gram"),
                           .xy = rational_at(request.gram[1], bindings, "gram"),
                           .yy = rational_at(request.gram[2], bindings, "gram")};
    answer.assume("fully connected, " + std::to_string(request.hidden_layers) + " hidden layer" +
                  (request.hidden_layers == 1 ? "" : "s") + ", linear head; weights of variance " +
                  to_string(network.weight_variance) + "/fan_in, biases of variance " +
                  to_string(network.bias_variance) + ", all independent and Gaussian");
    if (request.data) {
        evaluate_data(request, network, session, answer);
        return;
    }
    answer.assume("two inputs x and y of n_0 coordinates: |x|^2/n_0 = " + to_string(inputs.xx) +
                  ", x.y/n_0 = " + to_string(inputs.xy) + ", |y|^2/n_0 = " + to_string(inputs.yy));
    answer.assume(limit_text(request));
    std::vector<Rational> relative_widths;
    std::string widths = "all hidden widths n";
    for (auto const& e : request.relative_widths) {
        relative_widths.push_back(rational_at(e, bindings, "relative_widths"));
        widths = (relative_widths.size() == 1 ? "hidden widths n times " : widths + ", ") +
                 to_string(relative_widths.back());
    }
    require_relative_widths(network, relative_widths);
    answer.assume(of_tangent_kernels);
    if (request.hidden_layers == 0) {
        answer.assume("of order 1/n: 0, for there is no hidden width n");
    } else {
        state_corrections(widths, answer);
    }
    require_quick_integrals(request, network, answer.options().digits);
    auto const layers = layers_asked(request, session, answer);
    if (session.samples) say_what_is_sampled(request, corrected_widths(network, relative_widths), layers, answer);
    answer.expect((kernel_rows.size() + 7) * layers.size() * request.units.size());
    for (auto const& unit : request.units) {
        network.unit = unit.unit;
        add_unit(unit, network, inputs, relative_widths, layers, session, answer);
    }
}

}  // namespace

Command kernel_command() {
    CommandOf<KernelRequest> out;
    out.text = {
        .name = "kernel",
        .summary = "Kernels of infinitely wide networks at two inputs or samples: covariance and tangent",
        .positional = "UNIT",
        .positional_help = std::string(unit_choices) + "; several are set side by side",
        .most_positionals = 100,
        .charted = "kernel_correlation",
    };
    out.parameters.add({"depth", "L", "Hidden layers, at most " + std::to_string(most_hidden_layers),
                        &KernelRequest::hidden_layers, count(0, most_hidden_layers), More{.usual = "1"}});
    out.parameters.add({"weight_variance", "R", "sigma_w^2: weights have variance sigma_w^2/fan_in",
                        &KernelRequest::weight_variance, formula(), More{.usual = "1"}});
    out.parameters.add({"bias_variance", "R", "sigma_b^2, the variance of biases", &KernelRequest::bias_variance,
                        formula(), More{.usual = "0"}});
    out.parameters.add({"gram", "XX,XY,YY", "|x|^2/n_0, x.y/n_0 and |y|^2/n_0 of the two inputs", &KernelRequest::gram,
                        formulas(), More{.usual = "1,1/2,1"}});
    out.parameters.add({"relative_widths", "LIST",
                        "Hidden widths over n, one for each hidden layer: of what is of order 1/n",
                        &KernelRequest::relative_widths, formulas(), More{.usual = "1"}});
    auto of_data = data_set_parameters();
    for (char const* parameter : {"size", "standardize", "c"}) of_data.at(parameter).text.needs = {"data"};
    of_data.at("data").text.help = "Samples in place of two inputs: a CSV file (docs/data.md), or a built-in set";
    out.parameters.add(&KernelRequest::set, of_data);
    out.complete = complete_kernel;
    out.evaluate = evaluate_kernel;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
