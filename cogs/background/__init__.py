"""What goes on without anybody asking: the audits, the list of commands, the presses of earlier processes."""
