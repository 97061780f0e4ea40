// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/verify/heavy_tails.hpp>

#include "quantity/commands.hpp"
#include "quantity/derived_check.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/mup/step_samples.hpp"
#include "quantity/transfer/transfer_samples.hpp"
#include "quantity/unchecked.hpp"
#include "question/model_statement.hpp"
#include "question/requirements.hpp"

namespace isserlis::quantity {
namespace {

constexpr ModelParameters transfer_parameters{.wiring = true,
                                              .target = true,
                                              .activation = true,
                                              .variance = true,
                                              .parametrisation = true,
                                              .bias = true,
                                              .input = true};

/// What `transfer` is asked.
struct TransferRequest {
    ModelText typed;
    std::vector<ModelText> networks;
    std::optional<Expression> rate;  ///< tuned on the first network
    TransferSamples given;           ///< in place of one sample
};

/// to/from times the rate, with the error of both.
monte_carlo::Estimate carried_over(monte_carlo::Estimate const& from, monte_carlo::Estimate const& to, double rate) {
    double const value = rate * to.mean / from.mean;
    double const relative = std::hypot(from.std_error / from.mean, to.std_error / to.mean);
    return {.mean = value, .std_error = std::abs(value) * relative, .samples = to.samples};
}

Value quotient(Surd const& above, Surd const& below) {
    try {
        return Surd(above / below);
    } catch (UnsupportedError const&) {
        return Value::quotient(above, below);
    }
}
/// Of two depths as they are: multiplied out over both, each summand would repeat the divisors.
Value quotient(RationalFunction const& above, RationalFunction const& below) { return above.merged() / below.merged(); }

/// sqrt(above/below): of numbers one root.
Value root_of_quotient(Surd const& above, Surd const& below) {
    return root(Surd(above / below), "the root of its square");
}
Value root_of_quotient(RationalFunction const& above, RationalFunction const& below) {
    return sqrt(above.merged()) / sqrt(below.merged());
}

template <class R>
void add_rule(TransferRule<R> const& from, TransferRule<R> const& to, R const& rate, Answer& answer) {
    std::string const missing = from.absent.empty() ? to.absent : from.absent;
    std::optional<monte_carlo::Estimate> sampled;
    if (missing.empty() && from.sampled && to.sampled)
        sampled = carried_over(*from.sampled, *to.sampled, to_double(rate));
    double const share = std::max(from.largest_share, to.largest_share);
    Value value = Value::absent(missing);
    if (missing.empty() && (to.squared_rate || to.rate)) {
        try {
            value = to.rate ? quotient(R(rate * *to.rate), *from.rate)
                            : root_of_quotient(R(rate * rate * *to.squared_rate), *from.squared_rate);
        } catch (UnsupportedError const& e) {
            value = Value::absent(reason(e));
            sampled.reset();
        }
    } else if (sampled) {
        value = CurveNumber::sampled(*sampled, share).value();
        sampled.reset();
    }
    std::optional<Check> check;
    if (sampled) check = compare_sampled(value.to_double(), sampled->mean, sampled->std_error, sampled->samples, share);
    for (auto const* rule : {&from, &to})
        for (auto const& mean : rule->means) check = derived_check(check, mean);
    bool const of_sizes = to.name == "scaling_factor" || to.name.starts_with("depth");
    answer.add("transfer_rate", {to.name}, value, check,
               of_sizes                              ? "a function of the widths, with nothing to sample"
               : std::is_same_v<R, RationalFunction> ? not_numeric
               : to.name == "hessian_norm"           ? "hessian checks the norms"
               : to.name == "vertex"                 ? "of a sampled curvature that is not above 0"
                                                     : "a sampled value itself, or none");
}

void state_rules(Answer& answer) {
    answer.assume("transfer_rate: the rate of the second network at which what the rule names is as in the first one");
    answer.assume(
        "rules: scaling_factor S_N times the rate, a rule of thumb derived for deep linear networks of equal ends with "
        "proportional initialisation and constant gradients; depth and depth_root: L and sqrt(L) times it, L hidden "
        "layers or "
        "residual blocks, rules for residual networks; change: E (Delta z_i^(L))^2 of the last hidden layer, of "
        "residual networks E (Delta y_i^L)^2; vertex: the rate over the expected "
        "parabola's lowest point; hessian_norm: the rate times sqrt(E|H|_F^2), and top_eigenvalue times E|lambda_1|; "
        "minimiser: the rate over that of the lowest mean loss after one whole step");
}

void state_rules_on_samples(BatchText const& batch, Answer& answer) {
    answer.assume(std::string("on samples: change is the mean over them; the loss that falls is the mean over all of "
                              "them; H is the Hessian of the mean over ") +
                  (batch.is_given() ? "a batch" : "all of them"));
}

/// Errors  UnsupportedError for networks that have no depth, or no layer between plain matrices.
void require_depth_rules(ModelText const& typed) {
    if (typed.wiring == Wiring::dense || typed.wiring == Wiring::file)
        throw UnsupportedError(
            "`network`: rates are carried between fully connected (vanilla) or residual networks, resnet:M", "network");
    if (typed.wiring == Wiring::residual && !typed.projections)
        throw UnsupportedError(
            "`network` resnet: rates are carried between residual networks of plain input and output layers; add "
            "`projections`, with `widths` d_0, y^0..y^L and the output",
            "network");
    if (sides_of(typed.activation) != WeightSides::one && typed.wiring == Wiring::residual)
        throw UnsupportedError("`activation`: relu, leaky and linear units are served here", "activation");
}

template <class Model>
void add_rules(Model const& from, Model const& to, TransferRequest const& request, Session const& session,
               Bindings const& bindings, Answer& answer) {
    using R = std::decay_t<decltype(from.squared_norm)>;
    R const rate = request.rate ? value_at<R>(*request.rate, bindings, "rate") : R(1);
    if (sign_of(rate).value_or(1) <= 0)
        throw DomainError("`rate` = " + printable(to_string(rate)) + "; it has to be positive", "rate");
    if constexpr (std::is_same_v<R, RationalFunction>) {
        if (!sign_of(rate)) declare_requirements({{.value = rate, .strict = true}}, answer);
    }
    auto const rules = [&](Model const& model, ModelText const& text) {
        if (request.given.samples.with) declare_grams(*request.given.samples.with, model, bindings, answer);
        return transfer_rules(model, request.given.samples.are_given()
                                         ? means_on_samples(model, text, request.given, session, bindings)
                                         : means_at_one_sample(model, session, answer));
    };
    auto const before = rules(from, request.networks[0]);
    auto const after = rules(to, request.networks[1]);
    answer.expect(before.size());
    for (std::size_t k = 0; k < before.size(); ++k) add_rule(before[k], after[k], rate, answer);
}

void evaluate_transfer(TransferRequest const& request, Session const& session, Bindings const& bindings,
                       Answer& answer) {
    auto const& [from, to] = std::tie(request.networks[0], request.networks[1]);
    if (session.samples && sides_of(from.activation) != WeightSides::one)
        throw UnsupportedError("`check`: steps of relu, leaky and linear units are sampled; leave it out", "check");
    bool const several = request.given.samples.are_given();
    ModelParameters stated = transfer_parameters;
    stated.law = true;
    if (several) stated.input = stated.target = false;
    state_assumptions(from, stated, answer);
    if (several) {
        state_step_samples(request.given.samples, request.given.batch, answer);
    } else {
        state_mup_step(request.typed.target_second ? from.as_typed("target_second_moment") : "1", answer);
    }
    if (from.parametrisation)
        answer.assume(
            "the step is one of w along minus its gradient, in each layer by its rate, eta = 1; H by w, each "
            "derivative times the root of its rate");
    if (from.has_unit_parameters()) answer.assume("the step and H are by theta, W = theta/sqrt(fan_in)");
    if (from.has_biases()) answer.assume(biases_stay);
    state_rules(answer);
    if (several) state_rules_on_samples(request.given.batch, answer);
    auto symbols = from.symbols();
    symbols.merge(to.symbols());
    symbols.merge(request.given.samples.symbols());
    if (request.rate) symbols.merge(request.rate->symbols());
    for (auto const& text : request.networks) state_symbols(symbols, text, bindings, answer);
    bool const in_numbers =
        std::all_of(symbols.begin(), symbols.end(), [&](auto const& s) { return bindings.count(s) != 0; });
    if (in_numbers && session.samples && !from.has_biases() && !several)
        answer.assume("top_eigenvalue and minimiser: sampled with targets of random signs and equal sizes");
    if (in_numbers) {
        add_rules(numeric_model(from, bindings), numeric_model(to, bindings), request, session, bindings, answer);
    } else {
        add_rules(symbolic_model(from, bindings), symbolic_model(to, bindings), request, session, bindings, answer);
    }
}

}  // namespace

Command transfer_command() {
    CommandOf<TransferRequest> out;
    out.text = {
        .name = "transfer",
        .summary = "The rate that each rule predicts for one network from that of another",
        .positional = "`widths`",
        .positional_help = "FROM TO: the network whose rate is known, and the one whose rate is asked for",
        .most_positionals = 2,
        .refusals = {{{"layer"}, "{}: rates have no layers; leave it out"}},
    };
    auto of_model = with_linear_head(model_parameters(transfer_parameters));
    auto& network = of_model.at("network").text;
    network.value = "vanilla|resnet:M";
    network.help =
        "Wiring: `widths` of resnet:M (branches of M matrices) are d_0, y^0..y^L and the outputs, with `projections`";
    network.choices = {"vanilla", "resnet:2"};
    out.parameters.add(&TransferRequest::typed, of_model);
    out.parameters.add(&TransferRequest::typed, branch_parameters());
    out.parameters.add({"rate", "R", "The rate that is known for the first network", &TransferRequest::rate, formula(),
                        More{.usual = "1"}});
    ParameterSet<TransferSamples> given;
    given.add(&TransferSamples::samples, samples_parameters(WithUse::samples));
    given.add(&TransferSamples::batch, batch_parameters());
    out.parameters.add(&TransferRequest::given, given);
    out.complete = [](TransferRequest& request, Session const& session) {
        if (session.question.words.size() != 2)
            throw ParseError("`widths`: two networks are needed, such as isserlis transfer 8,16:4,1 8,64:12,1",
                             "widths");
        require_depth_rules(request.typed);
        auto& samples = request.given.samples;
        if (samples.are_given()) {
            complete_samples(samples, session);
            (void)batch_of(request.given.batch, samples.size());  // refuses one that is too large
            request.networks = read_networks_of_samples(request.typed, session, samples.symbols());
            return;
        }
        request.networks = read_networks(request.typed, session, true);
    };
    out.evaluate = evaluate_transfer;
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
