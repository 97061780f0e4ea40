// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_solve.hpp"

#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/ring/bisection.hpp>
#include <isserlis/ring/decimal.hpp>

#include "quantity/jacobian/jacobian_quantity.hpp"
#include "question/readers.hpp"

namespace isserlis::quantity {
namespace {

constexpr int most_digits_of_a_root = 1000;  ///< each bit takes one exact evaluation of the network
constexpr char const* a_solution = "a solution, with nothing to sample; `check` the network that has it";
constexpr std::array<char const*, 4> solved_quantities{"output_mean", "output_relative_variance", "jacobian_mean",
                                                       "relative_variance"};

/// The network as the query describes it, with one more value put in.
class Family {
public:
    Family(SolveRequest const& solve, JacobianRequest const& request, ModelText const& text, Bindings const& bindings)
        : solve_(solve), request_(request), text_(text), bindings_(bindings) {}

    [[nodiscard]] Surd at_alpha(Rational const& alpha) const {
        ModelText text = text_;
        text.alpha = Expression::parse(to_string(alpha), "solve");
        return value(text, bindings_);
    }
    [[nodiscard]] Surd at_width(std::string const& symbol, std::uint64_t width) const {
        Bindings bindings = bindings_;
        bindings[symbol] = Rational(Integer(width));
        return value(text_, bindings);
    }

private:
    [[nodiscard]] Surd value(ModelText const& text, Bindings const& bindings) const {
        return network_quantity(solve_.quantity, text, request_, bindings);
    }

