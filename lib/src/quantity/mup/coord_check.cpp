// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/formula/rescaled_step.hpp>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/monte_carlo/step_sampler.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/norms.hpp>
#include <map>
#include <memory>

#include <isserlis/model/sampling_model.hpp>
#include "quantity/chain_models.hpp"
#include "quantity/commands.hpp"
#include "quantity/known_queries.hpp"
#include "quantity/mup/mup_sweep.hpp"
#include "quantity/mup/mup_text.hpp"
#include "quantity/observable_check.hpp"
#include "quantity/wired/wired.hpp"
#include "question/measured_file.hpp"

namespace isserlis::quantity {
namespace {

constexpr ModelParameters coord_check_parameters{
    .wiring = true, .target = true, .activation = true, .variance = true, .parametrisation = true, .input = true};
constexpr std::uint64_t most_widths = 1000;

/// Enclosures of all means of one network, kept for each precision: every layer asks for them.
class ChangeMeans {
public:
    ChangeMeans(Numeric net, Surd square) : net_(std::move(net)), square_(std::move(square)) {}

    Interval of_layer(std::size_t l, unsigned bits) {
        auto at = known_.find(bits);
        if (at == known_.end()) at = known_.emplace(bits, coordinate_change_means(net_, square_, bits)).first;
        return at->second[l - 1];
    }

private:
    Numeric net_;
    Surd square_;
    std::map<unsigned, std::vector<Interval>> known_;
};

/// Mean, standard deviation and root mean square of a quantity of a layer.
struct Statistics {
    Value mean = Surd(0);
    Value std = Surd(0);
    Value rms = Surd(0);
};

/// One layer of one network.
struct CoordinateLayer {
    std::string side;  ///< the parametrisation, where two stand beside each other
    std::size_t layer = 0;
    Integer width;  ///< of the network: the value of the swept symbol, else that of the layer
    std::map<std::string, Statistics> of;
    Surd covariance;
    bool changes = false;
    std::optional<Check> mean_check;
    std::optional<Check> covariance_check;
    std::map<std::string, Check> rms_checks;
    Value absolute = Surd(0);  ///< E |z_i|
    std::optional<Check> absolute_check;
    std::map<std::string, monte_carlo::Estimate> sampled_absolutes;  ///< of change and updated
};

Statistics statistics(Surd const& square, std::shared_ptr<ChangeMeans> const& means, std::size_t layer,
                      Surd const& square_of_factor = Surd(1)) {
    Value const rms = root(square, "a root of the second moment");
    if (!means || square.is_zero()) return {.mean = Surd(0), .std = rms, .rms = rms};
    // Of a network that is a rescaling of muP's.
    auto const mean_at = [=](unsigned bits) {
        return sqrt(enclose(square_of_factor, bits + guard_bits)) * means->of_layer(layer, bits + guard_bits);
    };
    return {.mean = Value::certified(mean_at, "E Delta z, by odd moments of lengths"),
            .std = Value::certified(
                [=](unsigned bits) {
                    Interval const mean = mean_at(bits + guard_bits);
                    return sqrt(enclose(square, bits + guard_bits) - mean * mean);
                },
                "sqrt(rms^2 - mean^2)"),
            .rms = rms};
}

/// Moments of these layers: many in one sweep, two by products of their own.
template <class R>
std::vector<CoordinateMoments<R>> moments_of(FullyConnected<R, std::uint64_t> const& net, R const& square,
                                             R const& target_second, std::vector<std::uint64_t> const& which) {
    std::vector<CoordinateMoments<R>> out;
    if (which.size() <= 2) {
        for (auto const l : which) out.push_back(coordinate_moments_of_layer(net, square, target_second, l));
        return out;
    }
    auto const all = coordinate_moments(net, square, target_second);
    for (auto const l : which) out.push_back(all[l - 1]);
    return out;
}

std::vector<CoordinateMoments<Surd>> moments_of(Numeric const& one_by_one, NumericModel const& model,
                                                std::vector<std::uint64_t> const& which) {
    Numeric const& net = which.size() <= 2 ? model.net : one_by_one;
    if (!is_rational(model)) return moments_of(net, model.squared_norm, model.target_second, which);
    auto const rational = over_rationals(model, net);
    std::vector<CoordinateMoments<Surd>> out;
    for (auto const& x : moments_of(rational.net, rational.squared_norm, rational.target_second, which))
        out.push_back({.square = x.square, .covariance = x.covariance, .change_square = x.change_square});
    return out;
}

/// The muP network that the model's is a rescaling of.
NumericModel mup_model(NumericModel const& model, RescaledStep<Surd> const& rescaled) {
    NumericModel out = model;
    out.net = rescaled.net();
    out.target_second = rescaled.target_second();
    return out;
}

/// Root mean squares of drawn networks; none without `check`.
std::vector<monte_carlo::StepEstimates> sampled_steps(Numeric const& net, NumericModel const& model,
                                                      Session const& session) {
    if (!session.samples) return {};
    double weights = 0;
    for (auto const& run : net.layers) weights += to_double(Surd(run.fan_in * run.fan_out));
    require_feasible(weights, *session.samples, session.run_control());
    return monte_carlo::sample_steps(sampling_model(model), sampling_factors(model),
                                     to_double(model.target_second) / to_double(net.output_width()), *session.samples,
                                     session.seed, session.run_control());
}

/// Enclosures of E |z_i| of all layers, kept for each precision.
class AbsoluteMeans {
public:
    AbsoluteMeans(Numeric net, Surd square) : net_(std::move(net)), square_(std::move(square)) {}

