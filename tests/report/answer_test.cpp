// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/report/answer.hpp>
#include <isserlis/report/quantities.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/parse.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

using isserlis::Answer;
using isserlis::Check;
using isserlis::Format;
using isserlis::Integer;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::Value;
using Json = nlohmann::json;

namespace {

/// An answer with one of each kind of value, and texts that every format has to escape.
Answer sample(Format format, bool checking = false) {
    Answer answer("norm", {.format = format, .checking = checking});
    answer.set_title("isserlis norm 2,3,1");
    answer.add_input("widths", "2,3,1");
    answer.add_input("note", "a \"quoted\", b\\c\n%$&#_{}~^ \xc3\xb1");
    answer.assume("50% of units & more: x_1^2 {braces} ~ \"quotes\" \\ back");
    answer.assume("50% of units & more: x_1^2 {braces} ~ \"quotes\" \\ back");
    answer.warn("a, \"warning\"");
    answer.warn("a, \"warning\"");
    Check const check{
        .mean = 1.5, .std_error = 0.25, .z = -1, .samples = 10, .verdict = Check::Verdict::agrees, .power = 0.375};
    answer.add("squared_norm_mean", {"1"}, Value(Surd(Rational(1) / 2)),
               checking ? std::optional(check) : std::nullopt);
    answer.add("squared_norm_moment", {"12", "2"}, Value(RationalFunction::symbol("n")), {}, "a reason, with a comma");
    answer.add("log_squared_norm_mean", {"L + 1"},
               Value::certified([](unsigned bits) { return isserlis::pi(bits); }, "pi, as \"form\""), {}, "none");
    answer.add("output_variance_printed", {}, Value::absent("absent_{x}"), {}, "none");
    return answer;
}

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> out(1);
    for (char const c : text) {
        if (c == '\n') {
            out.emplace_back();
        } else {
            out.back() += c;
        }
    }
    CHECK(out.back().empty());
    out.pop_back();
    return out;
}

/// RFC 4180, one record per line here.
std::vector<std::string> csv_fields(std::string const& line) {
    std::vector<std::string> out(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"') {
            out.back() += '"';
            ++i;
        } else if (line[i] == '"') {
            quoted = !quoted;
        } else if (line[i] == ',' && !quoted) {
            out.emplace_back();
        } else {
            out.back() += line[i];
        }
    }
    CHECK_FALSE(quoted);
    return out;
}

}  // namespace

