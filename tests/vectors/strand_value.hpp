// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/network/graph.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>
#include <isserlis/strand/setting.hpp>

#include <cstdint>
#include <string>

/// The strand engine behind a function, so that one file instantiates it for all legs.
namespace vectors {

using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;

template <class R>
using Net = isserlis::Graph<R, std::uint64_t>;
template <class R>
using Setting = isserlis::ObservableSetting<R>;

/// E of the query over the weights of the network. Rationals are computed with and without the reduction by symmetry,
/// and once more in floating point, which has to agree.
Rational expected(std::string const& query, Net<Rational> const& net, Setting<Rational> const& setting);
Surd expected(std::string const& query, Net<Surd> const& net, Setting<Surd> const& setting);
RationalFunction expected(std::string const& query, Net<RationalFunction> const& net,
                          Setting<RationalFunction> const& setting);

/// E of its square.
Rational expected_square(std::string const& query, Net<Rational> const& net, Setting<Rational> const& setting);

}  // namespace vectors
