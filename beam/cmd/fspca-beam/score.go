package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/fspca/fspca/beam"
	"github.com/fspca/fspca/internal/cli"
	"github.com/fspca/fspca/internal/files"
	"github.com/fspca/fspca/internal/words"
	"github.com/fspca/fspca/selector"
)

func statFile(path string) (size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// scoreFlags are those of transform and predict.
type scoreFlags struct {
	jobFlags
	data dataFlags
	to   beam.Scores
}

// scoring applies a model to shards.
type scoring func(context.Context, beam.Table, beam.Model, beam.Scores, beam.Options) (*beam.Scored, error)

// scoresNot are flags of fspca transform and predict that are not for shards.
var scoresNot = refused{
	"check":      "compare a shard or a sample of the rows with fspca transform --check",
	"max-drift":  "it belongs to --check",
	"json":       "it belongs to --check",
	"strict":     "new rows give no warnings here: look at a sample with fspca transform --strict",
	"memory":     "a shard is read by one worker: make shards smaller",
	"transpose":  "shards are parts of the rows",
	"names":      "the names of the columns are in the shards",
	"index-base": "sparse rows are not read in shards",
	"sheet":      "workbooks are not read in shards",
}

func (f *scoreFlags) command(cmd *cobra.Command, labelUse string, score scoring) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("MODEL is missing: usage is %s", cmd.UseLine())
		}
		table, err := f.data.table(cmd, args[1:])
		err = errors.Join(err, scoresNot.check(cmd))
		if f.to.Folder = files.Home(f.to.Folder); f.to.Folder == "" {
			err = errors.Join(err, errors.New("-o (--out) is missing: the folder for a file for each shard"))
		}
		if err != nil {
			return err
		}
		m, err := beam.LoadModel(files.Home(args[0]))
		if err != nil {
			return err
		}
		if err := f.start(cmd); err != nil {
			return err
		}
		done, err := score(cmd.Context(), table, m, f.to, f.options)
		if err != nil {
			return err
		}
		return cli.Failed(f.tell(cmd.OutOrStdout(), done))
	}
	f.data.register(cmd, labelUse)
	flags := cmd.Flags()
	flags.StringVarP(&f.to.Folder, "out", "o", "", "`FOLDER` to write: a file for each shard with rows, of its name")
	flags.StringVar(&f.to.Ending, "ending", "", "`ENDING` of the files: .csv, .tsv, .npy, .parquet; .gz or .zst after it (default .parquet for shards in Parquet, else .csv)")
	flags.BoolVar(&f.to.Force, "force", false, "replace the folder of -o even if it holds other files")
	scoresNot.register(cmd)
	f.jobFlags.register(cmd)
	return cmd
}

// tell says what was written.
func (f *scoreFlags) tell(w io.Writer, done *beam.Scored) error {
	text := fmt.Sprintf("%s of %s written to %s", words.Count(done.Rows, "row"), words.Count(done.Shards, "shard"), f.to.Folder)
	if done.Empty > 0 {
		text += fmt.Sprintf("; %d had no rows", done.Empty)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

func newTransform() *cobra.Command {
	var f scoreFlags
	output := ""
	cmd := f.command(&cobra.Command{
		Use:   "transform MODEL SHARDS...",
		Short: "Project the rows of shards with a fitted model",
		Long: `Project the rows of shards with a fitted model: components pc1 to pcm, the chosen
columns, or both. MODEL is the file that fit -o wrote or the model folder of a pipeline.
Each shard needs only the chosen columns, in any order. With --label and --id these
columns are passed through.`,
		Example: `  fspca-beam transform model.json 'data/*.parquet' -o scores`,
	}, "`COLUMN` to pass through to the output", func(ctx context.Context, t beam.Table, m beam.Model, to beam.Scores, o beam.Options) (*beam.Scored, error) {
		var err error
		if to.Output, err = selector.ParseOutput(output); err != nil {
			return nil, fmt.Errorf("--output: %w", err)
		}
		return beam.Transform(ctx, t, m, to, o)
	})
	cmd.Flags().StringVar(&output, "output", "projection", "`WHAT` to write: projection, selected or both")
	return cmd
}

func newPredict() *cobra.Command {
	var f scoreFlags
	return f.command(&cobra.Command{
		Use:   "predict MODEL SHARDS...",
		Short: "Classify the rows of shards with a pipeline's model",
		Long: `Classify the rows of shards with the model folder that fspca run wrote, and write one
line per row: its number in the shard from 1, the predicted class, and the probability
of each class. With --label the true class stands beside the predicted one.`,
		Example: `  fspca-beam predict out/digits/model 'data/*.parquet' -o predictions`,
	}, "`COLUMN` with the true class, to stand beside the predicted one", beam.Predict)
}