TEST_SUITE("report/answer") {
    TEST_CASE("assumptions and warnings are said once, in the order in which they came") {
        Answer answer("norm", {});
        answer.assume("b");
        answer.assume("a");
        answer.assume("b");
        answer.warn("w");
        answer.warn("w");
        CHECK(answer.assumptions() == std::vector<std::string>{"b", "a"});
        CHECK(answer.warnings() == std::vector<std::string>{"w"});
    }

    TEST_CASE("index prefixes go before every index that follows") {
        Answer answer("norm", {});
        answer.add("x", {"1"}, Value(Surd(1)));
        answer.set_index_prefix({"7"});
        answer.add("x", {"1"}, Value(Surd(1)));
        answer.add("x", {}, Value(Surd(1)));
        CHECK(answer.results()[0].index == std::vector<std::string>{"1"});
        CHECK(answer.results()[1].index == std::vector<std::string>{"7", "1"});
        CHECK(answer.results()[2].index == std::vector<std::string>{"7"});
    }

    TEST_CASE("an answer past the limit is refused with an estimate that grows with what was announced") {
        Value const large{Surd(isserlis::power(Integer(10), 999'999))};  // a million digits
        auto const megabytes = [&](std::size_t announced) {
            Answer answer("norm", {});
            answer.expect(announced);
            try {
                for (int i = 0; i < 1000; ++i) answer.add("x", {std::to_string(i)}, large);
            } catch (isserlis::UnsupportedError const& e) {
                CHECK(answer.results().size() <= 11);
                CHECK(e.argument() == "layer");
                std::smatch found;
                std::string const message = e.what();
                REQUIRE(std::regex_search(message, found, std::regex("([0-9]+) MB")));
                return std::stol(found[1]);
            }
            return -1L;
        };
        long const few = megabytes(20);
        CHECK(few >= 19);
        CHECK(few <= 23);
        long const many = megabytes(2000);
        CHECK(many >= 1900);
        CHECK(many <= 2300);
        CHECK(megabytes(0) >= 10);
    }

    TEST_CASE("a table cuts numbers of more than 500 characters and says so; formulas and files have all of them") {
        Value const long_number{Surd(isserlis::power(Integer(10), 600))};
        auto const text_of = [](Value const& value, Answer::Options options) {
            Answer answer("norm", options);
            answer.add("x", {}, value);
            return to_text(answer);
        };
        std::string const whole = "1" + std::string(600, '0');
        std::string const cut = "1" + std::string(19, '0') + "..." + std::string(20, '0') + " (601 characters: ";
        CHECK(text_of(long_number, {}).find(cut) != std::string::npos);
        CHECK(text_of(long_number, {}).find(whole) == std::string::npos);
        CHECK(text_of(long_number, {.unlimited = true}).find(whole) != std::string::npos);
        Value const hundreds{Surd(isserlis::power(Integer(10), 499))};
        CHECK(text_of(hundreds, {}).find("1" + std::string(499, '0') + "\n") != std::string::npos);
        Value const formula{isserlis::parse_rational_function("n^2+" + whole, "x")};
        CHECK(text_of(formula, {}).find(whole) != std::string::npos);
    }

    TEST_CASE("a small answer is not refused, and an unlimited one never") {
        Value const large{Surd(isserlis::power(Integer(10), 999'999))};
        Answer small("norm", {});
        small.expect(1000);
        for (int i = 0; i < 9; ++i) CHECK_NOTHROW(small.add("x", {std::to_string(i)}, large));
        Answer unlimited("norm", {.unlimited = true});
        for (int i = 0; i < 15; ++i) CHECK_NOTHROW(unlimited.add("x", {std::to_string(i)}, large));
        CHECK(to_csv(unlimited).size() > 15'000'000);
    }

    TEST_CASE("any disagreement is seen, agreement and doubt are none") {
        Answer answer("norm", {.checking = true});
        CHECK_FALSE(answer.any_disagreement());
        answer.add("x", {}, Value(Surd(1)), Check{.verdict = Check::Verdict::agrees});
        answer.add("x", {}, Value(Surd(1)), Check{.verdict = Check::Verdict::inconclusive});
        CHECK_FALSE(answer.any_disagreement());
        answer.add_bound("x", {}, Value(Surd(1)), false);  // of an exact value: nothing was sampled
        CHECK_FALSE(answer.any_disagreement());
        CHECK(to_json(answer).find("\"bound\": \"fails\"") != std::string::npos);
        answer.add("x", {}, Value(Surd(1)), Check{.verdict = Check::Verdict::disagrees});
        CHECK(answer.any_disagreement());
    }

    TEST_CASE("digits are those asked for") {
        Answer answer("norm", {.digits = 3});
        answer.add("x", {}, Value(Surd(Rational(1) / 3)));
        CHECK(answer.results()[0].decimal == "0.333");
    }
}

TEST_SUITE("report/formats") {
    TEST_CASE("JSON escapes what it must and gives back every text unchanged") {
        auto const json = Json::parse(to_json(sample(Format::json)));
        CHECK(json["inputs"]["note"] == "a \"quoted\", b\\c\n%$&#_{}~^ \xc3\xb1");
        CHECK(json["assumptions"].size() == 1);
        CHECK(json["assumptions"][0] == "50% of units & more: x_1^2 {braces} ~ \"quotes\" \\ back");
        CHECK(json["warnings"] == Json{"a, \"warning\""});
        CHECK(json["results"][0]["index"] == Json{1});
        CHECK(json["results"][1]["index"] == Json{12, 2});
        CHECK(json["results"][2]["index"] == Json{"L + 1"});
        CHECK(json["results"][2]["exact"].is_null());
        CHECK(json["results"][2]["form"] == "pi, as \"form\"");
        CHECK(json["results"][3]["index"] == Json::array());
        CHECK(json["results"][3]["decimal"].is_null());
        CHECK_FALSE(json["results"][0].contains("check"));
    }

    TEST_CASE("JSON never fails on bytes that are no UTF-8") {
        Answer answer("norm", {.format = Format::json});
        answer.add_input("output", "\xff\xc0\x80");
        std::string text;
        CHECK_NOTHROW(text = to_json(answer));
        CHECK(Json::accept(text));
        CHECK(Json::accept(isserlis::error_to_json("parse", "\xff \x1b \"", "\xc0")));
    }

    TEST_CASE("JSON checks: keys, and null for numbers that are not finite") {
        auto const json = Json::parse(to_json(sample(Format::json, true)));
        CHECK(json["results"][0]["check"]["mean"] == 1.5);
        CHECK(json["results"][0]["check"]["std_error"] == 0.25);
        CHECK(json["results"][0]["check"]["z"] == -1.0);
        CHECK(json["results"][0]["check"]["samples"] == 10);
        CHECK(json["results"][0]["check"]["std_error_kind"] == "sampled");
        CHECK(json["results"][0]["check"]["verdict"] == "agrees");
        CHECK(json["results"][0]["check"]["power"] == 0.375);
        CHECK(json["results"][1]["check"].is_null());
        CHECK(json["results"][1]["unchecked"] == "a reason, with a comma");
        Answer answer("norm", {.format = Format::json, .checking = true});
        answer.add("x", {}, Value(Surd(1)),
                   Check{.mean = INFINITY, .std_error = NAN, .z = -INFINITY, .verdict = Check::Verdict::disagrees});
        auto const odd = Json::parse(to_json(answer))["results"][0]["check"];
        CHECK(odd["mean"].is_null());
        CHECK(odd["std_error"].is_null());
        CHECK(odd["z"].is_null());
        CHECK_FALSE(odd.contains("power"));
    }

    TEST_CASE("an index too long for a number stays text") {
        Answer answer("norm", {.format = Format::json});
        answer.add("x", {"99999999999999999999999"}, Value(Surd(1)));
        CHECK(Json::parse(to_json(answer))["results"][0]["index"][0] == "99999999999999999999999");
    }

    TEST_CASE("the error object has kind, message and argument, in one line") {
        std::string const text = isserlis::error_to_json("parse", "a \"b\"\n", "--set");
        CHECK(text.back() == '\n');
        CHECK(std::count(text.begin(), text.end(), '\n') == 1);
        CHECK(Json::parse(text) ==
              Json{{"error", {{"kind", "parse"}, {"message", "a \"b\"\n"}, {"argument", "--set"}}}});
    }

    TEST_CASE("CSV quotes commas and quotes, and has equal numbers of fields") {
        for (bool const checking : {false, true}) {
            Answer answer = sample(Format::csv, checking);
            answer.add("x", {"a,b", "c\"d"}, Value(Surd(1)));
            auto rows = lines_of(to_csv(answer));
            // Sentences first, as comments.
            while (rows.front().starts_with("# ")) rows.erase(rows.begin());
            REQUIRE(rows.size() == 6);
            auto const header = csv_fields(rows[0]);
            CHECK(header[0] == "name");
            CHECK(header.size() == (checking ? 13 : 6));
            CHECK(header.back() == "form");  // some value lies outside the exact rings
            for (auto const& row : rows) CHECK(csv_fields(row).size() == header.size());
            CHECK(csv_fields(rows[5])[1] == "a,b c\"d");
            CHECK(csv_fields(rows[1])[2] == "1/2");
            if (checking) CHECK(csv_fields(rows[1])[9] == "agrees");
        }
    }

    TEST_CASE("what is no number is an empty field of CSV") {
        Answer answer("norm", {.format = Format::csv, .checking = true});
        answer.add("x", {}, Value(Surd(1)), isserlis::compare(1, 0, 0, Check::ErrorKind::sampled, 2));
        std::string const row = lines_of(to_csv(answer)).back();
        CHECK(row == "x,,1,1,0,0,sampled,,2,inconclusive,0");
    }

    TEST_CASE("sampled and certified digits are told from exact values in every format") {
        for (Format const format : {Format::csv, Format::latex, Format::cpp, Format::text, Format::json}) {
            Answer answer("loss-curve", {.format = format});
            answer.add("slope", {"1"}, Value::approximate(-1.25, 3, "sampled: 9 networks"));
            CHECK(render(answer).find("-1.25") != std::string::npos);
            CHECK(render(answer).find("sampled: 9 networks") != std::string::npos);
        }
        Answer plain("loss-curve", {.format = Format::csv});
        plain.add("slope", {"1"}, Value(Surd(1)));
        CHECK(to_csv(plain) == "# isserlis loss-curve\nname,index,exact,decimal\nslope,1,1,1\n");
        Answer latex("budget", {.format = Format::latex});
        latex.add("width", {"resnet:2"}, Value(Surd(1)));
        CHECK(to_latex(latex).find("_{\\text{resnet:2}} &= 1") != std::string::npos);
    }

    // By hand: 52371/5242880 = 0.00998897552490234375, whose 18th digit is the 5.
    TEST_CASE("a rounding tie as a function of C++ goes to the even digit") {
        Answer answer("coord-check", {.format = Format::cpp});
        answer.add("change_covariance", {"3", "64"}, Value(Surd(-52371) / Surd(5242880)));
        CHECK(to_cpp(answer).find("return -0.0099889755249023438;") != std::string::npos);
    }

    TEST_CASE("text says with which power the checks see an error: how many surely, and which one least") {
        auto const said = [](std::vector<std::optional<double>> const& powers) {
            Answer answer("norm", {.checking = true});
            int k = 0;
            for (auto const& power : powers) {
                Check const check{.verdict = Check::Verdict::agrees, .power = power};
                answer.add("x", {std::to_string(++k)}, Value(Surd(1)), check);
            }
            auto const lines = lines_of(to_text(answer));
            auto const at =
                std::find_if(lines.begin(), lines.end(), [](auto const& row) { return row.rfind("power: ", 0) == 0; });
            return at == lines.end() ? "" : at->substr(std::string("power: an error of 10 % would be seen ").size());
        };
        CHECK(said({}).empty());
        CHECK(said({std::nullopt}).empty());
        CHECK(said({0.629}) == "with probability 0.62");
        CHECK(said({1}) == "with probability >0.99");
        CHECK(said({0.9999}) == "with probability >0.99");
        CHECK(said({1e-6}) == "with probability <0.01");
        // A check of a value that is neither a bound nor 0 has no power where it never disagrees.
        CHECK(said({1, std::nullopt, 0.995}) == "with probability 0.99 or more in all 2 checks that can disagree");
        CHECK(said({1, 0.25, 0.5}) == "with probability 0.99 or more in 1 of 3 checks, least 0.25 (x 2)");
        CHECK(said({0.5, 0}) == "with probability below 0.99 in all 2 checks, least <0.01 (x 2)");
    }

    TEST_CASE("text: columns are aligned, what is absent says why, notes come last") {
        auto const text = to_text(sample(Format::text, true));
        auto const rows = lines_of(text);
        CHECK(rows[0] == "isserlis norm 2,3,1");
        CHECK(rows[1].rfind("assumes: 50%", 0) == 0);
        CHECK(rows.back() == "note: a, \"warning\"");
        auto const header =
            std::find_if(rows.begin(), rows.end(), [](auto const& row) { return row.rfind("quantity", 0) == 0; });
        REQUIRE(header != rows.end());
        for (std::string const column :
             {"quantity", "index", "decimal", "sampled", "std error", "z", "verdict", "exact"})
            CHECK(header->find(column) != std::string::npos);
        std::size_t const exact = header->find("exact");
        std::size_t const index = header->find("index");
        for (auto row = header + 1; !row->empty(); ++row) {
            CHECK((*row)[exact - 1] == ' ');
            CHECK((*row)[exact] != ' ');
            CHECK((*row)[index - 1] == ' ');
        }
        CHECK(text.find("absent_{x}") != std::string::npos);
        CHECK(text.find("a reason, with a comma") != std::string::npos);
    }

    TEST_CASE("text: equal names stand together") {
        Answer answer("norm", {});
        for (std::string const l : {"1", "2"}) {
            answer.add("a", {l}, Value(Surd(1)));
            answer.add("b", {l}, Value(Surd(1)));
        }
        std::string names;
        for (auto const& row : lines_of(to_text(answer))) {
            if (row.rfind("a ", 0) == 0 || row.rfind("b ", 0) == 0) names += row[0];
        }
        CHECK(names == "aabb");
    }

    TEST_CASE("LaTeX is balanced and escapes text; comments stay on their lines") {
        std::string const text = to_latex(sample(Format::latex));
        int depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '%' && (i == 0 || text[i - 1] != '\\')) {
                while (i < text.size() && text[i] != '\n') ++i;
                continue;
            }
            bool const escaped = i > 0 && text[i - 1] == '\\';
            if (text[i] == '{' && !escaped) ++depth;
            if (text[i] == '}' && !escaped) --depth;
            REQUIRE(depth >= 0);
        }
        CHECK(depth == 0);
        CHECK(text.find("\n\\mathbb{E}\\,q_{1} &= \\frac{1}{2}") != std::string::npos);
        CHECK(text.find("% \\mathbb{E}\\,q_{l}: squared_norm_mean, E q_l, q_l = |h^l|^2") != std::string::npos);
        CHECK(text.find("\n\\text{squared\\_norm\\_moment}_{12,2} &= n") != std::string::npos);
        CHECK(text.find("_{12,2}") != std::string::npos);
        CHECK(text.find("\n% output_variance_printed: absent_{x}\n") != std::string::npos);  // no formula
        CHECK(text.find("\\begin{align*}") != std::string::npos);
        CHECK(text.find("\\end{align*}") != std::string::npos);
        for (auto const& row : lines_of(text)) CHECK((row[0] == '%' || row.find("assumes") == std::string::npos));
    }

    TEST_CASE("LaTeX without results is empty of equations, not broken") {
        std::string const text = to_latex(Answer("norm", {.format = Format::latex}));
        CHECK(text.find("&=") == std::string::npos);
    }

    TEST_CASE("sentences of several lines stay comments, and no comment of C++ joins the next line") {
        for (auto const& [format, mark] : {std::pair(Format::latex, "% "), {Format::csv, "# "}, {Format::cpp, "// "}}) {
            Answer answer("norm", {.format = format});
            answer.set_title("isserlis norm 'a b'");
            answer.assume("a\\");
            answer.warn("b");
            answer.explain("c\n  d");
            std::string const text = render(answer);
            for (std::string const line : {"isserlis norm 'a b'", "assumes: a\\.", "note: b", "c", "  d"})
                CHECK(("\n" + text).find("\n" + (mark + line) + "\n") != std::string::npos);
            CHECK(text.starts_with(mark + std::string("isserlis norm 'a b'\n")));
        }
    }

    TEST_CASE("render picks the format") {
        CHECK(render(sample(Format::json)) == to_json(sample(Format::json)));
        CHECK(render(sample(Format::csv)) == to_csv(sample(Format::csv)));
        CHECK(render(sample(Format::text)) == to_text(sample(Format::text)));
        CHECK(render(sample(Format::latex)) == to_latex(sample(Format::latex)));
    }
}

TEST_SUITE("report/quantities") {
    TEST_CASE("names are snake_case and single, entries complete, lookup finds each and nothing else") {
        std::set<std::string> names;
        for (auto const& q : isserlis::quantities()) {
            std::string const name = q.name;
            CAPTURE(name);
            CHECK(std::regex_match(name, std::regex("[a-z][a-z0-9]*(_[a-z0-9]+)*")));
            CHECK(names.insert(std::string(q.command) + " " + name).second);
            CHECK(isserlis::find_quantity(q.command, name) == &q);
            CHECK(isserlis::find_quantity(name) != nullptr);
            for (std::string const text : {q.command, q.summary, q.formula, q.source, q.assumptions})
                CHECK_FALSE(text.empty());
        }
        CHECK(names.size() >= 20);
        CHECK(isserlis::find_quantity("") == nullptr);
        CHECK(isserlis::find_quantity("Rho") == nullptr);
    }
}
