// SPDX-License-Identifier: MIT
#include "training_data.hpp"

#include <isserlis/data/built_in.hpp>
#include <isserlis/error.hpp>
#include <isserlis/float_data/gaussian_classes.hpp>
#include <isserlis/float_data/images.hpp>
#include <isserlis/float_data/table.hpp>
#include <isserlis/mlp/loss_derivatives.hpp>
#include <utility>

#include "curve_data.hpp"
#include "graph_file.hpp"

namespace isserlis::cli {
namespace {

using float_data::FloatData;

constexpr std::uint64_t most_drawn = 1'000'000;

bool is_built_in(std::string const& source) { return source == "cos" || source == "checkerboard"; }

/// "idx:A,B" as idx and its list; a name of a file has no such prefix.
std::pair<std::string, std::vector<std::string>> kind_and_list(std::string const& source) {
    auto const colon = source.find(':');
    std::string const kind = source.substr(0, colon);
    for (char const* known : {"idx", "cifar10", "gaussian", "anisotropic"})
        if (colon != std::string::npos && kind == known) return {kind, split(source.substr(colon + 1))};
    return {"", {}};
}

FloatData<double> drawn_classes(std::vector<std::string> const& list, bool anisotropic, Session const& session,
                                std::string const& option) {
    if (list.size() != 3)
        throw ParseError(option + ": CLASSES,FEATURES,SAMPLES are needed, such as gaussian:2,100,20000", option);
    auto const count = [&](std::size_t i, std::uint64_t least) {
        return parse_count(list[i], option, least, most_drawn);
    };
    return float_data::gaussian_classes<double>({.classes = count(0, 2),
                                                 .features = count(1, 1),
                                                 .samples = count(2, 1),
                                                 .anisotropic = anisotropic,
                                                 .seed = session.seed});
}

FloatData<double> read_source(std::string const& source, Session const& session, std::string const& option) {
    auto const [kind, list] = kind_and_list(source);
    if (kind == "idx") {
        if (list.size() != 2)
            throw ParseError(option + ": two files are needed, such as idx:train-images,train-labels", option);
        std::string const images = file_content(list[0], option);
        std::string const labels = file_content(list[1], option);
        return float_data::parse_idx<double>({list[0], images}, {list[1], labels});
    }
    if (kind == "cifar10") {
        std::vector<std::string> contents;
        for (auto const& file : list) contents.push_back(file_content(file, option));
        std::vector<float_data::FileText> batches;
        for (std::size_t i = 0; i < list.size(); ++i) batches.push_back({list[i], contents[i]});
        return float_data::parse_cifar10<double>(batches);
    }
    if (!kind.empty()) return drawn_classes(list, kind == "anisotropic", session, option);
    return float_data::parse_float_csv<double>(file_content(source, option), source);
}

/// The built-in sets are those of the exact side, to the nearest double.
FloatData<double> built_in_data(Arguments const& arguments) {
    DataSet const set = read_data_set(arguments);
    FloatData<double> out{.name = set.place(), .inputs = mlp::columns(input_doubles(set))};
    out.targets = mlp::columns(target_doubles(set));
    out.inputs = mlp::Matrix<double>(out.inputs.topRows(out.inputs.rows() - 1));
    return out;
}

/// The scale of standardised data, and of the constant feature beside them.
double scale_of(Arguments const& arguments, std::string const& source) {
    auto const c = arguments.value("--c");
    if (!is_built_in(source)) {
        if (arguments.has("--size"))
            throw ParseError("--size: it belongs to cos and checkerboard; other data have the samples they have",
                             "--size");
        if (c && !arguments.has("--standardize"))
            throw ParseError("--c: the scale of standardised data; add --standardize", "--c");
    }
    double const out = c ? Value(parse_surd(*c, "--c")).to_double() : 1;
    if (!(out > 0)) throw DomainError("--c = " + printable(*c) + "; a number above 0 is required", "--c");
    return out;
}

std::string statement(FloatData<double> const& data, TrainRequest const& request, Arguments const& arguments,
                      std::string const& source) {
    std::string const c = arguments.value("--c").value_or("1");
    std::string out = data.name + ": " + std::to_string(data.samples()) +
                      (data.samples() == 1 ? " sample, d_0 = " : " samples, d_0 = ") +
                      std::to_string(data.features() + (request.biases ? 0 : 1)) +
                      (request.biases ? " without a constant feature" : " with the constant feature");
    if (!data.labels.empty()) out += ", " + std::to_string(data.classes) + " classes";
    if (is_built_in(source)) out += ", features of mean square c^2 by their uniform law, c = " + c;
    if (arguments.has("--standardize")) out += ", every feature standardised to mean 0 and mean square c^2, c = " + c;
    if (!kind_and_list(source).first.empty() && source.find("idx") != 0 && source.find("cifar10") != 0)
        out += ", drawn by seed; docs/data.md has the law";
    return out;
}

mlp::Examples<double> fitted(FloatData<double>&& data, TrainRequest const& request, double constant) {
    std::size_t const features = data.features() + (request.biases ? 0 : 1);
    auto const& net = request.architecture;
    if (features != net.inputs())
        throw DomainError("WIDTHS: " + std::to_string(net.inputs()) + " inputs, but " + data.name + " has " +
                              std::to_string(features),
                          "WIDTHS");
    if (data.labels.empty() && static_cast<std::size_t>(data.targets.rows()) != net.outputs())
        throw DomainError("WIDTHS: " + std::to_string(net.outputs()) + " outputs, but " + data.name + " has " +
                              std::to_string(data.targets.rows()),
                          "WIDTHS");
    return float_data::examples(std::move(data), request.objective, net.outputs(), request.biases ? 0 : constant);
}

void require_one_scale(Arguments const& arguments) {
    for (char const* option : {"--validation", "--hold-out"})
        if (arguments.has(option) && arguments.has("--standardize"))
            throw UnsupportedError(std::string(option) +
                                       ": samples shifted and scaled as the training data are not served; give data "
                                       "in one scale and leave --standardize out",
                                   option);
    if (arguments.has("--validation") && arguments.has("--hold-out"))
        throw ParseError("--hold-out: there is --validation already; give one of both", "--hold-out");
}

}  // namespace

std::vector<OptionText> training_data_options() {
    auto out = data_set_options();
    out.front() = {"--data", "DATA",
                   "cos, checkerboard, a CSV file, idx:IMAGES,LABELS, cifar10:FILE,.., or drawn "
                   "gaussian:CLASSES,FEATURES,SAMPLES, anisotropic:.. (docs/data.md)"};
    out.push_back({"--validation", "DATA", "More samples, which are not trained on: a CSV file, idx:.., cifar10:.."});
    out.push_back({"--hold-out", "N", "Keep the last N samples of --data for validation"});
    return out;
}

TrainingData read_training_data(Session const& session, TrainRequest const& request) {
    auto const& arguments = session.arguments;
    auto const source = arguments.value("--data");
    if (!source)
        throw ParseError("--data is missing; give a CSV file, cos or checkerboard, such as --data cos", "--data");
    require_one_scale(arguments);
    double const c = scale_of(arguments, *source);
    auto data = is_built_in(*source) ? built_in_data(arguments) : read_source(*source, session, "--data");
    if (arguments.has("--standardize")) float_data::standardise(data, c);
    TrainingData out;
    out.statements.push_back(statement(data, request, arguments, *source));
    if (auto const count = arguments.value("--hold-out")) {
        std::size_t const samples = data.samples();
        if (samples < 2)
            throw DomainError("--hold-out: " + data.name + " has 1 sample, which is needed for training", "--hold-out");
        auto held = float_data::held_out(data, parse_count(*count, "--hold-out", 1, samples - 1));
        out.statements.push_back("the last " + std::to_string(held.samples()) + " samples are for validation alone");
        out.validation = fitted(std::move(held), request, c);
    }
    if (auto const other = arguments.value("--validation")) {
        auto const kind = kind_and_list(*other).first;
        if (is_built_in(*other) || kind == "gaussian" || kind == "anisotropic")
            throw ParseError("--validation: '" + printable(*other) + "' is no file; see --hold-out", "--validation");
        auto more = read_source(*other, session, "--validation");
        out.statements.push_back("validation on " + more.name + ", " + std::to_string(more.samples()) + " samples");
        out.validation = fitted(std::move(more), request, c);
    }
    out.training = fitted(std::move(data), request, c);
    return out;
}

}  // namespace isserlis::cli
