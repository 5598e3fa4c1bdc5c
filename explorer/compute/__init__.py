"""Background computation: jobs, turns of the workers, results that sessions share."""
