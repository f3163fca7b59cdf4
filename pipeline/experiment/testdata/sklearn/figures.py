"""Golden numbers of scikit-learn and scipy for sklearn_test.go.

Run with Debian's python3-sklearn: /usr/bin/python3 figures.py > figures.json
"""
import json
import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn import metrics

rng = np.random.default_rng(14)
classes = ["a", "b", "c", "d"]


def case(n, k, sharp, ties):
    names = classes[:k]
    truth = rng.integers(0, k, n)
    truth[:k] = range(k)
    score = rng.normal(size=(n, k)) + sharp * np.eye(k)[truth]
    p = np.exp(score) / np.exp(score).sum(1, keepdims=True)
    if ties:  # as of a vote of neighbours
        p = np.round(p * 5)
        p[p.sum(1) == 0] = 1
        p = p / p.sum(1, keepdims=True)
    guess = p.argmax(1)
    y, z = np.array(names)[truth], np.array(names)[guess]
    with np.errstate(all="ignore"):
        auc = metrics.roc_auc_score(truth, p[:, 1]) if k == 2 else metrics.roc_auc_score(truth, p, multi_class="ovr", average="macro")
    precision, recall, f1, support = metrics.precision_recall_fscore_support(y, z, labels=names, zero_division=0)
    return {
        "classes": names, "truth": truth.tolist(), "p": p.tolist(),
        "accuracy": metrics.accuracy_score(y, z),
        "balanced_accuracy": metrics.balanced_accuracy_score(y, z),
        "macro_f1": metrics.f1_score(y, z, average="macro"),
        "log_loss": metrics.log_loss(y, p, labels=names), "auc": auc,
        "precision": precision.tolist(), "recall": recall.tolist(), "f1": f1.tolist(), "support": support.tolist(),
    }


def regression(n):
    y = rng.normal(size=n) * 3 + 10
    z = y + rng.normal(size=n)
    return {"truth": y.tolist(), "predicted": z.tolist(), "r2": metrics.r2_score(y, z),
            "mae": metrics.mean_absolute_error(y, z), "rmse": float(np.sqrt(metrics.mean_squared_error(y, z)))}


def mcnemar(b, c):
    return {"b": b, "c": c, "p": stats.binomtest(min(b, c), b + c, 0.5).pvalue}


def corrected(d, ratio):
    d = np.array(d)
    se = np.sqrt((1 / len(d) + ratio) * d.var(ddof=1))
    return {"d": d.tolist(), "ratio": ratio, "se": se, "p": 2 * stats.t.sf(abs(d.mean() / se), len(d) - 1)}


print(json.dumps({
    "versions": {"sklearn": sklearn.__version__, "scipy": scipy.__version__},
    "classes": [case(60, 2, 1, False), case(80, 3, 1.5, True), case(90, 4, 0.5, False), case(40, 2, 2, True)],
    "regression": [regression(50)],
    "mcnemar": [mcnemar(5, 1), mcnemar(3, 12), mcnemar(7, 6), mcnemar(0, 9), mcnemar(40, 61)],
    "corrected_t": [corrected([0.02, -0.01, 0.03, 0.05, 0.01], 0.25), corrected([0.1, 0.0, -0.05, 0.02], 1 / 3),
                    corrected(rng.normal(0.01, 0.02, 50).tolist(), 1 / 9)],
}))
