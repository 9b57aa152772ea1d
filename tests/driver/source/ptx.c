/* PTX to instructions. The text is cut into tokens; a kernel's tokens become instructions, and those of a function are
   compiled anew at each place that calls it, so that there are no calls left to execute. What is not known makes the
   module invalid, with a sentence that says what it was. */
#define _GNU_SOURCE
#include "decode.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local jmp_buf given_up;
static _Thread_local char *why;

void give_up(const char *form, ...) {
    va_list rest;
    va_start(rest, form);
    vsnprintf(why, 400, form, rest);
    va_end(rest);
    longjmp(given_up, 1);
}

int is(Token t, const char *text) { return strlen(text) == (size_t)t.n && !memcmp(t.s, text, t.n); }
static int word(char c) { return c == '_' || c == '$' || c == '.' || c == '%' || (c | 32) - (unsigned)'a' < 26u || c - (unsigned)'0' < 10u; }

static void tokenise(Source *src, const char *p, const char *end) {
    int at_line_start = 1, room = 0;
    while (p < end && *p) {
        const char *from = p;
        if (*p == '\n') { at_line_start = 1; p++; continue; }
        if (*p <= ' ') { p++; continue; }
        if (p[0] == '/' && p[1] == '/') { while (p < end && *p != '\n') p++; continue; }
        if (p[0] == '/' && p[1] == '*') { p = strstr(p, "*/"); p = p ? p + 2 : end; continue; }
        if (at_line_start && (!strncmp(p, ".loc", 4) || !strncmp(p, ".file", 5)) && p[4] != 'a') { while (p < end && *p != '\n') p++; continue; }
        at_line_start = 0;
        if (*p == '"') { for (p++; p < end && *p != '"'; p++) ; p++; }
        else if (word(*p) || (*p == '-' && p[1] - (unsigned)'0' < 10u)) for (p++; p < end && (word(*p) || (p[0] == ':' && p[1] == ':') || (p[0] == ':' && p[-1] == ':')); p++) ;
        else p++;
        if (src->n == room) src->t = realloc(src->t, (room = 2 * room + 1024) * sizeof *src->t);
        src->t[src->n++] = (Token){from, (int)(p - from)};
    }
}

Token take(Source *src) {
    if (src->at >= src->n) give_up("the PTX ends too early");
    return src->t[src->at++];
}
int next_is(Source *src, const char *text) { return src->at < src->n && is(src->t[src->at], text); }
int skip(Source *src, const char *text) { return next_is(src, text) ? (src->at++, 1) : 0; }
void expect(Source *src, const char *text) {
    Token got = take(src);
    if (!is(got, text)) give_up("PTX: '%s' expected before '%.*s'", text, got.n, got.s);
}

static const struct { const char *name; int type, bytes; } TYPES[] = {
    {"pred", PRED, 1}, {"b8", U8, 1}, {"u8", U8, 1}, {"s8", S8, 1}, {"b16", U16, 2}, {"u16", U16, 2}, {"s16", S16, 2}, {"f16", F16, 2},
    {"b32", U32, 4}, {"u32", U32, 4}, {"s32", S32, 4}, {"f32", F32, 4}, {"b64", U64, 8}, {"u64", U64, 8}, {"s64", S64, 8}, {"f64", F64, 8}};

int find_type(const char *name, int n, int *bytes) {
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (strlen(TYPES[i].name) == (size_t)n && !memcmp(TYPES[i].name, name, n)) { if (bytes) *bytes = TYPES[i].bytes; return TYPES[i].type; }
    return NO_TYPE;
}

u64 number(Token t) {
    if (t.n > 2 && t.s[0] == '0' && (t.s[1] | 32) == 'd') return strtoull(t.s + 2, NULL, 16);
    if (t.n > 2 && t.s[0] == '0' && (t.s[1] | 32) == 'f') return strtoull(t.s + 2, NULL, 16);
    return t.s[0] == '-' ? (u64)strtoll(t.s, NULL, 0) : strtoull(t.s, NULL, 0);
}

