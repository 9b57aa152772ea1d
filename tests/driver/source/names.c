/* Bodies of functions, and the operands in them: registers, constants, variables and addresses. */
#define _GNU_SOURCE
#include "decode.h"
#include <stdlib.h>
#include <string.h>

#define DEEPEST_CALL 24
static const char *SPECIAL_NAMES[SPECIALS] = {
    "%tid.x", "%tid.y", "%tid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%nctaid.x", "%nctaid.y", "%nctaid.z",
    "%laneid", "%warpid", "%nwarpid", "%smid", "%lanemask_eq", "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge", "%dynamic_smem", "%dynamic_smem_size", "%total_smem_size"};

void add_name(Compiler *c, Name name) {
    if (c->n_names == c->room_names) c->names = realloc(c->names, (c->room_names = 2 * c->room_names + 256) * sizeof *c->names);
    name.scope = c->depth;
    c->names[c->n_names++] = name;
}

/* The latest name in scope wins; those of `.reg .b64 %rd<27>` are one entry for all of them. */
static Name *find_name(Compiler *c, Token t, int *reg) {
    int digits = 0;
    while (digits < t.n && t.s[t.n - 1 - digits] - (unsigned)'0' < 10u && t.s[t.n - 1 - digits] >= '0') digits++;
    for (int i = c->n_names; i-- > 0;) {
        Name *n = c->names + i;
        if (n->place == REGISTERS) {
            if (!digits || n->text.n >= t.n || n->text.n < t.n - digits || memcmp(n->text.s, t.s, n->text.n)) continue;
            int which = atoi(t.s + n->text.n);
            if (which < n->count) { *reg = n->at + which; return n; }
        } else if (n->text.n == t.n && !memcmp(n->text.s, t.s, t.n)) { *reg = n->at; return n; }
    }
    return NULL;
}

int constant(Compiler *c, u64 value) {
    Kernel *k = c->kernel;
    for (int i = 0; i < k->n_pool; i++) if (k->pool[i] == value) return -2 - i;
    k->pool = realloc(k->pool, (k->n_pool + 1) * sizeof *k->pool);
    k->pool[k->n_pool++] = value;
    return -1 - k->n_pool;
}

static int named(Compiler *c, Token t) {
    int reg;
    Name *name = find_name(c, t, &reg);
    if (name && (name->place == REGISTER || name->place == REGISTERS)) return reg;
    if (name) return constant(c, (u64)name->at);
    for (int s = 0; s < SPECIALS; s++) if (is(t, SPECIAL_NAMES[s])) return s;
    Symbol *symbol = find_symbol(c->module, t);
    if (symbol) return symbol->address == ~0ull ? DYNAMIC_SMEM : constant(c, symbol->address);
    if (is(t, "WARP_SZ")) return constant(c, 32);
    if (is(t, "%clock") || is(t, "%clock64") || is(t, "%globaltimer") || is(t, "%clock_hi")) {
        int d = c->kernel->n_regs++;
        emit(c, (Ins){.op = CLOCK, .d = d});
        return d;
    }
    give_up("PTX: '%.*s' is not known", t.n, t.s);
}

int operand(Compiler *c) {
    Token t = take(c->src);
    if (is(t, "!")) { /* the opposite of a predicate */
        int d = c->kernel->n_regs++, a = operand(c);
        emit(c, (Ins){.op = NOT, .type = PRED, .d = d, .a = a});
        return d;
    }
    if (t.s[0] - (unsigned)'0' < 10u && t.s[0] >= '0') return constant(c, number(t));
    if (t.s[0] == '-' && t.n > 1) return constant(c, number(t));
    return named(c, t);
}

int destination(Compiler *c) {
    if (skip(c->src, "_")) return c->kernel->n_regs++;
    int reg = operand(c);
    if (reg < 0) give_up("PTX: a register expected");
    return reg;
}

void address(Compiler *c, Ins *in) {
    expect(c->src, "[");
    Token t = c->src->t[c->src->at];
    int reg;
    Name *name = find_name(c, t, &reg);
    in->a = operand(c);
    if (name && name->place == IN_PARAMS) in->space = PARAM;
    else if (name && name->place == IN_FRAME) in->space = LOCAL;
    else if (in->space == PARAM) in->space = LOCAL;
    in->offset = 0;
    if (skip(c->src, "+")) in->offset = (int64_t)number(take(c->src));
    else if (c->src->t[c->src->at].s[0] == '-') in->offset = (int64_t)number(take(c->src));
    expect(c->src, "]");
}

int vector(Compiler *c, int *v) {
    int n = 0;
    expect(c->src, "{");
    while (!skip(c->src, "}")) {
        if (skip(c->src, ",")) continue;
        if (n == 4) give_up("PTX: a vector of more than four");
        v[n++] = next_is(c->src, "_") ? destination(c) : operand(c);
    }
    return n;
}

Ins *emit(Compiler *c, Ins in) {
    Kernel *k = c->kernel;
    if (k->n_code == k->room_code) k->code = realloc(k->code, (k->room_code = 2 * k->room_code + 256) * sizeof *k->code);
    if (!in.guard) in.guard = -1; /* register 0 is %tid.x, never a predicate */
    k->code[k->n_code] = in;
    return k->code + k->n_code++;
}

