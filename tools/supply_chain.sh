#!/usr/bin/env bash
# What this crate stands on, and what stands on it: licences and sources of all dependencies, the oldest compiler, the oldest
# versions of its dependencies, its public interface against an earlier revision, its documentation, and its package.
#
#   tools/supply_chain.sh [REVISION]     REVISION: the one that the public interface is compared with
#
# A step whose tool is not there is told as "not run" and does not fail; the exit code is 1 if one that ran failed.
#
#   licences    cargo-deny, by deny.toml. Advisories need their database, which is fetched; without a network they are not run
#   oldest rust the compiler of Cargo.toml's rust-version, if rustup has it. Clippy's incompatible_msrv, which looks for younger
#               parts of std, runs in .ci/run with every other lint
#   oldest deps a lock file with the oldest version of every direct dependency that Cargo.toml allows, in a copy
#   interface   cargo-semver-checks against REVISION
#   docs        every broken link is an error
#   package     what would be published builds by itself
set -uo pipefail
cd "$(dirname "$0")/.."
revision=${1:-}
failed=()

step() {
    printf '\n== %s\n' "$1"
    "${@:2}" || failed+=("$1")
}

not_run() { printf '\n== %s: not run, %s\n' "$1" "$2"; }

oldest_dependencies() (
    copy=$(mktemp -d) && trap 'rm -rf "$copy"' EXIT
    git ls-files -z | xargs -0 cp --parents --target-directory "$copy" && cd "$copy" || return
    # The option is unstable: a stable compiler takes it when told that it may.
    RUSTC_BOOTSTRAP=1 cargo update --quiet -Z direct-minimal-versions &&
        CARGO_TARGET_DIR=$OLDPWD/target/oldest cargo check --quiet --features full --lib --bins
)

if command -v cargo-deny >/dev/null; then
    step licences cargo deny --all-features check licenses bans sources
    if cargo deny fetch db 2>/dev/null; then
        step advisories cargo deny --all-features check advisories
    else
        not_run advisories 'their database cannot be fetched'
    fi
else
    not_run licences 'cargo install cargo-deny'
fi

oldest=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml | head -1)
if rustup run "$oldest" rustc --version >/dev/null 2>&1; then
    step 'oldest rust' rustup run "$oldest" cargo check --locked --workspace --features full --target-dir target/oldest-rust
else
    not_run 'oldest rust' "rustup toolchain install $oldest"
fi

step 'oldest dependencies' oldest_dependencies

if [ -z "$revision" ]; then
    not_run interface 'no revision was given'
elif command -v cargo-semver-checks >/dev/null; then
    step interface cargo semver-checks --package longhaul --baseline-rev "$revision"
else
    not_run interface 'cargo install cargo-semver-checks'
fi

step docs env RUSTDOCFLAGS='-D warnings' cargo doc --quiet --locked --no-deps --features full
step package cargo package --quiet --locked --package longhaul --package longhaul-check

printf '\n%s steps failed: %s\n' "${#failed[@]}" "${failed[*]}"
[ "${#failed[@]}" -eq 0 ]
