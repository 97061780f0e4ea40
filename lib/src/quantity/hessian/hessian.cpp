// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/formula/hessian_norm.hpp>
#include <isserlis/formula/y_functionals.hpp>
#include <isserlis/model/exact_cost.hpp>
#include <isserlis/monte_carlo/top_eigenvalue.hpp>
#include <isserlis/network/widths.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/members.hpp>
#include <isserlis/verify/norms.hpp>
#include <map>

#include "quantity/chain_models.hpp"
#include "quantity/commands.hpp"
#include "quantity/endless_depth.hpp"
#include "quantity/hessian/eigenvalue_check.hpp"
#include "quantity/hessian/hessian_check.hpp"
#include "quantity/hessian/hessian_samples.hpp"
#include "quantity/hessian/mean_loss.hpp"
#include "quantity/hessian/several_inputs.hpp"
#include "quantity/hessian/sharpness.hpp"
#include "quantity/known_answer.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/target_mean.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"
#include "question/model_statement.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* hessian_query = "(D[m,n] loss)^2";
constexpr ModelParameters which{.wiring = true,
                                .target = true,
                                .label_factor = true,
                                .activation = true,
                                .variance = true,
                                .parametrisation = true,
                                .law = true,
                                .matrix_laws = true,
                                .bias = true,
                                .input = true,
                                .precision = true};
constexpr std::uint64_t most_layers_of_sampled_blocks = 8;
constexpr std::uint64_t most_layers_of_blocks = 32;     ///< up to here all blocks are printed
constexpr std::uint64_t most_layers_of_a_row = 10'000;  ///< up to here one row, with `layer`
constexpr std::uint64_t most_bits_of_a_probability = 1'000'000;
std::string const from_frobenius = "a bound computed from hessian_frobenius_squared, which is checked";

HessianNorm<Surd> exact_norm(NumericModel const& model) {
    return hessian_norm(model.net(), model.squared_norm, model.target_second);
}

/// The hidden layers, whose units carry gates.
template <class R, class Count>
std::vector<std::pair<R, Count>> hidden(FullyConnected<R, Count> const& net) {
    std::vector<std::pair<R, Count>> out;
    label_pairs_detail::for_each_run(net, [&](auto const& run, Count const& gated, bool) {
        if (gated == Count(0)) return;
        if (!out.empty() && out.back().first == run.fan_out) {
            out.back().second = out.back().second + gated;
        } else {
            out.emplace_back(run.fan_out, gated);
        }
    });
    return out;
}

Value dead(NumericModel const& model) {
    if (!model.net().activation.gate().negative.is_zero()) return Surd(0);
    std::vector<WidthRun<std::uint64_t, std::uint64_t>> widths;
    Integer bits = 0;
    for (auto const& [width, count] : hidden(model.net())) {
        Integer const w = numerator_of(width.to_rational());
        bits += w * count;
        if (bits > most_bits_of_a_probability)
            return Value::absent("1 - prod_l (1 - 2^(-n_l)) over the hidden layers, a number of more than " +
                                 std::to_string(most_bits_of_a_probability) + " bits");
        widths.push_back({.width = w.convert_to<std::uint64_t>(), .count = count});
    }
    return Surd(dead_probability(widths));
}

std::string raised_to(Exponent const& count) {
    if (count == Exponent(1)) return "";
    std::string const text = to_string(count);
    return is_identifier(text) || count.is_constant() ? "^" + text : "^(" + text + ")";
}

Value dead(SymbolicModel const& model) {
    auto const& slope = model.net().activation.gate().negative;
    if (!slope.is_numeric()) return Value::absent("0 unless the slope is 0");
    if (!slope.is_zero()) return RationalFunction(0);
    std::string out;
    for (auto const& [width, count] : hidden(model.net())) {
        std::string const n = to_string(width);
        std::string const one = "(1 - 2^(-" + (is_identifier(n) || width.is_numeric() ? n : "(" + n + ")") + "))";
        out += (out.empty() ? "" : "*") + one + raised_to(count);
    }
    if (out.empty()) return RationalFunction(0);
    return Value::expression("1 - " + out);
}

