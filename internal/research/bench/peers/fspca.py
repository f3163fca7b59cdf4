"""The same method, FSPCA by IPU from Go, in NumPy and SciPy, by the best of its
routes for the shape: the covariance, the Gram matrix of the rows, or products
with X alone.

usage: fspca.py FILE.npy M K REPEATS ROUTE, ROUTE one of covariance, gram, implicit
"""
import json
import resource
import sys
import time

import numpy as np
from scipy.linalg import eigh


def top(a, m):
    n = a.shape[0]
    values, vectors = eigh(a, subset_by_index=(n - m, n - 1), driver="evr")
    return values[::-1], vectors[:, ::-1]


def leading_gram(xc, m):
    n = xc.shape[0]
    values, q = top(xc @ xc.T / (n - 1), m)
    return values, xc.T @ q / np.sqrt(values * (n - 1))


def leading_implicit(x, mean, m, rng, passes=8):
    """Block Krylov with blocks of 16 and full orthogonalisation."""
    n, d = x.shape
    q = np.linalg.qr(rng.standard_normal((d, 16)))[0]
    basis, images = q, None
    for _ in range(passes):
        t = x @ q
        t -= mean @ q
        y = (x.T @ t - np.outer(mean, t.sum(0))) / (n - 1)
        images = y if images is None else np.hstack([images, y])
        z = y - basis @ (basis.T @ y)
        z -= basis @ (basis.T @ z)
        q = np.linalg.qr(z)[0]
        if images.shape[1] < passes * 16:
            basis = np.hstack([basis, q])
    h = basis.T @ images
    values, c = top((h + h.T) / 2, m)
    return values, basis @ c


def choose(scores, k):
    return np.sort(np.argsort(-scores, kind="stable")[:k])


def fit(x, m, k, route, rng):
    n, _ = x.shape
    mean = x.mean(0)
    a = xc = None
    if route == "covariance":
        xc = x - mean
        a = xc.T @ xc / (n - 1)
        values, u = top(a, m)
    elif route == "gram":
        xc = x - mean
        values, u = leading_gram(xc, m)
    else:
        values, u = leading_implicit(x, mean, m, rng)
    support = choose((u * u) @ values, k)
    objective = -1.0
    while True:
        if a is not None:
            block, xs = a[np.ix_(support, support)], None
        else:
            xs = (xc[:, support] if xc is not None else x[:, support] - mean[support])
            block = xs.T @ xs / (n - 1)
        theta, v = top(block, m)
        if theta.sum() <= objective * (1 + 1e-12):
            return support, objective
        objective = theta.sum()
        if a is not None:
            z = a[:, support] @ v
        else:
            r = xs @ v
            z = xc.T @ r if xc is not None else x.T @ r - np.outer(mean, r.sum(0))
            z /= n - 1
        chosen = choose(((z * z) / theta).sum(1), k)
        if np.array_equal(chosen, support):
            return support, objective
        support = chosen


path, m, k, repeats, route = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
x = np.load(path)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
seconds = []
for seed in range(repeats):
    start = time.perf_counter()
    support, objective = fit(x, m, k, route, np.random.default_rng(seed))
    seconds.append(time.perf_counter() - start)
print(json.dumps({
    "seconds": seconds,
    "extra_mib": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
    "objective": float(objective),
    "support": [int(i) for i in support],
}))
