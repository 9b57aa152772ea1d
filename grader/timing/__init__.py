"""Reliable times: how they are measured, what follows from them, and what disturbed them."""