template <class R, class Count>
void add_block_norms(Model<R, Count> const& model, HessianCheck const* sampling, bool functionals,
                     Session const& session, Answer& answer) {
    auto const net = layer_by_layer(model.net(), session.layer ? most_layers_of_a_row : most_layers_of_blocks);
    if (!net) {
        if (session.layer && !functionals)
            throw UnsupportedError("`layer`: blocks need a depth in numbers, up to " +
                                       std::to_string(most_layers_of_a_row) + "; drop the parameter for the totals",
                                   "layer");
        answer.warn(std::string("blocks are left out; at a depth in numbers, `layer` K ") +
                    (functionals ? "without `functionals` " : "") + "prints those of layer K");
        return;
    }
    std::size_t const layers = net->layers.size();
    if (functionals && layers > most_listed_layers) {
        answer.warn("blocks are left out beyond " + std::to_string(most_listed_layers) +
                    " layers with `functionals`; without it, `layer` K prints those of layer K");
        return;
    }
    std::size_t first = 1;
    std::size_t last = layers;
    if (session.layer) first = last = parse_count(*session.layer, "layer", 1, layers);
    answer.expect(layers * (last - first + 1));
    std::map<std::pair<std::size_t, std::size_t>, std::optional<Check>> checks;
    bool const sampled = session.layer || layers <= most_layers_of_sampled_blocks;
    std::string const unchecked = std::is_same_v<R, Surd>
                                      ? "the total is; blocks are sampled up to " +
                                            std::to_string(most_layers_of_sampled_blocks) + " layers, or with `layer`"
                                      : std::string(not_numeric);
    for (std::size_t l = first; l <= last; ++l) {
        auto const row = hessian_block_row(*net, model.squared_norm, model.target_second, l);
        for (std::size_t k = 1; k <= layers; ++k) {
            Value const value = tidy(row[k - 1]);
            std::optional<Check> check;
            if constexpr (std::is_same_v<R, Surd>) {
                if (auto const known = checks.find({k, l}); known != checks.end()) {
                    check = known->second;  // the block of k and l, transposed
                } else if (session.samples && sampled) {
                    check = sampling->block(l, k, row[k - 1]);
                }
            }
            if (check) checks.emplace(std::pair(l, k), check);
            answer.add("block", {std::to_string(l), std::to_string(k)}, value, check, unchecked);
        }
    }
}

void add_hessian(NumericModel const& model, bool functionals, Session const& session, Answer& answer) {
    require_moderate_digits(model.graph());
    auto const parts = exact_norm(model);
    Surd const total = parts.total();
    HessianCheck const check(model, session, answer);
    auto add = [&](char const* name, HessianCheck::Part part, Surd const& value, char const* query,
                   Surd const& factor) {
        answer.add(name, {}, value, check.part(part, query, value, factor), "E|y|^2 is 0");
    };
    using Sampler = monte_carlo::HessianNormSampler;
    answer.add("hessian_frobenius_squared", {}, total, check.total(total));
    add("gauss_newton", Sampler::gauss_newton, parts.gauss_newton, "z[i;m] z[i;n] z[j;m] z[j;n]", 1);
    add("functional", Sampler::functional, parts.functional, "z[i;m,n] z[i] z[j;m,n] z[j]", 1);
    add("cross", Sampler::cross, parts.cross, "z[i;m] z[i;n] z[j;m,n] z[j]", 2);
    // y is independent of the weights and its outputs are of equal law: E|y|^2/N times the sum over outputs.
    add("target", Sampler::target, parts.target, "z[i;m,n]^2", model.target_second / model.net().output_width());
    Value const dead_value = dead(model);
    if (total.is_zero()) {
        answer.add("top_eigenvalue_upper", {}, Surd(0), {}, from_frobenius);
        answer.add("reciprocal_sharpness_lower", {}, Value::absent("the Hessian is 0"), {}, from_frobenius);
    } else {
        auto const checks = eigenvalue_checks(model, {}, to_double(total), dead_value.to_double(), 0, session, answer);
        answer.add("top_eigenvalue_upper", {}, root(total, "sqrt(hessian_frobenius_squared)"), checks.upper,
                   from_frobenius + checks.why);
        answer.add("reciprocal_sharpness_lower", {}, over_root(2, total, "2/sqrt(hessian_frobenius_squared)"),
                   checks.lower, from_frobenius + checks.why);
    }
    answer.add("dead_probability", {}, dead_value, {}, "by independence of the gates");
    add_block_norms(model, &check, functionals, session, answer);
    emit_test(KnownAnswer::Kind::hessian, model, {{"hessian_frobenius_squared", hessian_query, total, {}}}, session,
              answer);
}

