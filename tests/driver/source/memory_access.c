/* Loads, stores and atomic operations of a warp, in every space; and printing. */
#include "lanes.h"
#include "warp.h"
#include <stdio.h>

static const u8 BYTES[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 1, 8};

/* Where in this process's memory a lane's address lies; NULL, and `fault`, if nowhere. */
static inline u8 *reach(const Block *block, const Warp *w, int space, int l, u64 address, u32 bytes, int *fault) {
    u64 size = 0;
    u8 *base = NULL;
    if (address & (bytes - 1)) { *fault = MISALIGNED; return NULL; }
    if (space == GENERIC) {
        if (address - SHARED_WINDOW < WINDOW_SIZE) { space = SHARED; address -= SHARED_WINDOW; }
        else if (address - LOCAL_WINDOW < WINDOW_SIZE) { space = LOCAL; address -= LOCAL_WINDOW; }
        else space = GLOBAL;
    }
    switch (space) {
    case GLOBAL:
        if (arena_holds(address, bytes)) return (u8 *)address;
        *fault = ILLEGAL_ADDRESS;
        return NULL;
    case SHARED: base = block->shared; size = block->shared_size; break;
    case LOCAL: base = w->local + (u64)l * block->kernel->local_size; size = block->kernel->local_size; break;
    default: base = (u8 *)block->params; size = block->kernel->param_size;
    }
    if (address <= size && bytes <= size - address) return base + address;
    *fault = ILLEGAL_ADDRESS;
    return NULL;
}

static inline void load(const u8 *from, int type, u64 *to) {
    switch (type) {
    case U8: case PRED: *to = *from; break;
    case S8: *to = (u64)(int64_t)(int8_t)*from; break;
    case U16: case F16: { uint16_t x; memcpy(&x, from, 2); *to = x; break; }
    case S16: { int16_t x; memcpy(&x, from, 2); *to = (u64)(int64_t)x; break; }
    case U32: case F32: { u32 x; memcpy(&x, from, 4); *to = x; break; }
    case S32: { int32_t x; memcpy(&x, from, 4); *to = (u64)(int64_t)x; break; }
    default: memcpy(to, from, 8);
    }
}

static void combine(const Ins *in, u8 *at, u64 b, u64 c, u64 *old) {
    int bytes = BYTES[in->type];
    u64 x = 0, y;
    memcpy(&x, at, (size_t)bytes);
    *old = y = x;
    int is_signed = in->type == S32 || in->type == S64;
    int64_t sx = bytes == 4 ? (int32_t)x : (int64_t)x, sb = bytes == 4 ? (int32_t)b : (int64_t)b;
    u64 ub = bytes == 4 ? (u32)b : bytes == 2 ? (uint16_t)b : b;
    int less = is_signed ? sb < sx : ub < x;
    if (in->type == F64 && in->kind <= K_MAX) less = f64(b) < f64(x);
    if (in->type == F32 && in->kind <= K_MAX) less = f32(b) < f32(x);
    switch (in->kind) {
    case K_ADD: y = in->type == F64 ? of_f64(f64(x) + f64(b)) : in->type == F32 ? of_f32(f32(x) + f32(b)) : in->type == F16 ? of_f16(f16(x) + f16(b)) : x + b; break;
    case K_MIN: y = less ? b : x; break;
    case K_MAX: y = less || ub == x ? x : b; break;
    case K_AND: y = x & b; break;
    case K_OR: y = x | b; break;
    case K_XOR: y = x ^ b; break;
    case K_EXCH: y = b; break;
    case K_CAS: y = x == ub ? c : x; break;
    case K_INC: y = x >= ub ? 0 : x + 1; break;
    default: y = x == 0 || x > ub ? ub : x - 1; break;
    }
    memcpy(at, &y, (size_t)bytes);
}

/* Returns 0, or the CUresult of an access that no lane may do. */
int touch_memory(Block *block, Warp *w, const Ins *in, u32 m, const u64 *a, const u64 *b, const u64 *c) {
    int fault = 0, bytes = BYTES[in->type];
    u64 room[4][32];
    const u64 *from[4] = {0};
    u64 *to[4] = {0};
    u64 *d = w->regs + (in->d << 5);
    if (in->op == ATOM) {
        EACH_LANE(u8 *at = reach(block, w, in->space, l, a[l] + (u64)in->offset, (u32)bytes, &fault); if (!at) return fault; u64 old; combine(in, at, b[l], c[l], &old); d[l] = old)
        return 0;
    }
    for (int i = 0; i < in->width; i++) {
        if (in->op == ST) from[i] = lanes_of(block, w, in->v[i], room[i]);
        else to[i] = w->regs + (in->v[i] << 5);
    }
    u32 whole = (u32)(bytes * in->width);
    if (in->op == ST) {
        EACH_LANE(u8 *at = reach(block, w, in->space, l, a[l] + (u64)in->offset, whole, &fault); if (!at) return fault;
                  for (int i = 0; i < in->width; i++) memcpy(at + i * bytes, from[i] + l, (size_t)bytes))
        return 0;
    }
    if (in->width == 1 && bytes == 8) {
        u64 *only = to[0];
        EACH_LANE(u8 *at = reach(block, w, in->space, l, a[l] + (u64)in->offset, 8, &fault); if (!at) return fault; only[l] = *(u64 *)at)
        return 0;
    }
    EACH_LANE(u8 *at = reach(block, w, in->space, l, a[l] + (u64)in->offset, whole, &fault); if (!at) return fault;
              for (int i = 0; i < in->width; i++) load(at + i * bytes, in->type, to[i] + l))
    return 0;
}

/* One `%` of a format: prints its argument, which lies at `at`, and returns where the next one lies. */
static u64 print_one(const Block *block, const Warp *w, int l, const char *form, size_t n, u64 at) {
    char copy[32], kind = form[n - 1];
    int fault = 0, is_long = n > 2 && form[n - 2] == 'l', is_float = strchr("eEfFgGaA", kind) != NULL, is_text = kind == 's' || kind == 'p';
    u32 bytes = is_long || is_float || is_text ? 8 : 4;
    u64 value = 0;
    at = (at + bytes - 1) / bytes * bytes;
    u8 *from = reach(block, w, GENERIC, l, at, bytes, &fault);
    if (!from || n >= sizeof copy) return at + bytes;
    memcpy(&value, from, bytes);
    memcpy(copy, form, n);
    copy[n] = 0;
    if (is_float) printf(copy, f64(value));
    else if (kind == 's') { u8 *text = reach(block, w, GENERIC, l, value, 1, &fault); printf(copy, text ? (char *)text : "(null)"); }
    else if (bytes == 8) printf(copy, value);
    else printf(copy, (u32)value);
    return at + bytes;
}

void print_lanes(Block *block, Warp *w, u32 m, const u64 *a, const u64 *b) {
    EACH_LANE(
        int fault = 0;
        u64 addresses[2] = {0};
        for (int i = 0; i < 2; i++) { u8 *at = reach(block, w, LOCAL, l, i ? b[l] : a[l], 8, &fault); if (at) memcpy(addresses + i, at, 8); }
        const char *form = (const char *)reach(block, w, GENERIC, l, addresses[0], 1, &fault);
        for (u64 at = addresses[1]; form && *form;) {
            if (*form != '%' || form[1] == '%') { putchar(*form); form += 1 + (*form == '%'); continue; }
            size_t n = strcspn(form, "diuoxXeEfFgGaAcsp") + 1;
            at = print_one(block, w, l, form, n, at);
            form += n;
        })
    fflush(stdout);
}
