// SPDX-License-Identifier: MIT
#include "known_answer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>

#include "chain_models.hpp"
#include "observable_check.hpp"
#include "sampling_model.hpp"

namespace isserlis::cli {
namespace {

constexpr double most_weights_of_a_hessian = 2000;
constexpr double most_weights = 1e6;
constexpr double weights_of_a_pilot = 3e8;  ///< drawn where a standard deviation is out of reach of exact moments
constexpr double least_pilot_networks = 500;
constexpr double most_pilot_networks = 20'000;
constexpr std::uint64_t most_layers = 1000;

/// Standard deviations of the changes of all layers, over as many networks as take seconds.
std::vector<double> change_deviations(NumericModel const& model, KnownAnswer const& known, double weights,
                                      Session const& session) {
    auto const networks =
        static_cast<std::uint64_t>(std::clamp(weights_of_a_pilot / weights, least_pilot_networks, most_pilot_networks));
    double const outputs = static_cast<double>(known.widths.back());
    std::vector<double> out;
    for (auto const& layer :
         monte_carlo::sample_steps(sampling_model(model), known.factors, known.target_second / outputs, networks,
                                   session.seed, session.run_control()))
        out.push_back(layer.change_square.std_error * std::sqrt(static_cast<double>(networks)));
    return out;
}

/// sqrt(E X^2 - (E X)^2); not finite where the square has too many strands.
double exact_deviation(KnownQuery const& asked, NumericModel const& model, Answer& answer) {
    auto const second = exact_second_moment(asked.query, model, answer);
    if (!second) return std::nan("");
    return std::sqrt(std::max(0.0, to_double(Surd(*second - asked.exact * asked.exact))));
}

/// Statistics whose tolerance is below their value; the others are named with the number of networks that they need.
void add_statistics(KnownAnswer& known, NumericModel const& model, std::vector<KnownQuery> const& queries,
                    double weights, Session const& session, Answer& answer) {
    std::vector<double> changes;
    std::size_t position = 0;
    for (auto const& asked : queries) {
        KnownStatistic s;
        s.name = asked.name;
        s.exact = to_double(asked.exact);
        s.position = position++;
        if (asked.change_of && changes.empty()) changes = change_deviations(model, known, weights, session);
        s.sampled = asked.change_of.has_value();
        s.deviation = s.sampled ? changes[*asked.change_of - 1] : exact_deviation(asked, model, answer);
        double const needed = std::pow(tolerated_errors * s.deviation / s.exact, 2);
        if (std::isfinite(s.exact) && (s.exact == 0 || needed < static_cast<double>(known.samples))) {
            known.statistics.push_back(s);
            continue;
        }
        std::array<char, 40> count{};
        std::snprintf(count.data(), count.size(), "%.2g", needed);
        known.left_out.push_back(s.name + (std::isfinite(needed)
                                               ? ", which needs more than " + std::string(count.data()) + " networks"
                                               : ", which is beyond the range of a double"));
    }
    if (!known.statistics.empty()) return;
    throw UnsupportedError("--emit-test: " + std::to_string(known.samples) +
                               " networks confirm nothing here: " + known.left_out.front() + "; see --emit-samples",
                           "--emit-samples");
}

void refuse_samples_alone(Session const& session) {
    if (session.arguments.has("--emit-samples") && !session.arguments.has("--emit-test"))
        throw ParseError("--emit-samples means nothing without --emit-test", "--emit-samples");
}

}  // namespace

std::vector<OptionText> emit_options() {
    return {
        {"--emit-test", "pytorch|jax|cpp", "A test file with this network, its exact values and tolerances instead"},
        {"--emit-samples", "N", "Networks that the test draws (default 1000)"}};
}

void refuse_symbols_in_test(Session const& session) {
    refuse_samples_alone(session);
    if (session.arguments.has("--emit-test"))
        throw UnsupportedError("--emit-test: a test has numbers; give the symbols theirs by --set", "--emit-test");
}

void emit_test(KnownAnswer::Kind kind, NumericModel const& model, std::vector<KnownQuery> const& queries,
               Session const& session, Answer& answer) {
    auto const& arguments = session.arguments;
    auto const language = arguments.value("--emit-test");
    if (!language) {
        refuse_samples_alone(session);
        return;
    }
    if (*language != "pytorch" && *language != "jax" && *language != "cpp") {
        throw ParseError("--emit-test: '" + printable(*language) + "' is no language; choose pytorch, jax or cpp",
                         "--emit-test");
    }
    for (char const* other : {"--format", "--check", "--table", "--digits", "--explain", "--functionals"}) {
        if (arguments.has(other))
            throw ParseError(std::string(other) + ": --emit-test prints a program; leave it out", other);
    }
    if (answer.document())
        throw UnsupportedError("--emit-test: a test has one network; give one WIDTHS", "--emit-test");
    if (!model.is_gaussian())
        throw UnsupportedError("--emit-test: tests draw Gaussian weights; leave --law and --kurtosis out",
                               "--emit-test");
    auto const net = layer_by_layer(model.net, most_layers);
    KnownAnswer known;
    known.kind = kind;
    double weights = 0;
    if (net) {
        known.widths.push_back(static_cast<std::uint64_t>(numerator_of(net->input_width().to_rational())));
        for (auto const& run : net->layers) {
            known.widths.push_back(static_cast<std::uint64_t>(numerator_of(run.fan_out.to_rational())));
            known.variances.push_back(to_double(run.variance));
            known.factors.push_back(to_double(run.label_factor));
            weights += to_double(Surd(run.fan_in * run.fan_out));
        }
    }
    double const most = kind == KnownAnswer::Kind::hessian ? most_weights_of_a_hessian : most_weights;
    if (!net || weights > most) {
        throw UnsupportedError("--emit-test: the network has too many layers or weights; up to " +
                                   std::to_string(most_layers) + " layers and " +
                                   std::to_string(static_cast<std::uint64_t>(most)) + " weights are served",
                               "--emit-test");
    }
    known.slope = to_double(model.net.activation.gate_slope());
    known.input = sampling_input(model, static_cast<std::size_t>(known.widths.front()));
    known.target_second = to_double(model.target_second);
    if (auto const t = arguments.value("--emit-samples"))
        known.samples = parse_count(*t, "--emit-samples", 2, 1'000'000'000);
    known.title = title_with_options(answer, {"emit_test", "output"});
    for (auto& c : known.title) c = c == '\n' || c == '\r' || c == '"' || c == '\\' ? ' ' : c;
    add_statistics(known, model, queries, weights, session, answer);
    answer.set_document(*language == "pytorch" ? pytorch_test(known)
                        : *language == "jax"   ? jax_test(known)
                                               : cpp_test(known));
}

std::string filled(std::string text, std::vector<std::pair<std::string, std::string>> const& values) {
    for (auto const& [name, value] : values) {
        std::string const mark = "{{" + name + "}}";
        for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
            text.replace(at, mark.size(), value);
    }
    return text;
}

std::string number_text(double x) {
    std::array<char, 40> buffer{};
    auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
    std::string out(buffer.data(), end);
    return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

std::string listed(std::vector<double> const& values) {
    std::string out;
    for (double const x : values) out += (out.empty() ? "" : ", ") + number_text(x);
    return out;
}

std::string listed(std::vector<std::uint64_t> const& values) {
    std::string out;
    for (auto const x : values) out += (out.empty() ? "" : ", ") + std::to_string(x);
    return out;
}

}  // namespace isserlis::cli