/* One variable after `.global`, `.shared`, ...: alignment, type, name and size. */
typedef struct { Token name; u64 bytes; int element, align, is_open; } Variable;
static Variable variable(Source *src) {
    Variable found = {.align = 0};
    u64 count = 1;
    for (;;) {
        Token t = take(src);
        int bytes;
        if (is(t, ".align")) found.align = (int)number(take(src));
        else if (is(t, ".ptr") || is(t, ".attribute") || is(t, ".managed")) continue;
        else if (t.s[0] == '.' && find_type(t.s + 1, t.n - 1, &bytes) != NO_TYPE) found.element = bytes;
        else if (t.s[0] == '.') continue; /* a space, after `.ptr` */
        else { found.name = t; break; }
    }
    while (skip(src, "[")) {
        if (skip(src, "]")) { found.is_open = 1; count = 0; continue; }
        count *= number(take(src));
        expect(src, "]");
    }
    found.bytes = count * found.element;
    if (!found.align) found.align = found.element;
    return found;
}
static u64 align_up(u64 at, u64 align) { return (at + align - 1) / align * align; }

u32 frame_variable(Compiler *c) { /* a `.param` or `.local` variable in a function: its place in a thread's own memory */
    Variable v = variable(c->src);
    c->kernel->local_size = align_up(c->kernel->local_size, v.align < 8 ? 8 : v.align);
    u32 at = c->kernel->local_size;
    c->kernel->local_size += v.bytes;
    add_name(c, (Name){v.name, IN_FRAME, (int)at, 0, 0});
    expect(c->src, ";");
    return at;
}
void shared_variable(Compiler *c) {
    Variable v = variable(c->src);
    c->module->shared_size = align_up(c->module->shared_size, v.align) ;
    add_name(c, (Name){v.name, IN_SHARED, (int)c->module->shared_size, 0, 0});
    c->module->shared_size += v.bytes;
    expect(c->src, ";");
}

static Symbol *add_symbol(Module *m, Token name, u64 address, u64 size, int space) {
    m->symbols = realloc(m->symbols, (m->n_symbols + 1) * sizeof *m->symbols);
    Symbol *s = m->symbols + m->n_symbols++;
    s->name = strndup(name.s, name.n);
    s->address = address; s->size = size; s->space = space;
    return s;
}
Symbol *find_symbol(Module *m, Token name) {
    for (int i = m->n_symbols; i-- > 0;) if (is(name, m->symbols[i].name)) return m->symbols + i;
    return NULL;
}

static void initialise(Source *src, Module *m, u8 *to, Variable v) {
    u64 done = 0;
    int is_list = skip(src, "{");
    do {
        if (is_list && next_is(src, "}")) break;
        Token t = take(src);
        Symbol *symbol = NULL;
        if (is(t, "generic")) { expect(src, "("); symbol = find_symbol(m, take(src)); expect(src, ")"); }
        else symbol = find_symbol(m, t);
        u64 value = symbol ? symbol->address : number(t);
        if (done + v.element <= v.bytes) memcpy(to + done, &value, v.element);
        done += v.element;
    } while (skip(src, ","));
    if (is_list) expect(src, "}");
}

static void module_variable(Source *src, Module *m, int space) {
    Variable v = variable(src);
    if (space == SHARED) {
        m->shared_size = align_up(m->shared_size, v.align < 16 && v.is_open ? 16 : v.align);
        add_symbol(m, v.name, v.is_open ? ~0ull : m->shared_size, v.bytes, SHARED);
        m->shared_size += v.bytes;
    } else {
        u64 at = arena_alloc(v.bytes ? v.bytes : 8);
        if (!at) give_up("no device memory for the module's variables");
        memset((void *)at, 0, v.bytes);
        add_symbol(m, v.name, at, v.bytes, GLOBAL);
        if (skip(src, "=")) initialise(src, m, (u8 *)at, v);
    }
    expect(src, ";");
}

