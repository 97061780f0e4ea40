// SPDX-License-Identifier: MIT
// Options that contradict others are refused, facts that play no part are noted, and what is mistyped is named first.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

void refuses_naming(std::vector<std::string> const& arguments, std::vector<std::string> const& named, int code = 2) {
    INFO(shown(arguments));
    is_refusal(run_program(arguments), named, code);
}
void refuses_naming(std::string const& line, std::vector<std::string> const& named, int code = 2) {
    refuses_naming(words(line), named, code);
}

std::string const all_commands[] = {  // NOLINT(modernize-avoid-c-arrays): its length is that of the list
    "report",     "list",        "moments",     "products", "init",    "gain", "kernel", "scaling-factor",
    "norm",       "normalised",  "expect",      "form",     "hessian", "ntk",  "mup",    "jacobian",
    "loss-curve", "coord-check", "depth-rules", "trace",    "transfer"};

}  // namespace

TEST_SUITE("cli/idle_options") {
    TEST_CASE("an unknown option is named, of every command, whatever else is wrong") {
        for (auto const& command : all_commands) {
            refuses_naming(command + " 2,3 4,5 6,7 --fromat 3",
                           {"'--fromat' is not an option of " + command, "'--format'?"});
            refuses_naming(command + " --seed", {"--seed: S is missing"});
            refuses_naming(command + " --seed --check 3", {"--seed: S is missing", "'--check'"});
            refuses_naming(command + " --digits 3 --digits=4", {"--digits is given twice"});
            refuses_naming(command + " --explain=1", {"--explain takes no value"});
        }
        refuses_naming("hessian 2,3,1 --labl 3", {"did you mean '--label-factor'?"});
        refuses_naming(
            "moments 2,3,1 --alpha 3",
            {"'--alpha' is not an option of moments; it is one of norm, normalised, hessian, ntk, mup, jacobian"});
        refuses_naming("--order 3 norm 2,3,1", {"'--order' is not an option", "after its command: norm"});
        refuses_naming("norm 2,3,1 --qqqqqq 3", {"'--qqqqqq'", "`isserlis norm --help`"});
        refuses_naming("nrom 2,3,1", {"did you mean 'norm'?"});
        refuses_naming("reprot 2,3,1", {"did you mean 'report'?"});
        refuses_naming("repor 2,3,1", {"did you mean 'report'?"});
        refuses_naming("reprod 2,3,1", {"did you mean 'reproduce'?"});
        refuses_naming("mup 2,3,1 4,5", {"too many arguments: '4,5'", "WIDTHS"});
        refuses_naming({"expect", "z^2", "2,3,1", "4,5"}, {"too many arguments: '4,5'", "EXPR WIDTHS"});
    }

    TEST_CASE("values that look like options are values") {
        CHECK(run_program(words("norm 2,3,1 --input -1,2")).code == 0);
        CHECK(run_program({"expect", "-z[i]^2", "2,3,1"}).out.find("expect '-z[i]^2' 2,3,1") != std::string::npos);
    }

    TEST_CASE("facts that play no part are accepted, and a note says so") {
        auto const notes = [](std::vector<std::string> line, std::string const& option, std::string const& value) {
            auto const without = ask(line);
            line.insert(line.end(), {option, value});
            INFO(shown(line));
            auto const with = ask(line);
            CHECK(with.json["results"] == without.json["results"]);
            CHECK(with.text_of("warnings").find(option + " has no effect") != std::string::npos);
        };
        for (std::string const line :
             {"norm 2,3,1", "report 2,n,1", "expect z^2 2,3,1", "hessian 2,3,1", "ntk 2,3,1 --kurtosis 3", "mup 2,3,1",
              "jacobian 2,3,1", "coord-check 2,3,1", "jacobian n,n:L --network densenet --head activation"})
            notes(words(line), "--input-fourth", "1/2");
        notes({"expect", "z[i]^2", "2,3,1"}, "--target-second-moment", "2");
        notes({"expect", "z[i]^2", "2,3,1"}, "--target-fourth-moment", "2");
        notes({"expect", "loss", "2,3,1"}, "--target-fourth-moment", "2");
        for (std::string const more : {"--wrt input", "--network densenet --block", "--activation crelu --part P"})
            notes(words("jacobian 2,2,2 " + more), "--target-second-moment", "3");
        notes(words("jacobian 4:3 --network resnet:2"), "--head", "activation");
        for (char const* of_sampling : {"--samples", "--seed"})
            notes(words("loss-curve 2,3,1 --data cos --gradient fixed --activation linear"), of_sampling, "3");
        for (std::string const exact : {"--gradient fixed", "--gradient random --samples 0"}) {
            std::string const line = "loss-curve 2,3,1 --data cos --activation linear " + exact;
            notes(words(line), "--precision", "float");
            notes(words(line), "--seed", "3");
            CHECK(ask(line + " --precision float").text_of("assumptions").find("sampled in float") ==
                  std::string::npos);
        }
        CHECK(ask("loss-curve 2,3,1 --data cos --activation linear --gradient random --precision float")
                  .text_of("assumptions")
                  .find("sampled in float") != std::string::npos);
    }

    TEST_CASE("facts that do play a part change the answer and are not noted") {
        auto const silent = [](JsonAnswer const& answer) {
            return answer.text_of("warnings").find("has no effect") == std::string::npos;
        };
        CHECK(run_program(words("norm 2,3,1 --input-fourth 1/2 --check 100")).code < 2);
        auto const heavy = ask("norm 2,3,1 --input-fourth 1/2 --kurtosis 4");
        CHECK(heavy.has("squared_norm_moment", {1, 2}));
        CHECK(silent(heavy));
        auto const fourth = ask({"expect", "loss^2", "2,3,1", "--target-fourth-moment", "2"});
        CHECK(fourth.has("value"));
        CHECK(silent(fourth));
        CHECK(ask({"expect", "loss", "2,3,1", "--target-second-moment", "2"}).exact("value") == "3/2");
        refuses_naming("hessian 2,3,1 --target-fourth-moment 2", {"not an option of hessian", "expect"});
    }

    TEST_CASE("several inputs have their own norms") {
        TemporaryDirectory const folder;
        write_file(folder / "two.csv", "1,2\n3,1\n");
        for (std::string const option : {"--input-squared-norm", "--input-fourth", "--emit-samples"})
            refuses_naming({"hessian", "2,3,1", "--input", folder / "two.csv", option, "3"}, {option});
        write_file(folder / "with.json", R"({"inputs": {"a": [1, 0], "b": ["3/5", "4/5"]}})");
        refuses_naming(
            {"expect", "z[i]@a z[i]@b", "2,3,1", "--with", folder / "with.json", "--input-squared-norm", "2"},
            {"--input-squared-norm has no effect"});
    }

    TEST_CASE("the rate of the output layer does not enter the step of muP, and a note says so") {
        auto const said = [](std::string const& line) { return ask(words(line)).text_of("warnings"); };
        for (std::string const two : {"mup 3,4,2 --eta 1,2", "mup 3,n,2 --eta 1,r"})
            CHECK(said(two).find("--eta: rate 2, that of the output layer, has no effect") != std::string::npos);
        CHECK(said("mup 3,4,5,2 --eta 1,2,3").find("--eta: rate 3") != std::string::npos);
        for (std::string const enters : {"mup 3,4,2 --eta 2", "mup 3,4,5,2 --eta 1,2"})
            CHECK(said(enters).find("--eta") == std::string::npos);
    }

    TEST_CASE("what prints a file of its own explains nothing") {
        refuses_naming("hessian 2,3,1 --emit-test cpp --explain", {"--explain"});
        refuses_naming("hessian 2,3,1 --emit-test cpp --digits 5", {"--digits"});
        refuses_naming("hessian n,3,1 --emit-samples 5", {"--emit-samples"});
    }

    TEST_CASE("formulas that are negative at any positive symbols are refused like negative numbers") {
        refuses_naming("jacobian 2,3,1 --alpha -a", {"--alpha = -a", "positive"});
        refuses_naming("norm 2,3,1 --variance -v", {"--variance = -v", "positive"});
        refuses_naming({"norm", "2,3,1", "--variance", "-(v+w)/n"}, {"--variance", "positive"});
        refuses_naming("norm 2,3,1 --input-squared-norm -s", {"--input-squared-norm = -s", "positive"});
        refuses_naming("norm 2,n,1 --kurtosis 1-k", {"--kurtosis = 1 - k", "at least 1"});
        refuses_naming("hessian 2,3,1 --label-factor -h", {"--label-factor = -h", "at least 0"});
        refuses_naming("hessian 2,n,1 --effective --eta-squared -1", {"--eta-squared = -1", "at least 0"});
        refuses_naming("mup n,n:2,1 --eta -r", {"--eta = -r", "at least 0"});
        // Of either sign: the answer says which symbols it is for.
        auto const open = ask("norm 2,3,1 --variance v-w");
        CHECK(open.text_of("assumptions").find("symbols stand for the numbers of their ranges") != std::string::npos);
        CHECK(ask("norm 2,n,1").text_of("assumptions").find("symbols stand") == std::string::npos);
        CHECK(ask("norm 2,3,1 --variance v --set v=2").text_of("assumptions").find("symbols stand") ==
              std::string::npos);
    }

    TEST_CASE("a kurtosis of 3 is enough for four weights: the strand engine says the same") {
        for (std::string const widths : {"2,3,2", "3,2,2,1"}) {
            auto const exact = [&](std::string const& query) {
                return ask({"expect", query, widths, "--kurtosis", "3"}).exact("value");
            };
            CHECK(ask("hessian " + widths + " --kurtosis 3").exact("hessian_frobenius_squared") ==
                  exact("(D[m,n] loss)^2"));
            CHECK(ask("ntk " + widths + " --kurtosis 3").exact("ntk_second_moment") == exact("z[1;m]^2 z[1;n]^2"));
        }
        refuses_naming("mup --depths 1..3 --widths 4 --input-fourth 1", {"--input-fourth"});
        refuses_naming("hessian 2,3,1 --kurtosis 4", {"--input-fourth", "sum x_i^4"});
        refuses_naming("hessian 2,3,1 --kurtosis 4 --input 1,2 --functionals", {"--functionals", "kurtosis 3"}, 3);
        refuses_naming("ntk 2,3,1 --activation crelu", {"--activation crelu", "expect 'z[1;m]^2'"}, 3);
        refuses_naming("hessian 2,3,1 --kurtosis 3 --emit-test cpp", {"--emit-test", "Gaussian"}, 3);
    }

    TEST_CASE("two orthogonal matrices in a layer are a matter of the law, whatever is asked") {
        std::string const more = " 2,3,1 --activation crelu --law orthogonal";
        for (std::string const command : {"norm", "ntk", "hessian", "jacobian", "expect z[i]^2"})
            refuses_naming(command + more, {"--law orthogonal: a concatenated ReLU with two orthogonal matrices"}, 3);
        CHECK(run_program(words("norm 2,3,1 --activation crelu-tied --law orthogonal")).code == 0);
    }

    TEST_CASE("limits and indices are told in sentences") {
        refuses_naming("jacobian 2:10002 --network densenet", {"10001 layers; dense networks are served up to 10000"},
                       3);
        TemporaryDirectory const folder;
        write_file(folder / "f.json", R"({"i": 2, "j": 1})");
        refuses_naming({"form", "A.12", "2,2,2", "--with", folder / "f.json"}, {"i = 2; 1 <= i <= j = 1 is required"});
    }

    // Four blocks multiply E|y|^2 by 1 + alpha^2 each: alpha = sqrt(3^(1/4) - 1), here by Python's decimals.
    TEST_CASE("--solve alpha has more than a hundred digits") {
        auto const scale =
            ask("jacobian 8:5 --network resnet:2 --solve alpha --of output_mean --target 3 --digits 150");
        CHECK(scale.result("solved_alpha").at("decimal") ==
              "0.56220460061484062958679980740668671907853682974570981937536178221790221054174859898629354629576421"
              "2035168709490699545185612874868134758764741781568686");
    }

    TEST_CASE("a byte order mark before a file is no part of it") {
        TemporaryDirectory const folder;
        std::string const mark = "\xef\xbb\xbf";
        write_file(folder / "m.csv", mark + "layer,width,value,std_error\n1,3,0,1\n");
        write_file(folder / "x.txt", mark + "1 2\n");
        CHECK(run_program({"coord-check", "2,n,1", "--measured", folder / "m.csv"}).code == 0);
        CHECK(ask({"norm", "2,3,1", "--input", folder / "x.txt"}).json["results"] ==
              ask("norm 2,3,1 --input 1,2").json["results"]);
    }

    TEST_CASE("products over layers are products in LaTeX") {
        Run const run =
            run_program(words("jacobian n,n:L --network densenet --head activation --alpha 2 --format latex"));
        INFO(run.err);
        CHECK(run.code == 0);
        CHECK(run.out.find("\\prod_{l=1}^{L} \\left(") != std::string::npos);
        CHECK(run.out.find("Product") == std::string::npos);
    }

    TEST_CASE("jacobian --check estimates all its samples before the first") {
        refuses_naming("jacobian 40:9 --network resnet:2 --check 20000000",
                       {"--check: 20000000 samples", "fit a minute, and --yes runs all of them"}, 3);
        refuses_naming("jacobian 100:101 --network resnet:2 --check 200000",
                       {"--check: 200000 samples", "fit a minute"}, 3);
    }
}
