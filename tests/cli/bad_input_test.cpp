// SPDX-License-Identifier: MIT
// Every refusal: exit code, an empty stdout, one line on stderr that names value and place, and the same as JSON.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

struct Refusal {
    std::vector<std::string> words;
    std::vector<std::string> named;  ///< what the message has to contain
    int code = 2;
};

bool is_printable(std::string const& text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        auto const byte = static_cast<unsigned char>(c);
        return byte >= 0x20 && byte < 0x7f;
    });
}

void check_refusal(Refusal const& r) {
    Run const run = run_program(r.words);
    INFO(shown(r.words), " -> ", run.err.substr(0, 500));
    CHECK_FALSE(run.timed_out);
    if (run.timed_out) return;
    CHECK(run.signal == 0);
    CHECK(run.code == r.code);
    CHECK(run.out.empty());
    CHECK_FALSE(run.err.empty());
    if (run.err.empty()) return;
    CHECK(run.err.rfind("isserlis: ", 0) == 0);
    CHECK(run.err.back() == '\n');
    std::string const line = run.err.substr(0, run.err.size() - 1);
    CHECK(is_printable(line));
    CHECK(line.size() < 1000);
    for (auto const& word : r.named) CHECK_MESSAGE(line.find(word) != std::string::npos, "does not name ", word);

    auto json = r.words;
    json.insert(json.begin(), {"--format", "json"});
    Run const second = run_program(json);
    CHECK(second.code == r.code);
    CHECK(second.out.empty());
    CHECK(Json::accept(second.err));
    if (!Json::accept(second.err)) return;
    auto const error = Json::parse(second.err).at("error");
    CHECK(error.size() == 3);
    CHECK(error.at("kind").is_string());
    CHECK(error.at("argument").is_string());
    // Positions of arguments move by the two words in front.
    if (line.find("argument ") == std::string::npos)
        CHECK("isserlis: " + error.at("message").get<std::string>() == line);
}

void check_all(std::vector<Refusal> const& all) {
    for (auto const& r : all) check_refusal(r);
}

std::vector<std::string> with(std::string const& line, std::vector<std::string> const& more) {
    auto out = words(line);
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

std::string repeated(std::string const& what, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += what;
    return out;
}

}  // namespace

