/* One PTX instruction to one of ours: the parts of its name, then its operands. */
#define _GNU_SOURCE
#include "decode.h"
#include <string.h>

typedef struct { Token name; Token part[12]; int n; } Parts;
static Parts cut(Token t) {
    Parts p = {.name = t};
    int from = 0;
    for (int i = 0; i <= t.n && p.n < 12; i++)
        if (i == t.n || t.s[i] == '.') { p.part[p.n++] = (Token){t.s + from, i - from}; from = i + 1; }
    return p;
}
static int has(const Parts *p, const char *text) {
    for (int i = 1; i < p->n; i++) if (is(p->part[i], text)) return 1;
    return 0;
}
static int type_of(const Parts *p, int nth) {
    for (int i = 1; i < p->n; i++) {
        int type = find_type(p->part[i].s, p->part[i].n, NULL);
        if (type != NO_TYPE && nth-- == 0) return type;
    }
    return NO_TYPE;
}
static int space_of(const Parts *p) {
    if (has(p, "global") || has(p, "const")) return GLOBAL;
    if (has(p, "shared") || has(p, "shared::cta")) return SHARED;
    if (has(p, "local")) return LOCAL;
    return has(p, "param") || has(p, "param::entry") || has(p, "param::func") ? PARAM : GENERIC;
}
typedef struct { const char *name; int code; } Word;
static int word_of(const Parts *p, const Word *words, int missing) {
    for (; words->name; words++) if (has(p, words->name)) return words->code;
    return missing;
}
static const Word KINDS[] = {{"add", K_ADD}, {"min", K_MIN}, {"max", K_MAX}, {"and", K_AND}, {"or", K_OR}, {"xor", K_XOR}, {"exch", K_EXCH},
    {"cas", K_CAS}, {"inc", K_INC}, {"dec", K_DEC}, {"up", K_UP}, {"down", K_DOWN}, {"bfly", K_BFLY}, {"idx", K_IDX}, {"any", K_ANY},
    {"all", K_ALL}, {"uni", K_UNI}, {"ballot", K_BALLOT}, {"popc", K_POPC}, {0, 0}};
static const Word TESTS[] = {{"eq", EQ}, {"ne", NE}, {"lt", LT}, {"le", LE}, {"gt", GT}, {"ge", GE}, {"equ", EQU}, {"neu", NEU}, {"ltu", LTU},
    {"leu", LEU}, {"gtu", GTU}, {"geu", GEU}, {"num", NUM}, {"nan", NAN_}, {"lo", LT}, {"ls", LE}, {"hi", GT}, {"hs", GE}, {0, 0}};
static const Word ROUNDINGS[] = {{"rni", 4}, {"rzi", 5}, {"rmi", 6}, {"rpi", 7}, {"rn", 0}, {"rz", 1}, {"rm", 2}, {"rp", 3}, {0, 0}};

/* Instructions of the usual form `name.type d, a, b, c`. */
static const struct { const char *name; int op, operands; } PLAIN[] = {
    {"add", ADD, 2}, {"addc", ADD, 2}, {"sub", SUB, 2}, {"subc", SUB, 2}, {"mul", MUL, 2}, {"mad", MAD, 3}, {"madc", MAD, 3}, {"fma", FMA, 3},
    {"div", DIV, 2}, {"rem", REM, 2}, {"neg", NEG, 1}, {"abs", ABS, 1}, {"min", MIN, 2}, {"max", MAX, 2}, {"sqrt", SQRT, 1}, {"rsqrt", RSQRT, 1},
    {"rcp", RCP, 1}, {"sin", SIN, 1}, {"cos", COS, 1}, {"ex2", EX2, 1}, {"lg2", LG2, 1}, {"tanh", TANH, 1}, {"and", AND, 2}, {"or", OR, 2},
    {"xor", XOR, 2}, {"not", NOT, 1}, {"cnot", CNOT, 1}, {"shl", SHL, 2}, {"shr", SHR, 2}, {"selp", SELP, 3}, {"slct", SLCT, 3}, {"popc", POPC, 1},
    {"clz", CLZ, 1}, {"brev", BREV, 1}, {"bfind", BFIND, 1}, {"bfe", BFE, 3}, {"bfi", BFI, 4}, {"prmt", PRMT, 3}, {"lop3", LOP3, 4},
    {"copysign", COPYSIGN, 2}, {"cvt", CVT, 1}, {"mov", MOV, 1}, {"cvta", MOV, 1}};

