"""What a person or a program reads of a simulation: `document` says what is reported, `text` and `json_bytes` how."""

from homegame_sim.report.document import ReportDocument, build_document, json_bytes
from homegame_sim.report.text import text_bytes

__all__ = ["ReportDocument", "build_document", "json_bytes", "text_bytes"]
