/* The calls of the CUDA driver, as far as Numba's own target, numba-cuda and cuda.core make them.
   After a kernel has failed in a way that leaves a context unusable, every later call of the process fails with the same
   code, as on a GPU. */
#define _GNU_SOURCE
#include "standin.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#pragma GCC visibility push(default)

#define ARENA_BYTES (8ull << 30)
#define MARK "//standin-cubin\n"
#define UNUSED __attribute__((unused))
typedef int Result;
typedef u64 Address;
typedef struct { int device, references; } Context;
typedef struct { Module *module; Kernel *kernel; } Function;
typedef struct { double at_ms; } Event;
typedef struct { char *text, *errors; size_t size; u64 errors_size; } Link;

static Context contexts[16];
static _Thread_local Context *stack[32];
static _Thread_local int depth;
static int sticky, started, n_visible, visible[16];
static pthread_mutex_t launching = PTHREAD_MUTEX_INITIALIZER;

static int ruins(int code) { return code == 214 || code == 220 || (code >= 700 && code <= 719 && code != 701 && code != 704 && code != 705 && code != 708 && code != 712 && code != 713) || code == 999; }
static Result fails(const char *call) {
    if (sticky) return sticky;
    int code = injected(call);
    if (code && ruins(code)) sticky = code;
    return code;
}
__attribute__((visibility("hidden"))) void forget_failure(void) { sticky = SUCCESS; }
#define START(CALL) do { Result failed_ = fails(#CALL); if (failed_) return failed_; if (!started) return NOT_INITIALIZED; } while (0)
#define IN_CONTEXT(CALL) START(CALL); if (!depth) return INVALID_CONTEXT
#define SAME(NEW, OLD) extern __typeof__(OLD) NEW __attribute__((alias(#OLD)))
static const Card *card(int device) { return machine()->cards + visible[device]; }
static int known(int device) { return device >= 0 && device < n_visible; }

/* A real driver listens at an abstract local socket, for processes with which it shares memory. */
static int listens(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "stand-in-%d", (int)getpid());
    int at = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    return at >= 0 && !bind(at, (struct sockaddr *)&name, size) && !listen(at, 1);
}

Result cuInit(unsigned flags) {
    (void)flags;
    Result failed = injected("cuInit");
    if (failed) return failed;
    if (!started && !listens()) return 304; /* the operating system's */
    n_visible = visible_cards(visible);
    if (!n_visible) return NO_DEVICE;
    arena_open(ARENA_BYTES, machine()->exact, machine()->zeroed);
    started = 1;
    return arena_base ? SUCCESS : OUT_OF_MEMORY;
}
Result cuDriverGetVersion(int *version) { *version = machine()->driver; return SUCCESS; }
Result cuDeviceGetCount(int *n) { START(cuDeviceGetCount); *n = n_visible; return SUCCESS; }
Result cuDeviceGet(int *device, int number) { START(cuDeviceGet); *device = number; return known(number) ? SUCCESS : INVALID_DEVICE; }
Result cuDeviceGetName(char *name, int size, int device) { START(cuDeviceGetName); if (!known(device)) return INVALID_DEVICE; snprintf(name, (size_t)size, "%s", card(device)->name); return SUCCESS; }
Result cuDeviceGetUuid(u8 *uuid, int device) { START(cuDeviceGetUuid); if (!known(device)) return INVALID_DEVICE; uuid_bytes(card(device)->uuid, uuid); return SUCCESS; }
SAME(cuDeviceGetUuid_v2, cuDeviceGetUuid);
Result cuDeviceTotalMem(size_t *bytes, int device) { START(cuDeviceTotalMem); *bytes = card(device)->memory_mb << 20; return SUCCESS; }
SAME(cuDeviceTotalMem_v2, cuDeviceTotalMem);
Result cuDeviceComputeCapability(int *major, int *minor, int device) { START(cuDeviceComputeCapability); *major = card(device)->major; *minor = card(device)->minor; return SUCCESS; }
Result cuDeviceGetPCIBusId(char *text, int size, int device) { START(cuDeviceGetPCIBusId); snprintf(text, (size_t)size, "0000:%02X:00.0", visible[device] + 1); return SUCCESS; }
Result cuDeviceCanAccessPeer(int *can, int one, int other) { (void)one; (void)other; *can = 0; return SUCCESS; }
Result cuDeviceGetAttribute(int *value, int attribute, int device) {
    static const int FIXED[][2] = {{1, 1024}, {2, 1024}, {3, 1024}, {4, 64}, {5, 2147483647}, {6, 65535}, {7, 65535}, {8, 49152}, {9, 65536}, {10, 32},
        {11, 2147483647}, {12, 65536}, {14, 512}, {15, 1}, {17, 0}, {18, 0}, {19, 1}, {20, 0}, {31, 1}, {32, 0}, {34, 0}, {35, 0}, {36, 7000000}, {37, 352},
        {38, 5767168}, {39, 1024}, {40, 3}, {41, 1}, {50, 0}, {78, 1}, {81, 65536}, {82, 65536}, {83, 1}, {84, 0}, {89, 1}, {95, 1}, {97, 65536}, {106, 16}};
    START(cuDeviceGetAttribute);
    if (!known(device)) return INVALID_DEVICE;
    *value = 0;
    for (size_t i = 0; i < sizeof FIXED / sizeof *FIXED; i++) if (FIXED[i][0] == attribute) *value = FIXED[i][1];
    if (attribute == 13) *value = card(device)->clock_khz;
    if (attribute == 16) *value = card(device)->sms;
    if (attribute == 20) *value = card(device)->exclusive ? 3 : 0;
    if (attribute == 33) *value = visible[device] + 1;
    if (attribute == 75) *value = card(device)->major;
    if (attribute == 76) *value = card(device)->minor;
    return SUCCESS;
}

