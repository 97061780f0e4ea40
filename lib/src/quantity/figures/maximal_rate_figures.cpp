// SPDX-License-Identifier: MIT
#include "quantity/figures/maximal_rate_figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/estimator.hpp>

#include "quantity/figures/figure.hpp"

namespace isserlis::quantity {
namespace {

/// The same text `count` times, between commas.
std::string repeated(std::string const& text, int count) {
    std::string out = text;
    for (int i = 1; i < count; ++i) out += "," + text;
    return out;
}

PlotPoint mean_at(double x, std::vector<double> const& values) {
    monte_carlo::RunningVariance all;
    for (double const v : values) all.push(v);
    auto const found = all.estimate();
    return {.x = x, .y = found.mean, .error = found.std_error};
}

std::string mean_of(std::size_t networks) {
    return networks == 1 ? "of 1 network" : "mean of " + std::to_string(networks) + " networks";
}

class MaximalRateFigures {
public:
    MaximalRateFigures(FigureChoice choice, Session const& session, Answer& answer)
        : choice_(std::move(choice)), session_(session), answer_(answer) {
        if (choice_.data.starts_with("cifar10:")) {
            inputs_ = 3073;
        } else if (choice_.data.starts_with("idx:")) {
            inputs_ = 785;
        } else if (!choice_.data.empty()) {
            throw ParseError(
                "`data`: idx:IMAGES,LABELS of 28 x 28 pixels and ten classes, or cifar10:FILE,.. is needed", "data");
        }
        if (choice_.hold_out && choice_.data.empty())
            throw ParseError("`hold_out`: it belongs to `data`; drawn classes have validation samples of their own",
                             "hold_out");
    }

    /// eta* against depth times width, a curve for each width/depth.
    void rates(std::string const& title, bool slow_input) {
        Figure figure = rate_figure(title);
        state_data();
        answer_.assume("a rate will do when the validation accuracy reaches " + std::string(threshold_));
        state_search(slow_input);
        std::vector<FigurePart> parts;
        for (int const ratio : ratios())
            for (int const depth : depths())
                parts.push_back(mean_part(figure, "width/depth=" + std::to_string(ratio), depth * ratio * depth,
                                          search(ratio, depth, slow_input, data(), outputs_, threshold_)));
        figure.run(parts);
        say_left_out();
        figure.fit_all();
        for (int const ratio : ratios()) figure.fit("width/depth=" + std::to_string(ratio));
        figure.draw();
    }

    /// The same on isotropic and anisotropic classes.
    void gaussian() {
        refuse_data();
        Figure figure = rate_figure("Maximal initial rate on Gaussian classes [Iyer 2023, Figure 11], small");
        answer_.assume(
            "two normal classes of 10 features, 600 training and 300 validation samples; a rate will do "
            "when the validation accuracy reaches 0.9");
        state_search(true);
        std::vector<FigurePart> parts;
        for (char const* kind : {"gaussian", "anisotropic"})
            for (int const depth : depths())
                parts.push_back(
                    mean_part(figure, kind, depth * 4 * depth,
                              search(4, depth, true, std::string(kind) + ":2,10,900 hold_out=300", 2, "0.9")));
        figure.run(parts);
        say_left_out();
        for (char const* kind : {"gaussian", "anisotropic"}) figure.fit(kind);
        figure.draw();
    }

    /// eta* of the same networks at two thresholds.
    void thresholds() {
        Figure figure(choice_, session_, answer_,
                      {.title = "Maximal initial rate at two thresholds [Iyer 2023, Figure 2], small",
                       .x_label = "maximal initial rate at accuracy 0.2",
                       .y_label = "maximal initial rate at accuracy 0.6",
                       .series = {},
                       .log_x = true,
                       .log_y = true});
        answer_.assume("a point for each network; thresholds 0.2 and 0.6");
        state_data();
        state_search(true);
        std::vector<FigurePart> parts;
        for (int const ratio : ratios())
            for (int const depth : depths())
                parts.push_back({[&, ratio, depth] {
                                     auto out = found(figure, search(ratio, depth, true, data(), outputs_, "0.2"));
                                     auto const high =
                                         found(figure, search(ratio, depth, true, data(), outputs_, "0.6"));
                                     out.insert(out.end(), high.begin(), high.end());
                                     return out;
                                 },
                                 [&, ratio](std::vector<double> const& rates) {
                                     count_left_out(rates);
                                     std::size_t const half = rates.size() / 2;
                                     for (std::size_t k = 0; k < half; ++k)
                                         if (rates[k] > 0 && rates[half + k] > 0)
                                             figure.add("width/depth=" + std::to_string(ratio),
                                                        {.x = rates[k], .y = rates[half + k]},
                                                        "maximal initial rate at accuracy 0.6");
                                 }});
        figure.run(parts);
        say_left_out();
        figure.draw();
    }

