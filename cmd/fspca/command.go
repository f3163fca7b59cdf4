package main

import "github.com/spf13/cobra"

// action is a command with what its flags say.
type action interface {
	register(cmd *cobra.Command) // declares the flags
	run(cmd *cobra.Command, args []string) error
}

// command returns the command of an action, which text describes.
func command(a action, text *cobra.Command) *cobra.Command {
	text.RunE = a.run
	a.register(text)
	return text
}
