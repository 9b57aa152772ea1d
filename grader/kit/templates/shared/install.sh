#!/bin/sh
# Sets up the grader in a virtual environment, from the files beside this one: sh install.sh /opt/grader
{% if offline %}
# All wheels lie in wheelhouse/: no network is needed where one of these versions of Python is installed.
{% endif %}
set -eu
target=${1:?Say where: sh install.sh /opt/grader}
here=$(cd "$(dirname "$0")" && pwd)
versions="{{ versions }}"

# Prints the first Python of a version that fits; the one that was asked for before others.
find_python() {
    for name in python{{ python }} python3{% for version in versions.split() %} python{{ version }}{% endfor %}; do
        if "$name" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] not in sys.argv[1].split())' "$versions" \
            2>/dev/null; then
            echo "$name"
            return
        fi
    done
    return 1
}

# Installs the first package that Debian or Ubuntu has of those named.
apt_install() {
    command -v apt-get >/dev/null || return 1
    apt-get update -qq || true
    for name in "$@"; do
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$name" && return
    done
    return 1
}

if ! python=$(find_python); then
    apt_install{% for version in versions.split() %} python{{ version }}-venv{% endfor %} || true
    python=$(find_python) || {
        echo "No Python of these versions is here, nor could one be installed: $versions. Choose an image that has one." >&2
        exit 1
    }
fi
{% if offline %}
"$python" -m venv --without-pip "$target"
pip=$(echo "$here"/wheelhouse/pip-*.whl)
"$target/bin/python" "$pip/pip" install --quiet --no-index --find-links "$here/wheelhouse" \
    "$here/{{ wheel }}"
{% else %}
"$python" -c 'import ensurepip' 2>/dev/null || apt_install "$(basename "$python")-venv"
"$python" -m venv "$target"
"$target/bin/python" -m pip --disable-pip-version-check install --quiet --constraint "$here/constraints.txt" \
    "$here/{{ wheel }}"
{% endif %}
