"""Simulation of formats: many sessions from one seed, played by the engine that the server runs.

Start with `study.Study` (what is simulated), `driver.run_study` (who does it) and `report` (what came out).
"""
