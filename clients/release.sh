#!/usr/bin/env bash
# Builds what a release has for those who call: each library and the adapter, with its bill of materials, into
# target/clients. Builds the last commit twice: with all tests, then without, and fails if a byte differs.
# Uploads nothing. Needs JDK 17, Maven, Node 20, Python 3.10 with venv, git and jq, and for the tests of PHP and Go what
# src/suites/README.md names for -Dsuite=examples, and phpunit.
set -euo pipefail
umask 022
cd "$(dirname "$0")/.."

version_in() { sed -nE "0,/$2/s/.*$2.*/\1/p" "$1"; }
version=$(jq -r .version clients/node/package.json)
for found in "$(version_in clients/java/pom.xml '<version>([^<]+)<')" "$(jq -r .version clients/adapter/package.json)" \
    "$(version_in clients/python/pyproject.toml '^version = "([^"]+)"')" \
    "$(version_in clients/php/CheckToken.php 'Version ([0-9.]+)\.$')" "$(version_in clients/go/checktoken.go 'version ([0-9.]+):')"; do
  [ "$found" = "$version" ] || { echo "The libraries have two versions: $version and $found" >&2; exit 1; }
done
# The date of the files in the archives.
SOURCE_DATE_EPOCH=$(date -d "$(version_in clients/java/pom.xml '<project.build.outputTimestamp>([^<]+)<')" +%s)
export SOURCE_DATE_EPOCH

java_library() {
  mvn -B -ntp -q -f java/pom.xml -Prelease verify "$@"
  cp java/target/checktoken-client-"$version"{.jar,-sources.jar} "$out"
  cp java/pom.xml "$out/checktoken-client-$version.pom"
  cp java/target/checktoken-client-"$version"-cyclonedx.json "$out/checktoken-client-java-$version-cyclonedx.json"
}

# Packs the package in this folder. Its bill of materials has neither a time, a random number, the version of npm nor an
# address to download from.
packed() {
  npm pack --silent --pack-destination "$out" > /dev/null
  npm sbom --sbom-format cyclonedx --omit dev --package-lock-only="$1" \
    | jq --arg name "$2" 'del(.serialNumber, .metadata.timestamp, .metadata.tools)
        | del(.components[].externalReferences[] | select(.type == "distribution")) | .metadata.component.name = $name' \
      > "$out/$3-$version-cyclonedx.json"
}

node_library() (
  cd node
  npm ci --ignore-scripts --no-audit --no-fund
  [ "$tests" = no ] || { npm test; npm run types; }
  packed true @checktoken/client checktoken-client-node
)

python_library() (
  cd python
  python3 -m venv venv
  venv/bin/pip install -q --disable-pip-version-check -r release.txt
  venv/bin/pip install -q --disable-pip-version-check --no-deps --no-build-isolation --editable .
  [ "$tests" = no ] || venv/bin/python -m unittest
  venv/bin/python - "$out" <<< 'import sys; from flit_core.buildapi import *; build_sdist(sys.argv[1]); build_wheel(sys.argv[1])'
  venv/bin/python sbom.py > "$out/checktoken-client-python-$version-cyclonedx.json"
)

# Each is one file, and brings nothing, so it has no bill of materials.
php_and_go_libraries() {
  if [ "$tests" = yes ]; then
    phpunit --do-not-cache-result php/tests
    (cd go && GOPROXY=off go test .)
  fi
  cp php/CheckToken.php "$out/CheckToken-$version.php"
  cp go/checktoken.go "$out/checktoken-$version.go"
}

# The tarball has the Node library and jose in it, so that a gateway's machine needs no registry.
adapter() (
  cd adapter
  npm ci --ignore-scripts --no-audit --no-fund
  [ "$tests" = no ] || npm test
  rm -r node_modules
  mkdir -p node_modules/@checktoken/client
  tar -xzf "$out/checktoken-client-$version.tgz" -C node_modules/@checktoken/client --strip-components 1
  cp -r ../node/node_modules/jose node_modules
  npm pkg set "dependencies[@checktoken/client]=$version" bundleDependencies.0=@checktoken/client
  packed false checktoken-adapter checktoken-adapter
)

build() {
  out=$work/$1 tests=$2
  mkdir "$out"
  git clone -q "$work/source" "$work/source-$1"
  pushd "$work/source-$1/clients" > /dev/null
  for folder in node python adapter; do cp ../LICENSE "$folder"; done
  if [ "$tests" = no ]; then java_library -DskipTests; else java_library; fi
  node_library
  python_library
  php_and_go_libraries
  adapter
  popd > /dev/null
  (cd "$out" && sha256sum -- * > SHA256SUMS && sha512sum -- *[^S] > SHA512SUMS)
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --bare . "$work/source"
build first yes
build again no
diff -r "$work/first" "$work/again"
# What is packed has to be whole: it stops only because it has no settings.
tar -xzf "$work/first/checktoken-adapter-$version.tgz" -C "$work"
started=$(node "$work/package/src/main.js" 2>&1) || true
[[ $started == *"is not set" ]] || { echo "The packed adapter does not start: $started" >&2; exit 1; }
rm -rf target/clients
mkdir -p target
mv "$work/first" target/clients
(cd target/clients && cat SHA256SUMS)