void add_hessian(SymbolicModel const& model, bool functionals, Session const& session, Answer& answer) {
    constexpr double most_work = 3e5;      // of all blocks: a minute or two
    constexpr double most_in_total = 3e4;  // of the totals alone
    refuse_symbols_in_test(session);
    auto const layers = layer_by_layer(model.net(), most_layers_of_blocks);
    require_moderate_formulas(model.graph(), {.count = layers ? layers->layers.size() : 1},
                              layers ? most_work : most_in_total);
    auto const parts = hessian_norm(model.net(), model.squared_norm, model.target_second);
    RationalFunction const total = parts.total();
    answer.add("hessian_frobenius_squared", {}, tidy(total), {}, not_numeric);
    add_leading_term("hessian_leading_term", total, model.net(), answer);
    add_wide_limit({.limit = "hessian_wide_limit", .leading = "hessian_wide_leading"}, total, model.net(), answer);
    add_double_limit({.limit = "hessian_double_limit", .leading = "hessian_double_leading"}, total, model.net(),
                     answer);
    answer.add("gauss_newton", {}, tidy(parts.gauss_newton), {}, not_numeric);
    answer.add("functional", {}, tidy(parts.functional), {}, not_numeric);
    answer.add("cross", {}, tidy(parts.cross), {}, not_numeric);
    answer.add("target", {}, tidy(parts.target), {}, not_numeric);
    answer.add("top_eigenvalue_upper", {}, root(total, "sqrt(hessian_frobenius_squared)"), {}, not_numeric);
    answer.add("reciprocal_sharpness_lower", {}, reciprocal_sharpness(total, "2/sqrt(hessian_frobenius_squared)"), {},
               not_numeric);
    answer.add("dead_probability", {}, dead(model), {}, not_numeric);
    add_block_norms(model, nullptr, functionals, session, answer);
}

HessianNorm<Surd> parts_at_one(NumericModel model) {
    model.squared_norm = model.target_second = Surd(1);
    return exact_norm(model);
}
HessianNorm<RationalFunction> parts_at_one(SymbolicModel const& model) {
    return hessian_norm(model.net(), RationalFunction(1), RationalFunction(1));
}

/// The mean loss over several inputs: H is the mean of their Hessians, so that |H|_F^2 is at most the mean of
/// |H_i|_F^2.
template <class R, class Count>
void add_mean_loss(Model<R, Count> const& model, InputRows const& inputs, R const& target_mean, Session const& session,
                   Answer& answer) {
    require_mean_of_targets(model.target_second, target_mean, R(model.graph().output_width()), answer);
    Rational square = 0;
    Rational fourth = 0;
    for (auto const& x : inputs) {
        Rational norm = 0;
        for (auto const& a : x) norm += a * a;
        if (norm == 0) throw DomainError("`input`: a vector is 0; every input needs |x|^2 > 0", "input");
        square += norm;
        fourth += norm * norm;
    }
    Rational const count{Integer(inputs.size())};
    // Three parts go with |x|^4, the one of the targets with |x|^2.
    auto const parts = parts_at_one(model);
    R const upper = R(Rational(fourth / count)) * (parts.gauss_newton + parts.functional + parts.cross) +
                    R(Rational(square / count)) * model.target_second * parts.target;
    auto const norm = mean_loss_norm(model, inputs, target_mean);
    EigenvalueChecks checks;
    std::optional<Check> norm_check;
    std::optional<Check> upper_check;
    std::string why = not_numeric;
    if constexpr (std::is_same_v<R, Surd>) {
        double const bound = to_double(upper);
        double const used = norm.is_known ? norm.value.to_double() : bound;
        checks = eigenvalue_checks(model, doubles(inputs), used, dead(model).to_double(), to_double(target_mean),
                                   session, answer);
        if (auto const& sampled = checks.squared_norm) {
            upper_check = compare_with_upper_bound(bound, sampled->mean, sampled->std_error, sampled->samples);
            if (norm.is_known) norm_check = compare_sampled(used, sampled->mean, sampled->std_error, sampled->samples);
        }
        why = "a bound" + checks.why;
    }
    answer.add("hessian_mean_loss", {}, norm.value, norm_check,
               !std::is_same_v<R, Surd> ? why : (norm.is_known ? "not sampled" : "not known") + checks.why);
    answer.add("hessian_mean_loss_upper", {}, tidy(upper), upper_check, why);
    answer.add("top_eigenvalue_upper", {}, norm.is_known ? norm.root : root(upper, "sqrt(hessian_mean_loss_upper)"),
               checks.upper, why);
    answer.add("reciprocal_sharpness_lower", {},
               norm.is_known ? norm.over_root : reciprocal_sharpness(upper, "2/sqrt(hessian_mean_loss_upper)"),
               checks.lower, why);
}

