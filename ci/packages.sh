#!/usr/bin/env bash
# Installs Debian's packages, unless all are there: ci/packages.sh PACKAGE...
set -euo pipefail

installed=$(dpkg-query --show --showformat '${db:Status-Status}\n' "$@" 2>/dev/null | grep -cx installed || true)
if [[ $installed != "$#" ]]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
fi
