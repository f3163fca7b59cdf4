package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// readTransposed reads delimited text whose columns are the rows of the table: it writes the text
// transposed into memory and has [ReadCSV] read that, so that every rule for a table holds. Lines in
// errors are columns of the file.
func readTransposed(r io.Reader, name string, opt ReadOptions) (*Frame, error) {
	records, err := readRecords(r, name, opt)
	if err != nil {
		return nil, err
	}
	header, names, err := splitRecords(&records, opt)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	text, err := transposedText(records, names)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	records = nil
	inner := opt
	inner.Transpose, inner.Names, inner.NoHeader, inner.Delimiter = false, "", false, ','
	f, err := ReadCSV(text, name+" (transposed)", inner)
	if err != nil || header == nil || opt.ID != "" {
		if err == nil {
			f, err = f.takeID(opt.ID)
		}
		return f, err
	}
	return f.WithID(f.freeName("id"), header)
}

// readRecords reads all records, which must be equally long.
func readRecords(r io.Reader, name string, opt ReadOptions) ([][]string, error) {
	text, _, err := openText(r)
	if err != nil {
		return nil, &ParseError{File: name, Err: err}
	}
	c := csv.NewReader(text)
	if c.Comma = opt.Delimiter; c.Comma == 0 {
		c.Comma = ','
	}
	if !validDelimiter(c.Comma) {
		return nil, fmt.Errorf("delimiter %q cannot stand between cells: want a character such as ',' or ';' or a tab", opt.Delimiter)
	}
	c.TrimLeadingSpace = !unicode.IsSpace(c.Comma)
	records, err := c.ReadAll()
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong):
		return nil, &ParseError{File: name, Line: wrong.Line, Err: wrong.Err}
	case err != nil:
		return nil, &ParseError{File: name, Err: cutShort(err)}
	case len(records) == 0:
		return nil, &ParseError{File: name, Err: errors.New("the file is empty")}
	}
	return records, nil
}

// splitRecords takes the header and the column with the names out of the records. Header is nil
// without one, and names are x1, x2, … where the first column holds a number and no column was
// named.
func splitRecords(records *[][]string, opt ReadOptions) (header, names []string, err error) {
	all := *records
	if !opt.NoHeader {
		header, all = all[0], all[1:]
	}
	if len(all) == 0 {
		return nil, nil, errors.New("the file has a header but no rows")
	}
	at := 0
	switch {
	case opt.Names != "" && header != nil:
		if at = slices.Index(header, opt.Names); at < 0 {
			return nil, nil, withChoice(missingColumns("names", []string{opt.Names}, header, ""), header)
		}
	case opt.Names != "":
		return nil, nil, errors.New("option names names a column, and option header says that there are no names of columns")
	default:
		numbers := 0
		for _, record := range all {
			if _, kind := parseCell(record[0]); kind == numberCell || strings.TrimSpace(record[0]) == "" {
				numbers++
			}
		}
		if numbers == len(all) {
			*records = all
			return header, numberedNames(len(all)), nil
		}
	}
	for i, record := range all {
		names = append(names, strings.TrimSpace(record[at]))
		all[i] = slices.Delete(record, at, at+1)
	}
	if header != nil {
		header = slices.Delete(slices.Clone(header), at, at+1)
	}
	if len(all[0]) == 0 {
		return nil, nil, fmt.Errorf("the only column holds the names of the columns, and nothing is left for rows")
	}
	*records = all
	return header, names, nil
}

// transposedText writes the records as columns, the names first.
func transposedText(records [][]string, names []string) (*bytes.Buffer, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(names); err != nil {
		return nil, err
	}
	line := make([]string, len(records))
	for j := range records[0] {
		for i, record := range records {
			line[i] = record[j]
		}
		if len(line) == 1 && line[0] == "" { // a blank line would not be read as a row
			w.Flush()
			b.WriteString("\"\"\n")
			continue
		}
		if err := w.Write(line); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return &b, w.Error()
}
