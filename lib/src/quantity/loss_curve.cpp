// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/scaling_factor.hpp>
#include <isserlis/monte_carlo/one_step_loss.hpp>
#include <isserlis/report/plot.hpp>
#include <isserlis/verify/cancellation.hpp>
#include <isserlis/verify/heavy_tails.hpp>

#include <isserlis/loss_curve/numbers.hpp>
#include <isserlis/loss_curve/sampling_effort.hpp>
#include <isserlis/question/reason.hpp>
#include "quantity/chart.hpp"
#include "quantity/commands.hpp"
#include "quantity/given_network.hpp"
#include "quantity/given_samples.hpp"
#include "quantity/gram_curve.hpp"
#include "quantity/kinks.hpp"
#include "quantity/one_sample_curve.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/gated_data_curve.hpp"
#include "quantity/wired/sample_curve.hpp"
#include "quantity/wired/wired.hpp"
#include "question/batch_text.hpp"
#include "question/model_statement.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

constexpr ModelParameters loss_curve_parameters{
    .activation = true, .variance = true, .parametrisation = true, .law = true};  // of `data`
constexpr ModelParameters wired_parameters{
    .wiring = true, .activation = true, .variance = true, .law = true};  // likewise, of other wirings
constexpr std::uint64_t default_networks = 4000;
constexpr double patience = 5;  ///< less than for what the command is there for
constexpr char const* derived = "computed from slope and curvature";
constexpr char const* derived_from_samples = "computed from sampled values";

/// The parabola and the sampled losses of one network, for `plot`.
struct Curve {
    std::string title;
    double loss = 0;
    double slope = 0;
    double curvature = 0;
    double vertex = 0;
    double minimiser = 0;
    monte_carlo::LossCurveModel model;
};

/// What is carried over from one network to another.
struct Rates {
    CurveNumber vertex;
    CurveNumber minimiser;
    CurveNumber factor;  ///< S_N
};

/// What `loss-curve` is asked.
struct LossCurveRequest {
    ModelText typed;
    std::vector<ModelText> networks;
    CurveDataText text;
    CurveData data;
    std::optional<WithFile> with;   ///< samples by their inner products, in place of data
    std::optional<GramCurve> gram;  ///< what is asked of them
    BatchText batch;
    std::optional<std::uint64_t> samples;  ///< `samples`
    std::optional<std::string> weights;    ///< a file with the one network
    std::optional<std::string> plot;
    std::optional<Expression> target_mean;  ///< of each output, of one sample
};

void check_batch(LossCurveRequest& request) {
    if (!request.batch.is_given()) return;
    if (request.data.fixed)
        throw UnsupportedError(
            "`batch`: the step of `gradient` fixed is along the gradient of all samples; choose random, or leave "
            "`batch` out",
            "batch");
    request.data.batch = batch_of(request.batch, request.data.samples());
}

void complete_loss_curve(LossCurveRequest& request, Session const& session) {
    if (request.with) {
        request.gram = GramCurve{.typed = request.typed,
                                 .text = request.text,
                                 .file = *request.with,
                                 .batch = request.batch,
                                 .networks = {}};
        complete_gram_curve(*request.gram, session);
        return;
    }
    check_sample_or_data(request.typed, session);
    if (asks_one_sample(request.typed, session)) {
        bool const has_mean = request.target_mean && !session.question.words.empty();
        request.networks = has_mean ? read_networks_of_samples(request.typed, session, request.target_mean->symbols())
                                    : read_networks(request.typed, session, true);
        return;
    }
    request.data = read_curve_data(request.text);
    check_batch(request);
    if (request.samples == 1) throw DomainError("`samples` = 1; one network has no standard error", "samples");
    auto const& widths = session.question.words;
    if (request.weights) {
        if (!widths.empty())
            throw ParseError("`weights`: the file has the network; drop `widths` " + widths.front(), "weights");
        check_bindings({}, session);
        return;
    }
    if (widths.empty() && request.typed.wiring != Wiring::file)
        throw ParseError("`widths` is missing; such as isserlis loss-curve 2,10:3,1 `data` cos `gradient` random",
                         "widths");
    bool const wired = is_curve_by_strands(request.typed);
    if (wired && (request.data.fixed || !request.data.is_squared()))
        throw UnsupportedError(std::string(request.data.fixed ? "`gradient` fixed" : "`loss`") + ": " +
                                   served_by_strands(request.typed) + " served for random gradients of squared errors",
                               request.data.fixed ? "gradient" : "loss");
    if (request.typed.wiring == Wiring::file && !request.typed.bias_label_factors.empty())
        throw UnsupportedError("`bias_label_factor`: steps of the biases of a network file are not served",
                               "bias_label_factor");
    if (wired && session.layer) throw ParseError("`layer`: the curve has no layers; leave it out", "layer");
    request.networks = read_networks(request.typed, session, wired);
    if (request.plot && request.samples == 0)
        throw ParseError("`plot`: it shows sampled losses; drop `samples` 0", "plot");
}

