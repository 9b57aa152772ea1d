"""What ranks tell each other, and when."""

# %% barrier_on_rank_0_only
"""Only rank 0 comes to the barrier.

failed: data.costs data.weights data.once data.work
says: rank 0 waits in Barrier (data_parallel.py:
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        if comm.rank == 0:
            comm.Barrier()
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% batches_all_at_once
"""All samples make one mini-batch.

warned: data.batches
"""
def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    return train(comm, inputs, labels, theta1, theta2, learning_rate, 1)

# %% batches_lose_the_rest
"""The last mini-batch, which is not full, is left out.

warned: data.batches
"""
def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    samples, costs = comm.bcast(None if inputs is None else len(inputs), root=0), []
    for first in range(0, samples - batch_size + 1, batch_size):
        batch = slice(first, first + batch_size)
        given = (None, None) if inputs is None else (inputs[batch], labels[batch])
        theta1, theta2, cost = train(comm, *given, theta1, theta2, learning_rate, 1)
        costs += cost
    return theta1, theta2, costs

# %% batches_of_each_share
"""Each rank cuts its share into mini-batches of the whole size: there are fewer steps.

warned: data.batches
"""
def train_batches(comm, inputs, labels, theta1, theta2, learning_rate, batch_size):
    size = batch_size * comm.size
    samples, costs = comm.bcast(None if inputs is None else len(inputs), root=0), []
    for first in range(0, samples, size):
        batch = slice(first, first + size)
        given = (None, None) if inputs is None else (inputs[batch], labels[batch])
        theta1, theta2, cost = train(comm, *given, theta1, theta2, learning_rate, 1)
        costs += cost
    return theta1, theta2, costs

# %% costs_of_the_own_share
"""Each rank returns the costs of its own share.

failed: data.costs data.weights
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = float(error(outputs, marks))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% costs_on_rank_0_only
"""Only rank 0 returns the costs.

failed: data.weights
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs if comm.rank == 0 else []

# %% counts_differ
"""The last rank leaves out the bias.

failed: data.costs data.weights data.once data.work
says: different amounts: rank
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        if comm.rank == comm.size - 1 > 0:
            sum2 = sum2[:, 1:].copy()
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% cycle_of_blocking_sends
"""The derivatives go round by Send before Recv, on all ranks.

failed: data.costs data.weights data.once data.work
says: waits in Send to rank 0 (data_parallel.py:
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        for part in (sum1, sum2):
            passing = part.copy()
            for _ in range(comm.size - 1):
                comm.Send(passing, dest=(comm.rank + 1) % comm.size)
                comm.Recv(passing, source=(comm.rank - 1) % comm.size)
                part += passing
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% data_sent_every_iteration
"""The samples are shared in every iteration.

failed: data.once
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        mine, marks = share_samples(comm, inputs, labels)
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% derivatives_not_combined
"""Each rank steps by the derivatives of its own share.

failed: data.costs data.weights
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% divided_by_the_own_share
"""Each rank divides by the number of its own samples.

failed: data.costs data.weights
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / len(mine)
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / len(mine)
    return theta1, theta2, costs

# %% division_forgotten
"""The sums of the derivatives are not divided by the number of samples.

failed: data.costs
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - 1e-3 * learning_rate * (sum1 + shrink(theta1, regular))
        theta2 = theta2 - 1e-3 * learning_rate * (sum2 + shrink(theta2, regular))
    return theta1, theta2, costs

# %% l2_once_per_rank
"""Every rank adds the L2 term before the sums are made.

failed: data.costs
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)) + penalty(theta1, theta2, regular))
        costs.append(total / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        sum1, sum2 = sum1 + shrink(theta1, regular), sum2 + shrink(theta2, regular)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * sum1 / samples
        theta2 = theta2 - learning_rate * sum2 / samples
    return theta1, theta2, costs

# %% last_rank_stops_early
"""The last rank makes one iteration less.

failed: data.costs data.weights data.once data.work
says: has returned after
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        if comm.rank == comm.size - 1 > 0 and step == iterations - 1:
            break
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% maximum_instead_of_sum
"""The derivatives are combined by MAX.

failed: data.costs
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1, MPI.MAX)
        comm.Allreduce(MPI.IN_PLACE, sum2, MPI.MAX)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% mean_of_means
"""Means of shares of different sizes are averaged.

failed: data.costs
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        mean = comm.allreduce(float(error(outputs, marks)) / len(mine)) / comm.size
        costs.append(mean + penalty(theta1, theta2, regular) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        sum1, sum2 = sum1 / len(mine), sum2 / len(mine)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 / comm.size + shrink(theta1, regular) / samples)
        theta2 = theta2 - learning_rate * (sum2 / comm.size + shrink(theta2, regular) / samples)
    return theta1, theta2, costs

# %% message_nobody_receives
"""Rank 1 reports its end to rank 0, which does not listen.