    SolveRequest const& solve_;
    JacobianRequest const& request_;
    ModelText const& text_;
    Bindings const& bindings_;
};

std::string short_decimal(Surd const& x) { return decimal(x, 4); }

Rational power_of_two(int exponent) {
    Rational const size = Rational(Integer(1) << static_cast<unsigned>(std::abs(exponent)));
    return exponent < 0 ? Rational(1 / size) : size;
}

/// Neighbouring powers of 2 between which the sign changes, the ones nearest to 1.
std::pair<Rational, Rational> bracket(SolveRequest const& solve, Family const& family) {
    constexpr int most = 40;
    Surd const middle = family.at_alpha(1);
    int const start = sign(middle - solve.target);
    if (start == 0) return {1, 1};
    std::array<Surd, 2> last{middle, middle};
    for (int step = 1; step <= most; ++step) {
        for (int const direction : {-1, 1}) {
            Rational const alpha = power_of_two(direction * step);
            Surd& value = last[direction < 0 ? 0 : 1];
            value = family.at_alpha(alpha);
            if (sign(value - solve.target) == start) continue;
            Rational const before = power_of_two(direction * (step - 1));
            return direction < 0 ? std::pair(alpha, before) : std::pair(before, alpha);
        }
    }
    throw DomainError("`target` " + to_string(solve.target) + ": " + solve.quantity + " goes from about " +
                          short_decimal(last[0]) + " at alpha = 2^-40 over " + short_decimal(middle) +
                          " at alpha = 1 to " + short_decimal(last[1]) +
                          " at alpha = 2^40; no alpha was found that meets the target",
                      "target");
}

void add_alpha(SolveRequest const& solve, Family const& family, ModelText const& text, Bindings const& bindings,
               Answer& answer) {
    constexpr std::uint64_t most = 4000;
    auto const model = numeric_model(text, bindings);
    std::uint64_t matrices = 0;
    std::uint64_t blocks = 0;
    for (auto const& block : model.graph().blocks) {
        matrices += block.count * block.edges.size();
        blocks += block.count;
    }
    if (matrices > most) {
        throw UnsupportedError("`solve` alpha: the network has more than " + std::to_string(most) +
                                   " matrices, and each of about a hundred trials is exact",
                               "solve");
    }
    auto const [lower, upper] = bracket(solve, family);
    SignChange const root(
        [family, target = solve.target](Rational const& a) { return sign(family.at_alpha(a) - target); }, lower, upper);
    auto const exact = root.exact();
    auto enclosure = [root](unsigned bits) { return root.enclosure(bits + guard_bits); };
    std::string const form = "alpha with " + solve.quantity + " = " + to_string(solve.target);
    answer.add("solved_alpha", {},
               exact ? Value(Surd(*exact)) : Value::certified(enclosure, form, most_digits_of_a_root), {}, a_solution);
    answer.add("solved_weight_scale", {},
               exact ? Value(sqrt(Surd(*exact)))
                     : Value::certified([enclosure](unsigned bits) { return sqrt(enclosure(bits)); }, "sqrt(alpha)",
                                        most_digits_of_a_root),
               {}, a_solution);
    answer.assume("alpha multiplies every variance of the scheme, sqrt(alpha) every weight");
    if (solve.quantity.ends_with("variance"))
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

/// The one symbol without a value.
std::string free_symbol(ModelText const& text, Bindings const& bindings) {
    std::vector<std::string> open;
    for (auto const& symbol : text.symbols()) {
        if (bindings.count(symbol) == 0) open.push_back(symbol);
    }
    bool const in_widths = open.size() == 1 && std::any_of(text.widths.begin(), text.widths.end(), [&](auto const& w) {
                               return w.width.is_symbol && w.width.text == open.front();
                           });
    if (!in_widths) {
        throw DomainError(
            "`solve` width: one symbol stands for the width that is looked for, as n in 784,n:10,1; here "
            "are " +
                std::to_string(open.size()) + " without a value",
            "solve");
    }
    return open.front();
}

void add_width(SolveRequest const& solve, Family const& family, std::string const& symbol, Answer& answer) {
    constexpr std::uint64_t most = std::uint64_t{1} << 30U;
    constexpr std::uint64_t checked_one_by_one = 64;
    auto const good = [&](std::uint64_t n) { return sign(family.at_width(symbol, n) - solve.target) <= 0; };
    auto found = least_that(good, 1, most);
    if (!found) {
        throw DomainError("`target` " + to_string(solve.target) + ": " + solve.quantity + " is still about " +
                              short_decimal(family.at_width(symbol, most)) + " at " + symbol + " = 2^30",
                          "target");
    }
    // Where it is cheap nothing rests on the quantity falling with the width.
    for (std::uint64_t n = 1; n < std::min(*found, checked_one_by_one); ++n) {
        if (good(n)) found = n;
    }
    answer.add("solved_width", {}, Surd(Rational(Integer(*found))), {}, a_solution);
    answer.add("value_at_width", {}, family.at_width(symbol, *found), {}, a_solution);
    answer.add("value_below_width", {},
               *found == 1 ? Value::absent("there is no smaller width") : Value(family.at_width(symbol, *found - 1)),
               {}, a_solution);
    if (*found > checked_one_by_one)
        answer.warn("the least width if the quantity falls with it beyond " + std::to_string(checked_one_by_one) +
                    ", as it does for variances that scale with the width; of fixed variances it need not");
    answer.assume(symbol + " is the width looked for; exact comparison at every width tried: all below " +
                  std::to_string(std::min(*found, checked_one_by_one)) +
                  (*found > checked_one_by_one ? ", powers of 2 apart and the one before the solution" : ""));
}

}  // namespace

ParameterSet<SolveRequest> solve_parameters() {
    std::vector<std::string> const quantities(solved_quantities.begin(), solved_quantities.end());
    return {{"solve", "The scale alpha, or the least width n in `widths`, that meets a target", &SolveRequest::width,
             choice<bool>("", {{"alpha", false}, {"width", true}}),
             More{.refusals = {{{"block", "part", "wrt", "bounds", "target_second_moment"},
                                "{} has no meaning with `solve`"}}}},
            {"of", "QUANTITY", "What `solve` adjusts", &SolveRequest::quantity, word_of("", quantities),
             More{.needs = {"solve"}}},
            {"target", "T", "The value it is to have; for a width, the most it may have", &SolveRequest::typed_target,
             Reader<Surd>{[](std::string const& text, std::string const& parameter) {
                 Surd const out = parse_surd(text, parameter);
                 if (sign(out) <= 0)
                     throw DomainError("`target` = " + printable(text) + "; it has to be positive", parameter);
                 return out;
             }},
             More{.needs = {"solve"}}}};
}

void complete_solve_request(SolveRequest& out, Session const& session, ModelText const& text) {
    if (!out.width) return;
    bool const alpha = !*out.width;
    if (out.quantity.empty())
        throw ParseError("`of` is missing: `solve` needs a quantity: " +
                             alternatives({solved_quantities.begin(), solved_quantities.end()}),
                         "of");
    if (!alpha && out.quantity.ends_with("mean"))
        throw ParseError("`solve` width: a relative variance is required, such as `of` relative_variance", "of");
    if (session.layer && out.quantity.starts_with("output"))
        throw ParseError("`layer`: `of` " + out.quantity + " belongs to no layer; leave it out", "layer");
    if (!out.typed_target)
        throw ParseError("`target` is missing: the value that " + out.quantity + " is to have", "target");
    out.target = *out.typed_target;
    if (alpha && text.has("alpha")) throw ParseError("`alpha` is what `solve` alpha looks for; leave it out", "alpha");
    if (alpha && !text.variances.empty())
        throw ParseError("`solve` alpha multiplies the variances of a scheme; `variance` fixes them", "variance");
}

void add_solution(SolveRequest const& solve, JacobianRequest const& request, ModelText const& text,
                  Bindings const& bindings, Answer& answer) {
    Family const family(solve, request, text, bindings);
    if (*solve.width) {
        add_width(solve, family, free_symbol(text, bindings), answer);
        return;
    }
    for (auto const& symbol : text.symbols()) {
        if (bindings.count(symbol) == 0)
            throw UnsupportedError("`solve` alpha: " + symbol + " needs a value; give it by `set`", "solve");
    }
    add_alpha(solve, family, text, bindings, answer);
}

}  // namespace isserlis::quantity