Result cuDevicePrimaryCtxRetain(Context **context, int device) {
    START(cuDevicePrimaryCtxRetain);
    if (!known(device)) return INVALID_DEVICE;
    if (card(device)->exclusive > 1) return 46; /* another process has it */
    contexts[device].device = device;
    contexts[device].references++;
    *context = contexts + device;
    return SUCCESS;
}
Result cuDevicePrimaryCtxRelease(int device) { if (known(device) && contexts[device].references) contexts[device].references--; return SUCCESS; }
SAME(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease);
Result cuDevicePrimaryCtxReset(int device) { (void)device; return sticky; }
SAME(cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxReset);
Result cuDevicePrimaryCtxSetFlags(int device, unsigned flags) { (void)device; (void)flags; return SUCCESS; }
SAME(cuDevicePrimaryCtxSetFlags_v2, cuDevicePrimaryCtxSetFlags);
Result cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) { *flags = 0; *active = known(device) && contexts[device].references; return SUCCESS; }
Result cuCtxPushCurrent(Context *context) { if (depth < 32) stack[depth++] = context; return SUCCESS; }
SAME(cuCtxPushCurrent_v2, cuCtxPushCurrent);
Result cuCtxPopCurrent(Context **context) { if (!depth) return INVALID_CONTEXT; *context = stack[--depth]; return SUCCESS; }
SAME(cuCtxPopCurrent_v2, cuCtxPopCurrent);
Result cuCtxGetCurrent(Context **context) { *context = depth ? stack[depth - 1] : NULL; return SUCCESS; }
Result cuCtxSetCurrent(Context *context) { if (!depth) depth = 1; stack[depth - 1] = context; if (!context) depth--; return SUCCESS; }
Result cuCtxGetDevice(int *device) { if (!depth) return INVALID_CONTEXT; *device = stack[depth - 1]->device; return SUCCESS; }
SAME(cuCtxGetDevice_v2, cuCtxGetDevice);
Result cuCtxSynchronize(void) { IN_CONTEXT(cuCtxSynchronize); return SUCCESS; }
SAME(cuCtxSynchronize_v2, cuCtxSynchronize);
Result cuCtxGetApiVersion(Context *context, unsigned *version) { (void)context; *version = 3020; return SUCCESS; }
Result cuCtxEnablePeerAccess(Context *context, unsigned flags) { (void)context; (void)flags; return 217; }

