"""How each database store grew into its present schema, step by step."""
