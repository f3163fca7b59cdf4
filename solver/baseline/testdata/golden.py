"""Second opinion on the baselines, written from their papers with NumPy only.

    python3 golden.py > golden.json

It shares no code and no shortcut with the Go package: W is always a full d×m
matrix, products and projections are dense, the Fantope shift is found by
bisection on all eigenvalues, and deflation changes the matrix itself.
golden.json was written with NumPy 1.24.2.

Sources: Wang, Lu, Liu 2014 (SOAP); Yang, Xu 2015 (SRT); Yuan, Zhang 2013
(TPower, with and without deflation); Magdon-Ismail, Boutsidis 2016 (CSSP);
Vu, Cho, Lei, Rohe 2013 (FPS).
"""
import json
import sys

import numpy as np

STEPS = 40  # of SOAP and SRT


def largest(scores, k):
    """The k largest, ties to the lower index, ascending."""
    return np.sort(np.argsort(-np.asarray(scores), kind="stable")[:k])


def truncate(w, k):
    keep = largest((w**2).sum(axis=1), k)
    out = np.zeros_like(w)
    out[keep] = w[keep]
    return out


def objective(a, support, m):
    return np.linalg.eigvalsh(a[np.ix_(support, support)])[-m:].sum()


def iterate(a, k, w0, soap):
    """The objective and the support of every feasible point."""
    w = np.linalg.qr(w0)[0]
    points = []
    if np.count_nonzero((w0**2).sum(axis=1)) <= k:
        points.append(w)
    while len(points) <= STEPS:
        v = a @ w
        if soap:
            v = np.linalg.qr(v)[0]
        w = np.linalg.qr(truncate(v, k))[0]
        points.append(w)
    trace = [float(np.trace(w.T @ a @ w)) for w in points]
    supports = [largest((w**2).sum(axis=1), k).tolist() for w in points]
    return {"trace": trace, "supports": supports}


def truncated_power(a, k, iterations=50, tolerance=1e-6):
    x = np.zeros(len(a))
    x[np.argmax(np.diag(a))] = 1.0

    def cut(s):
        keep = largest(s**2, k)
        out = np.zeros_like(s)
        out[keep] = s[keep]
        return out / np.linalg.norm(out)

    x = cut(a @ x)
    value = x @ a @ x
    steps = 0
    while steps < iterations:
        x = cut(a @ x)
        steps += 1
        before, value = value, x @ a @ x
        if abs(value - before) <= tolerance * abs(value):
            break
    return x, steps


def deflate(a, k, m):
    b, columns = a.copy(), []
    for _ in range(m):
        x, _ = truncated_power(b, k)
        columns.append(x * np.sign(x[np.argmax(np.abs(x))]))
        p = np.eye(len(a)) - np.outer(x, x)
        b = p @ b @ p
    v = np.array(columns).T
    q = np.linalg.qr(v)[0]
    return {
        "vectors": v.tolist(),
        "explained": float(np.trace(v.T @ a @ v)),
        "adjusted": float(np.trace(q.T @ a @ q)),
    }


def encoder_variance(a, support, m):
    """Tr(QᵀAQ) of the orthonormalised encoder, from a square root of A."""
    w, v = np.linalg.eigh(a)
    x = (v * np.sqrt(np.clip(w, 0, None))) @ v.T
    q, r = np.linalg.qr(x[:, support])
    u = np.linalg.svd(q.T @ x)[0][:, :m]
    h = np.zeros((len(a), m))
    h[support] = np.linalg.solve(r, u)
    g = np.linalg.qr(h)[0]
    return float(np.trace(g.T @ a @ g))


def fantope(b, m):
    w, v = np.linalg.eigh(b)
    lo, hi = w.min() - 1, w.max()
    for _ in range(200):
        mid = (lo + hi) / 2
        if np.clip(w - mid, 0, 1).sum() > m:
            lo = mid
        else:
            hi = mid
    return (v * np.clip(w - hi, 0, 1)) @ v.T


def fps(a, m, lam, iterations=100, tolerance=1e-3):
    """Fantope projection and selection for an A of largest entry 1."""
    z, u, rho = np.zeros_like(a), np.zeros_like(a), 1.0
    bound = tolerance * np.sqrt(m)
    steps = 0
    for _ in range(iterations):
        x = fantope(z - u + a / rho, m)
        before = z
        t = x + u
        z = np.sign(t) * np.clip(np.abs(t) - lam / rho, 0, None)
        u = u + x - z
        steps += 1
        primal = np.linalg.norm(x - z)
        dual = rho * np.linalg.norm(z - before)
        if primal < bound and dual < bound:
            break
        if primal > 10 * dual:
            rho, u = rho * 2, u / 2
        elif dual > 10 * primal:
            rho, u = rho / 2, u * 2
    return steps, z


def screened(a, m, lam):
    """FPS on the variables that the penalty cannot remove at once."""
    ties = np.abs(a - np.diag(np.diag(a))).max(axis=1)
    keep = np.union1d(largest(np.diag(a), m), np.flatnonzero(ties > lam) if lam > 0 else np.arange(len(a)))
    unit = np.abs(a).max()
    steps, part = fps(a[np.ix_(keep, keep)] / unit, m, lam / unit)
    z = np.zeros_like(a)
    z[np.ix_(keep, keep)] = part
    return {"steps": steps, "z": z.tolist()}


def relaxed_optimum(a, m, lam):
    """The optimal value, from FPS without screening run to a tight tolerance."""
    unit = np.abs(a).max()
    _, z = fps(a / unit, m, lam / unit, 20000, 1e-10)
    return float((a * z).sum() - lam * np.abs(z).sum())


def case(i):
    rng = np.random.default_rng([2026, i])
    d = int(rng.integers(6, 19))
    m = int(rng.integers(1, min(4, d - 2)))
    k = int(rng.integers(m + 1, d))
    n = int(rng.integers(d // 2 + 2, 3 * d))
    x = rng.standard_normal((n, d)) * rng.uniform(0.3, 2.0, d)
    x = x @ (np.eye(d) + 0.4 * rng.standard_normal((d, d)))
    a = x.T @ x / n * 10.0 ** int(rng.integers(-4, 5))
    a = (a + a.T) / 2
    w0 = np.linalg.qr(rng.standard_normal((d, m)))[0]
    if i % 2 == 0:
        w0 = np.linalg.qr(truncate(w0, k))[0]
        keep = largest((w0**2).sum(axis=1), k)
        w0[[j for j in range(d) if j not in keep]] = 0.0
    off = np.abs(a - np.diag(np.diag(a))).max()
    lam = float(off * rng.choice([0.0, 0.02, 0.1, 0.3]))
    power, power_steps = truncated_power(a, k)
    leading = np.linalg.eigh(a)[1][:, -m:]
    leverage = largest((leading**2).sum(axis=1), k)
    support = np.flatnonzero(power)
    return {
        "k": k, "m": m, "a": a.tolist(), "w0": w0.tolist(),
        "soap": iterate(a, k, w0, True),
        "srt": iterate(a, k, w0, False),
        "tpower": {"support": support.tolist(), "steps": power_steps,
                   "objective": float(objective(a, support, m))},
        "deflation": deflate(a, k, m),
        "cssp": {"support": leverage.tolist(), "objective": float(objective(a, leverage, m)),
                 "encoder": encoder_variance(a, leverage, m) if n > d else None},
        "fps": {"lambda": lam, "optimum": relaxed_optimum(a, m, lam)} | screened(a, m, lam),
    }


json.dump([case(i) for i in range(20)], sys.stdout, indent=None, separators=(",", ":"))
sys.stdout.write("\n")
