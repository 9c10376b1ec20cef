# Sourced by the scripts that drive a browser: installs what they need, and sets `tools`, their Python environment, and VENUE_PROGRAM.
. Scripts/functions.sh
[[ -x ${CHROMIUM:-/usr/bin/chromium} ]] || install_packages chromium fonts-noto-cjk
tools=$PWD/.build/browser
python_environment "$tools" Tests/Browser/requirements.txt
Scripts/install-map-library
find_venue
