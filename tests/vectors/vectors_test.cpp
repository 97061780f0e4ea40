// SPDX-License-Identifier: MIT
// Walks the exact vectors of the corrected specifications. Rationals are compared for equality, nothing less; estimates
// within 5 standard errors. What no leg of ours computes is in skipped.json with its reason, and nothing else may be
// skipped.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "legs.hpp"
#include "vector_file.hpp"

using vectors::json;
using vectors::read;

namespace {

struct Leg {
    std::string name;
    bool (*run)(json const& item);  ///< checks the item; false when the leg does not compute it
};

/// Walks one file; what no leg runs has to be what skipped.json lists for it.
void walk(std::string const& name, std::vector<Leg> const& legs) {
    json const items = read("data/" + name + ".json");
    std::map<std::string, std::string> const listed = read("skipped.json").at(name);
    std::set<std::string> ids;
    std::set<std::string> skipped;
    std::map<std::string, int> runs;
    for (auto const& item : items) {
        std::string const id = item["id"];
        CAPTURE(id);
        CHECK_MESSAGE(ids.insert(id).second, "the id occurs twice");
        bool run = false;
        for (auto const& leg : legs) {
            INFO("by the ", leg.name);
            bool by_this = false;
            CHECK_NOTHROW(by_this = leg.run(item));
            if (by_this) ++runs[leg.name];
            run = run || by_this;
        }
        if (!run) skipped.insert(id);
    }
    std::map<std::string, int> reasons;
    for (auto const& id : skipped) {
        auto const at = listed.find(id);
        CHECK_MESSAGE(at != listed.end(), id << " was skipped, but skipped.json does not list it");
        if (at != listed.end()) ++reasons[at->second];
    }
    for (auto const& [id, reason] : listed) {
        CHECK_MESSAGE(skipped.count(id) == 1, id << " is listed in skipped.json, but it was run or is gone");
        CHECK_FALSE(reason.empty());
    }
    std::string report = name + ".json: " + std::to_string(ids.size() - skipped.size()) + " run (";
    for (auto const& leg : legs) {
        if (&leg != &legs.front()) report += ", ";
        report += std::to_string(runs[leg.name]) + " by the " + leg.name;
    }
    report += "), " + std::to_string(skipped.size()) + " skipped";
    for (auto const& [reason, count] : reasons) report += "\n    " + std::to_string(count) + "  " + reason;
    MESSAGE(report);
    CHECK(skipped.size() < ids.size());
}

}  // namespace

TEST_SUITE("vectors") {
    // Source of every expected value: `method` of the item, an enumeration or a symbolic expansion independent of ours.
    TEST_CASE("hettinger.json: formulas and strand engine give the exact values") {
        walk("hettinger", {{"formulas", vectors::run_hettinger_by_formulas},
                           {"formulas of forms", vectors::run_forms_by_formulas},
                           {"formulas of steps", vectors::run_steps_by_formulas},
                           {"float engine", vectors::run_hettinger_by_given_networks},
                           {"sampler", vectors::run_hettinger_by_sampling},
                           {"strand engine on products", vectors::run_products_by_strands},
                           {"strand engine on gradient steps", vectors::run_steps_by_strands}});
    }
    TEST_CASE("residual.json: formulas and strand engine give the exact values") {
        walk("residual",
             {{"formulas", vectors::run_residual_by_formulas}, {"strand engine", vectors::run_residual_by_strands}});
    }
    TEST_CASE("hessian-mup.json: formulas and strand engine give the exact values") {
        walk("hessian-mup", {{"formulas", vectors::run_hessian_mup_by_formulas},
                             {"strand engine", vectors::run_hessian_mup_by_strands}});
    }
}
