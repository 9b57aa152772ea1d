/* The arithmetic of the 32 lanes of a warp: one loop for each operation and type, which the compiler vectorises.
   A register is 32 words of 64 bits, one for each lane, zero above what its type has. */
#ifndef LANES_H
#define LANES_H
#include "standin.h"
#include <math.h>
#include <string.h>

typedef union { u64 u; double d; } D;
typedef union { u32 u; float f; } F;
static inline double f64(u64 x) { return ((D){.u = x}).d; }
static inline u64 of_f64(double x) { return ((D){.d = x}).u; }
static inline float f32(u64 x) { return ((F){.u = (u32)x}).f; }
static inline u64 of_f32(float x) { return ((F){.f = x}).u; }
typedef _Float16 half;
static inline half f16(u64 x) { uint16_t w = (uint16_t)x; half h; memcpy(&h, &w, 2); return h; }
static inline u64 of_f16(half x) { uint16_t w; memcpy(&w, &x, 2); return w; }

#define EACH_LANE(BODY) \
    if (m == ~0u) { for (int l = 0; l < 32; l++) { BODY; } } \
    else for (u32 w_ = m; w_; w_ &= w_ - 1) { int l = __builtin_ctz(w_); BODY; }
#define CASE(OP, TYPE) case (OP) * 16 + (TYPE):
#define ON(OP, TYPE, BODY) CASE(OP, TYPE) { EACH_LANE(BODY) break; }

/* X(name, C type, its unsigned one) */
#define INTEGERS(X) X(U16, uint16_t, uint16_t) X(S16, int16_t, uint16_t) X(U32, uint32_t, uint32_t) X(S32, int32_t, uint32_t) \
    X(U64, uint64_t, uint64_t) X(S64, int64_t, uint64_t)
#define FLOATS(X) X(F32, f32, of_f32, float) X(F64, f64, of_f64, double) X(F16, f16, of_f16, half)

#define INTEGER_CASES(N, T, U) \
    ON(ADD, N, d[l] = (U)((U)a[l] + (U)b[l])) \
    ON(SUB, N, d[l] = (U)((U)a[l] - (U)b[l])) \
    ON(MUL, N, d[l] = (U)((u64)(U)a[l] * (u64)(U)b[l])) \
    ON(MAD, N, d[l] = (U)((u64)(U)a[l] * (u64)(U)b[l] + c[l])) \
    ON(DIV, N, T y_ = (T)b[l]; d[l] = !y_ ? (U)~0ull : (T)-1 < 0 && y_ == (T)-1 ? (U)(0 - (U)a[l]) : (U)((T)a[l] / y_)) \
    ON(REM, N, T y_ = (T)b[l]; d[l] = !y_ ? (U)a[l] : (T)-1 < 0 && y_ == (T)-1 ? 0 : (U)((T)a[l] % y_)) \
    ON(NEG, N, d[l] = (U)(0 - (U)a[l])) \
    ON(ABS, N, T x_ = (T)a[l]; d[l] = (U)(x_ < 0 ? 0 - (U)x_ : (U)x_)) \
    ON(MIN, N, T x_ = (T)a[l]; T y_ = (T)b[l]; d[l] = (U)(x_ < y_ ? x_ : y_)) \
    ON(MAX, N, T x_ = (T)a[l]; T y_ = (T)b[l]; d[l] = (U)(x_ > y_ ? x_ : y_)) \
    ON(SHR, N, u32 s_ = (u32)b[l]; d[l] = (U)(s_ < 8 * sizeof(T) ? (T)a[l] >> s_ : (T)a[l] < 0 ? -1 : 0)) \
    ON(SHL, N, u32 s_ = (u32)b[l]; d[l] = s_ < 8 * sizeof(T) ? (U)((u64)(U)a[l] << s_) : 0) \
    ON(AND, N, d[l] = a[l] & b[l]) ON(OR, N, d[l] = a[l] | b[l]) ON(XOR, N, d[l] = (U)(a[l] ^ b[l])) \
    ON(NOT, N, d[l] = (U)~a[l]) ON(CNOT, N, d[l] = !(U)a[l]) \
    ON(MOV, N, d[l] = (U)a[l])

