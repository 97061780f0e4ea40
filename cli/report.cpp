// SPDX-License-Identifier: MIT
#include <isserlis/formula/network_size.hpp>

#include "commands.hpp"

namespace isserlis::cli {
namespace {

constexpr std::size_t most_layers_shown = 12;
constexpr std::size_t shown_at_each_end = 3;
constexpr char const* not_random = "a function of the widths, with nothing to sample";

/// All layers of a shallow network; the first and last few of a deep one, so that the report stays one page.
template <class R, class Count>
Places<Count> shown_places(FullyConnected<R, Count> const& net, Session const& session, Answer& answer) {
    auto places = layer_places(net.layers, session.layer, answer);
    if (places.size() <= most_layers_shown) return places;
    answer.warn("layers " + places[shown_at_each_end].label + " .. " +
                places[places.size() - shown_at_each_end - 1].label +
                " are left out of the report; --layer K shows any of them");
    places.erase(places.begin() + shown_at_each_end, places.end() - shown_at_each_end);
    return places;
}

template <class Model>
void add_report(Model const& model, ModelText const& text, Session const& session, Answer& answer) {
    auto const places = shown_places(model.net, session, answer);
    answer.add("parameters", {}, parameter_count(model.net), {}, not_random);
    auto const bounds = minimal_width(model.net.input_width(), model.net.output_width());
    answer.add("minimal_width_lower", {}, bounds.lower, {}, not_random);
    answer.add("minimal_width_upper", {}, bounds.upper, {}, not_random);
    add_norms(model, NormRequest{}, places, session, answer);
    add_init(model, text, places, session, answer);
    add_moments(model, places, session, answer);
    add_chosen_products(model, places, session, answer);
    add_scaling_factor(model.net.layers, "1", answer);
}

}  // namespace

Command report_command() {
    static constexpr ModelOptions which{.activation = true, .variance = true, .law = true, .input = true};
    Command out;
    out.text = {
        .name = "report",
        .summary = "Everything known about one architecture, on one page",
        .positional = "WIDTHS",
        .positional_help = "d_0,..,d_n; numbers or symbols, 10:3 repeats",
        .most_positionals = 1000,
        .options = option_texts(which),
        .examples =
            "Examples:\n"
            "  isserlis report 2,10:3,1\n"
            "  isserlis report 2,10:3,1 --check 20000\n"
            "  isserlis report n0,n:L,1 --format latex\n",
    };
    out.text.options.push_back(
        {"--c", "R", "Scale of the standardised data that output_variance speaks of (default 1)"});
    out.evaluate = [](Session const& session, Bindings const& bindings, Answer& answer) {
        answer.group_by_command();
        for_each_network(session, bindings, which, answer, "--kurtosis", [&](ModelText const& text) {
            answer.assume("norms of h at hidden layers and of the head at the output");
            answer.assume("moments: entries scaled to variance 1; phi, psi: Gaussian weights");
            answer.assume("minimal widths: ReLU networks with biases");
            answer.assume("scaling factor: a rule of thumb for deep linear networks with proportional initialisation");
            with_model(text, bindings, [&](auto const& model) { add_report(model, text, session, answer); });
        });
    };
    return out;
}

}  // namespace isserlis::cli
