// SPDX-License-Identifier: MIT
// Every formula says where it holds, and holds there: at the edges of its range it is the number.
#include <doctest/doctest.h>

#include <algorithm>
#include <isserlis/report/product_text.hpp>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

TEST_SUITE("cli/range") {
    namespace {

    /// The words of a command line; those in ' ' may have blanks.
    std::vector<std::string> quoted(std::string const& line) {
        std::vector<std::string> out{""};
        bool inside = false;
        for (char const c : line) {
            if (c == '\'') {
                inside = !inside;
            } else if (c == ' ' && !inside) {
                out.emplace_back();
            } else {
                out.back() += c;
            }
        }
        return out;
    }

    /// The rows of a result in the order printed: "L >= 2: m^2/n".
    std::vector<std::string> rows(std::string const& line, std::string const& name, std::vector<Json> const& index) {
        std::vector<std::string> out;
        auto const answer = ask(quoted(line));
        for (auto const& r : answer.json["results"]) {
            if (r["name"] != name || r["index"] != Json(index)) continue;
            std::string range;
            for (auto const& part : r.value("range", Json::array())) {
                if (!part.contains("least") || part["values"] != "whole") continue;
                std::string const symbol = part["symbol"];
                std::string const least = part["least"];
                std::string const most = part.value("most", "");
                if (least == "1" && most.empty()) continue;
                range += (range.empty() ? "" : ", ");
                range += most == least  ? symbol + " = " + least
                         : most.empty() ? symbol + " >= " + least
                                        : least + " <= " + symbol + " <= " + most;
            }
            std::string const value = r["exact"].is_string() ? r["exact"] : r["form"];
            out.push_back((range.empty() ? "" : range + ": ") + value);
        }
        return out;
    }

    using Rows = std::vector<std::string>;

    Run run(std::string const& line) { return run_program(quoted(line)); }

    }  // namespace

    // The first rows of the table of wrong edges; numbers by hand or with the depth given.
    TEST_CASE("a layer whose fan-in changes at the edge has a row there") {
        std::string const one = "init n0,n:L,1 --scheme mean-field --layer L";
        CHECK(rows(one, "weight_variance", {"L"}) == Rows{"L >= 2: 2/n"});
        CHECK(rows(one, "weight_variance", {1}) == Rows{"L = 1: 2/n0"});
        CHECK(rows(one, "update_ratio", {"L"}) == Rows{"L >= 2: n/n0"});
        CHECK(rows(one, "update_ratio", {1}) == Rows{"L = 1: 1"});
        std::string const two = "init a,b:L,c:M,d:K_,1 --activation leaky:1/2 --layer L+M";
        CHECK(rows(two, "weight_variance", {"L + M"}) == Rows{"M >= 2: 8/(5*c)"});
        CHECK(rows(two, "weight_variance", {"L + 1"}) == Rows{"M = 1: 8/(5*b)"});
    }

    TEST_CASE("parameters have the range in which numbers are answered, as the formula says") {
        auto const range = [](std::string const& line) {
            std::string const text = run(line).out;
            auto const at = text.rfind("range: ");
            return at == std::string::npos ? text : text.substr(at + 7, text.find('\n', at) - at - 7);
        };
        CHECK(range("hessian 3,n,1 --activation leaky:s") == "whole n >= 1; s real");
        CHECK(ask("ntk 2,3,1 --activation leaky:s --set s=-1/2").exact("ntk_mean", Json::array()) ==
              ask("ntk 2,3,1 --activation leaky:-1/2").exact("ntk_mean", Json::array()));
        CHECK(range("ntk 2,n,1 --label-factor h") == "whole n >= 1; real h >= 0");
        CHECK(range("expect 'z^2 - c' 2,3,1") == "c real");
        // The variance is above 0, the kurtosis at least 1, and |x|^4/d_0 <= sum x_i^4 <= |x|^4.
        CHECK(range("norm n,n:L,1 --variance v-1 --layer 2") == "whole n >= 1, L >= 2; real v > 1");
        CHECK(range("norm n,n,1 --variance v*n-1 --layer 1") == "whole n >= 1; real v > 0; n*v - 1 > 0");
        CHECK(range("norm n0,n,1 --variance 2-v --layer 1 --order 1") == "whole n >= 1; v real; 2 - v > 0");
        CHECK(range("norm 2,n,1 --kurtosis k --input-fourth f") == "whole n >= 1; real k >= 1, 1/2 <= f <= 1");
        CHECK(range("norm d,n,1 --kurtosis 2 --input-fourth f") ==
              "whole d >= 1, n >= 1; real 0 < f <= 1; d*f - 1 >= 0");
        CHECK(range("norm 2,n:L,1 --variance 1/n-1/n^2 --layer 1") == "whole n >= 2");
        CHECK(run("norm n,n,1 --variance v-1 --set v=1").code == 2);
    }

    TEST_CASE("a limit of wide layers has its edges in rows of their own") {
        // At the first layer of n, n, .., n nothing is random but the layers above it; at L = 2 there is none.
        std::string const line = "jacobian n:L --activation linear --limit wide";
        CHECK(rows(line, "relative_variance_leading", {"l"}) == Rows{"2 <= l <= L - 2: 2*(l - 1)/n"});
        CHECK(rows(line, "relative_variance_leading", {1}) == Rows{"L >= 3: (L - 2)*(L - 1)/n^2"});
    }

    TEST_CASE("two names for one layer: the last one is the one after the change of width") {
        CHECK(rows("jacobian n:L,m:M", "jacobian_mean", {"L + M - 1"}) == Rows{"M >= 2: m^2/n"});
        CHECK(rows("jacobian n:L,m:M", "jacobian_mean", {"L"}) == Rows{"m"});
        CHECK(ask("jacobian n:4,m:1 --set n=2,m=5").exact("jacobian_mean", {4}) == "5");
    }

    TEST_CASE("expect: the depth from which a formula holds is a number, and shallower networks have rows") {
        std::string const mean = "expect 'z{L-2}[i;m,n]^2 where m in L-2' n0,n:L,n";
        CHECK(rows(mean, "value", {}) == Rows{"L >= 4: n^2*(L*n - 4*n + n0)/(2*n0)", "L = 3: 0"});
        std::string const gate = "expect '(z[i;m]^2)^2 where m in L-1' n0,n:L --activation leaky:1/2";
        auto const both = rows(gate, "value", {});
        REQUIRE(both.size() == 2);
        CHECK(both[0].starts_with("L >= 3: "));
        CHECK(both[1] == "L = 2: (25*n^2 + 9*n + 68)/25");  // 64/5 at n = 3, n0 = 4
        CHECK(*isserlis::formula_at("(25*n^2 + 9*n + 68)/25", {{"n", 3}}) ==
              isserlis::RationalFunction(isserlis::Rational(64) / 5));
    }

    TEST_CASE("a generic layer has a range, and the layers at its ends have rows") {
        auto const layer = rows("expect 'h{2}[1]^2 h{l}[2]^2' n0,n:L --variance 1/n", "value", {});
        REQUIRE(layer.size() > 3);
        CHECK(layer.front() == "3 <= l <= L - 1, n >= 2: (n^2 + 10*n + 25)/(4*2^l*n^4)");
        CHECK(std::count_if(layer.begin(), layer.end(),
                            [](auto const& r) { return r.find("l = L") != std::string::npos; }) == 1);
        std::string const dense = "jacobian n,n:L --network densenet --head activation --alpha a --layer k";
        CHECK(rows(dense, "jacobian_mean", {"k"}) ==
              Rows{"1 <= k <= L - 1: (k*n/(2*(a + k)))*Product((a + l - 1)/l, (l, 1, L))"});
    }

    TEST_CASE("a divisor that is 0 at a width gives that width a row") {
        auto const second = rows("jacobian 3,b:L", "jacobian_second_moment", {"l"});
        REQUIRE(second.size() == 2);
        CHECK(second[0].starts_with("b >= 2, "));
        CHECK(second[1].find("b = 1: ") != std::string::npos);
    }

    TEST_CASE("a coordinate that is named needs a layer as wide") {
        CHECK(rows("expect 'z{1}[3]^2' n0,n,1", "value", {}) == Rows{"n >= 3: 2/n0"});
        CHECK(run("expect 'z{1}[3]^2' n0,n,1 --set n=2,n0=1").code == 2);
        CHECK(rows("expect 'z{1}[41]^2' n0,n,1", "value", {}) == Rows{"n >= 41: 2/n0"});
        // Given h, z{2}[i] has variance 2 |h|^2/n; E z^2 relu(z)^2 = 3 v^2/2 and E z^2 E relu(z)^2 = v^2/2 at v = 2/n0.
        CHECK(rows("expect 'z{1}[1000]^2 z{2}[700]^2' n0,n,m,1", "value", {}) ==
              Rows{"n >= 1000, m >= 700: 4*(n + 2)/(n*n0^2)"});
    }

    TEST_CASE("layers that do not exist are in no row") {
        auto const answer = ask("norm n:L");
        for (auto const& r : answer.json["results"]) {
            for (auto const& part : r.value("range", Json::array())) {
                if (part.value("symbol", "") == "L") CHECK(part["least"] == "2");
            }
        }
    }

    // Of n, n:L, 1 layer K exists from L = K - 1 on, as the output at least; 5000 depths are not tried.
    TEST_CASE("a layer of a large number has a range too, and one name however it is typed") {
        for (std::string const layer : {"1000", "1e3", "2000/2"}) {
            CAPTURE(layer);
            auto const found = rows("moments n,n:L,1 --layer " + layer, "second_moment", {1000});
            CHECK(found == Rows{"L >= 1002: n^999"});  // as many paths to a neuron, each of variance 1
        }
        CHECK(rows("jacobian n,n:L,1 --layer 1e17", "jacobian_mean", {"100000000000000000"}) ==
              Rows{"L >= 100000000000000002: 1"});
        // Of L = 2 it is the output, an entry of variance 2/n times a vector of mean square length 1.
        CHECK(rows("norm n,n:L,1 --layer 3e0", "squared_norm_mean", {3}) == Rows{"L >= 3: 1", "L = 2: 2/n"});
    }

    TEST_CASE("every format states the range") {
        std::string const line = "init n0,n:L,1 --scheme mean-field --layer L";
        std::string const text = run(line).out;
        CHECK(text.find("\nrange: whole n0 >= 1, n >= 1, L >= 2\n") != std::string::npos);
        CHECK(text.find("L = 1") != std::string::npos);
        CHECK(run(line + " --format csv").out.find("weight_variance,L,2/n,,\"n >= 1, L >= 2\"") != std::string::npos);
        std::string const latex = run(line + " --format latex").out;
        CHECK(latex.find("\nfor whole $n_{0} \\geq 1,\\ n \\geq 1,\\ L \\geq 2$.") != std::string::npos);
        CHECK(latex.find("\\quad L = 1") != std::string::npos);
        std::string const cpp = run("norm n0,n:L,1 --layer L --format cpp").out;
        CHECK(cpp.find("/// for whole n0 >= 1, n >= 1, L >= 1") != std::string::npos);
        CHECK(cpp.find("is required\");") != std::string::npos);
    }

    TEST_CASE("functions refuse what is outside the range; those of an edge have a name of their own") {
        std::string const cpp = run("expect 'z{L-2}[i;m,n]^2 where m in L-2' n0,n:L,n --format cpp").out;
        CHECK(cpp.find("inline double value(double L, double n, double n0)") != std::string::npos);
        CHECK(cpp.find("L >= 4") != std::string::npos);
        CHECK(cpp.find("inline double value_at_L_3()") != std::string::npos);
    }

    TEST_CASE("values outside are refused, by name, value and range") {
        struct Refused {
            char const* line;
            std::vector<std::string> words;
        };
        std::vector<Refused> const all{
            {.line = "norm n0,n:L,1 --set L=0", .words = {"L = 0", "from 1"}},
            {.line = "norm n0,n:L,1 --set n=3/2", .words = {"--set n = 3/2; a width", "from 1"}},
            {.line = "norm n0,n:L,1 --set n=2 --table L=1/2", .words = {"--table L = 1/2; a repeat count", "from 1"}},
            {.line = "trace tr(W) --shape W=n --table n=1/2", .words = {"--table n = 1/2; a dimension", "from 1"}},
            {.line = "norm n0,n:L,1 --set n=-2", .words = {"n = -2", "from 1"}},
            {.line = "norm n0,n:L,1 --table L=0..2", .words = {"L", "'0'", "from 1"}},
            {.line = "norm n0,n:L,1 --table n=1/2,1", .words = {"--table n = 1/2; a width", "from 1"}},
            {.line = "expect 'h{l}[1]^2' n0,n:L --set l=7,L=3", .words = {"l = 7", "from 1 to 3"}},
            {.line = "expect 'h{l}[1]^2' n0,n:L --set l=0", .words = {"l = 0", "from 1 to L"}},
            {.line = "expect 'h{l}[1]^2' n0,n:L --set l=3/2", .words = {"l = 3/2", "from 1 to L"}},
            {.line = "norm n0,n:L,1 --layer 5 --set L=2", .words = {"5", "1 .. 3"}}};
        for (auto const& refused : all) {
            CAPTURE(refused.line);
            auto const done = run(refused.line);
            CHECK(done.code == 2);
            CHECK(done.out.empty());
            for (auto const& word : refused.words) CHECK_MESSAGE(done.err.find(word) != std::string::npos, word);
        }
    }

    TEST_CASE("limits say what goes to infinity and have no range in it") {
        auto const limit = ask(quoted("expect '(z[;m]^2)^2' n,n:L,1")).result("leading_term");
        Json const range = limit["range"];
        CHECK(range == Json::parse(R"([{"symbol":"n","to":"infinity"},{"symbol":"L","to":"infinity"}])"));
    }

    // E z^2 = 2/n and E z^4 = 12 (n + 5)^L/n^(L + 2) whether E stands around them or not; 2 and 4 are no coordinates.
    TEST_CASE("what E is taken of is no coordinate") {
        for (std::string const query : {"'E[z^2]'", "z^2"}) {
            CHECK(rows("expect " + query + " n,n:L,1 --series 1/n", "series_coefficient", {1}) == Rows{"2"});
            CHECK(rows("expect " + query + " n,n:L,1 --series 1/n", "series_coefficient", {2}) == Rows{"0"});
        }
        for (std::string const query : {"'E[z^4]'", "'E [z^4] '", "z^4"}) {
            CHECK(rows("expect " + query + " n,n:L,1 --series 1/n", "series_coefficient", {2}) == Rows{"12"});
            CHECK(rows("expect " + query + " n,n:L,1 --series 1/n", "series_coefficient", {3}) == Rows{"60*L"});
        }
        // Coordinates inside are.
        for (std::string const query : {"z[3]^2", "'E[z[3]^2]'", "'Var[z[3] z[2]]'"}) {
            auto const found = rows("expect " + query + " 2,n", "value", {});
            REQUIRE(found.size() == 1);
            CHECK(found.front().starts_with("n >= 3: "));
        }
    }

    // Two unit vectors with the product r: 1 - r^2 >= 0.
    TEST_CASE("symbols of a Gram matrix stand for vectors") {
        Files const file;
        std::string const pair = file("pair.json", R"({"inputs": ["a", "b"], "gram": [[1, "r"], ["r", 1]],
                                                       "targets": [[1, -1], [-1, 1]]})");
        std::string const inputs = file("inputs.json", R"({"inputs": ["a", "b"], "gram": [[1, "r"], ["r", 1]]})");
        for (std::string const& line :
             {"loss-curve d,n,1 --with " + pair, "mup d,n,1 --with " + pair, "transfer d,n,1 d,n,n,1 --with " + pair,
              "norm d,n,1 --with " + inputs, "ntk d,n,1 --with " + inputs}) {
            INFO(line);
            auto const answer = run_program(words(line + " --activation linear"));
            CHECK(answer.code == 0);
            CHECK(answer.out.find("range: whole d >= 1, n >= 1; r") != std::string::npos);
            std::size_t const said = answer.out.find("(1 - r)*(r + 1) >= 0\n");
            CHECK(said != std::string::npos);
            CHECK(answer.out.find("(1 - r)*(r + 1) >= 0") == said);  // once
        }
        auto const at = [&](std::string const& r) {
            return ask("loss-curve 3,4,1 --activation linear --with " + pair + " --set r=" + r).exact("loss", Json{1});
        };
        CHECK(at("-1/2") == at("1/2"));
        refuses("loss-curve 1,n,1 --activation linear --set r=1/2 --with " + pair,
                "\"gram\" has a rank above 1, the number of coordinates");
    }

    TEST_CASE("a vector has the width of its coordinates") {
        for (std::string const line : {"norm n,m,1 --input 1,2,-2", "mup n,4,1 --input 1,2,-2",
                                       "expect z^2 n,4,1 --input 1,2,-2", "normalised n,4,1 --input 1,2,-2"})
            refuses(line, "3 coordinates for an input width of n; --set it to their number");
        CHECK(ask("norm n,m,1 --input 1,2,-2 --set n=3").exact("squared_norm_mean", Json{1}) ==
              ask("norm 3,m,1 --input 1,2,-2").exact("squared_norm_mean", Json{1}));
    }

    // What multiplies a square is at least 0, what divides or scales is above it.
    TEST_CASE("signs that symbols leave open are in the range") {
        for (std::string const line :
             {"ntk 3,n,2 --label-factor n-3", "mup 3,n,2 --eta n-3", "hessian 3,n,2 --effective --eta-squared n-3"}) {
            INFO(line);
            CHECK(run(line).out.find("range: whole n >= 3") != std::string::npos);
        }
        for (std::string const line :
             {"transfer 3,n,2 3,n,n,2 --rate n-3", "depth-rules 3,n,2 --depths 2 --multiplier n-3",
              "trace 'tr(A^2)' --shape A=n --variance n-3"}) {
            INFO(line);
            CHECK(run(line).out.find("range: whole n >= 4") != std::string::npos);
        }
        // Powers of numbers that grow with the depth: 6^L - 1 is above 0.
        auto const powers = run("jacobian 1,1:L,1").out;
        CHECK(powers.find("2^L*3^L - 1") != std::string::npos);
        CHECK(powers.find(">= 0") == std::string::npos);
        CHECK(run("norm 3,4,2 --input a,b,c --kurtosis 5 --layer 1").out.find("a^2 + b^2 + c^2 > 0") !=
              std::string::npos);
        CHECK(run("norm 3,4,2 --input a,1,c --kurtosis 5 --layer 1").out.find("> 0") == std::string::npos);
    }

    TEST_CASE("LayerNorm takes two entries") {
        auto const answer = run("normalised n,n:L,1 --norm layer");
        CHECK(answer.out.find("range: whole n >= 2, L >= 1") != std::string::npos);
        CHECK(answer.out.find("n - 2") == std::string::npos);
    }
}
