// SPDX-License-Identifier: MIT
// The JSON that scripts rely on: keys, names and indices of every command.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "json_schema.hpp"

using namespace isserlis::test;

namespace {

std::set<std::string> keys(Json const& object) {
    std::set<std::string> out;
    for (auto const& [key, value] : object.items()) out.insert(key);
    return out;
}

/// The published schema and the answer agree.
void check_schema(Json const& json) {
    static JsonSchema const schema(Json::parse(read_file(ISSERLIS_TEST_DATA "/../docs/schema.json")));
    for (auto const& fault : schema.faults(json)) FAIL_CHECK(fault);
}

void check_shape(JsonAnswer const& answer, std::string const& command, bool checking) {
    CAPTURE(command);
    check_schema(answer.json);
    auto const top = keys(answer.json);
    for (char const* key : {"schema", "command", "version", "inputs", "assumptions", "results", "warnings"})
        CHECK_MESSAGE(top.count(key) == 1, key);
    CHECK(answer.json["schema"] == 1);
    CHECK(answer.json["command"] == command);
    CHECK(answer.json["version"].is_string());
    CHECK(answer.json["inputs"].is_object());
    CHECK((answer.json["inputs"].contains("widths") || answer.json["inputs"].contains("weights") ||
           answer.json["inputs"].contains("shape")));
    CHECK(answer.json["command_line"].get<std::string>().find("isserlis ") == 0);
    for (char const* list : {"assumptions", "warnings"}) {
        REQUIRE(answer.json[list].is_array());
        for (auto const& sentence : answer.json[list]) {
            CHECK(sentence.is_string());
            CHECK_FALSE(sentence.get<std::string>().empty());
        }
    }
    CHECK_FALSE(answer.json["assumptions"].empty());
    std::set<std::string> places;
    for (auto const& r : answer.json["results"]) {
        CAPTURE(r.dump());
        auto const present = keys(r);
        for (char const* key : {"name", "index", "exact", "decimal"}) CHECK(present.count(key) == 1);
        CHECK(present.count("check") == (checking ? 1 : 0));
        CHECK((r["exact"].is_string() || r["exact"].is_null()));
        CHECK((r["decimal"].is_string() || r["decimal"].is_null()));
        // Outside the exact rings the form says what it is.
        if (r["exact"].is_null()) {
            REQUIRE(r.contains("form"));
            CHECK_FALSE(r["form"].get<std::string>().empty());
        }
        bool const any_sign = r["name"] == "series_coefficient";  // powers
        for (auto const& i : r["index"]) CHECK((i.is_number_unsigned() || i.is_string() || any_sign));
        CHECK_MESSAGE(places.insert(r["name"].get<std::string>() + r["index"].dump()).second, "printed twice");
        if (checking && r["check"].is_null()) {
            REQUIRE(r.contains("unchecked"));
            CHECK_FALSE(r["unchecked"].get<std::string>().empty());
        } else if (checking) {
            std::set<std::string> wanted{"mean", "samples", "std_error", "std_error_kind", "verdict", "z"};
            for (char const* optional : {"power", "sampled_error"})
                if (r["check"].contains(optional)) wanted.insert(optional);
            CHECK(keys(r["check"]) == wanted);
            CHECK(std::set<std::string>{"agrees", "disagrees", "inconclusive", "holds", "fails"}.count(
                      r["check"]["verdict"]) == 1);
            CHECK(std::set<std::string>{"exact", "sampled"}.count(r["check"]["std_error_kind"]) == 1);
        }
    }
}

/// [1], [2], .., [count]
std::vector<Json> layers(int count) {
    std::vector<Json> out;
    for (int l = 1; l <= count; ++l) out.push_back(Json{l});
    return out;
}

std::set<std::string> const moment_names{"second_moment", "rho", "gamma", "nu", "tau", "eta"};
std::set<std::string> const product_names{"phi", "psi"};
std::set<std::string> const init_names{"weight_variance", "update_ratio", "output_variance"};
std::set<std::string> const scaling_names{"scaling_factor", "width_sum", "depth_product", "relative_rate"};
std::set<std::string> const norm_names{"squared_norm_mean", "squared_norm_variance", "squared_norm_skewness",
                                       "log_squared_norm_mean", "squared_norm_moment"};

/// A line that prints a quantity of the list; most commands print all of theirs for 2,3,1.
std::string asking_for(Json const& quantity) {
    std::string const name = quantity["name"];
    std::string const command = quantity["command"];
    if (command == "train")
        return "train 3,4,1 --data checkerboard --loss binary-cross-entropy --epochs 1 --validation " ISSERLIS_TEST_DATA
               "/cli/classes.csv";
    if (command == "max-rate") return "max-rate 3,4,1 --data checkerboard --loss binary-cross-entropy --epochs 1";
    if (command == "errata") return "errata R24";
    if (command == "verify") return "verify --check 100";
    if (command == "reproduce" && name.starts_with("share_")) return "reproduce thesis-figure-4.3-cos --quick";
    if (command == "reproduce" && name.starts_with("curve_")) return "reproduce residual-figure-3a --quick";
    if (command == "reproduce" && (name.starts_with("trained_") || name == "deviance")) return "reproduce book-o-ring";
    if (command == "reproduce" && (name == "parameters" || name == "weights")) return "reproduce book-parameters";
    if (command == "reproduce" && name == "largest_error") return "reproduce book-figure-5.2";
    if (command == "reproduce") return "reproduce maximal-rate-figure-3 --quick";
    if (command == "claim") return "claim z^2=2 1,n,1";
    if (command == "sharpness") return "sharpness 2,3,1 --data cos";
    if (command == "form") return "form A.12 2,3,2,2,2 --with " ISSERLIS_TEST_DATA "/cli/indices.json";
    if (command == "trace")
        return "trace tr(W*W^T)^2 --shape W=n" + std::string(name == "series_coefficient" ? " --series 1/n" : "");
    if (command == "gain") return "gain tanh";
    if (command == "kernel") return "kernel relu";
    if (name == "gradient_log_ratio") return "normalised 3,4,4,1 --gradients";
    if (command == "normalised") return "normalised 2,3,1";
    if (command == "transfer") return "transfer 2,3,1 2,4,1";
    if (command == "depth-rules" && name.ends_with("_leading"))
        return "depth-rules 2,3,1 --network resnet:1 --depths 2 --bias-variance 1/2";
    if (command == "depth-rules") return "depth-rules 2,3,1 --depths 2,3";
    if (command == "mup" && name == "preactivation_rms")
        return "mup 2,3:2,1 --network resnet:1 --projections --optimiser muon";
    if (command == "mup" && quantity["index"] == "l,width") return "mup 2,3,1 --optimiser muon";
    if (name == "joint_unit_rate" || name == "output_learning_rate") return command + " 2,3,1 --optimiser muon";
    if (name == "preactivation_rms" || name == "change_a" || name == "change_b")
        return "coord-check 2:3 --network resnet:1";
    if (name == "value") return "expect z[i]^2 2,3,1";
    if (name == "leading_term") return "expect z[i]^2 n,n:L,1";
    if (name == "series_coefficient") return "expect z[i]^2 n,n:L,1 --series 1/n";
    if (name == "limit") return "expect z[i]^2 n,n:L,1 --limit double-scaling";
    if (name == "limit_leading") return "expect z[i]^2 n,n:L,1 --variance 1/n --limit double-scaling";
    if (name.rfind("growth_", 0) == 0) return "jacobian 2,3,1 --bounds growth --printed";
    if (name.ends_with("_depth") && name != "mup_depth")
        return "norm 784,100:L,10 --solve depth --of relative_variance,L+1 --target 1";
    if (name == "solved_parameter") return "init 4,10:3,1 --variance v --solve v --of output_variance --target 1";
    if (name.rfind("solved_width", 0) == 0 || name.rfind("value_", 0) == 0)
        return "jacobian 2,n,1 --solve width --of output_relative_variance --target 4";
    if (name.rfind("solved_", 0) == 0 || name.rfind("fixup_", 0) == 0)
        return "jacobian 2:3 --network resnet:2 --solve alpha --of output_mean --target 2";
    if (name == "jacobian_quantile" || name == "gradient_quantile" || name == "log_gradient_mean")
        return "jacobian 2,3,1 --check 1000";
    if (name == "spectral_moment") return "jacobian 2,3,1 --wrt input";
    if (name.rfind("budget_", 0) == 0) return "jacobian 4:4 --budget";
    if (name.rfind("variance_limit") != std::string::npos) return "jacobian n,n:L,1 --limit wide";
    if (command == "loss-curve") return "loss-curve 2,3,1 2,4,1 --data cos --gradient random --samples 20 --printed";
    if (name.starts_with("hessian_mean_loss") || name.starts_with("mup_batch_"))
        return command + " 2,3,1 --input " ISSERLIS_TEST_DATA "/cli/two_inputs.csv";
    if (name.rfind("hessian_wide_", 0) == 0 || name.rfind("hessian_double_", 0) == 0) return "hessian n,n:L,1";
    if (name == "hessian_leading_term") return "hessian 2,n,1";
    if (name.rfind("mup_wide_", 0) == 0 || name.rfind("mup_double_", 0) == 0 || name == "mup_leading_term")
        return "mup n,n:L,1";
    if (name.rfind("parameter_", 0) == 0 || name == "rate_factor") return "init 2,3,1 --parametrisation mup";
    if (name == "own_change_rms" || name == "unit_rate") return "coord-check 2,3,1 --optimiser muon";
    if (name.starts_with("sample_squared_norm")) return "norm 2,3,1 --data cos --size 2";
    if (name == "sample_change_rms" || name == "sample_change_mean")
        return "coord-check 2,3,1 --activation linear --data cos --size 3";
    if (name == "mup_sample_change_squared") return "mup 2,3,1 --activation linear --data cos --size 3";
    if (name == "unit_rate_exponent") return "coord-check 2,n,1 --widths 3,4 --optimiser muon";
    if (name.starts_with("first_step_")) return "mup --depths 1..2 --widths 4,8 --optimiser muon";
    if (name.rfind("step_", 0) == 0) return "coord-check 2,3,1 --check 100 --steps 2";
    if (name == "change_absolute_mean" || name == "updated_absolute_mean") return "coord-check 2,3,1 --check 100";
    if (quantity["formula"].get<std::string>().rfind("with --functionals", 0) == 0)
        return command + " 2,3,1 --functionals";
    if (quantity["formula"].get<std::string>().rfind("with --depths", 0) == 0)
        return command + " --depths 1..2 --widths 4";
    return command + " 2,3,1" + (name.ends_with("_printed") ? " --printed" : "");
}

}  // namespace

