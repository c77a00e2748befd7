"""The report of an evaluation: report.json for programs, report.html and report.md for people."""