/// What `hessian` is asked.
struct HessianRequest {
    ModelText typed;
    std::vector<ModelText> networks;
    bool functionals = false;
    std::optional<InputRows> inputs;        ///< several, of a file
    SamplesText samples;                    ///< with targets, in place of inputs
    BatchText batch;                        ///< of them in the loss
    std::optional<Expression> target_mean;  ///< of each output, where there are several inputs
};

/// A file of several inputs takes the place of the one input.
void read_inputs(HessianRequest& request, Session const& session) {
    auto const& widths = session.question.words;
    if (request.typed.input_file.empty() || widths.empty()) return;
    request.inputs = several_inputs(request.typed.input_file, widths.front());
    if (!request.inputs) return;
    for (char const* other : {"functionals", "layer", "emit_test", "emit_samples", "emit_tolerance",
                              "input_squared_norm", "input_fourth"}) {
        if (session.question.parameters.count(other) != 0)
            throw ParseError(
                named(other) + " is for one input; `input` lists " + std::to_string(request.inputs->size()), other);
    }
    for (auto const& others : widths) {
        if (!several_inputs(request.typed.input_file, others))
            throw ParseError("`widths`: every network has to take the inputs of `input`", "widths");
    }
    if (request.typed.precision == monte_carlo::Precision::float32)
        throw UnsupportedError(
            "`precision` float: the mean loss over several inputs is sampled in double; leave it out", "precision");
    request.typed.input.reset();
}

void evaluate_mean_loss(HessianRequest const& request, Session const& session, Bindings const& bindings,
                        Answer& answer) {
    auto const& inputs = *request.inputs;
    ModelParameters listed = which;
    listed.input = false;
    for_each_network(request.networks, session, bindings, listed, answer, [&](ModelText const& text) {
        answer.assume(std::to_string(inputs.size()) + " fixed inputs, those of " + request.typed.input_file +
                      "; loss: the mean over inputs of 1/2 |z - y|^2, y "
                      "independent of the weights, " +
                      target_moment(text) + " for each input");
        answer.assume(
            (request.target_mean
                 ? "hessian_mean_loss is E|H|_F^2 with independent targets of mean " +
                       session.question.parameters.at("target_mean").front() +
                       " in each output, E y_k.y_l = N times its square of different inputs, N the number of outputs; "
                 : std::string("hessian_mean_loss is E|H|_F^2 with targets of different inputs uncorrelated, E y_k.y_l "
                               "= 0; ")) +
            "hessian_mean_loss_upper is no value but a bound of it, the mean over inputs, by convexity");
        auto const add = [&]<class R, class Count>(Model<R, Count> const& model) {
            R const mean = request.target_mean ? value_at<R>(*request.target_mean, bindings, "target_mean") : R(0);
            add_mean_loss(model, inputs, mean, session, answer);
        };
        if (request.target_mean && !request.target_mean->symbols().empty()) {
            auto symbols = text.symbols();
            symbols.merge(request.target_mean->symbols());
            state_symbols(symbols, text, bindings, answer);
            state_label_factors(text, answer);
            with_model(symbols, text, bindings, [&](auto const& model) {
                require_label_factors(model, text);
                add(model);
            });
        } else {
            with_labelled_model(text, bindings, hessian_query, answer, add);
        }
    });
}

/// Y of these hidden layers: many in one sweep, one in closed form.
std::vector<YFunctionals<Surd>> functionals_of(NumericModel const& model, std::uint64_t layers,
                                               std::vector<std::uint64_t> const& listed) {
    if (listed.size() == 1) return {y_functionals_of_layer(model.net(), model.squared_norm, listed.front())};
    return y_functionals(*layer_by_layer(model.net(), layers), model.squared_norm);
}
std::vector<YFunctionals<RationalFunction>> functionals_of(SymbolicModel const& model, std::uint64_t layers,
                                                           std::vector<std::uint64_t> const& listed) {
    auto all = y_functionals(*layer_by_layer(model.net(), layers), model.squared_norm);
    if (listed.size() == 1) return {all[listed.front() - 1]};
    return all;
}

