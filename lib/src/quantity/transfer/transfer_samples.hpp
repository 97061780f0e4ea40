// SPDX-License-Identifier: MIT
#pragma once
#include "quantity/given_samples.hpp"
#include "quantity/transfer/transfer_rules.hpp"
#include "question/batch_text.hpp"

namespace isserlis::quantity {

/// What a rate is carried over on, in place of one sample.
struct TransferSamples {
    SamplesText samples;
    BatchText batch;
};

/// Of linear networks at samples with targets: means over the samples, of the mean of 1/2 |z - y|^2 over all of them or
/// over a batch. The model and the session outlive it.
/// Errors  UnsupportedError for gates and for weights that are not Gaussian; those of `step_samples`.
[[nodiscard]] TransferMeans<Surd> means_on_samples(NumericModel const& model, ModelText const& text,
                                                   TransferSamples const& given, Session const& session,
                                                   Bindings const& bindings);
[[nodiscard]] TransferMeans<RationalFunction> means_on_samples(SymbolicModel const& model, ModelText const& text,
                                                               TransferSamples const& given, Session const& session,
                                                               Bindings const& bindings);

}  // namespace isserlis::quantity
