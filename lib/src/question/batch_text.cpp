// SPDX-License-Identifier: MIT
#include "question/batch_text.hpp"

#include <isserlis/error.hpp>

#include "question/readers.hpp"

namespace isserlis::quantity {

ParameterSet<BatchText> batch_parameters() {
    constexpr std::uint64_t most = 1'000'000'000;
    return {{"batch", "B", "Samples in the mean that is differentiated, drawn without replacement", &BatchText::size,
             count(1, most), More{.usual = "all", .needs = {"data", "with"}}},
            {"replacement", "With `batch`: each sample is drawn from all, so that one may be there twice",
             &BatchText::replacement, More{.needs = {"batch"}}}};
}

std::optional<MiniBatch> batch_of(BatchText const& text, std::size_t samples) {
    constexpr std::uint64_t most_replaced = 1'000'000;
    if (!text.is_given()) return std::nullopt;
    MiniBatch const out{.size = *text.size, .replacement = text.replacement};
    if (!out.fits(samples))
        throw DomainError("`batch` = " + std::to_string(out.size) + "; there " +
                              (samples == 1 ? "is 1 sample" : "are " + std::to_string(samples) + " samples") +
                              ", and more are drawn with `replacement` alone",
                          "batch");
    if (out.replacement && out.size > most_replaced)
        throw UnsupportedError("`batch` = " + std::to_string(out.size) + "; up to " + std::to_string(most_replaced) +
                                   " samples are drawn with `replacement`",
                               "batch");
    return out.is_all(samples) ? std::nullopt : std::optional(out);
}

std::string drawn_samples(BatchText const& text) {
    return std::to_string(*text.size) +
           (text.replacement
                ? (*text.size == 1 ? " sample, drawn from all" : " samples, drawn from all with replacement")
                : " of the samples, drawn without replacement");
}

}  // namespace isserlis::quantity
