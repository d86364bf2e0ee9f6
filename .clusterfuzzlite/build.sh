#!/usr/bin/env bash
# Builds the fuzz targets into $OUT, with their seeds and dictionaries, as ClusterFuzzLite wants
# them. It says in $SANITIZER which sanitizer they are for; without one any stable toolchain does.
set -euo pipefail

case ${SANITIZER:-none} in
  none | coverage) export FUZZ_FLAGS='' ;;
  *) export FUZZ_FLAGS="-Zsanitizer=$SANITIZER" ;;
esac
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
ci/fuzz build
built=$CARGO_TARGET_DIR/fuzz-build/$(rustc -vV | sed -n 's/^host: //p')/release

for seeds in generators/fuzz/seeds/*/; do
  name=$(basename "$seeds")
  cp "$built/$name" "$OUT/$name"
  python3 -m zipfile -c "$OUT/${name}_seed_corpus.zip" "$seeds"*
  dict=shell
  [[ $name != hook_payload ]] || dict=payload
  cp "generators/fuzz/$dict.dict" "$OUT/$name.dict"
done
