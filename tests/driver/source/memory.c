/* Device memory: one reserved range of addresses, cut into allocations of whole granules.
   As on a GPU, what is mapped are pages of 2 MiB: an access beyond an array is an error only where no page is, unless
   the machine is set to `exact`. */
#include "standin.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE (2ull << 20)
typedef struct { u64 start, size; } Piece;
u64 arena_base, arena_size;
u8 *arena_valid;
static Piece *pieces;
static int n_pieces, room, is_exact, is_zeroed;

void arena_open(u64 size, int exact, int zeroed) {
    if (arena_base) return;
    u8 *got = mmap(NULL, size + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) return;
    arena_base = ((u64)got + PAGE - 1) & ~(PAGE - 1);
    arena_size = size;
    is_exact = exact;
    is_zeroed = zeroed;
    arena_valid = mmap(NULL, size >> GRANULE_BITS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static void mark(u64 start, u64 size, int valid) {
    u64 end = start + size;
    if (!is_exact) { start &= ~(PAGE - 1); end = (end + PAGE - 1) & ~(PAGE - 1); }
    memset(arena_valid + ((start - arena_base) >> GRANULE_BITS), valid, (end - start) >> GRANULE_BITS);
}

u64 arena_alloc(u64 size) {
    u64 need = (size + (1u << GRANULE_BITS) - 1) >> GRANULE_BITS << GRANULE_BITS, at = arena_base;
    int place = 0;
    if (!arena_base || !size) return 0;
    if (need >= PAGE) need = (need + PAGE - 1) & ~(PAGE - 1);
    for (; place < n_pieces; at = pieces[place].start + pieces[place].size, place++) {
        if (need >= PAGE) at = (at + PAGE - 1) & ~(PAGE - 1);
        if (pieces[place].start >= at + need) break;
    }
    if (need >= PAGE) at = (at + PAGE - 1) & ~(PAGE - 1);
    if (at + need > arena_base + arena_size) return 0;
    if (n_pieces == room) pieces = realloc(pieces, (room = 2 * room + 64) * sizeof *pieces);
    memmove(pieces + place + 1, pieces + place, (n_pieces++ - place) * sizeof *pieces);
    pieces[place] = (Piece){at, need};
    mark(at, need, 1);
    if (is_zeroed) memset((void *)at, 0, need);
    return at;
}

int arena_free(u64 address) {
    for (int place = 0; place < n_pieces; place++) {
        if (pieces[place].start != address) continue;
        u64 size = pieces[place].size;
        memmove(pieces + place, pieces + place + 1, (--n_pieces - place) * sizeof *pieces);
        mark(address, size, 0);
        for (int other = 0; other < n_pieces && !is_exact; other++) mark(pieces[other].start, pieces[other].size, 1);
        return SUCCESS;
    }
    return INVALID_VALUE;
}

u64 arena_find(u64 address, u64 *start) {
    for (int place = 0; place < n_pieces; place++)
        if (address - pieces[place].start < pieces[place].size) { *start = pieces[place].start; return pieces[place].size; }
    return 0;
}

u64 arena_used(void) {
    u64 sum = 0;
    for (int place = 0; place < n_pieces; place++) sum += pieces[place].size;
    return sum;
}
