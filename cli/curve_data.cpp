// SPDX-License-Identifier: MIT
#include "curve_data.hpp"

#include <algorithm>
#include <isserlis/data/built_in.hpp>
#include <isserlis/data/csv.hpp>
#include <isserlis/data/standardise.hpp>
#include <isserlis/data/targets.hpp>
#include <isserlis/error.hpp>

#include "graph_file.hpp"
#include "model_text.hpp"

namespace isserlis::cli {
namespace {

LossKind read_loss(Arguments const& arguments) {
    auto const text = arguments.value("--loss").value_or("squared");
    std::string known;
    for (auto const& l : losses) {
        if (text == l.name) return l.kind;
        known += (known.empty() ? "" : ", ") + std::string(l.name);
    }
    throw ParseError("--loss: '" + printable(text) + "' is unknown; known are " + known, "--loss");
}

std::vector<Rational> read_rationals(std::string const& text, std::string const& option) {
    std::vector<Rational> out;
    for (auto const& e : parse_list(text, option)) {
        if (!e.symbols().empty())
            throw ParseError(option + ": numbers are required, not '" + printable(text) + "'", option);
        auto const value = evaluate<Surd>(e, [](std::string const&) { return Surd(0); });
        if (!value.is_rational())
            throw UnsupportedError(option + ": " + to_string(value) + " is not rational; rational numbers are served",
                                   option);
        out.push_back(value.to_rational());
    }
    return out;
}

/// How features were standardised, with c; empty for data as they are.
std::string scaling_of(Arguments const& arguments) {
    std::string const c = arguments.value("--c").value_or("1");
    if (arguments.has("--standardize")) return "every feature standardised to mean 0 and mean square c^2, c = " + c;
    std::string const name = arguments.value("--data").value_or("");
    bool const built_in = name == "cos" || name == "checkerboard";
    return built_in ? "features of mean square c^2 by their uniform law, c = " + c : "";
}

bool read_fixed(Arguments const& arguments, DataSet const& set) {
    auto const text = arguments.value("--gradient");
    if (!text) {
        throw ParseError(
            "--gradient is missing; choose fixed (gradients and Hessians of the loss are constants, as the theorems of "
            "[Hettinger 2019] take them) or random (they depend on the weights)",
            "--gradient");
    }
    if (*text != "fixed" && *text != "random")
        throw ParseError("--gradient: '" + printable(*text) + "' is unknown; choose fixed or random", "--gradient");
    if (*text == "random" && set.targets.empty())
        throw DomainError("--gradient random: " + set.place() + " has no targets y1, ..; add them, or choose fixed",
                          "--gradient");
    return *text == "fixed";
}

}  // namespace

std::vector<OptionText> data_set_options() {
    return {{"--data", "FILE|cos|checkerboard", "Samples: a CSV file (docs/data.md), or a built-in set"},
            {"--size", "N", "Samples of cos (default 16), squares along a side of checkerboard (default 8)"},
            {"--standardize", "", "Shift and scale every feature of the file to mean 0 and mean square c^2"},
            {"--c", "R", "Scale of standardised data (default 1)"}};
}

DataSet read_data_set(Arguments const& arguments) {
    auto const name = arguments.value("--data");
    if (!name)
        throw ParseError("--data is missing; give a CSV file, cos or checkerboard, such as --data cos", "--data");
    auto const scale = arguments.value("--c");
    Rational const c = scale ? parse_rational(*scale, "--c") : Rational(1);
    bool const built_in = *name == "cos" || *name == "checkerboard";
    if (auto const size = arguments.value("--size"); size && !built_in)
        throw ParseError("--size: it belongs to cos and checkerboard; a file has the samples it has", "--size");
    if (scale && !built_in && !arguments.has("--standardize"))
        throw ParseError("--c: the scale of standardised data; add --standardize", "--c");
    if (built_in) {
        constexpr std::uint64_t most = 1'000'000;
        bool const cosine = *name == "cos";
        auto const size = parse_count(arguments.value("--size").value_or(cosine ? "16" : "8"), "--size", 1, most);
        if (arguments.has("--standardize"))
            throw ParseError("--standardize: " + *name + " is standardised already, in law; see docs/data.md",
                             "--standardize");
        return cosine ? cosine_data(size, c) : checkerboard_data(size, c);
    }
    DataSet set = parse_data_csv(file_content(*name, "--data", memory_of_exact_numbers), *name);
    if (arguments.has("--standardize")) set = standardised(std::move(set), c);
    return set;
}

std::vector<OptionText> curve_data_options() {
    auto out = data_set_options();
    for (OptionText const& option :
         {OptionText{"--loss", "NAME", "squared (default), half-squared, cross-entropy or binary-cross-entropy"},
          OptionText{"--gradient", "fixed|random",
                     "Are gradients of the loss by the outputs constants? No default: choose"},
          OptionText{"--at-output", "LIST", "Output at which fixed gradients are taken (default 0 in every entry)"}})
        out.push_back(option);
    return out;
}

CurveData read_curve_data(Arguments const& arguments) {
    CurveData out;
    out.set = read_data_set(arguments);
    out.loss = read_loss(arguments);
    out.fixed = read_fixed(arguments, out.set);
    if (auto const at = arguments.value("--at-output")) {
        if (!out.fixed)
            throw ParseError("--at-output: random gradients are taken at the network's own output; drop the option",
                             "--at-output");
        out.output = read_rationals(*at, "--at-output");
    } else {
        out.output.assign(out.set.output_width(), Rational(0));
    }
    bool const all_given = !out.set.gradients.empty() && !out.set.hessians.empty();
    out.loss_is_idle = out.fixed && all_given && arguments.has("--loss");
    if (arguments.has("--at-output") && all_given)
        throw ParseError("--at-output: " + out.set.place() + " has gradients and Hessians of its own; drop the option",
                         "--at-output");
    if (!out.fixed || out.set.gradients.empty()) require_targets(out.set, out.loss);
    if (out.fixed) out.at = output_derivatives(out.set, out.loss, out.output);
    return out;
}

std::string data_text(DataSet const& data, Arguments const& arguments) {
    std::string const scaling = scaling_of(arguments);
    return "data " + data.name + ": " + std::to_string(data.samples()) +
           (data.samples() == 1 ? " sample" : " samples") + ", d_0 = " + std::to_string(data.input_width()) +
           " with the constant feature" + (scaling.empty() ? "" : ", " + scaling);
}

void state_curve_data(CurveData const& data, Arguments const& arguments, Answer& answer) {
    answer.assume(data_text(data.set, arguments));
    if (data.loss_is_idle) answer.warn("--loss has no effect: the data have gradients and Hessians of their own");
    bool const all_given = data.fixed && !data.set.gradients.empty() && !data.set.hessians.empty();
    auto const& loss = info(data.loss);
    answer.assume(all_given ? "the mean over samples of a loss known by its gradients and Hessians"
                            : std::string("loss ") + loss.name + ", " + loss.value + ", the mean over samples");
    bool const has_targets = !data.set.targets.empty() && !data.set.lines.empty();
    if (data.fixed && has_targets && !data.at->uses_targets())
        answer.warn("columns y of the data are not used: fixed gradients are those of columns g");
    if (!data.fixed) {
        answer.assume("random gradients: those of the loss at the network's own outputs, weights inside");
        if (!data.set.gradients.empty() || !data.set.hessians.empty())
            answer.warn("columns g and h of the data are for --gradient fixed; they are not used");
        return;
    }
    std::string at;
    for (auto const& x : data.output) at += (at.empty() ? "" : ",") + to_string(x);
    auto const source = [&](bool given) {
        return given ? std::string("those of the data") : "those of the loss at the output " + at;
    };
    answer.assume("fixed gradients, " + source(!data.set.gradients.empty()) + ", and Hessians, " +
                  source(!data.set.hessians.empty()) + ": constants, whatever the weights are");
}

}  // namespace isserlis::cli