static u64 budget(void) { const Card *c = card(depth ? stack[depth - 1]->device : 0); return (c->memory_mb - c->busy_mb) << 20; }
Result cuMemGetInfo(size_t *free_bytes, size_t *total) {
    IN_CONTEXT(cuMemGetInfo);
    u64 used = arena_used(), most = budget();
    *free_bytes = most > used ? most - used : 0;
    *total = card(stack[depth - 1]->device)->memory_mb << 20;
    return SUCCESS;
}
SAME(cuMemGetInfo_v2, cuMemGetInfo);
Result cuMemAlloc(Address *to, size_t size) {
    IN_CONTEXT(cuMemAlloc);
    if (!size) return INVALID_VALUE;
    if (arena_used() + size > budget()) return OUT_OF_MEMORY;
    *to = arena_alloc(size);
    return *to ? SUCCESS : OUT_OF_MEMORY;
}
SAME(cuMemAlloc_v2, cuMemAlloc);
Result cuMemAllocManaged(Address *to, size_t size, unsigned flags) { (void)flags; IN_CONTEXT(cuMemAllocManaged); return cuMemAlloc(to, size); }
Result cuMemFree(Address address) { IN_CONTEXT(cuMemFree); return arena_free(address); }
SAME(cuMemFree_v2, cuMemFree);
Result cuMemGetAddressRange(Address *start, size_t *size, Address address) {
    u64 begin = 0, length = arena_find(address, &begin);
    if (start) *start = begin;
    if (size) *size = length;
    return length ? SUCCESS : INVALID_VALUE;
}
SAME(cuMemGetAddressRange_v2, cuMemGetAddressRange);
#define COPY(NAME, PARAMETERS, CHECKED, TO, FROM) \
    Result NAME PARAMETERS { IN_CONTEXT(NAME); if (n && !arena_holds(CHECKED, n)) return INVALID_VALUE; memmove((void *)(TO), (const void *)(FROM), n); return SUCCESS; }
COPY(cuMemcpyHtoD, (Address to, const void *from, size_t n), to, to, from) SAME(cuMemcpyHtoD_v2, cuMemcpyHtoD);
COPY(cuMemcpyDtoH, (void *to, Address from, size_t n), from, to, from) SAME(cuMemcpyDtoH_v2, cuMemcpyDtoH);
COPY(cuMemcpyDtoD, (Address to, Address from, size_t n), to, to, from) SAME(cuMemcpyDtoD_v2, cuMemcpyDtoD);
COPY(cuMemcpyHtoDAsync, (Address to, const void *from, size_t n, UNUSED void *stream), to, to, from) SAME(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync);
COPY(cuMemcpyDtoHAsync, (void *to, Address from, size_t n, UNUSED void *stream), from, to, from) SAME(cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync);
COPY(cuMemcpyDtoDAsync, (Address to, Address from, size_t n, UNUSED void *stream), to, to, from) SAME(cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync);
Result cuMemsetD8(Address to, u8 value, size_t n) { IN_CONTEXT(cuMemsetD8); if (!arena_holds(to, n)) return INVALID_VALUE; memset((void *)to, value, n); return SUCCESS; }
SAME(cuMemsetD8_v2, cuMemsetD8);
Result cuMemsetD8Async(Address to, u8 value, size_t n, void *stream) { (void)stream; return cuMemsetD8(to, value, n); }
Result cuMemHostAlloc(void **to, size_t size, unsigned flags) { (void)flags; IN_CONTEXT(cuMemHostAlloc); *to = (void *)arena_alloc(size ? size : 1); return *to ? SUCCESS : OUT_OF_MEMORY; }
Result cuMemFreeHost(void *at) { return arena_free((u64)at); }
Result cuMemHostRegister(void *at, size_t size, unsigned flags) { (void)at; (void)size; (void)flags; IN_CONTEXT(cuMemHostRegister); return SUCCESS; }
SAME(cuMemHostRegister_v2, cuMemHostRegister);
Result cuMemHostUnregister(void *at) { (void)at; return SUCCESS; }
Result cuMemHostGetDevicePointer(Address *to, void *at, unsigned flags) { (void)flags; *to = (Address)at; return SUCCESS; }
SAME(cuMemHostGetDevicePointer_v2, cuMemHostGetDevicePointer);
Result cuPointerGetAttribute(void *to, int attribute, Address address) {
    if (!arena_holds(address, 1)) return INVALID_VALUE;
    if (attribute == 1) *(void **)to = contexts;
    else if (attribute == 2 || attribute == 8) *(int *)to = attribute == 2 ? 2 : 0;
    else *(Address *)to = address;
    return SUCCESS;
}
Result cuIpcGetMemHandle(void *handle, Address address) { (void)handle; (void)address; return NOT_SUPPORTED; }
Result cuIpcOpenMemHandle(Address *to, void *handle, unsigned flags) { (void)to; (void)handle; (void)flags; return NOT_SUPPORTED; }
SAME(cuIpcOpenMemHandle_v2, cuIpcOpenMemHandle);
Result cuIpcCloseMemHandle(Address address) { (void)address; return NOT_SUPPORTED; }

