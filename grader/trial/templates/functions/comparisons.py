from grader.authoring import Work


def draw(rng, shape):
    return rng.uniform(size=shape), rng.uniform(size=shape)


def solve(A, B):
    return A + B, 0  # as in the checks: the right result, and how far an entry may be off


addition = Work(draw, solve, lambda shape: shape[0] * shape[1])
