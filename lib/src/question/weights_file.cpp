// SPDX-License-Identifier: MIT
#include "question/weights_file.hpp"

#include <algorithm>
#include <cmath>
#include <isserlis/data/real_number.hpp>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>
#include <vector>

#include "question/json_file.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

using Matrix = mlp::Matrix<double>;

constexpr char const* linear = "linear";  ///< what files call identity

/// A unit as files have it.
std::string written(mlp::Unit const& unit) {
    if (unit.kind == mlp::UnitKind::identity) return linear;
    std::string const name = mlp::name(unit.kind);
    return mlp::usual_constant(unit.kind) ? name + ":" + nlohmann::json(unit.constant()).dump() : name;
}

class WeightsReader : JsonFile {
public:
    using JsonFile::JsonFile;

    SavedNetwork all() {
        Json const json = content();
        check_keys(json, {"version", "activation", "biases", "head", "layers"}, "the file");
        if (json.contains("version") && json["version"] != weights_file_version)
            fail("is of version " + printable(json["version"].dump()) + "; version " +
                 std::to_string(weights_file_version) + " is read here");
        SavedNetwork net;
        read_activation(json, net);
        if (json.contains("biases")) {
            if (!json["biases"].is_boolean()) fail("has \"biases\" that are neither true nor false");
            net.biases = json["biases"].get<bool>();
        }
        if (json.contains("head")) {
            if (json["head"] != "linear" && json["head"] != "activation")
                fail("has a \"head\" that is neither \"linear\" nor \"activation\"");
            net.gated_head = json["head"] == "activation";
            if (net.gated_head && net.unit.kind == mlp::UnitKind::crelu)
                fail("has a \"head\" \"activation\" behind a concatenated ReLU, whose outputs would be twice as many");
        }
        if (!json.contains("layers") || !json["layers"].is_array() || json["layers"].empty())
            fail("needs a list \"layers\" of at least one layer, input side first");
        for (auto const& layer : json["layers"])
            net.layers.push_back(read_layer(layer, net, net.layers.size() + 1 == json["layers"].size()));
        return net;
    }

private:
    [[nodiscard]] double number(Json const& json, std::string const& where) const {
        if (json.is_number()) return json.get<double>();
        if (!json.is_string()) fail(where + " is neither a number nor a string such as \"1/3\" or \"sqrt(2)/2\"");
        auto const text = json.get<std::string>();
        try {
            double const value = RealNumber(parse_surd(text, where)).to_double();
            if (std::isfinite(value)) return value;
        } catch (ParseError const& e) {
            fail(e.what());  // names the place itself
        } catch (Error const& e) {
            fail(where + ": " + e.what());
        }
        fail(where + ": \"" + printable(text) + "\" is beyond the range of double");
    }

    void read_activation(Json const& json, SavedNetwork& net) const {
        std::string const text =
            json.contains("activation") && json["activation"].is_string() ? json["activation"].get<std::string>() : "";
        net.tied = text == name(ActivationKind::crelu_tied);
        std::string const word = text.substr(0, text.find(':'));
        auto const kind = net.tied         ? mlp::UnitKind::crelu
                          : text == linear ? mlp::UnitKind::identity
                                           : mlp::unit_kind(word).value_or(mlp::UnitKind::step);
        bool const has_constant = word.size() < text.size();
        if (kind == mlp::UnitKind::step || (has_constant && !mlp::usual_constant(kind)) ||
            (!has_constant && kind == mlp::UnitKind::leaky))
            fail(
                "needs an \"activation\": \"linear\", \"relu\", \"leaky:S\", \"crelu\", \"crelu-tied\", or another "
                "unit of train");
        net.unit.kind = kind;
        if (has_constant) net.unit.slope = number(text.substr(word.size() + 1), "the constant of the activation");
    }