    /// 2/E|lambda_1| of square networks of one input and one output at initialisation.
    void initial_sharpness() {
        refuse_data();
        std::uint64_t const samples = session_.samples.value_or(choice_.quick ? 30 : 400);
        Figure figure(choice_, session_, answer_,
                      {.title = "2/E|lambda_1| at initialisation [Iyer 2023, Figure 3], one input",
                       .x_label = "depth x width",
                       .y_label = "2/E|lambda_1|",
                       .series = {},
                       .log_x = true,
                       .log_y = true});
        answer_.assume("|x|^2 = width, one input and one output, He initialisation; means over " +
                       std::to_string(samples) + " networks, seed " + std::to_string(session_.seed));
        std::vector<FigurePart> parts;
        for (int const width : {8, 16, 32})
            for (int depth = 1; depth <= (choice_.quick ? 3 : 5); ++depth)
                parts.push_back({[&, width, depth] {
                                     std::string const n = std::to_string(width);
                                     auto const sampled = figure.asked("hessian " + widths(width, depth, 1, n) +
                                                                           " input_squared_norm=" + n +
                                                                           " check=" + std::to_string(samples),
                                                                       session_.seed);
                                     auto const top = sampled.at("top_eigenvalue_upper").check.value();
                                     return std::vector{top.mean, top.std_error};
                                 },
                                 [&, width, depth](std::vector<double> const& top) {
                                     figure.add("width " + std::to_string(width),
                                                {.x = static_cast<double>(depth * width),
                                                 .y = 2 / top[0],
                                                 .error = 2 * top[1] / (top[0] * top[0])},
                                                "2 over the sampled mean of |lambda_1|");
                                 }});
        figure.run(parts);
        figure.fit_all();
        figure.draw();
    }

    /// 2/lambda_1 of networks at initialisation against their eta*.
    void sharpness_and_rate(std::string const& title, bool ntk) {
        Figure figure(choice_, session_, answer_,
                      {.title = title,
                       .x_label = "maximal initial rate",
                       .y_label = "2/lambda_1 at initialisation",
                       .series = {},
                       .log_x = true,
                       .log_y = true});
        answer_.assume(
            std::string("a point for each network, whose data and weights are drawn by its seed; ") +
            (ntk ? "NTK parametrisation: derivatives by weights of variance 1, which is a rate times 2/fan_in "
                   "in each layer, and so in the Hessian"
                 : "the input layer trains at a hundredth of the rate, which the Hessian does not see"));
        state_data();
        state_sharpness();
        state_search(!ntk);
        std::vector<FigurePart> parts;
        for (int const depth : depths())
            for (std::uint64_t k = 0; k < networks(); ++k)
                parts.push_back({[&, depth, k] { return pair(figure, depth, session_.seed + k, ntk); },
                                 [&, depth, k](std::vector<double> const& found) {
                                     if (found.empty()) {
                                         ++left_out_;
                                         return;
                                     }
                                     figure.add("depth=" + std::to_string(depth), {.x = found[0], .y = found[1]},
                                                "2/lambda_1 of seed " + std::to_string(session_.seed + k));
                                 }});
        figure.run(parts);
        say_left_out();
        figure.fit_all();
        figure.draw();
    }

    /// lambda_1 at initialisation against the width, for depths and two schemes.
    void sharpness_by_width() {
        Figure figure(choice_, session_, answer_,
                      {.title = "|lambda_1| at initialisation [Iyer 2023, Figure 8], small",
                       .x_label = "width",
                       .y_label = "|lambda_1|",
                       .series = {},
                       .log_x = true,
                       .log_y = true});
        figure.join();
        answer_.assume(
            "means of the modulus of lambda_1 over networks, "
            "whose data and weights are drawn by their seeds; kaiming: variance 2/fan_in, lecun: 1/fan_in");
        state_data();
        state_sharpness();
        std::vector<FigurePart> parts;
        for (int const gain : {2, 1})
            for (int const depth : depths())
                for (int const width : choice_.quick ? std::vector{8, 16, 32} : std::vector{8, 16, 32, 64, 128})
                    parts.push_back({[&, gain, depth, width] {
                                         std::vector<double> values;
                                         for (std::uint64_t k = 0; k < networks(); ++k)
                                             values.push_back(std::abs(number(figure.asked(
                                                 sharpness(width, depth) + " initial_gain=" + std::to_string(gain),
                                                 session_.seed + k))));
                                         return values;
                                     },
                                     [&, gain, depth, width](std::vector<double> const& values) {
                                         figure.add(std::string(gain == 2 ? "kaiming" : "lecun") +
                                                        ",depth=" + std::to_string(depth),
                                                    mean_at(width, values), mean_of(values.size()));
                                     }});
        figure.run(parts);
        figure.draw();
    }

