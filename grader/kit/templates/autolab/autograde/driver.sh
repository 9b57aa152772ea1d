#!/bin/sh
# Grades upload/ beside this folder; the last line that it prints is the scores.
cd "$(dirname "$0")" || exit 1

fail() {
    echo "$1 This is no grade: tell the course staff."
    exit 1
}

# The memory that grader and submission share is a file of 512 MiB; sh counts in halves of a KiB.
most=$(ulimit -f)
if [ "$most" != unlimited ] && [ "$most" -lt 2097152 ]; then
    fail "Files are too small here: VM_ULIMIT_FILE_SIZE in Tango's config.py has to be 1 GiB or more."
fi
grader=/opt/grader
# The image that the Dockerfile makes holds this very grader; in any other one it is set up first.
if ! cmp -s {{ wheel }} /opt/package/{{ wheel }}; then
    grader=$PWD/grader
    sh install.sh "$grader" >install.log 2>&1 || { tail -n 20 install.log; fail "The grader could not be set up here."; }
fi
"$grader/bin/grader" inside autolab || fail "The grader failed, not your submission."
