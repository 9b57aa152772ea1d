/* What a warp's instructions need besides arithmetic. */
#ifndef WARP_H
#define WARP_H
#include "standin.h"
int run_fault(void); /* the CUresult that ended a warp, once */
void set_lanes(Block *block, Warp *w, const Ins *in, u32 m, const u64 *a, const u64 *b, const u64 *c);
int touch_memory(Block *block, Warp *w, const Ins *in, u32 m, const u64 *a, const u64 *b, const u64 *c);
void pack_lanes(Block *block, Warp *w, const Ins *in, u32 m, const u64 *a);
void exchange_lanes(Block *block, Warp *w, const Ins *in, u32 m, const u64 *a, const u64 *b, const u64 *c);
void print_lanes(Block *block, Warp *w, u32 m, const u64 *a, const u64 *b);
const u64 *lanes_of(Block *block, Warp *w, int operand, u64 room[32]);
#endif
