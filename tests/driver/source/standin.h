/* What the parts of the stand-in CUDA driver share: its memory, its parsed kernels, and how a launch ends. */
#ifndef STANDIN_H
#define STANDIN_H
#include <stdint.h>
#include <stddef.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
       INVALID_IMAGE = 200, INVALID_CONTEXT = 201, INVALID_PTX = 218, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700,
       OUT_OF_RESOURCES = 701, LAUNCH_TIMEOUT = 702, MISALIGNED = 716, LAUNCH_FAILED = 719, NOT_SUPPORTED = 801 };

/* memory.c: device memory is a range of this process's addresses that nothing else uses. */
#define GRANULE_BITS 9
extern u64 arena_base, arena_size;
extern u8 *arena_valid; /* one byte for each 512 bytes: whether an access to them is an access to mapped memory */
void arena_open(u64 size, int exact, int zeroed);
u64 arena_alloc(u64 size); /* 0 if there is no room */
int arena_free(u64 address);
u64 arena_find(u64 address, u64 *start); /* size of the allocation that holds the address; 0 if none does */
u64 arena_used(void);
static inline int arena_holds(u64 address, u64 size) {
    return size <= arena_size && address - arena_base <= arena_size - size
        && (!size || (arena_valid[(address - arena_base) >> GRANULE_BITS] && arena_valid[(address + size - 1 - arena_base) >> GRANULE_BITS]));
}

/* Windows of generic addresses that mean shared and local memory, as on a real GPU. */
#define SHARED_WINDOW 0x1000000000000000ull
#define LOCAL_WINDOW 0x2000000000000000ull
#define WINDOW_SIZE 0x0100000000000000ull

/* ptx.c: text to instructions. An operand is the number of a register, or a constant: -2 - its place in the pool. */
enum Type { U8, S8, U16, S16, U32, S32, U64, S64, F16, F32, F64, PRED, NO_TYPE };
enum Space { GENERIC, GLOBAL, SHARED, LOCAL, PARAM };
enum Op { ADD, SUB, MUL, MULHI, MULWIDE, MAD, MADHI, MADWIDE, DIV, REM, NEG, ABS, MIN, MAX, FMA, SQRT, RSQRT, RCP, SIN, COS, EX2, LG2,
          TANH, AND, OR, XOR, NOT, CNOT, SHL, SHR, SELP, SLCT, SETP, SET, MOV, CVT, POPC, CLZ, BREV, BFIND, BFE, BFI, PRMT, SHF_L, SHF_R, LOP3,
          COPYSIGN, TESTP, PACK, UNPACK, LD, ST, ATOM, BRA, BRX, BAR, SHFL, VOTE, MATCH, ACTIVEMASK, REDUX, SYNCWARP, EXIT, TRAP,
          CLOCK, PRINT, NOP, OPS };
enum Test { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_ };
enum Kind { K_ADD, K_MIN, K_MAX, K_AND, K_OR, K_XOR, K_EXCH, K_CAS, K_INC, K_DEC, K_UP, K_DOWN, K_BFLY, K_IDX, K_ANY, K_ALL,
            K_UNI, K_BALLOT, K_POPC };
enum Special { TID_X, TID_Y, TID_Z, CTAID_X, CTAID_Y, CTAID_Z, NTID_X, NTID_Y, NTID_Z, NCTAID_X, NCTAID_Y, NCTAID_Z, LANEID, WARPID,
               NWARPID, SMID, LANEMASK_EQ, LANEMASK_LT, LANEMASK_LE, LANEMASK_GT, LANEMASK_GE, DYNAMIC_SMEM, DYNAMIC_SIZE, TOTAL_SIZE, SPECIALS };

typedef struct {
    u8 op, type, from;        /* from: the source type of a conversion, or the type of what is compared */
    u8 space, kind, test, width; /* width: of a vector access, or of a conversion: its rounding */
    u8 negated, carry, saturate; /* carry: 1 reads the flag, 2 writes it, 3 both */
    int guard;                /* a predicate register, -1 if always */
    int d, d2, a, b, c, e;
    int v[4];
    int64_t offset;           /* of an address; or the place of a branch */
} Ins;

typedef struct { char *name; u64 address, size; int space; } Symbol;

typedef struct {
    char *name;
    Ins *code; int n_code, room_code;
    u64 *pool; int n_pool;
    int *tables; int n_tables;   /* targets of `brx.idx`: a count, then places */
    int n_regs;
    u32 param_size, shared_size, local_size;
    u32 param_at[256], param_bytes[256]; int n_params;
    int max_threads, registers;  /* registers: of a thread, as the linker said; 0 if it did not */
} Kernel;

typedef struct {
    Kernel **kernels; int n_kernels;
    Symbol *symbols; int n_symbols;
    u32 shared_size;             /* of the variables that are declared outside of kernels */
    char *text, error[400];
} Module;

Module *ptx_load(const char *text, size_t size); /* `error` says why there are no kernels in it */
void ptx_unload(Module *module);
Kernel *ptx_find(Module *module, const char *name);

/* blocks.c and warp.c: run a kernel; what comes back is 0 or the CUresult that a GPU would report at the next call. */
typedef struct { u32 grid[3], block[3], dynamic_shared; const u8 *params; } Launch;
int run_kernel(const Kernel *kernel, const Launch *launch);

typedef struct { int pc; u32 mask; int waits; /* 0 runs, 1 for a barrier of the block, 2 for lanes of its warp */
                 int barrier, reg, reduction; u32 count; u8 negated; u32 ballot; } Group;
typedef struct { u64 *regs; u8 *local; Group groups[40]; int n_groups; u32 alive, first_thread; u64 *carry; } Warp;
typedef struct { const Kernel *kernel; const u8 *params; u8 *shared; u32 shared_size; Warp *warps; int n_warps; u64 steps; } Block;
int run_warp(Block *block, Warp *warp); /* until nothing of it can run, or for a while */
#define STEPS_PER_TURN 200000

/* machine.c: what it poses as, and which calls fail. */
typedef struct { char name[96], uuid[48]; int major, minor, sms, clock_khz; u64 memory_mb, busy_mb; int utilisation, mig, exclusive; } Card;
typedef struct { int driver, n_cards, exact, zeroed; Card cards[16]; char version[24]; } Machine;
const Machine *machine(void);
int visible_cards(int *places); /* how many cards CUDA_VISIBLE_DEVICES leaves, and which */
int injected(const char *call);  /* 0, or the CUresult with which this call has to fail */
int injected_launch(const char *kernel);
void forget_failure(void); /* api.c: after it, calls work again */
void uuid_bytes(const char *uuid, u8 bytes[16]);
#endif