/* Code: what a driver of this age cannot read, it refuses; PTX of CUDA 12.2 is version 8.2. */
static int too_new(const char *text, int is_linked) {
    int major = 0, minor = 0, toolkit, driver = machine()->driver;
    const char *at = strstr(text, ".version");
    if (!at || sscanf(at, ".version %d.%d", &major, &minor) < 2) return 0;
    toolkit = (major + 4) * 1000 + (minor + (major == 8 && minor >= 5)) * 10;
    return is_linked ? toolkit / 1000 > driver / 1000 : toolkit > driver;
}
static Result load(Module **to, const char *image) {
    size_t mark = strlen(MARK);
    int is_linked = !strncmp(image, MARK, mark);
    if (!strncmp(image, "\177ELF", 4)) return 209;
    if (too_new(image, is_linked)) return is_linked ? 209 : 222;
    Module *m = ptx_load(image, strlen(image));
    if (m->error[0]) {
        fprintf(stderr, "stand-in CUDA driver: %s\n", m->error);
        ptx_unload(m);
        return INVALID_PTX;
    }
    const char *line = image + (is_linked ? mark : 0);
    for (; !strncmp(line, "//registers ", 12); line = strchr(line, '\n') + 1)
        for (int i = 0; i < m->n_kernels; i++) {
            size_t n = strlen(m->kernels[i]->name);
            if (!strncmp(line + 12, m->kernels[i]->name, n) && line[12 + n] == ' ') m->kernels[i]->registers = atoi(line + 12 + n);
        }
    *to = m;
    return SUCCESS;
}
/* Registers are given to warps in lots of 256, and a multiprocessor has 65536. */
static u32 registers_of(const Kernel *k, u64 threads) { return (u32)((threads + 31) / 32) * (((u32)k->registers * 32 + 255) / 256 * 256); }
Result cuModuleLoadDataEx(Module **to, const void *image, unsigned n, int *options, void **values) { (void)n; (void)options; (void)values; IN_CONTEXT(cuModuleLoadData); return load(to, image); }
Result cuModuleLoadData(Module **to, const void *image) { IN_CONTEXT(cuModuleLoadData); return load(to, image); }
Result cuLibraryLoadData(Module **to, const void *image, int *a, void **b, unsigned c, int *d, void **e, unsigned f) { (void)a; (void)b; (void)c; (void)d; (void)e; (void)f; IN_CONTEXT(cuLibraryLoadData); return load(to, image); }
Result cuModuleUnload(Module *m) { ptx_unload(m); return SUCCESS; }
SAME(cuLibraryUnload, cuModuleUnload);
Result cuModuleGetFunction(Function **to, Module *m, const char *name) {
    START(cuModuleGetFunction);
    Kernel *k = ptx_find(m, name);
    if (!k) return NOT_FOUND;
    *to = malloc(sizeof **to);
    **to = (Function){m, k};
    return SUCCESS;
}
SAME(cuLibraryGetKernel, cuModuleGetFunction);
Result cuKernelGetFunction(Function **to, Function *f) { *to = f; return SUCCESS; }
Result cuKernelGetLibrary(Module **to, Function *f) { *to = f->module; return SUCCESS; }
Result cuLibraryGetModule(Module **to, Module *m) { *to = m; return SUCCESS; }
Result cuModuleGetGlobal(Address *to, size_t *size, Module *m, const char *name) {
    for (int i = 0; i < m->n_symbols; i++)
        if (!strcmp(m->symbols[i].name, name)) { if (to) *to = m->symbols[i].address; if (size) *size = m->symbols[i].size; return SUCCESS; }
    return NOT_FOUND;
}
SAME(cuModuleGetGlobal_v2, cuModuleGetGlobal);
Result cuLibraryGetGlobal(Address *to, size_t *size, Module *m, const char *name) { return cuModuleGetGlobal(to, size, m, name); }
Result cuFuncGetAttribute(int *value, int attribute, Function *f) {
    const Kernel *k = f->kernel;
    int values[] = {k->max_threads, (int)k->shared_size, 0, (int)k->local_size, k->registers ? k->registers : 32, 75, 75, 0, 49152 - (int)k->shared_size};
    *value = attribute >= 0 && attribute < 9 ? values[attribute] : 0;
    return SUCCESS;
}
Result cuKernelGetAttribute(int *value, int attribute, Function *f, int device) { (void)device; return cuFuncGetAttribute(value, attribute, f); }
Result cuKernelGetParamInfo(Function *f, size_t i, size_t *at, size_t *size) {
    if (i >= (size_t)f->kernel->n_params) return INVALID_VALUE;
    *at = f->kernel->param_at[i];
    if (size) *size = f->kernel->param_bytes[i];
    return SUCCESS;
}
SAME(cuFuncGetParamInfo, cuKernelGetParamInfo);
Result cuFuncSetAttribute(Function *f, int a, int v) { (void)f; (void)a; (void)v; return SUCCESS; }
Result cuFuncSetCacheConfig(Function *f, int c) { (void)f; (void)c; return SUCCESS; }
Result cuKernelSetAttribute(int a, int v, Function *f, int device) { (void)f; (void)a; (void)v; (void)device; return SUCCESS; }
Result cuKernelSetCacheConfig(Function *f, int c, int device) { (void)f; (void)c; (void)device; return SUCCESS; }
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, Function *f, int threads, size_t shared) { (void)f; (void)shared; *n = threads > 0 ? 1024 / threads : 0; return SUCCESS; }
Result cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, Function *f, int threads, size_t shared, unsigned flags) { (void)flags; return cuOccupancyMaxActiveBlocksPerMultiprocessor(n, f, threads, shared); }
Result cuOccupancyMaxPotentialBlockSize(int *grid, int *block, Function *f, void *of, size_t shared, int limit) { (void)of; (void)shared; (void)limit; *grid = 68; *block = f->kernel->max_threads; return SUCCESS; }

