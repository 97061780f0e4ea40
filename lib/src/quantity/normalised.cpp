// SPDX-License-Identifier: MIT
#include <isserlis/formula/gate_moments.hpp>
#include <isserlis/formula/normalised_norm.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/heavy_tails.hpp>
#include <isserlis/verify/norms.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "quantity/commands.hpp"
#include "quantity/norm_rows.hpp"
#include "quantity/normalised_gradients.hpp"
#include "quantity/unchecked.hpp"
#include "question/requirements.hpp"

namespace isserlis::quantity {
namespace {

constexpr unsigned max_normalised_order = max_norm_order / 2;  ///< standard errors take the moment of twice the order
constexpr char const* before_gates = "LayerNorm before gates: moments 1 and 2 are served";

constexpr ModelParameters normalised_model{.wiring = true, .activation = true, .variance = true, .input = true};

Integer number(Surd const& width) { return numerator_of(width.to_rational()); }

template <class R, class Count>
std::vector<Section<R, Count>> parts_of_chain(Model<R, Count> const& model, std::optional<std::string> const& only,
                                              Answer& answer) {
    std::vector<Section<R, Count>> out;
    for (auto const& place : layer_places(model.net().layers, only, answer))
        out.push_back(
            {.label = place.label, .network = up_to(model.net(), place), .head = is_last_layer(model.net(), place)});
    return out;
}

/// Blocks by their number, plain matrices by "in" and "out".
template <class R, class Count>
std::vector<Section<R, Count>> parts_of_residual(Model<R, Count> const& model, std::optional<std::string> const& only,
                                                 Answer& answer) {
    auto const& graph = model.graph();
    auto const cut = [&](std::size_t block, Count const& count) {
        Graph<R, Count> out = graph;
        out.stages.resize(block + 1);
        out.stages.back().count = count;
        return out;
    };
    std::vector<Section<R, Count>> out;
    std::size_t const first = has_skip(graph.stages.front()) ? 0 : 1;
    std::size_t const end = graph.stages.size() - first;
    if (first == 1 && (!only || *only == "in")) out.push_back({.label = "in", .network = cut(0, Count(1))});
    if (!only || (*only != "in" && *only != "out") || first == 0) {
        std::vector<LayerRun<R, Count>> runs;
        for (std::size_t b = first; b < end; ++b)
            runs.push_back({.fan_in = graph.stages[b].nodes.back().width,
                            .fan_out = graph.stages[b].nodes.back().width,
                            .count = graph.stages[b].count});
        for (auto const& place : layer_places(runs, only, answer))
            out.push_back({.label = place.label, .network = cut(first + place.run, place.within)});
    }
    if (first == 1 && (!only || *only == "out")) out.push_back({.label = "out", .network = cut(end, Count(1))});
    return out;
}

template <class R, class Count>
std::vector<Section<R, Count>> parts_of(Model<R, Count> const& model, std::optional<std::string> const& only,
                                        Answer& answer) {
    return model.network.is_chain() ? parts_of_chain(model, only, answer) : parts_of_residual(model, only, answer);
}

constexpr int most_bits = 100'000;  ///< of the probability of dead layers

/// The probability that the first branch makes 0 of an input.
Surd dead_branch(NumericModel const& model) {
    std::vector<WidthRun<std::uint64_t, std::uint64_t>> widths;
    Integer bits(0);
    for (auto const& width : relu_widths(model)) {
        bits += number(width);
        if (bits > most_bits)
            throw UnsupportedError(
                "`input`: LayerNorm makes 0 of it where the first branch is dead, with a probability of more than " +
                    std::to_string(most_bits) + " bits; another input is served",
                "input");
        widths.push_back({.width = checked_count(number(width)), .count = 1});
    }
    return Surd(dead_probability(widths));
}
RationalFunction dead_branch(SymbolicModel const& model) {
    if (relu_widths(model).empty()) return RationalFunction(0);
    throw UnsupportedError(
        "`input`: LayerNorm makes 0 of it where the first branch is dead; this is served in numbers, and in symbols "
        "with "
        "another input",
        "input");
}

/// Of a stream from an input with N(x) = 0: pre-norm branches make 0 of it, and behind post-norm 0 stays 0.
template <class R, class Count>
std::vector<R> moments_from_zero(Model<R, Count> const& model, NormalisedRequest const& request, unsigned order) {
    bool const before = request.placement == Placement::before;
    R const square = before ? model.squared_norm : model.graph().stages.front().nodes.back().width;
    R factor = before ? R(1) : R(R(1) - dead_branch(model));
    std::vector<R> out{R(1)};
    for (unsigned p = 1; p <= order; ++p) {
        factor = factor * square;
        out.push_back(simplified(factor));
    }
    return out;
}

template <class R, class Count>
std::vector<R> moments_of(Section<R, Count> const& part, Model<R, Count> const& model, NormalisedRequest const& request,
                          unsigned order) {
    if (part.network.is_chain())
        return normalised_chain_moments(part.network.chain(), request.by, model.squared_norm, part.head, order);
    if (normalises_zero(model, request)) return moments_from_zero(model, request, order);
    return request.placement == Placement::before ? prenorm_moments(part.network.graph(), model.squared_norm, order)
                                                  : postnorm_moments(part.network.graph(), model.squared_norm, order);
}

/// Is the second moment of this chain one of LayerNorm before gates, which is transcendental?
template <class R, class Count>
bool is_transcendental(Section<R, Count> const& part, Normalisation by) {
    if (by == Normalisation::rms || !part.network.is_chain()) return false;
    auto const& net = part.network.chain();
    R const slope = net.activation.gate().negative;
    bool const alone = net.layers.size() == 1 && net.layers.front().count == Count(1);
    return !(slope * slope == R(1)) && !(part.head && alone);
}

/// E q^2 of LayerNorm before gates, and what rows are made of it: that of h below a head, times what the head makes of it.
class LayerNormSquare {
public:
    explicit LayerNormSquare(Section<Surd, std::uint64_t> const& part) {
        auto const& net = part.network.chain();
        auto const& last = net.layers.back();
        slope_ = rational_of(net.activation.gate().negative, "activation");
        width_ = number(part.head ? last.fan_in : last.fan_out);
        if (part.head) factor_ = last.variance * last.variance * last.fan_out * (last.fan_out + Surd(2));
    }

