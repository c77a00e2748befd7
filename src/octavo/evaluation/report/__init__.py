"""The report of an evaluation: report.json for programs, report.html for people."""
