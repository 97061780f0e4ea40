// SPDX-License-Identifier: MIT
#include "quantity/training/train_statement.hpp"

#include <isserlis/train/initial.hpp>

namespace isserlis::quantity {

std::string shown(double x) { return *Value::approximate(x, 6, "").decimal(6); }

std::string stated_steps(train::TrainingOptions const& o, std::string const& rate) {
    std::string out = std::string(name(o.optimiser)) + " at " + rate;
    switch (o.optimiser) {
        case train::Optimiser::descent: break;
        case train::Optimiser::momentum: out += ", momentum " + shown(o.momentum); break;
        case train::Optimiser::rmsprop: out += ", smoothing " + shown(o.smoothing); break;
        case train::Optimiser::adam: out += ", beta " + shown(o.beta1) + " and " + shown(o.beta2); break;
    }
    if (o.optimiser == train::Optimiser::rmsprop || o.optimiser == train::Optimiser::adam)
        out += ", epsilon " + shown(o.epsilon);
    switch (o.schedule) {
        case train::Schedule::constant: break;
        case train::Schedule::drop:
            out += ", times " + shown(o.drop_factor) + " every " + std::to_string(o.drop_every) + " epochs";
            break;
        case train::Schedule::inverse: out += ", over 1 + " + shown(o.inverse_slope) + " i at step i from 0"; break;
    }
    out += o.batch_size == 0 ? "; all samples a step" : "; up to " + std::to_string(o.batch_size) + " samples a step";
    std::string factors;
    for (double const f : o.rate_factors) factors += (factors.empty() ? "" : ",") + shown(f);
    if (!factors.empty()) out += "; rates of the layers times " + factors;
    if (o.weight_decay != 0) out += "; weights shrink by rate times " + shown(o.weight_decay) + " a step";
    if (o.l1 != 0) out += "; " + shown(o.l1) + " sum |w| added to the loss";
    if (o.l2 != 0) out += "; " + shown(o.l2) + " sum w^2 added to the loss";
    if (o.l1 != 0 || o.l2 != 0) out += " for its gradients, not in what is printed of the loss and of its Hessian";
    if (o.clipping != train::Clipping::none)
        out += std::string("; gradients clipped by ") + name(o.clipping) + " at " + shown(o.clip);
    return out;
}

std::string stated_stop(std::string const& by, std::uint64_t steps) {
    return "stopped by " + by + ", after " + std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

void state_network(TrainRequest const& request, TrainingData const& data, std::string const& seeds, Answer& answer) {
    auto const& unit = request.unit;
    std::string const trained = request.weights ? " whose slopes are trained" : " whose slopes are trained from ";
    std::string const constant = unit.kind == mlp::UnitKind::prelu
                                     ? trained + (request.weights ? "" : shown(unit.constant()))
                                 : mlp::usual_constant(unit.kind) ? " of constant " + shown(unit.constant())
                                                                  : std::string();
    answer.assume("one fully connected network in double, " + std::string(name(unit.kind)) + " units" + constant +
                  ", linear head, " +
                  (request.biases
                       ? std::string(request.weights ? "biases" : "biases from 0") + " in place of the constant feature"
                       : std::string("no biases: the last input is the constant feature")));
    if (request.weights) {
        answer.assume("initial weights those of " + *request.weights +
                      (request.options.batch_size == 0 ? "" : "; batches by seed " + seeds));
    } else {
        answer.assume("initial weights Gaussian of variance " + shown(request.initial_gain) + "/fan_in, seed " + seeds);
    }
    for (auto const& text : data.statements) answer.assume(text);
    answer.assume("loss " + std::string(name(request.objective)) + ", summed over outputs, the mean over samples");
}

void state_training(Session const& session, TrainRequest const& request, TrainingData const& data, Answer& answer) {
    state_network(request, data, std::to_string(session.seed), answer);
    answer.assume(stated_steps(request.options, "rate " + shown(request.options.rate)));
}

std::vector<double> start_of(TrainRequest const& request, std::uint64_t seed) {
    if (!request.start.empty()) return request.start;
    return train::initial_parameters<double>(
        *request.architecture, train::variances_by_fan_in(*request.architecture, request.initial_gain), seed);
}

}  // namespace isserlis::quantity