/// Y of the last hidden layer at symbolic depth, or of that of `layer`, as strands.
void add_deep_functionals(SymbolicModel const& model, Session const& session, Answer& answer) {
    struct Functional {
        char const* name;
        char const* query;  ///< of the neurons of a layer called z
        bool is_mean;       ///< over all pairs of neurons, else of one neuron
    };
    constexpr Functional functionals[] = {// NOLINT(modernize-avoid-c-arrays): its length is that of the list
                                          {"u", "z[1;m]^2", false},
                                          {"v", "z[1;m,n]^2", false},
                                          {"y0", "z[i;m]^2 z[j]^2", true},
                                          {"y1", "z[i] z[i;m] z[j] z[j;m]", true},
                                          {"ystar", "z[1]^2 z[1;m]^2", false},
                                          {"p0", "z[i;m]^2 z[j;n]^2", true},
                                          {"p1", "z[i;m] z[i;n] z[j;m] z[j;n]", true},
                                          {"q0", "z[i;m,n]^2 z[j]^2", true},
                                          {"pstar", "z[1;m]^2 z[1;n]^2", false},
                                          {"q1", "z[i] z[i;m,n] z[j] z[j;m,n]", true},
                                          {"qstar", "z[1]^2 z[1;m,n]^2", false},
                                          {"r0", "z[i;m,n] z[i;m] z[j] z[j;n]", true},
                                          {"r2", "z[i] z[i;m,n] z[j;m] z[j;n]", true},
                                          {"rstar", "z[1] z[1;m,n] z[1;m] z[1;n]", false}};
    if (!model.net().activation.is_relu())
        throw UnsupportedError("`activation`: the functionals are those of relu networks", "activation");
    auto const [layer, width] = asked_hidden_layer(model, session, answer);
    answer.warn(
        "at symbolic depth functionals of one layer are printed; `layer` K prints those of layer K, a letter of any");
    answer.warn("functionals: d and e stand for the derivatives by two summed labels of the layers up to l");
    for (auto const& [name, query, is_mean] : functionals) {
        std::string of_layer;
        for (char const* c = query; *c != 0; ++c) of_layer += *c == 'z' ? "z{" + layer + "}" : std::string(1, *c);
        auto const mean = exact_mean_by_powers(of_layer, model);
        answer.add(name, {layer}, tidy(is_mean ? mean * (RationalFunction(1) / (width * width)) : mean), {},
                   not_numeric);
    }
}

/// Y of every hidden layer, or of the one of `layer`.
template <class R, class Count>
void add_functionals(Model<R, Count> const& model, Session const& session, Answer& answer) {
    if constexpr (std::is_same_v<R, RationalFunction>) {
        if (is_endless(model)) return add_deep_functionals(model, session, answer);
    }
    std::uint64_t const layers = checked_depth(model.net(), named("functionals"));
    if (session.layer && parse_count(*session.layer, "layer", 1, layers) == layers) {
        answer.warn("functionals: layer " + std::to_string(layers) + " is the output, which has none");
        return;
    }
    if (layers == 1) {
        answer.warn("functionals: there is no hidden layer");
        return;
    }
    auto const listed =
        listed_layers(session, layers - 1, 1, "hidden layers only functionals of the last one are", answer);
    auto const all = functionals_of(model, layers, listed);
    answer.warn("functionals: d and e stand for the derivatives by two summed labels of the layers up to l");
    for (std::size_t i = 0; i < listed.size(); ++i) {
        auto const& y = all[i];
        std::pair<char const*, R> const values[] = {
            // NOLINT(modernize-avoid-c-arrays): its length is that of the list
            {"u", y.u},         {"v", y.v},   {"y0", y.y0}, {"y1", y.y1},       {"ystar", y.ystar},
            {"p0", y.p0},       {"p1", y.p1}, {"q0", y.q0}, {"pstar", y.pstar}, {"q1", y.q1},
            {"qstar", y.qstar}, {"r0", y.r0}, {"r2", y.r2}, {"rstar", y.rstar}};
        for (auto const& [name, value] : values)
            answer.add(name, {std::to_string(listed[i])}, tidy(value), {}, "what they add up to has rows of its own");
    }
}

