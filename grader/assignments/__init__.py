"""One folder per assignment; the core imports none of them."""
