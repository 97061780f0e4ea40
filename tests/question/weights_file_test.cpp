// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <isserlis/error.hpp>
#include <question/weights_file.hpp>
#include <string>

namespace {

using isserlis::ActivationKind;
using isserlis::mlp::Matrix;
using isserlis::mlp::Network;

std::string path() {
    return (std::filesystem::temp_directory_path() / ("isserlis_weights_" + std::to_string(getpid()) + ".json"))
        .string();
}

/// What the reader makes of a file with this text.
Network<double> read(std::string const& text) {
    struct File {
        explicit File(std::string const& content) { std::ofstream(path()) << content; }
        ~File() { std::filesystem::remove(path()); }
        File(File const&) = delete;
        File& operator=(File const&) = delete;
    };
    File const file(text);
    return isserlis::quantity::read_weights_file(path(), "weights");
}

void check_refused(std::string const& text, std::string const& message) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(read(text), ("`weights`: '" + path() + "' " + message).c_str(), isserlis::ParseError);
}

}  // namespace

TEST_SUITE("question/weights_file") {
    TEST_CASE("weights are numbers or exact text") {
        auto const net = read(R"({"activation": "relu", "head": "activation",
            "layers": [{"weights": [[1, -2.5], ["1/3", "sqrt(2)/2"], [1e-3, 0]]}, {"weights": [[1, 2, 3]]}]})");
        CHECK(net.activation.kind == ActivationKind::relu);
        CHECK(net.gated_head);
        REQUIRE(net.layers.size() == 2);
        CHECK(net.layers[0].weights == Matrix<double>{{1, -2.5}, {1.0 / 3, std::sqrt(2.0) / 2}, {1e-3, 0}});
        CHECK(net.layers[0].negative.size() == 0);
        CHECK(net.layers[1].weights == Matrix<double>{{1, 2, 3}});
        CHECK(read(R"({"activation": "leaky:1/8", "layers": [{"weights": [[1]]}]})").activation.slope == 0.125);
    }

    TEST_CASE("concatenated ReLU has two matrices a layer, tied or not") {
        auto const own = read(R"({"activation": "crelu", "layers": [{"weights": [[1, 2]], "negative": [[3, 4]]}]})");
        CHECK(own.layers[0].negative == Matrix<double>{{3, 4}});
        auto const tied = read(R"({"activation": "crelu-tied", "layers": [{"weights": [[1, 2]]}]})");
        CHECK(tied.layers[0].negative == Matrix<double>{{1, 2}});
        CHECK_FALSE(tied.gated_head);
    }

    TEST_CASE("what is wrong is named with file, layer, row and column") {
        std::string const relu = R"({"activation": "relu", "layers": )";
        check_refused(relu + R"([{"weights": [[1, 2], [3, "x+"]]}]})",
                      "layer 1, \"weights\", row 2, column 2: 'x+', character 3: a number or a symbol is missing");
        check_refused(relu + R"([{"weights": [[1, 2], [3, null]]}]})",
                      "layer 1, \"weights\", row 2, column 2 is neither a number nor a string such as \"1/3\" or "
                      "\"sqrt(2)/2\"");
        check_refused(relu + R"([{"weights": [[1, 2], [3]]}]})",
                      "layer 1, \"weights\", row 2 has 1 columns, row 1 has 2");
        check_refused(relu + R"([{"weights": [[1, 2], 3]}]})", "layer 1, \"weights\", row 2 is not a list of numbers");
        check_refused(relu + R"([{"weights": []}]})", "layer 1, \"weights\" is not a list of rows");
        check_refused(relu + R"([{"weights": [[1, 2]]}, {"weights": [[1, 2]]}]})",
                      "layer 2, \"weights\": rows have 2 columns, but the layer before has 1 outputs");
        check_refused(relu + R"([{"weights": [["a"]]}]})",
                      "layer 1, \"weights\", row 1, column 1: the symbol 'a' stands where a number is needed");
        check_refused(relu + R"([{"weights": [["1/0"]]}]})",
                      "layer 1, \"weights\", row 1, column 1: division of 1 by 0");
        check_refused(relu + R"([{"weights": [["10^400"]]}]})",
                      "layer 1, \"weights\", row 1, column 1: \"10^400\" is beyond the range of double");
        check_refused(relu + R"([{"weights": [[1]], "negative": [[1]]}]})",
                      "layer 1 has \"negative\", but the activation relu has one matrix a layer");
        check_refused(relu + R"([{"weights": [[1]], "bais": [1]}]})",
                      "layer 1 has an unknown key \"bais\"; known are weights, negative, bias, slope");
        check_refused(relu + R"([{"weights": [[1]], "bias": [1]}]})",
                      "layer 1 has a \"bias\", but the file does not say \"biases\": true");
        std::string const with_biases = R"({"activation": "relu", "biases": true, "layers": )";
        check_refused(with_biases + R"([{"weights": [[1]]}]})",
                      "layer 1 needs a \"bias\", a list of numbers, one for each output");
        check_refused(with_biases + R"([{"weights": [[1]], "bias": [1, 2]}]})",
                      "layer 1, \"bias\" is not a list of 1 numbers");
        check_refused(relu + R"([{"weights": [[1]], "slope": 1}]})",
                      "layer 1 has a \"slope\", which only layers of prelu units have");
        check_refused(R"({"version": 2, "activation": "relu", "layers": [{"weights": [[1]]}]})",
                      "is of version 2; version 1 is read here");
        check_refused(R"({"activation": "relu", "biases": 1, "layers": [{"weights": [[1]]}]})",
                      "has \"biases\" that are neither true nor false");
        check_refused(relu + R"([{}]})", "layer 1 needs \"weights\", a list of rows, one for each output");
        check_refused(relu + "[]}", "needs a list \"layers\" of at least one layer, input side first");
        check_refused(
            R"({"activation": "crelu", "layers": [{"weights": [[1]]}]})",
            "layer 1 needs \"negative\", the matrix N for the negative entries of its input; \"weights\" is P");
        check_refused(
            R"({"activation": "crelu", "head": "activation", "layers": [{"weights": [[1]], "negative": [[2]]}]})",
            "has a \"head\" \"activation\" behind a concatenated ReLU, whose outputs would be twice as many");
        check_refused(R"({"activation": "crelu", "layers": [{"weights": [[1, 2]], "negative": [[1], [2]]}]})",
                      "layer 1: \"negative\" is 2 x 1, \"weights\" 1 x 2; they must agree");
        check_refused(R"({"activation": "crelu-tied", "layers": [{"weights": [[1]], "negative": [[1]]}]})",
                      "layer 1 has \"negative\", but the activation crelu-tied takes N = P; leave it out or say "
                      "\"crelu\"");
        for (std::string const unit : {"tahn", "step", "leaky", "relu:1", ""})
            check_refused(R"({"activation": ")" + unit + R"(", "layers": [{"weights": [[1]]}]})",
                          "needs an \"activation\": \"linear\", \"relu\", \"leaky:S\", \"crelu\", \"crelu-tied\", or "
                          "another unit of train");
        check_refused(R"({"activation": "relu", "head": 1, "layers": [{"weights": [[1]]}]})",
                      "has a \"head\" that is neither \"linear\" nor \"activation\"");
        check_refused("[]", "the file is not an object");
        CHECK_THROWS_AS(read("{"), isserlis::ParseError);
        CHECK_THROWS_AS(isserlis::quantity::read_weights_file("no/such/file.json", "weights"), isserlis::ParseError);
    }

    TEST_CASE("what the exact side does not know is refused by name") {
        CHECK_THROWS_WITH_AS(
            read(
                R"({"version": 1, "activation": "relu", "biases": true, "layers": [{"weights": [[1]], "bias": [2]}]})"),
            ("`weights`: '" + path() +
             "' has biases; here networks have linear, relu, leaky or crelu units and no "
             "biases")
                .c_str(),
            isserlis::UnsupportedError);
        CHECK_THROWS_WITH_AS(read(R"({"activation": "elu:1/2", "layers": [{"weights": [[1]]}]})"),
                             ("`weights`: '" + path() +
                              "' has elu units; here networks have linear, relu, leaky or "
                              "crelu units and no biases")
                                 .c_str(),
                             isserlis::UnsupportedError);
    }

    TEST_CASE("every unit with and without biases comes back with the same parameters") {
        using isserlis::mlp::Unit;
        using isserlis::mlp::UnitKind;
        for (Unit const unit :
             {Unit{UnitKind::identity}, Unit{UnitKind::relu}, Unit{UnitKind::leaky, 0.125}, Unit{UnitKind::crelu},
              Unit{UnitKind::prelu, 0.3}, Unit{UnitKind::elu, 0.7}, Unit{UnitKind::gelu}, Unit{UnitKind::tanh}}) {
            for (bool const biases : {false, true}) {
                CAPTURE(isserlis::mlp::name(unit.kind));
                CAPTURE(biases);
                auto const architecture = isserlis::mlp::perceptron({3, 4, 2, 1}, unit, {}, biases);
                std::vector<double> parameters;
                for (std::size_t i = 0; i < architecture.parameters(); ++i)
                    parameters.push_back(std::sin(static_cast<double>(i + 1)) / 3);
                std::ofstream(path()) << isserlis::quantity::weights_text(architecture, unit, parameters);
                auto const saved = isserlis::quantity::read_saved_network(path(), "weights");
                std::filesystem::remove(path());
                CHECK(saved.unit.kind == unit.kind);
                CHECK(saved.unit.constant() == unit.constant());
                CHECK(saved.biases == biases);
                CHECK(saved.widths() == std::vector<std::size_t>{3, 4, 2, 1});
                CHECK(saved.parameters(isserlis::mlp::perceptron(saved.widths(), saved.unit, {}, saved.biases)) ==
                      parameters);
            }
        }
    }
}