#define FLOAT_CASES(N, IN, OUT, T) \
    ON(ADD, N, d[l] = OUT(IN(a[l]) + IN(b[l]))) ON(SUB, N, d[l] = OUT(IN(a[l]) - IN(b[l]))) \
    ON(MUL, N, d[l] = OUT(IN(a[l]) * IN(b[l]))) ON(DIV, N, d[l] = OUT(IN(a[l]) / IN(b[l]))) \
    ON(NEG, N, d[l] = a[l] ^ 1ull << (8 * sizeof(T) - 1)) ON(ABS, N, d[l] = a[l] & ~(1ull << (8 * sizeof(T) - 1))) \
    ON(COPYSIGN, N, u64 s_ = 1ull << (8 * sizeof(T) - 1); d[l] = (b[l] & ~s_) | (a[l] & s_)) \
    ON(MIN, N, T x_ = IN(a[l]); T y_ = IN(b[l]); d[l] = x_ != x_ ? b[l] : y_ != y_ ? a[l] : x_ == y_ ? a[l] | b[l] : x_ < y_ ? a[l] : b[l]) \
    ON(MAX, N, T x_ = IN(a[l]); T y_ = IN(b[l]); d[l] = x_ != x_ ? b[l] : y_ != y_ ? a[l] : x_ == y_ ? a[l] & b[l] : x_ > y_ ? a[l] : b[l]) \
    ON(SQRT, N, d[l] = OUT((T)sqrt((double)IN(a[l])))) ON(RSQRT, N, d[l] = OUT((T)(1 / sqrt((double)IN(a[l]))))) \
    ON(RCP, N, d[l] = OUT((T)1 / IN(a[l]))) ON(MOV, N, d[l] = a[l]) \
    ON(SIN, N, d[l] = OUT((T)sin((double)IN(a[l])))) ON(COS, N, d[l] = OUT((T)cos((double)IN(a[l])))) \
    ON(EX2, N, d[l] = OUT((T)exp2((double)IN(a[l])))) ON(LG2, N, d[l] = OUT((T)log2((double)IN(a[l])))) \
    ON(TANH, N, d[l] = OUT((T)tanh((double)IN(a[l])))) \
    ON(TESTP, N, T x_ = IN(a[l]); d[l] = in->test == 0 ? x_ - x_ == 0 : in->test == 1 ? x_ == x_ && x_ - x_ != 0 : in->test == 2 ? x_ != x_ : x_ - x_ == 0 && x_ != 0)

/* Comparisons: the outer switch is on the type of what is compared, the inner on the test. */
#define TEST_INTEGER(T) \
    switch (in->test) { \
    case EQ: case EQU: EACH_LANE(d[l] = (T)a[l] == (T)b[l]) break; case NE: case NEU: EACH_LANE(d[l] = (T)a[l] != (T)b[l]) break; \
    case LT: case LTU: EACH_LANE(d[l] = (T)a[l] < (T)b[l]) break; case LE: case LEU: EACH_LANE(d[l] = (T)a[l] <= (T)b[l]) break; \
    case GT: case GTU: EACH_LANE(d[l] = (T)a[l] > (T)b[l]) break; default: EACH_LANE(d[l] = (T)a[l] >= (T)b[l]) break; }
#define TEST_FLOAT(IN) \
    switch (in->test) { \
    case EQ: EACH_LANE(d[l] = IN(a[l]) == IN(b[l])) break; case NEU: EACH_LANE(d[l] = IN(a[l]) != IN(b[l])) break; \
    case NE: EACH_LANE(d[l] = IN(a[l]) < IN(b[l]) || IN(a[l]) > IN(b[l])) break; \
    case EQU: EACH_LANE(d[l] = !(IN(a[l]) < IN(b[l]) || IN(a[l]) > IN(b[l]))) break; \
    case LT: EACH_LANE(d[l] = IN(a[l]) < IN(b[l])) break; case LTU: EACH_LANE(d[l] = !(IN(a[l]) >= IN(b[l]))) break; \
    case LE: EACH_LANE(d[l] = IN(a[l]) <= IN(b[l])) break; case LEU: EACH_LANE(d[l] = !(IN(a[l]) > IN(b[l]))) break; \
    case GT: EACH_LANE(d[l] = IN(a[l]) > IN(b[l])) break; case GTU: EACH_LANE(d[l] = !(IN(a[l]) <= IN(b[l]))) break; \
    case GE: EACH_LANE(d[l] = IN(a[l]) >= IN(b[l])) break; case GEU: EACH_LANE(d[l] = !(IN(a[l]) < IN(b[l]))) break; \
    case NUM: EACH_LANE(d[l] = IN(a[l]) == IN(a[l]) && IN(b[l]) == IN(b[l])) break; \
    default: EACH_LANE(d[l] = IN(a[l]) != IN(a[l]) || IN(b[l]) != IN(b[l])) break; }

void compute(const Ins *in, u32 m, u64 *d, const u64 *a, const u64 *b, const u64 *c, const u64 *e, u64 *carry); /* arithmetic.c */
void compare(const Ins *in, u32 m, u64 *d, const u64 *a, const u64 *b);
void convert(const Ins *in, u32 m, u64 *d, const u64 *a);
#endif
