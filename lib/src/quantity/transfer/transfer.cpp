// SPDX-License-Identifier: MIT
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/report/tidy.hpp>

#include "quantity/commands.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/transfer/transfer_rules.hpp"
#include "quantity/unchecked.hpp"
#include "question/model_statement.hpp"

namespace isserlis::quantity {
namespace {

constexpr ModelParameters transfer_parameters{
    .target = true, .activation = true, .variance = true, .parametrisation = true, .input = true};

/// What `transfer` is asked.
struct TransferRequest {
    ModelText typed;
    std::vector<ModelText> networks;
    std::optional<Expression> rate;  ///< tuned on the first network
};

/// to/from times the rate, with the error of both.
monte_carlo::Estimate carried_over(monte_carlo::Estimate const& from, monte_carlo::Estimate const& to, double rate) {
    double const value = rate * to.mean / from.mean;
    double const relative = std::hypot(from.std_error / from.mean, to.std_error / to.mean);
    return {.mean = value, .std_error = std::abs(value) * relative, .samples = to.samples};
}

void add_rule(TransferRule const& from, TransferRule const& to, Surd const& rate, Answer& answer) {
    std::string const reason = from.absent.empty() ? to.absent : from.absent;
    std::optional<monte_carlo::Estimate> sampled;
    if (reason.empty() && from.sampled && to.sampled)
        sampled = carried_over(*from.sampled, *to.sampled, to_double(rate));
    Value value = Value::absent(reason);
    if (reason.empty() && to.squared_rate) {
        value = root(Surd(rate * rate * *to.squared_rate / *from.squared_rate), "the root of its square");
    } else if (reason.empty() && to.rate) {
        try {
            value = Surd(rate * *to.rate / *from.rate);
        } catch (UnsupportedError const&) {
            value = Value::quotient(Surd(rate * *to.rate), *from.rate);
        }
    } else if (sampled) {
        value = CurveNumber::sampled(*sampled).value();
        sampled.reset();
    }
    std::optional<Check> check;
    if (sampled) check = compare_sampled(value.to_double(), sampled->mean, sampled->std_error, sampled->samples);
    bool const of_sizes = to.name == "scaling_factor" || to.name.starts_with("depth");
    answer.add("transfer_rate", {to.name}, value, check,
               of_sizes                    ? "a function of the widths, with nothing to sample"
               : to.name == "hessian_norm" ? "hessian checks the norms"
                                           : "a sampled value itself, or none");
}

void state_rules(Answer& answer) {
    answer.assume("transfer_rate: the rate of the second network at which what the rule names is as in the first one");
    answer.assume(
        "rules: scaling_factor S_N times the rate; depth and depth_root: L and sqrt(L) times it, L hidden layers, "
        "rules for "
        "residual networks; change: E (Delta z_i^(L))^2 of the last hidden layer; vertex: the rate over the expected "
        "parabola's lowest point; hessian_norm: the rate times sqrt(E|H|_F^2), and top_eigenvalue times E|lambda_1|; "
        "minimiser: the rate over that of the lowest mean loss after one whole step");
}

void evaluate_transfer(TransferRequest const& request, Session const& session, Bindings const& bindings,
                       Answer& answer) {
    Surd const rate = request.rate ? value_at<Surd>(*request.rate, bindings, "rate") : Surd(1);
    if (sign(rate) <= 0)
        throw DomainError("`rate` = " + printable(to_string(rate)) + "; it has to be positive", "rate");
    state_assumptions(request.networks.front(), transfer_parameters, answer);
    state_mup_step(request.typed.target_second ? request.networks.front().as_typed("target_second_moment") : "1",
                   answer);
    state_rules(answer);
    std::vector<std::vector<TransferRule>> rules;
    for (auto const& text : request.networks) {
        for (auto const& symbol : text.symbols()) {
            if (bindings.count(symbol) == 0)
                throw UnsupportedError(
                    "`widths`: " + symbol + " has no value; transfer needs numbers, by `set` or `table`", "widths");
        }
        rules.push_back(transfer_rules(numeric_model(text, bindings), session));
    }
    answer.expect(rules[0].size());
    for (std::size_t k = 0; k < rules[0].size(); ++k) add_rule(rules[0][k], rules[1][k], rate, answer);
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
    out.parameters.add(&TransferRequest::typed, model_parameters(transfer_parameters));
    out.parameters.add("rate", "R", "The rate that is known for the first network", &TransferRequest::rate, formula(),
                       More{.usual = "1"});
    out.complete = [](TransferRequest& request, Session const& session) {
        if (session.question.words.size() != 2)
            throw ParseError("`widths`: two networks are needed, such as isserlis transfer 8,16:4,1 8,64:12,1",
                             "widths");
        request.networks = read_networks(request.typed, session);
    };
    out.evaluate = evaluate_transfer;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