    Interval of_layer(std::size_t l, unsigned bits) {
        auto at = known_.find(bits);
        if (at == known_.end()) at = known_.emplace(bits, absolute_preactivation_means(net_, square_, bits)).first;
        return at->second[l - 1];
    }

private:
    Numeric net_;
    Surd square_;
    std::map<unsigned, std::vector<Interval>> known_;
};

/// The square's standard error over twice the root is that of the root.
Check rms_check(Statistics const& exact, monte_carlo::Estimate const& square) {
    double const root = std::sqrt(square.mean);
    return compare_sampled(exact.rms.to_double(), root, root == 0 ? 0 : square.std_error / (2 * root), square.samples);
}

/// Of the covariances, and of the mean changes that are not 0, all on the same networks.
void add_mean_checks(std::vector<CoordinateLayer>& listed, std::uint64_t layers, NumericModel const& model,
                     Session const& session, Answer& answer) {
    if (!session.samples) return;
    std::vector<AskedMean> asked;
    std::vector<std::optional<Check>*> places;
    for (auto& here : listed) {
        bool const is_output = here.layer == layers;
        std::string const z = is_output ? "z" : "z{" + std::to_string(here.layer) + "}";
        asked.push_back({"-" + z + "[1] " + z + "[1;m] z[j;m] z[j]", to_double(here.covariance)});
        places.push_back(&here.covariance_check);
        if (is_output || !here.changes) continue;
        asked.push_back({"-" + z + "[1;m] z[j;m] z[j]", here.of["change"].mean.to_double()});
        places.push_back(&here.mean_check);
    }
    auto const checks = observable_checks(asked, model, session, answer);
    for (std::size_t k = 0; k < places.size(); ++k) *places[k] = checks[k];
}

std::vector<CoordinateLayer> layers_of(NumericModel const& model, std::optional<Integer> const& width,
                                       Session const& session, Answer& answer) {
    require_rates(model);
    std::uint64_t const layers = checked_depth(model.net, "coord-check");
    require_sampled_depth(session, layers);
    auto const net = layer_by_layer(model.net, layers);
    auto const listed = listed_layers(session, layers, 2, "layers only the last hidden one and the output are", answer);
    RescaledStep<Surd> const rescaled(model.net, model.target_second);
    auto const mup = mup_model(model, rescaled);
    auto const mup_net = *layer_by_layer(mup.net, layers);
    auto const mup_moments = moments_of(mup_net, mup, listed);
    auto const means = std::make_shared<ChangeMeans>(mup_net, model.squared_norm);
    auto const absolutes = std::make_shared<AbsoluteMeans>(*net, model.squared_norm);
    auto const steps = sampled_steps(*net, model, session);
    std::vector<CoordinateLayer> out;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        std::uint64_t const l = listed[i];
        auto const x = rescaled.moments(l, mup_moments[i]);
        Surd const of_means = rescaled.growth(l) * rescaled.whole() * rescaled.whole();
        bool const is_output = l == layers;
        auto const of_change = is_output ? nullptr : means;
        CoordinateLayer here;
        here.layer = l;
        here.width = width.value_or(numerator_of(net->layers[l - 1].fan_out.to_rational()));
        here.of["preactivation"] = statistics(x.square, nullptr, l);
        here.of["change"] = statistics(x.change_square, x.change_square.is_zero() ? nullptr : of_change, l, of_means);
        here.of["updated"] =
            statistics(x.updated_square(), x.change_square.is_zero() ? nullptr : of_change, l, of_means);
        here.absolute =
            Value::certified([absolutes, l](unsigned bits) { return absolutes->of_layer(l, bits + guard_bits); },
                             "sqrt(2 v/pi) E |h|, by mean lengths");
        here.covariance = x.covariance;
        here.changes = !x.change_square.is_zero();
        if (session.samples) {
            here.rms_checks = {{"preactivation", rms_check(here.of["preactivation"], steps[l - 1].square)},
                               {"change", rms_check(here.of["change"], steps[l - 1].change_square)},
                               {"updated", rms_check(here.of["updated"], steps[l - 1].updated_square)}};
            auto const& absolute = steps[l - 1].absolute;
            here.absolute_check =
                compare_sampled(here.absolute.to_double(), absolute.mean, absolute.std_error, absolute.samples);
            here.sampled_absolutes = {{"change", steps[l - 1].change_absolute},
                                      {"updated", steps[l - 1].updated_absolute}};
        }
        out.push_back(std::move(here));
    }
    add_mean_checks(out, layers, model, session, answer);
    return out;
}

/// E |Delta z| and E |z + Delta z|, of which no exact form is known: sampled values with their errors.
void add_sampled_absolute(char const* quantity, CoordinateLayer const& x, std::vector<std::string> const& index,
                          Answer& answer) {
    auto const at = x.sampled_absolutes.find(quantity);
    if (at == x.sampled_absolutes.end()) return;
    std::string const name = std::string(quantity) + "_absolute_mean";
    if (x.changes) {
        answer.add(name, index, CurveNumber::sampled(at->second).value(), {}, "a sampled value itself");
    } else {
        bool const change = std::string_view(quantity) == "change";
        answer.add(name, index, change ? Value(Surd(0)) : x.absolute, {}, "nothing changes");
    }
}

void add_layer(CoordinateLayer const& x, Answer& answer) {
    std::vector<std::string> const index{std::to_string(x.layer), to_string(x.width)};
    constexpr char const* certain = "0 by the symmetry of the weights";
    constexpr char const* by_rms = "the root of rms^2 - mean^2, which are checked";
    auto check_of = [&](char const* quantity) {
        auto const at = x.rms_checks.find(quantity);
        return at == x.rms_checks.end() ? std::nullopt : std::optional(at->second);
    };
    auto const& change = x.of.at("change");
    answer.add("preactivation_mean", index, Surd(0), {}, certain);
    answer.add("preactivation_std", index, x.of.at("preactivation").std, check_of("preactivation"));
    answer.add("preactivation_absolute_mean", index, x.absolute, x.absolute_check);
    answer.add("change_mean", index, change.mean, x.mean_check, "0 for targets of mean 0");
    answer.add("change_std", index, change.std, {}, by_rms);
    answer.add("change_rms", index, change.rms, check_of("change"));
    answer.add("change_covariance", index, x.covariance, x.covariance_check);
    add_sampled_absolute("change", x, index, answer);
    answer.add("updated_mean", index, x.of.at("updated").mean, {}, "it is change_mean, which is checked");
    answer.add("updated_std", index, x.of.at("updated").std, {}, by_rms);
    answer.add("updated_rms", index, x.of.at("updated").rms, check_of("updated"));
    add_sampled_absolute("updated", x, index, answer);
}

/// The shortest digits that are read back as this double.
std::string number(double x) {
    std::array<char, 40> buffer{};
    auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
    return {buffer.data(), end};
}

/// Exponents have commas.
std::string csv_field(std::string const& text) {
    return text.find(',') == std::string::npos ? text : "\"" + text + "\"";
}

/// The covariance, of the change with the pre-activation, stands in the lines of the change.
std::string exact_table(std::vector<CoordinateLayer> const& all, int digits) {
    bool const sides = !all.empty() && !all.front().side.empty();
    std::string out = std::string(sides ? "parametrisation," : "") + "layer,width,quantity,mean,std,rms,covariance\n";
    auto const text = [&](Value const& x) { return x.decimal(digits).value_or(""); };
    for (char const* quantity : {"preactivation", "change", "updated"}) {
        for (auto const& x : all) {
            auto const& s = x.of.at(quantity);
            bool const change = std::string_view(quantity) == "change";
            if (sides) out += csv_field(x.side) + ",";
            out += std::to_string(x.layer) + "," + to_string(x.width) + "," + quantity + "," + text(s.mean) + "," +
                   text(s.std) + "," + text(s.rms) + "," + (change ? text(x.covariance) : "") + "\n";
        }
    }
    return out;
}

/// Sets what was measured beside what is exact; the result as CSV.
std::string add_measured(std::vector<MeasuredRow> const& rows, std::string const& path,
                         std::vector<CoordinateLayer> const& all, Answer& answer) {
    std::map<std::pair<std::uint64_t, Integer>, CoordinateLayer const*> by_place;
    for (auto const& x : all) by_place.emplace(std::pair(x.layer, x.width), &x);
    std::string table = "layer,width,quantity,statistic,value,exact,std_error,z,verdict\n";
    for (auto const& row : rows) {
        std::string const where = "`measured`: '" + printable(path) + "' line " + std::to_string(row.line);
        auto const at = by_place.find({row.layer, Integer(row.width)});
        if (at == by_place.end()) {
            std::string known;
            for (auto const& x : all) {
                std::string const place = std::to_string(x.layer) + "," + to_string(x.width);
                if (known.size() < 200) known += (known.empty() ? "" : "; ") + place;
            }
            throw DomainError(where + ": there is no layer,width of " + std::to_string(row.layer) + "," +
                                  std::to_string(row.width) + "; known are " + known,
                              "measured");
        }
        auto const& s = at->second->of.at(row.quantity);
        Value const& exact = row.statistic == "mean" ? s.mean : s.rms;
        double const value = exact.to_double();
        double const error = row.std_error.value_or(s.std.to_double() / std::sqrt(static_cast<double>(row.samples)));
        // An error of the file's own is taken at its word.
        Check check = compare(value, row.value, error, Check::ErrorKind::exact, row.samples);
        if (row.std_error) check.std_error_kind = Check::ErrorKind::sampled;
        answer.add(row.quantity + "_" + row.statistic,
                   {std::to_string(row.layer), std::to_string(row.width), std::to_string(row.line)}, exact, check);
        table += std::to_string(row.layer) + "," + std::to_string(row.width) + "," + row.quantity + "," +
                 row.statistic + "," + number(row.value) + "," + number(value) + "," + number(error) + "," +
                 number(check.z) + "," + name(check.verdict) + "\n";
    }
    return table;
}

/// The symbol whose values are the widths; none where they have numbers only.
std::optional<std::string> swept_symbol(ModelText const& text, Bindings const& bindings) {
    std::vector<std::string> open;
    for (auto const& s : text.symbols()) {
        if (bindings.count(s) == 0) open.push_back(s);
    }
    if (open.empty()) return std::nullopt;
    if (open.size() == 1) return open.front();
    throw DomainError("`widths`: " + open[0] + " and " + open[1] +
                          " have no value; `width_list` gives one symbol its values, "
                          "`set` the others",
                      "widths");
}

/// What `coord-check` is asked.
struct CoordCheckRequest {
    ModelText model;
    std::optional<Parametrisation> beside;             ///< whose table is to stand beside the first one
    std::optional<std::vector<std::uint64_t>> widths;  ///< `width_list`
    std::optional<std::string> measured;               ///< a file
    std::vector<MeasuredRow> rows;                     ///< its content
};

std::vector<std::uint64_t> widths_asked(CoordCheckRequest const& request) {
    if (request.widths) return *request.widths;
    std::set<std::uint64_t> out;
    for (auto const& row : request.rows) out.insert(row.width);
    return {out.begin(), out.end()};
}

/// Closed forms are of fully connected ReLU networks; the others go by strands.
bool is_wired(ModelText const& text) {
    return text.wiring != Wiring::vanilla || text.activation != ActivationKind::relu;
}

void complete_check(CoordCheckRequest& request, Session const& session) {
    auto const& widths = session.question.words;
    if (widths.empty() && request.model.wiring != Wiring::file)
        throw ParseError(
            "`widths` is missing; such as isserlis coord-check n,n:3,1 `input_squared_norm` n `width_list` 16,64,256",
            "widths");
    auto& text = request.model;
    text = read_network(text, widths.empty() ? "" : widths[0], session, true);
    if (!text.named_scheme && text.variances.empty() && !text.parametrisation && !is_wired(text))
        text.scheme = Scheme::mean_field;
    if (is_wired(text) && request.measured)
        throw UnsupportedError("`measured`: fully connected (vanilla) ReLU networks are served", "measured");
    check_bindings(text.symbols(), session);
    if (widths_asked(request).size() > most_widths)
        throw UnsupportedError("`width_list`: " + std::to_string(most_widths) + " widths are served", "width_list");
}

void evaluate_check(CoordCheckRequest const& request, Session const& session, Bindings const& bindings,
                    Answer& answer) {
    auto const& text = request.model;
    std::vector<ModelText> sides{text};
    if (request.beside) {
        sides.push_back(text);
        sides.back().parametrisation = request.beside;
    }
    for (auto const& side : sides) state_mup(side, answer);
    if (text.has_unit_parameters())
        answer.assume("the step is one of theta: W moves by minus its rate times 1/fan_in times the gradient by W");
    answer.assume(
        "one rate for each layer, the output layer too; of the outputs, targets of mean 0 and equal second "
        "moments");
    std::vector<CoordinateLayer> all;
    auto add_network = [&](Bindings const& values, std::optional<Integer> const& width) {
        for (auto const& side : sides) {
            auto const model = numeric_model(side, values);
            if (is_wired(side)) {
                begin_wired(model, side, session, answer);
                add_wired_steps(model, width, session, answer);
                return;
            }
            for (auto& x : layers_of(model, width, session, answer)) {
                if (sides.size() > 1) x.side = side.parametrisation->name;
                all.push_back(std::move(x));
            }
            emit_steps_test(model, session, answer);
        }
    };
    auto const symbol = swept_symbol(text, bindings);
    if (symbol) {
        auto const widths = widths_asked(request);
        if (widths.empty()) {
            throw DomainError("`widths`: the symbol " + *symbol + " has no value; `width_list` 16,64,256 gives it some",
                              "width_list");
        }
        for (auto const& width : widths) {
            Bindings values = bindings;
            values[*symbol] = Rational(Integer(width));
            add_network(values, Integer(width));
        }
    } else {
        if (request.widths) {
            throw ParseError(
                "`width_list`: `widths` has no symbol to give these values; write it with one, such as n,n:3,1",
                "width_list");
        }
        add_network(bindings, std::nullopt);
    }
    if (is_wired(text)) return;
    answer.warn(
        "means and root mean squares are exact, E |z| before the step has certified digits; E |Delta z| and E |z + "
        "Delta z| "
        "are no polynomials and are sampled, with `check`");
    if (answer.document()) return;  // a test
    bool const csv = session.output.format == Format::csv;
    if (request.measured) {
        std::string table = add_measured(request.rows, *request.measured, all, answer);
        answer.warn(
            "indices are layer, width and line of the file; a value is the mean of its samples, taken as "
            "independent");
        if (csv) answer.set_table(std::move(table));
    } else if (csv && !session.samples) {
        answer.set_table(exact_table(all, session.output.digits));
    } else {
        answer.expect(12 * all.size());
        for (auto const& x : all) {
            if (!x.side.empty()) {
                answer.set_index_prefix({x.side});
                answer.name_index_prefix("parametrisation");
            }
            add_layer(x, answer);
        }
    }
}

}  // namespace

