// Package beam fits and applies Feature Sparse PCA where a table outgrows one machine, on
// Apache Beam. What is distributed is the covariance: the methods of solver run as they are, in the
// program that submits the jobs.
//
//	func main() {
//		flag.Parse()
//		beam.Init() // a worker does not return from it
//		a, err := beam.NewCovariance(ctx, beam.Table{Shards: []string{"data/*.parquet"}}, beam.Options{})
//		// …
//		s := selector.New(selector.Options{Features: 30, Components: 5})
//		err = s.FitStream(ctx, a.Stream, a.Names, a.Reading)
//	}
//
// The program imports the runners that it offers, such as
// github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism, and the formats of its shards, such as
// github.com/fspca/fspca/dataset/parquet.
//
// # Jobs
//
// Up to solver.MaxEntriesOrder columns one job sums the moments of all shards, and everything
// else happens in the submitter. Above that each product with A is a job, of which a fit takes
// some twenty. Shards are worked on in groups: a worker reads those of a group in order and
// writes one part, which the submitter adds up in the order of the groups. The groups depend on
// the numbers of shards and columns alone (or on Options.Groups). So the same shards give the
// same bytes on any runner and any number of workers.
//
// Parts lie in a folder of the job (Options.Temp), which submitter and workers see, and are not
// shuffled: an accumulator of 5000 columns is 100 MB. The folder is gone after the job.
//
// # Mistakes
//
// What is wrong with the shards comes back all at once, with shard, line and column. A worker that is
// lost, a runner that hangs: each job has a deadline (Options.Deadline), and the error names the stage
// and the shards that were not done. Nothing is left half written.
//
// # Limits
//
// The rows have no weights and are not drawn again (no bootstrap, no parallel analysis). A fit reads
// .npy shards where they are; others are read once for each job, and their numbers written to a
// temporary file of the worker's. See docs/scale.md for what it costs.
package beam
