// SPDX-License-Identifier: MIT
#include "question/weights_file.hpp"

#include <cmath>
#include <isserlis/data/real_number.hpp>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>
#include <vector>

#include "question/json_file.hpp"

namespace isserlis::quantity {
namespace {

using Matrix = mlp::Matrix<double>;

class WeightsReader : JsonFile {
public:
    using JsonFile::JsonFile;

    mlp::Network<double> all() {
        Json const json = content();
        check_keys(json, {"activation", "head", "layers"}, "the file");
        mlp::Network<double> net;
        net.activation = activation(json);
        if (json.contains("head")) {
            if (json["head"] != "linear" && json["head"] != "activation")
                fail("has a \"head\" that is neither \"linear\" nor \"activation\"");
            net.gated_head = json["head"] == "activation";
        }
        if (!json.contains("layers") || !json["layers"].is_array() || json["layers"].empty())
            fail("needs a list \"layers\" of at least one layer, input side first");
        for (auto const& layer : json["layers"]) net.layers.push_back(read_layer(layer, net));
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

    [[nodiscard]] Activation<double> activation(Json const& json) const {
        std::string const text =
            json.contains("activation") && json["activation"].is_string() ? json["activation"].get<std::string>() : "";
        for (auto const kind :
             {ActivationKind::linear, ActivationKind::relu, ActivationKind::crelu, ActivationKind::crelu_tied})
            if (text == name(kind)) return {.kind = kind, .slope = {}};
        if (text.starts_with("leaky:"))
            return {.kind = ActivationKind::leaky, .slope = number(text.substr(6), "the slope of the activation")};
        fail("needs an \"activation\": \"linear\", \"relu\", \"leaky:S\", \"crelu\" or \"crelu-tied\"");
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

    [[nodiscard]] mlp::Layer<double> read_layer(Json const& json, mlp::Network<double> const& net) const {
        std::string const place = "layer " + std::to_string(net.layers.size() + 1);
        check_keys(json, {"weights", "negative"}, place);
        if (!json.contains("weights")) fail(place + " needs \"weights\", a list of rows, one for each output");
        mlp::Layer<double> out{.weights = matrix(json["weights"], place + ", \"weights\""), .negative = {}};
        if (!net.layers.empty() && out.weights.cols() != net.layers.back().weights.rows())
            fail(place + ", \"weights\": rows have " + std::to_string(out.weights.cols()) +
                 " columns, but the layer before has " + std::to_string(net.layers.back().weights.rows()) + " outputs");
        if (net.activation.kind == ActivationKind::crelu) {
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
            fail(place + " has \"negative\", but the activation " + name(net.activation.kind) +
                 (net.activation.kind == ActivationKind::crelu_tied ? " takes N = P; leave it out or say \"crelu\""
                                                                    : " has one matrix a layer"));
        }
        if (net.activation.kind == ActivationKind::crelu_tied) out.negative = out.weights;
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
    for (auto const& edge : wiring.edges()) {
        auto const rows = wiring.nodes()[edge.to].width;
        auto const columns = wiring.nodes()[edge.from].width;
        nlohmann::ordered_json layer{{"weights", matrix(edge.first, rows, columns)}};
        if (unit.kind == mlp::UnitKind::crelu) layer["negative"] = matrix(edge.negative, rows, columns);
        layers.push_back(std::move(layer));
    }
    std::string activation = unit.kind == mlp::UnitKind::identity ? "linear" : mlp::name(unit.kind);
    if (unit.kind == mlp::UnitKind::leaky) activation += ":" + nlohmann::json(unit.constant()).dump();
    return nlohmann::ordered_json{{"activation", activation}, {"layers", layers}}.dump() + "\n";
}

mlp::Network<double> read_weights_file(std::string const& path, std::string const& parameter) {
    return WeightsReader(path, parameter).all();
}

}  // namespace isserlis::quantity