class LossCurveCommand {
public:
    LossCurveCommand(LossCurveRequest const& request, Session const& session, Bindings const& bindings, Answer& answer)
        : request_(request), session_(session), bindings_(bindings), answer_(answer) {
        sampling_.networks = request.samples.value_or(session.samples.value_or(default_networks));
        sampling_.asked = session.samples || request.samples;
        sampling_.seed = session.seed;
        sampling_.control = session.run_control();
    }

    void run() {
        state_curve_data(data_, request_.text.set, answer_);
        state_batch_step(request_.batch, answer_);
        if (request_.weights) {
            add_given_network(session_, data_, *request_.weights, answer_);
            return;
        }
        std::size_t const first = answer_.results().size();
        if (is_curve_by_strands(request_.typed)) {
            add_wired();
        } else {
            add_chains();
        }
        if (request_.plot) plot(*request_.plot);
        state_sampling(first);
    }

private:
    void add_chains() {
        auto const& networks = request_.networks;
        std::uint64_t const only = session_.layer ? parse_count(*session_.layer, "layer", 1, networks.size()) : 0;
        for (std::size_t i = 0; i < networks.size(); ++i) {
            shown_ = only == 0 || only == i + 1;
            if (!shown_ && i > 0) continue;  // the first one's rates are those that are carried over
            declare_symbols(networks[i], bindings_, answer_);
            if (shown_) state_network(networks[i], loss_curve_parameters);
            if (shown_ && networks[i].has_unit_parameters())
                answer_.assume(
                    "the step is one of theta along minus its gradient: W moves by minus the rate times "
                    "1/fan_in times the gradient by W");
            if (shown_ && networks[i].parametrisation)
                answer_.assume("the step is one of w along minus its gradient, in each layer by its rate, eta = 1");
            if (shown_ && !networks[i].kurtoses.empty())
                answer_.assume("sampled with a density of that kurtosis; what depends on higher moments is its own");
            is_proportional_ = networks[i].scheme == Scheme::proportional;
            if (shown_ && !is_proportional_)
                answer_.warn("scaling_factor speaks of the proportional scheme; `scheme` proportional chooses it");
            with_model(networks[i], bindings_, [&](auto const& model) {
                if (shown_) state_kinks(model, answer_);
                add(model, session_.question.words[i], std::to_string(i + 1));
            });
        }
    }

    /// All but the precision of what may be sampled.
    void state_network(ModelText text, ModelParameters const& which) {
        text.precision = monte_carlo::Precision::float64;
        state_assumptions(text, which, answer_);
    }

