// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/monte_carlo/ranks.hpp>
#include <isserlis/report/answer.hpp>

#include <functional>

#include "question/session.hpp"

namespace isserlis::quantity {

using Answering = std::function<Answer(Session const&)>;

/// One part of the sampling, `shard`, as a document.
[[nodiscard]] Answer part_of_sampling(Session const& session, Answering const& answering);

/// The answer of several processes, or of one that goes on where others have been interrupted, `keep`.
/// Errors  DomainError naming what is not the same in all of them, or in the file.
[[nodiscard]] Answer sampled_in_ranks(Session const& session, monte_carlo::Ranks* ranks, Answering const& answering);

}  // namespace isserlis::quantity
