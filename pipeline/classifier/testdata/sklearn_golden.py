"""Writes sklearn_golden.json: what scikit-learn makes of six tables.

    python3 sklearn_golden.py SHARED/data > sklearn_golden.json

Needs scikit-learn (Debian's python3-sklearn 1.2.1). Rows i with (7i + 3) mod 10 < 3
are held out. Columns are standardised by the training rows (n − 1), those that do
not vary only centred. The trees are grown on numbers of single precision without
ties, so that their structure is unique.
"""
import gzip
import json
import sys
import warnings

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

warnings.filterwarnings("ignore")
shared = sys.argv[1]


def table(name, skip):
    read = gzip.open if name.endswith(".gz") else open
    lines = read(f"{shared}/{name}", "rt").read().split("\n")[skip:]
    cells = [line.replace('"', "").split(",") for line in lines if line]
    return np.array([[float(c) for c in row[:-1]] for row in cells]), np.array([row[-1] for row in cells])


def tissue():
    lines = gzip.open(f"{shared}/tissue_gene_expression.csv.gz", "rt").read().split("\n")
    head = lines[0].replace('"', "").split(",")
    at = head.index("tissue")
    cells = [line.replace('"', "").split(",") for line in lines[1:] if line]
    x = np.array([[float(c) for j, c in enumerate(row) if j != at] for row in cells])
    return x, np.array([row[at] for row in cells])


tables = {"iris": table("iris.csv", 1), "wine": table("wine_data.csv", 1), "digits": table("digits.csv.gz", 0),
          "sonar": table("sonar.csv.gz", 1), "golub": table("golub.csv.gz", 1), "tissue": tissue()}


def split(x, y):
    test = (7 * np.arange(len(x)) + 3) % 10 < 3
    mean, sd = x[~test].mean(axis=0), x[~test].std(axis=0, ddof=1)
    x = (x - mean) / np.where(sd > 1e-12 * np.abs(x).max(axis=0), sd, 1)
    return x[~test], y[~test], x[test], y[test]


def objective(model, x, y, l1, l2):
    w, b = model.coef_, model.intercept_
    codes = np.searchsorted(model.classes_, y)
    s = x @ w.T + b
    if len(model.classes_) == 2:
        loss = np.logaddexp(0, s[:, 0]).sum() - s[codes == 1, 0].sum()
    else:
        m = s.max(axis=1)
        loss = (m + np.log(np.exp(s - m[:, None]).sum(axis=1))).sum() - s[np.arange(len(s)), codes].sum()
    return loss + l1 * np.abs(w).sum() + l2 / 2 * (w * w).sum()


