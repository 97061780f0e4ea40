// SPDX-License-Identifier: MIT
// Random biases: by hand, by strands, and on drawn networks.
#include <doctest/doctest.h>

#include <isserlis/quantity/ask.hpp>
#include <isserlis/ring/parse.hpp>
#include <string>

#include "refusal.hpp"

using namespace isserlis;
using quantity::ask;
using quantity::Question;
using test::refuses;

namespace {

using Parameters = std::map<std::string, std::vector<std::string>>;

Question with_biases(std::string const& command, std::vector<std::string> const& words, Parameters parameters = {}) {
    parameters.try_emplace("bias_variance", std::vector<std::string>{"1/2"});
    return {command, words, parameters};
}

/// How many results were sampled; none may disagree.
std::size_t agreeing(Answer const& answer) {
    std::size_t out = 0;
    for (auto const& r : answer.results()) {
        if (!r.check) continue;
        CAPTURE(r.name);
        CHECK(r.check->verdict != Check::Verdict::disagrees);
        ++out;
    }
    return out;
}

}  // namespace

TEST_SUITE("quantity/bias") {
    // One hidden layer of ReLU, He variances, |x|^2 = 1: E h_i^2 = (2 + v)/2, so E z^2 = 2/n * n (2 + v)/2 + v.
    TEST_CASE("the output's square by hand") {
        Parameters const v{{"bias_variance", {"v"}}};
        CHECK(ask(with_biases("expect", {"z^2", "1,n,1"}, v)).at("value").exact == "2*(v + 1)");
        CHECK(ask(with_biases("norm", {"1,n,1"}, v)).at("squared_norm_mean", {"2"}).exact == "2*(v + 1)");
    }

    TEST_CASE("closed form and strands agree in numbers, symbols and at symbolic depth") {
        for (std::string const widths : {"2,3,1", "n,m,2", "n,n:L,1"}) {
            for (std::string const activation : {"relu", "leaky:1/2", "linear"}) {
                Parameters const given{{"activation", {activation}}, {"bias_variance", {"2/3"}}};
                auto norm = with_biases("norm", {widths}, given);
                auto const last = widths.ends_with("L,1") ? std::string("L + 1") : std::string("2");
                if (widths.ends_with("L,1")) norm.parameters["layer"] = {"L + 1"};
                auto const a = ask(norm);
                CAPTURE(widths);
                CAPTURE(activation);
                CHECK(a.at("squared_norm_mean", {last}).exact ==
                      ask(with_biases("expect", {"z[i]^2", widths}, given)).at("value").exact);
                auto const second = ask(with_biases("expect", {"(z[i]^2)^2", widths}, given)).at("value").exact;
                CHECK(parse_rational_function(*a.at("squared_norm_moment", {last, "2"}).exact, "norm") ==
                      parse_rational_function(*second, "expect"));
            }
        }
    }

    TEST_CASE("a variance of 0 changes nothing") {
        Parameters const zero{{"bias_variance", {"0"}}};
        for (std::string const query : {"z[i]^2", "(z[i;m]^2)^2", "(D[m,n] loss)^2"}) {
            CHECK(ask(with_biases("expect", {query, "n,m,2"}, zero)).at("value").exact ==
                  ask({"expect", {query, "n,m,2"}, {}}).at("value").exact);
        }
    }

    TEST_CASE("drawn networks agree, whatever is asked of them") {
        Parameters const sampled{{"check", {"4000"}}, {"seed", {"3"}}};
        CHECK(agreeing(ask(with_biases("norm", {"3,4,2"}, sampled))) >= 8);
        CHECK(agreeing(ask(with_biases("ntk", {"3,4,2"}, sampled))) == 5);
        CHECK(agreeing(ask(with_biases("hessian", {"2,3,1"}, sampled))) >= 1);
        CHECK(agreeing(ask(with_biases("expect", {"z[i;m,n]^2", "2,3,3,1"}, sampled))) == 1);
        CHECK(agreeing(ask(with_biases("jacobian", {"2,3,2"}, sampled))) >= 4);
        Parameters curve = sampled;
        curve["input"] = {"1,1/2"};
        CHECK(agreeing(ask(with_biases("loss-curve", {"2,3,2"}, curve))) >= 3);
        CHECK(agreeing(ask(with_biases("coord-check", {"2,3,3,1"}, sampled))) == 18);
        for (std::string const wiring : {"resnet:2", "densenet"}) {
            Parameters wired = sampled;
            wired["network"] = {wiring};
            CHECK(agreeing(ask(with_biases("expect", {"z[i]^2", "3,3,3"}, wired))) == 1);
        }
        Parameters uniform = sampled;
        uniform["bias_law"] = {"uniform"};
        uniform["bias_variance"] = {"1/(3*fan_in)"};
        uniform["scheme"] = {"pytorch"};
        uniform["input"] = {"1,1/2"};
        CHECK(agreeing(ask(with_biases("expect", {"z^4", "2,3,1"}, uniform))) == 1);
    }

    // torch.nn.Linear: U(-1/sqrt(fan_in), 1/sqrt(fan_in)) for both. On 1,n,1 at x = 1: E z_i^2 = 1/3 + 1/3, E h_i^2 = 1/3,
    // E z^2 = n/(3n) * 1/3 + 1/(3n).
    TEST_CASE("the layers of PyTorch, by name") {
        Parameters const by_name{{"scheme", {"pytorch"}}, {"input", {"1"}}};
        CHECK(ask({"expect", {"z^2", "1,n,1"}, by_name}).at("value").exact == "(n + 3)/(9*n)");
        CHECK(ask({"norm", {"1,n,1"}, by_name}).at("squared_norm_mean", {"2"}).exact == "(n + 3)/(9*n)");
        Parameters const spelt{{"variance", {"1/(3*fan_in)"}},
                               {"law", {"uniform"}},
                               {"bias_variance", {"1/(3*fan_in)"}},
                               {"bias_law", {"uniform"}}};
        auto const same = [&](std::string const& command, std::vector<std::string> const& words, Parameters more,
                              char const* name, std::vector<std::string> const& index) {
            CAPTURE(command);
            Parameters one = more;
            one["scheme"] = {"pytorch"};
            more.insert(spelt.begin(), spelt.end());
            if (command == "init") more.erase("law");  // which takes none
            auto const exact = ask({command, words, one}).at(name, index).exact;
            REQUIRE(exact);
            CHECK(exact == ask({command, words, more}).at(name, index).exact);
        };
        Parameters const input{{"input", {"1,1/2"}}};
        same("expect", {"(z[i]^2)^2", "2,3,2"}, input, "value", {});
        same("norm", {"2,3,2"}, input, "squared_norm_variance", {"2"});
        same("ntk", {"2,3,1"}, input, "ntk_variance", {});
        same("hessian", {"2,3,1"}, input, "hessian_frobenius_squared", {});
        same("jacobian", {"2,3,1"}, input, "jacobian_mean", {"1"});
        same("loss-curve", {"2,3,1"}, input, "curvature", {"1"});
        same("init", {"2,3,1"}, {}, "output_variance", {});
        same("report", {"2,3,1"}, input, "ntk_mean", {});
        // Without them where that is said.
        Parameters none = by_name;
        none["bias_variance"] = {"0"};
        CHECK(ask({"expect", {"z^2", "1,n,1"}, none}).at("value").exact == "1/18");
        refuses({"normalised", {"2,3,1"}, {{"scheme", {"pytorch"}}}}, "draws biases");
    }

    TEST_CASE("norms with biases and weights of other laws") {
        Parameters const input{{"scheme", {"pytorch"}}, {"input", {"1,1/2"}}};
        auto const second = [&](std::string const& widths, std::string const& layer) {
            Parameters one = input;
            one["layer"] = {layer};
            return parse_rational_function(*ask({"norm", {widths}, one}).at("squared_norm_moment", {layer, "2"}).exact,
                                           "norm");
        };
        CHECK(second("2,3,4,1", "3") ==
              parse_rational_function(*ask({"expect", {"z^4", "2,3,4,1"}, input}).at("value").exact, "expect"));
        CHECK(second("2,n,1", "2").evaluate({{"n", 5}}) == second("2,5,1", "2").evaluate({}));
        CHECK(second("2,3:L,1", "L + 1").evaluate({{"L", 4}}) == second("2,3:4,1", "5").evaluate({}));
        Parameters sampled = input;
        sampled["check"] = {"20000"};
        CHECK(agreeing(ask({"norm", {"2,4,3"}, sampled})) >= 4);
        refuses({"norm", {"2,3,1"}, {{"scheme", {"pytorch"}}}}, "input_fourth");
        Parameters high = input;
        high["order"] = {"3"};
        refuses({"norm", {"2,3,1"}, high}, "moments above 2");
    }

    // Of one layer with |x|^2 = 1, w of variance 1/4: Delta z = -(z - y), E z^2 = 1/4 + 1/2, E y^2 = 1.
    TEST_CASE("one step of the weights, by hand") {
        auto const a = ask(with_biases("coord-check", {"2,1"}));
        CHECK(a.at("preactivation_rms", {"1", "1"}).exact == "sqrt(3)/2");
        CHECK(a.at("change_rms", {"1", "1"}).exact == "sqrt(7)/2");
        CHECK(a.at("change_covariance", {"1", "1"}).exact == "-3/4");
    }

    // Of one layer z = w x + b: the kernel is |x|^2 by weights and the label factor by biases, whatever their variance.
    TEST_CASE("derivatives by biases, with the kernels of drawn networks") {
        auto const one = ask(with_biases("ntk", {"3,1"}, {{"bias_label_factor", {"5"}}}));
        CHECK(one.at("ntk_mean").exact == "6");
        CHECK(one.at("ntk_variance").exact == "0");
        // 1,n,1 by hand: E |h|^2 = n (2 + v)/2 by the upper weights, n * 2/n * 1/2 by the lower ones and by the biases
        // beside them, 1 by the bias of the output.
        auto const two = ask(with_biases("ntk", {"1,n,1"}, {{"bias_variance", {"v"}}, {"bias_label_factor", {"1"}}}));
        CHECK(two.at("ntk_mean").exact == "(n*v + 2*n + 6)/2");
        for (std::string const variance : {"0", "1/2"}) {
            auto const a = ask(
                with_biases("ntk", {"2,3,3,2"},
                            {{"bias_variance", {variance}}, {"bias_label_factor", {"1,2,1/2"}}, {"check", {"4000"}}}));
            CAPTURE(variance);
            CHECK(agreeing(a) == 5);
        }
        // The closed form with biases of 0, and strands.
        auto const closed = ask({"ntk", {"2,3,3,2"}, {{"bias_label_factor", {"1,2,1/2"}}}});
        auto const strands = ask({"ntk", {"2,3,3,2"}, {{"bias_label_factor", {"1,2,1/2"}}, {"bias_variance", {"0"}}}});
        for (auto const* name : {"ntk_mean", "ntk_second_moment", "ntk_trace_second_moment", "ntk_squared_trace_mean"})
            CHECK(closed.at(name).exact == strands.at(name).exact);
        // At a depth in symbols strands serve them too; at one in numbers the closed form does.
        auto const deep = ask({"ntk", {"3,n:L,2"}, {{"bias_label_factor", {"f"}}}});
        for (auto const* name : {"ntk_second_moment", "ntk_trace_second_moment", "ntk_squared_trace_mean"}) {
            auto const formula = parse_rational_function(*deep.at(name).exact, "value");
            for (int const depth : {1, 3}) {
                auto const flat =
                    ask({"ntk", {"3,4:" + std::to_string(depth) + ",2"}, {{"bias_label_factor", {"2/3"}}}});
                CHECK(to_string(formula.evaluate({{"n", 4}, {"L", depth}, {"f", ratio(2, 3)}})) == flat.at(name).exact);
            }
        }
    }

    TEST_CASE("what is taken for the gates above dead layers is said wherever biases may be 0") {
        auto const says_it = [](std::string const& variance, std::string const& activation) {
            auto const a = ask(with_biases(
                "ntk", {"2,3,3,1"},
                {{"bias_variance", {variance}}, {"bias_label_factor", {"1"}}, {"activation", {activation}}}));
            auto const& all = a.assumptions();
            return std::any_of(all.begin(), all.end(),
                               [](auto const& x) { return x.find("without an active unit") != std::string::npos; });
        };
        CHECK(says_it("0", "relu"));
        CHECK(says_it("1,0,1", "relu"));
        CHECK(says_it("v", "relu"));
        CHECK(says_it("0", "leaky:0"));
        CHECK_FALSE(says_it("1", "relu"));
        CHECK_FALSE(says_it("0", "leaky:1/2"));
        CHECK_FALSE(says_it("0", "linear"));
    }

    TEST_CASE("what is not served says so") {
        refuses(with_biases("norm", {"2,3,1"}, {{"law", {"orthogonal"}}}), "independent weights");
        refuses(with_biases("expect", {"z^2", "2,3,1"}, {{"bias_variance", {"-1"}}}), "at least 0");
        refuses(with_biases("expect", {"z^2", "2,3,1"}, {{"bias_variance", {"1,2,3"}}}),
                "3 values for 2 weight layers");
        refuses(with_biases("expect", {"z^2", "2,3,1"}, {{"emit_test", {"cpp"}}}), "know no biases");
        refuses(with_biases("expect", {"h[1]", "2,3,1"}, {{"head", {"activation"}}}), "gated and a row of its weights");
        refuses(with_biases("expect", {"(D[m,n] loss)^2", "2,3,1"}, {{"bias_law", {"sign"}}}), "bias_law");
        refuses(with_biases("hessian", {"2,3,1"}, {{"head", {"activation"}}}), "a linear head is required");
        refuses(with_biases("jacobian", {"2,3,1"}, {{"bounds", {"growth"}}}), "and nothing else");
        refuses(with_biases("loss-curve", {"2,n,1"}, {{"data", {"cos"}}, {"gradient", {"random"}}}), "linear units");
        refuses(with_biases("loss-curve", {"2,3,1"}, {{"data", {"cos"}}, {"gradient", {"fixed"}}}),
                "networks with biases");
        refuses(with_biases("coord-check", {"2,3,1"}, {{"optimiser", {"sign"}}, {"input", {"1,1"}}}), "without biases");
        refuses(with_biases("mup", {"2,3,1"}, {{"emit_test", {"cpp"}}}), "without biases");
        refuses(with_biases("init", {"2,3,1"}, {{"emit_test", {"cpp"}}}), "know no biases");
    }
}
