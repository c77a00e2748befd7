"""Models that read pages, OCR and layout, behind ports, and what runs a network on the processor."""