    /// Of the rows from the first one on: how they are sampled, or what of that has no effect.
    void state_sampling(std::size_t first) {
        auto const& rows = answer_.results();
        bool const draws = request_.plot ||
                           std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                                       [](Result const& row) { return row.check || row.form.starts_with("sampled"); });
        if (draws) {
            state_precision(request_.typed.precision, answer_);
            return;
        }
        if (request_.samples.value_or(0) > 0) answer_.warn("`samples` has no effect: nothing is sampled here");
        for (char const* name : {"seed", "precision"}) {
            if (session_.question.parameters.count(name) != 0)
                answer_.warn(named(name) + " has no effect: nothing is sampled here");
        }
    }

    void add_wired() {
        for (std::size_t i = 0; i < request_.networks.size(); ++i) {
            auto const& text = request_.networks[i];
            declare_symbols(text, bindings_, answer_);
            state_network(text, wired_parameters);
            state_stepped_parameters(text, answer_);
            with_wired_model(text, bindings_, session_, answer_, [&](auto const& model) {
                std::string const k = std::to_string(i + 1);
                state_kinks(model, answer_);
                bool const gated = has_shutting_gates(model);
                auto const one = gated ? curve_of_one_target(model, data_) : std::nullopt;
                if (gated && !one)
                    add_gated_data_curve(model, data_, sampling_, session_.samples.has_value(), k, answer_);
                else
                    add_wired_data_curve(model, one ? *one : data_curve(model, data_), data_, k, session_, answer_);
            });
        }
    }

    void add(NumericModel const& model, std::string const& title, std::string const& k) {
        auto const numbers = only_printed(loss_curve_numbers(model, data_, sampling_, by_strands(model)));
        auto const lowest = minimiser(model, numbers);
        Rates const rates{.vertex = numbers.vertex_rate,
                          .minimiser = lowest,
                          .factor = CurveNumber(scaling_factor(model.net().layers).value())};
        if (!first_) first_ = rates;
        if (!shown_) return;
        std::optional<monte_carlo::LossCurveEstimates> sampled;
        if (session_.samples) {
            auto const net = data_.sampling_model(sampling_model(model), sampling_factors(model));
            require_affordable(net, *session_.samples, session_.run_control());
            sampled =
                monte_carlo::sample_loss_curve(net, *session_.samples, session_.seed, session_.run_control()).plain;
        }
        auto check = [&](CurveNumber const& x, std::optional<monte_carlo::Estimate> const& e,
                         double share) -> std::optional<Check> {
            if (!sampled || !e || x.is_sampled() || x.is_absent() || !std::isfinite(x.to_double())) return std::nullopt;
            return compare_sampled(x.to_double(), e->mean, e->std_error, e->samples, share);
        };
        using Seen = monte_carlo::LossCurveEstimates;
        auto const seen = sampled.value_or(Seen{});
        std::optional<Seen> sizes;
        // Sums over the data may be 0, or nearly, but for rounding.
        auto const check_motion = [&](CurveNumber const& x, monte_carlo::Estimate Seen::*member, double share) {
            auto const out = check(x, seen.*member, share);
            if (!out || !is_off(*out)) return out;
            if (!sizes) sizes = sampled_uncancelled(model);
            return std::optional(up_to_rounding(*out, x.to_double(), size_of((*sizes).*member)));
        };
        auto const& shares = seen.shares;
        auto const add_motion = [&](char const* name, CurveNumber const& x, monte_carlo::Estimate Seen::*member,
                                    double share) {
            add_number(name, k, x, check_motion(x, member, share), is_sampled_itself);
        };
        add_number("loss", k, numbers.loss, check(numbers.loss, seen.loss, shares.loss), is_sampled_itself);
        add_motion("slope", numbers.slope, &Seen::slope, shares.slope);
        add_motion("curvature", numbers.curvature, &Seen::curvature, shares.curvature);
        add_motion("curvature_chi", numbers.curvature_chi, &Seen::curvature_chi, shares.curvature_chi);
        add_motion("curvature_gamma", numbers.curvature_gamma, &Seen::curvature_gamma, shares.curvature_gamma);
        bool const exact = !numbers.slope.is_sampled() && !numbers.curvature.is_sampled();
        add_rates(numbers, rates, k, exact ? derived : derived_from_samples);
        if (request_.plot) {
            require_plottable(numbers);
            curves_.push_back({.title = title,
                               .loss = numbers.loss.to_double(),
                               .slope = numbers.slope.to_double(),
                               .curvature = numbers.curvature.to_double(),
                               .vertex = numbers.vertex_rate.to_double(),
                               .minimiser = lowest.is_absent() ? 0 : lowest.to_double(),
                               .model = data_.sampling_model(sampling_model(model), sampling_factors(model))});
        }
    }

    /// The curve of data that cancel nowhere.
    [[nodiscard]] monte_carlo::LossCurveEstimates sampled_uncancelled(NumericModel const& model) const {
        auto net = data_.sampling_model(sampling_model(model), sampling_factors(model));
        net.inputs = uncancelled(net.inputs);
        net.targets = uncancelled(net.targets);
        if (net.given) net.given->gradients = uncancelled(net.given->gradients);
        return monte_carlo::sample_loss_curve(net, std::min(*session_.samples, samples_of_size), session_.seed,
                                              control_of_size(session_.run_control()))
            .plain;
    }

    void add(SymbolicModel const& model, std::string const&, std::string const& k) {
        if (request_.plot)
            throw UnsupportedError("`plot`: a plot needs numbers; give the symbols values by `set`", "plot");
        auto const numbers = only_printed(loss_curve_numbers(model, data_, by_strands(model)));
        Rates const rates{.vertex = numbers.vertex_rate,
                          .minimiser = CurveNumber::absent("networks of symbolic width are not sampled"),
                          .factor = CurveNumber(scaling_factor(model.net().layers).value())};
        if (!first_) first_ = rates;
        if (!shown_) return;
        add_number("loss", k, numbers.loss, {}, not_numeric);
        add_number("slope", k, numbers.slope, {}, not_numeric);
        add_number("curvature", k, numbers.curvature, {}, not_numeric);
        add_number("curvature_chi", k, numbers.curvature_chi, {}, not_numeric);
        add_number("curvature_gamma", k, numbers.curvature_gamma, {}, not_numeric);
        add_rates(numbers, rates, k, not_numeric);
    }

    /// Of linear networks of other laws than the Gaussian, which closed forms are of.
    template <class R, class Count>
    [[nodiscard]] std::optional<SquaredLossCurve<R>> by_strands(Model<R, Count> const& model) const {
        bool const closed = data_.fixed || !data_.is_squared() || !model.net().activation.is_linear() ||
                            model.is_gaussian() || model.derivatives.parametrisation;
        if (closed) return std::nullopt;
        try {
            return data_curve(model, data_);
        } catch (UnsupportedError const&) {  // a law whose higher moments are not known, or too many features
            return std::nullopt;
        }
    }

    /// The theorems' right sides are printed for one scheme.
    [[nodiscard]] LossCurveNumbers only_printed(LossCurveNumbers numbers) const {
        if (is_proportional_) return numbers;
        for (auto* x : {&numbers.slope_printed, &numbers.curvature_printed}) {
            if (!x->is_absent())
                *x = CurveNumber::absent("the theorem is printed for the proportional scheme; `scheme` proportional");
        }
        return numbers;
    }

    void add_rates(LossCurveNumbers const& numbers, Rates const& rates, std::string const& k, char const* unchecked) {
        add_number("vertex_rate", k, numbers.vertex_rate, {}, unchecked);
        if (printed_) {
            add_number("vertex_rate_printed", k, numbers.vertex_rate_printed, {}, "as printed: half of the vertex");
            add_number("slope_printed", k, numbers.slope_printed, {}, "as printed, not checked");
            add_number("curvature_printed", k, numbers.curvature_printed, {}, "as printed, not checked");
        }
        add_number("scaling_factor", k, rates.factor, {}, not_random);
        add_number("vertex_times_scaling_factor", k, CurveNumber::product(rates.vertex, rates.factor), {}, unchecked);
        add_transfer({"transferred_rate", "transfer_ratio"}, first_->vertex, rates.vertex, rates.factor, k, unchecked);
        add_number("sampled_minimiser", k, rates.minimiser, {}, is_sampled_itself);
        add_transfer({"transferred_minimiser", "minimiser_transfer_ratio"}, first_->minimiser, rates.minimiser,
                     rates.factor, k, derived_from_samples);
    }

    /// The rate of the first network carried over by the scaling factors, and how far off that is.
    void add_transfer(std::array<char const*, 2> const& names, CurveNumber const& first, CurveNumber const& here,
                      CurveNumber const& factor, std::string const& k, char const* unchecked) {
        if (k == "1") return;
        auto const carried = CurveNumber::product(
            first, CurveNumber::quotient(Surd(1), first_->factor, factor, "a quotient of scaling factors"));
        bool const sampled = carried.is_sampled() || here.is_sampled();
        auto const ratio = sampled ? CurveNumber::quotient_of_estimates(carried, here)
                                   : CurveNumber::quotient(Surd(1), carried, here, "a quotient of rates");
        add_number(names[0], k, carried, {}, sampled ? derived_from_samples : unchecked);
        add_number(names[1], k, ratio, {}, sampled ? derived_from_samples : unchecked);
    }

    void add_number(char const* name, std::string const& k, CurveNumber const& x, std::optional<Check> check,
                    char const* unchecked) {
        answer_.add(name, {k}, x.value(), check, x.is_absent() ? x.form() : unchecked);
    }

    CurveNumber minimiser(NumericModel const& model, LossCurveNumbers const& numbers) const {
        if (data_.fixed) return CurveNumber::absent("constant gradients do not say what the loss is after a step");
        if (sampling_.networks == 0) return CurveNumber::absent("`samples` 0");
        if (session_.output.exact_only) return CurveNumber::absent("exact values alone are compared");
        if (numbers.vertex_rate.is_absent()) return CurveNumber::absent(numbers.vertex_rate.form());
        double const start = numbers.vertex_rate.to_double();
        if (!(start > 0)) return CurveNumber::absent("the vertex is below the range of double");
        try {
            auto const net = data_.sampling_model(sampling_model(model), sampling_factors(model));
            if (request_.samples) require_affordable(net, sampling_.networks, sampling_.control);
            if (!request_.samples && sampling_effort(net).is_long(patience * curves_of_a_minimiser, sampling_.networks))
                return CurveNumber::absent(
                    time_needed(net, curves_of_a_minimiser, sampling_.networks, sampling_.control.threads));
            auto const lowest =
                monte_carlo::minimise_one_step_loss(net, start, sampling_.networks, sampling_.seed, sampling_.control);
            return CurveNumber::sampled(lowest.rate, lowest.rate.largest_share);
        } catch (Error const& e) {
            std::string const why = reason(e);
            std::string const check = "`check`: ";  // which nobody may have asked for
            return CurveNumber::absent(why.starts_with(check) ? why.substr(check.size()) : why);
        }
    }

    // ---- plots

    void require_plottable(LossCurveNumbers const& numbers) const {
        for (auto const* x : {&numbers.loss, &numbers.slope, &numbers.curvature, &numbers.vertex_rate}) {
            if (!x->is_absent()) continue;
            throw UnsupportedError("`plot`: a number of the parabola is missing: " + x->form(), "plot");
        }
    }

    /// L + rate L' + rate^2 L''/2 with its vertex, and the sampled mean loss after one step.
    void plot(std::string const& file) const {
        Plot out;
        out.title = chart_title(session_);
        out.x_label = "learning rate";
        out.y_label = std::string("mean ") + name(data_.loss) + " loss";
        constexpr int intervals = 40;
        for (auto const& c : curves_) {
            double const end = 2 * std::max(c.vertex, c.minimiser);
            auto const parabola = [&](double rate) { return c.loss + rate * (c.slope + rate * c.curvature / 2); };
            PlotSeries exact{.title = c.title + ", to second order", .points = {}};
            std::vector<double> rates;
            for (int i = 0; i <= intervals; ++i) {
                rates.push_back(end * i / intervals);
                // Past twice the vertex the parabola leaves the picture.
                if (rates.back() <= 2 * c.vertex)
                    exact.points.push_back({.x = rates.back(), .y = parabola(rates.back())});
            }
            PlotSeries vertex{.title = c.title + ", vertex", .points = {}, .joined = false, .marked = true};
            vertex.points.push_back({.x = c.vertex, .y = parabola(c.vertex)});
            PlotSeries sampled{.title = c.title + ", sampled", .points = {}, .joined = false, .marked = true};
            if (!sampling_.asked && sampling_effort(c.model).is_long(curves_of_a_minimiser, sampling_.networks))
                throw UnsupportedError("`plot`: " + time_needed(c.model, curves_of_a_minimiser, sampling_.networks,
                                                                sampling_.control.threads),
                                       "plot");
            auto const losses = monte_carlo::sample_one_step_losses(c.model, rates, sampling_.networks, sampling_.seed,
                                                                    sampling_.control);
            for (std::size_t i = 0; i < rates.size(); ++i)
                sampled.points.push_back({.x = rates[i], .y = losses[i].mean, .error = losses[i].std_error});
            if (curves_.size() > 1)  // each network has one colour
                exact.colour = vertex.colour = sampled.colour = static_cast<int>(out.series.size() / 3) + 1;
            out.series.insert(out.series.end(), {exact, vertex, sampled});
        }
        write_plot(out, file, "plot");
    }

    LossCurveRequest const& request_;
    Session const& session_;
    Bindings const& bindings_;
    Answer& answer_;
    bool printed_ = session_.printed;
    CurveData const& data_ = request_.data;
    CurveSampling sampling_;
    std::vector<Curve> curves_;
    std::optional<Rates> first_;    ///< of the first network
    bool shown_ = true;             ///< of the network at hand
    bool is_proportional_ = false;  ///< of the same
};

}  // namespace

