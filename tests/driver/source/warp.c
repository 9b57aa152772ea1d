/* Runs the instructions of one warp. Lanes that stand at the same place run together, and the group that is furthest
   behind runs first, so that lanes which went different ways come together again. */
#include "lanes.h"
#include "warp.h"
#include <time.h>

#define LEFT_ALONE 20000 /* steps after which a group that others wait for is looked for among those ahead: a lock is held there */

static int split(Warp *w, Group *from, u32 lanes, int pc) { /* `lanes` of the group go on at `pc`: returns its number */
    for (int i = 0; i < w->n_groups; i++)
        if (!w->groups[i].waits && w->groups[i].pc == pc && w->groups + i != from) { w->groups[i].mask |= lanes; return i; }
    w->groups[w->n_groups] = (Group){.pc = pc, .mask = lanes};
    return w->n_groups++;
}

static void drop(Warp *w, int place) { w->groups[place] = w->groups[--w->n_groups]; }

/* The group to run next: the furthest behind, or the furthest ahead. -1 if all wait. `until`: where another one stands. */
static int choose(Warp *w, int ahead, int *until) {
    int best = -1;
    for (int i = 0; i < w->n_groups; i++) /* those that arrived at one place are one group again */
        for (int j = w->n_groups - 1; j > i; j--)
            if (w->groups[i].pc == w->groups[j].pc && w->groups[i].waits == w->groups[j].waits && w->groups[i].waits != 1) { w->groups[i].mask |= w->groups[j].mask; drop(w, j); }
    for (int i = 0; i < w->n_groups; i++)
        if (!w->groups[i].waits && (best < 0 || (ahead ? w->groups[i].pc > w->groups[best].pc : w->groups[i].pc < w->groups[best].pc))) best = i;
    *until = 1 << 30;
    for (int i = 0; i < w->n_groups && !ahead; i++)
        if (i != best && !w->groups[i].waits && w->groups[i].pc < *until) *until = w->groups[i].pc;
    return best;
}

/* All lanes wait: those that wait for lanes of their warp that will not come are let go, as real ones may be. */
static int release_warp(Warp *w) {
    for (int i = 0; i < w->n_groups; i++)
        if (w->groups[i].waits == 2) { w->groups[i].waits = 0; w->groups[i].count = 1; return 1; }
    return 0;
}

static u32 taken(const u64 *predicate, u32 m) {
    u32 yes = 0;
    for (int l = 0; l < 32; l++) yes |= (u32)(predicate[l] & 1) << l;
    return yes & m;
}

static int arrive(Warp *w, Group *g, const Ins *in, const u64 *a, const u64 *b, const u64 *c) {
    int first = __builtin_ctz(g->mask);
    if (in->saturate) return 0; /* bar.arrive: goes on at once */
    g->waits = 1;
    g->barrier = (int)a[first] & 15;
    g->count = (u32)b[first];
    g->reduction = in->kind;
    g->reg = in->d;
    g->ballot = in->kind != K_ADD ? taken(c, g->mask) : 0;
    (void)w;
    return 1;
}

/* 1 if the group has to wait for other lanes of its warp; those named in `mask` that have not ended. */
static int lacks_lanes(Warp *w, Group *g, u32 mask) {
    u32 missing = mask & w->alive & ~g->mask;
    if (!missing || g->count) { g->count = 0; return 0; }
    g->waits = 2;
    for (int i = 0; i < w->n_groups; i++)
        if (w->groups + i != g && w->groups[i].waits == 2 && w->groups[i].pc == g->pc) {
            w->groups[i].mask |= g->mask; /* joined: complete now, or later */
            if (!(mask & w->alive & ~w->groups[i].mask)) w->groups[i].waits = 0;
            g->mask = 0;
            break;
        }
    return 1;
}

static int fault; /* of the launch that runs */
int run_fault(void) { int found = fault; fault = 0; return found; }

static inline void fill(u64 *to, u64 value) { for (int l = 0; l < 32; l++) to[l] = value; }

