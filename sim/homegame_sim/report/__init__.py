"""What a person or a program reads of a simulation: `document` says what is reported, `text`, `json_bytes` and `page` how.

`page` is imported where it is wanted, since it alone needs a library for templates.
"""

from homegame_sim.report.document import ReportDocument, build_document, json_bytes
from homegame_sim.report.text import text_bytes

__all__ = ["ReportDocument", "build_document", "json_bytes", "text_bytes"]
