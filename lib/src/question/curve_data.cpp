// SPDX-License-Identifier: MIT
#include "question/curve_data.hpp"

#include <algorithm>
#include <isserlis/data/built_in.hpp>
#include <isserlis/data/csv.hpp>
#include <isserlis/data/standardise.hpp>
#include <isserlis/data/targets.hpp>
#include <isserlis/error.hpp>

#include "question/graph_file.hpp"
#include "question/model_text.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

std::vector<Rational> read_rationals(std::string const& text, std::string const& parameter) {
    std::vector<Rational> out;
    for (auto const& e : parse_list(text, parameter)) {
        if (!e.symbols().empty())
            throw ParseError(named(parameter) + ": numbers are required, not '" + printable(text) + "'", parameter);
        auto const value = evaluate<Surd>(e, [](std::string const&) { return Surd(0); });
        if (!value.is_rational())
            throw UnsupportedError(
                named(parameter) + ": " + to_string(value) + " is not rational; rational numbers are served",
                parameter);
        out.push_back(value.to_rational());
    }
    return out;
}

/// How features were standardised, with c; empty for data as they are.
std::string scaling_of(DataSetText const& text) {
    if (text.standardize) return "every feature standardised to mean 0 and mean square c^2, c = " + text.c;
    return text.is_built_in() ? "features of mean square c^2 by their uniform law, c = " + text.c : "";
}

}  // namespace

ParameterSet<DataSetText> data_set_parameters() {
    constexpr std::uint64_t most = 1'000'000;
    return {{"data", "FILE|cos|checkerboard", "Samples: a CSV file (docs/data.md), or a built-in set",
             &DataSetText::name, as_text(), More{.choices = {"cos", "checkerboard"}}},
            {"size", "N", "Samples of cos, squares along a side of checkerboard", &DataSetText::size, count(1, most),
             More{.usual = "16 and 8"}},
            {"standardize", "Shift and scale every feature of the file to mean 0 and mean square c^2",
             &DataSetText::standardize},
            {"c", "R", "Scale of standardised data", &DataSetText::c, as_text(), More{.usual = "1"}}};
}

DataSet read_data_set(DataSetText const& text) {
    if (text.name.empty())
        throw ParseError("`data` is missing; give a CSV file, cos or checkerboard, such as `data` cos", "data");
    Rational const c = parse_rational(text.c, "c");
    if (!text.is_built_in()) {
        if (text.size)
            throw ParseError("`size`: it belongs to cos and checkerboard; a file has the samples it has", "size");
        if (text.c != "1" && !text.standardize)
            throw ParseError("`c`: the scale of standardised data; add `standardize`", "c");
        DataSet set = parse_data_csv(given_content(text.name, "data", memory_of_exact_numbers), text.name);
        return text.standardize ? standardised(std::move(set), c) : set;
    }
    if (text.standardize)
        throw ParseError("`standardize`: " + text.name + " is standardised already, in law; see docs/data.md",
                         "standardize");
    return text.name == "cos" ? cosine_data(text.size.value_or(16), c) : checkerboard_data(text.size.value_or(8), c);
}

ParameterSet<CurveDataText> curve_data_parameters() {
    std::vector<std::pair<std::string, LossKind>> kinds;
    for (auto const& l : losses) kinds.emplace_back(l.name, l.kind);
    ParameterSet<CurveDataText> out;
    out.add(&CurveDataText::set, data_set_parameters());
    out.add({"loss", "NAME", "", &CurveDataText::loss, choice("a loss", kinds), More{.usual = "squared"}});
    out.add({"gradient", "Are gradients of the loss by the outputs constants? No default: choose",
             &CurveDataText::fixed, choice<bool>("a kind of gradient", {{"fixed", true}, {"random", false}})});
    out.add({"at_output", "LIST", "Output at which fixed gradients are taken", &CurveDataText::output,
             Reader<std::vector<Rational>>{read_rationals}, More{.usual = "0 in every entry"}});
    return out;
}

CurveData read_curve_data(CurveDataText const& text) {
    CurveData out;
    out.set = read_data_set(text.set);
    out.loss = text.loss.value_or(LossKind::squared);
    if (!text.fixed) {
        throw ParseError(
            "`gradient` is missing; choose fixed (gradients and Hessians of the loss are constants, as the theorems of "
            "[Hettinger 2019] take them) or random (they depend on the weights)",
            "gradient");
    }
    out.fixed = *text.fixed;
    if (!out.fixed && out.set.targets.empty())
        throw DomainError("`gradient` random: " + out.set.place() + " has no targets y1, ..; add them, or choose fixed",
                          "gradient");
    if (text.output && !out.fixed)
        throw ParseError("`at_output`: random gradients are taken at the network's own output; drop the parameter",
                         "at_output");
    out.output = text.output.value_or(std::vector<Rational>(out.set.output_width(), Rational(0)));
    bool const all_given = !out.set.gradients.empty() && !out.set.hessians.empty();
    out.loss_is_idle = out.fixed && all_given && text.loss;
    if (text.output && all_given)
        throw ParseError(
            "`at_output`: " + out.set.place() + " has gradients and Hessians of its own; drop the parameter",
            "at_output");
    if (!out.fixed || out.set.gradients.empty()) require_targets(out.set, out.loss);
    if (out.fixed) out.at = output_derivatives(out.set, out.loss, out.output);
    return out;
}

std::string data_text(DataSet const& data, DataSetText const& text) {
    std::string const scaling = scaling_of(text);
    return "data " + data.name + ": " + std::to_string(data.samples()) +
           (data.samples() == 1 ? " sample" : " samples") + ", d_0 = " + std::to_string(data.input_width()) +
           " with the constant feature" + (scaling.empty() ? "" : ", " + scaling);
}

void state_curve_data(CurveData const& data, DataSetText const& text, Answer& answer) {
    answer.assume(data_text(data.set, text));
    if (data.loss_is_idle) answer.warn("`loss` has no effect: the data have gradients and Hessians of their own");
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
            answer.warn("columns g and h of the data are for `gradient` fixed; they are not used");
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

}  // namespace isserlis::quantity