static void operands(Compiler *c, Ins *in, int count) {
    int *to[] = {&in->a, &in->b, &in->c, &in->e};
    in->d = destination(c);
    for (int i = 0; i < count; i++) { expect(c->src, ","); *to[i] = operand(c); }
}

static int plain(Compiler *c, const Parts *p, Ins *in) {
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
        if (!is(p->part[0], PLAIN[i].name)) continue;
        in->op = PLAIN[i].op;
        operands(c, in, PLAIN[i].operands);
        in->carry = (p->part[0].s[p->part[0].n - 1] == 'c' && !is(p->part[0], "popc")) | (has(p, "cc") ? 2 : 0);
        in->width = word_of(p, ROUNDINGS, 0);
        in->saturate = has(p, "sat");
        in->from = type_of(p, 1);
        in->kind = has(p, "shiftamt");
        int is_float = in->type == F16 || in->type == F32 || in->type == F64;
        if (in->op == MUL && !is_float) in->op = has(p, "hi") ? MULHI : has(p, "wide") ? MULWIDE : MUL;
        if (in->op == MAD) in->op = is_float ? FMA : has(p, "hi") ? MADHI : has(p, "wide") ? MADWIDE : MAD;
        return 1;
    }
    return 0;
}

static void window(Compiler *c, const Parts *p, Ins *in) { /* cvta: between a space's addresses and generic ones */
    u64 size = space_of(p) == SHARED ? SHARED_WINDOW : space_of(p) == LOCAL ? LOCAL_WINDOW : 0;
    in->op = has(p, "to") ? SUB : ADD;
    in->type = U64;
    in->b = constant(c, size);
}

static void move(Compiler *c, const Parts *p, Ins *in) {
    if (next_is(c->src, "{")) {
        in->op = UNPACK;
        in->width = vector(c, in->v);
        expect(c->src, ",");
        in->a = operand(c);
        return;
    }
    in->op = MOV;
    in->d = destination(c);
    expect(c->src, ",");
    if (!next_is(c->src, "{")) { in->a = operand(c); return; }
    in->op = PACK;
    in->width = vector(c, in->v);
    (void)p;
}

static void memory(Compiler *c, const Parts *p, Ins *in, int is_load) {
    in->op = is_load ? LD : ST;
    in->space = space_of(p);
    in->width = has(p, "v2") ? 2 : has(p, "v4") ? 4 : 1;
    if (!is_load) { address(c, in); expect(c->src, ","); }
    if (next_is(c->src, "{")) vector(c, in->v);
    else in->v[0] = is_load ? destination(c) : operand(c);
    if (is_load) { expect(c->src, ","); address(c, in); }
}

static void atomic(Compiler *c, const Parts *p, Ins *in, int returns) {
    in->op = ATOM;
    in->space = space_of(p);
    in->kind = word_of(p, KINDS, K_ADD);
    in->d = returns ? destination(c) : c->kernel->n_regs++;
    if (returns) expect(c->src, ",");
    address(c, in);
    expect(c->src, ",");
    in->b = operand(c);
    if (skip(c->src, ",")) in->c = operand(c);
}