    /// (E q^2 - offset)/scale.
    [[nodiscard]] Value value(Surd const& offset, Surd const& scale, char const* form) const {
        if (width_ == 2) {  // N(z) = +-(1, -1)
            Surd const square(Rational(1 + slope_ * slope_));
            return {Surd((factor_ * square * square - offset) / scale)};
        }
        return Value::certified(
            [self = *this, offset, scale](unsigned bits) {
                unsigned const work = bits + guard_bits;
                return (enclose(self.factor_, work) * layer_norm_second_moment(self.width_, self.slope_, work) -
                        enclose(offset, work)) /
                       enclose(scale, work);
            },
            form);
    }

private:
    Rational slope_;
    Integer width_;
    Surd factor_ = Surd(1);
};

constexpr char const* arc_cosine = "by the arc-cosine kernel of order 2 at the correlation -1/(n-1)";

/// E q, and E q^2 where it is known in numbers.
struct LowMoments {
    Value variance;
    Value relative_variance;
    Value second;
};
LowMoments low_moments(Section<Surd, std::uint64_t> const& part, Surd const& mean) {
    LayerNormSquare const square(part);
    Surd const mean_square = mean * mean;
    return {.variance = square.value(mean_square, Surd(1), arc_cosine),
            .relative_variance = square.value(mean_square, mean_square, arc_cosine),
            .second = square.value(Surd(0), Surd(1), arc_cosine)};
}
LowMoments low_moments(Section<RationalFunction, Exponent> const&, RationalFunction const&) {
    Value const none = Value::absent("transcendental: give all symbols values by `set`");
    return {.variance = none, .relative_variance = none, .second = none};
}

/// The rows of LayerNorm before gates.
template <class R, class Count>
void add_transcendental_rows(Section<R, Count> const& part, R const& mean, unsigned order, NormChecks const& checks,
                             std::string const& why, Answer& answer) {
    auto const check = [&](unsigned p) {
        return p <= checks.raw.size() ? std::optional(checks.raw[p - 1]) : std::nullopt;
    };
    LowMoments const low = low_moments(part, mean);
    answer.add("squared_norm_mean", {part.label}, mean, check(1), why);
    answer.add("squared_norm_variance", {part.label}, low.variance, checks.variance, why);
    answer.add("relative_variance", {part.label}, low.relative_variance, {}, "computed from the variance and the mean");
    answer.add("squared_norm_moment", {part.label, "1"}, mean, check(1), why);
    if (order >= 2) answer.add("squared_norm_moment", {part.label, "2"}, low.second, check(2), why);
    for (unsigned p = 3; p <= order; ++p)
        answer.add("squared_norm_moment", {part.label, std::to_string(p)}, Value::absent(before_gates), {},
                   "no exact value to check");
}

// ---- dead layers

/// The probability that the last normalised layer reads 0, which makes all above it 0: of the layers below it.
std::optional<Rational> dead_below(Section<Surd, std::uint64_t> const& part) {
    std::vector<WidthRun<std::uint64_t, std::uint64_t>> widths;
    Integer bits(0);
    std::uint64_t above = part.head ? 2 : 1;  // layers that are not below it
    auto const& layers = part.network.chain().layers;
    for (auto run = layers.rbegin(); run != layers.rend(); ++run) {
        std::uint64_t const left_out = std::min(above, run->count);
        above -= left_out;
        std::uint64_t const count = run->count - left_out;
        if (count == 0) continue;
        Integer const width = number(run->fan_out);
        bits += width * count;
        if (bits > most_bits) return std::nullopt;
        widths.push_back({.width = checked_count(width), .count = count});
    }
    return dead_probability(widths);
}

void add_dead_probability(Section<Surd, std::uint64_t> const& part, std::optional<Check> const& check, Answer& answer) {
    auto const exact = dead_below(part);
    answer.add(
        "dead_below_probability", {part.label},
        exact ? Value(Surd(*exact)) : Value::absent("a number of more than " + std::to_string(most_bits) + " bits"),
        exact ? check : std::nullopt, "not looked at by these samples");
}
void add_dead_probability(Section<RationalFunction, Exponent> const& part, std::optional<Check> const&,
                          Answer& answer) {
    answer.add("dead_below_probability", {part.label}, Value::absent("give the symbols values by `set`"), {},
               not_sampled);
}

// ---- sampled networks

/// Of every layer, block and plain matrix, from the input up.
struct Sampled {
    std::vector<NormChecks> norms;
    std::vector<std::optional<Check>> dead;
};

Sampled sample(NumericModel const& model, NormalisedRequest const& request, Session const& session, Answer& answer) {
    Sampled out;
    auto const sampled = sampled_model(model, request);
    require_feasible(sampled.weights(), *session.samples, session.run_control());
    std::vector<ExactNorms> exact;
    std::vector<double> centers;
    auto const parts = parts_of(model, std::nullopt, answer);
    unsigned const order = sampled_order(request.order);
    for (auto const& part : parts) {
        ExactNorms e;
        if (is_transcendental(part, request.by)) {
            double const mean = to_double(moments_of(part, model, request, 1)[1]);
            auto const low = low_moments(part, moments_of(part, model, request, 1)[1]);
            e.raw = {1, mean, low.second.to_double()};
            e.central = {1, 0, low.variance.to_double()};
        } else {
            // Twice the highest order, for exact standard errors.
            auto const raw = moments_of(part, model, request, 2 * order);
            for (auto const& m : raw) e.raw.push_back(to_double(m));
            for (unsigned k = 0; k < raw.size() && k <= 8; ++k) e.central.push_back(to_double(central_moment(raw, k)));
        }
        centers.push_back(e.raw[1]);
        exact.push_back(std::move(e));
    }
    auto const seen = monte_carlo::normalised_norms(sampled, *session.samples, session.seed, static_cast<int>(order),
                                                    centers, session.run_control());
    out.norms = compare_squared_norms(exact, seen, request.order);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        out.dead.emplace_back();
        if (!model.network.is_chain() || request.by != Normalisation::rms) continue;
        auto const probability = dead_below(parts[i]);
        if (!probability || seen[i].raw.empty()) continue;
        double const p = probability->convert_to<double>();
        auto const samples = static_cast<double>(*session.samples);
        auto const alive = static_cast<double>(seen[i].raw.front().samples);
        double const dead = 1 - alive / samples;
        out.dead.back() = compare_with_exact_error(p, dead, std::sqrt(p * (1 - p) / samples),
                                                   std::sqrt(dead * (1 - dead) / (samples - 1)), *session.samples);
    }
    return out;
}
Sampled sample(SymbolicModel const&, NormalisedRequest const&, Session const&, Answer&) { return {}; }

// ---- the answer

/// Errors  DomainError for LayerNorm of a single entry.
template <class R, class Count>
void require_two_entries(Model<R, Count> const& model, Answer& answer) {
    auto const& blocks = model.graph().stages;
    bool const chain = model.network.is_chain();
    std::vector<Requirement<R>> open;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        bool const normalised = chain ? i + 1 < blocks.size() || !(blocks[i].count == Count(1)) : has_skip(blocks[i]);
        if (!normalised) continue;
        R const spare = blocks[i].nodes.back().width - R(2);
        auto const sign = sign_of(spare);
        if (sign && *sign < 0)
            throw DomainError("`widths`: LayerNorm of one entry is 0; normalised layers have 2 or more", "widths");
        if (!sign) open.push_back({.value = spare, .strict = false});
    }
    if constexpr (std::is_same_v<R, RationalFunction>) declare_requirements(open, answer);
}

