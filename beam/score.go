package beam

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/fspca/fspca/dataset"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/lists"
	"github.com/fspca/fspca/pipeline"
	"github.com/fspca/fspca/selector"
)

// Scores say what is written for the shards, and where.
type Scores struct {
	// Folder is where a file is written for each shard with rows, of the same name below the folder
	// that all shards have in common. It is written as a whole or not at all: what was there is
	// replaced if it holds such files only, or with Force. In a store (gs://…) files are written
	// whole one by one, and those of a job that fails are removed.
	Folder string
	Force  bool

	// Ending is that of the files, as ".csv", ".parquet" or ".csv.gz"; "" is ".parquet" for shards
	// of that ending, and ".csv" for others.
	Ending string

	// Output is what Transform writes; "" is selector.Projection.
	Output selector.Output
}

// Scored is what was written.
type Scored struct {
	Shards, Empty, Rows int // Empty are the shards without rows, for which there is no file
}

// scoring is the part of a work that scores.
type scoring struct {
	Predict bool
	Output  selector.Output
	Files   []string // for each shard
}

const (
	selectionFile = "selection"
	pipelineFile  = "pipeline"
)

// Transform projects the rows of all shards with a fitted model: the components, the chosen columns, or
// both; of a pipeline without an fspca step what its steps make of the rows. Columns are matched by
// name. The label and the names of the rows, where Table.Read names them, stand beside the result.
func Transform(ctx context.Context, t Table, m Model, to Scores, o Options) (*Scored, error) {
	to.Output = cmp.Or(to.Output, selector.Projection)
	if m.Pipeline != nil && m.Pipeline.Selector() == nil && to.Output != selector.Projection {
		return nil, fmt.Errorf("beam: the pipeline has no fspca step, so there is no output %q", to.Output)
	}
	return o.score(ctx, "transform", t, m, to)
}

// Predict classifies the rows of all shards with a fitted pipeline: the number of the row in its
// shard, the label if Table.Read names it, the prediction and the probabilities of the classes.
func Predict(ctx context.Context, t Table, m Model, to Scores, o Options) (*Scored, error) {
	if m.Pipeline == nil || !m.Pipeline.HasClassifier() {
		return nil, errors.New("beam: the model cannot classify: predict takes a pipeline with a classifier, as run writes it")
	}
	return o.score(ctx, "predict", t, m, to)
}

func (o Options) score(ctx context.Context, stage string, t Table, m Model, to Scores) (*Scored, error) {
	w, names, err := newScoring(ctx, stage, t, m, to)
	if err != nil {
		return nil, err
	}
	scored := &Scored{Shards: len(w.Shards)}
	run := func(folder string) error { return o.scoreInto(ctx, stage, w, names, folder, scored) }
	if remote(to.Folder) {
		err = run(to.Folder)
		if err != nil {
			removeFiles(context.WithoutCancel(ctx), w.Score.Files)
		}
		return scored, err
	}
	folder, err := filepath.Abs(to.Folder)
	if err == nil {
		err = to.check(folder, names, w.Shards)
	}
	if err != nil {
		return nil, err
	}
	if err := files.WriteFolder(folder, run); err != nil {
		return nil, err
	}
	return scored, nil
}

// newScoring is the work of a job, and the names of the files that it writes.
func newScoring(ctx context.Context, stage string, t Table, m Model, to Scores) (*work, []string, error) {
	if m.Pipeline == nil && m.Selection == nil {
		return nil, nil, errors.New("beam: there is no model")
	}
	if to.Folder == "" {
		return nil, nil, errors.New("beam: there is no folder to write to")
	}
	shards, err := t.find(ctx)
	if err != nil {
		return nil, nil, err
	}
	w := &work{Kind: kindScore, Read: m.reading(t.Read), Shards: shards, Score: scoring{Predict: stage == "predict", Output: to.Output}}
	if label := t.Read.Label; label != "" && slices.Contains(w.Read.Only, label) {
		return nil, nil, fmt.Errorf("beam: the model needs the column %q, so it cannot be the label", label)
	}
	w.Groups = lists.Make(len(shards), func(i int) []int { return []int{i} })
	names, err := outputNames(shards, to.Ending)
	if err != nil {
		return nil, nil, err
	}
	if w.model, err = m.encode(); err != nil {
		return nil, nil, err
	}
	return w, names, nil
}

