#!/usr/bin/env bash
# Fuzzing and stress: every target of tests/all/fuzz for so many seconds each, one after the other, with overflow checks and debug
# assertions on. Tells which targets failed, each with the smallest case that does; exits with 1 if any did.
#
#   tools/fuzz.sh SECONDS [TARGET]    TARGET: only those whose name holds this, like readers or stress
#   FUZZ_SEED=N tools/fuzz.sh …       from another seed: each run with the same seed tries the same cases
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?how many seconds each target may take}
target=${2:-}

binary=$(cargo test --locked --profile fuzz --features full --test all --no-run --message-format=json |
    sed -n 's/.*"name":"all".*"executable":"\([^"]*\)".*/\1/p' | tail -1)
failed=()
while read -r name; do
    printf '== %s\n' "$name"
    FUZZ_SECONDS=$seconds RUST_BACKTRACE=0 "$binary" --exact "$name" --nocapture >target/fuzz.log 2>&1 || {
        failed+=("$name")
        # The last panic has the smallest case; those before led to it.
        tac target/fuzz.log | sed '/with seed/q' | tac
    }
done < <("$binary" --list | sed -n 's/: test$//p' | grep '^fuzz::' | grep -- "$target")
printf '%s targets failed: %s\n' "${#failed[@]}" "${failed[*]}"
[ "${#failed[@]}" -eq 0 ]
