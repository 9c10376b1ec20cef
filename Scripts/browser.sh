# Sourced by the scripts that drive a browser: installs what they need, and sets `tools`, their Python environment, and VENUE_PROGRAM.
. Scripts/functions.sh
[[ -n ${CHROMIUM:-} ]] || install_packages chromium fonts-noto-cjk libegl1 libgl1-mesa-dri
tools=$PWD/.build/browser
python_environment "$tools" Tests/Browser/requirements.txt
Scripts/install-map-library
find_venue
