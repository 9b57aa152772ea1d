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
