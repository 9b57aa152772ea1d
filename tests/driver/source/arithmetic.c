/* Arithmetic, comparisons and conversions of a warp. */
#include "lanes.h"

static u64 reversed(u64 x, int bits) {
    u64 y = 0;
    for (int i = 0; i < bits; i++) y |= (x >> i & 1) << (bits - 1 - i);
    return y;
}

static u32 permuted(u32 a, u32 b, u32 selectors) {
    u64 both = (u64)b << 32 | a;
    u32 out = 0;
    for (int i = 0; i < 4; i++) {
        u32 s = selectors >> 4 * i & 15, byte = (u32)(both >> 8 * (s & 7)) & 255;
        out |= (s & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
    }
    return out;
}

static u64 extracted(u64 a, u32 at, u32 n, int bits, int is_signed) {
    at &= 255; n &= 255;
    u64 sign = is_signed && n ? a >> (at + n - 1 < (u32)bits ? at + n - 1 : (u32)bits - 1) & 1 : 0, out = 0;
    for (u32 i = 0; i < (u32)bits; i++) out |= (i < n && at + i < (u32)bits ? a >> (at + i) & 1 : sign) << i;
    return out;
}

static u64 inserted(u64 a, u64 b, u32 at, u32 n, int bits) {
    at &= 255; n &= 255;
    for (u32 i = 0; i < n && at + i < (u32)bits; i++) b = (b & ~(1ull << (at + i))) | (a >> i & 1) << (at + i);
    return b;
}

static u32 looked_up(u32 a, u32 b, u32 c, u32 table) {
    u32 out = 0;
    for (int i = 0; i < 8; i++) if (table >> i & 1) out |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return out;
}

static void with_carry(const Ins *in, u32 m, u64 *d, const u64 *a, const u64 *b, const u64 *c, u64 *carry) {
    int wide = in->type == U64 || in->type == S64;
    u64 mask = wide ? ~0ull : 0xffffffff;
    EACH_LANE(
        unsigned __int128 x = a[l] & mask; unsigned __int128 y = b[l] & mask; unsigned __int128 sum;
        u64 into = in->carry & 1 ? carry[l] : 0;
        if (in->op == ADD) sum = x + y + into;
        else if (in->op == SUB) sum = x - y - into;
        else { unsigned __int128 product = in->op == MADHI ? x * y >> (wide ? 64 : 32) : x * y & mask; sum = product + (c[l] & mask) + into; }
        d[l] = (u64)sum & mask;
        if (in->carry & 2) carry[l] = (u64)(sum >> (wide ? 64 : 32)) & 1;
    )
}

static void bits(const Ins *in, u32 m, u64 *d, const u64 *a, const u64 *b, const u64 *c, const u64 *e) {
    int wide = in->type == U64 || in->type == S64, is_signed = in->type == S32 || in->type == S64, n = wide ? 64 : 32;
    u64 mask = wide ? ~0ull : 0xffffffff;
    switch (in->op) {
    case POPC: EACH_LANE(d[l] = (u64)__builtin_popcountll(a[l] & mask)) break;
    case CLZ: EACH_LANE(u64 x = a[l] & mask; d[l] = x ? (u64)__builtin_clzll(x) - (64 - n) : (u64)n) break;
    case BREV: EACH_LANE(d[l] = reversed(a[l], n)) break;
    case BFIND: EACH_LANE(u64 x = a[l] & mask; if (is_signed && x >> (n - 1)) x = ~x & mask;
                          int top = x ? 63 - __builtin_clzll(x) : -1; d[l] = (u32)(in->kind && top >= 0 ? n - 1 - top : top)) break;
    case BFE: EACH_LANE(d[l] = extracted(a[l] & mask, (u32)b[l], (u32)c[l], n, is_signed)) break;
    case BFI: EACH_LANE(d[l] = inserted(a[l] & mask, b[l] & mask, (u32)c[l], (u32)e[l], n)) break;
    case PRMT: EACH_LANE(d[l] = permuted((u32)a[l], (u32)b[l], (u32)c[l])) break;
    case LOP3: EACH_LANE(d[l] = looked_up((u32)a[l], (u32)b[l], (u32)c[l], (u32)e[l])) break;
    default: EACH_LANE(u64 both = (b[l] & 0xffffffff) << 32 | (u32)a[l]; u32 s = (u32)c[l]; s = in->kind ? s & 31 : s > 32 ? 32 : s;
                       d[l] = (u32)(in->op == SHF_R ? both >> s : s == 0 ? both >> 32 : both << s >> 32))
    }
}

void compute(const Ins *in, u32 m, u64 *d, const u64 *a, const u64 *b, const u64 *c, const u64 *e, u64 *carry) {
    if (in->carry) { with_carry(in, m, d, a, b, c, carry); return; }
    switch (in->op * 16 + in->type) {
    INTEGERS(INTEGER_CASES)
    FLOATS(FLOAT_CASES)
    ON(FMA, F64, d[l] = of_f64(fma(f64(a[l]), f64(b[l]), f64(c[l]))))
    ON(FMA, F32, d[l] = of_f32(fmaf(f32(a[l]), f32(b[l]), f32(c[l]))))
    ON(FMA, F16, d[l] = of_f16((half)fma((double)f16(a[l]), (double)f16(b[l]), (double)f16(c[l]))))
    ON(MULHI, U32, d[l] = (u64)(u32)a[l] * (u32)b[l] >> 32) ON(MULHI, S32, d[l] = (u32)((int64_t)(int32_t)a[l] * (int32_t)b[l] >> 32))
    ON(MULHI, U64, d[l] = (u64)((unsigned __int128)a[l] * b[l] >> 64)) ON(MULHI, S64, d[l] = (u64)((__int128)(int64_t)a[l] * (int64_t)b[l] >> 64))
    ON(MULWIDE, U16, d[l] = (u32)(uint16_t)a[l] * (uint16_t)b[l]) ON(MULWIDE, S16, d[l] = (u32)((int16_t)a[l] * (int16_t)b[l]))
    ON(MULWIDE, U32, d[l] = (u64)(u32)a[l] * (u32)b[l]) ON(MULWIDE, S32, d[l] = (u64)((int64_t)(int32_t)a[l] * (int32_t)b[l]))
    ON(MADHI, U32, d[l] = (u32)(((u64)(u32)a[l] * (u32)b[l] >> 32) + c[l])) ON(MADHI, S32, d[l] = (u32)(((int64_t)(int32_t)a[l] * (int32_t)b[l] >> 32) + (int64_t)c[l]))
    ON(MADHI, U64, d[l] = (u64)((unsigned __int128)a[l] * b[l] >> 64) + c[l]) ON(MADHI, S64, d[l] = (u64)((__int128)(int64_t)a[l] * (int64_t)b[l] >> 64) + c[l])
    ON(MADWIDE, U32, d[l] = (u64)(u32)a[l] * (u32)b[l] + c[l]) ON(MADWIDE, S32, d[l] = (u64)((int64_t)(int32_t)a[l] * (int32_t)b[l]) + c[l])
    ON(MADWIDE, U16, d[l] = (u32)((u32)(uint16_t)a[l] * (uint16_t)b[l] + c[l])) ON(MADWIDE, S16, d[l] = (u32)((int16_t)a[l] * (int16_t)b[l] + (int32_t)c[l]))
    ON(AND, PRED, d[l] = a[l] & b[l]) ON(OR, PRED, d[l] = a[l] | b[l]) ON(XOR, PRED, d[l] = (a[l] ^ b[l]) & 1) ON(NOT, PRED, d[l] = ~a[l] & 1)
    ON(MOV, PRED, d[l] = a[l] & 1)
    default:
        if (in->op == SELP) { EACH_LANE(d[l] = c[l] & 1 ? a[l] : b[l]) }
        else if (in->op == SLCT) { EACH_LANE(d[l] = (in->from == F32 ? f32(c[l]) >= 0 : (int32_t)c[l] >= 0) ? a[l] : b[l]) }
        else if (in->op == MOV) { EACH_LANE(d[l] = a[l]) }
        else bits(in, m, d, a, b, c, e);
    }
    if (in->saturate && in->type == F32) { EACH_LANE(float x = f32(d[l]); d[l] = of_f32(x > 0 ? x < 1 ? x : 1 : 0)) }
    if (in->saturate && in->type == F64) { EACH_LANE(double x = f64(d[l]); d[l] = of_f64(x > 0 ? x < 1 ? x : 1 : 0)) }
}

void compare(const Ins *in, u32 m, u64 *d, const u64 *a, const u64 *b) {
    switch (in->from) {
    case U16: TEST_INTEGER(uint16_t) break; case S16: TEST_INTEGER(int16_t) break;
    case U32: TEST_INTEGER(uint32_t) break; case S32: TEST_INTEGER(int32_t) break;
    case U64: TEST_INTEGER(uint64_t) break; case S64: TEST_INTEGER(int64_t) break;
    case F32: TEST_FLOAT(f32) break; case F64: TEST_FLOAT(f64) break; default: TEST_FLOAT(f16) break;
    }
}

static double rounded(double x, int rounding) { /* to a whole number */
    return rounding == 5 || rounding == 1 ? trunc(x) : rounding == 6 || rounding == 2 ? floor(x) : rounding == 7 || rounding == 3 ? ceil(x) : rint(x);
}

static float narrowed(double x, int rounding) { /* to float32, other than to nearest */
    float y = (float)x;
    if (rounding == 0 || rounding > 3 || y == x || x != x) return y;
    int up = rounding == 3 || (rounding == 1 && x < 0);
    return up ? (y < x ? nextafterf(y, INFINITY) : y) : (y > x ? nextafterf(y, -INFINITY) : y);
}

static void from_float(const Ins *in, u32 m, u64 *d, const double *x) {
    static const double LOWEST[] = {0, -128, 0, -32768, 0, -2147483648.0, 0, -9223372036854775808.0};
    static const double BEYOND[] = {256, 128, 65536, 32768, 4294967296.0, 2147483648.0, 18446744073709551616.0, 9223372036854775808.0};
    static const u64 MOST[] = {0xff, 0x7f, 0xffff, 0x7fff, 0xffffffff, 0x7fffffff, ~0ull, 0x7fffffffffffffff};
    static const u64 MASK[] = {0xff, 0xff, 0xffff, 0xffff, 0xffffffff, 0xffffffff, ~0ull, ~0ull};
    int t = in->type;
    switch (t) {
    case F64: EACH_LANE(d[l] = of_f64(in->width >= 4 ? rounded(x[l], in->width) : x[l])) break;
    case F32: EACH_LANE(d[l] = of_f32(in->width >= 4 ? (float)rounded(x[l], in->width) : narrowed(x[l], in->width))) break;
    case F16: EACH_LANE(d[l] = of_f16((half)(in->width >= 4 ? rounded(x[l], in->width) : x[l]))) break;
    default: EACH_LANE(double y = rounded(x[l], in->width);
        d[l] = y != y ? 0 : y < LOWEST[t] ? (u64)(int64_t)LOWEST[t] & MASK[t] : y >= BEYOND[t] ? MOST[t] : (t & 1 ? (u64)(int64_t)y : (u64)y) & MASK[t])
        if (t == S64 || t == U64) { EACH_LANE(d[l] = x[l] != x[l] ? 0x8000000000000000ull : d[l]) }
    }
}

void convert(const Ins *in, u32 m, u64 *d, const u64 *a) {
    double x[32];
    int64_t n[32];
    switch (in->from) {
    case F64: EACH_LANE(x[l] = f64(a[l])) break; case F32: EACH_LANE(x[l] = f32(a[l])) break; case F16: EACH_LANE(x[l] = (double)f16(a[l])) break;
    case U8: EACH_LANE(n[l] = (u8)a[l]) break; case S8: EACH_LANE(n[l] = (int8_t)a[l]) break;
    case U16: EACH_LANE(n[l] = (uint16_t)a[l]) break; case S16: EACH_LANE(n[l] = (int16_t)a[l]) break;
    case U32: EACH_LANE(n[l] = (u32)a[l]) break; case S32: EACH_LANE(n[l] = (int32_t)a[l]) break;
    default: EACH_LANE(n[l] = (int64_t)a[l])
    }
    if (in->from >= F16 && in->from <= F64) from_float(in, m, d, x);
    else if (in->type == F64) { EACH_LANE(d[l] = of_f64(in->from == U64 ? (double)(u64)n[l] : (double)n[l])) }
    else if (in->type == F32) { EACH_LANE(d[l] = of_f32(in->from == U64 ? (float)(u64)n[l] : (float)n[l])) }
    else if (in->type == F16) { EACH_LANE(d[l] = of_f16((half)(in->from == U64 ? (float)(u64)n[l] : (float)n[l]))) }
    else {
        static const u64 MASK[] = {0xff, 0xff, 0xffff, 0xffff, 0xffffffff, 0xffffffff, ~0ull, ~0ull};
        EACH_LANE(d[l] = (u64)n[l] & MASK[in->type])
    }
    if (in->saturate && in->type == F32) { EACH_LANE(float y = f32(d[l]); d[l] = of_f32(y > 0 ? y < 1 ? y : 1 : 0)) }
}