/// What LayerNorm makes of the input of a stream.
template <class R, class Count>
void state_direction(Model<R, Count> const& model, NormalisedRequest const& request, Answer& answer) {
    if (normalises_zero(model, request))
        answer.assume(
            std::string("x is a multiple of (1,..,1), so that N(x) = 0") +
            (request.placement == Placement::before ? " and y^k = x" : ": y^k = 0 if the first branch is dead"));
    else if (std::none_of(model.input.begin(), model.input.end(),
                          [&](R const& x) { return sign_of(R(x - model.input.front())).value_or(0) != 0; }))
        answer.assume("x is no multiple of (1,..,1), of which LayerNorm makes 0");
}

template <class R, class Count>
void add_normalised(Model<R, Count> const& model, NormalisedRequest const& request, Session const& session,
                    Answer& answer) {
    constexpr bool in_numbers = std::is_same_v<R, Surd>;
    bool const chain = model.network.is_chain();
    // What LayerNorm makes has an entry above 0.
    bool const dies = chain && request.by == Normalisation::rms && model.net().activation.gate().negative == R(0);
    if (request.by == Normalisation::layer) require_two_entries(model, answer);
    if constexpr (!in_numbers) {
        if (chain && request.by == Normalisation::rms && !model.net().activation.gate().negative.is_numeric())
            answer.assume("the slope is not 0, that of ReLU, whose layers die");
    }
    if (dies)
        answer.assume(
            "row of layer l: given that no ReLU layer below l is dead, at the output none below the last hidden layer; "
            "dead_below_probability: one is, and makes all above it 0");
    if (request.by == Normalisation::layer && starts_at_input(model)) state_direction(model, request, answer);
    Sampled sampled;
    if (session.samples) sampled = sample(model, request, session, answer);
    auto const all = sampled.norms.empty() ? std::vector<Section<R, Count>>{} : parts_of(model, std::nullopt, answer);
    auto const parts = parts_of(model, session.layer, answer);
    answer.expect((7 + request.order) * parts.size());
    std::string const why = in_numbers ? "too few networks alive at this layer" : not_sampled;
    for (auto const& part : parts) {
        NormChecks checks;
        std::optional<Check> dead;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].label != part.label) continue;
            checks = sampled.norms[i];
            dead = sampled.dead[i];
        }
        if (is_transcendental(part, request.by)) {
            add_transcendental_rows(part, moments_of(part, model, request, 1)[1], request.order, checks, why, answer);
        } else {
            auto const raw = moments_of(part, model, request, std::max(request.order, 4U));
            add_norm_rows(raw, raw, "", part.label, request.order, checks, why, answer);
        }
        if (dies) add_dead_probability(part, dead, answer);
    }
    if (request.gradients)
        add_normalised_gradients(model, request, parts, parts_of(model, std::nullopt, answer), session, answer);
}

