// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/mini_batch.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "question/parameter_set.hpp"

namespace isserlis::quantity {

/// A mini-batch as it is asked for.
struct BatchText {
    std::optional<std::uint64_t> size;  ///< none is all samples
    bool replacement = false;

    [[nodiscard]] bool is_given() const { return size.has_value(); }
};
/// `batch` and `replacement`.
[[nodiscard]] ParameterSet<BatchText> batch_parameters();

/// Of so many samples; none where it is all of them.
/// Errors  DomainError for more than there are without replacement; UnsupportedError for too many with it.
[[nodiscard]] std::optional<MiniBatch> batch_of(BatchText const& text, std::size_t samples);

/// "3 of the samples, drawn without replacement"
[[nodiscard]] std::string drawn_samples(BatchText const& text);

}  // namespace isserlis::quantity