/* The linker of the driver, for Numba's own target: it only passes PTX on. */
Result cuLinkCreate(unsigned n, const int *options, void **values, Link **to) {
    IN_CONTEXT(cuLinkCreate);
    *to = calloc(1, sizeof **to);
    for (unsigned i = 0; i < n; i++) {
        if (options[i] == 5) (*to)->errors = values[i];
        if (options[i] == 6) (*to)->errors_size = (u64)values[i];
    }
    return SUCCESS;
}
SAME(cuLinkCreate_v2, cuLinkCreate);
static Result refuse(Link *link, const char *text, Result code) { if (link->errors) snprintf(link->errors, link->errors_size, "%s", text); return code; }
Result cuLinkAddData(Link *link, int type, const void *data, size_t size, const char *name, unsigned n, int *o, void **v) {
    (void)name; (void)n; (void)o; (void)v;
    IN_CONTEXT(cuLinkAddData);
    if (type != 1 || link->text) return refuse(link, "this driver links one PTX text", INVALID_VALUE);
    link->text = malloc(size + 1);
    memcpy(link->text, data, size);
    link->text[size] = 0;
    link->size = size + 1;
    if (too_new(link->text, 0)) return refuse(link, "ptxas application ptx input, line 9; fatal   : Unsupported .version", 222);
    Module *m = ptx_load(link->text, size);
    char said[500] = "";
    if (m->error[0]) snprintf(said, sizeof said, "%s", m->error);
    else if (m->shared_size > 49152) snprintf(said, sizeof said, "ptxas error   : Entry function uses too much shared data (0x%x bytes, 0xc000 max)", m->shared_size);
    ptx_unload(m);
    return said[0] ? refuse(link, said, INVALID_PTX) : SUCCESS;
}
SAME(cuLinkAddData_v2, cuLinkAddData);
Result cuLinkComplete(Link *link, void **image, size_t *size) { START(cuLinkComplete); *image = link->text; *size = link->size; return SUCCESS; }
Result cuLinkDestroy(Link *link) { free(link->text); free(link); return SUCCESS; }