TEST_SUITE("cli/bad_input") {
    TEST_CASE("WIDTHS that are none") {
        for (std::string const command : {"report", "norm", "moments", "products", "init", "scaling-factor"}) {
            check_all({
                {{command}, {"WIDTHS"}},
                {{command, ""}, {"WIDTHS", "empty"}},
                {{command, "2"}, {"WIDTHS", "'2'"}},
                {{command, "2:1"}, {"WIDTHS"}},
                {{command, "0,1"}, {"'0'", "character 1"}},
                {{command, "2,0,1"}, {"'0'", "character 3"}},
                {{command, "2,-3,1"}, {"'-3'", "character 3"}},
                {{command, "-1,2"}, {"-1"}},
                {{command, "--", "-1,2"}, {"'-1'", "character 1"}},
                {{command, "2,1.5"}, {"'1.5'", "character 3"}},
                {{command, "2,3/2"}, {"'3/2'", "character 3"}},
                {{command, "2,10:,1"}, {"'10:'", "character 3"}},
                {{command, "2,:3,1"}, {"':3'", "character 3"}},
                {{command, "2,10:0,1"}, {"'10:0'", "character 3"}},
                {{command, "2,10:-1,1"}, {"'10:-1'", "character 3"}},
                {{command, "2,10:1.5,1"}, {"'10:1.5'", "character 3"}},
                {{command, "2,n:L:3,1"}, {"'n:L:3'", "character 3"}},
                {{command, "2,1e-3"}, {"'1e-3'", "character 3"}},
                {{command, "[2,3]"}, {"'[2,3]'", "brackets"}},
                {{command, "2,010"}, {"'010'", "character 3"}},
                {{command, "2,10:03"}, {"'10:03'", "character 3"}},
                {{command, "2,0x10"}, {"'0x10'", "character 3"}},
                {{command, "2,+3"}, {"'+3'", "character 3"}},
                {{command, "2, 3"}, {"' 3'", "character 3"}},
                {{command, "2,,3"}, {"character 3"}},
                {{command, ",2,3"}, {"character 1"}},
                {{command, "2,3,"}, {"character 5"}},
                {{command, ","}, {"character 1"}},
                {{command, ":"}, {"character 1"}},
                {{command, "2;3"}, {"'2;3'"}},
                {{command, "2,n+1"}, {"'n+1'", "character 3"}},
                {{command, "2,n-1"}, {"'n-1'", "character 3"}},
            });
        }
    }

    TEST_CASE("repeats of overflow size are over a limit, with an estimate") {
        for (std::string const command : {"report", "norm", "moments", "products", "init", "scaling-factor"}) {
            check_all({
                {{command, "2,10:99999999999999999999,1"}, {"10:99999999999999999999", "10^19"}, 3},
                {{command, "2,10:18446744073709551617,1"}, {"10:18446744073709551617"}, 3},
                {{command, "2,10:4294967297,1"}, {"4294967297"}, 3},
                {{command, "2,10:2147483649,1"}, {"2147483649"}, 3},
                {{command, "2,10:100000000,1"}, {"100000000"}, 3},
                {{command, "2,n:L,1", "--set", "L=99999999999999999999"}, {"99999999999999999999"}, 3},
            });
        }
        check_refusal({words("norm 2,10:9000000,10:9000000,1"), {"10:9000000"}, 3});
    }

    TEST_CASE("symbols that a reader's algebra system takes for something else") {
        for (std::string const symbol :
             {"E", "I", "N", "O", "Q", "S", "e", "i", "pi", "beta", "gamma", "zeta", "lambda", "exp", "log", "sqrt"}) {
            check_refusal({{"report", "2," + symbol + ",1"}, {"'" + symbol + "'", "WIDTHS"}});
        }
        // Read by SymPy 1.14 and PARI/GP 2.15 these are numbers, keywords or functions, some of them without complaint.
        for (std::string const symbol :
             {"oo",  "zoo", "nan", "True", "None", "Pi", "Euler", "is", "in",  "if",  "or",  "and",
              "not", "for", "def", "re",   "im",   "ff", "li",    "Ei", "Max", "Abs", "sum", "my"}) {
            check_refusal({{"report", "2," + symbol + ",1"}, {"'" + symbol + "'", "WIDTHS"}});
        }
        check_all({
            {words("report 2,n:S,1"), {"'S'"}},
            {words("norm 2,3,1 --variance beta"), {"'beta'"}},
            {words("norm 2,n,1 --set I=3"), {"'I'", "--set"}},
            {words("norm 2,n,1 --table E=1..3"), {"'E'", "--table"}},
        });
    }

    TEST_CASE("commands and options that do not exist, with the nearest that does") {
        check_all({
            {{}, {"command", "--help"}},
            {{""}, {"command"}},
            {words("nrom 2,3,1"), {"'nrom'", "'norm'"}},
            {words("Norm 2,3,1"), {"'Norm'", "'norm'"}},
            {words("scaling 2,3,1"), {"'scaling'"}},
            {words("momets 2,3"), {"'momets'", "'moments'"}},
            {words("2,10:3,1"), {"'2,10:3,1'"}},
            {words("norm 2,3,1 --fromat text"), {"'--fromat'", "'--format'"}},
            {words("norm 2,3,1 --ordr 3"), {"'--ordr'", "'--order'"}},
            {words("norm 2,3,1 --ordr=3"), {"'--ordr'", "'--order'"}},
            {words("norm 2,3,1 --Order 3"), {"'--Order'", "'--order'"}},
            {words("norm 2,3,1 -x"), {"'-x'"}},
            {words("moments 2,3,1 --kurtosis 3"), {"'--kurtosis'"}},
            {words("init 2,3,1 --input 1,1"), {"'--input'"}},
            {words("products 2,3,1 --activation relu"), {"'--activation'"}},
            {words("scaling-factor 2,3,1 --scheme he"), {"'--scheme'"}},
            {words("list --order 3"), {"'--order'"}},
            {words("list nonsense"), {"'nonsense'"}},
            {words("list tau --check 100"), {"--check"}},
        });
    }

    TEST_CASE("options without their value, with an empty one, or given twice") {
        for (std::string const option :
             {"--digits",       "--layer",      "--check",    "--seed",    "--threads",
              "--set",          "--table",      "--output",   "--order",   "--scheme",
              "--variance",     "--law",        "--kurtosis", "--input",   "--input-squared-norm",
              "--input-fourth", "--activation", "--head",     "--network", "--ties"}) {
            CAPTURE(option);
            check_refusal({with("norm 2,3,1", {option}), {option}});
            check_refusal({with("norm 2,3,1", {option, ""}), {option}});
            check_refusal({with("norm 2,3,1", {option + "="}), {option}});
        }
        check_all({
            {words("norm 2,3,1 --order 2 --order 3"), {"--order"}},
            {words("norm 2,3,1 --order 2 --order 2"), {"--order"}},
            {words("--digits 3 norm 2,3,1 --digits 4"), {"--digits"}},
            {words("norm 2,3,1 --law gaussian --law uniform"), {"--law"}},
            {words("norm 2,n,1 --set n=2 --set n=3"), {"--set", "'n'"}},
            {words("norm 2,n,1 --set n=2,n=2"), {"--set", "'n'"}},
        });
        Run const run = run_program(words("norm 2,3,1 --format"));
        CHECK(run.code == 2);
        CHECK(run.err.find("--format") != std::string::npos);
    }

    TEST_CASE("a flag takes no value") {
        for (std::string const flag : {"--pre=1", "--pre=false", "--explain=false", "--explain=maybe"})
            check_refusal({with("norm 2,3,1", {flag}), {flag.substr(0, flag.find('='))}});
    }

    TEST_CASE("formats, digits, layers, seeds, threads, samples and orders out of range") {
        Run const format = run_program(words("norm 2,3,1 --format yaml"));
        CHECK(format.code == 2);
        CHECK(format.err.find("'yaml'") != std::string::npos);
        CHECK(format.err.find("--format") != std::string::npos);
        check_all({
            {words("norm 2,3,1 --digits 0"), {"--digits", "0"}},
            {words("norm 2,3,1 --digits -1"), {"--digits", "-1"}},
            {words("norm 2,3,1 --digits 1000000000"), {"--digits", "1000000000"}},
            {words("norm 2,3,1 --digits 99999999999999999999"), {"--digits"}},
            {words("norm 2,3,1 --digits 1.5"), {"--digits", "'1.5'"}},
            {words("norm 2,3,1 --digits many"), {"--digits", "'many'"}},
            {words("norm 2,3,1 --layer 0"), {"--layer 0"}},
            {words("norm 2,3,1 --layer 3"), {"--layer 3", "1 .. 2"}},
            {words("norm 2,3,1 --layer 99"), {"--layer 99"}},
            {words("norm 2,3,1 --layer 99999999999999999999"), {"--layer 99999999999999999999"}},
            {words("norm 2,3,1 --layer x"), {"--layer", "'x'"}},
            {words("norm n,n:L,1 --layer l --set l=3"), {"--set: l is the layer", "--layer 3 chooses it"}},
            {words("norm n,n:L,1 --layer l --set l=1/2"), {"--set: l is the layer", "--layer K chooses it"}},
            {words("norm n,n:L,1 --layer l --table l=1..3"), {"--table: l is the layer", "--layer K chooses it"}},
            {words("norm 2,3,1 --layer -1"), {"--layer -1"}},
            {words("norm 2,3,1 --layer 1/2"), {"--layer", "1/2"}},
            {words("norm 2,3,1 --layer 1,2"), {"--layer", "1,2"}},
            {words("moments 2,3,1 --layer 3"), {"--layer 3"}},
            {words("init 2,3,1 --layer 3"), {"--layer 3"}},
            {words("report 2,3,1 --layer 3"), {"--layer 3"}},
            {words("scaling-factor 2,3,1 --layer 2"), {"--layer", "2"}},
            {words("products 2,3,1 --layer 2,1"), {"--layer 2,1"}},
            {words("products 2,3,1 --layer 0,1"), {"--layer", "0"}},
            {words("products 2,3,1 --layer 1,3"), {"--layer", "3"}},
            {words("products 2,3,1 --layer 1,2,2"), {"--layer"}},
            {words("products 2,3,1 --layer ,"), {"--layer"}},
            {words("norm 2,n:L,1 --layer foo"), {"--layer foo"}},
            {words("norm 2,n:L,1 --layer 0"), {"--layer 0"}},
            {words("norm 2,n:L,1 --layer L+2"), {"--layer L+2"}},
            {words("norm 2,n:L,1 --set L=3 --layer L+2"), {"--layer 5", "1 .. 4"}},
            {words("norm 2,4:L,1 --set L=3 --layer L/2"), {"--layer", "'3/2'"}},
            {words("norm 2,4:L,1 --set L=3 --layer 1/(L-3)"), {"--layer 1/(L-3)"}},
            {words("norm 2,4:L,1 --set L=3 --layer x"), {"--layer", "'x'"}},
            {words("norm 2,n:L,1 --layer 1/2"), {"--layer 1/2"}},
            {words("norm 2,3,1 --check 0"), {"--check", "0"}},
            {words("norm 2,3,1 --check -5"), {"--check", "-5"}},
            {words("norm 2,3,1 --check 1e-4"), {"--check", "'1e-4'"}},
            {words("norm 2,3,1 --check 99999999999999999999"), {"--check"}},
            {words("norm 2,3,1 --seed -1"), {"--seed", "-1"}},
            {words("norm 2,3,1 --seed 18446744073709551616"), {"--seed", "18446744073709551616"}},
            {words("norm 2,3,1 --seed x"), {"--seed", "'x'"}},
            {words("norm 2,3,1 --threads 0"), {"--threads", "0"}},
            {words("norm 2,3,1 --threads 1000000"), {"--threads", "1000000"}},
            {words("norm 2,3,1 --order 0"), {"--order", "0"}},
            {words("norm 2,3,1 --order 31"), {"--order", "31"}},
            {words("norm 2,3,1 --order -1"), {"--order", "-1"}},
            {words("norm 2,3,1 --order 1.5"), {"--order", "'1.5'"}},
            {words("norm 2,3,1 --order 3 --law uniform --input 1,1"), {"--order 3"}, 3},
        });
    }

    TEST_CASE("laws, schemes, activations, heads and wirings that are not served") {
        check_all({
            {words("norm 2,3,1 --law cauchy"), {"--law", "'cauchy'", "laplace"}},
            {words("moments 2,3,1 --law cauchy"), {"--law", "'cauchy'"}},
            {words("norm 2,3,1 --scheme kaimin"), {"--scheme", "'kaimin'", "did you mean 'kaiming'?"}},
            {words("init 2,3,1 --scheme he_normal"), {"--scheme", "'he_normal'", "Keras"}},
            {words("init 2,3,1 --scheme orthogonal"), {"--scheme", "--law orthogonal"}},
            {words("expect z[i]^2 2,a,b --law orthogonal"), {"--law orthogonal", "a and b", "--set"}, 3},
            {words("expect z[i]^2 2,2,2 --law orthogonal --network resnet:1"), {"--law orthogonal", "--network"}, 3},
            {words("expect z[i]^2 2,2,2 --law orthogonal --activation crelu"), {"two orthogonal matrices"}, 3},
            {words("expect (z[i]^2)^5 2,2,2 --law orthogonal"), {"10 strands", "orthogonal", "8"}, 3},
            {words("expect z[i]^2 2,2,2 --law orthogonal,gaussian,uniform"), {"--law", "3 values", "2 weight layers"}},
            {words("expect z[i]^2 2,2,2 --law orthogonal --kurtosis 3"), {"--kurtosis", "--law orthogonal"}},
            {words("jacobian 2,2,2 --law orthogonal --wrt input"), {"--wrt", "--law orthogonal"}, 3},
            {words("hessian 2,2,2 --law orthogonal --functionals"), {"--functionals", "independent weights"}, 3},
            {words("loss-curve 2,2,2 --law orthogonal --data x.csv"), {"--law", "--input"}, 3},
            {words("report 2,2,2 --law orthogonal"), {"--law orthogonal", "isserlis norm"}, 3},
            {words("norm 2,3,1 --scheme kaiming_uniform --law gaussian"), {"kaiming_uniform", "uniform", "--law"}},
            {words("norm 2,3,1 --scheme xavier_normal --kurtosis 2"), {"xavier_normal", "--kurtosis"}},
            {words("norm 2,3,1 --activation foo"), {"--activation", "'foo'", "relu"}},
            {words("norm 2,3,1 --activation gelu"), {"--activation", "'gelu'", "homogeneous", "relu"}, 3},
            {words("norm 2,3,1 --activation Tanh"), {"--activation", "'Tanh'", "homogeneous"}, 3},
            {words("norm 2,3,1 --activation leaky_relu"), {"--activation", "'leaky_relu'", "leaky:1/100"}},
            {words("norm 2,3,1 --activation prelu"), {"--activation", "'prelu'", "leaky:"}},
            {words("norm 2,3,1 --activation leaky"), {"--activation", "'leaky'", "leaky:"}},
            {words("norm 2,3,1 --activation leaky:"), {"--activation leaky"}},
            {words("norm 2,3,1 --activation leaky:1/0"), {"--activation", "by 0"}},
            {words("norm 2,3,1 --activation leaky:0.1e"), {"--activation leaky"}},
            {words("norm 2,3,1 --activation relu:1"), {"--activation", "'relu:1'"}},
            {words("norm 2,3,1 --head none"), {"--head", "'none'"}},
            {words("norm 2,3,1 --ties up"), {"--ties", "'up'"}},
            {words("norm 2,3,1 --network resnet:2"), {"WIDTHS", "equal widths", "2 and 3"}},
            {words("norm 2,3,3,1 --network resnet:2"),
             {"2 and 3; with --projections, where a command has it, they are d_0"}},
            {words("normalised 2,2,2 --network densenet"), {"--network densenet"}, 3},
            {words("norm 2,3,1 --scheme he --variance 1"), {"--scheme", "--variance"}},
            {words("norm 2,3,1 --scheme lecun-uniform --law laplace"), {"lecun-uniform", "--law"}},
            {words("norm 2,3,1 --scheme lecun-uniform --kurtosis 3"), {"lecun-uniform", "--kurtosis"}},
        });
    }

    TEST_CASE("moments and kurtosis that no law has, and lists of the wrong length") {
        check_all({
            {words("moments 2,3,1 --fourth-moment 1/2"), {"1/2", "--fourth-moment"}},
            {words("moments 2,3,1 --fourth-moment 0"), {"0", "--fourth-moment"}},
            {words("moments 2,3,1 --fourth-moment -3"), {"-3", "--fourth-moment"}},
            {words("moments 2,3,1 --fourth-moment 3,1/2"), {"1/2", "--fourth-moment"}},
            {words("moments 2,3,1 --fourth-moment 1/0"), {"by 0", "--fourth-moment"}},
            {words("moments 2,3,1 --fourth-moment 0/0"), {"by 0", "--fourth-moment"}},
            {words("moments 2,3,1 --fourth-moment x,"), {"--fourth-moment"}},
            {words("moments 2,3,1 --fourth-moment 3,3,3"), {"--fourth-moment", "3 values", "2 weight layers"}},
            {words("moments 2,3,1 --fourth-moment 3 --law gaussian"), {"--fourth-moment", "--law"}},
            {words("moments 2,3,1 --fourth-moment 3*)"), {"--fourth-moment"}},
            {words("moments 2,3,1 --fourth-moment 1e"), {"--fourth-moment", "1e"}},
            {words("jacobian 2,n:L,1 --kurtosis 2 --input-fourth 1 --wrt input"), {"--set"}, 3},
            {words("jacobian n:L --network resnet:1 --kurtosis 2 --input-fourth 1"), {"--set"}, 3},
            {words("moments 2,n:L,1 --fourth-moment 2,3"), {"L + 1"}, 3},
            {words("norm 2,3,1 --kurtosis 1/2"), {"1/2", "--kurtosis"}},
            {words("norm 2,3,1 --kurtosis 3,3,3"), {"--kurtosis", "3 values"}},
            {words("norm 2,3,1 --kurtosis 3 --law uniform"), {"--kurtosis", "--law", "9/5"}},
            {words("norm 2,3,1 --kurtosis 2"), {"--input-fourth"}},
            {words("norm 2,3,1 --law uniform"), {"--input-fourth"}},
            {words("norm 2,3,1 --variance 0"), {"--variance", "0"}},
            {words("norm 2,3,1 --variance -1"), {"--variance", "-1"}},
            {words("norm 2,3,1 --variance 1-2"), {"--variance", "-1"}},
            {words("norm 2,3,1 --variance 1,0"), {"--variance", "0"}},
            {words("norm 2,3,1 --variance 1,2,3"), {"--variance", "3 values", "2 weight layers"}},
            {words("norm 2,3,1 --variance 1,"), {"--variance"}},
            {words("norm 2,3,1 --variance 1/0"), {"--variance", "by 0"}},
            {words("norm 2,3,1 --variance 1/(1-1)"), {"--variance"}},
            {words("norm 2,3,1 --variance sqrt(-1)"), {"--variance", "-1"}},
            {words("init 2,3,1 --variance 0"), {"--variance", "0"}},
            {words("init 2,3,1 --c 0"), {"--c", "0"}},
            {words("init 2,3,1 --c -2"), {"--c", "-2"}},
        });
    }

    TEST_CASE("inputs of the wrong length, unreadable, binary, or impossible") {
        TemporaryDirectory const directory;
        std::string const binary = directory / "binary.dat";
        std::string const empty = directory / "empty.txt";
        std::string const comment = directory / "comment.txt";
        std::string const good = directory / "good.txt";
        write_file(binary, std::string("\x7f\x45\x4c\x46\x00\x01\xff\xfe\x1b[31m", 13));
        write_file(empty, "\n \n");
        write_file(comment, "# a comment\n1\n2\n");
        write_file(good, "1\n2\n");
        check_all({
            {words("norm 2,3,1 --input 1"), {"--input", "1 coord", "2"}},
            {words("norm 2,3,1 --input 1,2,3"), {"--input", "3 coord", "2"}},
            {words("norm 2,3,1 --input 1,,2"), {"--input"}},
            {words("norm 2,3,1 --input ,"), {"--input"}},
            {words("norm 2,3,1 --input 0,0"), {"--input", "0"}},
            {words("norm 2,3,1 --input 1e,1"), {"--input", "1e"}},
            {words("norm 2,3,1 --input 1/0,1"), {"--input", "by 0"}},
            {words("norm 2,3,1 --input 1:2"), {"--input", "1:2"}},
            {with("norm 2,3,1", {"--input", directory / "missing"}), {"--input", "missing"}},
            {with("norm 2,3,1", {"--input", directory.path().string()}), {"--input"}},
            {with("norm 2,3,1", {"--input", binary}), {"--input"}},
            {with("norm 2,3,1", {"--input", empty}), {"--input", "empty.txt"}},
            {with("norm 2,3,1", {"--input", comment}), {"--input"}},
            {with("norm 3,3,1", {"--input", good}), {"--input", "2 coord", "3"}},
            {words("norm 2,3,1 --input 1,1 --input-squared-norm 2"), {"--input-squared-norm"}},
            {words("norm 2,3,1 --input 1,1 --input-fourth 2"), {"--input-fourth"}},
            {words("norm 2,3,1 --input-squared-norm 0"), {"--input-squared-norm", "0"}},
            {words("norm 2,3,1 --input-squared-norm -1"), {"--input-squared-norm", "-1"}},
            {words("norm 2,3,1 --input-fourth 2"), {"--input-fourth", "2"}},
            {words("norm 2,3,1 --input-fourth 1/3"), {"--input-fourth", "1/3", "1/2"}},
            {words("norm 2,3,1 --input-fourth -1"), {"--input-fourth", "-1"}},
            {words("norm 1,3,1 --input-fourth 1/2"), {"--input-fourth", "1/2"}},
        });
    }

    TEST_CASE("--set and --table") {
        check_all({
            {words("norm 2,3,1 --set n=3"), {"--set", "'n'"}},
            {words("norm 2,n,1 --set m=3"), {"--set", "'m'", "n"}},
            {words("norm 2,n,1 --set n"), {"--set", "'n'"}},
            {words("norm 2,n,1 --set n="), {"--set"}},
            {words("norm 2,n,1 --set =3"), {"--set"}},
            {words("norm 2,n,1 --set n==3"), {"--set"}},
            {words("norm 2,n,1 --set n=3,"), {"--set"}},
            {words("norm 2,n,1 --set 3=n"), {"--set", "'3'"}},
            {words("norm 2,n,1 --set n=0"), {"--set", "n", "0"}},
            {words("norm 2,n,1 --set n=-2"), {"--set", "n", "-2"}},
            {words("norm 2,n,1 --set n=1/2"), {"--set", "n", "1/2"}},
            {words("norm 2,n,1 --set n=sqrt(2)"), {"--set", "n", "sqrt(2)"}},
            {words("norm 2,n,1 --set n=m"), {"--set", "'m'"}},
            {words("norm 2,n,1 --set n=1/0"), {"--set", "by 0"}},
            {words("norm 2,n:L,1 --set L=0"), {"--set", "L", "0"}},
            {words("norm 2,n:L,1 --set L=3/2"), {"--set", "L", "3/2"}},
            {words("norm 2,3,1 --variance v --set v=0"), {"--variance", "0"}},
            {words("norm 2,3,1 --kurtosis k --set k=1/2 --input 1,1"), {"--kurtosis", "1/2"}},
            {words("norm 2,n,1 --table n=5..1"), {"--table", "5..1 ends"}},
            {words("norm 2,n,1 --table n=0..3"), {"--table", "0"}},
            {words("norm 2,n,1 --table n=-1..3"), {"--table", "-1"}},
            {words("norm 2,n,1 --table n=1.."), {"--table"}},
            {words("norm 2,n,1 --table n=..3"), {"--table"}},
            {words("norm 2,n,1 --table 1..3"), {"--table", "'1..3'"}},
            {words("norm 2,n,1 --table n"), {"--table", "'n'"}},
            {words("norm 2,n,1 --table 3,n=4"), {"--table", "'3,n=4'"}},
            {words("norm 2,n,1 --table n=1..9..0"), {"--table", "'0'"}},
            {words("norm 2,n,1 --table n=1..9..x1"), {"--table", "'1'"}},
            {words("norm 2,n,1 --table n=3,"), {"--table"}},
            {words("norm 2,n,1 --table n=3 --table n=4"), {"--table", "'n' is given twice"}},
            {words("norm 2,n:L,1 --table n=1..1000 --table L=1..1000"), {"--table", "1000000 rows"}, 3},
            {words("norm 2,fan_in,1"), {"WIDTHS", "--variance 2/fan_in"}},
            {words("norm 2,3,1 --set fan_in=3"), {"--set", "'fan_in'"}},
            {words("norm 2,3,1 --input-squared-norm fan_in"), {"--input-squared-norm", "'fan_in'"}},
            {words("norm 2,n,1 --table n=1...3"), {"--table"}},
            {words("norm 2,n,1 --table n=1..x"), {"--table", "'x'"}},
            {words("norm 2,n,1 --table m=1..3"), {"--table", "'m'"}},
            {words("norm 2,3,1 --table n=1..3"), {"--table", "'n'"}},
            {words("norm 2,n,1 --table n=1..3 --set n=2"), {"--table", "'n'"}},
            {words("norm 2,n,1 --table n=1..200000"), {"--table", "200000"}, 3},
            {words("list --set n=3"), {"--set"}},
        });
    }

    TEST_CASE("control characters and bytes that are no UTF-8 never reach the terminal") {
        for (std::string const byte : {"\x01", "\x1b[31m", "\n", "\t", "\x7f", "\xff", "\xc0\x80", "\xed\xa0\x80",
                                       "\xf5\x80\x80\x80", "\xe2\x82",
                                       "\xc2\x9b"
                                       "31m",
                                       "\xe2\x80\xae"}) {
            check_all({
                {{"report", "2," + byte + ",1"}, {}},
                {{byte, "2,3,1"}, {}},
                {{"norm", "2,3,1", "--law", byte}, {}},
                {{"norm", "2,3,1", "--variance", byte}, {}},
                {{"norm", "2,3,1", "--input", byte}, {}},
                {{"norm", "2,3,1", "--layer", byte}, {}},
                {{"norm", "2,3,1", "--digits", byte}, {}},
                {{"norm", "2,3,1", "--" + byte}, {}},
                {{"norm", "2,n,1", "--set", byte + "=3"}, {}},
                {{"norm", "2,n,1", "--table", byte + "=1..3"}, {}},
                {{"list", byte}, {}},
            });
        }
    }

    TEST_CASE("letters beyond ASCII are printed as they are") {
        std::string const name =
            "/no/gr\xc3\xb6\xc3\x9f"
            "e/\xe6\x95\xb0.csv";
        auto const run = run_program({"loss-curve", "2,3,1", "--data", name, "--gradient", "random"});
        CHECK(run.code == 2);
        CHECK(run.err.find(name) != std::string::npos);
        // What would turn or hide the text is not.
        for (std::string const hidden : {"\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x80\x8b", "\xef\xbb\xbf"}) {
            auto const other = run_program({"loss-curve", "2,3,1", "--data", "/no/" + hidden, "--gradient", "random"});
            CHECK(other.code == 2);
            CHECK(other.err.find(hidden) == std::string::npos);
            CHECK(other.err.find("/no/\\x") != std::string::npos);
        }
    }

    TEST_CASE("text of any length and nesting is refused or read, never fatal") {
        std::vector<std::string> const texts{repeated("(", 20000),
                                             repeated("-", 20000) + "1",
                                             repeated("1-", 300),
                                             repeated("sqrt(", 999),
                                             repeated("9", 20000) + "x",
                                             repeated("x^", 5000) + "1",
                                             "2^1000000000",
                                             "9^9^9^9^9",
                                             "10^100000",
                                             "sqrt(" + repeated("9", 300) + ")*"};
        for (auto const& text : texts) {
            CAPTURE(text.substr(0, 20));
            for (std::string const option : {"--variance", "--activation", "--input-squared-norm", "--kurtosis"}) {
                Run const run =
                    run_program(with("norm 2,3,1", {option, option == "--activation" ? "leaky:" + text : text}));
                CAPTURE(option);
                CHECK_FALSE(run.timed_out);
                CHECK(run.signal == 0);
                CHECK((run.code == 0 || run.code == 2 || run.code == 3));
                CHECK(run.err.size() < 1000);
            }
        }
        check_all({
            {{"norm", repeated("9", 20000) + "x,2"}, {"WIDTHS"}},
            {{"norm", "2," + repeated("n", 20000) + "!"}, {"WIDTHS"}},
            {{repeated("norm", 5000)}, {}},
            {{"norm", "2,3,1", "--" + repeated("order", 4000)}, {}},
        });
    }

    TEST_CASE("work that would not end is refused before it starts") {
        check_all({
            {words("moments 2,10:1000000,1"), {"--layer", "MB"}, 3},
            {words("norm 2,10:100000,1"), {"--layer", "MB"}, 3},
            {words("products 2,10:10000,1"), {"--layer", "MB"}, 3},
            {words("norm 3000:20,1 --check 1000000000"), {"--check"}, 3},
            {words("moments 100000:5,1 --check 1000000000"), {"--check"}, 3},
            {words("init 100000:5,1 --check 1000000000"), {"--check"}, 3},
            {words("norm 10000000,10000000 --check 10"), {"--check", "10000000"}, 3},
        });
    }

    TEST_CASE("a symbol with another meaning is blamed on the option that has it") {
        check_all({
            {words("ntk 2,n,2 --label-factor 1/fan-in"), {"--label-factor", "'in'"}, 2},
            {words("norm 2,3,1 --input-squared-norm E"), {"--input-squared-norm", "'E'"}, 2},
            {words("norm 2,3,1 --variance 1,I"), {"--variance", "'I'"}, 2},
            {{"expect", "I z[i]^2", "2,3,1"}, {"EXPR", "'I'"}, 2},
        });
    }

    TEST_CASE("small questions are answered or refused within seconds") {
        for (std::string const line :
             {"scaling-factor 2,3,5,7,11,13,17,19,23,29,31,37,41,43,47,53,59,61", "norm 2,a,b,1 --order 30",
              "norm a,b:L,1 --order 30", "norm 2,10:3,1 --layer 1 --digits 100000", "report a,b,c,d,f,g,h,j,k",
              "report 2,10:3,1 --digits 20000", "norm 2,3,1 --table n=1..2 --set m=1"}) {
            Run const run = run_program(words(line), {.seconds = 40});
            CAPTURE(line);
            CHECK_FALSE(run.timed_out);
            CHECK(run.cpu_seconds < patiently(4));
            CHECK(run.signal == 0);
        }
    }

    // design.md: a large answer is refused unless --layer or --output is given.
    TEST_CASE("one layer is printed whatever its size") {
        Run const run = run_program(words("moments 2,10:1000000,1 --layer 1000001"));
        CAPTURE(run.err);
        CHECK(run.code == 0);
        CHECK(run.out.size() > 10'000'000);
    }

    TEST_CASE("options that read numbers out of a text name themselves") {
        std::string const data = " --data text:x1,x2,y1;1,2,1;0,1,0 ";
        refuses("train 3,4,1" + data + "--schedule drop:2,3",
                "--schedule drop:2,3: FACTOR is more than 0 and at most 1");
        refuses("train 3,4,1" + data + "--schedule drop:1/2,0",
                "--schedule drop:1/2,0: EPOCHS is a whole number from 1");
        refuses("train 3,4,1" + data + "--schedule inverse:-1", "--schedule inverse:-1: A is a finite number from 0");
        refuses("train 3,4,1" + data + "--rate-factors 1,2,3", "3 --rate-factors for a network of 2 nodes");
        refuses("train 3,4,1" + data + "--stop-accuracy 1/2", "--stop-accuracy");
        refuses("norm 2,index,1 --table index=2,3", "'index' is a column of its own");
        refuses("form A.9 2,2,2 --with text:{", "is not JSON: parse error");
        refuses(
            "form A.9 2,2,2 --with "
            "text:{\"i\":1,\"x\":[1,2],\"y\":[1,1],\"w\":[1,1],\"v\":[3,\"a/0\"],\"P\":[[1,0],[0,1]]}",
            "--with: division of a by 0");
        refuses("init 3,4,1 --emit-test cpp --printed", "--emit-test prints a program");
    }
}