void state_normalisation(NormalisedRequest const& request, ModelText const& text, Answer& answer) {
    bool const chain = text.wiring == Wiring::vanilla;
    std::string const norm = request.by == Normalisation::rms ? "RMSNorm N(z) = sqrt(n) z/|z|"
                                                              : "LayerNorm N(z) = sqrt(n) (z - mean)/|z - mean|";
    answer.assume("independent Gaussian weights; " + norm + ", n the entries of z, gain 1, no shift, N(0) = 0");
    if (chain) {
        answer.assume(
            "h^l = phi(N(z^l)), z^l = W^l h^(l-1); norms of h^l, at the output that of z, which is not "
            "normalised");
        return;
    }
    bool const before = request.placement == Placement::before;
    answer.assume(before ? "pre-norm: y^k = y^(k-1) + f(N(y^(k-1))), f the branch; norms of y^k, the stream"
                         : "post-norm: y^k = N(y^(k-1) + f(y^(k-1))), f the branch; norms of y^k, the stream");
    if (text.projections)
        answer.assume(before ? "index in: y^0 = W x; index out: W N(y^L), with a last normalisation before the output "
                               "matrix"
                             : "index in: y^0 = W x; index out: W y^L");
}

void evaluate_normalised(NormalisedRequest const& request, Session const& session, Bindings const& bindings,
                         Answer& answer) {
    for_each_network(request.networks, session, bindings, normalised_model, answer, [&](ModelText const& text) {
        state_normalisation(request, text, answer);
        with_model(text, bindings, [&](auto const& model) { add_normalised(model, request, session, answer); });
    });
}

