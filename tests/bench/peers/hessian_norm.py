# SPDX-License-Identifier: MIT
"""T5 over NumPy, by block norms of all networks at once, and over functorch's vmap(hessian) where there is torch: the
squared Frobenius norm of the Hessian of 1/2 z^2, ReLU 4-8-8-1, variance 2/fan-in, weights drawn. The check value is the
number of networks, and stands for a mean within 6 standard errors of the exact one."""
import sys

import numpy as np
from measure import measure

WIDTHS = [4, 8, 8, 1]
X = np.array([0.5, -1.0, 0.25, 2.0])
EXACT = 43241625 / 16384
NETWORKS = 20000


def draw(rng, count):
    return [rng.standard_normal((count, b, a)) * (2 / a) ** 0.5 for a, b in zip(WIDTHS, WIDTHS[1:])]


def checked(norms):
    error = norms.std() / len(norms) ** 0.5
    if abs(norms.mean() - EXACT) > 6 * error:
        sys.exit(f"mean {norms.mean()} with error {error}, not {EXACT}")
    return NETWORKS


def by_block_norms(rng):
    w1, w2, w3 = draw(rng, NETWORKS)
    z1 = w1 @ X
    g1 = (z1 > 0).astype(float)
    h1 = z1 * g1
    z2 = np.einsum("nij,nj->ni", w2, h1)
    g2 = (z2 > 0).astype(float)
    h2 = z2 * g2
    b2 = w3[:, 0, :] * g2
    b1 = np.einsum("ni,nij->nj", b2, w2) * g1
    z = np.einsum("ni,ni->n", w3[:, 0, :], h2)
    map21 = g2[:, :, None] * w2 * g1[:, None, :]
    x2, n1, n2 = X @ X, (b1**2).sum(1), (b2**2).sum(1)
    q1, q2 = (h1**2).sum(1), (h2**2).sum(1)
    curvature = 2 * (n2 * g1.sum(1) * x2 + (map21**2).sum((1, 2)) * x2 + g2.sum(1) * q1)
    kernel = n1 * x2 + n2 * q1 + q2
    step = b1 * x2
    crossed = 2 * (
        n2 * np.einsum("ni,ni->n", h1, step)
        + np.einsum("ni,ni->n", h2, b2) * q1
        + np.einsum("ni,ni->n", h2 * g2, np.einsum("nij,nj->ni", w2, step))
    )
    return kernel**2 + 2 * z * crossed + z**2 * curvature


def main():
    rng = np.random.default_rng(3)
    case = f"networks:{NETWORKS}"
    measure("T5 Hessians", case, "NumPy block norms", lambda: by_block_norms(rng), checked)
    try:
        import functorch
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    x = torch.from_numpy(X)

    def half_square(w):
        first, second, last = w[:32].view(8, 4), w[32:96].view(8, 8), w[96:].view(1, 8)
        return (last @ torch.relu(second @ torch.relu(first @ x)))[0] ** 2 / 2

    hessians = functorch.vmap(functorch.hessian(half_square))

    def by_vmap():
        norms = []
        for _ in range(NETWORKS // 2000):
            weights = np.concatenate([w.reshape(2000, -1) for w in draw(rng, 2000)], axis=1)
            norms.append((hessians(torch.from_numpy(weights)) ** 2).sum((1, 2)).numpy())
        return np.concatenate(norms)

    measure("T5 Hessians", case, "functorch vmap", by_vmap, checked)


if __name__ == "__main__":
    main()
