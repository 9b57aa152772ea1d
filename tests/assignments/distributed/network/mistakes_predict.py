"""The experiment's first weights and predictions, gone wrong.

warned: sequential.predict
"""

# %% predict_from_1
"""Classes are numbered from 1 on, as in the text.

says: from 0 on
"""
def predict(theta1, theta2, inputs):
    return forward(theta1, theta2, inputs)[1].argmax(axis=1) + 1

# %% predict_weights_by_a_seed
"""The first weights are the same at each call.

says: the same numbers twice
"""
def random_weights(inputs, outputs):
    return np.random.default_rng(0).uniform(-0.12, 0.12, (outputs, inputs + 1))

# %% predict_weights_positive
"""The first weights are positive: an ε is not taken away.

says: not uniform within
"""
def random_weights(inputs, outputs):
    return np.random.default_rng().uniform(0, 0.12, (outputs, inputs + 1))