TEST_SUITE("cli/contract") {
    TEST_CASE("every command has the schema of the design") {
        for (std::string const command :
             {"report", "moments", "products", "init", "scaling-factor", "norm", "hessian", "ntk"}) {
            check_shape(ask(command + " 2,10:3,1"), command, false);
            check_shape(ask(command + " 2,3,1 --check 2000"), command, true);
            check_shape(ask(command + " a,b,c"), command, false);
            check_shape(ask(command + " n0,n:L,1"), command, false);
            check_shape(ask(command + " 2,3,1 2,4,1"), command, false);
        }
    }

    TEST_CASE("mup, of one network, has the schema of the design") {
        check_shape(ask("mup 2,10:3,1"), "mup", false);
        check_shape(ask("mup 2,3,1 --check 2000"), "mup", true);
        check_shape(ask("mup a,b,c"), "mup", false);
        check_shape(ask("mup --depths 1..3 --widths 4,8"), "mup", false);
        check_shape(ask("transfer 2,3,1 2,4,1"), "transfer", false);
        check_shape(ask("transfer 2,3,1 2,4,1 --check 200"), "transfer", true);
        check_shape(ask("mup n,n:L,1 --parametrisation standard"), "mup", false);
        check_shape(ask("mup 2,3,1 --optimiser muon"), "mup", false);
        check_shape(ask("mup n,n:2,1 --optimiser muon"), "mup", false);
        check_shape(ask("mup 2,3:2,1 --network resnet:1 --projections --optimiser muon --check 2000"), "mup", true);
        check_shape(ask("mup 2,3,1 --parametrisation ntk --check 2000"), "mup", true);
    }

    TEST_CASE("coord-check and hessian over several inputs have the schema of the design") {
        check_shape(ask("coord-check 2,10:3,1"), "coord-check", false);
        check_shape(ask("coord-check 2,10:3,1 --parametrisation mup --beside standard"), "coord-check", false);
        check_shape(ask("coord-check n,n,1 --widths 4,8 --check 2000"), "coord-check", true);
        check_shape(ask("coord-check n,n,1 --widths 4,8 --optimiser muon"), "coord-check", false);
        check_shape(ask("coord-check n,n,1 --widths 4,8 --check 2000 --optimiser muon --steps 2"), "coord-check", true);
        std::string const inputs = " --input " ISSERLIS_TEST_DATA "/cli/two_inputs.csv";
        check_shape(ask("hessian 2,3,1" + inputs), "hessian", false);
        check_shape(ask("hessian 2,3,1 2,4,1 --check 500" + inputs), "hessian", true);
        check_shape(ask("hessian 2,n:L,1" + inputs), "hessian", false);
    }

    TEST_CASE("expect, jacobian, loss-curve and form have the schema of the design") {
        for (std::string const query : {"z[i]^2", "(D[m,n]loss)^2", "loss"}) {
            check_shape(ask("expect " + query + " 2,10:3,1"), "expect", false);
            check_shape(ask("expect " + query + " 2,3,1 --check 2000"), "expect", true);
            check_shape(ask("expect " + query + " a,b,c"), "expect", false);
            check_shape(ask("expect " + query + " n,n:L,1"), "expect", false);
            check_shape(ask("expect " + query + " 2,n,1 --table n=1..3"), "expect", false);
        }
        check_shape(ask("expect z[i]^2 n,n:L,1 --series 1/n"), "expect", false);
        check_shape(ask("expect z[i]^2 n,n:L,1 --limit double-scaling"), "expect", false);
        check_shape(ask("jacobian 2,10:3,1"), "jacobian", false);
        check_shape(ask("jacobian 2,3,1 2,4,1 --check 2000"), "jacobian", true);
        check_shape(ask("jacobian a,b,c"), "jacobian", false);
        check_shape(ask("jacobian n0,n:L,1"), "jacobian", false);
        check_shape(ask("jacobian 2:4 --network resnet:2 --check 2000"), "jacobian", true);
        check_shape(ask("jacobian 2:4 --network densenet --block"), "jacobian", false);
        check_shape(ask("jacobian 2,3,1 --wrt input"), "jacobian", false);
        check_shape(ask("jacobian 2,3,1 --bounds growth --alpha 1,2"), "jacobian", false);
        check_shape(ask("jacobian n,n:L,1 --limit wide"), "jacobian", false);
        check_shape(ask("jacobian 4:4 --budget"), "jacobian", false);
        check_shape(ask("jacobian 2:3 --network resnet:2 --solve alpha --of output_mean --target 2"), "jacobian",
                    false);
        for (std::string const gradient : {"fixed", "random"}) {
            std::string const data = " --data cos --samples 50 --gradient " + gradient;
            check_shape(ask("loss-curve 2,3,1 2,4,1" + data), "loss-curve", false);
            check_shape(ask("loss-curve 2,3,1 --activation linear --check 500" + data), "loss-curve", true);
            check_shape(ask("loss-curve 2,3,1 --activation crelu-tied" + data), "loss-curve", false);
        }
        TemporaryDirectory const folder;
        write_file(folder / "form.json", R"({"i": 1, "x": [1, 2], "y": [-1, 3], "w": [1, -2], "v": [3, 1]})");
        std::string const with = " --with " + (folder / "form.json");
        check_shape(ask("form A.9 2,3,2" + with), "form", false);
        check_shape(ask("form A.9 2,3,2 --check 2000" + with), "form", true);
        check_shape(ask("form A.9 2,n,2" + with), "form", false);
    }

    TEST_CASE("errors have the schema too, of every kind") {
        for (std::string const line : {"norm 2,x+,1", "norm 2,0,1", "norm", "moments 2,3,1 --digits 0",
                                       "ntk 2,3,1 --activation crelu", "expect z[ 2,3,1"}) {
            Run const run = run_program(words(line + " --format json"));
            INFO(line);
            CHECK((run.code == 2 || run.code == 3));
            check_schema(Json::parse(run.err));
        }
    }

    TEST_CASE("the checker of the schema finds what is wrong") {
        auto answer = ask("norm 2,3,1 --check 100").json;
        auto const faulty = [](Json json) {
            JsonSchema const schema(Json::parse(read_file(ISSERLIS_TEST_DATA "/../docs/schema.json")));
            CHECK_FALSE(schema.faults(json).empty());
        };
        for (char const* key : {"schema", "inputs", "results", "command_line"}) {
            auto less = answer;
            less.erase(key);
            faulty(less);
        }
        auto other = answer;
        other["command"] = "nrom";
        faulty(other);
        other = answer;
        other["more"] = 1;
        faulty(other);
        other = answer;
        other["results"][0]["decimal"] = "1,5";
        faulty(other);
        other = answer;
        other["results"][0]["index"] = Json{1.5};
        faulty(other);
        other = answer;
        other["results"][0]["check"]["verdict"] = "fine";
        faulty(other);
        other = answer;
        other["results"][0]["check"]["std_error"] = -1;
        faulty(other);
        other = answer;
        other["results"][0]["check"]["power"] = -1;
        faulty(other);
        other = answer;
        other["assumptions"].push_back("");
        faulty(other);
    }

    TEST_CASE("two stretches of symbolic depth do not answer under one and the same index") {
        check_shape(ask("init n0,n:L,m:K,1"), "init", false);
        check_shape(ask("moments n0,n:L,m:K,1"), "moments", false);
    }

    TEST_CASE("moments: six names, index q = 1 .. n") {
        auto const answer = ask("moments 2,10:3,1");
        CHECK(answer.names() == moment_names);
        for (auto const& name : moment_names) CHECK(answer.indices(name) == layers(4));
    }

    TEST_CASE("products: phi and psi, index c,d with 1 <= c <= d <= n") {
        auto const answer = ask("products 2,10:3,1");
        CHECK(answer.names() == product_names);
        std::vector<Json> pairs;
        for (int c = 1; c <= 4; ++c) {
            for (int d = c; d <= 4; ++d) pairs.push_back(Json{c, d});
        }
        CHECK(answer.indices("phi") == pairs);
        CHECK(answer.indices("psi") == pairs);
    }

    TEST_CASE("init: variances and ratios by layer, output variances without an index") {
        auto const answer = ask("init 2,10:3,1");
        auto const names = answer.names();
        for (auto const& name : init_names) CHECK(names.count(name) == 1);
        CHECK(answer.indices("weight_variance") == layers(4));
        CHECK(answer.indices("update_ratio") == layers(4));
        CHECK(answer.indices("output_variance") == std::vector<Json>{Json::array()});
        CHECK_FALSE(answer.has("output_variance_printed"));
        CHECK(ask("init 2,10:3,1 --printed").indices("output_variance_printed") == std::vector<Json>{Json::array()});
    }

    TEST_CASE("scaling-factor: four names, index k, of one network too") {
        auto const answer = ask("scaling-factor 2,10:3,1 2,20:3,1 2,10:4,1");
        CHECK(answer.names() == scaling_names);
        for (auto const& name : scaling_names) CHECK(answer.indices(name) == layers(3));
        CHECK(ask("scaling-factor 2,10:3,1").indices("relative_rate") == layers(1));
        CHECK(ask("scaling-factor 2,3,1 2,4,1 --layer 2").indices("relative_rate") == std::vector<Json>{Json{2}});
    }

    TEST_CASE("norm: names by layer, moments by layer and order, order 2 by default") {
        auto const answer = ask("norm 2,10:3,1");
        auto const names = answer.names();
        for (auto const& name : norm_names) CHECK_MESSAGE(names.count(name) == 1, name);
        CHECK(answer.indices("squared_norm_mean") == layers(4));
        CHECK(answer.indices("log_squared_norm_mean") == layers(4));
        CHECK(answer.indices("squared_norm_moment").size() == 8);
        CHECK(ask("norm 2,10:3,1 --order 5").indices("squared_norm_moment").size() == 20);
        CHECK(ask("norm 2,10:3,1 --order 1").indices("squared_norm_moment").size() == 4);
    }

    TEST_CASE("report: what holds under narrower assumptions than the network's says so") {
        std::string const text = ask("report 2,3,1 --law uniform --input 1,1").text_of("assumptions");
        INFO(text);
        CHECK(text.find("uniform") != std::string::npos);
        // phi and psi are Gaussian products whatever the weights are.
        CHECK((text.find("Gaussian") != std::string::npos || text.find("gaussian") != std::string::npos));
        // The scaling factor is a rule of thumb for deep linear networks.
        CHECK(text.find("deep linear") != std::string::npos);
    }

    TEST_CASE("laws that may have atoms state the fair coin at ties: by name, and all that are known by a kurtosis") {
        auto const ties = [](std::string const& line) {
            auto const text = ask(line).text_of("assumptions");
            return text.find("a pre-activation of exactly 0 opens its gate with probability 1/2") != std::string::npos;
        };
        CHECK(ties("norm 2,3,1 --law rademacher --input 1,1"));
        CHECK(ties("norm 2,3,1 --kurtosis 1 --input 1,1"));  // only the Rademacher law has kurtosis 1
        CHECK(ties("norm 2,3,1 --kurtosis 5 --input 1,1"));  // sqrt(5), -sqrt(5), each of probability 1/10, and 0
        CHECK(ties("hessian n,n:L,1 --kurtosis k --input-fourth x"));
        CHECK_FALSE(ties("norm 2,3,1 --kurtosis 5 --input 1,1 --activation linear"));
        CHECK_FALSE(ties("norm 2,3,1 --law uniform --input 1,1"));
        TemporaryDirectory const folder;
        std::string const file = folder / "signs.json";
        auto const first_edge_has = [&](std::string const& law) {
            write_file(file, R"({"nodes": [{"name": "x", "width": 2}, {"name": "h", "width": 3, "activation": "relu"},)"
                             R"( {"name": "z", "width": 1}], "edges": [{"from": "x", "to": "h", )" +
                                 law + R"(}, {"from": "h", "to": "z", "law": "rademacher"}]})");
            return ties("ntk --network " + file + " --input 1,1");
        };
        CHECK(first_edge_has(R"("law": "rademacher")"));
        CHECK(first_edge_has(R"("kurtosis": 1)"));
        CHECK(first_edge_has(R"("kurtosis": 5)"));
        CHECK_FALSE(first_edge_has(R"("law": "uniform")"));
    }

    TEST_CASE("where sums of the input are given, the input that is sampled has them, and is named") {
        auto const says = [](std::string const& line, std::string const& words) {
            return ask(line).text_of("assumptions").find(words) != std::string::npos;
        };
        for (std::string const command : {"hessian", "ntk", "jacobian", "expect z^2"}) {
            INFO(command);
            std::string const line = command + " 3,3:2,1 --seed 1 --check 30";
            CHECK(says(line, "sampled with an x of equal entries"));
            CHECK(says(line + " --kurtosis 5 --input-fourth 1/2", "one entry larger and all others equal"));
            CHECK_FALSE(says(line + " --input 1,2,2", "sampled with an x"));
        }
    }

    TEST_CASE("assumptions name the activation's slope, the law and the scheme in force") {
        auto const said = [](std::string const& line, std::string const& word) {
            std::string const text = ask(line).text_of("assumptions");
            INFO(line, ": ", text);
            CHECK(text.find(word) != std::string::npos);
        };
        said("norm 2,3,1", "relu");
        said("norm 2,3,1", "linear head");
        said("norm 2,3,1", "he");
        said("norm 2,3,1", "|x|^2 = 1");
        said("norm 2,3,1 --law laplace --input 1,0", "laplace");
        said("norm 2,3,1 --scheme mean-field", "mean-field");
        said("norm 2,3,1 --pre", "pre-activations");
        said("norm 2,3,1 --activation leaky:1/7", "leaky");
        said("init 2,3,1", "constant loss gradients");
        said("moments 2,3,1 --law laplace", "6");
        said("products 2,3,1", "Gaussian");
        said("scaling-factor 2,3,1", "deep linear");
    }

    TEST_CASE("list: every quantity that any command prints is there, complete, and can be asked for by name") {
        Run const run = run_program(words("list --format json"));
        REQUIRE(run.code == 0);
        auto const json = Json::parse(run.out);
        CHECK(json["schema"] == 1);
        CHECK(json["command"] == "list");
        for (char const* key : {"version", "inputs", "assumptions", "results", "warnings"}) CHECK(json.contains(key));
        std::set<std::string> listed;
        std::set<std::string> places;
        for (auto const& q : json["quantities"]) {
            for (char const* key : {"name", "index", "command", "formula", "source", "assumptions"}) {
                REQUIRE(q.contains(key));
                CHECK(q[key].is_string());
            }
            CHECK_FALSE(q["formula"].get<std::string>().empty());
            CHECK_FALSE(q["source"].get<std::string>().empty());
            CHECK_FALSE(q["assumptions"].get<std::string>().empty());
            listed.insert(q["name"].get<std::string>());
            std::string const place = q["command"].get<std::string>() + " " + q["name"].get<std::string>();
            CHECK_MESSAGE(places.insert(place).second, place, " is listed twice");
        }
        check_schema(json);
        for (std::string const line :
             {"report 2,3,1", "norm 2,3,1", "moments 2,3,1", "products 2,3,1", "init 2,3,1", "scaling-factor 2,3,1"}) {
            for (auto const& name : ask(line).names()) CHECK_MESSAGE(listed.count(name) == 1, name);
        }
        // The command that the list names does print it, under the index it names.
        for (auto const& q : json["quantities"]) {
            auto const answer = ask(asking_for(q));
            std::string const name = q["name"];
            CAPTURE(name);
            auto const indices = answer.indices(name);
            REQUIRE_FALSE(indices.empty());
            std::string const index = q["index"];
            auto const parts = index.empty() ? 0 : 1 + std::count(index.begin(), index.end(), ',');
            CHECK(static_cast<std::ptrdiff_t>(indices.front().size()) == parts);
        }
        Run const two = run_program(words("list tau eta --format json"));
        CHECK(Json::parse(two.out)["quantities"].size() == 2);
    }

    TEST_CASE("every quantity of the list is confirmed by sampling on some line, or says why it is not") {
        auto const json = Json::parse(run_program(words("list --format json")).out);
        std::map<std::string, Json> checked;  // by line: many quantities have one
        for (auto const& q : json["quantities"]) {
            std::string const line = asking_for(q) + " --check 500";
            std::string const name = q["name"];
            CAPTURE(line);
            CAPTURE(name);
            if (checked.count(line) == 0) {
                Run const run = run_program(words(line + " --format json"), {.seconds = 60});
                // What refuses --check says so; elsewhere its answer is done, whatever 500 networks say.
                if (run.code == 2 || run.code == 3) CHECK(run.err.find("--check") != std::string::npos);
                checked[line] = run.code == 0 || run.code == 1 ? Json::parse(run.out)["results"] : Json();
            }
            bool found = checked[line].is_null();
            for (auto const& r : checked[line]) {
                if (r["name"] != name) continue;
                found = true;
                bool const stated = r.contains("unchecked") && !r["unchecked"].get<std::string>().empty();
                CHECK_MESSAGE((!r["check"].is_null() || stated), r.dump());
            }
            CHECK(found);
        }
    }

    TEST_CASE("exact values are read back by the program as the same values") {
        auto const answer = ask("scaling-factor 2,10:3,1");
        std::string const exact = answer.exact("scaling_factor", {1});
        auto const back = ask({"init", "1,1", "--variance", exact});
        CHECK(back.exact("weight_variance", {1}) == exact);
    }

    // Design: a quantity outside the exact rings has a null exact, certified digits and a form; the rest is unharmed.
    TEST_CASE("a skewness that is no surd or no product does not take the other quantities with it") {
        for (std::string const line :
             {"norm 1,1 --activation linear --variance 1+sqrt(2)", "norm a,n:L,c --activation leaky:s",
              "norm a,b,c,d,f,g,h,j,k", "report a,b,c,d,f,g,h,j,k"}) {
            Run const run = run_program(words(line + " --format json"));
            INFO(line, " ", run.err);
            CHECK(run.code == 0);
            if (run.code == 0) CHECK(JsonAnswer(Json::parse(run.out)).names().count("squared_norm_mean") == 1);
        }
    }

    TEST_CASE("inputs repeat what was asked") {
        auto const inputs = ask("norm 2,3,1 --order 3 --scheme ntk --digits 5").json["inputs"];
        CHECK(inputs["widths"] == "2,3,1");
        CHECK(inputs["order"] == "3");
        CHECK(inputs["scheme"] == "ntk");
        CHECK(inputs["digits"] == "5");
    }
}
