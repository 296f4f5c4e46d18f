#include "engine/bind/bind.h"

#include "guardian.h"
#include "mounts.h"
#include "plat/apart.h"
#include "plat/file.h"
#include "plat/folder.h"
#include "plat/mount_at.h"
#include "plat/wait.h"
#include "serve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- the directory --- */

static int find_dir(const char *dir, char out[NS_PATH_MAX + 1], struct fail *f)
{
    struct folder_file file;
    int r = folder_stat(dir, &file, f);
    if (r == -ENOTCONN) {
        fail_set(f, ENOTCONN, "%.128s: the server of what is mounted there has died", dir);
        fail_hint(f, "psuite unbind %.128s", dir);
    }
    if (r < 0)
        return r;
    if (!file.folder)
        return fail_set(f, ENOTDIR, "%s", dir);
    SCOPED_BUF real = BUF_INIT;
    file_realpath(dir, &real);
    if (buf_error(&real) || real.len > NS_PATH_MAX)
        r = fail_set(f, ENAMETOOLONG, "%.128s", dir);
    else
        strcpy(out, buf_str(&real));
    return r;
}

/* --- the server --- */

static int start_server(const struct bind_want *w, struct bound *b, struct fail *f)
{
    struct bind_hello hello;
    int pair[2];
    int r = apart_pair(pair, f);
    if (r < 0)
        return r;
    struct bind_server server = {w, pair[1], b->guardian, b->dir};
    const int keep[] = {pair[1], b->guardian};
    r = apart_start(bind_serve, &server, keep, 2, f);
    apart_close(pair[1]);
    b->control = pair[0];
    if (r == 0 && (r = apart_receive(b->control, &hello, sizeof hello)) < 0)
        fail_set(f, -r, "the server of files");
    if (r == 0 && (r = hello.r) < 0 && f)
        *f = hello.fail;
    if (r < 0)
        bind_detach(b);
    else
        b->pid = hello.pid;
    return r;
}

/* Mounts at a directory and lets the server serve it. */
static int mount_served(const struct bind_want *w, const char *dir, struct bound *b, struct fail *f)
{
    struct mount_request ask = {dir, w->source, w->others, .kept = b->guardian};
    struct folder_file file;
    guardian_note_at(b->guardian, dir);
    int connection = mount_at(&ask, f);
    if (connection < 0)
        return connection;
    b->device = bind_device_at(dir);
    guardian_note_device(b->guardian, b->device);
    int r = mount_send(b->control, connection);
    if (r == 0)
        r = apart_send(b->control, &b->device, sizeof b->device);
    apart_close(connection);
    if (r < 0)
        fail_set(f, -r, "the server of files");
    else
        r = folder_stat(dir, &file, f);
    if (r < 0)
        bind_remove_device(b->device);
    return r;
}

/* --- a union --- */

/* A file of the tree, over the directory's file of that name or one that is made for it. */
static int show_file(const char *from, const char *to, enum bind_mode mode, struct fail *f)
{
    int r = mount_make_point(to, false, f);
    if (r == -EEXIST)
        return mode == BIND_AFTER ? 0 : mount_bind(from, to, f);
    if (r == 0 && (r = mount_bind(from, to, f)) < 0)
        mount_remove_point(to);
    return r;
}

static int show_all(const char *aside, const char *dir, enum bind_mode mode, struct fail *f)
{
    enum { MAX_FILES = 1024 };
    SCOPED_BUF names = BUF_INIT, from = BUF_INIT, to = BUF_INIT;
    int r = folder_names(aside, MAX_FILES, &names, f);
    for (const char *s = buf_str(&names); r >= 0 && s < names.data + names.len;
         s += strlen(s) + 1) {
        buf_clear(&from);
        buf_clear(&to);
        buf_printf(&from, "%s/%s", aside, s);
        buf_printf(&to, "%s/%s", dir, s);
        r = buf_error(&from) || buf_error(&to) ? fail_set(f, ENOMEM, "%s", s)
                                               : show_file(buf_str(&from), buf_str(&to), mode, f);
    }
    return r < 0 ? r : 0;
}

static int mount_files(const struct bind_want *w, const char *aside, struct bound *b,
                       struct fail *f)
{
    int r = mount_make_tempdir(aside, f);
    if (r < 0)
        return r;
    r = mount_served(w, aside, b, f);
    if (r == 0 && (r = show_all(aside, b->dir, w->mode, f)) < 0)
        bind_remove_device(b->device);
    if (mount_remove_tempdir(aside))
        guardian_note_aside(b->guardian, "");
    return r;
}

/* The tree is mounted at a directory of its own until its files are mounted where they belong. */
static int mount_union(const struct bind_want *w, struct bound *b, struct fail *f)
{
    SCOPED_BUF aside = BUF_INIT;
    int r = mount_name_tempdir(&aside, f);
    if (r == 0) {
        guardian_note_aside(b->guardian, buf_str(&aside));
        r = mount_files(w, buf_str(&aside), b, f);
    }
    return r;
}

/* --- all of it --- */

int bind_start(const struct bind_want *w, struct bound *out, struct fail *f)
{
    *out = (struct bound){.control = -1, .guardian = -1};
    int r = find_dir(w->dir, out->dir, f);
    if (r == 0 && (r = guardian_start(f)) >= 0) {
        out->guardian = r;
        r = start_server(w, out, f);
    }
    if (r < 0) {
        bind_detach(out);
        return r;
    }
    interrupt_open(); /* what is begun is not left as a mount without a server */
    r = w->mode == BIND_OVER ? mount_served(w, out->dir, out, f) : mount_union(w, out, f);
    if (r < 0)
        bind_detach(out);
    return r;
}

void bind_detach(struct bound *b)
{
    apart_close(b->control);
    apart_close(b->guardian);
    b->control = b->guardian = -1;
}

int bind_wait(struct bound *b)
{
    apart_close(b->guardian); /* it is for the server's end alone now */
    b->guardian = -1;
    struct wait_on on[] = {{.handle = interrupt_open()}, {.handle = b->control}};
    int signal = 0;
    while (!signal && !on[1].ready) {
        wait_ready(on, 2, -1);
        signal = interrupt_read(NULL);
    }
    if (signal)
        bind_remove_device(b->device);
    return signal;
}