Command loss_curve_command() {
    CommandOf<LossCurveRequest> out;
    out.text = {
        .name = "loss-curve",
        .summary = "Expected slope and curvature of the loss along its gradient, and learning rates",
        .positional = "`widths`",
        .positional_help = "One network or several: d_0,..,d_n; d_0 counts the constant feature",
        .most_positionals = 1000,
        .parameters = {printed_parameter()},
        .needless = {"check"},
    };
    out.parameters.add(&LossCurveRequest::typed, model_parameters(one_sample_parameters));
    out.parameters.add({"target_mean", "R", "E y_i of one sample, the same of each output; other moments are about 0",
                        &LossCurveRequest::target_mean, formula(), More{.usual = "0"}});
    out.parameters.add(&LossCurveRequest::typed, branch_parameters());
    ParameterSet<ModelText> of_biases;
    of_biases.add({"bias_label_factor", "LIST",
                   "The step moves biases too, at the rate times these factors: one for all layers or one for each",
                   &ModelText::bias_label_factors, formulas(), More{.usual = "0"}});
    out.parameters.add(&LossCurveRequest::typed, of_biases);
    out.parameters.add(&LossCurveRequest::text, curve_data_parameters());
    out.parameters.add(
        {"with", "FILE",
         "In place of data: JSON with inputs, or their Gram matrix, and the Gram matrix of targets, in symbols too",
         [](LossCurveRequest& into, std::string const& file) { into.with = read_with_file(file, WithUse::samples); },
         More{.refusals = {{{"data", "weights"}, "`with` has the samples; drop {}"}}}});
    out.parameters.add(&LossCurveRequest::batch, batch_parameters());
    out.parameters.add({"samples", "N", "Networks that stand for what has no exact value", &LossCurveRequest::samples,
                        count(0, 1'000'000'000), More{.usual = std::to_string(default_networks)}});
    out.parameters.add(
        {"weights", "FILE", "One network with given weights in place of `widths`", &LossCurveRequest::weights,
         as_text(),
         More{.refusals = {{{"plot",  "network",     "activation", "head",          "scheme",   "variance",
                             "law",   "kurtosis",    "ties",       "bias_variance", "bias_law", "bias_label_factor",
                             "batch", "replacement", "samples",    "check",         "seed",     "threads",
                             "layer", "precision"},
                            "{}: it is for random networks; drop it, or give `widths` in place of `weights`"}}}});
    out.parameters.add(
        {"plot", "FILE", "Draw the parabola and the sampled losses (svg, png or pdf)", &LossCurveRequest::plot,
         picture(), More{.refusals = {{{"table"}, "`plot`: one picture shows one value of the symbols; drop {}"}}}});
    out.complete = complete_loss_curve;
    out.evaluate = [](LossCurveRequest const& request, Session const& session, Bindings const& bindings,
                      Answer& answer) {
        if (request.gram) {
            add_gram_curves(*request.gram, session, bindings, answer);
        } else if (asks_one_sample(request.typed, session)) {
            add_one_sample_curves(request.networks, request.target_mean, session, bindings, answer);
        } else {
            LossCurveCommand(request, session, bindings, answer).run();
        }
    };
    out.expands = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
