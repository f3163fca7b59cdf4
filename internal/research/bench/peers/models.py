"""Fits scikit-learn's models on request: a line "DATA MODEL" gives a line of JSON.

    models.py DIR

reads DIR/models-x.npy and models-y.npy; DATA is big or digits.
"""
import json
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

warnings.filterwarnings("ignore")
data = {"big": (np.load(sys.argv[1] + "/models-x.npy"), np.load(sys.argv[1] + "/models-y.npy").ravel().astype(int)),
        "digits": load_digits(return_X_y=True)}
models = {
    "logistic": lambda: LogisticRegression(max_iter=1000),
    "linear_svm": lambda: LinearSVC(dual=False, max_iter=10000),
    "naive_bayes": GaussianNB,
    "knn": lambda: KNeighborsClassifier(5, n_jobs=2),
    "decision_tree": lambda: DecisionTreeClassifier(random_state=0),
    "random_forest": lambda: RandomForestClassifier(20, n_jobs=2, random_state=0),
    "ridge": Ridge,
    "linear": LinearRegression,
}
for line in sys.stdin:
    table, name = line.split()
    x, y = data[table]
    test = np.arange(len(x)) % 5 == 4
    train, held = np.ascontiguousarray(x[~test]), np.ascontiguousarray(x[test])
    model = models[name]()
    start = time.perf_counter()
    model.fit(train, y[~test])
    fitted = time.perf_counter()
    predicted = model.predict(held) if not hasattr(model, "predict_proba") else model.classes_[model.predict_proba(held).argmax(axis=1)]
    done = time.perf_counter()
    score = float((predicted == y[test]).mean()) if hasattr(model, "classes_") else float(model.score(held, y[test]))
    print(json.dumps({"fit": fitted - start, "predict": done - fitted, "score": score}), flush=True)
