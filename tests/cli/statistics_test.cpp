// SPDX-License-Identifier: MIT
// EXPR with E[..], Var[..] and Cov[..], and everything that EXPR has to refuse or to list because it looks like more.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "expect_answer.hpp"
#include "fraction.hpp"

using namespace isserlis::test;

namespace {

Run refused(std::string const& expression, std::string const& rest, int code) {
    Run run = run_program(expect(expression, rest));
    INFO(expression, " ", rest, " -> ", run.out, run.err);
    CHECK(run.code == code);
    CHECK(run.out.empty());
    return run;
}

void check_named(Run const& run, std::vector<std::string> const& named) {
    for (auto const& word : named) CHECK_MESSAGE(run.err.find(word) != std::string::npos, run.err, " lacks ", word);
}

}  // namespace

TEST_SUITE("cli/statistics") {
    // 2,1 is one linear layer: z ~ N(0, 1), so that Var z^2 = 3 - 1. In 2,n,1 it is a sum over n half-open neurons:
    // E z^2 = 1 and E z^4 = 3 (2/n)^2 (3n/2 + n(n-1)/4) = 3(n+5)/n.
    TEST_CASE("variances by hand") {
        CHECK(value("Var[z^2]", "2,1") == "2");
        CHECK(value("Var[z]", "2,1") == "1");
        CHECK(value("Var[a z^2 + 5]", "2,1 --set a=3") == "18");
        CHECK(value("Var[z^2]", "2,n,1") == "(2*n + 15)/n");
        CHECK(value("Var[z^2]", "2,3,1") == "7");
        CHECK(value("E[z^4]/E[z^2]^2 - 3", "2,n,1") == "15/n");
        CHECK(value("E[z^2]", "2,n,1") == "1");
        CHECK(value("1/2 E[z^2]^2/3 + (a - a)", "2,3,1 --set a=1") == "1/6");
    }

    // u_j ~ N(0, 1): Cov(u_1^2, z^2) = (2/n) (E u^2 relu(u)^2 + (n-1)/2) - 1 = 2/n; neurons of one layer are
    // independent.
    TEST_CASE("covariances by hand") {
        CHECK(value("Cov[z{1}[1]^2, z^2]", "2,n,1") == "2/n");
        CHECK(value("Cov[z{1}[1]^2, z{1}[2]^2]", "2,3,1") == "0");
        CHECK(value("Cov[z^2, z^2] - Var[z^2]", "2,3,1") == "0");
        CHECK(value("Cov[z, z^2]", "2,3,1") == "0");
    }

    // The kernel of one hidden layer is a sum over n neurons of a = h_j^2 and b = n0 w_j^2 [open], u_j ~ N(0, 2):
    // Var a = 5, Var b = 5 n0^2/n^2, Cov(a, b) = n0/n, and E of it is n + n0.
    TEST_CASE("the spread of the tangent kernel by hand, and at any depth") {
        std::string const n0 = " --input-squared-norm n0";
        CHECK(value("Var[z[;m]^2]", "n0,n,1" + n0) == "(5*n^2 + 2*n*n0 + 5*n0^2)/n");
        CHECK(value("Var[z[;m]^2]/E[z[;m]^2]^2", "n,n:L,1 --input-squared-norm n --set L=1") == "3/n");
        auto const deep = ask(expect("Var[z[;m]^2]/E[z[;m]^2]^2", "n,n:L,1 --input-squared-norm n"));
        CHECK(deep.names() == std::set<std::string>{"value", "leading_term"});
        for (char const* set : {"n=2,L=1", "n=3,L=2", "n=1,L=3"}) {
            CAPTURE(set);
            std::string const network = std::string("n,n:L,1 --input-squared-norm n --set ") + set;
            std::string const direct = value("Var[z[;m]^2]/E[z[;m]^2]^2", network);
            CHECK(direct == value("(E[(z[;m]^2)^2] - E[z[;m]^2]^2)/(E[z[;m]^2])^2", network));
        }
    }

    TEST_CASE("Var[a] is E[a^2] - E[a]^2, asked as three queries") {
        auto const number = [](std::string const& text) {
            auto const slash = text.find('/');
            auto const part = [](std::string const& t) { return Fraction(std::stoll(t)); };
            if (slash == std::string::npos) return part(text);
            return Fraction(std::stoll(text.substr(0, slash)), std::stoll(text.substr(slash + 1)));
        };
        struct Case {
            std::string observable;
            std::string where;
            std::string network;
        };
        for (auto const& c : std::vector<Case>{
                 {"z[i]^2", "", "2,3,2"},
                 {"z[i;m]^2", " where m in 2", "2,3,3,2"},
                 {"z[;m]^2 - a z^2", "", "2,3,1 --set a=2/3"},
                 {"loss", "", "2,3,2 --target-fourth-moment 3/4"},
                 {"h{1}[i]^2", "", "2,3:2,1 --activation leaky:1/3"},
                 {"z[i;m]^2", " where m in 2.1", "2:3 --network resnet:2"},
             }) {
            CAPTURE(c.observable);
            Fraction const first = number(value(c.observable + c.where, c.network));
            Fraction const second = number(value("(" + c.observable + ")^2" + c.where, c.network));
            Fraction const variance = number(value("Var[" + c.observable + "]" + c.where, c.network));
            CHECK((variance - (second - first * first)).text() == "0");
        }
    }

    TEST_CASE("a label may have another place in each query, but one in EXPR") {
        CHECK(value("E[z[;m]^2]/E[z[;p]^2] where m in 1, p in 2", "4,3,1 --input-squared-norm 4") == "4/3");
        check_named(refused("E[z[;m]^2] where m in 1, m in 2", "4,3,1", 2), {"'m'", "twice"});
    }

    TEST_CASE("expansions of quotients") {
        std::string const network = "n,n:L,1 --input-squared-norm n";
        // 2 (1 + 5/n)^L .. : E z^4/E z^2^2 = 3 (1 + 5/n)^L.
        auto const limit = ask(expect("E[z^4]/E[z^2]^2", network + " --limit double-scaling"));
        CHECK(limit.exact("limit") == "3*exp(5*b)");
        auto const series = ask(expect("Var[z^2]/E[z^2]^2", network + " --series 1/n --order 1"));
        CHECK(series.exact("series_coefficient", Json::array({0})) == "2");
        CHECK(series.exact("series_coefficient", Json::array({1})) == "15*L");
        CHECK(ask(expect("(E[z^4] - 3 E[z^2]^2)/E[z^2]^2", network)).exact("leading_term") == "15*L/n");
        // A denominator of several summands: 1/(1 + 1/E z^4), E z^4 = 12 (1 + 5/n)^L.
        std::string const sum = "E[z^4]/(E[z^4] + E[z^2])";
        CHECK(ask(expect(sum, network)).exact("leading_term") == "6/7");
        CHECK(ask(expect(sum, network + " --limit double-scaling")).exact("limit") ==
              "(12*exp(5*b))/(12*exp(5*b) + 2)");
        check_named(refused(sum, network + " --limit double-scaling --order 1", 3), {"--order", "denominator"});
        // |x|^2 = n^2: E z^4 = 12 n^2 (1 + 5/n)^L and E z^2 = 2 n, so that the sum below goes to 1 + 1/(6 n exp(5 b)) ..
        std::string const grown = "n,n:L,1 --input-squared-norm n^2 --limit double-scaling";
        CHECK(ask(expect("E[z^4]/(E[z^4] + E[z^2])", grown)).exact("limit") == "1");
        auto const small = ask(expect("E[z^2]/(E[z^4] + E[z^2])", grown));
        CHECK(small.exact("limit") == "0");
        CHECK(small.exact("limit_leading") == "1/(6*n)*exp(-5*b)");
        auto const large = ask(expect("E[z^4]/(1 + E[z^2])", grown));
        CHECK(large.exact("limit") == "null");
        CHECK(large.exact("limit_leading") == "6*n*exp(5*b)");
        CHECK(value(sum, network + " --set n=5,L=1") == "12/13");  // E z^4 = 24, E z^2 = 2
    }

    TEST_CASE("every format and --table") {
        for (auto const& [format, sign] : std::vector<std::pair<std::string, std::string>>{
                 {"text", "3*(n + 5)^L/n^L - 1"},
                 {"json", "3*(n + 5)^L/n^L - 1"},
                 {"csv", "value,,3*(n + 5)^L/n^L - 1"},
                 {"latex", "\\frac{\\operatorname{Var}\\left[z^{2}\\right]}{\\mathbb{E}\\left[z^{2}\\right]^{2}} &= "},
                 {"cpp", "inline double value(double L, double n)"},
             }) {
            CAPTURE(format);
            auto const run = run_program(expect("Var[z^2]/E[z^2]^2", "2,n:L,1 --format " + format));
            CHECK(run.code == 0);
            CHECK(run.out.find(sign) != std::string::npos);
        }
        auto const table = run_program(expect("Var[z^2]", "2,n,1 --table n=1..3"));
        CHECK(table.out.substr(table.out.find("\nn,name") + 1) ==
              "n,name,index,exact,decimal\n1,value,,17,17\n2,value,,19/2,9.5\n3,value,,7,7\n");
        auto const explained = ask(expect("Var[z^2]", "2,3,1 --explain"));
        CHECK(explained.text_of("explanations").find("E[(z^2)*(z^2)] is a sum of bundles") != std::string::npos);
    }

    TEST_CASE("--check samples each expectation and says how the error is meant") {
        std::vector<std::vector<std::string>> const queries{
            expect("Var[z^2]", "2,3,1"),
            expect("E[z^4]/E[z^2]^2", "2,3,1"),
            expect("Cov[z{1}[1]^2, z^2]", "2,3,1"),
            expect("Var[z[;m]^2]/E[z[;m]^2]^2", "2,3,1"),
            expect("Var[loss]/E[loss]", "2,3,2 --target-fourth-moment 1"),
            expect("Var[z[i;m]^2] where m in 2.1", "2:3 --network resnet:2"),
        };
        for (auto arguments : queries) {
            arguments.insert(arguments.end(), {"--check", "40000"});
            auto const answer = ask(arguments, 60);
            auto const check = answer.result("value").at("check");
            INFO(shown(arguments), check.dump());
            CHECK(check.at("verdict") != "disagrees");
            CHECK(std::abs(check.at("z").get<double>()) < 5);
            CHECK(check.at("std_error_kind") == "sampled");
            CHECK(answer.text_of("warnings").find("delta method") != std::string::npos);
        }
        // A single expectation keeps its exact error.
        CHECK(ask(expect("E[z^2]", "2,3,1 --check 100")).result("value").at("check").at("std_error_kind") == "exact");
    }

    TEST_CASE("an error of a value of 0 is no share of it, and the line on power says so") {
        auto const power_of = [](std::vector<std::string> const& arguments) {
            std::string const out = run_program(arguments).out;
            auto const at = out.find("\npower: ");
            return at == std::string::npos ? "" : out.substr(at + 1, out.find('\n', at + 1) - at - 1);
        };
        CHECK(power_of(expect("Cov[z[1], z[1]^2]", "2,3,1 --check 100")) ==
              "power: an error of 10 % means nothing where the value is 0");
        CHECK(power_of(expect("Var[z[1]]", "2,3,1 --check 100")).starts_with("power: an error of 10 % would be seen"));
        auto const mixed = power_of(words("hessian 2,1 --activation linear --check 100"));
        CHECK_MESSAGE(mixed.find("in all 3 checks of values other than 0") != std::string::npos, mixed);
    }

    // z_1 of layer 2 has variance 2/3 sum h_j^2, h_1^2 is z_1^2 half of the time, and Cov[z_1^2, z_1^2/2] = 3/2 - 1/2.
    TEST_CASE("neurons of equal numbers in two gated layers") {
        CHECK(value("Cov[z{1}[1]^2, z{2}[1]^2]", "2,3,3,1") == "2/3");
        CHECK(value("Cov[z{1}[2]^2, z{2}[1]^2]", "2,3,3,1") == "2/3");
    }

    TEST_CASE("what is refused says where: too many strands, division by 0, what is random outside") {
        check_named(refused("Var[z^8]", "2,3,1", 3), {"in E[(z^8)*(z^8)]", "16 strands"});
        check_named(refused("Cov[z^6, z^8]", "2,3,1", 3), {"in E[(z^6)*(z^8)]", "14 strands"});
        check_named(refused("1/E[z]", "2,3,1", 2), {"division by 0", "E[z]"});
        check_named(refused("1/(E[z^2] - E[z^2])", "2,n:L,1", 2), {"division by 0"});
        check_named(refused("z E[z]", "2,3,1", 2), {"character 1", "outside"});
        check_named(refused("Var[z[i]]", "2,3,2", 2), {"'i'", "partner"});
        check_named(refused("Var[loss]", "2,3,1", 2), {"--target-fourth-moment"});
    }

    // Each of these was an answer once, with exit code 0.
    TEST_CASE("nothing that looks like more is swallowed") {
        struct Case {
            std::string text;
            std::vector<std::string> named;
        };
        for (auto const& [text, named] : std::vector<Case>{
                 {"relu(z)^2", {"'relu' is no function", "polynomial in z, h", "h (z after its activation)"}},
                 {"tr(z)^2", {"character 4", "a matrix is expected here"}},
                 {"f(z)", {"'f' is no function"}},
                 {"log0(z^2)", {"'log0' is no function"}},
                 {"log(z^2)", {"'log' is no function"}},
                 {"E0(z^2)", {"'E0' is no function"}},
                 {"a (z^2)", {"'a' is no function", "needs a *"}},
                 {"z(1)", {"'z' is no function", "z[1]"}},
                 {"h(z)", {"'h' is no function"}},
                 {"Var(z)", {"square brackets", "Var[..]"}},
                 {"E(z^2)", {"square brackets", "E[..]"}},
                 {"mean(z)", {"square brackets", "E[..]"}},
                 {"cov(z,z)", {"square brackets", "Cov[.., ..]"}},
                 {"x^2", {"'x'", "z{0}[i]"}},
                 {"X^2", {"'X'", "z{0}[i]"}},
                 {"Z^2", {"'Z'", "write z"}},
                 {"H^2", {"'H'", "write h"}},
                 {"Y^2", {"'Y'", "write y"}},
                 {"Loss^2", {"'Loss'", "write loss"}},
                 {"LOSS^2", {"'LOSS'", "write loss"}},
                 {"d z^2", {"'d'", "D[m]"}},
                 {"zz", {"'zz'", "z^2"}},
                 {"z1^2", {"'z1'", "z[1]"}},
                 {"h_i^2", {"'h_i'", "h[i]"}},
                 {"sum_i z[i]^2", {"'sum_i'", "summed by themselves"}},
                 {"sum z[i]^2", {"'sum'", "summed by themselves"}},
                 {"log*z^2", {"'log'", "no functions"}},
                 {"exp z", {"'exp'", "no functions"}},
                 {"var", {"'var'", "Var[..]"}},
                 {"[z]", {"character 1"}},
                 {"[z[i]^2]", {"character 1"}},
             }) {
            CAPTURE(text);
            auto const run = refused(text, "2,3,1", 2);
            check_named(run, named);
            // No suggestion leads into the trap of a name that is multiplied.
            CHECK(run.err.find("0' or '") == std::string::npos);
        }
    }

    TEST_CASE("a symbol that only EXPR has is listed; one that is set, or in WIDTHS, is none of those") {
        std::string const list = "parameters of EXPR: ";
        auto const assumed = [](std::string const& text, std::string const& rest) {
            return ask(expect(text, rest)).text_of("assumptions");
        };
        CHECK(assumed("c z^2 + a", "2,3,1").find(list + "a, c\n") != std::string::npos);
        CHECK(assumed("E[c z^2]/a", "2,3,1").find(list + "a, c\n") != std::string::npos);
        CHECK(assumed("n z^2", "2,n,1").find(list) == std::string::npos);
        CHECK(assumed("a z^2", "2,3,1 --set a=2").find(list) == std::string::npos);
        CHECK(assumed("s z^2", "2,3,1 --input-squared-norm s").find(list) == std::string::npos);
        for (char const* format : {"text", "latex", "cpp"}) {
            CAPTURE(format);
            auto const run = run_program(expect("relu z^2", std::string("2,3,1 --format ") + format));
            CHECK(run.out.find(list + "relu") != std::string::npos);
        }
        // An explicit intention is taken at its word.
        CHECK(value("x^2 z^2", "2,3,1 --set x=3") == "9");
        CHECK(value("Z z^2", "2,Z,1 --set Z=3") == "3");
    }

    // With E|y|^2 = 0 the targets are 0, and so are their third moments: (z_m z)(z_m z_n + ..)(z_n z) is left.
    TEST_CASE("targets of second moment 0 are 0 in every moment") {
        std::string const text = "(D[m] loss)(D[m,n] loss)(D[n] loss)";
        std::string const without = "(D[m] (1/2 z[i]^2))(D[m,n] (1/2 z[i]^2))(D[n] (1/2 z[i]^2))";
        std::string const network = "2:3 --network resnet:2";
        check_named(refused(text, network, 2), {"--target-third-moment"});
        CHECK(value(text, network + " --target-second-moment 0") == value(without, network));
        CHECK(value("(y[i]^2)^3 + loss", "2,3,1 --target-second-moment 0") == "1/2");
        CHECK(value("t z^2 + y^2", "2,3,1 --target-second-moment s --set s=0,t=1") == "1");
        auto const check =
            ask(expect(text, network + " --target-second-moment 0 --check 2000"), 60).result("value").at("check");
        CHECK(check.at("verdict") != "disagrees");
    }
}
