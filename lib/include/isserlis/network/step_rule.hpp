// SPDX-License-Identifier: MIT
#pragma once

namespace isserlis {

/// What the first step of an optimiser moves the weights W by, times minus the rate of the layer, G = d loss/dW.
enum class StepRule {
    descent,     ///< G
    sign,        ///< sign of each entry, 0 for 0: SignSGD, and Adam as epsilon goes to 0
    normalised,  ///< G over the norm of the gradient of all layers; 0 for 0
    orthogonal,  ///< the polar factor U V^T of G = U S V^T, 0 for 0: Muon with exact orthogonalisation
};

}  // namespace isserlis
