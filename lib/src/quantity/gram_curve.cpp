// SPDX-License-Identifier: MIT
#include "quantity/gram_curve.hpp"

#include <isserlis/error.hpp>
#include <isserlis/network/loss_kind.hpp>

#include "quantity/given_samples.hpp"
#include "quantity/one_sample_curve.hpp"
#include "quantity/wired/wired.hpp"
#include "question/model_statement.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {

void complete_gram_curve(GramCurve& request, Session const& session) {
    require_possible_products(request.file, session);
    for (char const* parameter :
         {"input", "input_squared_norm", "input_fourth", "target_second_moment", "target_third_moment", "target_mean",
          "size", "standardize", "c", "at_output", "samples", "plot", "ties", "printed", "parametrisation", "layer"}) {
        bool const given = session.question.parameters.count(parameter) != 0 ||
                           (session.printed && parameter == std::string("printed"));
        if (given)
            throw UnsupportedError(
                named(parameter) + ": the samples are those of `with`, and their curve is exact; leave it out",
                parameter);
    }
    refuse_idle_sampling("the curve of samples of `with`", session);
    if (request.typed.gated_head)
        throw UnsupportedError("`head`: samples of `with` are served with a linear head", "head");
    if (request.typed.wiring == Wiring::file && !request.typed.bias_label_factors.empty())
        throw UnsupportedError("`bias_label_factor`: steps of the biases of a network file are not served",
                               "bias_label_factor");
    LossKind const loss = request.text.loss.value_or(LossKind::squared);
    if (request.text.fixed.value_or(false) || (loss != LossKind::squared && loss != LossKind::half_squared))
        throw UnsupportedError(std::string(request.text.fixed.value_or(false) ? "`gradient` fixed" : "`loss`") +
                                   ": samples of `with` are served for random gradients of squared errors",
                               request.text.fixed.value_or(false) ? "gradient" : "loss");
    (void)batch_of(request.batch, request.file.input_names.size());  // refuses one that is too large
    request.networks = read_networks_of_samples(request.typed, session, request.file.symbols());
}

void add_gram_curves(GramCurve const& request, Session const& session, Bindings const& bindings, Answer& answer) {
    WithFile const& file = request.file;
    bool const half = request.text.loss == LossKind::half_squared;
    std::size_t const size = file.input_names.size();
    answer.assume(std::to_string(size) + (size == 1 ? " sample" : " samples") + ", those of " +
                  session.question.parameters.at("with").back() + ": inputs " +
                  (file.gram.empty() ? "as vectors" : "by their Gram matrix, whose rank is at most the input width") +
                  targets_by_gram + "; what symbols stand for leaves both positive semidefinite");
    auto const& loss = info(half ? LossKind::half_squared : LossKind::squared);
    answer.assume(std::string("loss ") + loss.name + ", " + loss.value + ", the mean over samples");
    state_batch_step(request.batch, answer);
    for (std::size_t i = 0; i < request.networks.size(); ++i) {
        auto const& text = request.networks[i];
        state_assumptions(text, {.wiring = true, .activation = true, .variance = true, .law = true}, answer);
        state_stepped_parameters(text, answer);
        auto const add = [&]<class R, class Count>(Model<R, Count> const& model) {
            GramSamples<R> samples{.inputs = input_products<R>(file, model.graph().input_width, bindings),
                                   .targets = values_of<R>(file.targets, bindings),
                                   .factor = half ? R(ratio(1, 2)) : R(1),
                                   .batch = batch_of(request.batch, size)};
            declare_grams(file, model, bindings, answer);
            add_wired_gram_curve(model, samples, std::to_string(i + 1), session, answer);
        };
        with_model_of_samples(file.symbols(), text, session, bindings, answer, add);
    }
}

}  // namespace isserlis::quantity
