"""What runs in the worker that draws PDFs, and nothing else of the grader."""
