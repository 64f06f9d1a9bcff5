"""The views of the task list: which there are, what each holds, in which order."""