Command coord_check_command() {
    CommandOf<CoordCheckRequest> out;
    out.text = {
        .name = "coord-check",
        .summary = "Exact means and standard deviations of coordinates before and after one step, of muP by default",
        .positional = "`widths`",
        .positional_help = "n_0,..,n_(L+1); one symbol may stand for the widths of `width_list`",
        .parameters = emit_parameters(
            {{{"layer", "width_list", "measured"}, "{}: `emit_test` tests all layers of one network; leave it out"}}),
        .refusals = {{{"table"}, "{}: `width_list` gives the symbol its values here"}},
        .charted = "change_std",
    };
    ParameterSet<ModelText> of_model = with_linear_head(model_parameters(coord_check_parameters));
    of_model.at("scheme").text.usual = "mean-field, muP";
    auto const branches = branch_parameters();
    for (auto const& row : branches.rows()) of_model.add(row);
    of_model.add(label_factor_parameter(
        "eta", "LIST", "Rates: one for all layers or one for each weight layer; symbols allowed", More{.usual = "1"}));
    out.parameters.add(&CoordCheckRequest::model, of_model);
    out.parameters.add(
        "beside", "standard|ntk|mean-field|mup|A,B,C",
        "A second parametrisation in the same table; its name is the first index",
        [](CoordCheckRequest& into, std::string const& typed) { into.beside = parse_parametrisation(typed); },
        More{.needs = {"parametrisation"},
             .refusals = {{{"measured", "emit_test"}, "{} is for one parametrisation; leave `beside` out"}}});
    out.parameters.add("width_list", "LIST", "Values of the one symbol in `widths`", &CoordCheckRequest::widths,
                       Reader<std::vector<std::uint64_t>>{[](std::string const& list, std::string const& parameter) {
                           return different_widths(list, parameter, 1'000'000);
                       }});
    out.parameters.add(
        "measured", "FILE",
        "CSV with columns layer,width,value and, if there, quantity (preactivation, change, "
        "updated), statistic (mean, rms), samples, std_error: gives z-scores",
        [](CoordCheckRequest& into, std::string const& file) {
            into.measured = file;
            into.rows = read_measured_file(file);
        },
        More{.refusals = {{{"check"}, "{}: `measured` has its own samples; give one of them"}}});
    out.complete = complete_check;
    out.evaluate = evaluate_check;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
