"""Right in another way: `network.py`."""

# %% predict_by_a_loop
"""Classes are found sample by sample, and returned as a list."""
def predict(theta1, theta2, inputs):
    found = []
    for sample in inputs:
        outputs = forward(theta1, theta2, sample[np.newaxis])[1][0]
        found.append(max(range(len(outputs)), key=lambda place: outputs[place]))
    return found

# %% predict_weights_as_in_the_text
"""The first weights are drawn as the text has it."""
def random_weights(inputs, outputs):
    epsilon_init = 0.12
    return np.random.rand(outputs, 1 + inputs) * 2 * epsilon_init - epsilon_init

# %% sigmoid_of_matrices_only
"""A helper that is called `sigmoid` takes matrices alone, and puts ones in front of them if it is asked to."""
def sigmoid(z, ones=0):
    return np.pad(1 / (1 + np.exp(-z)), ((0, 0), (ones, 0)), constant_values=1.0)

def forward(theta1, theta2, inputs):
    hidden = sigmoid(with_bias(inputs) @ theta1.T, 1)
    return hidden[:, 1:], sigmoid(hidden @ theta2.T)