failed: data.costs data.weights data.once data.work
says: Nobody receives what rank 1 sends to rank 0 by isend, tag 9 (data_parallel.py:
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    if comm.rank == 1:
        comm.isend("done", dest=0, tag=9)
    return theta1, theta2, costs

# %% only_rank_0_steps
"""The derivatives are reduced at rank 0, and only rank 0 steps.

failed: data.costs data.weights
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        for total, part in ((np.zeros_like(sum1), sum1), (np.zeros_like(sum2), sum2)):
            comm.Reduce(part, total, root=0)
            part[:] = total
        if comm.rank == 0:
            theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
            theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% other_collective_on_rank_0
"""Rank 0 calls Reduce where the others call Allreduce.

failed: data.costs data.weights data.once data.work
says: rank 0 waits in Reduce (data_parallel.py:
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        if comm.rank == 0 and comm.size > 1:
            comm.Reduce(MPI.IN_PLACE, sum1, root=0)
        else:
            comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% rank_1_never_comes
"""Rank 1 waits for a cost that it never reaches, in a loop of its own.

failed: data.costs data.weights data.once data.work
says: rank 1 computes without calling anything (data_parallel.py:
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        while comm.rank == 1 and costs[-1] > 0:
            costs[-1] = abs(costs[-1])
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% rank_1_raises
"""Rank 1 divides by zero after the first step, and the others wait for it.

failed: data.costs data.weights data.once data.work
says: rank 1 raised ZeroDivisionError
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        if comm.rank == 1 and step > 0:
            total = total / 0
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% second_layer_not_combined
"""The derivatives of the second layer are not combined.

failed: data.costs data.weights
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs

# %% softmax_divided_by_own_share
"""In the softmax network each rank divides by the number of its own samples.

failed: data.softmax
"""
def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    W1, b1, W2, b2 = (np.array(part) for part in comm.bcast((W1, b1, W2, b2), root=0))
    samples, wanted, costs = len(mine), one_hot(marks, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(mine @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(comm.allreduce(float(-np.sum(wanted * np.log(shares)))) / samples + regular / 2 * squares)
        delta2 = shares - wanted
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slopes = [mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0)]
        slopes = [comm.allreduce(slope) for slope in slopes]
        W1, b1, W2, b2 = (
            old - learning_rate * (slope / samples + regular * old) for old, slope in zip((W1, b1, W2, b2), slopes)
        )
    return W1, b1, W2, b2, costs

# %% softmax_l2_once_per_rank
"""In the softmax network the L2 term is added up over the ranks.

failed: data.softmax
"""
def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    W1, b1, W2, b2 = (np.array(part) for part in comm.bcast((W1, b1, W2, b2), root=0))
    samples, wanted, costs = comm.allreduce(len(mine)), one_hot(marks, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(mine @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(comm.allreduce(float(-np.sum(wanted * np.log(shares))) / samples + regular / 2 * squares))
        delta2 = shares - wanted
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slopes = [mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0)]
        slopes = [comm.allreduce(slope / samples + regular * old) for slope, old in zip(slopes, (W1, b1, W2, b2))]
        W1, b1, W2, b2 = (
            old - learning_rate * slope for old, slope in zip((W1, b1, W2, b2), slopes)
        )
    return W1, b1, W2, b2, costs

# %% softmax_steps_by_own_share
"""In the softmax network each rank steps by the derivatives of its own share.

failed: data.softmax
"""
def train_softmax(comm, inputs, labels, W1, b1, W2, b2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    W1, b1, W2, b2 = (np.array(part) for part in comm.bcast((W1, b1, W2, b2), root=0))
    samples, wanted, costs = comm.allreduce(len(mine)), one_hot(marks, len(b2)), []
    for _ in range(iterations):
        hidden = sigmoid(mine @ W1 + b1)
        shares = softmax(hidden @ W2 + b2)
        squares = np.sum(W1**2) + np.sum(b1**2) + np.sum(W2**2) + np.sum(b2**2)
        costs.append(comm.allreduce(float(-np.sum(wanted * np.log(shares)))) / samples + regular / 2 * squares)
        delta2 = shares - wanted
        delta1 = (delta2 @ W2.T) * hidden * (1 - hidden)
        slopes = [mine.T @ delta1, delta1.sum(axis=0), hidden.T @ delta2, delta2.sum(axis=0)]
        pass
        W1, b1, W2, b2 = (
            old - learning_rate * (slope / samples + regular * old) for old, slope in zip((W1, b1, W2, b2), slopes)
        )
    return W1, b1, W2, b2, costs

# %% types_differ
"""Rank 0 reduces in single precision.

failed: data.costs data.weights data.once data.work
says: types of numbers differ
"""
def train(comm, inputs, labels, theta1, theta2, learning_rate=0.1, iterations=60, regular=0.0):
    mine, marks = share_samples(comm, inputs, labels)
    theta1, theta2 = same_weights(comm, theta1, theta2)
    samples = comm.allreduce(len(mine))
    costs = []
    for step in range(iterations):
        hidden, outputs = forward(theta1, theta2, mine)
        total = comm.allreduce(float(error(outputs, marks)))
        costs.append((total + penalty(theta1, theta2, regular)) / samples)
        sum1, sum2 = backward(theta2, mine, hidden, outputs, marks)
        if comm.rank == 0 and comm.size > 1:
            sum1 = sum1.astype(np.float32)
        comm.Allreduce(MPI.IN_PLACE, sum1)
        comm.Allreduce(MPI.IN_PLACE, sum2)
        theta1 = theta1 - learning_rate * (sum1 + shrink(theta1, regular)) / samples
        theta2 = theta2 - learning_rate * (sum2 + shrink(theta2, regular)) / samples
    return theta1, theta2, costs
