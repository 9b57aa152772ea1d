/* What lanes do with each other: shuffles, votes, matches; packing, and tests that set predicates. */
#include "lanes.h"
#include "warp.h"

const u64 *lanes_of(Block *block, Warp *w, int operand, u64 room[32]) {
    if (operand >= 0) return w->regs + (operand << 5);
    for (int l = 0; l < 32; l++) room[l] = block->kernel->pool[-2 - operand];
    return room;
}

void set_lanes(Block *block, Warp *w, const Ins *in, u32 m, const u64 *a, const u64 *b, const u64 *c) {
    u64 is[32], *d = w->regs + (in->d << 5);
    compare(in, m, is, a, b);
    (void)block;
    if (in->op == SET) { EACH_LANE(d[l] = is[l] ? (in->type == F32 ? of_f32(1) : 0xffffffff) : 0) return; }
    if (in->d2 >= 0) {
        u64 *other = w->regs + (in->d2 << 5);
        EACH_LANE(u64 no = !is[l]; other[l] = in->kind == K_AND ? no & c[l] : in->kind == K_OR ? no | c[l] : in->kind == K_XOR ? no ^ c[l] : no)
    }
    switch (in->kind) {
    case K_AND: EACH_LANE(d[l] = is[l] & c[l]) break;
    case K_OR: EACH_LANE(d[l] = is[l] | c[l]) break;
    case K_XOR: EACH_LANE(d[l] = is[l] ^ c[l]) break;
    default: EACH_LANE(d[l] = is[l])
    }
}

void pack_lanes(Block *block, Warp *w, const Ins *in, u32 m, const u64 *a) {
    static const u8 BITS[] = {8, 8, 16, 16, 32, 32, 64, 64, 16, 32, 64, 1, 64};
    int each = BITS[in->type] / in->width;
    u64 mask = (1ull << each) - 1, room[32];
    if (in->op == UNPACK) {
        u64 whole[32];
        EACH_LANE(whole[l] = a[l])
        for (int i = 0; i < in->width; i++) {
            u64 *to = w->regs + (in->v[i] << 5);
            EACH_LANE(to[l] = whole[l] >> (i * each) & mask)
        }
        return;
    }
    u64 sum[32] = {0}, *d = w->regs + (in->d << 5);
    for (int i = 0; i < in->width; i++) {
        const u64 *from = lanes_of(block, w, in->v[i], room);
        EACH_LANE(sum[l] |= (from[l] & mask) << (i * each))
    }
    EACH_LANE(d[l] = sum[l])
}

static void shuffle(Warp *w, const Ins *in, u32 m, const u64 *a, const u64 *b, const u64 *limits) {
    u64 out[32], inside[32], *d = w->regs + (in->d << 5);
    EACH_LANE(
        u32 by = (u32)b[l] & 31; u32 clamp = (u32)limits[l] & 31; u32 segment = (u32)limits[l] >> 8 & 31;
        u32 most = ((u32)l & segment) | (clamp & ~segment); u32 least = (u32)l & segment;
        int from = in->kind == K_UP ? l - (int)by : in->kind == K_DOWN ? l + (int)by : in->kind == K_BFLY ? (int)((u32)l ^ by) : (int)(least | (by & ~segment));
        int ok = in->kind == K_UP ? from >= (int)most : from <= (int)most;
        if (!ok) from = l;
        out[l] = a[from]; inside[l] = (u64)ok)
    EACH_LANE(d[l] = (u32)out[l])
    if (in->d2 >= 0) { u64 *p = w->regs + (in->d2 << 5); EACH_LANE(p[l] = inside[l]) }
}

static u64 voted(const Ins *in, u32 yes, u32 among) {
    switch (in->kind) {
    case K_ANY: return yes != 0;
    case K_ALL: return yes == among;
    case K_UNI: return yes == among || !yes;
    default: return yes;
    }
}

static void match(Warp *w, const Ins *in, u32 m, const u64 *a) {
    u64 *d = w->regs + (in->d << 5), out[32];
    EACH_LANE(u32 same = 0; for (u32 r = m; r; r &= r - 1) { int o = __builtin_ctz(r); if (a[o] == a[l]) same |= 1u << o; } out[l] = same)
    if (in->kind == K_ALL) {
        u32 all = out[__builtin_ctz(m)] == m ? m : 0;
        EACH_LANE(d[l] = all)
        if (in->d2 >= 0) { u64 *p = w->regs + (in->d2 << 5); EACH_LANE(p[l] = all != 0) }
    } else { EACH_LANE(d[l] = out[l]) }
}

static void reduce(Warp *w, const Ins *in, u32 m, const u64 *a) {
    u64 *d = w->regs + (in->d << 5);
    u32 sum = (u32)a[__builtin_ctz(m)];
    for (u32 r = m & (m - 1); r; r &= r - 1) {
        u32 x = (u32)a[__builtin_ctz(r)];
        int less = in->type == S32 ? (int32_t)x < (int32_t)sum : x < sum;
        switch (in->kind) {
        case K_ADD: sum += x; break; case K_AND: sum &= x; break; case K_OR: sum |= x; break; case K_XOR: sum ^= x; break;
        case K_MIN: sum = less ? x : sum; break; default: sum = less ? sum : x;
        }
    }
    EACH_LANE(d[l] = sum)
}

void exchange_lanes(Block *block, Warp *w, const Ins *in, u32 m, const u64 *a, const u64 *b, const u64 *c) {
    u64 room[32];
    u64 *d = w->regs + (in->d << 5);
    (void)c;
    switch (in->op) {
    case SHFL: shuffle(w, in, m, a, b, lanes_of(block, w, in->e, room)); break;
    case VOTE: {
        u32 yes = 0;
        EACH_LANE(yes |= (u32)(a[l] & 1) << l)
        u64 said = voted(in, yes, m);
        EACH_LANE(d[l] = said)
        break;
    }
    case MATCH: match(w, in, m, a); break;
    case REDUX: reduce(w, in, m, a); break;
    default: break; /* syncwarp: they are together */
    }
}