out = {"tables": {}}
for name, (x, y) in tables.items():
    x, y, tx, ty = split(x, y)
    t = {"train": len(y), "test": len(ty), "accuracy": {}, "logistic": {}}
    for l2 in [1e-4, 1e-2, 1.0, 100.0]:
        m = LogisticRegression(C=1 / l2, tol=1e-10, max_iter=20000).fit(x, y)
        t["logistic"][str(l2)] = objective(m, x, y, 0, l2)
        if l2 == 1:
            t["accuracy"]["logistic"] = m.score(tx, ty)
            t["log_likelihood"] = float(np.log(m.predict_proba(tx)[np.arange(len(ty)), np.searchsorted(m.classes_, ty)]).sum())
    if name in ["iris", "wine", "sonar"]:
        m = LogisticRegression(penalty="l1", C=1, solver="saga", tol=1e-9, max_iter=100000, random_state=0).fit(x, y)
        t["l1"] = objective(m, x, y, 1, 0)
        m = LogisticRegression(penalty="elasticnet", l1_ratio=0.5, C=1, solver="saga", tol=1e-9, max_iter=100000, random_state=0).fit(x, y)
        t["elastic"] = objective(m, x, y, .5, .5)
        m = LogisticRegression(class_weight="balanced", tol=1e-10, max_iter=20000).fit(x, y)
        t["balanced"] = [float(v) for v in np.log(m.predict_proba(tx[:5])).ravel()]
    m = LinearSVC(dual=False, tol=1e-10, max_iter=100000, intercept_scaling=1000).fit(x, y)
    s = x @ m.coef_.T + m.intercept_
    sign = np.where(y[:, None] == m.classes_[None, :], 1, -1) if len(m.classes_) > 2 else np.where(y == m.classes_[1], 1, -1)[:, None]
    t["svm"] = float((np.maximum(0, 1 - sign * s) ** 2).sum() + (m.coef_ ** 2).sum() / 2)
    t["accuracy"]["linear_svm"] = m.score(tx, ty)
    keep = np.array([all(np.ptp(x[y == c, j]) > 0 for c in set(y)) for j in range(x.shape[1])])
    m = GaussianNB().fit(x[:, keep], y)
    t["accuracy"]["naive_bayes"] = m.score(tx[:, keep], ty)
    jll = m._joint_log_likelihood(tx[:, keep])
    t["bayes_log_odds"] = float((jll[:, 0] - jll[:, 1]).sum())
    for weights in ["uniform", "distance"]:
        t["accuracy"]["knn_" + weights] = KNeighborsClassifier(5, weights=weights).fit(x, y).score(tx, ty)
    t["accuracy"]["decision_tree"] = float(np.mean([DecisionTreeClassifier(random_state=s).fit(x, y).score(tx, ty) for s in range(10)]))
    forests = [RandomForestClassifier(100, random_state=s, oob_score=True).fit(x, y) for s in range(5)]
    t["accuracy"]["random_forest"] = float(np.mean([f.score(tx, ty) for f in forests]))
    t["out_of_bag"] = float(np.mean([f.oob_score_ for f in forests]))
    t["accuracy"]["dummy"] = float(np.mean(ty == max(sorted(set(y)), key=lambda c: (y == c).sum())))
    # Regressions of the last column on the others.
    fx, target = x[:, :-1], x[:, -1]
    t["ridge"] = [float(v) for v in Ridge(alpha=1).fit(fx, target).coef_[:8]]
    # LinearRegression keeps singular values that are rounding; pinv cuts them.
    w = np.linalg.pinv(fx - fx.mean(axis=0), rcond=1e-12) @ (target - target.mean())
    t["linear"] = [float(v) for v in (tx[:8, :-1] - fx.mean(axis=0)) @ w + target.mean()]
    if name != "iris":  # it has equal rows
        t["knn_regression"] = [float(v) for v in KNeighborsRegressor(3, weights="distance").fit(fx, target).predict(tx[:8, :-1])]
    out["tables"][name] = t

r = np.random.default_rng(3)
x = r.normal(size=(400, 4)).astype(np.float32).astype(float)
y = (x[:, 0] + .5 * r.normal(size=400) > 0).astype(int) + (x[:, 1] * x[:, 2] > .3).astype(int)
out["trees"] = {"x": x.tolist(), "y": y.tolist(), "cases": []}
for options in [{"max_depth": 2}, {"max_depth": 3}, {"criterion": "entropy", "max_depth": 3}, {"criterion": "entropy", "max_depth": 4, "min_samples_leaf": 10},
                {"min_samples_leaf": 40}, {"criterion": "entropy", "min_samples_leaf": 50}, {"ccp_alpha": .01}, {"ccp_alpha": .015},
                {"criterion": "entropy", "ccp_alpha": .03}, {"criterion": "entropy", "ccp_alpha": .05}, {"min_samples_leaf": 20, "ccp_alpha": .008}]:
    trees = [DecisionTreeClassifier(random_state=s, **options).fit(x, y).tree_ for s in range(20)]
    m = trees[0]
    if any(len(o.feature) != len(m.feature) or (o.feature != m.feature).any() or (o.threshold != m.threshold).any() for o in trees):
        continue  # ties, which are settled by chance
    out["trees"]["cases"].append({"options": options, "column": [int(v) if v >= 0 else -1 for v in m.feature],
                                  "threshold": [float(v) for v, f in zip(m.threshold, m.feature) if f >= 0]})
json.dump(out, sys.stdout, indent=1)
