"""Writes logistic_golden.json: L2-penalised softmax regressions by Newton's method.

    python3 logistic_golden.py IRIS.csv WINE.csv > logistic_golden.json

The two files are UCI Iris and Wine with one line before the rows and the class
number last. Needs NumPy. The fit shares nothing with the Go code: it works on the
columns as given, with the full Hessian, until no entry of the gradient exceeds
1e-9 times the sum of absolute terms that make it up.
"""
import json
import sys

import numpy as np


def fit(x, y, c):
    n, p = x.shape
    k = int(y.max()) + 1
    onehot = np.eye(k)[y]
    lam = (2 if k == 2 else 1) / c  # two classes: penalty on the difference
    z = np.hstack([x, np.ones((n, 1))])
    theta = np.zeros((p + 1, k))
    mask = np.ones((p + 1, k))
    mask[p] = 0

    def loss(t):
        s = z @ t
        m = s.max(axis=1, keepdims=True)
        lse = (m + np.log(np.exp(s - m).sum(axis=1, keepdims=True))).ravel()
        return (lse - (s * onehot).sum(axis=1)).sum() + lam / 2 * (mask * t * t).sum()

    for _ in range(200):
        s = z @ theta
        e = np.exp(s - s.max(axis=1, keepdims=True))
        q = e / e.sum(axis=1, keepdims=True)
        g = z.T @ (q - onehot) + lam * mask * theta
        size = np.abs(z).T @ (q + onehot) + lam * mask * np.abs(theta)
        if (np.abs(g) <= 1e-11 * size).all():
            break
        h = np.zeros(((p + 1) * k, (p + 1) * k))
        for a in range(k):
            for b in range(k):
                w = q[:, a] * ((a == b) - q[:, b])
                h[a::k, b::k] = z.T @ (z * w[:, None])
        h += lam * np.diag(mask.ravel())
        h[p * k:, p * k:] += 1  # the loss does not see a shift of all intercepts
        d = np.sqrt(np.diag(h))
        step = (np.linalg.solve(h / np.outer(d, d), g.ravel() / d) / d).reshape(theta.shape)
        t = 1.0
        while loss(theta - t * step) > loss(theta) and t > 1e-8:
            t /= 2
        theta = theta - t * step
    s = z @ theta
    e = np.exp(s - s.max(axis=1, keepdims=True))
    g = z.T @ (e / e.sum(axis=1, keepdims=True) - onehot) + lam * mask * theta
    assert (np.abs(g) <= 1e-9 * size).all(), "not converged"
    theta[p] -= theta[p].mean()
    return theta, loss(theta)


def table(path):
    rows = np.loadtxt(path, delimiter=",", skiprows=1)
    return rows[:, :-1], rows[:, -1].astype(int)


def case(name, x, y, c, keep):
    theta, value = fit(x, y, c)
    out = {"name": name, "c": c, "loss": value,
           "weights": theta[:-1].T.tolist(), "intercepts": theta[-1].tolist()}
    if keep:
        out["x"], out["y"] = x.tolist(), y.tolist()
    return out


def main():
    random = np.random.default_rng(7)
    x3 = np.round(random.normal(size=(24, 3)), 3)
    y3 = random.integers(0, 3, size=24)
    x2 = np.round(random.normal(size=(20, 2)) * [1, 1000] + [-5, 3e4], 3)
    y2 = (x2[:, 0] + random.normal(size=20) > -5).astype(int)
    line = np.arange(-4.0, 4).reshape(-1, 1)
    cases = [
        case("three classes", x3, y3, 1.0, True),
        case("two classes, unequal units", x2, y2, 10.0, True),
        case("separable, weak penalty", line, (line[:, 0] >= 0).astype(int), 1e4, True),
    ]
    for name, path in zip(("iris", "wine"), sys.argv[1:]):
        x, y = table(path)
        cases.append(case(name, x, y, 1.0, False))
    json.dump({"source": "logistic_golden.py", "cases": cases}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