static void comparison(Compiler *c, const Parts *p, Ins *in) {
    in->op = is(p->part[0], "set") ? SET : SETP;
    in->from = in->op == SET ? type_of(p, 1) : in->type;
    in->test = word_of(p, TESTS, EQ);
    in->kind = has(p, "and") ? K_AND : has(p, "or") ? K_OR : has(p, "xor") ? K_XOR : K_ADD;
    in->d = destination(c);
    in->d2 = skip(c->src, "|") ? destination(c) : -1;
    expect(c->src, ",");
    in->a = operand(c);
    expect(c->src, ",");
    in->b = operand(c);
    if (in->kind != K_ADD) { expect(c->src, ","); in->c = operand(c); }
}

static void barrier(Compiler *c, const Parts *p, Ins *in) {
    in->op = BAR;
    in->kind = has(p, "red") ? (has(p, "popc") ? K_POPC : has(p, "and") ? K_AND : K_OR) : K_ADD;
    in->saturate = has(p, "arrive");
    in->d = -1;
    if (has(p, "warp")) { in->op = SYNCWARP; in->c = operand(c); return; }
    if (has(p, "red")) { in->d = destination(c); expect(c->src, ","); }
    in->a = operand(c);
    in->b = constant(c, 0);
    if (in->kind != K_ADD) {
        expect(c->src, ",");
        in->negated = skip(c->src, "!");
        in->c = operand(c);
        if (skip(c->src, ",")) { in->b = in->c; in->negated = skip(c->src, "!"); in->c = operand(c); }
    } else if (skip(c->src, ",")) in->b = operand(c);
}

static void of_warps(Compiler *c, const Parts *p, Ins *in) {
    Token name = p->part[0];
    in->op = is(name, "shfl") ? SHFL : is(name, "vote") ? VOTE : is(name, "match") ? MATCH : is(name, "redux") ? REDUX : ACTIVEMASK;
    in->kind = word_of(p, KINDS, K_IDX);
    in->d = destination(c);
    in->d2 = skip(c->src, "|") ? destination(c) : -1;
    in->c = constant(c, 0xffffffff);
    if (in->op == ACTIVEMASK) return;
    expect(c->src, ",");
    in->a = operand(c);
    if (in->op == SHFL) {
        expect(c->src, ","); in->b = operand(c);
        expect(c->src, ","); in->e = operand(c);
    }
    if (skip(c->src, ",")) in->c = operand(c);
}

static void call(Compiler *c, int guard, int negated, int instance) {
    Source *src = c->src;
    Token returns[4], arguments[256];
    int n_returns = 0, n_arguments = 0, over = -1;
    if (skip(src, "(")) while (!skip(src, ")")) if (!skip(src, ",") && n_returns < 4) returns[n_returns++] = take(src);
    skip(src, ",");
    Token name = take(src);
    if (skip(src, ",") && skip(src, "(")) while (!skip(src, ")")) if (!skip(src, ",") && n_arguments < 256) arguments[n_arguments++] = take(src);
    if (guard) { emit(c, (Ins){.op = BRA, .guard = guard, .negated = !negated}); over = c->kernel->n_code - 1; }
    Name bound[4 + 256];
    int n = 0;
    for (int i = 0; i < n_returns + n_arguments; i++) {
        Token t = i < n_returns ? returns[i] : arguments[i - n_returns];
        for (int j = c->n_names; j-- > 0;) if (c->names[j].text.n == t.n && !memcmp(c->names[j].text.s, t.s, t.n)) { bound[n++] = c->names[j]; break; }
        if (n != i + 1) give_up("PTX: '%.*s' is not known", t.n, t.s);
    }
    Function *f = c->decoder->functions;
    while (f && !(f->body && f->name.n == name.n && !memcmp(f->name.s, name.s, name.n))) f = f->next;
    if (is(name, "vprintf") && n_arguments == 2)
        emit(c, (Ins){.op = PRINT, .a = constant(c, bound[n_returns].at), .b = constant(c, bound[n_returns + 1].at), .d = constant(c, n_returns ? bound[0].at : 0)});
    else if (is(name, "__assertfail")) emit(c, (Ins){.op = TRAP, .offset = 710});
    else if (!f) give_up("PTX: the function '%.*s' is not defined", name.n, name.s);
    else {
        int kept = c->n_names;
        for (int i = 0; i < f->n_returns && i < n_returns; i++) { bound[i].text = f->returns[i]; add_name(c, bound[i]); }
        for (int i = 0; i < f->n_params && i < n_arguments; i++) { bound[n_returns + i].text = f->params[i]; add_name(c, bound[n_returns + i]); }
        body(c, f->body, ++c->instances);
        c->n_names = kept;
    }
    if (over >= 0) c->kernel->code[over].offset = c->kernel->n_code;
    (void)instance;
}

