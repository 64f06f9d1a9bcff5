"""From the words of a message to requests: rules, titles of tasks, days, new tasks."""
