// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_solve.hpp"

#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/ring/bisection.hpp>
#include <isserlis/ring/decimal.hpp>

#include "quantity/jacobian/jacobian_quantity.hpp"
#include "quantity/solution.hpp"
#include "question/readers.hpp"

namespace isserlis::quantity {
namespace {

constexpr int most_digits_of_a_root = 1000;  ///< each bit takes one exact evaluation of the network
constexpr std::array<char const*, 4> solved_quantities{"output_mean", "output_relative_variance", "jacobian_mean",
                                                       "relative_variance"};

/// The network as the query describes it, its variances multiplied.
class Family {
public:
    Family(std::string quantity, JacobianRequest const& request, ModelText const& text, Bindings const& bindings)
        : quantity_(std::move(quantity)), request_(request), text_(text), bindings_(bindings) {}

    [[nodiscard]] Surd at(Rational const& alpha) const {
        ModelText text = text_;
        text.alpha = Expression::parse(to_string(alpha), "solve");
        return network_quantity(quantity_, text, request_, bindings_);
    }

private:
    std::string quantity_;
    JacobianRequest const& request_;
    ModelText const& text_;
    Bindings const& bindings_;
};

std::string short_decimal(Surd const& x) { return decimal(x, 4); }

}  // namespace

void add_solved_scale(Session const& session, JacobianRequest const& request, ModelText const& text,
                      Bindings const& bindings, Answer& answer) {
    for (auto const& symbol : text.symbols()) {
        if (bindings.count(symbol) == 0)
            throw UnsupportedError("`solve` alpha: " + symbol + " needs a value; give it by `set`", "solve");
    }
    std::string const& quantity = session.solved_quantity;
    Surd const& target = *session.target;
    Family const family(quantity, request, text, bindings);
    constexpr std::uint64_t most = 4000;
    auto const model = numeric_model(text, bindings);
    std::uint64_t matrices = 0;
    std::uint64_t blocks = 0;
    for (auto const& stage : model.graph().stages) {
        matrices += stage.count * stage.edges.size();
        blocks += stage.count;
    }
    if (matrices > most) {
        throw UnsupportedError("`solve` alpha: the network has more than " + std::to_string(most) +
                                   " matrices, and each of about a hundred trials is exact",
                               "solve");
    }
    auto const sign_at = [family, target](Rational const& a) { return sign(family.at(a) - target); };
    constexpr int largest_power = 40;
    auto const points = powers_of_two(largest_power);
    std::optional<SignChange> found;
    (void)find_sign_change(points, sign_at, [&](Rational const& lower, Rational const& upper) {
        found.emplace(sign_at, lower, upper);
        return true;
    });
    if (!found) {
        throw DomainError("`target` " + to_string(target) + ": " + quantity + " goes from about " +
                              short_decimal(family.at(points.front())) + " at alpha = 2^-40 over " +
                              short_decimal(family.at(1)) + " at alpha = 1 to " +
                              short_decimal(family.at(points.back())) +
                              " at alpha = 2^40; no alpha was found that meets the target",
                          "target");
    }
    SignChange const root = *found;
    auto const exact = root.exact();
    auto enclosure = [root](unsigned bits) { return root.enclosure(bits + guard_bits); };
    std::string const form = "alpha with " + quantity + " = " + to_string(target);
    answer.add("solved_alpha", {},
               exact ? Value(Surd(*exact)) : Value::certified(enclosure, form, most_digits_of_a_root), {}, a_solution);
    answer.add("solved_weight_scale", {},
               exact ? Value(sqrt(Surd(*exact)))
                     : Value::certified([enclosure](unsigned bits) { return sqrt(enclosure(bits)); }, "sqrt(alpha)",
                                        most_digits_of_a_root),
               {}, a_solution);
    answer.assume("alpha multiplies every variance of the scheme, sqrt(alpha) every weight");
    if (quantity.ends_with("variance"))
        answer.assume(
            "a solution between the powers of 2 nearest to 1 where the sign changes; a relative variance may meet its "
            "target elsewhere too");
    if (text.wiring != Wiring::residual) return;
    std::size_t const m = text.branch_matrices;
    if (m < 2) {
        answer.add("fixup_weight_scale", {}, Value::absent("Fixup's rule needs branches of at least 2 matrices"), {},
                   a_solution);
        return;
    }
    Value const fixup = m == 2 ? Value(Surd(1) / sqrt(Surd(Rational(Integer(blocks)))))
                               : Value::certified(
                                     [blocks, m](unsigned bits) {
                                         unsigned const more = bits + guard_bits;
                                         return exp(Interval(Rational(ratio(-1, static_cast<int>(2 * m - 2))), more) *
                                                    log(Interval(Integer(blocks), more)));
                                     },
                                     std::to_string(blocks) + "^(-1/" + std::to_string(2 * m - 2) + ")", max_digits);
    answer.add("fixup_weight_scale", {}, fixup, {}, a_solution);
    answer.assume("Fixup scales the weights of a branch but the last by L^(-1/(2m-2)), and starts the last at 0");
}

void check_solved_scale(Session const& session, ModelText const& text) {
    std::string const& quantity = session.solved_quantity;
    std::vector<std::string> const served(solved_quantities.begin(), solved_quantities.end());
    if (std::find(served.begin(), served.end(), quantity) == served.end())
        throw ParseError(
            "`of`: `solve` alpha brings " + alternatives(served) + " to a target, not '" + printable(quantity) + "'",
            "of");
    for (char const* parameter : {"block", "part", "wrt", "bounds", "target_second_moment"}) {
        if (session.question.parameters.count(parameter) != 0)
            throw ParseError(named(parameter) + " has no meaning with `solve` alpha", parameter);
    }
    if (sign(*session.target) <= 0)
        throw DomainError("`target` = " + to_string(*session.target) + "; it has to be positive", "target");
    if (session.layer && quantity.starts_with("output"))
        throw ParseError("`layer`: `of` " + quantity + " belongs to no layer; leave it out", "layer");
    if (text.has("alpha")) throw ParseError("`alpha` is what `solve` alpha looks for; leave it out", "alpha");
    if (!text.variances.empty())
        throw ParseError("`solve` alpha multiplies the variances of a scheme; `variance` fixes them", "variance");
}

}  // namespace isserlis::quantity
