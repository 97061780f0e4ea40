// SPDX-License-Identifier: MIT
#include "quantity/training/training_data.hpp"

#include <isserlis/data/built_in.hpp>
#include <isserlis/error.hpp>
#include <isserlis/float_data/gaussian_classes.hpp>
#include <isserlis/float_data/images.hpp>
#include <isserlis/float_data/table.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <utility>

#include "question/curve_data.hpp"
#include "question/graph_file.hpp"
#include "question/readers.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

using float_data::FloatData;

constexpr std::uint64_t most_drawn = 1'000'000;

/// "idx:A,B" as idx and its list; a name of a file has no such prefix.
std::pair<std::string, std::vector<std::string>> kind_and_list(std::string const& source) {
    auto const colon = source.find(':');
    std::string const kind = source.substr(0, colon);
    for (char const* known : {"idx", "cifar10", "gaussian", "anisotropic"})
        if (colon != std::string::npos && kind == known) return {kind, split(source.substr(colon + 1))};
    return {"", {}};
}

/// Is it drawn, by the seed?
bool is_drawn(std::string const& source) {
    std::string const kind = kind_and_list(source).first;
    return kind == "gaussian" || kind == "anisotropic";
}

FloatData<double> drawn_classes(std::vector<std::string> const& list, bool anisotropic, Session const& session,
                                std::string const& parameter) {
    if (list.size() != 3)
        throw ParseError(named(parameter) + ": CLASSES,FEATURES,SAMPLES are needed, such as gaussian:2,100,20000",
                         parameter);
    auto const count = [&](std::size_t i, std::uint64_t least) {
        return parse_count(list[i], parameter, least, most_drawn);
    };
    return float_data::gaussian_classes<double>({.classes = count(0, 2),
                                                 .features = count(1, 1),
                                                 .samples = count(2, 1),
                                                 .anisotropic = anisotropic,
                                                 .seed = session.seed});
}

FloatData<double> read_source(std::string const& source, Session const& session, std::string const& parameter) {
    auto const [kind, list] = kind_and_list(source);
    if (kind == "idx") {
        if (list.size() != 2)
            throw ParseError(named(parameter) + ": two files are needed, such as idx:train-images,train-labels",
                             parameter);
        std::string const images = file_content(list[0], parameter);
        std::string const labels = file_content(list[1], parameter);
        return float_data::parse_idx<double>({list[0], images}, {list[1], labels});
    }
    if (kind == "cifar10") {
        std::vector<std::string> contents;
        for (auto const& file : list) contents.push_back(file_content(file, parameter));
        std::vector<float_data::FileText> batches;
        for (std::size_t i = 0; i < list.size(); ++i) batches.push_back({list[i], contents[i]});
        return float_data::parse_cifar10<double>(batches);
    }
    if (!kind.empty()) return drawn_classes(list, kind == "anisotropic", session, parameter);
    return float_data::parse_float_csv<double>(given_content(source, parameter), source);
}

/// The built-in sets are those of the exact side, to the nearest double.
FloatData<double> built_in_data(DataSetText const& text) {
    DataSet const set = read_data_set(text);
    FloatData<double> out{.name = set.place(), .inputs = mlp::columns(input_doubles(set))};
    out.targets = mlp::columns(target_doubles(set));
    out.inputs = mlp::Matrix<double>(out.inputs.topRows(out.inputs.rows() - 1));
    return out;
}

/// The scale of standardised data, and of the constant feature beside them.
double scale_of(DataSetText const& text) {
    if (!text.is_built_in()) {
        if (text.size)
            throw ParseError("`size`: it belongs to cos and checkerboard; other data have the samples they have",
                             "size");
        if (text.c != "1" && !text.standardize)
            throw ParseError("`c`: the scale of standardised data; add `standardize`", "c");
    }
    double const out = double_of(text.c, "c");
    if (!(out > 0)) throw DomainError("`c` = " + printable(text.c) + "; a number above 0 is required", "c");
    return out;
}

std::string statement(FloatData<double> const& data, TrainRequest const& request) {
    auto const& text = request.data.set;
    std::string const& c = text.c;
    std::string const& source = text.name;
    std::string out = data.name + ": " + std::to_string(data.samples()) +
                      (data.samples() == 1 ? " sample, d_0 = " : " samples, d_0 = ") +
                      std::to_string(data.features() + (request.biases ? 0 : 1)) +
                      (request.biases ? " without a constant feature" : " with the constant feature");
    if (!data.labels.empty()) out += ", " + std::to_string(data.classes) + " classes";
    if (text.is_built_in()) out += ", features of mean square c^2 by their uniform law, c = " + c;
    if (text.standardize) out += ", every feature standardised to mean 0 and mean square c^2, c = " + c;
    if (is_drawn(source)) out += ", drawn by seed; docs/data.md has the law";
    return out;
}

