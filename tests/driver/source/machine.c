/* What this driver poses as, and which calls fail: read from `machine.conf` beside the library, one thing per line.

       driver 12020 535.183.01          its number, and its version
       card name=NVIDIA_H200 uuid=GPU-... cc=9.0 sms=132 memory_mb=143771 busy_mb=0 utilisation=0 mig=0 exclusive=0
       exact 1                          an access beyond an array is an error, not only one beyond a page
       zeroed 1                         new memory holds zeros, not what was freed there
       fail cuMemAlloc 2 3              the third call of a process fails with 2; without a number, each
       fail launch:max_kernel 700       kernels with that in their name end with it: noticed by later calls */
#define _GNU_SOURCE
#include "standin.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_FAILURES 32
static struct { char call[160]; int code, nth, seen; } failures[MOST_FAILURES];
static Machine posed;
static int n_failures;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_card(char *rest) {
    Card *c = posed.cards + posed.n_cards;
    if (posed.n_cards == 16) return;
    *c = (Card){.major = 7, .minor = 5, .sms = 68, .clock_khz = 1545000, .memory_mb = 11264};
    for (char *field = strtok(rest, " \n"); field; field = strtok(NULL, " \n")) {
        char *value = strchr(field, '=');
        if (!value) continue;
        *value++ = 0;
        if (!strcmp(field, "name")) { snprintf(c->name, sizeof c->name, "%s", value); for (char *p = c->name; *p; p++) if (*p == '_') *p = ' '; }
        else if (!strcmp(field, "uuid")) snprintf(c->uuid, sizeof c->uuid, "%s", value);
        else if (!strcmp(field, "cc")) sscanf(value, "%d.%d", &c->major, &c->minor);
        else if (!strcmp(field, "sms")) c->sms = atoi(value);
        else if (!strcmp(field, "memory_mb")) c->memory_mb = strtoull(value, NULL, 10);
        else if (!strcmp(field, "busy_mb")) c->busy_mb = strtoull(value, NULL, 10);
        else if (!strcmp(field, "utilisation")) c->utilisation = atoi(value);
        else if (!strcmp(field, "mig")) c->mig = atoi(value);
        else if (!strcmp(field, "exclusive")) c->exclusive = atoi(value);
    }
    posed.n_cards++;
}

static void read_machine(void) {
    Dl_info here;
    char path[4096], line[1024];
    posed.driver = 12020;
    if (!dladdr(&posed, &here) || !here.dli_fname) return;
    snprintf(path, sizeof path, "%s", here.dli_fname);
    char *slash = strrchr(path, '/');
    if (!slash) return;
    snprintf(slash + 1, sizeof path - (size_t)(slash + 1 - path), "machine.conf");
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (!strncmp(line, "card ", 5)) read_card(line + 5);
        else if (!strncmp(line, "fail ", 5) && n_failures < MOST_FAILURES) {
            if (sscanf(line + 5, "%159s %d %d", failures[n_failures].call, &failures[n_failures].code, &failures[n_failures].nth) >= 2) n_failures++;
        } else if (sscanf(line, "driver %d %23s", &posed.driver, posed.version) >= 1) continue;
        else if (sscanf(line, "zeroed %d", &posed.zeroed) < 1) sscanf(line, "exact %d", &posed.exact);
    }
    if (file) fclose(file);
}

/* numba-cuda takes a linker that is loaded already before its own: ours, of the release whose real one is installed. */
static int load_linker(struct dl_phdr_info *info, size_t size, void *done) {
    static const char *const LINKERS[][2] = {{"nvidia/cu13/lib/libnvJitLink.so.13", "libnvJitLink.so.13"}, {"nvidia/nvjitlink/lib/libnvJitLink.so.12", "libnvJitLink.so.12"}};
    const char *end = strstr(info->dlpi_name, "/site-packages/");
    Dl_info here;
    char path[4200];
    (void)size; (void)done;
    if (!end || !strstr(end, "/cuda/")) return 0;
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%.*s/site-packages/%s", (int)(end - info->dlpi_name), info->dlpi_name, LINKERS[i][0]);
        if (access(path, R_OK) || !dladdr(&posed, &here)) continue;
        const char *slash = strrchr(here.dli_fname, '/');
        snprintf(path, sizeof path, "%.*s/%s", slash ? (int)(slash - here.dli_fname) : 1, slash ? here.dli_fname : ".", LINKERS[i][1]);
        return dlopen(path, RTLD_NOW | RTLD_GLOBAL) != NULL;
    }
    return 0;
}
__attribute__((constructor)) static void loaded(void) { dl_iterate_phdr(load_linker, NULL); }

const Machine *machine(void) { pthread_once(&once, read_machine); return &posed; }

/* For programs that try many failures: they load this library and arm it themselves. */
__attribute__((visibility("default"))) void standin_fail(const char *call, int code) {
    machine();
    n_failures = 1;
    snprintf(failures[0].call, sizeof failures[0].call, "%s", call);
    failures[0].code = code;
    failures[0].nth = failures[0].seen = 0;
}
__attribute__((visibility("default"))) void standin_heal(void) { n_failures = 0; forget_failure(); }

int injected(const char *call) {
    machine();
    for (int i = 0; i < n_failures; i++)
        if (!strcmp(failures[i].call, call) && (++failures[i].seen == failures[i].nth || !failures[i].nth)) return failures[i].code;
    return SUCCESS;
}

int injected_launch(const char *kernel) {
    machine();
    for (int i = 0; i < n_failures; i++)
        if (!strncmp(failures[i].call, "launch:", 7) && strstr(kernel, failures[i].call + 7)
            && (++failures[i].seen == failures[i].nth || !failures[i].nth)) return failures[i].code;
    return SUCCESS;
}

/* As the real driver reads CUDA_VISIBLE_DEVICES: numbers or beginnings of UUIDs, up to the first that is none. */
int visible_cards(int *places) {
    const char *wanted = getenv("CUDA_VISIBLE_DEVICES");
    const Machine *m = machine();
    int n = 0;
    if (!wanted) { for (; n < m->n_cards; n++) places[n] = n; return n; }
    while (*wanted && n < 16) {
        size_t length = strcspn(wanted, ",");
        char *end;
        int found = -1, number = (int)strtol(wanted, &end, 10);
        if (end == wanted + length && length && number >= 0 && number < m->n_cards) found = number;
        for (int i = 0; i < m->n_cards && length > 4; i++) if (!strncmp(m->cards[i].uuid, wanted, length)) found = i;
        if (found < 0) break;
        places[n++] = found;
        wanted += length + (wanted[length] == ',');
    }
    return n;
}

void uuid_bytes(const char *uuid, u8 bytes[16]) {
    const char *p = strchr(uuid, '-');
    memset(bytes, 0, 16);
    for (int i = 0; p && *p && i < 32; p++) {
        if (*p == '-') continue;
        char digit[2] = {*p, 0};
        bytes[i / 2] |= (u8)(strtol(digit, NULL, 16) << (i % 2 ? 0 : 4));
        i++;
    }
}
