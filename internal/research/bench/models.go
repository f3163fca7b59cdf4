//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline/classifier"
)

// benchModels are the models that models.py knows under the same names.
var benchModels = []benchModel{
	{"logistic", func() classifier.Classifier { return new(classifier.Logistic) }, false},
	{"linear_svm", func() classifier.Classifier { return new(classifier.LinearSVM) }, false},
	{"naive_bayes", func() classifier.Classifier { return new(classifier.NaiveBayes) }, false},
	{"knn", func() classifier.Classifier { return new(classifier.KNN) }, false},
	{"decision_tree", func() classifier.Classifier { return new(classifier.DecisionTree) }, false},
	{"random_forest", func() classifier.Classifier { return &classifier.RandomForest{Trees: 20} }, false},
	{"ridge", func() classifier.Classifier { return new(classifier.Ridge) }, true},
	{"linear", func() classifier.Classifier { return new(classifier.Linear) }, true},
}

type benchModel struct {
	name    string
	fresh   func() classifier.Classifier
	numbers bool
}

// benchResult is one fit and one prediction.
type benchResult struct{ Fit, Predict, Score float64 }

// models times our classifiers and scikit-learn's in alternation, and prints the
// ratios of the medians. Each is fitted on four fifths of the rows and predicts the
// last fifth.
func models(ctx context.Context, opt options) error {
	big, err := bigTable(opt.dir)
	if err != nil {
		return err
	}
	digits, err := dataset.Builtin("digits")
	if err != nil {
		return err
	}
	peer, err := startPeer(ctx, opt.dir)
	if err != nil {
		return err
	}
	defer peer.stop()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "table\tmodel\tfit s\tsklearn s\tratio\tpredict s\tsklearn s\tratio\tscore\tsklearn\t")
	for _, table := range []struct {
		name string
		f    *dataset.Frame
	}{{"digits", digits}, {"big", big}} {
		for _, m := range wanted(opt, benchModels, func(m benchModel) string { return m.name }) {
			a, b, err := m.compare(ctx, peer, table.name, table.f, opt.rounds)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s\t%s\t%.4f\t%.4f\t%.2f\t%.4f\t%.4f\t%.2f\t%.4f\t%.4f\t\n", table.name, m.name,
				a.Fit, b.Fit, a.Fit/b.Fit, a.Predict, b.Predict, a.Predict/b.Predict, a.Score, b.Score)
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare returns the medians of rounds in which the peer and we take turns.
func (m benchModel) compare(ctx context.Context, peer *peer, name string, f *dataset.Frame, rounds int) (us, them benchResult, err error) {
	var ours, theirs []benchResult
	for range rounds {
		if them, err = peer.ask(name, m.name); err != nil {
			return us, them, err
		}
		if us, err = benchOne(ctx, f, m.fresh(), m.numbers); err != nil {
			return us, them, err
		}
		ours, theirs = append(ours, us), append(theirs, them)
	}
	return medians(ours), medians(theirs), nil
}

// bigTable makes 50000 rows of 200 columns around 5 centres, and writes them for
// the peer.
func bigTable(dir string) (*dataset.Frame, error) {
	const n, p, classes = 50000, 200, 5
	random := rand.New(rand.NewPCG(1, 5))
	centres := make([]float64, classes*p)
	for i := range centres {
		centres[i] = .12 * random.NormFloat64()
	}
	x, y, codes := mat.NewDense(n, p, nil), mat.NewDense(n, 1, nil), make([]int32, n)
	for i := range n {
		codes[i] = int32(random.IntN(classes))
		y.Set(i, 0, float64(codes[i]))
		row := x.RawRowView(i)
		for j := range row {
			row[j] = centres[int(codes[i])*p+j] + random.NormFloat64()
		}
		for j := range 20 {
			row[j] += row[20+j] / 2
		}
	}
	for name, m := range map[string]*mat.Dense{"models-x.npy": x, "models-y.npy": y} {
		if err := writeNPY(filepath.Join(dir, name), m); err != nil {
			return nil, err
		}
	}
	f, err := dataset.New(nil, x)
	if err != nil {
		return nil, err
	}
	return f.WithClass("y", &dataset.Factor{Levels: []string{"0", "1", "2", "3", "4"}, Codes: codes})
}

func benchOne(ctx context.Context, f *dataset.Frame, c classifier.Classifier, numbers bool) (r benchResult, err error) {
	if numbers {
		target, err := f.Class().AsTarget()
		if err != nil {
			return r, err
		}
		if f, err = f.WithClass("y", target); err != nil {
			return r, err
		}
	}
	train := f.Subset(lists.Places(f.Rows(), func(i int) bool { return i%5 != 4 }))
	test := f.Subset(lists.Places(f.Rows(), func(i int) bool { return i%5 == 4 }))
	fit := c.FitFrame
	if owner, ok := c.(classifier.Owner); ok { // as in a chain: the rows are a copy already, which the peer keeps too
		fit = owner.FitOwned
	}
	start := time.Now()
	if err := fit(ctx, train); err != nil {
		return r, err
	}
	r.Fit = time.Since(start).Seconds()
	start = time.Now()
	p, err := c.PredictFrame(ctx, test)
	if err != nil {
		return r, err
	}
	r.Predict = time.Since(start).Seconds()
	if numbers {
		r.Score = stat.RSquaredFrom(p.Values, test.Target(), nil)
		return r, nil
	}
	right := lists.Places(test.Rows(), func(i int) bool { return p.Classes.Text(i) == test.Class().Text(i) })
	r.Score = float64(len(right)) / float64(test.Rows())
	return r, nil
}

func medians(all []benchResult) benchResult {
	return benchResult{
		Fit:     middle(all, func(r benchResult) float64 { return r.Fit }),
		Predict: middle(all, func(r benchResult) float64 { return r.Predict }),
		Score:   middle(all, func(r benchResult) float64 { return r.Score }),
	}
}

// peer is the running Python process.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func startPeer(ctx context.Context, dir string) (*peer, error) {
	cmd := exec.CommandContext(ctx, python, "internal/research/bench/peers/models.py", dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &peer{cmd, in, bufio.NewScanner(out)}, cmd.Start()
}

func (p *peer) ask(table, model string) (r benchResult, err error) {
	if _, err := fmt.Fprintln(p.in, table, model); err != nil {
		return r, err
	}
	if !p.out.Scan() {
		return r, fmt.Errorf("scikit-learn gave no answer for %s on %s", model, table)
	}
	return r, json.Unmarshal(p.out.Bytes(), &r)
}

func (p *peer) stop() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}
