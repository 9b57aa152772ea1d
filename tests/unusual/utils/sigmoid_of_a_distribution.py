"""The sigmoid is the distribution function of the logistic distribution, and its derivative the density.

slow: its neighbours of the same kind are in the fast set
"""

from scipy import stats

logistic = stats.logistic(loc=0, scale=1)


def sigmoid(x):
    return logistic.cdf(x)


def sigmoid_prime(x):
    return logistic.pdf(x)
