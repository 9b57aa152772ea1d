#!/bin/sh
# Run by PrairieLearn for each submission, in its container.
set -eu
cd "$(dirname "$0")"
mkdir -p /grade/results
cp failed.json /grade/results/results.json  # it stays, unless the grading comes to its end
# The image that the Dockerfile here makes holds this very grader; in any other one it is set up first.
if ! cmp -s {{ wheel }} /opt/package/{{ wheel }}; then
    rm -rf /opt/grader
    sh install.sh /opt/grader
fi
exec /opt/grader/bin/grader inside prairielearn
