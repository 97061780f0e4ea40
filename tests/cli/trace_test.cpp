// SPDX-License-Identifier: MIT
// isserlis trace: words in random matrices, exact beside sampled, and what it refuses.
#include <doctest/doctest.h>

#include <isserlis/ring/parse.hpp>

#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

std::string trace_value(std::string const& expression, std::string const& options) {
    std::vector<std::string> line{"trace", expression};
    for (auto const& word : words(options)) line.push_back(word);
    return ask(line).exact("value");
}

void refuses(std::string const& expression, std::string const& options, std::string const& named, int code = 2) {
    std::vector<std::string> line{"trace", expression};
    for (auto const& word : words(options)) line.push_back(word);
    INFO(shown(line));
    is_refusal(run_program(line), {named}, code);
}

}  // namespace

TEST_SUITE("cli/trace") {
    TEST_CASE("formulas in the shape") {
        CHECK(trace_value("tr((W W^T)^3)", "--shape W=a,b") == "a*b*(a^2 + 3*a*b + b^2 + 3*a + 3*b + 4)");
        CHECK(trace_value("tr(W W^T)^2", "--shape W=a,b") == "a*b*(a*b + 2)");
        CHECK(trace_value("tr((W W^T)^2)", "--shape W=n --variance 1/n") == "2*n + 1");
        CHECK(trace_value("tr((W W^H)^3)", "--shape W=a,b --law complex") == "a*b*(a^2 + 3*a*b + b^2 + 1)");
        CHECK(trace_value("tr(Q)^6", "--shape Q=n --law orthogonal") == "15");
        CHECK(trace_value("tr(Q)^6", "--shape Q=1 --law orthogonal") == "1");
        CHECK(trace_value("tr(A B B^T A^T)", "--shape A=a,b,B=b,c --variance A=1/b,B=1/c") == "a");
        CHECK(trace_value("tr((W W^T)^2)", "--shape W=a,b --kurtosis k") == "a*b*(a + b + k - 2)");
        // every sign matrix has |W|^2 = a b
        CHECK(trace_value("norm2(W)^3", "--shape W=a,b --law rademacher") == "a^3*b^3");
        CHECK(trace_value("t tr(W W^T)", "--shape W=a,b --set t=1/2,a=2") == "b");
    }

    TEST_CASE("fixed matrices beside samples, and formulas beside large numbers") {
        CHECK(trace_value("tr(W W^T D)", "--shape W=3,b --diagonal D=1,2,t") == "b*(t + 3)");
        auto const checked =
            ask({"trace", "tr((W W^T D)^2)", "--shape", "W=3,4", "--diagonal", "D=1,-2,1/2", "--check", "4000"});
        CHECK(checked.result("value", Json::array())["check"]["verdict"] == "agrees");
        refuses("tr(W W^T D)", "--shape W=2,3 --diagonal D=1,2,3", "the matrices do not fit: 2 x 2 times 3 x 3");
        refuses("tr(D)", "--shape W=2 --diagonal W=1,2", "W is given already");
        auto const uniform = ask({"trace", "tr((W W^T D)^2)", "--shape", "W=2", "--diagonal", "D=1,2", "--law",
                                  "uniform", "--check", "4000"});
        CHECK(uniform.result("value", Json::array())["check"]["verdict"] == "agrees");
        for (std::string const expression : {"tr((W W^T)^5)", "Var[tr((W W^T)^3)]", "tr(W^4 W^T W^T W^4 W^T W^T)"}) {
            auto const formula = trace_value(expression, "--shape W=n");
            auto const there =
                isserlis::parse_rational_function(formula, "").evaluate({{"n", isserlis::Rational(1000)}});
            CHECK(trace_value(expression, "--shape W=1000") == isserlis::to_string(there));
        }
    }

    TEST_CASE("single entries, and fixed matrices of files") {
        CHECK(trace_value("(W W^T)[1,2]^2", "--shape W=a,b") == "b");
        CHECK(trace_value("Q[1,1]^4", "--shape Q=n --law orthogonal") == "3/(n*(n + 2))");
        auto const entry = ask({"trace", "Var[(W W^T)[1,2]]", "--shape", "W=n,m"});
        CHECK(entry.text_of("assumptions").find("n >= 2, so that all entries are there") != std::string::npos);
        CHECK(entry.result("value", Json::array())["range"].dump().find("2") != std::string::npos);
        TemporaryDirectory const folder;
        write_file(folder / "s.csv", "# a covariance\n2,1/2,0\r\n0.5,1,-1\n\n0,-1,t\n");
        auto const file = (folder / "s.csv");
        // tr S = 3 + t, tr S^2 = 5 + 2*1/4 + 2 + t^2, docs/random_matrices.md
        CHECK(trace_value("tr((W S W^T)^2)", "--shape W=1,3 --matrix S=" + file) == "3*(t^2 + 2*t + 8)");
        for (std::string const expression : {"tr((W S W^T)^2)", "(W S W^T)[1,2]^2*S[2,2]", "(S W^T)[3,1]^2"}) {
            auto const checked = ask(
                {"trace", expression, "--shape", "W=2,3", "--matrix", "S=" + file, "--set", "t=3", "--check", "4000"});
            CHECK(checked.result("value", Json::array())["check"]["verdict"] == "agrees");
            CHECK(checked.text_of("assumptions").find("S, 3 x 3: fixed, of ") != std::string::npos);
        }
        refuses("W[3,1]^2", "--shape W=2", "there is no entry [3,1] in a matrix of shape 2 x 2");
        refuses("W[1,2]^2", "--shape W=n --set n=1", "there is no entry [1,2]");
        refuses("tr(W S)", "--shape W=2 --matrix S=" + file, "the matrices do not fit");
        refuses("tr(W S)", "--shape S=3 --matrix S=" + file, "S is given already");
        refuses("tr(S)", "--shape W=2 --matrix " + file, "names no matrix and its file");
        refuses("tr(S)", "--shape W=2 --matrix S=" + (folder / "none.csv"), "--matrix");
        write_file(folder / "ragged.csv", "1,2\n3\n");
        refuses("tr(S)", "--shape W=2 --matrix S=" + (folder / "ragged.csv"),
                "line 2 has 1 entries, the first row has 2");
        write_file(folder / "word.csv", "1,2\n3,4x\n");
        refuses("tr(S)", "--shape W=2 --matrix S=" + (folder / "word.csv"), "line 2");
        write_file(folder / "empty.csv", "# nothing\n");
        refuses("tr(S)", "--shape W=2 --matrix S=" + (folder / "empty.csv"), "it has no rows");
        std::string wide = "1";
        for (int i = 0; i < 100; ++i) wide += ",1";
        write_file(folder / "wide.csv", wide + "\n");
        refuses("tr(S)", "--shape W=2 --matrix S=" + (folder / "wide.csv"), "up to 100 rows", 3);
    }

    TEST_CASE("words of degree 10 and 14 in no time") {
        RunOptions const quick{.seconds = 5};
        for (std::string const expression :
             {"tr((W^T W)^2) tr((W W^T)^3)", "tr((W W^T)^7)", "tr((W W^T V V^T)^3) tr(W V^T)^2"}) {
            Run const run = run_program({"trace", expression, "--shape", "W=a,b,V=a,b"}, quick);
            CHECK(run.code == 0);
            CHECK(run.cpu_seconds < patiently(2));
        }
    }

    TEST_CASE("samples agree, whatever the law, with the exact standard error where it is served") {
        auto const agrees = [](std::string const& expression, std::string const& options, std::string const& kind) {
            std::vector<std::string> line{"trace", expression, "--check", "4000"};
            for (auto const& word : words(options)) line.push_back(word);
            auto const answer = ask(line);
            INFO(shown(line), answer.json.dump());
            auto const check = answer.result("value", Json::array())["check"];
            CHECK(check["verdict"] == "agrees");
            CHECK(check["std_error_kind"] == kind);
        };
        agrees("tr((W W^T)^2)", "--shape W=3,4 --variance 1/4", "exact");
        agrees("tr((A B)^2) tr(A^T A)", "--shape A=3,2,B=2,3", "exact");
        agrees("tr((W W^T + 2*I)^2)/3 - t", "--shape W=2,3 --law uniform --set t=5/2", "exact");
        agrees("tr((W W^T)^2)", "--shape W=3 --kurtosis 3/2", "sampled");
        agrees("tr(Q^2)^2", "--shape Q=4 --law orthogonal", "exact");
        agrees("tr(Q A Q^T B)", "--shape Q=3,2,A=2,B=3 --law Q=orthogonal", "exact");
        agrees("tr((W W^H)^2)", "--shape W=3,4 --law complex", "sampled");
        agrees("tr(W) tr(W^H)", "--shape W=3 --law complex", "sampled");
        agrees("Var[norm2(W)]/E[norm2(W)]^2", "--shape W=3,4 --law laplace", "sampled");
        agrees("norm2(W)", "--shape W=3,4 --law rademacher", "exact");
    }

    TEST_CASE("series, leading terms, tables") {
        auto const series =
            ask({"trace", "tr((W W^T)^2)/n", "--shape", "W=n", "--variance", "1/n", "--series", "1/n", "--order", "1"});
        CHECK(series.exact("series_coefficient", {0}) == "2");
        CHECK(series.exact("series_coefficient", {1}) == "1");
        CHECK(ask({"trace", "tr(W)", "--shape", "W=n", "--series", "1/n"}).exact("value") == "0");
        auto const leading = ask({"trace", "tr((W W^T)^3)", "--shape", "W=n"});
        CHECK(leading.exact("leading_term") == "5*n^4");  // Catalan's number
        CHECK(ask({"trace", "tr(W W^T)", "--shape", "W=n", "--table", "n=2..3"}).exact("value", {3}) == "9");
    }

    TEST_CASE("the answer says what it took for granted") {
        auto const answer = ask({"trace", "tr(Q)^4", "--shape", "Q=n,B=2", "--law", "Q=orthogonal"});
        CHECK(answer.text_of("assumptions").find("Q, n x n: orthogonal, Haar measure") != std::string::npos);
        CHECK(answer.text_of("assumptions").find("holds for n >= 2") != std::string::npos);
        CHECK(answer.text_of("warnings").find("B does not occur") != std::string::npos);
        CHECK(answer.json["inputs"]["query"] == "tr(Q)^4");
    }

    TEST_CASE("refusals") {
        refuses("tr(W W^T", "--shape W=2", "character 9");
        refuses("tr(W W^T)", "", "--shape is missing");
        refuses("tr(W V)", "--shape W=2", "character 6: the matrix 'V' has no shape");
        refuses("tr(W W)", "--shape W=2,3", "character 6: the matrices do not fit: 2 x 3 times 2 x 3");
        refuses("tr(W W^T)", "--shape W=0,3", "W has the dimension 0");
        refuses("tr(W W^T)", "--shape W=3/2", "W has the dimension 3/2");
        refuses("tr(W W^T)", "--shape W=2,3,4", "W has 3 dimensions");
        refuses("tr(W W^T)", "--shape w=2", "'w' is no name of a matrix");
        refuses("tr(W W^T)", "--shape I=2", "'I' is no name of a matrix");
        refuses("tr(W W^T)", "--shape 2,3", "names no matrix");
        refuses("tr(W W^T)", "--shape W=2 --law cauchy", "'cauchy' is not known");
        refuses("tr(W W^T)", "--shape W=2 --law V=complex", "the matrix 'V' has no shape");
        refuses("tr(W W^T)", "--shape W=2 --variance 0", "a positive number is required");
        refuses("tr(W W^T)", "--shape W=2 --variance 2 --law orthogonal", "W is orthogonal");
        refuses("tr(W W^T)", "--shape W=2 --kurtosis 1/2", "no law has a kurtosis below 1");
        refuses("tr(W W^T)", "--shape W=2 --kurtosis 2 --law uniform", "give one of the two");
        refuses("tr(W W^T)", "--shape W=2 --set t=1", "no symbol 't'");
        refuses("tr(W W^T)", "--shape W=2 --layer 1", "--layer");
        refuses("tr(W W^T)", "--shape W=2 --order 1", "--order means nothing");
        refuses("tr(W W^T)", "--shape W=n --series 1/m", "no shape, variance or parameter");
        refuses("E[tr(W W^T)]/E[tr(W)]", "--shape W=2", "division by 0");
        refuses("tr((W W^T)^3)", "--shape W=2 --kurtosis 2", "6 letters W", 3);
        refuses("tr(Q Q^T)", "--shape Q=a,b --law orthogonal", "which of a and b is larger", 3);
        refuses("tr(Q)^12", "--shape Q=n --law orthogonal", "12 letters", 3);
        refuses("tr((W W^T)^60)", "--shape W=2", "120 letters", 3);
        refuses("tr((W W^T)^8)", "--shape W=9 --law uniform", "cut into blocks", 3);
        refuses("tr(W W^T)", "--shape W=100000 --check 1000", "not even 2 fit a minute, and --yes runs all of them", 3);
    }

    TEST_CASE("the first row of a matrix file is a row, and where it looks like a header a note says so") {
        Files const file;
        auto const note_of = [&](std::string const& content) {
            std::string const path = file("s.csv", content);
            return ask(words("trace tr(W*S*S^T*W^T) --shape W=2,3 --matrix S=" + path)).text_of("warnings");
        };
        std::string const named = note_of("x,y\n1,2\n2,1\n");
        CHECK(named.find("--matrix: the first row of ") != std::string::npos);
        CHECK(named.find("the symbols x, .., is a row of S: these files have no header") != std::string::npos);
        for (std::string const matrix : {"3,4\n1,2\n2,1\n", "x,1\n1,2\n2,1\n", "x,y\ny,2\n2,1\n"})
            CHECK(note_of(matrix).find("header") == std::string::npos);
    }

    TEST_CASE("a dimension in symbols is a whole number from 1 in its range") {
        auto const line_of = [](std::string const& shape, std::string const& begin) {
            Run const run = run_program({"trace", "tr(W W^T)", "--shape", "W=" + shape});
            auto const at = run.out.find(begin);
            return at == std::string::npos ? std::string() : run.out.substr(at, run.out.find('\n', at) - at);
        };
        CHECK(line_of("n,n-3", "range: ") == "range: whole n >= 4");
        CHECK(line_of("n/2,3", "range: ") == "range: whole n >= 2");
        CHECK(line_of("n/2,3", "assumes: ").find("n/2 is a whole number") != std::string::npos);
        CHECK(line_of("n-m,n", "range: ") == "range: whole m >= 1, n >= 1; n - m - 1 >= 0");
        refuses("tr(W W^T)", "--shape W=-n,2", "below 1 for all values");
        refuses("tr(W W^T)", "--shape W=n,n-3 --set n=3", "has the dimension 0");
    }
}