    [[nodiscard]] Matrix matrix(Json const& json, std::string const& what) const {
        if (!json.is_array() || json.empty()) fail(what + " is not a list of rows");
        Matrix out;
        for (std::size_t i = 0; i < json.size(); ++i) {
            Json const& row = json[i];
            std::string const where = what + ", row " + std::to_string(i + 1);
            if (!row.is_array() || row.empty()) fail(where + " is not a list of numbers");
            if (i == 0) out.resize(static_cast<Eigen::Index>(json.size()), static_cast<Eigen::Index>(row.size()));
            if (static_cast<Eigen::Index>(row.size()) != out.cols())
                fail(where + " has " + std::to_string(row.size()) + " columns, row 1 has " +
                     std::to_string(out.cols()));
            for (std::size_t j = 0; j < row.size(); ++j)
                out(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
                    number(row[j], where + ", column " + std::to_string(j + 1));
        }
        return out;
    }

    [[nodiscard]] SavedNetwork::Layer read_layer(Json const& json, SavedNetwork const& net, bool last) const {
        std::string const place = "layer " + std::to_string(net.layers.size() + 1);
        check_keys(json, {"weights", "negative", "bias", "slope"}, place);
        if (!json.contains("weights")) fail(place + " needs \"weights\", a list of rows, one for each output");
        SavedNetwork::Layer out;
        auto& weights = out.matrices.weights = matrix(json["weights"], place + ", \"weights\"");
        if (!net.layers.empty() && weights.cols() != net.layers.back().matrices.weights.rows())
            fail(place + ", \"weights\": rows have " + std::to_string(weights.cols()) +
                 " columns, but the layer before has " + std::to_string(net.layers.back().matrices.weights.rows()) +
                 " outputs");
        read_negative(json, place, net, out.matrices);
        if (json.contains("bias") != net.biases)
            fail(place + (net.biases ? " needs a \"bias\", a list of numbers, one for each output"
                                     : " has a \"bias\", but the file does not say \"biases\": true"));
        if (net.biases) out.bias = numbers(json["bias"], place + ", \"bias\"", weights.rows());
        bool const has_slope = net.unit.has_trained_slope() && !last;
        if (json.contains("slope") != has_slope)
            fail(place + (has_slope ? " needs a \"slope\", that of its prelu units"
                                    : " has a \"slope\", which only "
                                      "layers of prelu units have"));
        if (has_slope) out.slope = number(json["slope"], place + ", \"slope\"");
        return out;
    }

    void read_negative(Json const& json, std::string const& place, SavedNetwork const& net,
                       mlp::Layer<double>& out) const {
        bool const sides = net.unit.kind == mlp::UnitKind::crelu;
        if (sides && !net.tied) {
            if (!json.contains("negative"))
                fail(place +
                     " needs \"negative\", the matrix N for the negative entries of its input; \"weights\" "
                     "is P");
            out.negative = matrix(json["negative"], place + ", \"negative\"");
            if (out.negative.rows() != out.weights.rows() || out.negative.cols() != out.weights.cols())
                fail(place + ": \"negative\" is " + std::to_string(out.negative.rows()) + " x " +
                     std::to_string(out.negative.cols()) + ", \"weights\" " + std::to_string(out.weights.rows()) +
                     " x " + std::to_string(out.weights.cols()) + "; they must agree");
        } else if (json.contains("negative")) {
            fail(place + " has \"negative\", but the activation " +
                 (net.tied ? "crelu-tied takes N = P; leave it out or say \"crelu\""
                           : written(net.unit) + " has one matrix a layer"));
        }
        if (net.tied) out.negative = out.weights;
    }

    [[nodiscard]] std::vector<double> numbers(Json const& json, std::string const& what, Eigen::Index size) const {
        if (!json.is_array() || static_cast<Eigen::Index>(json.size()) != size)
            fail(what + " is not a list of " + std::to_string(size) + " numbers");
        std::vector<double> out;
        for (std::size_t i = 0; i < json.size(); ++i)
            out.push_back(number(json[i], what + ", entry " + std::to_string(i + 1)));
        return out;
    }
};

}  // namespace