static Result launch(Function *f, const u32 grid[3], const u32 block[3], u32 shared, void **params, void **extra) {
    Kernel *k = f->kernel;
    u64 threads = (u64)block[0] * block[1] * block[2];
    u8 *values = calloc(1, k->param_size + 16);
    for (int i = 0; params && i < k->n_params; i++) memcpy(values + k->param_at[i], params[i], k->param_bytes[i]);
    for (; extra && *extra; extra += 2) if (*extra == (void *)1) memcpy(values, extra[1], k->param_size);
    Result result = SUCCESS;
    if (!threads || !grid[0] || !grid[1] || !grid[2] || block[0] > 1024 || block[1] > 1024 || block[2] > 64 || threads > 1024 || grid[1] > 65535 || grid[2] > 65535) result = INVALID_VALUE;
    else if (threads > (u64)k->max_threads || registers_of(k, threads) > 65536) result = OUT_OF_RESOURCES;
    else if (k->shared_size + shared > 65536) result = INVALID_VALUE;
    else {
        pthread_mutex_lock(&launching);
        int code = injected_launch(k->name);
        sticky = code ? code : run_kernel(k, &(Launch){{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, shared, values});
        pthread_mutex_unlock(&launching);
    }
    free(values);
    return result;
}
Result cuLaunchKernel(Function *f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 shared, void *stream, void **params, void **extra) {
    (void)stream;
    IN_CONTEXT(cuLaunchKernel);
    return launch(f, (u32[]){gx, gy, gz}, (u32[]){bx, by, bz}, shared, params, extra);
}
typedef struct { u32 gx, gy, gz, bx, by, bz, shared; void *stream, *attributes; u32 n; } LaunchConfig;
Result cuLaunchKernelEx(const LaunchConfig *c, Function *f, void **params, void **extra) {
    IN_CONTEXT(cuLaunchKernel);
    return launch(f, (u32[]){c->gx, c->gy, c->gz}, (u32[]){c->bx, c->by, c->bz}, c->shared, params, extra);
}
Result cuLaunchCooperativeKernel(Function *f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 shared, void *stream, void **params) {
    (void)f; (void)gx; (void)gy; (void)gz; (void)bx; (void)by; (void)bz; (void)shared; (void)stream; (void)params;
    return 720; /* one block runs after the other here */
}

static double now_ms(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6; }
Result cuEventCreate(Event **to, unsigned flags) { (void)flags; IN_CONTEXT(cuEventCreate); *to = calloc(1, sizeof **to); return SUCCESS; }
Result cuEventRecord(Event *e, void *stream) { (void)stream; START(cuEventRecord); e->at_ms = now_ms(); return SUCCESS; }
Result cuEventQuery(Event *e) { (void)e; return sticky; }
Result cuEventSynchronize(Event *e) { (void)e; START(cuEventSynchronize); return SUCCESS; }
Result cuEventElapsedTime(float *ms, Event *from, Event *to) { START(cuEventElapsedTime); *ms = (float)(to->at_ms - from->at_ms); return SUCCESS; }
SAME(cuEventElapsedTime_v2, cuEventElapsedTime);
Result cuEventDestroy(Event *e) { free(e); return SUCCESS; }
SAME(cuEventDestroy_v2, cuEventDestroy);
Result cuStreamCreate(void **to, unsigned flags) { (void)flags; IN_CONTEXT(cuStreamCreate); *to = malloc(8); return SUCCESS; }
Result cuStreamCreateWithPriority(void **to, unsigned flags, int priority) { (void)priority; return cuStreamCreate(to, flags); }
Result cuStreamSynchronize(void *stream) { (void)stream; START(cuStreamSynchronize); return SUCCESS; }
Result cuStreamQuery(void *stream) { (void)stream; return sticky; }
Result cuStreamWaitEvent(void *stream, Event *e, unsigned flags) { (void)stream; (void)e; (void)flags; return sticky; }
Result cuStreamGetCtx(void *stream, Context **to) { (void)stream; *to = depth ? stack[depth - 1] : contexts; return SUCCESS; }
SAME(cuStreamGetCtx_v2, cuStreamGetCtx);
Result cuStreamAddCallback(void *stream, void (*call)(void *, int, void *), void *data, unsigned flags) { (void)flags; call(stream, sticky, data); return SUCCESS; }
Result cuStreamDestroy(void *stream) { free(stream); return SUCCESS; }
SAME(cuStreamDestroy_v2, cuStreamDestroy);
Result cuProfilerStart(void) { return SUCCESS; }
Result cuProfilerStop(void) { return SUCCESS; }

Result cuGetProcAddress_v2(const char *name, void **to, int version, u64 flags, int *status) {
    (void)version; (void)flags;
    *to = !strcmp(name, "cuGetProcAddress") ? (void *)cuGetProcAddress_v2 : dlsym(RTLD_DEFAULT, name);
    if (!*to) {
        Dl_info here;
        void *self = dladdr(&sticky, &here) ? dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
        if (self) *to = dlsym(self, name);
    }
    if (status) *status = *to ? 0 : 1;
    return *to ? SUCCESS : NOT_FOUND;
}
Result cuGetProcAddress(const char *name, void **to, int version, u64 flags) { return cuGetProcAddress_v2(name, to, version, flags, NULL); }
