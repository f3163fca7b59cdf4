"""Dense PCA by the strongest ways of NumPy and SciPy: the leading m pairs alone.

usage: dense.py FILE.npy M REPEATS WAY TYPE -> one line of JSON with the seconds of each fit

WAY is one of
  covariance_eigh   XᵀX − n·μμᵀ and LAPACK's evr for the m pairs, as scikit-learn's covariance_eigh
  covariance_eigsh  the same matrix and ARPACK
  gram_eigsh        (X − μ)(X − μ)ᵀ and ARPACK
  randomized        range finder of m + 10 columns and four power iterations by QR, X centred in the products
TYPE is f8 or f4.
"""
import json
import sys
import time

import numpy as np
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh

path, m, repeats, way, kind = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
x = np.load(path).astype(kind, copy=False)
n, d = x.shape


def covariance():
    mean = x.mean(0)
    a = x.T @ x
    a -= n * np.outer(mean, mean)
    a /= n - 1
    return a


def covariance_eigh():
    return eigh(covariance(), subset_by_index=(d - m, d - 1), driver="evr", overwrite_a=True)[0]


def covariance_eigsh():
    return eigsh(covariance(), m)[0]


def gram_eigsh():
    centred = x - x.mean(0)
    g = centred @ centred.T / (n - 1)
    values, q = eigsh(g, m)
    centred.T @ q  # the vectors
    return values


def randomized():
    mean = x.mean(0)
    rng = np.random.default_rng(1)
    q = rng.standard_normal((d, m + 10)).astype(kind)
    for _ in range(5):
        t = x @ q
        t -= mean @ q
        t = np.linalg.qr(t)[0]
        q = x.T @ t
        q -= np.outer(mean, t.sum(0))
        q = np.linalg.qr(q)[0]
    t = x @ q
    t -= mean @ q
    return np.linalg.svd(t, full_matrices=False)[1][:m] ** 2 / (n - 1)


seconds, cpu = [], []
for _ in range(repeats):
    start, spent = time.perf_counter(), time.process_time()
    values = globals()[way]()
    seconds.append(time.perf_counter() - start)
    cpu.append(time.process_time() - spent)
print(json.dumps({"seconds": seconds, "cpu": cpu, "objective": float(np.sum(values))}))
