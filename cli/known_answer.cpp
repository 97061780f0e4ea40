// SPDX-License-Identifier: MIT
#include "known_answer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/verify/observable.hpp>

#include "chain_models.hpp"
#include "observable_check.hpp"
#include "sampling_model.hpp"

namespace isserlis::cli {
namespace {

constexpr double most_weights_of_a_hessian = 2000;
constexpr double most_weights = 1e6;
constexpr std::uint64_t pilot_networks = 20'000;  ///< for a standard deviation out of reach of exact moments
constexpr std::uint64_t most_layers = 1000;

/// sqrt(E X^2 - (E X)^2), exact if the square has few enough strands, else that of sampled networks.
KnownStatistic statistic(KnownQuery const& asked, NumericModel const& model, Session const& session, Answer& answer) {
    KnownStatistic out{.name = asked.name, .exact = to_double(asked.exact)};
    if (auto const second = exact_second_moment(asked.query, model, answer)) {
        out.deviation = std::sqrt(std::max(0.0, to_double(Surd(*second - asked.exact * asked.exact))));
        return out;
    }
    Session pilot = session;
    pilot.samples = pilot_networks;
    auto const check = observable_check(asked.query, model, asked.exact, pilot, answer);
    out.deviation = check->std_error * std::sqrt(static_cast<double>(pilot_networks));
    out.sampled = true;
    return out;
}

}  // namespace

std::vector<OptionText> emit_options() {
    return {
        {"--emit-test", "pytorch|jax|cpp", "A test file with this network, its exact values and tolerances instead"},
        {"--emit-samples", "N", "Networks that the test draws (default 1000)"}};
}

void refuse_symbols_in_test(Session const& session) {
    if (session.arguments.has("--emit-test"))
        throw UnsupportedError("--emit-test: a test has numbers; give the symbols theirs by --set", "--emit-test");
}

void emit_test(KnownAnswer::Kind kind, NumericModel const& model, std::vector<KnownQuery> const& queries,
               Session const& session, Answer& answer) {
    auto const& arguments = session.arguments;
    auto const language = arguments.value("--emit-test");
    if (!language) {
        if (arguments.has("--emit-samples"))
            throw ParseError("--emit-samples means nothing without --emit-test", "--emit-samples");
        return;
    }
    if (*language != "pytorch" && *language != "jax" && *language != "cpp") {
        throw ParseError("--emit-test: '" + printable(*language) + "' is no language; choose pytorch, jax or cpp",
                         "--emit-test");
    }
    for (char const* other : {"--format", "--check", "--table"}) {
        if (arguments.has(other))
            throw ParseError(std::string(other) + ": --emit-test prints a program; leave it out", other);
    }
    if (answer.document())
        throw UnsupportedError("--emit-test: a test has one network; give one WIDTHS", "--emit-test");
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
    known.title = answer.title();
    for (auto const& [name, value] : answer.inputs()) {
        if (name != "widths" && name != "emit_test" && name != "output") known.title += ", " + name + " " + value;
    }
    for (auto& c : known.title) c = c == '\n' || c == '\r' || c == '"' || c == '\\' ? ' ' : c;
    for (auto const& asked : queries) known.statistics.push_back(statistic(asked, model, session, answer));
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