// scoreInto runs the job, which writes its files to a folder, and counts what it wrote.
func (o Options) scoreInto(ctx context.Context, stage string, w *work, names []string, folder string, scored *Scored) error {
	for _, name := range names {
		path := join(folder, name)
		w.Score.Files = append(w.Score.Files, path)
		if !remote(folder) { // workers make none: one that is late is not to bring the folder back
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return err
			}
		}
	}
	return o.run(ctx, stage, w, nil, func() error {
		for g := range w.Groups {
			rows := 0
			if err := w.read(ctx, g, func(data []byte) error { return decode(data, &rows) }); err != nil {
				return err
			}
			if scored.Rows += rows; rows == 0 {
				scored.Empty++
			}
		}
		return nil
	})
}

// scorer is the model of the last job that this process worked on.
func (w *work) scorer(ctx context.Context) (Model, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.folder == w.folder {
		return loaded.scorer, nil
	}
	var m Model
	data, err := readFile(ctx, join(w.folder, selectionFile))
	if err == nil {
		m.Selection, err = selector.ReadModel(bytes.NewReader(data))
	} else if data, err = readFile(ctx, join(w.folder, pipelineFile)); err == nil {
		m.Pipeline, err = pipeline.ReadPipeline(bytes.NewReader(data))
	}
	if err != nil {
		return m, fmt.Errorf("beam: the model of the job: %w", err)
	}
	loaded.folder, loaded.scorer = w.folder, m
	return m, nil
}

// score works on a group, of one shard.
func (w *work) score(ctx context.Context, g int) error {
	m, err := w.scorer(ctx)
	if err != nil {
		return err
	}
	rows := 0
	return w.group(ctx, g, func(s shard) error {
		if err := w.unchanged(ctx, s); err != nil {
			return err
		}
		var in *dataset.Frame
		err := withFile(ctx, s.Path, s.Name, w.Read.Format, func(f *dataset.File) (err error) {
			in, err = f.Read(w.Read)
			return err
		})
		if errors.Is(err, dataset.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		out, err := w.scores(ctx, m, in)
		if err == nil {
			err = w.ended(ctx)
		}
		if err != nil {
			return w.blame(s, err)
		}
		path := w.Score.Files[w.Groups[g][0]]
		rows = in.Rows()
		return writeFile(ctx, path, func(to io.Writer) error { return dataset.WriteAs(to, path, out) })
	}, func() ([]byte, error) { return encode(rows) })
}

// blame makes an error of the model about rows one about a shard.
func (w *work) blame(s shard, err error) error {
	if errors.Is(err, errEnded) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return mistakef("%s: %w", s.Name, err)
}

// scores returns the result for rows, with their label and names beside it.
func (w *work) scores(ctx context.Context, m Model, in *dataset.Frame) (*dataset.Frame, error) {
	var truth *dataset.Factor
	if w.Read.Label != "" {
		truth = in.Factor(w.Read.Label)
	}
	if w.Score.Predict {
		p, err := m.Pipeline.PredictContext(ctx, in)
		if err != nil {
			return nil, err
		}
		return p.Table(in, truth, 1)
	}
	out, err := m.transform(ctx, in, w.Score.Output)
	if err != nil {
		return nil, err
	}
	if truth != nil {
		columns := append(out.Columns(), dataset.Column{Name: w.Read.Label, Factor: truth})
		if out, err = dataset.Assemble(out.Numeric(), columns, "", nil); err != nil {
			return nil, err
		}
	}
	return out.WithID(in.ID())
}
