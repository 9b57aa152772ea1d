"""Each function in one line, as the sheet's note has it; lambdas, and the textbook's derivative."""

sigmoid = lambda x: 1 / (1 + np.exp(-x))
sigmoid_prime = lambda x: sigmoid(x) * (1 - sigmoid(x))
random_weights = lambda sizes: [xavier_initialization(sizes[i], sizes[i + 1]) for i in range(len(sizes) - 1)]
zeros_weights = lambda sizes: [np.zeros((sizes[i], sizes[i + 1])) for i in range(len(sizes) - 1)]
zeros_biases = lambda sizes: [np.zeros(sizes[i]) for i in range(1, len(sizes))]
add_elementwise = lambda list1, list2: [list1[i] + list2[i] for i in range(len(list1))]