static void branch(Compiler *c, Ins *in, int instance, Token label) {
    in->op = BRA;
    emit(c, *in);
    jump_to(c, label, c->kernel->n_code - 1, instance);
}

/* Returns whether it has emitted what it made already. */
static int special(Compiler *c, const Parts *p, Ins *in, int instance) {
    Token name = p->part[0];
    if (is(name, "bra")) branch(c, in, instance, take(c->src));
    else if (is(name, "ret") && c->depth > 1) branch(c, in, instance, (Token){"}", 1});
    else if (is(name, "call")) call(c, in->guard, in->negated, instance);
    else if (is(name, "brx")) {
        in->op = BRX;
        in->a = operand(c);
        expect(c->src, ",");
        in->b = operand(c); /* the place of the table, as a constant */
        emit(c, *in);
    } else return 0;
    return 1;
}

static void other(Compiler *c, const Parts *p, Ins *in) {
    Token name = p->part[0];
    if (is(name, "ret") || is(name, "exit")) in->op = EXIT;
    else if (is(name, "trap")) { in->op = TRAP; in->offset = LAUNCH_FAILED; }
    else if (is(name, "ld") || is(name, "ldu")) memory(c, p, in, 1);
    else if (is(name, "st")) memory(c, p, in, 0);
    else if (is(name, "atom")) atomic(c, p, in, 1);
    else if (is(name, "red")) atomic(c, p, in, 0);
    else if (is(name, "setp") || is(name, "set")) comparison(c, p, in);
    else if (is(name, "bar") || is(name, "barrier")) barrier(c, p, in);
    else if (is(name, "shfl") || is(name, "vote") || is(name, "match") || is(name, "redux") || is(name, "activemask")) of_warps(c, p, in);
    else if (is(name, "shf")) { in->op = has(p, "l") ? SHF_L : SHF_R; in->kind = has(p, "wrap"); operands(c, in, 3); }
    else if (is(name, "testp")) { in->op = TESTP; in->test = has(p, "finite") ? 0 : has(p, "infinite") ? 1 : has(p, "notanumber") ? 2 : 3; operands(c, in, 1); }
    else if (is(name, "membar") || is(name, "fence") || is(name, "nanosleep") || is(name, "prefetch") || is(name, "prefetchu") || is(name, "griddepcontrol")) {
        in->op = NOP;
        while (!next_is(c->src, ";")) take(c->src);
    } else give_up("PTX: the instruction '%.*s' is not known to this driver", p->name.n, p->name.s);
}

void instruction(Compiler *c, Token op, int guard, int negated, int instance) {
    Parts p = cut(op);
    Ins in = {.guard = guard, .negated = negated, .type = type_of(&p, 0), .d2 = -1};
    if (special(c, &p, &in, instance)) { expect(c->src, ";"); return; }
    if (is(p.part[0], "mov")) move(c, &p, &in);
    else if (is(p.part[0], "cvta")) { operands(c, &in, 1); window(c, &p, &in); }
    else if (!plain(c, &p, &in)) other(c, &p, &in);
    if (in.op == BAR && in.negated) { /* the predicate's, not the guard's */
        int d = c->kernel->n_regs++;
        emit(c, (Ins){.op = NOT, .type = PRED, .d = d, .a = in.c});
        in.c = d;
        in.negated = negated;
    }
    emit(c, in);
    expect(c->src, ";");
}
