// SPDX-License-Identifier: MIT
#include "quantity/mup/batch_step.hpp"

#include <functional>
#include <isserlis/error.hpp>
#include <isserlis/formula/batch_step.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/model/sampling_model.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/power.hpp>
#include <isserlis/verify/check.hpp>
#include <map>
#include <memory>

#include "quantity/mup/sampled_steps.hpp"
#include "quantity/mup/unmoved.hpp"
#include "quantity/unchecked.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_batch_inputs = 100;  ///< triples of which take some seconds
constexpr unsigned few_bits = 128;
constexpr char const* form = "sums over the angles of pairs of inputs";

using Gram = std::vector<std::vector<Rational>>;
using Checks = std::vector<std::optional<Check>>;

template <class R, class Count>
FullyConnected<R, std::uint64_t> one_hidden_layer(Model<R, Count> const& model, InputRows const& inputs) {
    auto net = layer_by_layer(model.net(), 2);
    if (!net || net->layers.size() != 2)
        throw UnsupportedError(
            "`input`: several inputs are served through one hidden layer, such as `widths` 2,8,1; deeper networks take "
            "one input, linear ones also samples with targets, by `data` or `with`",
            "input");
    if (inputs.size() > most_batch_inputs)
        throw UnsupportedError("`input` lists " + std::to_string(inputs.size()) + " inputs; up to " +
                                   std::to_string(most_batch_inputs) + " are served",
                               "input");
    return *net;
}

template <class T>
void add_rows(std::size_t k, BatchChange<T> const& x, std::optional<Check> const& check, std::string const& why,
              Answer& answer, std::function<Value(T const&, T BatchChange<T>::*)> const& of) {
    std::vector<std::string> const index{std::to_string(k + 1)};
    answer.add("mup_batch_change_squared", index, of(x.change_squared(), nullptr), check, why);
    answer.add("mup_batch_a", index, of(x.a, &BatchChange<T>::a), {}, why);
    answer.add("mup_batch_b", index, of(x.b, &BatchChange<T>::b), {}, why);
}

/// The rate at which the mean over the inputs is 1.
void add_rate(Value const& rate, std::string const& why, Answer& answer) {
    answer.add("mup_batch_learning_rate", {}, rate, {},
               why == not_numeric ? why : "a function of mup_batch_change_squared");
    answer.assume(
        "mup_batch_learning_rate multiplies the rate given (default 1): then E (Delta u_i)^2, averaged over the "
        "inputs, is 1");
}

/// In the ring of the widths, if they are there.
template <class R>
bool add_exact(FullyConnected<R, std::uint64_t> const& net, Gram const& gram, R const& target_second,
               Checks const& checks, std::string const& why, Answer& answer) {
    auto const exact = exact_batch_step(net, gram, target_second);
    if (!exact) return false;
    for (std::size_t k = 0; k < gram.size(); ++k)
        add_rows<R>(k, (*exact)[k], checks[k], why, answer, [](R const& x, auto) -> Value { return tidy(x); });
    R mean(0);
    for (auto const& x : *exact) mean = mean + x.change_squared();
    mean = mean / from_count<R>(gram.size());
    add_rate(is_certainly_zero(mean) ? unmoved() : over_root(1, mean, "1/sqrt(mean of mup_batch_change_squared)"), why,
             answer);
    return true;
}

/// The changes at these precisions, found once each.
class Enclosures {
public:
    Enclosures(FullyConnected<Surd, std::uint64_t> net, Gram gram, Surd target_second)
        : net_(std::move(net)), gram_(std::move(gram)), target_second_(std::move(target_second)) {}

    std::vector<BatchChange<Enclosed>> const& at(unsigned bits) {
        auto const found = known_.find(bits);
        if (found != known_.end()) return found->second;
        return known_.emplace(bits, batch_step(net_, gram_, target_second_, bits)).first->second;
    }

private:
    FullyConnected<Surd, std::uint64_t> net_;
    Gram gram_;
    Surd target_second_;
    std::map<unsigned, std::vector<BatchChange<Enclosed>>> known_;
};

Value batch_rate(std::shared_ptr<Enclosures> const& enclosures, std::size_t inputs) {
    constexpr char const* rate_form = "1/sqrt(mean of mup_batch_change_squared)";
    std::optional<Rational> exact(0);
    for (auto const& x : enclosures->at(few_bits)) {
        Enclosed const change = x.change_squared();
        auto const* number = change.exact();
        exact = exact && number != nullptr ? std::optional<Rational>(*exact + *number) : std::nullopt;
    }
    if (exact) {
        if (*exact == 0) return unmoved();
        return over_root(1, Surd(Rational(*exact / Rational(Integer(inputs)))), rate_form);
    }
    return Value::certified(
        [enclosures, inputs](unsigned bits) {
            unsigned const work = bits + guard_bits;
            Interval sum(0L, work);
            for (auto const& x : enclosures->at(work)) sum = sum + x.change_squared().enclose(work);
            return sqrt(Interval(Rational(Integer(inputs)), work) / sum);
        },
        rate_form);
}

Checks sampled(NumericModel const& model, InputRows const& inputs, std::vector<BatchChange<Enclosed>> const& known,
               unsigned bits, Session const& session) {
    Checks out(inputs.size());
    if (!session.samples) return out;
    require_sampled_steps(model, 3 * static_cast<double>(inputs.size()), session);
    NumericModel plain = model;
    plain.input.clear();  // whose place the inputs take
    plain.squared_norm = Surd(1);
    auto const estimates =
        monte_carlo::sample_batch_step(sampling_model(plain), doubles(inputs), sampling_factors(model).front(),
                                       target_of(model), *session.samples, session.seed, session.run_control());
    for (std::size_t k = 0; k < out.size(); ++k) {
        double const exact = mpfr_get_d(known[k].change_squared().enclose(bits).lower(), MPFR_RNDN);
        out[k] = compare_sampled(exact, estimates[k].mean, estimates[k].std_error, estimates[k].samples);
    }
    return out;
}

}  // namespace

void add_batch_step(NumericModel const& model, InputRows const& inputs, Session const& session, Answer& answer) {
    auto const net = one_hidden_layer(model, inputs);
    auto const products = gram(inputs);
    auto const enclosures = std::make_shared<Enclosures>(net, products, model.target_second);
    auto const checks = sampled(model, inputs, enclosures->at(few_bits), few_bits, session);
    std::string const why = "mup_batch_change_squared is checked";
    if (add_exact(net, products, model.target_second, checks, why, answer)) return;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        using Member = Enclosed BatchChange<Enclosed>::*;
        add_rows<Enclosed>(k, enclosures->at(few_bits)[k], checks[k], why, answer,
                           [&](Enclosed const& rough, Member member) -> Value {
                               if (auto const* exact = rough.exact()) return Surd(*exact);
                               return Value::certified(
                                   [enclosures, k, member](unsigned bits) {
                                       unsigned const work = bits + guard_bits;
                                       auto const& x = enclosures->at(work)[k];
                                       return (member == nullptr ? x.change_squared() : x.*member).enclose(work);
                                   },
                                   form);
                           });
    }
    add_rate(batch_rate(enclosures, inputs.size()), why, answer);
}

void add_batch_step(SymbolicModel const& model, InputRows const& inputs, Session const&, Answer& answer) {
    auto const net = one_hidden_layer(model, inputs);
    if (!add_exact(net, gram(inputs), model.target_second, Checks(inputs.size()), not_numeric, answer))
        throw UnsupportedError(
            "`widths`: an angle of two inputs makes the change irrational; give the symbols numbers by `set`",
            "widths");
}

}  // namespace isserlis::quantity
