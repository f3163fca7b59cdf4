// Command certify measures what the solver's efforts find and prove, and
// prints it as Markdown tables:
//
//	go run ./internal/research/certify                          # everything
//	go run ./internal/research/certify -only schemes -instances 20
//	go run ./internal/research/certify -data ../shared/data     # with the paper's data
//
// Sections: schemes (the paper's synthetic schemes A to F against brute
// force); large (scheme D at d = 100); bounds (random small problems, every
// bound against brute force); real (the paper's data sets); path (the whole
// path on Lymphoma); exchange (its cost beside IPU's on 500 rows of 20,000
// columns). Seeds are fixed, so that all but the times repeat. The program
// exits with 1 where a bound lies below an optimum, or something called proved
// is not optimal.
package main
