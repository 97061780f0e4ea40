// SPDX-License-Identifier: MIT
// Ctrl-C ends the program whatever it does, and files and messages stay whole.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "json_answer.hpp"

using namespace isserlis::test;

namespace {

/// Nothing below 0x20 but line ends, no DEL, none of U+0080 .. U+009F.
bool is_legible(std::string const& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const byte = static_cast<unsigned char>(text[i]);
        auto const next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
        if ((byte < 0x20 && byte != '\n') || byte == 0x7f || (byte == 0xc2 && next >= 0x80 && next < 0xa0))
            return false;
    }
    return true;
}

}  // namespace

TEST_SUITE("cli/interrupt") {
    // Sampling, exact work before, between and after it, and exact work alone. All take seconds.
    TEST_CASE("Ctrl-C at any moment: exit code 130 at once, nothing on standard output, no file") {
        int interrupted = 0;
        for (std::string const line : {"hessian 4,8,8,8,2 --check 20000", "norm 2,10:40,1 --order 12 --check 3000000",
                                       "moments 2,10:40000,1 --format csv --threads 1 --check 2", "norm 2,n:200,1"}) {
            for (double const seconds : {0.03, 0.1, 0.25, 0.4}) {
                TemporaryDirectory const folder;
                auto arguments = words(line + " --output " + (folder / "out"));
                Run const run = run_program(arguments, {.seconds = 3, .interrupt_after = seconds});
                INFO(shown(arguments), " after ", seconds, " s: ", run.err);
                CHECK_FALSE(run.timed_out);
                if (run.code == 0 || run.code == 2 || run.code == 3) continue;  // it was done before
                CHECK(run.code == 130);
                ++interrupted;
                CHECK(run.signal == 0);
                CHECK(run.out.empty());
                CHECK(run.err == "isserlis: interrupted before the work was done\n");
                CHECK(folder.size() == 0);
            }
        }
        CHECK(interrupted >= 8);
    }

    TEST_CASE("in JSON mode the interrupt is an error object") {
        Run const run = run_program(words("hessian 4,8,8,8,2 --check 200000 --format json"),
                                    {.seconds = 3, .interrupt_after = 0.3});
        REQUIRE(run.code == 130);
        CHECK(Json::parse(run.err)["error"]["kind"] == "interrupted");
    }

    TEST_CASE("where the parent ignores interrupts they are ignored") {
        Run const run = run_program(words("norm 2,10:3,1 --check 300000"),
                                    {.seconds = 30, .interrupt_after = 0.1, .ignores_interrupts = true});
        CHECK(run.code == 0);
        CHECK(run.out.find("squared_norm_mean") != std::string::npos);
    }

    TEST_CASE("what files have in them reaches no terminal as control characters") {
        TemporaryDirectory const folder;
        std::string const escape = "\\u001b[31mred\\u009b";
        write_file(folder / "net.json", R"({"nodes": [{"name": "x", "width": 2}, {"name": ")" + escape +
                                            R"(", "width": 1}], "edges": [{"from": "x", "to": ")" + escape + R"("}]})");
        write_file(folder / "twice.json", R"({"nodes": [{"name": "x", "width": 2}, {"name": ")" + escape +
                                              R"(", "width": -1}], "edges": []})");
        write_file(folder / "not.json", "{\"nodes\": \xff\xfe\x1b[31m}");
        write_file(folder / "data.csv", "x1,\x1b[31m\x07,y1\n1,2,3\n");
        write_file(folder / "returns.csv", "x1,y1\r1,2\r");
        for (std::string const line :
             {"expect z^2 --network net.json", "jacobian 2,1 --network net.json", "expect z^2 --network twice.json",
              "expect z^2 --network not.json", "loss-curve 2,3,1 --gradient fixed --data data.csv",
              "loss-curve 2,3,1 --gradient fixed --data returns.csv", "norm 2,3,1 --input data.csv",
              "coord-check 2,3,1 --measured data.csv", "loss-curve --weights not.json --data cos --gradient fixed",
              "expect z^2 2,3,1 --with not.json", "form A.9 2,3 --with not.json"}) {
            for (std::string const format : {"text", "json"}) {
                Run const run = run_program(words(line + " --format " + format), {.directory = folder.path().string()});
                INFO(line, " ", run.err);
                CHECK((run.code == 2 || run.code == 3));
                CHECK(run.out.empty());
                CHECK(is_legible(run.err));
                CHECK_NOTHROW((void)Json(run.err).dump());  // UTF-8
            }
        }
    }

    TEST_CASE("names of files have letters beyond ASCII in every option that takes a file") {
        TemporaryDirectory const folder;
        std::string const cwd = folder.path().string();
        write_file(folder / "größe.csv", "x1,y1\n1,2\n2,3\n");
        write_file(
            folder / "netz_ö.json",
            R"({"nodes": [{"name": "x", "width": 2}, {"name": "z", "width": 1}], "edges": [{"from": "x", "to": "z"}]})");
        write_file(folder / "poids_é.json", R"({"activation": "linear", "layers": [{"weights": [[1, 2]]}]})");
        write_file(folder / "messung_ü.csv", "layer,width,value,statistic,std_error\n1,3,1,rms,1\n");
        write_file(folder / "formel_ß.json", R"({"i": 1, "x": [1, 2], "y": [-1, 3], "w": [1, -2], "v": [3, 1]})");
        write_file(folder / "konstanten_ä.json", R"({"inputs": {"a": [1, 2]}})");
        for (std::string const line :
             {"loss-curve 2,3,1 --data größe.csv --gradient fixed --activation linear",
              "expect z^2 --network netz_ö.json", "loss-curve --weights poids_é.json --data größe.csv --gradient fixed",
              "coord-check 2,3,1 --measured messung_ü.csv", "form A.9 2,3,2 --with formel_ß.json",
              "expect z@a^2 2,3,1 --with konstanten_ä.json", "norm 1,3,1 --input größe.csv --output été.txt",
              "hessian 2,3,1 --emit-test cpp --output test_ñ.cpp",
              "mup --depths 1..2 --widths 4 --plot courbe_é.svg"}) {
            Run const run = run_program(words(line), {.directory = cwd});
            INFO(line, " ", run.err);
            CHECK(run.err.find("beyond ASCII") == std::string::npos);
            CHECK(run.code != 1);
            bool const served = line.find("--input") == std::string::npos && line.find("--plot") == std::string::npos;
            if (served) CHECK(run.code == 0);
        }
        // Elsewhere they are refused, and control characters everywhere.
        CHECK(run_program({"norm", "2,3,é"}).err.find("beyond ASCII") != std::string::npos);
        CHECK(run_program({"norm", "2,3,1", "--output", "a\xc2\x9b"}).err.find("control character") !=
              std::string::npos);
    }

    TEST_CASE("coord-check --widths keeps its name in JSON, beside the network") {
        auto const inputs = ask("coord-check n,n,1 --widths 4,8").json["inputs"];
        CHECK(inputs["widths"] == "4,8");
        CHECK(inputs["WIDTHS"] == "n,n,1");
        CHECK(ask("mup --depths 1..2 --widths 4,8").json["inputs"]["widths"] == "4,8");
    }
}
