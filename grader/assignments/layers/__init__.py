"""The second homework: a neural network as classes of layers, on the CPU and on the GPU."""