void complete_normalised(NormalisedRequest& request, Session const& session) {
    request.networks = read_networks(request.typed, session, true);
    for (auto const& text : request.networks) {
        if (text.wiring == Wiring::vanilla && session.question.parameters.count("placement") != 0)
            throw ParseError(
                "`placement`: a chain has no blocks, and normalises each layer; it goes with `network` resnet:M",
                "placement");
        if (text.wiring == Wiring::dense || text.wiring == Wiring::file)
            throw UnsupportedError(
                "`network` " + printable(text.wiring_text) +
                    ": normalised layers are served in chains (vanilla) and residual networks (resnet:M)",
                "network");
        if (text.activation == ActivationKind::crelu || text.activation == ActivationKind::crelu_tied)
            throw UnsupportedError("`activation` " + std::string(name(text.activation)) +
                                       ": normalised layers are served with relu, leaky:S and linear units",
                                   "activation");
        if (text.law.value_or(LawKind::gaussian) != LawKind::gaussian)
            throw UnsupportedError(
                "`scheme` " + printable(text.as_typed("scheme")) +
                    ": its weights are uniform, and normalised layers are served with Gaussian ones; "
                    "`variance` gives them the same variances",
                "scheme");
    }
}

/// Those of any network, with what is served of them.
ParameterSet<ModelText> network_parameters() {
    ParameterSet<ModelText> out;
    auto const all = with_linear_head(model_parameters(normalised_model));
    for (auto const& row : all.rows())
        if (row.text.name != "input_fourth") out.add(row);
    auto& network = out.at("network").text;
    network.value = "vanilla|resnet:M";
    network.help = "Wiring: `widths` of resnet:M (branches of M matrices) are those of y^0..y^L";
    network.choices = {"vanilla", "resnet:2"};
    auto& activation = out.at("activation").text;
    activation.help = "relu, linear, leaky:S";
    activation.choices = {"relu", "linear", "leaky:1/100"};
    return out;
}

}  // namespace

Command normalised_command() {
    CommandOf<NormalisedRequest> out;
    out.text = {
        .name = "normalised",
        .summary = "Squared norms and gradients with RMSNorm or LayerNorm",
        .positional = "`widths`",
        .positional_help = "d_0,..,d_n; numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .charted = "squared_norm_mean",
    };
    auto const order = [](std::string const& text, std::string const& parameter) {
        return static_cast<unsigned>(parse_count(text, parameter, 1, max_normalised_order));
    };
    out.parameters.add(
        {"norm", "rms|layer",
         "RMSNorm or LayerNorm: in a chain before each unit, of residual networks "
         "before each branch",
         &NormalisedRequest::by,
         choice<Normalisation>("a normalisation", {{"rms", Normalisation::rms}, {"layer", Normalisation::layer}}),
         More{.usual = "rms"}});
    out.parameters.add({"placement", "pre|post", "Residual blocks y + f(N(y)), or N(y + f(y))",
                        &NormalisedRequest::placement,
                        choice<Placement>("a place", {{"pre", Placement::before}, {"post", Placement::after}}),
                        More{.usual = "pre", .needs = {"network"}}});
    out.parameters.add({"gradients", "Also what each layer or block makes of a gradient on its way down",
                        &NormalisedRequest::gradients});
    out.parameters.add(&NormalisedRequest::typed, network_parameters());
    out.parameters.add(&NormalisedRequest::typed, branch_parameters());
    out.parameters.add({"order", "P", "Moments E q^p up to p = P, at most " + std::to_string(max_normalised_order),
                        &NormalisedRequest::order, Reader<unsigned>{order},
                        More{.usual = std::to_string(usual_normalised_order)}});
    out.complete = complete_normalised;
    out.evaluate = evaluate_normalised;
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
