// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "json_answer.hpp"

namespace {

using isserlis::test::ask;
using isserlis::test::Json;
using isserlis::test::Run;
using isserlis::test::run_program;
using isserlis::test::words;

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) out.push_back(line);
    return out;
}

/// The lines of a CSV below its comments.
std::vector<std::string> rows_of(std::string const& line) {
    auto out = lines_of(run_program(words(line)).out);
    std::erase_if(out, [](std::string const& row) { return row.starts_with("#"); });
    return out;
}

/// Two spellings of one question have one answer.
void same(std::string const& typed, std::string const& exact) {
    CAPTURE(typed);
    CAPTURE(exact);
    auto const a = ask(typed);
    CHECK_FALSE(a.json["results"].empty());
    CHECK(a.json["results"] == ask(exact).json["results"]);
}

}  // namespace

TEST_SUITE("cli/spelling") {
    TEST_CASE("numbers as people write them, wherever a number is read") {
        for (auto const& [typed, exact] : std::vector<std::pair<std::string, std::string>>{
                 {"norm 2,1e1:3,1 --variance 1e-3", "norm 2,10:3,1 --variance 1/1000"},
                 {"norm 2,1_0,1 --input 2.5e1,-1e-2", "norm 2,10,1 --input 25,-1/100"},
                 {"norm 2,n,1 --set n=1e3", "norm 2,1000,1"},
                 {"norm 2,n,1 --input-squared-norm 1e-1*n", "norm 2,n,1 --input-squared-norm n/10"},
                 {"norm 2,3,1 --kurtosis 2.5e0 --input 1,1", "norm 2,3,1 --kurtosis 5/2 --input 1,1"},
                 {"norm 2,3,1 --order 3e0 --layer 2e0", "norm 2,3,1 --order 3 --layer 2"},
                 {"norm 2,3,1 --check 1e3 --seed 1_2", "norm 2,3,1 --check 1000 --seed 12"},
                 {"norm 2,3,1 --activation leaky:1e-2", "norm 2,3,1 --activation leaky:1/100"},
                 {"hessian 2,3,1 --label-factor 1e-2", "hessian 2,3,1 --label-factor 1/100"},
                 {"mup 4,4,1 --eta 1e-3 --target-second-moment 1e1",
                  "mup 4,4,1 --eta 1/1000 --target-second-moment 10"},
                 {"jacobian 4,4,1 --alpha 5e-1", "jacobian 4,4,1 --alpha 1/2"},
                 {"init 2,3,1 --c 1e-1", "init 2,3,1 --c 1/10"},
                 {"coord-check n,n,1 --widths 1e1,2_0", "coord-check n,n,1 --widths 10,20"},
                 {"jacobian 1,2,2 --input sqrt(2)", "jacobian 1,2,2 --input-squared-norm 2"}}) {
            same(typed, exact);
        }
    }

    TEST_CASE("exponents that would fill the memory are refused at once") {
        for (std::string const line :
             {"norm 2,3,1 --variance 1e1000000000", "norm 2,n,1 --set n=1e1000000000",
              "norm 2,3,1 --check 1e1000000000", "norm 2,1e1000000000,1", "norm 2,3,1 --input 1,1e-1000000000"}) {
            Run const run = run_program(words(line), {.seconds = 5});
            CAPTURE(line);
            CHECK(run.code == 3);
            CHECK(run.err.find("exponent beyond 10000") != std::string::npos);
        }
    }

    TEST_CASE("fan_in and fan_out are the widths that a matrix joins, in every wiring, in numbers and in symbols") {
        for (auto const& [typed, exact] : std::vector<std::pair<std::string, std::string>>{
                 {"norm 2,10:3,1 --variance 2/fan_in", "norm 2,10:3,1 --scheme he"},
                 {"norm n0,n:L,1 --variance 2/fan_in", "norm n0,n:L,1 --scheme he"},
                 {"norm n0,n:L,k --variance 2/(fan_in+fan_out)", "norm n0,n:L,k --scheme xavier-average"},
                 {"norm 2,3,5 --variance 1/sqrt(fan_in*fan_out)", "norm 2,3,5 --scheme proportional"},
                 {"init 2,4,9 --variance 2/fan_in,s/fan_out", "init 2,4,9 --variance 1,s/9"},
                 {"hessian 2,3,4,1 --variance 2/fan_in", "hessian 2,3,4,1 --scheme he"},
                 {"jacobian 3:4 --network densenet --variance 2/fan_in", "jacobian 3:4 --network densenet"},
                 {"jacobian n:4 --network resnet:2 --variance 2/fan_in,1/fan_in", "jacobian n:4 --network resnet:2"},
                 {"jacobian 4:3 --network resnet:2 --branch-widths 7 --variance 2/fan_in,1/fan_out",
                  "jacobian 4:3 --network resnet:2 --branch-widths 7 --variance 1/2,1/4"}}) {
            same(typed, exact);
        }
        auto const said = ask("norm 2,3,1 --variance 2/fan_in").text_of("assumptions");
        CHECK(said.find("fan_in and fan_out: the columns and the rows") != std::string::npos);
    }

    TEST_CASE("fan_in of a node in a file is that of all matrices that lead into it") {
        isserlis::test::TemporaryDirectory const directory;
        std::string const typed = directory / "fan.json";
        std::string const exact = directory / "exact.json";
        isserlis::test::write_file(typed, R"json({"nodes": [{"name": "x", "width": "n"},
            {"name": "a", "width": 3}, {"name": "o", "width": 2}], "edges": [{"from": "x", "to": "a"},
            {"from": "x", "to": "o", "variance": "q/fan_in"},
            {"from": "a", "to": "o", "variance": "1/(fan_in*fan_out)"}]})json");
        isserlis::test::write_file(exact, R"json({"nodes": [{"name": "x", "width": "n"},
            {"name": "a", "width": 3}, {"name": "o", "width": 2}], "edges": [{"from": "x", "to": "a"},
            {"from": "x", "to": "o", "variance": "q/(n+3)"},
            {"from": "a", "to": "o", "variance": "1/(2*(n+3))"}]})json");
        CHECK(ask({"expect", "z[i]^2", "--network", typed}).exact("value") ==
              ask({"expect", "z[i]^2", "--network", exact}).exact("value"));
    }

    TEST_CASE("activations and schemes by the names that people type, where they are the same thing") {
        for (auto const& [typed, exact] : std::vector<std::pair<std::string, std::string>>{
                 {"norm 2,3,1 --activation ReLU", "norm 2,3,1 --activation relu"},
                 {"norm 2,3,1 --activation Relu", "norm 2,3,1"},
                 {"norm 2,3,1 --activation leaky_relu:0.01", "norm 2,3,1 --activation leaky:1/100"},
                 {"norm 2,3,1 --activation LeakyReLU:1/5", "norm 2,3,1 --activation leaky:1/5"},
                 {"norm 2,3,1 --activation identity", "norm 2,3,1 --activation linear"},
                 {"norm 2,3,1 --activation none", "norm 2,3,1 --activation linear"},
                 {"norm 2,3,1 --activation CReLU", "norm 2,3,1 --activation crelu"},
                 {"norm 2,3,1 --scheme kaiming", "norm 2,3,1 --scheme he"},
                 {"norm 2,3,1 --scheme kaiming_normal_", "norm 2,3,1 --scheme he --law gaussian"},
                 {"norm 2,3,1 --scheme kaiming_uniform --input 1,1",
                  "norm 2,3,1 --scheme he --law uniform --input 1,1"},
                 {"norm 2,3,1 --scheme Glorot", "norm 2,3,1 --scheme xavier-average"},
                 {"norm 2,3,1 --scheme glorot_uniform --input 1,1",
                  "norm 2,3,1 --scheme xavier-average --law uniform --input 1,1"},
                 {"norm 2,3,1 --scheme xavier_normal", "norm 2,3,1 --variance 2/(fan_in+fan_out)"},
                 {"norm 2,3,1 --scheme pytorch --input 1,1",
                  "norm 2,3,1 --variance 1/(3*fan_in) --law uniform --bias-variance 1/(3*fan_in) --bias-law uniform "
                  "--input 1,1"},
                 {"norm 2,3,1 --scheme mean_field", "norm 2,3,1 --scheme mean-field"}}) {
            same(typed, exact);
        }
        CHECK(
            ask("init 2,3,1 --scheme pytorch").text_of("assumptions").find("uniform biases of variance 1/(3*fan_in)") !=
            std::string::npos);
    }

    TEST_CASE("--table: lists, steps, factors, and two symbols in the order given") {
        auto const firsts = [](std::string const& values) {
            std::vector<std::string> out;
            for (auto const& line : lines_of(run_program(words("moments 2,n,1 --layer 1 --table n=" + values)).out)) {
                if (line.find("rho") != std::string::npos) out.push_back(line.substr(0, line.find(',')));
            }
            return out;
        };
        CHECK(firsts("16,32,64") == std::vector<std::string>{"16", "32", "64"});
        CHECK(firsts("16..128..x2") == std::vector<std::string>{"16", "32", "64", "128"});
        CHECK(firsts("16..127..x2") == std::vector<std::string>{"16", "32", "64"});
        CHECK(firsts("10..40..10") == std::vector<std::string>{"10", "20", "30", "40"});
        CHECK(firsts("1..3,1e1") == std::vector<std::string>{"1", "2", "3", "10"});
        CHECK(rows_of("norm 2,3,1 --variance v --table v=1/4,0.5 --layer 1")[1].starts_with("1/4,"));

        std::string const line = "norm 2,n:L,1 --layer L+1 --table n=4,8 --table L=1..3";
        auto const rows = rows_of(line);
        CHECK(rows.front().starts_with("n,L,name,index,exact"));
        auto const table = ask(line);
        std::vector<Json> order;
        for (auto const& index : table.indices("squared_norm_mean")) order.push_back(Json{index[0], index[1]});
        CHECK(order == std::vector<Json>{Json{4, 1}, Json{4, 2}, Json{4, 3}, Json{8, 1}, Json{8, 2}, Json{8, 3}});
        for (auto const& at : order) {
            auto const one = ask("norm 2," + at[0].dump() + ":" + at[1].dump() + ",1");
            int const last = at[1].get<int>() + 1;
            CHECK(table.exact("squared_norm_variance", {at[0], at[1], last}) ==
                  one.exact("squared_norm_variance", {last}));
        }
        CHECK(run_program(words(line + " --format text")).out.find("n,L,index") != std::string::npos);
    }

    TEST_CASE("--layer with a symbol, of a network in numbers, says what the layers are") {
        for (std::string const command : {"norm", "hessian", "products", "jacobian"}) {
            Run const run = run_program(words(command + " 2,10:3,1 --layer L"));
            CAPTURE(command);
            CHECK(run.code == 2);
            CHECK(run.err.find("layers are numbers here, 1 .. 4") != std::string::npos);
        }
    }
}