    /// lambda_1 during descent on all samples at once.
    void progressive() {
        if (session_.samples) throw ParseError("`check`: the figure is of one network; leave it out", "check");
        Figure figure(choice_, session_, answer_,
                      {.title = "Sharpness during full-batch descent [Iyer 2023, Figure 5], small",
                       .x_label = "epoch",
                       .y_label = "lambda_1",
                       .series = {},
                       .log_y = true});
        figure.join();
        answer_.assume(
            "one network, two hidden layers of 16 ReLU units, cross-entropy, all samples a step; kaiming: "
            "variance 2/fan_in, lecun: 1/fan_in; rates 2/20, 2/50 and 2/80 as printed");
        state_data();
        state_sharpness();
        std::vector<FigurePart> parts;
        for (int const gain : {1, 2})
            for (int const level : {20, 50, 80})
                parts.push_back({[&, gain, level] { return sharpness_by_epoch(figure, gain, level); },
                                 [&, gain, level](std::vector<double> const& found) {
                                     figure.add_pairs(std::string(gain == 2 ? "kaiming" : "lecun") + ",rate=2/" +
                                                          std::to_string(level),
                                                      found, "of one network");
                                 }});
        figure.run(parts);
        figure.draw();
    }

private:
    [[nodiscard]] std::vector<int> ratios() const { return choice_.quick ? std::vector{4, 8} : std::vector{4, 8, 16}; }
    [[nodiscard]] std::vector<int> depths() const {
        return choice_.quick ? std::vector{2, 3, 4} : std::vector{2, 3, 4, 6, 8};
    }
    [[nodiscard]] std::uint64_t networks() const { return session_.samples.value_or(choice_.quick ? 2 : 5); }

    [[nodiscard]] std::string data() const {
        if (choice_.data.empty()) return "gaussian:10,10,1500 hold_out=300";
        return choice_.data + (choice_.hold_out ? " hold_out=" + std::to_string(*choice_.hold_out) : "");
    }

    /// The training samples of drawn classes; all of a file's.
    [[nodiscard]] std::string sharp_data() const { return choice_.data.empty() ? "gaussian:10,10,1200" : choice_.data; }

    void refuse_data() const {
        if (!choice_.data.empty()) throw ParseError("`data`: this figure is of drawn classes; leave it out", "data");
    }

    void state_data() {
        answer_.assume(choice_.data.empty()
                           ? std::string("ten normal classes of 10 features with the identity as covariance, 1200 "
                                         "training and 300 validation samples, drawn by seed")
                           : "data " + choice_.data);
    }

    void state_sharpness() {
        answer_.assume(std::string("lambda_1: the largest eigenvalue of the Hessian of the mean loss over ") +
                       (choice_.data.empty() ? "the training samples" : "all samples of the data"));
    }

    void state_search(bool slow_input) {
        answer_.assume(std::string("depth: the hidden layers, all of one width; ReLU, variance 2/fan_in; ") +
                       (slow_input ? "the input layer trains at a hundredth of the rate; " : "") +
                       "cross-entropy, 32 samples a step, up to 10 epochs; rates from 64 down to 1/16 by `max-rate`; " +
                       std::to_string(networks()) + " networks each, from seed " + std::to_string(session_.seed));
    }

    [[nodiscard]] Figure rate_figure(std::string const& title) {
        return {choice_,
                session_,
                answer_,
                {.title = title,
                 .x_label = "depth x width",
                 .y_label = "maximal initial rate",
                 .series = {},
                 .log_x = true,
                 .log_y = true}};
    }

    [[nodiscard]] std::string widths(int width, int depth, int outputs, std::string const& inputs) const {
        std::string const n = std::to_string(width);
        return inputs + "," + n + (depth > 1 ? ":" + std::to_string(depth) : "") + "," + std::to_string(outputs);
    }

    [[nodiscard]] std::string search(int ratio, int depth, bool slow_input, std::string const& from, int outputs,
                                     std::string const& threshold) const {
        return "max-rate " + widths(ratio * depth, depth, outputs, std::to_string(inputs_)) + " data=" + from +
               " batch_size=32 highest_rate=64 halvings=10 threshold=" + threshold +
               (choice_.quick ? " bisections=3" : "") +
               (slow_input ? " rate_factors=0.01," + repeated("1", depth) : "");
    }

    [[nodiscard]] std::string sharpness(int width, int depth) const {
        return "sharpness " + widths(width, depth, outputs_, std::to_string(inputs_)) +
               " loss=cross-entropy data=" + sharp_data();
    }

    [[nodiscard]] static double number(Answer const& answer) {
        return std::strtod(answer.at("top_eigenvalue", {"0"}).decimal.value().c_str(), nullptr);
    }