static void skip_block(Source *src) {
    int depth = 0;
    do { Token t = take(src); depth += is(t, "{") - is(t, "}"); } while (depth);
}
static void parameters(Source *src, Function *f, Token *names, int *count, u32 *bytes) {
    if (!skip(src, "(")) return;
    while (!skip(src, ")")) {
        if (skip(src, ",") || skip(src, ".param") || skip(src, ".reg")) continue;
        Variable v = variable(src);
        if (*count >= 256) give_up("more than 256 parameters");
        if (bytes) bytes[*count] = (u32)v.bytes;
        if (f) f->align[*count] = v.align;
        names[(*count)++] = v.name;
    }
}

static void function(Source *src, Decoder *d, int is_entry) {
    Function *f = calloc(1, sizeof *f);
    if (!is_entry) parameters(src, NULL, f->returns, &f->n_returns, NULL);
    f->name = take(src);
    parameters(src, f, f->params, &f->n_params, f->bytes);
    f->is_entry = is_entry;
    while (!next_is(src, "{") && !next_is(src, ";")) {
        if (is(take(src), ".maxntid") || is(src->t[src->at - 1], ".reqntid")) {
            f->max_threads = (int)number(take(src));
            while (skip(src, ",")) f->max_threads *= (int)number(take(src));
        }
    }
    if (!skip(src, ";")) { f->body = src->at; skip_block(src); }
    f->next = d->functions;
    d->functions = f;
}

static void declarations(Source *src, Decoder *d) {
    while (src->at < src->n) {
        Token t = take(src);
        if (is(t, ".version") || is(t, ".address_size")) take(src);
        else if (is(t, ".target")) { take(src); while (skip(src, ",")) take(src); }
        else if (is(t, ".entry")) function(src, d, 1);
        else if (is(t, ".func")) function(src, d, 0);
        else if (is(t, ".global") || is(t, ".const")) module_variable(src, d->module, GLOBAL);
        else if (is(t, ".shared")) module_variable(src, d->module, SHARED);
        else if (is(t, ".section")) { take(src); skip_block(src); }
        else if (is(t, ".visible") || is(t, ".extern") || is(t, ".weak") || is(t, ".common") || is(t, ";")) continue;
        else if (is(t, ".alias") || is(t, ".pragma")) while (!is(take(src), ";")) ;
        else give_up("PTX: '%.*s' is not known", t.n, t.s);
    }
}

Module *ptx_load(const char *text, size_t size) {
    Module *m = calloc(1, sizeof *m);
    static _Thread_local Source src;
    static _Thread_local Decoder d;
    m->text = malloc(size + 2);
    memcpy(m->text, text, size);
    m->text[size] = m->text[size + 1] = 0;
    why = m->error;
    src = (Source){0};
    d = (Decoder){.module = m};
    if (!setjmp(given_up)) {
        tokenise(&src, m->text, m->text + size);
        declarations(&src, &d);
        for (Function *f = d.functions; f; f = f->next) {
            if (!f->is_entry || !f->body) continue;
            m->kernels = realloc(m->kernels, (m->n_kernels + 1) * sizeof *m->kernels);
            m->kernels[m->n_kernels] = compile_kernel(&src, &d, f);
            m->n_kernels++;
        }
    }
    for (Function *f = d.functions, *next; f; f = next) { next = f->next; free(f); }
    free(src.t);
    return m;
}

void ptx_unload(Module *m) {
    for (int i = 0; i < m->n_symbols; i++) {
        if (m->symbols[i].space == GLOBAL) arena_free(m->symbols[i].address);
        free(m->symbols[i].name);
    }
    for (int i = 0; i < m->n_kernels; i++) { free(m->kernels[i]->code); free(m->kernels[i]->pool); free(m->kernels[i]->tables); free(m->kernels[i]->name); free(m->kernels[i]); }
    free(m->kernels); free(m->symbols); free(m->text); free(m);
}

Kernel *ptx_find(Module *m, const char *name) {
    for (int i = 0; i < m->n_kernels; i++) if (!strcmp(m->kernels[i]->name, name)) return m->kernels[i];
    return NULL;
}