/// Errors  those of `complete_samples`; ParseError and UnsupportedError for parameters of one input.
void read_samples(HessianRequest& request, Session const& session) {
    complete_samples(request.samples, session, most_samples_of_hessian);
    (void)batch_of(request.batch, request.samples.size());  // refuses one that is too large
    for (char const* other : {"functionals", "layer", "emit_test", "emit_samples", "emit_tolerance"}) {
        if (session.question.parameters.count(other) != 0)
            throw ParseError(named(other) + " is for one input; the samples are those of `" +
                                 (request.samples.with ? "with" : "data") + "`",
                             other);
    }
    if (request.typed.precision == monte_carlo::Precision::float32)
        throw UnsupportedError(
            "`precision` float: the mean loss over several samples is sampled in double; leave it out", "precision");
    request.networks = read_networks_of_samples(request.typed, session, request.samples.symbols());
}

void evaluate_hessian(HessianRequest const& request, Session const& session, Bindings const& bindings, Answer& answer) {
    if (request.samples.are_given()) {
        ModelParameters of_samples = which;
        of_samples.input = false;
        for_each_network(request.networks, session, bindings, of_samples, answer, [&](ModelText const& text) {
            add_hessian_of_samples(request.samples, request.batch, text, session, bindings, answer);
        });
        return;
    }
    if (request.inputs) {
        evaluate_mean_loss(request, session, bindings, answer);
        return;
    }
    for_each_network(request.networks, session, bindings, which, answer, [&](ModelText const& text) {
        answer.assume("loss 1/2 |z - y|^2, y independent of the weights, " + target_moment(text) + "; " +
                      mean_of_target(text));
        if (text.needs_strands()) {
            with_wired_model(text, bindings, session, answer,
                             [&](auto const& model) { add_wired_hessian(model, session, answer); });
            return;
        }
        with_labelled_model(text, bindings, hessian_query, answer, [&](auto const& model) {
            add_hessian(model, request.functionals, session, answer);
            if (request.functionals) add_functionals(model, session, answer);
        });
    });
}

}  // namespace

Command hessian_command() {
    CommandOf<HessianRequest> out;
    out.text = {
        .name = "hessian",
        .summary = "The squared norm of the loss's Hessian at initialisation, in parts and by blocks",
        .positional = "`widths`",
        .positional_help = "n_0,..,n_(L+1); numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .parameters = emit_parameters(),
        .charted = "hessian_frobenius_squared",
    };
    ParameterSet<ModelText> of_model = model_parameters(which);
    of_model.at("input").text.help += "; a FILE with several, one a line, is for the mean loss: exact, or bounds";
    auto const effective = effective_parameters();
    for (auto const& row : effective.rows()) of_model.add(row);
    auto const branches = branch_parameters();
    for (auto const& row : branches.rows()) of_model.add(row);
    out.parameters.add(&HessianRequest::typed, of_model);
    out.parameters.add(
        {"functionals", "The fourteen functionals of each hidden layer too", &HessianRequest::functionals});
    out.parameters.add({"target_mean", "R",
                        "With several inputs of `input`: E y_i, the same of each output and input, all independent",
                        &HessianRequest::target_mean, formula(), More{.usual = "0", .needs = {"input"}}});
    out.parameters.add(&HessianRequest::samples, samples_parameters(WithUse::samples));
    out.parameters.add(&HessianRequest::batch, batch_parameters());
    out.complete = [](HessianRequest& request, Session const& session) {
        if (request.samples.are_given()) {
            read_samples(request, session);
            return;
        }
        read_inputs(request, session);
        if (request.target_mean && !request.inputs)
            throw ParseError(
                "`target_mean`: it is for several inputs of `input`; at one input isserlis expect '(D[m,n] loss)^2' "
                "takes it, "
                "and it does not enter where the last matrix is plain",
                "target_mean");
        request.networks = request.target_mean && !session.question.words.empty()
                               ? read_networks_of_samples(request.typed, session, request.target_mean->symbols())
                               : read_networks(request.typed, session, true);
        for (auto const& text : request.networks) {
            if (request.inputs && has_gate(text.activation) && !text.kurtoses.empty())
                throw UnsupportedError(
                    "`kurtosis`: several inputs through gates are served for Gaussian weights, on which their angles "
                    "act",
                    "kurtosis");
            if (!text.needs_strands()) continue;
            char const* const only = request.functionals ? "functionals"
                                     : request.inputs    ? "input"
                                     : session.layer     ? "layer"
                                                         : nullptr;
            if (only != nullptr)
                throw UnsupportedError(named(only) + ": " + (request.inputs ? "several inputs of " : "those of ") +
                                           "fully connected (vanilla) networks of independent weights of kurtosis 3 "
                                           "without biases are served",
                                       only);
        }
    };
    out.evaluate = evaluate_hessian;
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