    /// The rates of seeds from the session's on; 0 where no rate, or the highest, will do.
    [[nodiscard]] std::vector<double> found(Figure const& figure, std::string const& line) const {
        auto const answer = figure.asked(line + " networks=" + std::to_string(networks()), session_.seed);
        std::vector<double> out;
        for (std::uint64_t k = 0; k < networks(); ++k)
            out.push_back(rate_of(answer.at("max_initial_rate", {std::to_string(session_.seed + k)})));
        return out;
    }

    [[nodiscard]] static double rate_of(Result const& r) {
        bool const inside = r.decimal && !r.form.starts_with("at least");
        return inside ? std::strtod(r.decimal->c_str(), nullptr) : 0;
    }

    void count_left_out(std::vector<double> const& rates) {
        left_out_ += static_cast<std::size_t>(std::count(rates.begin(), rates.end(), 0.0));
    }

    /// The mean of the rates that are found.
    [[nodiscard]] FigurePart mean_part(Figure& figure, std::string const& curve, double x, std::string const& line) {
        return {[this, &figure, line] { return found(figure, line); },
                [this, &figure, curve, x](std::vector<double> rates) {
                    count_left_out(rates);
                    std::erase(rates, 0.0);
                    if (!rates.empty()) figure.add(curve, mean_at(x, rates), mean_of(rates.size()));
                }};
    }

    /// The maximal rate of a network and 2/lambda_1; nothing where one of them is not there.
    [[nodiscard]] std::vector<double> pair(Figure const& figure, int depth, std::uint64_t seed, bool ntk) const {
        constexpr int ratio = 8;  // width/depth = 16 in the paper
        int const width = ratio * depth;
        std::string const by_layer =
            "2/" + std::to_string(inputs_) + "," + repeated("2/" + std::to_string(width), depth);
        std::string line = search(ratio, depth, !ntk, data(), outputs_, threshold_);
        std::string steep = sharpness(width, depth);
        if (ntk) {
            line += " rate_factors=" + by_layer;
            steep += " label_factors=" + by_layer;
        }
        double const rate = rate_of(figure.asked(line, seed).at("max_initial_rate", {std::to_string(seed)}));
        double const top = number(figure.asked(steep, seed));
        return rate > 0 && top > 0 ? std::vector{rate, 2 / top} : std::vector<double>();
    }

    [[nodiscard]] std::vector<double> sharpness_by_epoch(Figure const& figure, int gain, int level) const {
        int const epochs = choice_.quick ? 60 : 400;
        auto const answer =
            figure.asked("sharpness " + widths(16, 2, outputs_, std::to_string(inputs_)) +
                             " loss=cross-entropy data=" + sharp_data() + " initial_gain=" + std::to_string(gain) +
                             " rate=2/" + std::to_string(level) + " epochs=" + std::to_string(epochs) +
                             " every=" + std::to_string(choice_.quick ? 20 : 10),
                         session_.seed);
        std::vector<double> out;
        for (auto const& r : answer.results()) {
            if (r.name != "top_eigenvalue" || !r.decimal) continue;
            out.push_back(std::strtod(r.index.front().c_str(), nullptr));
            out.push_back(std::strtod(r.decimal->c_str(), nullptr));
        }
        return out;
    }

    void say_left_out() {
        if (left_out_ > 0)
            answer_.warn("left out, since no rate or every rate will do: " + std::to_string(left_out_) +
                         " of the searches");
    }

    FigureChoice choice_;
    Session const& session_;
    Answer& answer_;
    std::size_t inputs_ = 11;  ///< with the constant feature
    int outputs_ = 10;
    char const* threshold_ = "0.6";
    std::size_t left_out_ = 0;
};

}  // namespace

void draw_maximal_rate_figure(FigureChoice const& choice, Session const& session, Answer& answer) {
    std::string const& id = choice.id;
    MaximalRateFigures figures(choice, session, answer);
    std::string const number = id.substr(id.rfind('-') + 1);
    if (number == "1") return figures.rates("Maximal initial rate [Iyer 2023, Figure 1], small", true);
    if (number == "2") return figures.thresholds();
    if (number == "3") return figures.initial_sharpness();
    if (number == "4")
        return figures.sharpness_and_rate("2/lambda_1 and the maximal initial rate [Iyer 2023, Figure 4], small",
                                          false);
    if (number == "5") return figures.progressive();
    if (number == "6")
        return figures.sharpness_and_rate(
            "2/lambda_1 and the maximal initial rate, NTK parametrisation [Iyer 2023, Figure 6], small", true);
    if (number == "8") return figures.sharpness_by_width();
    if (number == "9")
        return figures.rates("Maximal initial rate, one rate for all layers [Iyer 2023, Figure 9], small", false);
    figures.gaussian();
}

}  // namespace isserlis::quantity
