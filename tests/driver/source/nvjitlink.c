/* A libnvJitLink whose "cubins" are PTX. numba-cuda's linker makes machine code, which nothing here can execute; so this
   asks the real library, which it finds beside the Python packages that are loaded, first for machine code, so that what
   does not fit a GPU fails as it does there, and then for PTX, which it returns under the other's name. PTX that comes in
   is passed on as it is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64
enum { FAILED = 4, INPUT_PTX = 2 };
typedef void *Real;
typedef struct { Real cubin, ptx; char *text; size_t size; int has_lto; } Linker;
#define MARK "//standin-cubin\n"

static int find_packages(struct dl_phdr_info *info, size_t size, void *found) {
    const char *end = strstr(info->dlpi_name, "/site-packages/");
    (void)size;
    if (!end || !strstr(end, "/cuda/")) return 0;
    snprintf(found, 4096, "%.*s/site-packages", (int)(end - info->dlpi_name), info->dlpi_name);
    return 1;
}
static void *real(const char *name) {
    static void *library;
    if (!library) {
        char folder[4096] = "", path[4200];
        dl_iterate_phdr(find_packages, folder);
        snprintf(path, sizeof path, "%s/%s", folder, WHERE);
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
        if (!library) fprintf(stderr, "stand-in nvJitLink: %s\n", dlerror());
    }
    return library ? dlsym(library, name) : NULL;
}
#define REAL(NAME, ...) ((int (*)())real(#NAME))(__VA_ARGS__)

int nvJitLinkVersion(unsigned *major, unsigned *minor) { return REAL(nvJitLinkVersion, major, minor); }
int nvJitLinkCreate(Linker **handle, unsigned n, const char **options) {
    Linker *made = calloc(1, sizeof *made);
    const char *more[MOST + 1];
    unsigned kept = 0;
    for (unsigned i = 0; i < n && kept < MOST - 1; i++) more[kept++] = options[i];
    if (!real("nvJitLinkCreate")) return FAILED;
    more[kept] = "-Xptxas=-v"; /* so that the log says how many registers each kernel takes */
    int result = REAL(nvJitLinkCreate, &made->cubin, kept + 1, more);
    more[kept++] = "-ptx";
    for (unsigned i = 0; i < kept; i++) made->has_lto |= !strcmp(more[i], "-lto");
    if (!result && made->has_lto) result = REAL(nvJitLinkCreate, &made->ptx, kept, more);
    *handle = made;
    return result;
}
int nvJitLinkAddData(Linker *l, int type, const void *data, size_t size, const char *name) {
    int result = REAL(nvJitLinkAddData, l->cubin, type, data, size, name);
    if (!result && l->ptx) result = REAL(nvJitLinkAddData, l->ptx, type, data, size, name);
    if (type == INPUT_PTX) {
        l->text = realloc(l->text, l->size + size + 1);
        memcpy(l->text + l->size, data, size);
        l->size += size;
        while (l->size && !l->text[l->size - 1]) l->size--;
    }
    return result;
}
int nvJitLinkAddFile(Linker *l, int type, const char *name) { (void)l; (void)type; (void)name; return FAILED; }
/* What a launch needs to know and PTX does not say: a line `//registers KERNEL COUNT` for each kernel of the log. */
static void note_registers(Linker *l) {
    size_t size = 0;
    if (REAL(nvJitLinkGetInfoLogSize, l->cubin, &size) || !size) return;
    char *log = calloc(1, size + 1), *kernel = NULL, *save = NULL;
    REAL(nvJitLinkGetInfoLog, l->cubin, log);
    for (char *line = strtok_r(log, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *name = strstr(line, "Compiling entry function '"), *used = strstr(line, "Used ");
        int count;
        if (name) { kernel = name + strlen("Compiling entry function '"); kernel[strcspn(kernel, "'")] = 0; }
        if (!kernel || !used || sscanf(used, "Used %d registers", &count) != 1) continue;
        size_t room = strlen(kernel) + 40;
        char *text = malloc(l->size + room);
        int head = snprintf(text, room, "//registers %s %d\n", kernel, count);
        memcpy(text + head, l->text, l->size);
        free(l->text);
        l->text = text;
        l->size += (size_t)head;
        kernel = NULL;
    }
    free(log);
}
int nvJitLinkComplete(Linker *l) {
    int result = REAL(nvJitLinkComplete, l->cubin);
    size_t size = 0;
    if (result || !l->ptx) {
        if (!result) note_registers(l);
        return result;
    }
    result = REAL(nvJitLinkComplete, l->ptx);
    if (!result) result = REAL(nvJitLinkGetLinkedPtxSize, l->ptx, &size);
    if (!result) {
        l->text = realloc(l->text, size + 1);
        result = REAL(nvJitLinkGetLinkedPtx, l->ptx, l->text);
        l->size = strnlen(l->text, size);
        note_registers(l);
    }
    return result;
}
int nvJitLinkGetLinkedCubinSize(Linker *l, size_t *size) { *size = strlen(MARK) + l->size + 1; return 0; }
int nvJitLinkGetLinkedCubin(Linker *l, char *to) {
    memcpy(to, MARK, strlen(MARK));
    memcpy(to + strlen(MARK), l->text, l->size);
    to[strlen(MARK) + l->size] = 0;
    return 0;
}
int nvJitLinkGetLinkedPtxSize(Linker *l, size_t *size) { *size = l->size + 1; return 0; }
int nvJitLinkGetLinkedPtx(Linker *l, char *to) { memcpy(to, l->text, l->size); to[l->size] = 0; return 0; }
int nvJitLinkGetLinkedLTOIRSize(Linker *l, size_t *size) { return REAL(nvJitLinkGetLinkedLTOIRSize, l->cubin, size); }
int nvJitLinkGetLinkedLTOIR(Linker *l, void *to) { return REAL(nvJitLinkGetLinkedLTOIR, l->cubin, to); }
int nvJitLinkGetErrorLogSize(Linker *l, size_t *size) { return REAL(nvJitLinkGetErrorLogSize, l->cubin, size); }
int nvJitLinkGetErrorLog(Linker *l, char *to) { return REAL(nvJitLinkGetErrorLog, l->cubin, to); }
int nvJitLinkGetInfoLogSize(Linker *l, size_t *size) { return REAL(nvJitLinkGetInfoLogSize, l->cubin, size); }
int nvJitLinkGetInfoLog(Linker *l, char *to) { return REAL(nvJitLinkGetInfoLog, l->cubin, to); }
int nvJitLinkDestroy(Linker **handle) {
    Linker *l = *handle;
    int result = REAL(nvJitLinkDestroy, &l->cubin);
    if (l->ptx) REAL(nvJitLinkDestroy, &l->ptx);
    free(l->text);
    free(l);
    *handle = NULL;
    return result;
}