int run_warp(Block *block, Warp *w) {
    u64 constants[4][32]; /* the constant that each operand held last, for all lanes */
    int held[4] = {0};
    const Kernel *kernel = block->kernel;
    const Ins *code = kernel->code;
    long budget = STEPS_PER_TURN, left_alone = LEFT_ALONE;
    int until, ahead = 0;
#define OPERAND(WHICH, N) \
    (in->WHICH >= 0 ? w->regs + (in->WHICH << 5) : held[N] == in->WHICH ? constants[N] : (held[N] = in->WHICH, fill(constants[N], kernel->pool[-2 - in->WHICH]), constants[N]))
    for (;;) {
        int which = choose(w, ahead, &until);
        if (which < 0) { if (release_warp(w)) continue; return 0; }
        if (ahead) left_alone = LEFT_ALONE;
        Group *g = w->groups + which;
        u32 mask = g->mask;
        int pc = g->pc;
        for (;;) {
            const Ins *in = code + pc;
            u32 m = mask;
            if (--budget < 0 || (--left_alone < 0 && w->n_groups > 1)) break;
            if (in->guard > 0) {
                u32 yes = taken(w->regs + (in->guard << 5), mask);
                m = in->negated ? mask & ~yes : yes;
                if (!m) { if (++pc >= until) break; continue; }
            }
            const u64 *a = OPERAND(a, 0), *b = OPERAND(b, 1), *c = OPERAND(c, 2);
            u64 *d = w->regs + (in->d << 5);
            switch (in->op) {
            case SETP: case SET: set_lanes(block, w, in, m, a, b, c); break;
            case CVT: convert(in, m, d, a); break;
            case LD: case ST: case ATOM:
                if ((fault = touch_memory(block, w, in, m, a, b, c))) return -1;
                break;
            case PACK: case UNPACK: pack_lanes(block, w, in, m, a); break;
            case NOP: break;
            case CLOCK: { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); EACH_LANE(d[l] = (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec) break; }
            case TRAP: fault = (int)in->offset; return -1;
            case PRINT: print_lanes(block, w, m, a, b); break;
            case ACTIVEMASK: EACH_LANE(d[l] = m) break;
            case BRA:
                if (m == mask) { pc = (int)in->offset - 1; break; }
                g->mask = mask = mask & ~m;
                g->pc = pc + 1;
                split(w, g, m, (int)in->offset);
                goto regroup;
            case BRX: {
                u32 rest = m;
                const int *table = kernel->tables + b[0];
                g->mask = 0;
                for (; rest; rest &= rest - 1) {
                    int l = __builtin_ctz(rest);
                    if ((u32)a[l] >= (u32)table[0]) { fault = LAUNCH_FAILED; return -1; }
                    split(w, g, 1u << l, table[1 + (u32)a[l]]);
                }
                if (m != mask) { g = w->groups + which; g->mask = mask & ~m; g->pc = pc + 1; }
                else drop(w, which);
                goto regroup;
            }
            case EXIT:
                w->alive &= ~m;
                g->mask = mask &= ~m;
                g->pc = pc + 1;
                if (!mask) drop(w, which);
                for (int i = 0; i < w->n_groups; i++) if (w->groups[i].waits == 2) w->groups[i].waits = 0; /* look again */
                goto regroup;
            case BAR: case SYNCWARP: case SHFL: case VOTE: case MATCH: case REDUX:
                if (m != mask) { /* only those under the guard: they are a group of their own */
                    g->mask = mask & ~m;
                    g->pc = pc + 1;
                    w->groups[w->n_groups++] = (Group){.pc = pc, .mask = m};
                    g = w->groups + w->n_groups - 1;
                    which = w->n_groups - 1;
                    mask = m;
                }
                g->pc = pc;
                if (in->op == BAR) {
                    g->pc = pc + 1;
                    if (arrive(w, g, in, a, b, c)) goto regroup;
                    break;
                }
                if (lacks_lanes(w, g, (u32)c[__builtin_ctz(m)])) {
                    if (!g->mask) drop(w, which);
                    goto regroup;
                }
                exchange_lanes(block, w, in, m, a, b, c);
                break;
            default: compute(in, m, d, a, b, c, OPERAND(e, 3), w->carry);
            }
            if (++pc >= until) break;
        }
        g->pc = pc;
        if (budget < 0) return 1;
        if (left_alone < 0) { left_alone = LEFT_ALONE; ahead = !ahead; continue; }
        ahead = 0;
        continue;
    regroup:
        ahead = 0;
    }
}