std::string weights_text(mlp::Architecture const& architecture, mlp::Unit const& unit,
                         std::vector<double> const& parameters) {
    auto const& wiring = architecture.wiring();
    auto const matrix = [&](std::size_t first, std::size_t rows, std::size_t columns) {
        nlohmann::ordered_json out = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < rows; ++i) {
            auto const row = parameters.begin() + static_cast<std::ptrdiff_t>(first + i * columns);
            out.push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(columns)));
        }
        return out;
    };
    nlohmann::ordered_json layers = nlohmann::ordered_json::array();
    bool biases = false;
    for (auto const& edge : wiring.edges()) {
        auto const rows = wiring.nodes()[edge.to].width;
        auto const columns = wiring.nodes()[edge.from].width;
        nlohmann::ordered_json layer{{"weights", matrix(edge.first, rows, columns)}};
        if (unit.kind == mlp::UnitKind::crelu) layer["negative"] = matrix(edge.negative, rows, columns);
        if (auto const* bias = architecture.range(edge.to, mlp::ParameterKind::bias)) {
            biases = true;
            layer["bias"] = matrix(bias->first, 1, rows)[0];
        }
        if (auto const* slope = architecture.range(edge.to, mlp::ParameterKind::slope))
            layer["slope"] = parameters[slope->first];
        layers.push_back(std::move(layer));
    }
    nlohmann::ordered_json out{{"version", weights_file_version}, {"activation", written(unit)}};
    if (biases) out["biases"] = true;
    out["layers"] = std::move(layers);
    return out.dump() + "\n";
}

std::vector<std::size_t> SavedNetwork::widths() const {
    std::vector<std::size_t> out{static_cast<std::size_t>(layers.front().matrices.weights.cols())};
    for (auto const& layer : layers) out.push_back(static_cast<std::size_t>(layer.matrices.weights.rows()));
    return out;
}

std::vector<double> SavedNetwork::parameters(mlp::Architecture const& architecture) const {
    std::vector<double> out = architecture.neutral_parameters();
    auto const copy = [&](double const* from, std::size_t count, std::size_t first) {
        std::copy_n(from, count, out.begin() + static_cast<std::ptrdiff_t>(first));
    };
    auto const& edges = architecture.wiring().edges();
    for (std::size_t l = 0; l < layers.size(); ++l) {
        auto const& layer = layers[l];
        auto const& [weights, negative] = layer.matrices;
        copy(weights.data(), static_cast<std::size_t>(weights.size()), edges[l].first);
        copy(negative.data(), static_cast<std::size_t>(negative.size()), edges[l].negative);
        if (auto const* bias = architecture.range(edges[l].to, mlp::ParameterKind::bias))
            copy(layer.bias.data(), layer.bias.size(), bias->first);
        if (auto const* slope = architecture.range(edges[l].to, mlp::ParameterKind::slope))
            out[slope->first] = layer.slope.value();
    }
    return out;
}

SavedNetwork read_saved_network(std::string const& path, std::string const& parameter) {
    return WeightsReader(path, parameter).all();
}

mlp::Network<double> read_weights_file(std::string const& path, std::string const& parameter) {
    auto const saved = read_saved_network(path, parameter);
    auto const refuse = [&](std::string const& what) {
        throw UnsupportedError(named(parameter) + ": '" + printable(path) + "' has " + what +
                                   "; here networks have linear, relu, leaky or crelu units and no biases",
                               parameter);
    };
    if (saved.biases) refuse("biases");
    mlp::Network<double> out;
    switch (saved.unit.kind) {
        case mlp::UnitKind::identity: out.activation.kind = ActivationKind::linear; break;
        case mlp::UnitKind::relu: out.activation.kind = ActivationKind::relu; break;
        case mlp::UnitKind::leaky:
            out.activation = {.kind = ActivationKind::leaky, .slope = saved.unit.constant()};
            break;
        case mlp::UnitKind::crelu:
            out.activation.kind = saved.tied ? ActivationKind::crelu_tied : ActivationKind::crelu;
            break;
        default: refuse(std::string(mlp::name(saved.unit.kind)) + " units");
    }
    out.gated_head = saved.gated_head;
    for (auto const& layer : saved.layers) out.layers.push_back(layer.matrices);
    return out;
}

}  // namespace isserlis::quantity
