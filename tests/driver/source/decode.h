/* What the two halves of the PTX reader share: tokens, names in scope, functions. */
#ifndef DECODE_H
#define DECODE_H
#include "standin.h"

typedef struct { const char *s; int n; } Token;
typedef struct { Token *t; int n, at; } Source;
enum Place { REGISTER, REGISTERS, IN_FRAME, IN_PARAMS, IN_SHARED, TABLE };
typedef struct { Token text; int place, at, count, scope; } Name;
typedef struct { Token label; int ins, scope; } Fixup;
typedef struct Function { Token name, params[256], returns[4]; u32 bytes[256]; int align[256]; int n_params, n_returns, is_entry, body, max_threads; struct Function *next; } Function;
typedef struct { Module *module; Function *functions; } Decoder;
typedef struct {
    Source *src; Decoder *decoder; Module *module; Kernel *kernel;
    Name *names; int n_names, room_names;
    Fixup *jumps, *labels; int n_jumps, n_labels, room_jumps, room_labels;
    int depth, instances;
} Compiler;

void give_up(const char *form, ...) __attribute__((noreturn, format(printf, 1, 2)));
int is(Token t, const char *text);
Token take(Source *src);
int next_is(Source *src, const char *text);
int skip(Source *src, const char *text);
void expect(Source *src, const char *text);
int find_type(const char *name, int n, int *bytes);
u64 number(Token t);
u32 frame_variable(Compiler *c);
void shared_variable(Compiler *c);
Symbol *find_symbol(Module *m, Token name);
void add_name(Compiler *c, Name name);
Kernel *compile_kernel(Source *src, Decoder *d, Function *f);
void instruction(Compiler *c, Token op, int guard, int negated, int instance); /* opcodes.c */

/* names.c: operands */
int constant(Compiler *c, u64 value);
int operand(Compiler *c);
int destination(Compiler *c);
void address(Compiler *c, Ins *in);
int vector(Compiler *c, int *v);
Ins *emit(Compiler *c, Ins in);
void jump_to(Compiler *c, Token label, int ins, int instance);
void body(Compiler *c, int at, int instance);
#endif