void jump_to(Compiler *c, Token label, int ins, int instance) {
    if (c->n_jumps == c->room_jumps) c->jumps = realloc(c->jumps, (c->room_jumps = 2 * c->room_jumps + 64) * sizeof *c->jumps);
    c->jumps[c->n_jumps++] = (Fixup){label, ins, instance};
}

static void put_label(Compiler *c, Token label, int instance) {
    if (c->n_labels == c->room_labels) c->labels = realloc(c->labels, (c->room_labels = 2 * c->room_labels + 64) * sizeof *c->labels);
    c->labels[c->n_labels++] = (Fixup){label, c->kernel->n_code, instance};
}

static int place_of(Compiler *c, Token label, int instance) {
    for (int i = 0; i < c->n_labels; i++)
        if (c->labels[i].scope == instance && c->labels[i].label.n == label.n && !memcmp(c->labels[i].label.s, label.s, label.n)) return c->labels[i].ins;
    give_up("PTX: no label '%.*s'", label.n, label.s);
}

static void registers(Compiler *c) {
    take(c->src); /* the type: every register has 64 bits here */
    do {
        Token t = take(c->src);
        if (skip(c->src, "<")) {
            int count = (int)number(take(c->src));
            expect(c->src, ">");
            add_name(c, (Name){t, REGISTERS, c->kernel->n_regs, count, 0});
            c->kernel->n_regs += count;
        } else add_name(c, (Name){t, REGISTER, c->kernel->n_regs++, 1, 0});
    } while (skip(c->src, ","));
    expect(c->src, ";");
}

static void branch_targets(Compiler *c, Token label, int instance) {
    Kernel *k = c->kernel;
    int start = k->n_tables++;
    add_name(c, (Name){label, TABLE, start, 0, 0});
    do {
        k->tables = realloc(k->tables, (k->n_tables + 1) * sizeof *k->tables);
        jump_to(c, take(c->src), -1 - k->n_tables++, instance);
    } while (skip(c->src, ","));
    k->tables[start] = k->n_tables - start - 1;
    expect(c->src, ";");
}

static void statement(Compiler *c, int instance) {
    Source *src = c->src;
    Token t = take(src);
    int guard = 0, negated = 0;
    if (is(t, ".reg")) { registers(c); return; }
    if (is(t, ".param") || is(t, ".local")) { frame_variable(c); return; }
    if (is(t, ".shared")) { shared_variable(c); return; }
    if (is(t, ".pragma")) { while (!is(take(src), ";")) ; return; }
    if (is(t, ";")) return;
    if (skip(src, ":")) {
        if (skip(src, ".branchtargets")) branch_targets(c, t, instance);
        else put_label(c, t, instance);
        return;
    }
    if (is(t, "@")) {
        negated = skip(src, "!");
        guard = operand(c);
        t = take(src);
    }
    instruction(c, t, guard, negated, instance);
}

/* The statements of the block that starts at token `at`; a `ret` in it jumps behind its end. */
void body(Compiler *c, int at, int instance) {
    Source *src = c->src;
    int before = src->at, blocks = 0, first = c->n_jumps, kept[64];
    if (++c->depth > DEEPEST_CALL) give_up("recursion is more than this driver can do");
    src->at = at;
    do {
        if (blocks == 63) give_up("PTX: blocks in blocks");
        if (skip(src, "{")) { kept[blocks++] = c->n_names; continue; }
        if (skip(src, "}")) { c->n_names = kept[--blocks]; continue; } /* its names end with it */
        statement(c, instance);
    } while (blocks);
    put_label(c, (Token){"}", 1}, instance);
    int rest = first;
    for (int i = first; i < c->n_jumps; i++) {
        if (c->jumps[i].scope != instance) { c->jumps[rest++] = c->jumps[i]; continue; }
        int place = place_of(c, c->jumps[i].label, instance), ins = c->jumps[i].ins;
        if (ins >= 0) c->kernel->code[ins].offset = place;
        else c->kernel->tables[-1 - ins] = place;
    }
    c->n_jumps = rest;
    c->depth--;
    src->at = before;
}

Kernel *compile_kernel(Source *src, Decoder *d, Function *f) {
    Kernel *k = calloc(1, sizeof *k);
    Compiler c = {.src = src, .decoder = d, .module = d->module, .kernel = k};
    k->name = strndup(f->name.s, f->name.n);
    k->n_regs = SPECIALS;
    k->max_threads = f->max_threads ? f->max_threads : 1024;
    k->n_params = f->n_params;
    for (int i = 0; i < f->n_params; i++) {
        u32 align = f->align[i] ? f->align[i] : 1;
        k->param_size = (k->param_size + align - 1) / align * align;
        k->param_at[i] = k->param_size;
        k->param_bytes[i] = f->bytes[i];
        k->param_size += f->bytes[i];
        add_name(&c, (Name){f->params[i], IN_PARAMS, (int)k->param_at[i], 0, 0});
    }
    body(&c, f->body, ++c.instances);
    emit(&c, (Ins){.op = EXIT});
    k->shared_size = d->module->shared_size;
    free(c.names); free(c.jumps); free(c.labels);
    return k;
}
