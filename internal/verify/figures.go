package verify

// Figures are what a model says beside its choice, by the keys of its file (docs/model-format.md).
type Figures struct {
	Options struct {
		Ridge float64 `json:"ridge"`
	} `json:"options"`
	Data struct {
		Rows     int      `json:"rows"`
		Weight   *float64 `json:"weight"`
		Constant []string `json:"constant"`
	} `json:"data"`
	Features []struct {
		D []float64 `json:"d"`
	} `json:"features"`
	Training       *Training       `json:"training"`
	Reconstruction *Reconstruction `json:"reconstruction"`
	Scree          *Scree          `json:"scree"`
	Decoder        []Decoded       `json:"decoder"`
	Choices        []any           `json:"random_choices"`
	Stability      any             `json:"stability"`
	Ledger         *Ledger         `json:"ledger"`
}

// Reconstruction is how well a choice predicts all columns that are not excluded.
type Reconstruction struct {
	R2             *float64    `json:"r2"`
	R2Components   *float64    `json:"r2_components"`
	Noise          *float64    `json:"noise"`
	PCA            *float64    `json:"pca"`
	Random         *float64    `json:"random"`
	MaxCorrelation *float64    `json:"max_correlation"`
	Pair           []string    `json:"pair"`
	Columns        []Predicted `json:"columns"`
}

// Predicted is how well it predicts one column.
type Predicted struct {
	Name        string   `json:"name"`
	R2          *float64 `json:"r2"`
	Nearest     string   `json:"nearest"`
	Correlation *float64 `json:"correlation"`
}

// Scree holds the leading variances of dense PCA.
type Scree struct {
	Variances []float64 `json:"variances"`
	Shuffled  []float64 `json:"shuffled"`
}

// Decoded is what rebuilds a column from the scores z: mean + scale·(d·z).
type Decoded struct {
	Name  string    `json:"name"`
	Mean  *float64  `json:"mean"`
	Scale *float64  `json:"scale"`
	D     []float64 `json:"d"`
}

// Ledger holds the variance of each column that the components explain.
type Ledger struct {
	Names []string  `json:"names"`
	Score []float64 `json:"score"`
}

// beside holds the figures of a model to the data.
func (c *Claims) beside(p *problem, names []string) ([]Finding, error) {
	if c.Figures == nil {
		return nil, nil
	}
	all := c.ranges(names)
	e, err := c.explaining(p)
	if err != nil {
		return nil, err
	}
	if r := c.Figures.Reconstruction; r != nil {
		all = append(all, e.shares(r, names), e.correlations(r, names))
	}
	if c.Figures.Decoder != nil || len(c.Figures.Features) > 0 && c.Figures.Features[0].D != nil {
		all = append(all, e.decoder(names))
	}
	if c.Figures.Ledger != nil {
		all = append(all, e.ledger(names))
	}
	spectrum, err := e.spectrum()
	return append(append(all, spectrum...), c.drawn()...), err
}

// drawn tells what is drawn at random by the solver, and not drawn again here.
func (c *Claims) drawn() []Finding {
	f := c.Figures
	if f.Stability == nil && f.Choices == nil && (f.Reconstruction == nil || f.Reconstruction.Random == nil) && (f.Scree == nil || f.Scree.Shuffled == nil) {
		return nil
	}
	return []Finding{{Claim: "random figures", Verdict: NotShown, Detail: "draws of rows, random choices and shuffled tables are not made again"}}
}
