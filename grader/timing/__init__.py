"""Times that can be trusted: how they are taken, what they prove, and what disturbed them."""
