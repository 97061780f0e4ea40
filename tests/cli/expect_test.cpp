// SPDX-License-Identifier: MIT
// The command `expect`: names and indices, values by hand, expansions, files, checks, and every way to be refused.
#include <doctest/doctest.h>

#include <isserlis/ring/parse.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "expect_answer.hpp"
#include "fraction.hpp"

using namespace isserlis::test;

namespace {

void check_refused(std::vector<std::string> const& arguments, int code, std::vector<std::string> const& named) {
    Run const run = run_program(arguments);
    INFO(shown(arguments), " -> ", run.err);
    CHECK(run.code == code);
    CHECK(run.out.empty());
    CHECK(run.err.rfind("isserlis: ", 0) == 0);
    for (auto const& word : named) CHECK_MESSAGE(run.err.find(word) != std::string::npos, "does not name ", word);
    auto json = arguments;
    json.insert(json.end(), {"--format", "json"});
    Run const second = run_program(json);
    CHECK(second.code == code);
    CHECK(second.out.empty());
    REQUIRE(Json::accept(second.err));
    std::string const kind = Json::parse(second.err).at("error").at("kind");
    CHECK((code == 3 ? kind == "unsupported" : kind == "parse" || kind == "domain"));
}

}  // namespace

TEST_SUITE("cli/expect") {
    // By hand. z = 1 + w at x = 1 has moments 1, 2, 4, 10, so that E (z - y)^4 = 10 - 16 m + 12 s - 4 t + f; and
    // z = x + W x at x = (1,1) has E z z^T = 1 1^T + 2 I, so that E (z.y)^2 = 3 s + 2 m^2, s = E|y|^2.
    TEST_CASE("targets of a mean other than 0") {
        auto const same_formula = [](std::string const& a, std::string const& b) {
            CHECK_MESSAGE(isserlis::parse_rational_function(a, "a") == isserlis::parse_rational_function(b, "b"), a);
        };
        std::string const one = "1,1 --network resnet:1 --variance 1 --activation linear --input 1 --target-mean m";
        same_formula(value("z y", one), "m");
        same_formula(value("loss", one + " --target-second-moment s"), "(2 - 2*m + s)/2");
        same_formula(
            value("(loss)^2", one + " --target-second-moment s --target-third-moment t --target-fourth-moment f"),
            "(10 - 16*m + 12*s - 4*t + f)/4");
        // Behind a matrix of its own z has no odd moments: E (z - y)^4 = E z^4 + 6 E z^2 s + f, z = v w.x with E z^2 = 1 and
        // E z^4 = 9, whatever the mean and the third moment are.
        same_formula(value("(loss)^2",
                           "1,1,1 --variance 1 --activation linear --target-mean m "
                           "--target-second-moment s --target-fourth-moment f"),
                     "(9 + 6*s + f)/4");
        std::string const two = "2,2 --network resnet:1 --variance 1 --activation linear --input 1,1 --target-mean ";
        same_formula(value("(z[i] y[i])^2", two + "m --target-second-moment s"), "3*s + 2*m^2");
        CHECK(run_program(expect("(z[i] y[i])^2", two + "1/2 --target-second-moment 2 --check 20000")).code == 0);
        CHECK(run_program(expect("(loss)^2",
                                 "1,1 --network resnet:1 --variance 1 --activation linear --input 1 "
                                 "--target-mean 1/2 --target-second-moment 1 --target-third-moment 1 "
                                 "--target-fourth-moment 2 --check 20000"))
                  .code == 0);
    }

    TEST_CASE("moments that no targets have are refused, and those that are missing") {
        check_refused(expect("z[i] y[i]", "2,3,2 --target-mean 2"), 2, {"--target-second-moment = 1", "8"});
        check_refused(expect("(loss)^2",
                             "1,1 --network resnet:1 --variance 1 --activation linear --input 1 "
                             "--target-mean 1/2 --target-fourth-moment 3"),
                      2, {"--target-third-moment", "mean other than 0"});
        check_refused(expect("(loss)^2", "2,3,1 --target-mean 1/2"), 2, {"--target-fourth-moment", "needs the fourth"});
        check_refused(expect("(loss)^2", "2,3,1 --target-mean 1/2 --target-third-moment 1 --target-fourth-moment 1"), 2,
                      {"--target-fourth-moment = 1"});
        CHECK(run_program(expect("z[i]^2", "2,3,2 --target-mean 1/2")).out.find("--target-mean has no effect") !=
              std::string::npos);
    }

    TEST_CASE("value has no index; leading_term comes with a symbolic width") {
        auto const numbers = ask(expect("z^4", "1,3,1"));
        CHECK(numbers.names() == std::set<std::string>{"value"});
        CHECK(numbers.indices("value") == std::vector<Json>{Json::array()});
        CHECK(numbers.exact("value") == "32");  // 12 (n + 5)/n, by hand in docs/strands.md

        auto const symbols = ask(expect("z^4", "1,n,1"));
        CHECK(symbols.names() == std::set<std::string>{"value", "leading_term"});
        CHECK(symbols.indices("leading_term") == std::vector<Json>{Json::array()});
        CHECK(symbols.exact("leading_term") == "12");
        CHECK(symbols.result("value").at("decimal").is_null());
    }

    TEST_CASE("the input is no random vector, however many layers are as wide") {
        for (std::string const widths : {"2,2,2", "2,2:2,2", "2,2:3,2", "2,2:5,1", "3,2:4,1"}) {
            CHECK(value("(z{0}[i]^2)^2", widths + " --input-squared-norm 5") == "25");
            // 2 |x|^2/n_0 for each of n_1 = 2 neurons, in the mean: 5 * 10 * 2/n_0
            CHECK(value("z{0}[i]^2 z{1}[j]^2", widths + " --input-squared-norm 5") ==
                  (widths[0] == '2' ? "50" : "100/3"));
        }
        CHECK(value("(z{0}[i]^2)^2", "n,n:L,1") == "1");
        CHECK(value("z{0}[i]^4", "2,2:3,1 --input 1,2") == "17");
        CHECK(value("(z{0}[i]^2)^2", "4:4 --network resnet:2 --input-squared-norm 3") == "9");
        CHECK(value("(z{0}[i]^2)^2", "4:4 --network densenet --input-squared-norm 3") == "9");
    }

    TEST_CASE("the answer says what was asked and what it takes for granted") {
        auto const answer = ask(expect("(D[m,n]loss)^2", "2,3,1"));
        CHECK(answer.json.at("command") == "expect");
        CHECK(answer.json.at("inputs").at("query") == "(D[m,n]loss)^2");
        CHECK(answer.json.at("inputs").at("widths") == "2,3,1");
        CHECK(answer.text_of("assumptions").find("targets") != std::string::npos);
        CHECK(ask(expect("z^2", "2,3,1")).text_of("assumptions").find("targets") == std::string::npos);
    }

    // By hand in docs/strands.md.
    TEST_CASE("the parts of the Hessian of 2,3,1 add up to 266/3") {
        std::string const network = "2,3,1 --input-squared-norm 2";
        CHECK(value("z[;m,n]^2", network) == "6");
        CHECK(value("z[;m,n]^2 z^2", network) == "16");
        CHECK(value("z[;m,n] z[;m] z[;n] z", network) == "8");
        CHECK(value("(z[;m] z[;n])^2", network) == "152/3");
        CHECK(value("(D[m,n] loss)^2", network) == "266/3");
    }

    // The formulas that the issue of the strand engine demands, as numbers.
    TEST_CASE("the Hessian at one and two hidden layers") {
        for (int n = 1; n <= 4; ++n) {
            for (int n0 = 1; n0 <= 3; ++n0) {
                Fraction const f = n;
                Fraction const g = n0;
                Fraction const one = (f * f * f + 5 * f * f * g + 5 * f * f + f * g * g + 12 * f * g + 5 * g * g) / f;
                Fraction const two = (7 * f * f * f * f + 10 * f * f * f * g + 52 * f * f * f + f * f * g * g +
                                      56 * f * f * g + 110 * f * f + 10 * f * g * g + 128 * f * g + 25 * g * g) /
                                     (f * f);
                std::string const set =
                    " --input-squared-norm n0 --set n=" + std::to_string(n) + ",n0=" + std::to_string(n0);
                CHECK(value("(D[m,n] loss)^2", "n0,n,1" + set) == one.text());
                CHECK(value("(D[m,n] loss)^2", "n0,n,n,1" + set) == two.text());
                CHECK(value("(D[m,n] loss)^2", "n0,n:L,1 --set L=2" + set) == two.text());
            }
        }
    }

    // spec/strands.md, section 5.
    TEST_CASE("a residual network of three blocks with branches of two matrices") {
        std::string const network = "3:4 --network resnet:2";
        CHECK(value("z[i]^2", network) == "8");
        CHECK(value("(z[i]^2)^2", network) == "493039/729");
        CHECK(value("z[i;m]^2 where m in 2.1", network) == "6");
        CHECK(value("(z[i;m]^2)^2 where m in 2.1", network) == "22120/81");
    }

    // (7 n^4 + 10 n^3 n0 + 52 n^3 + ..)/n^2 at n0 = 2.
    TEST_CASE("series_coefficient has the power of 1/n as its index") {
        auto const answer = ask(expect("(D[m,n] loss)^2", "2,n,n,1 --input-squared-norm 2 --series 1/n --order 4"));
        CHECK(answer.names() == std::set<std::string>{"series_coefficient"});
        std::vector<std::pair<int, std::string>> const expected{
            {-2, "7"}, {-1, "72"}, {0, "226"}, {1, "296"}, {2, "100"}};
        CHECK(answer.indices("series_coefficient").size() == expected.size());
        for (auto const& [power, coefficient] : expected)
            CHECK(answer.exact("series_coefficient", Json{power}) == coefficient);
        CHECK(ask(expect("z^4", "2,n,1 --series 1/n")).indices("series_coefficient").size() == 3);
        CHECK(ask(expect("z^4", "2,n,1 --series 1/n --order 0")).indices("series_coefficient").size() == 1);
    }

    // E z^4 = 12 (1 + 5/n)^L at |x|^2 = n0, and (1 + 5/n)^(b n) -> exp(5 b).
    TEST_CASE("limit has no index and is a sum of exponentials") {
        std::string const network = "n0,n:L,1 --input-squared-norm n0 --limit double-scaling";
        auto const answer = ask(expect("z^4", network));
        CHECK(answer.names() == std::set<std::string>{"limit"});
        CHECK(answer.indices("limit") == std::vector<Json>{Json::array()});
        CHECK(answer.exact("limit").find("exp(5*b)") != std::string::npos);
        CHECK(answer.exact("limit").find("12") != std::string::npos);
        CHECK(ask(expect("z^4", network + " --set b=2")).exact("limit").find("exp(10)") != std::string::npos);
        // n^2 times that is infinite, 1/n^2 times that is 0; an order below the leading one is no limit either.
        auto const grown = ask(expect("z^4", "n,n:L,1 --input-squared-norm n^2 --limit double-scaling"));
        CHECK(grown.exact("limit") == "null");
        CHECK(grown.result("limit", Json::array()).at("form").get<std::string>().starts_with("infinite"));
        CHECK(grown.exact("limit_leading") == "12*n^2*exp(5*b)");
        auto const shrunk = ask(expect("z^4", "n,n:L,1 --limit double-scaling"));
        CHECK(shrunk.exact("limit") == "0");
        CHECK(shrunk.exact("limit_leading") == "12/n^2*exp(5*b)");
        auto const orders = ask(expect("z^4", network + " --order 1"));
        CHECK(orders.exact("limit") == answer.exact("limit"));
        CHECK(orders.exact("limit_leading").find('n') != std::string::npos);
    }

    TEST_CASE("--table: the value of the symbol comes first, as CSV unless asked otherwise") {
        Run const run = run_program(expect("z^4", "1,n,1 --table n=1..3"));
        CHECK(run.code == 0);
        CHECK(run.out.ends_with("\nn,name,index,exact,decimal\n1,value,,72,72\n2,value,,42,42\n3,value,,32,32\n"));
        auto const answer = ask(expect("z^4", "1,n,1 --table n=1..3"));
        CHECK(answer.indices("value") == std::vector<Json>{Json{1}, Json{2}, Json{3}});
        CHECK(answer.exact("value", Json{3}) == "32");
    }

    // Three outputs tie six strands in pairs, labels in the first layer tie them the same way, and so it is the
    // diagonal entry of T^L: (a^L + 9 b^L + 5 c^L)/15 with the three eigenvalues on six strands, of multiplicities 1, 9
    // and 5. At n = 2 one of them is 0, at n = 1 two.
    TEST_CASE("special values, put in before or after, give the same") {
        std::string const query = "z[1;m]^2 z[2;n]^2 z[3;p]^2 where m in 1, n in 1, p in 1";
        for (int n = 1; n <= 4; ++n) {
            Fraction const f = n;
            Fraction const a = (f + 4) * (f + 11) / (f * f);
            Fraction const b = (f - 1) * (f + 6) / (f * f);
            Fraction const c = (f - 1) * (f - 2) / (f * f);
            auto const expected = ((a * a + 9 * b * b + 5 * c * c) / 15).text();
            std::string const width = std::to_string(n);
            CHECK(value(query, "5," + width + ":2,3") == expected);
            CHECK(value(query, "5,n:L,3 --set n=" + width + ",L=2") == expected);
            CHECK(value(query, "5," + width + ":L,3 --set L=2") == expected);
            CHECK(ask(expect(query, "5,n:L,3 --set L=2 --table n=1..4")).exact("value", Json{n}) == expected);
        }
        // A leaky slope of 0 is ReLU, of 1 linear.
        CHECK(value("z^4", "1,3,1 --activation leaky:s --set s=0") == "32");
        CHECK(value("z^4", "1,3,1 --activation leaky:s --set s=1") == value("z^4", "1,3,1 --activation linear"));
    }

    TEST_CASE("a constant of the file that EXPR does not have is noted") {
        Files const file;
        std::string const forms = file("forms.json", R"({"constants": {"w": [1, "q"], "P": [[2, 1], [1, 3]]}})");
        auto const note_of = [&](std::string const& query) {
            return ask(std::vector<std::string>{"expect", query, "2,3,2", "--with", forms}).text_of("warnings");
        };
        CHECK(note_of("(w[i] z[i])^2").find("--with: the constant P does not occur in EXPR") != std::string::npos);
        CHECK(note_of("z[i] P[i,j] z[j]").find("--with: the constant w does not occur in EXPR") != std::string::npos);
        CHECK(note_of("w[i] z[i] + z[i] P[i,j] z[j]").find("does not occur") == std::string::npos);
    }

    // E (w.a)^2 (w.b)^2 = (AB + 2 C^2)/n0^2 for one linear layer of variance 1/n0.
    TEST_CASE("--with: inputs by coordinates or by their Gram matrix, and constants") {
        TemporaryDirectory const folder;
        write_file(folder / "vectors.json", R"({"inputs": {"a": [1, 0], "b": ["3/5", "0.8"]}})");
        write_file(folder / "gram.json", R"({"inputs": ["a", "b"], "gram": [[1, "3/5"], ["3/5", 1]]})");
        write_file(folder / "symbols.json", R"({"inputs": ["a", "b"], "gram": [[1, "C"], ["C", 1]]})");
        for (std::string const file : {"vectors.json", "gram.json"}) {
            CHECK(value("z@a^2 z@b^2", "2,1 --activation linear --with " + (folder / file)) == "43/100");
            CHECK(value("z@a z@b", "2,1 --activation linear --with " + (folder / file)) == "3/10");
        }
        CHECK(value("z@a^2 z@b^2", "2,1 --activation linear --set C=3/5 --with " + (folder / "symbols.json")) ==
              "43/100");
        // One layer, variance 2/2, |x| = 1: independent standard normal outputs.
        write_file(folder / "forms.json", R"({"constants": {"w": [1, "1/2"], "P": [[2, 1], [1, 3]]}})");
        std::string const forms = "2,2 --with " + (folder / "forms.json");
        CHECK(value("(w[i] z[i])^2", forms) == "5/4");
        CHECK(value("(w[i] z[i])^4", forms) == "75/16");
        CHECK(value("z[i] P[i,j] z[j]", forms) == "5");
        CHECK(value("(z[i] P[i,j] z[j])^2", forms) == "55");  // (tr P)^2 + 2 tr P^2 = 25 + 2 * 15

        check_refused(expect("z@c^2", "2,1 --with " + (folder / "gram.json")), 2, {"EXPR", "character 1", "'c'"});
        check_refused(expect("v[i] z[i]", forms), 2, {"EXPR", "'v'", "--with"});
        check_refused(expect("w[i,j] z[i] z[j]", forms), 2, {"EXPR", "'w'", "vector"});
        check_refused(expect("w[i] z[i]", "2,3 --with " + (folder / "forms.json")), 2, {"--with", "'w'", "2", "3"});
        for (char const* bare : {"z^2", "loss", "z@a z", "h{1}[1]^2"})
            check_refused(expect(bare, "2,3,1 --activation linear --with " + (folder / "gram.json")), 2,
                          {"EXPR: the file of --with has the inputs ", "say which one everywhere, as in z[i]@"});
        check_refused(expect("z@a z@b", "2,3,1 --with " + (folder / "gram.json")), 3, {"two inputs", "gate"});
        for (auto const& [content, named] : std::vector<std::pair<std::string, std::string>>{
                 {"[]", "object"},
                 {"{\"inputs\": {\"a\": [0.5, 1]}}", "\"a\""},
                 {"{\"inputs\": [\"a\"], \"gram\": [[1, 2]]}", "\"gram\""},
                 {"{\"inputs\": [\"a\"], \"gram\": [[1, 0], [0, 1]]}", "\"gram\""},
                 {"{\"inputs\": [\"a\", \"b\"], \"gram\": [[1, 0], [1, 1]]}", "symmetric"},
                 {"{\"constants\": {\"P\": [[1, 2], [3, 4]]}}", "symmetric"},
                 {"{\"constants\": {\"w\": []}}", "\"w\""},
                 {"{\"constants\": {\"w\": [\"1/\"]}}", "\"w\""},
                 {"{\"weights\": {}}", "\"weights\""},
                 {"{", "JSON"}}) {
            write_file(folder / "bad.json", content);
            std::string const query = content.find('P') != std::string::npos       ? "P[i,j] z[i] z[j]"
                                      : content.find("\"b\"") != std::string::npos ? "z[i]@a^2"
                                                                                   : "z[i]^2";
            check_refused(expect(query, "2,2 --with " + (folder / "bad.json")), 2, {"--with", named});
        }
        check_refused(expect("z[i]^2", "2,2 --with " + (folder / "absent.json")), 2, {"--with", "absent.json"});
    }

    TEST_CASE("--network FILE: values by hand") {
        TemporaryDirectory const folder;
        // z = x + W x, width 3, variance 1/3: E|z|^2 = 2, E|z|^4 = 4 + 6/3.
        write_file(folder / "skip.json", R"({
            "nodes": [{"name": "x", "width": 3}, {"name": "out", "width": 3}],
            "edges": [{"from": "x", "to": "out", "name": "W"}, {"from": "x", "to": "out", "name": "s", "skip": true}]})");
        std::string const skip = "--network " + (folder / "skip.json");
        CHECK(value("z[i]^2", skip) == "2");
        CHECK(value("(z[i]^2)^2", skip) == "6");
        CHECK(value("z[i;m]^2 where m in W", skip) == "3");
        CHECK(value("z[i;m]^2 where m in out", skip) == "3");
        check_refused(expect("z[i;m]^2 where m in s", skip), 3, {"EXPR", "'s'", "skip"});
        check_refused(expect("z[i;m]^2 where m in V", skip), 2, {"EXPR", "'V'", "W"});
        check_refused(expect("z{y}[i]^2", skip), 2, {"EXPR", "'y'", "x, out"});
        // z = w (x, relu(W x)), variances 1/4 and 2/2: (|x|^2 + 1)/4.
        write_file(folder / "concatenation.json", R"({
            "nodes": [{"name": "x", "width": 2}, {"name": "a", "width": "n", "activation": "relu"},
                      {"name": "c", "width": "n + 2", "kind": "concatenation"}, {"name": "out", "width": 1}],
            "edges": [{"from": "x", "to": "a", "variance": "2/n"}, {"from": "x", "to": "c"}, {"from": "a", "to": "c"},
                      {"from": "c", "to": "out"}]})");
        std::string const both = "--network " + (folder / "concatenation.json");
        CHECK(value("z^2", both + " --set n=2") == "1/2");
        CHECK(value("(n + 2) z^2", both) == "2");
        check_refused(expect("z^2", "2,3,1 " + both), 2, {"WIDTHS", "file"});
        check_refused(expect("z^2", both + " --activation linear"), 2, {"--activation", "file"});
        check_refused(expect("z^2", both + " --set n=1/2"), 2, {"--network", "the width of node", "whole number"});
    }

    TEST_CASE("--network FILE: errors name the node or the edge") {
        TemporaryDirectory const folder;
        struct Case {
            std::string from;
            std::string to;
            std::vector<std::string> named;
        };
        std::string const right =
            R"({"nodes": [{"name": "x", "width": 2}, {"name": "a", "width": 2, "activation": "relu"},
            {"name": "out", "width": 1}], "edges": [{"from": "x", "to": "a"}, {"from": "a", "to": "out", "variance": 1}]})";
        std::vector<Case> const cases{
            {"\"width\": 1", "\"width\": 0", {"\"out\"", "0"}},
            {"\"width\": 1", "\"width\": 0.5", {"\"out\"", "whole number"}},
            {"\"width\": 1", "\"size\": 1", {"node 3", "\"size\""}},
            {"\"relu\"", "\"tanh\"", {"\"a\"", "relu"}},
            {"\"relu\"", "\"leaky:x/\"", {"\"a\"", "x/"}},
            {"\"name\": \"out\"", "\"name\": \"a\"", {"\"a\"", "two nodes"}},
            {"\"name\": \"out\"", "\"name\": \"a,b\"", {"a,b", "comma"}},
            {"\"to\": \"a\"}", "\"to\": \"b\"}", {"\"x-b\"", "\"b\""}},
            {"\"to\": \"a\"}", "\"to\": \"x\"}", {"\"x-x\"", "listed"}},
            {"\"to\": \"a\"}", "\"to\": \"a\", \"skip\": true}", {"x-a", "gated"}},
            {"\"to\": \"a\"}", "\"to\": \"a\", \"skip\": true, \"law\": \"uniform\"}", {"\"x-a\"", "\"law\""}},
            {"\"to\": \"a\"}", "\"to\": \"a\", \"law\": \"cauchy\"}", {"\"x-a\"", "\"law\""}},
            {"\"to\": \"a\"}", "\"to\": \"a\", \"law\": \"uniform\", \"kurtosis\": 2}", {"\"x-a\"", "kurtosis"}},
            {"\"to\": \"a\"}", "\"to\": \"out\"}", {"'a'", "no edge"}},
            {"\"variance\": 1", "\"variance\": -1", {"a-out", "positive"}},
            {"\"variance\": 1", "\"variance\": 0.1", {"a-out", "whole number"}},
            {"\"variance\": 1", "\"variances\": 1", {"edge 2", "\"variances\""}},
            {"\"variance\": 1", "\"name\": \"x-a\"", {"\"x-a\"", "two edges"}},
            {"{\"nodes\"", "{\"layers\": 1, \"nodes\"", {"\"layers\""}},
            {"}]}", "}]", {"JSON"}},
        };
        std::string const file = folder / "network.json";
        write_file(file, right);
        CHECK(value("z^2", "--network " + file) == "1");  // 2 neurons, each of mean square 1/2
        for (auto const& c : cases) {
            std::string wrong = right;
            auto const at = wrong.find(c.from);
            REQUIRE(at != std::string::npos);
            wrong.replace(at, c.from.size(), c.to);
            write_file(file, wrong);
            CAPTURE(c.to);
            auto named = c.named;
            named.emplace_back("--network");
            check_refused(expect("z[i]^2", "--network " + file), 2, named);
        }
        check_refused(expect("z^2", "--network " + (folder / "absent.json")), 2, {"--network", "absent.json"});
    }

    TEST_CASE("the network files of the documentation are served, and its page shows them") {
        std::string const docs = ISSERLIS_TEST_DATA "/../docs/";
        std::string const page = read_file(docs + "networks.md");
        for (std::string const name : {"branches", "concatenation"}) {
            std::string shown_lines;
            std::string const content = read_file(docs + "examples/" + name + ".json");
            std::string line;
            for (char const c : content) {
                line += c;
                if (c != '\n') continue;
                shown_lines += "> " + line;
                line.clear();
            }
            CHECK_FALSE(content.empty());
            CHECK_MESSAGE(page.find(shown_lines) != std::string::npos, name, ".json is not what the page shows");
        }
        // |sum|^2 has a mean of 1 from the skip and 1 from each branch; the head has variance 1/n.
        CHECK(value("z^2", "--set v=8/5,n=3,q=1 --network " + docs + "examples/branches.json") == "1");
        // (2 * 1/2 + 1)/(n + 2) with |x|^2 = 1 and E|a|^2 = n/2 at variance 1.
        CHECK(value("z^2", "--set n=2 --network " + docs + "examples/concatenation.json") == "1/2");
    }

    // Var z^2 = E z^4 - 1 = 8 - 1 on 2,3,1, by hand: 3 (2/3)^2 * 3 * 8/4.
    TEST_CASE("--check: the standard error is exact where the square has few strands, and says so") {
        auto const answer = ask(expect("z^2", "2,3,1 --check 20000"));
        auto const check = answer.result("value").at("check");
        CHECK(check.at("std_error_kind") == "exact");
        CHECK(check.at("std_error").get<double>() == doctest::Approx(std::sqrt(7.0 / 20000)).epsilon(1e-9));
        CHECK(check.at("samples") == 20000);
        CHECK(check.at("verdict") == "agrees");
        CHECK(check.at("z").get<double>() ==
              doctest::Approx((check.at("mean").get<double>() - 1) / check.at("std_error").get<double>()));
        CHECK(answer.json.at("warnings").empty());

        auto const heavy = ask(expect("z^8", "2,2,1 --check 20000"));
        CHECK(heavy.result("value").at("check").at("std_error_kind") == "sampled");
        CHECK(heavy.text_of("warnings").find("standard error is sampled") != std::string::npos);
    }

    TEST_CASE("--check: derivatives, nodes, restrictions, files and inputs agree with drawn networks") {
        TemporaryDirectory const folder;
        write_file(folder / "gram.json", R"({"inputs": {"a": [1, 0], "b": ["3/5", "4/5"]}})");
        std::vector<std::vector<std::string>> const queries{
            expect("z[;m]^2", "2,3,1"),
            expect("(z[i;m] z[j;m])^2", "2,3,2"),
            expect("(D[m] loss)^2", "2,3,2 --target-second-moment 2"),
            expect("(D[m,n] loss)^2", "2,3,1"),
            expect("(D[m] loss)(D[m,n] loss)(D[n] loss)", "2,3,1"),
            expect("z{1}[i]^2 h{2}[j]^2", "2,3,3,1"),
            expect("(z[i;m]^2)^2 where m in 2.1", "2:3 --network resnet:2"),
            expect("z[i;m]^2 where m in 1..2", "2,3,2,1 --network densenet --activation leaky:1/3"),
            expect("z[;m]@a z[;m]@b", "2,3,1 --activation linear --with " + (folder / "gram.json")),
            expect("z^4", "2,3,1 --law uniform --input 1,1/2"),
            expect("z[;m]^2", "2,3,1 --label-factor 2,1/3 --activation crelu"),
            expect("tr((J J^T)^2)", "3,4,2"),
            expect("tr((Jh Jh^T)^2) h[i]^2", "3,4,2 --head activation"),
            expect("norm2(J{2})", "3,4,5,2 --network densenet"),
            expect("tr((J J^T)^2)", "3:2 --network resnet:2"),
            expect("tr(W{1.1} W{1.1}^T) z[i]^2", "3:2 --network resnet:2"),
            expect("J[1,2] J[i,2] W2[1,k] W2[i,k]", "3,4,2 --scheme ntk"),
            expect("tr((W1 W1^T)^2) z[i]^2", "3,4,2 --law uniform --activation linear --input 1,2,3"),
            expect("tr((J J^T)^2)", "3,4,2 --activation crelu"),
            expect("norm2(J@a)*norm2(W1)", "2,3,1 --activation linear --with " + (folder / "gram.json")),
        };
        for (auto arguments : queries) {
            arguments.insert(arguments.end(), {"--check", "20000"});
            auto const answer = ask(arguments, 60);
            auto const check = answer.result("value").at("check");
            INFO(shown(arguments), check.dump());
            CHECK(check.at("verdict") != "disagrees");
            if (check.at("std_error_kind") == "exact") CHECK(std::abs(check.at("z").get<double>()) < 5);
        }
        auto const one = ask(expect("(D[m] loss)^2", "2,3,1 --check 3000 --seed 7 --threads 1"));
        auto const three = ask(expect("(D[m] loss)^2", "2,3,1 --check 3000 --seed 7 --threads 3"));
        CHECK(one.json.at("results").dump() == three.json.at("results").dump());
    }

    // S = (1 + 2 z)^-L of the free product of L layers D W, gates open half of the time and weights of variance 2/n
    // [Pennington 2018]; by Lagrange's inversion the moments are [z^(k-1)] ((1 + z) (1 + 2 z)^L)^k / k.
    TEST_CASE("spectral moments of wide ReLU Jacobians are those of free products") {
        auto const choose = [](long n, long k) {
            long out = 1;
            for (long j = 0; j < k; ++j) out = out * (n - j) / (j + 1);
            return out;
        };
        for (long layers = 1; layers <= 3; ++layers) {
            for (long k = 1; k <= 4; ++k) {
                long sum = 0;
                for (long j = 0; j < k; ++j) sum += choose(k, k - 1 - j) * choose(k * layers, j) * (1L << j);
                REQUIRE(sum % k == 0);
                std::string const expected = sum == k ? "n" : std::to_string(sum / k) + "*n";
                CAPTURE(layers);
                CAPTURE(k);
                auto const answer = ask(expect("tr((Jh Jh^T)^" + std::to_string(k) + ")",
                                               "n:" + std::to_string(layers + 1) + " --head activation"));
                CHECK(answer.exact("leading_term") == expected);
            }
        }
    }

    TEST_CASE("words of linear networks are those of trace") {
        auto const by_trace = ask("trace tr((A*B*B^T*A^T)^3) --shape A=2,4,B=4,3 --variance A=1/4,B=1/3");
        CHECK(value("tr((J J^T)^3)", "3,4,2 --activation linear") == by_trace.exact("value"));
        CHECK(value("tr((W2 W1 W1^T W2^T)^3)", "3,4,2 --activation linear") == by_trace.exact("value"));
        CHECK(value("tr((W2 W1 W1^T W2^T)^3)", "3,4,2 --scheme he") ==
              ask("trace tr((A*B*B^T*A^T)^3) --shape A=2,4,B=4,3 --variance A=1/2,B=2/3").exact("value"));
    }

    TEST_CASE("words in matrices that make no sense are refused") {
        check_refused(expect("tr(J)", "3,4,2"), 2, {"EXPR", "different widths"});
        check_refused(expect("tr(J W7 W7^T J^T)", "3,4,2"), 2, {"no weights called '7'", "1, 2"});
        check_refused(expect("tr(W1 W1^T)", "3:3 --network resnet:2"), 2, {"several matrices", "1.1, 1.2"});
        check_refused(expect("D[m] norm2(J)", "3,4,2"), 3, {"derivatives of J"});
        check_refused(expect("norm2(W2)", "3,4,2 --activation crelu"), 3, {"P or N"});
        check_refused(expect("tr(W2) z[i]^2 tr(J)", "3,3,3"), 3, {"gated", "odd"});
        TemporaryDirectory const folder;
        write_file(folder / "j.json", R"({"constants": {"J": [[1]]}})");
        check_refused(expect("z^2", "3,4,1 --with " + (folder / "j.json")), 2, {"--with", "\"J\"", "matrix"});
    }

    TEST_CASE("expressions that are none: exit code 2, and the character") {
        for (auto const& [text, named] : std::vector<std::pair<std::string, std::vector<std::string>>>{
                 {"", {"character 1"}},
                 {"z^2 +", {"character 6"}},
                 {"(z^2", {"character 5", "bracket"}},
                 {"z^2)", {"character 4"}},

                 {"z^z", {"character 3"}},
                 {"z^100", {"character 3", "99"}},
                 {"z[i,j]^2", {"character 4"}},
                 {"z[;]^2", {"character 4", "label"}},
                 {"z[0]^2", {"character 3", "from 1"}},
                 {"z{}^2", {"character 3"}},
                 {"z{1^2", {"character 3", "}"}},
                 {"z@^2", {"character 3", "input"}},
                 {"y[i;m]^2", {"character 4", "targets"}},
                 {"D z", {"character 3", "D[m]"}},
                 {"z/0", {"character 3", "0"}},
                 {"z[m;m]^2", {"character 3", "'m'"}},
                 {"z[i]^2 z[j]", {"character 10", "'j'", "partner"}},
                 {"z[;m] z", {"'m'", "partner"}},
                 {"z[;m]^2 where", {"character 14", "label"}},
                 {"z[;m]^2 where n in 1", {"character 15", "'n'"}},
                 {"z[;m]^2 where m at 1", {"character 17", "'in'"}},
                 {"z[;m]^2 where m in 1, m in 2", {"'m'", "twice"}},
                 {"z[;m]^2 where m in 3", {"'3'", "1, 2"}},
                 {"z[;m]^2 where m in 2..1", {"2..1"}},
                 {"z{7}^2", {"'7'", "0, 1, 2"}},
                 {"z[2]^2", {"character 3", "2", "1"}},
                 {"z{1}^2", {"neuron", "3"}},
             }) {
            auto all = named;
            all.emplace_back("EXPR");
            check_refused(expect(text, "2,3,1"), 2, all);
        }
    }

    TEST_CASE("what brings in more than strands: exit code 3, and why") {
        check_refused(expect("h{1}[1]", "2,3,1"), 3, {"node 1", "odd"});
        check_refused(expect("z^3", "2,3,1 --head activation"), 3, {"node 2", "3 strands", "odd"});
        check_refused(expect("z^14", "2,3,1"), 3, {"EXPR", "14 strands", "12"});
        check_refused(expect("z^8", "2,3,1 --law uniform --input 1,1"), 3, {"8 strands", "6"});
        check_refused(expect("z^6", "2,3,1 --kurtosis 4 --input 1,1"), 3, {"sixth"});
        check_refused(expect("(y^2)^3", "2,3,1"), 3, {"EXPR", "6 targets"});
        check_refused(expect("z^4", "n0,n:L,1 --scheme proportional"), 3, {"root", "--set"});
    }

    TEST_CASE("options that do not fit: exit code 2, by name") {
        check_refused({"expect"}, 2, {"EXPR"});
        check_refused({"expect", "z^2"}, 2, {"WIDTHS"});
        check_refused(expect("z^2", "2,3,1 --layer 1"), 2, {"--layer"});
        check_refused(expect("z^2", "2,3,1 --order 1"), 2, {"--order", "--series"});
        check_refused(expect("z^2", "2,n,1 --series n"), 2, {"--series", "1/n"});
        check_refused(expect("z^2", "2,n,1 --series 1/n --order 33"), 2, {"--order", "32"});
        check_refused(expect("z^2", "2,3,1 --series 1/n"), 2, {"--series", "numbers"});
        check_refused(expect("z^2", "2,n:L,1 --limit thermodynamic"), 2, {"--limit", "double-scaling"});
        check_refused(expect("z^2", "2,n:L,1 --limit double-scaling --series 1/n"), 2, {"--limit", "--series"});
        check_refused(expect("z^2", "2,n,1 --limit double-scaling"), 2, {"--limit", "n:L"});
        check_refused(expect("b z^2", "2,n:L,1 --limit double-scaling"), 2, {"--limit", "b"});
        check_refused(expect("z^2", "2,3,1 --set k=1"), 2, {"--set", "'k'"});
        check_refused(expect("z^2", "2,3,1 --network torus"), 2, {"--network", "torus", "resnet:M"});
        check_refused(expect("z[i]^2", "2,3 --network resnet:2"), 2, {"WIDTHS", "2", "3"});
        check_refused(expect("loss^2", "2,3,1"), 2, {"--target-fourth-moment"});
        check_refused(expect("loss^2", "2,3,1 --target-fourth-moment 1/2"), 2, {"--target-fourth-moment", "1"});
        check_refused(expect("z^4", "2,3,1 --law uniform"), 2, {"--input-fourth"});
        check_refused(expect("z^2", "2,3,1 --label-factor 1,2,3"), 2, {"--label-factor", "3", "2"});
    }
}
