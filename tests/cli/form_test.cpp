// SPDX-License-Identifier: MIT
// The program beside the exact values of hettinger.json, and what it refuses.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "json_answer.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

constexpr char const* lemma = R"("x": [1, 2], "y": [-1, 3], "z": [2, 1], "w": [1, -2], "v": [3, 1],
                                 "P": [[2, 1], [1, -3]])";

class FormFile {
public:
    explicit FormFile(std::string const& content) { write_file(path(), content); }
    [[nodiscard]] std::string path() const { return directory_ / "form.json"; }
    [[nodiscard]] JsonAnswer ask(std::string const& line) const {
        return isserlis::test::ask(words("form " + line + " --with " + path()));
    }
    void refuses(std::string const& line, std::string const& named, int code = 2) const {
        isserlis::test::refuses("form " + line + " --with " + path(), named, code);
    }

private:
    TemporaryDirectory directory_;
};

FormFile at(std::string const& indices) { return FormFile("{" + indices + std::string(", ") + lemma + "}"); }

}  // namespace

TEST_SUITE("cli/form") {
    // hettinger.json: A9-i2, A14-2x3x4x2x2-i2j3, A14gen-k9/5-i1j1, A12-i1-j3.
    TEST_CASE("the vectors by name") {
        auto const nine = at(R"("i": 2)").ask("A.9 2,3,2,2");
        CHECK(nine.names() == std::set<std::string>{"value"});
        CHECK(nine.json["inputs"]["form"] == "A.9");
        CHECK(nine.json["inputs"]["widths"] == "2,3,2,2");
        CHECK(nine.indices("value") == std::vector<Json>{Json::array()});
        CHECK(nine.exact("value") == "30");
        CHECK(nine.text_of("warnings").find("does not depend on z, P") != std::string::npos);
        CHECK(at(R"("i": 2, "j": 3)").ask("A.14 2,3,4,2,2").exact("value") == "163200");
        CHECK(at(R"("i": "1", "j": 1)").ask("A.14 2,2,3,2 --kurtosis 9/5").exact("value") == "21648/5");
        CHECK(FormFile(R"({"i": 1, "j": 3})").ask("A.12 2,3,2,2,2").exact("value") == "48");
    }
    // A11-i3, A11gen-k9/5-2x3x2, A13-2x2: WIDTHS of B alone, or of the whole product.
    TEST_CASE("given matrices, called C or D") {
        FormFile const c(R"({"C": [[2, 1], [1, 5]], "x": [1, 2], "y": [-1, 3], "z": [2, 1]})");
        CHECK(c.ask("A.11 2,3,2").exact("value") == "6510");
        CHECK(c.ask("A.11 2,3,2 --kurtosis 1.8").exact("value") == "23352/5");
        CHECK(FormFile(R"({"i": 3, "D": [[2, 1], [1, 5]], "x": [1, 2], "y": [-1, 3], "z": [2, 1]})")
                  .ask("A.11 2,3,2,9,9")
                  .exact("value") == "6510");
        FormFile const d(R"({"D": [[2, 1], [1, 5]], "w": [1, -2], "v": [3, 1], "P": [[2, 1], [1, -3]]})");
        CHECK(d.ask("A.13 2,2").exact("value") == "140");
        CHECK(FormFile(R"({"j": 2, "D": [[2, 1], [1, 5]], "w": [1, -2], "v": [3, 1], "P": [[2, 1], [1, -3]]})")
                  .ask("A.13 7,9,2,2")
                  .exact("value") == "140");
    }
    // u_i = sqrt(d_(i-1) d_i/(d_0 d_n)) = 1 for square layers: x.y w.v = 5.
    TEST_CASE("scaled forms take the proportional scheme, another one, or variances") {
        CHECK(at(R"("i": 2)").ask("A.10 2,2,2").exact("value") == "5");
        CHECK(at(R"("i": 1)").ask("A.10 2,8,2").exact("value") == "10");
        CHECK(at(R"("i": 1)").ask("A.10 2,8,2 --variance 1").exact("value") == "40");
        CHECK(at(R"("i": 1, "j": 2)").ask("A.15 2,3,2 --variance 1").exact("value") ==
              at(R"("i": 1, "j": 2)").ask("A.14 2,3,2").exact("value"));
    }
    TEST_CASE("decimals are exact, symbols may stand in the file and in WIDTHS") {
        FormFile const decimals(R"({"i": 1, "x": [0.1, 12345678901234567890.1], "y": ["1/3", 0], "w": ["a", 0],
                                    "v": [1, 1]})");
        CHECK(decimals.ask("A.9 2,n,2").exact("value") == "a*n/30");
        CHECK(decimals.ask("A.9 2,n,2 --set n=30 --set a=2").exact("value") == "2");
    }
    TEST_CASE("sampled networks agree, where there is an observable") {
        auto const sampled = at(R"("i": 1, "j": 2)").ask("A.14 2,3,2 --check 20000 --law uniform");
        CHECK(sampled.result("value")["check"]["verdict"] == "agrees");
        FormFile const given(R"({"D": [[2, 1], [1, 5]], "x": [1, 2], "y": [-1, 3], "z": [2, 1]})");
        CHECK(given.ask("A.11 2,3,2 --check 20000").result("value")["check"]["verdict"] == "agrees");
        auto const norms = FormFile(R"({"i": 1, "j": 2})").ask("A.12 2,3,2 --check 100");
        CHECK(norms.result("value")["check"].is_null());
        CHECK(norms.result("value").contains("unchecked"));
    }
    TEST_CASE("ranges, files and names that do not fit are refused") {
        auto const whole = at(R"("i": 1, "j": 2, "D": [[1, 0], [0, 1]])");
        whole.refuses("A.11 2,2,2", "i >= 2");
        whole.refuses("A.13 2,2,2", "j <= n - 1");
        whole.refuses("A.14 2,2", "j = 2");
        whole.refuses("A.14 3,2,2", "x has 2 entries");
        whole.refuses("A.14 2,2,3", "w has 2 entries");
        whole.refuses("A.16 2,2,2", "NAME");
        whole.refuses("A.14", "WIDTHS");
        whole.refuses("A.14 2,2,2 --variance 2", "unit variance");
        whole.refuses("A.14 2,n:L,2", "depth in numbers", 3);
        whole.refuses("A.14 2,2,2 --layer 1", "--layer");
        FormFile(R"({"i": 1, "x": [1, 2]})").refuses("A.9 2,2,2", "needs y, w, v");
        FormFile(R"({"i": 1.5, "x": [1, 2], "y": [1, 2], "w": [1], "v": [1]})").refuses("A.9 2,1", "1.5");
        FormFile(R"({"x": [1e3]})").refuses("A.9 2,1", "exponent");
        FormFile(R"({"x": [null]})").refuses("A.9 2,1", "entry 1");
        FormFile(R"({"x": [1], "x": [2]})").refuses("A.9 2,1", "twice");
        FormFile(R"({"q": [1]})").refuses("A.9 2,1", "unknown key");
        FormFile(R"({"P": [[1, 2]]})").refuses("A.9 2,1", "not square");
        FormFile(R"({"P": [[1, 2], [3, 4]], "i": 1, "j": 1, "x": [1], "y": [1], "z": [1], "w": [1, 2], "v": [1, 2]})")
            .refuses("A.14 1,2", "not symmetric");
        FormFile("[1, 2").refuses("A.9 2,1", "not JSON");
        FormFile(std::string(1000, '[')).refuses("A.9 2,1", "nested");
        CHECK(run_program(words("form A.9 2,1")).code == 2);
        CHECK(run_program(words("form A.9 2,1 --with /nowhere/form.json")).code == 2);
    }
}
