// SPDX-License-Identifier: MIT
#include <isserlis/quantity/ask.hpp>

#include <fstream>
#include <iostream>

using isserlis::quantity::ask;

// The value of a result, and the words that say what it is of.
void show(isserlis::Answer const& answer, std::string const& name, std::vector<std::string> const& index = {}) {
    auto const& r = answer.at(name, index);
    std::cout << answer.title() << "\n    " << name << ": " << (r.exact ? *r.exact : *r.decimal) << '\n';
}

int main() {
    show(ask({"report", {"2,10:3,1"}}), "parameters");
    show(ask({"moments", {"2,10:3,1"}}), "second_moment", {"4"});
    show(ask({"products", {"2,10:3,1"}}), "phi", {"1", "4"});
    show(ask({"init", {"2,10:3,1"}}), "weight_variance", {"1"});
    show(ask({"gain", {"gelu"}}), "derivative_gain", {"gelu"});
    show(ask({"kernel", {"relu"}, {{"weight_variance", {"2"}}}}), "kernel", {"2", "relu"});
    show(ask({"scaling-factor", {"2,10:3,1"}}), "scaling_factor", {"1"});
    show(ask({"norm", {"n0,n:L,1"}}), "squared_norm_variance", {"L + 1"});
    show(ask({"normalised", {"n,n:L,1"}}), "squared_norm_variance", {"l"});
    show(ask({"expect", {"(D[m,n] loss)^2", "2,3,1"}}), "value");
    show(ask({"hessian", {"4,8,8,2"}, {{"effective", {}}}}), "hessian_frobenius_squared");
    show(ask({"ntk", {"4,8,8,2"}, {{"scheme", {"ntk"}}}}), "ntk_mean");
    show(ask({"mup", {"8,8:3,1"}, {{"input_squared_norm", {"8"}}}}), "mup_learning_rate");
    show(ask({"jacobian", {"16:9"}, {{"network", {"resnet:2"}}}}), "jacobian_mean", {"1", "2"});
    show(ask({"loss-curve", {"2,10:3,1"}, {{"data", {"cos"}}, {"gradient", {"fixed"}}}}), "slope", {"1"});
    std::ofstream("form.json") << R"({"i": 1, "x": [1, 2], "y": [-1, 3], "w": [1, -2], "v": [3, 1]})";
    show(ask({"form", {"A.9", "2,3,2"}, {{"with", {"form.json"}}}}), "value");
    show(ask({"coord-check", {"n,n:3,1"}, {{"width_list", {"16,64"}}}}), "preactivation_std", {"1", "16"});
    show(ask({"depth-rules", {"8,64,1"}, {{"depths", {"16"}}}}), "depth_learning_rate", {"16", "1/sqrt(L)"});
    show(ask({"train", {"2,16,1"}, {{"data", {"cos"}}, {"epochs", {"3"}}}}), "loss", {"3"});
    show(ask({"max-rate", {"9,8,2"}, {{"data", {"gaussian:2,8,200"}}, {"epochs", {"4"}}}}), "threshold");
    show(ask({"sharpness", {"2,4,1"}, {{"data", {"cos"}}}}), "top_eigenvalue", {"0"});
    show(ask({"trace", {"tr((W W^T)^2)"}, {{"shape", {"W=n,m"}}}}), "value");
    show(ask({"transfer", {"2,4,1", "2,8,1"}, {{"parametrisation", {"standard"}}}}), "transfer_rate", {"change"});
    show(ask({"verify", {}, {{"check", {"100"}}}}), "strands", {"ntk_mean"});
    show(ask({"claim", {"z^4 = 12*(n + 5)/n", "1,n,1"}}), "claimed", {"1", "n=5"});
    show(ask({"errata", {"R24"}}), "correct", {"R24", "1"});
    show(ask({"reproduce", {"maximal-rate-figure-3"}, {{"quick", {}}}}), "fit_slope", {"all"});
    for (std::string const k : {"1", "2"}) {
        isserlis::quantity::Question const half{"norm", {"2,3,1"}, {{"check", {"200"}}, {"shard", {k + "/2"}}}};
        std::ofstream("part-" + k + ".json") << render(ask(half));
    }
    show(ask({"merge", {"part-1.json", "part-2.json"}}), "squared_norm_mean", {"2"});
    std::cout << render(ask({"list", {"ntk_mean"}}));
}
