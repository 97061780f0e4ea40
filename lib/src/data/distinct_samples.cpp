// SPDX-License-Identifier: MIT
#include <isserlis/data/distinct_samples.hpp>

#include <map>

namespace isserlis {

SamplesWithDerivatives distinct_samples(DataSet data, OutputDerivatives derivatives) {
    std::map<std::vector<Rational>, std::vector<std::size_t>> alike;
    for (std::size_t k = 0; k < data.samples(); ++k) alike[data.inputs[k]].push_back(k);
    if (alike.size() == data.samples()) return {.data = std::move(data), .derivatives = std::move(derivatives)};
    std::map<std::size_t, std::vector<std::size_t>> groups;  // by the first sample
    for (auto& [input, samples] : alike) groups[samples.front()] = std::move(samples);

    Rational const scale = ratio(Integer(groups.size()), Integer(data.samples()));
    auto const targets = derivatives.uses_targets() ? exact_targets(data) : std::vector<std::vector<Surd>>();
    DataSet merged = data;
    merged.inputs.clear();
    merged.targets.clear();
    merged.hessians.clear();
    merged.lines.clear();
    OutputDerivatives out = derivatives;
    out.gradients.clear();
    out.hessians.clear();
    out.shares.clear();
    // scale times the sum over the samples of a group.
    auto const summed = [&](std::vector<std::size_t> const& group, auto const& rows, auto& into) {
        if (rows.empty()) return;
        auto sum = rows[group.front()];
        for (std::size_t i = 1; i < group.size(); ++i)
            for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = sum[j] + rows[group[i]][j];
        for (auto& x : sum) x = x * scale;
        into.emplace_back(sum.begin(), sum.end());
    };
    for (auto const& [first, group] : groups) {
        merged.inputs.push_back(data.inputs[first]);
        summed(group, derivatives.gradients, out.gradients);
        summed(group, targets, merged.targets);
        Rational share;
        for (auto const k : group) share += derivatives.shares[k];
        out.shares.emplace_back(scale * share);
        if (derivatives.hessians.empty()) continue;
        std::vector<std::vector<Rational>> sum = derivatives.hessians[first];
        for (std::size_t i = 0; i < sum.size(); ++i) {
            for (std::size_t j = 0; j < sum.size(); ++j) {
                for (std::size_t k = 1; k < group.size(); ++k) sum[i][j] += derivatives.hessians[group[k]][i][j];
                sum[i][j] *= scale;
            }
        }
        out.hessians.push_back(std::move(sum));
    }
    merged.gradients = out.gradients;
    return {.data = std::move(merged), .derivatives = std::move(out)};
}

}  // namespace isserlis
