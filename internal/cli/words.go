package cli

import (
	"regexp"
	"strings"

	"github.com/spf13/pflag"
)

var (
	optionNames = regexp.MustCompile(`\(options? ([a-z_]+(?:, [a-z_]+)*)([;)])`)
	optionValue = regexp.MustCompile(`(?:the )?option ([a-z_]+): (?:"([^"]*)"|\[([a-z_, ]+)\]|(\d+)|(true|false|whitespace))`)
	optionFirst = regexp.MustCompile(`(?m)^(decimal|thousands|numbers|skip_[a-z]+|comment)( and ([a-z]+))?( (?:is|are|holds|leaves) )`)
	optionAlone = regexp.MustCompile(`(?:the )?\boption ([a-z_]+)\b`)
)

// AsFlags names the options of a reader in a message, which have the same names in YAML and Go, as
// flags; those that a command does not have stay as they are.
func AsFlags(flags *pflag.FlagSet, text string) string {
	flag := func(option string) string { return asFlag(flags, option) }
	text = optionNames.ReplaceAllStringFunc(text, func(found string) string {
		var names []string
		m := optionNames.FindStringSubmatch(found)
		for option := range strings.SplitSeq(m[1], ", ") {
			names = append(names, flag(option))
		}
		return "(" + strings.Join(names, ", ") + m[2]
	})
	text = optionValue.ReplaceAllStringFunc(text, func(found string) string {
		m := optionValue.FindStringSubmatch(found)
		switch name := flag(m[1]); {
		case !strings.HasPrefix(name, "--"):
			return found
		case m[5] == "true" || m[5] == "false":
			return name + "=" + m[5]
		default:
			return name + " " + Quoted(m[2]+strings.ReplaceAll(m[3], " ", "")+m[4]+m[5])
		}
	})
	text = optionFirst.ReplaceAllStringFunc(text, func(found string) string {
		m := optionFirst.FindStringSubmatch(found)
		if m[3] != "" {
			m[3] = " and " + flag(m[3])
		}
		return flag(m[1]) + m[3] + m[4]
	})
	return optionAlone.ReplaceAllStringFunc(text, func(found string) string {
		if name := flag(optionAlone.FindStringSubmatch(found)[1]); strings.HasPrefix(name, "--") {
			return name
		}
		return found
	})
}

// asFlag names an option as the flag, if there is one.
func asFlag(flags *pflag.FlagSet, option string) string {
	name := strings.ReplaceAll(option, "_", "-")
	if flags.Lookup(name) == nil {
		return option
	}
	return "--" + name
}

// Quoted writes a word for a shell.
func Quoted(word string) string {
	if word == "" || word == "," || strings.ContainsAny(word, " \t\n'\"\\$*?[]{}();&|<>~`!#") {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}
