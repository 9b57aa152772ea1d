/* Runs a launch: one block after the other, the warps of a block in turns, barriers between them. */
#include "standin.h"
#include "warp.h"
#include <stdlib.h>
#include <string.h>

static u32 lanes_in(const Launch *launch, int number) {
    u32 threads = launch->block[0] * launch->block[1] * launch->block[2], first = 32 * (u32)number;
    return threads - first < 32 ? (1u << (threads - first)) - 1 : ~0u;
}

/* What is the same in every block: done once for a launch. */
static void number_threads(const Block *block, Warp *w, int number, const Launch *launch) {
    for (u32 l = 0; l < 32; l++) {
        u32 t = 32 * (u32)number + l, x = launch->block[0], y = launch->block[1];
        u64 values[SPECIALS] = {t % x, t / x % y, t / x / y, 0, 0, 0, x, y, launch->block[2],
                                launch->grid[0], launch->grid[1], launch->grid[2], l, (u32)number, (u32)block->n_warps, 0,
                                1u << l, (1u << l) - 1, (2u << l) - 1, ~((2u << l) - 1), ~((1u << l) - 1), block->kernel->shared_size,
                                launch->dynamic_shared, block->shared_size};
        for (int s = 0; s < SPECIALS; s++) w->regs[(s << 5) + l] = (u32)values[s];
    }
}

static void start_warp(Warp *w, int number, const Launch *launch, const u32 place[3]) {
    w->alive = lanes_in(launch, number);
    w->groups[0] = (Group){.mask = w->alive};
    w->n_groups = 1;
    for (int s = 0; s < 3; s++)
        for (int l = 0; l < 32; l++) w->regs[((CTAID_X + s) << 5) + l] = place[s];
}

/* How many of a block's threads wait at barrier `id`, and how many have not ended. */
static u32 waiting(const Block *block, int id, u32 *alive, u32 *wanted, u32 *yes, u32 *groups) {
    u32 here = 0;
    *alive = *wanted = *yes = *groups = 0;
    for (int i = 0; i < block->n_warps; i++) {
        const Warp *w = block->warps + i;
        *alive += (u32)__builtin_popcount(w->alive);
        for (int g = 0; g < w->n_groups; g++)
            if (w->groups[g].waits == 1 && w->groups[g].barrier == id) {
                here += (u32)__builtin_popcount(w->groups[g].mask);
                *wanted = w->groups[g].count;
                *yes += (u32)__builtin_popcount(w->groups[g].ballot);
                *groups += 1;
            }
    }
    return here;
}

static int release(Block *block) { /* the barriers at which everybody is */
    int released = 0;
    for (int id = 0; id < 16; id++) {
        u32 alive, wanted, yes, groups, here = waiting(block, id, &alive, &wanted, &yes, &groups);
        if (!groups || here < (wanted && wanted < alive ? wanted : alive)) continue;
        for (int i = 0; i < block->n_warps; i++) {
            Warp *w = block->warps + i;
            for (int n = 0; n < w->n_groups; n++) {
                Group *g = w->groups + n;
                if (g->waits != 1 || g->barrier != id) continue;
                if (g->reduction != K_ADD)
                    for (int l = 0; l < 32; l++)
                        if (g->mask >> l & 1) w->regs[(g->reg << 5) + l] = g->reduction == K_POPC ? yes : g->reduction == K_AND ? yes == here : yes != 0;
                g->waits = 0;
                g->count = 0;
                released = 1;
            }
        }
    }
    return released;
}

static int run_block(Block *block) {
    for (;;) {
        int alive = 0, more = 0;
        for (int i = 0; i < block->n_warps; i++) {
            Warp *w = block->warps + i;
            if (!w->alive) continue;
            int state = run_warp(block, w);
            if (state < 0) return run_fault();
            more |= state;
            alive |= w->alive != 0;
        }
        if (!alive) return SUCCESS;
        if (!release(block) && !more) return LAUNCH_TIMEOUT; /* some wait for ever: a GPU would stop them after a while */
    }
}

int run_kernel(const Kernel *k, const Launch *launch) {
    u32 threads = launch->block[0] * launch->block[1] * launch->block[2];
    Block block = {.kernel = k, .params = launch->params, .n_warps = (int)(threads + 31) / 32};
    block.shared_size = k->shared_size + launch->dynamic_shared;
    u64 words = 32ull * (u64)k->n_regs + 32, bytes = 8 * words * (u64)block.n_warps;
    u64 *regs = aligned_alloc(64, (bytes + 63) / 64 * 64);
    u8 *local = calloc((u64)block.n_warps * 32, k->local_size ? k->local_size : 1);
    block.shared = aligned_alloc(64, (block.shared_size + 127) / 64 * 64);
    block.warps = calloc((size_t)block.n_warps, sizeof *block.warps);
    int result = regs && local && block.shared && block.warps ? SUCCESS : OUT_OF_MEMORY;
    if (!result) {
        memset(regs, 0, bytes);
        memset(block.shared, 0xa5, block.shared_size); /* what a block finds there is not zero */
    }
    for (int i = 0; i < block.n_warps && !result; i++) {
        block.warps[i].regs = regs + words * (u64)i;
        block.warps[i].carry = block.warps[i].regs + words - 32;
        block.warps[i].local = local + 32ull * k->local_size * (u64)i;
        number_threads(&block, block.warps + i, i, launch);
    }
    u32 place[3];
    for (place[2] = 0; place[2] < launch->grid[2] && !result; place[2]++)
        for (place[1] = 0; place[1] < launch->grid[1] && !result; place[1]++)
            for (place[0] = 0; place[0] < launch->grid[0] && !result; place[0]++) {
                for (int i = 0; i < block.n_warps; i++) start_warp(block.warps + i, i, launch, place);
                result = run_block(&block);
            }
    free(regs); free(local); free(block.shared); free(block.warps);
    return result;
}
