"""The fourth homework: matrix products on the GPU in three steps, and a network and operations made of them."""