mlp::Examples<double> fitted(FloatData<double>&& data, TrainRequest const& request, double constant) {
    std::size_t const features = data.features() + (request.biases ? 0 : 1);
    auto const& net = *request.architecture;
    if (features != net.inputs())
        throw DomainError("`widths`: " + std::to_string(net.inputs()) + " inputs, but " + data.name + " has " +
                              std::to_string(features),
                          "widths");
    if (data.labels.empty() && static_cast<std::size_t>(data.targets.rows()) != net.outputs())
        throw DomainError("`widths`: " + std::to_string(net.outputs()) + " outputs, but " + data.name + " has " +
                              std::to_string(data.targets.rows()),
                          "widths");
    return float_data::examples(std::move(data), request.objective, net.outputs(), request.biases ? 0 : constant);
}

}  // namespace

ParameterSet<TrainingDataText> training_data_parameters() {
    ParameterSet<TrainingDataText> out;
    out.add(&TrainingDataText::set, data_set_parameters());
    auto& data = out.at("data").text;
    data.value = "DATA";
    data.help =
        "cos, checkerboard, a CSV file, idx:IMAGES,LABELS, cifar10:FILE,.., or drawn "
        "gaussian:CLASSES,FEATURES,SAMPLES, anisotropic:.. (docs/data.md)";
    constexpr char const* one_scale =
        "{}: samples shifted and scaled as the training data are not served; give data in one scale and leave "
        "`standardize` out";
    out.add({"validation", "DATA", "More samples, which are not trained on: a CSV file, idx:.., cifar10:..",
             &TrainingDataText::validation, as_text(),
             More{.refusals = {{{"hold_out"}, "`hold_out`: there is `validation` already; give one of both"}}}});
    out.add({"hold_out", "N", "Keep the last N samples of `data` for validation", &TrainingDataText::hold_out,
             count(1, most_drawn)});
    out.at("standardize").text.refusals = {{{"validation", "hold_out"}, one_scale}};
    return out;
}

TrainingData read_training_data(Session const& session, TrainRequest const& request) {
    bool const draws = !request.weights || request.options.batch_size != 0 || is_drawn(request.data.set.name);
    if (!draws && session.question.parameters.count("seed") != 0)
        throw ParseError("`seed`: nothing is drawn, as `weights` has the initial weights; leave it out", "seed");
    auto const& text = request.data;
    std::string const& source = text.set.name;
    if (source.empty())
        throw ParseError("`data` is missing; give a CSV file, cos or checkerboard, such as `data` cos", "data");
    double const c = scale_of(text.set);
    auto data = text.set.is_built_in() ? built_in_data(text.set) : read_source(source, session, "data");
    if (text.set.standardize) float_data::standardise(data, c);
    TrainingData out;
    out.statements.push_back(statement(data, request));
    if (text.hold_out) {
        std::size_t const samples = data.samples();
        if (samples < 2)
            throw DomainError("`hold_out`: " + data.name + " has 1 sample, which is needed for training", "hold_out");
        if (*text.hold_out >= samples)
            throw DomainError("`hold_out` = " + std::to_string(*text.hold_out) + "; a whole number from 1 to " +
                                  std::to_string(samples - 1) + " is required",
                              "hold_out");
        auto held = float_data::held_out(data, *text.hold_out);
        out.statements.push_back("the last " + std::to_string(held.samples()) + " samples are for validation alone");
        out.validation = fitted(std::move(held), request, c);
    }
    if (auto const& other = text.validation) {
        auto const kind = kind_and_list(*other).first;
        if (*other == "cos" || *other == "checkerboard" || kind == "gaussian" || kind == "anisotropic")
            throw ParseError("`validation`: '" + printable(*other) + "' is no file; see `hold_out`", "validation");
        auto more = read_source(*other, session, "validation");
        out.statements.push_back("validation on " + more.name + ", " + std::to_string(more.samples()) + " samples");
        out.validation = fitted(std::move(more), request, c);
    }
    out.training = fitted(std::move(data), request, c);
    return out;
}

}  // namespace isserlis::quantity
