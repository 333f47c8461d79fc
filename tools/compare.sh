#!/usr/bin/env bash
# What became slower between two revisions: the command line of each is built, and both run the same questions, one for each of
# the ten hottest kernels, with one thread and one seed.
#
#   tools/compare.sh REV1 REV2 [PERCENT]
#
# It tells for each question the steps (states, nodes, words: what the engine counts) and the processor's instructions, which
# hardly drift, where valgrind is installed; elsewhere seconds of the processor, the median of five runs in turn. A row that
# grew by more than PERCENT [5] is marked. The exit code is 1 where an answer differs, and otherwise 0: the marks are for people.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" | sed '/^set/d'; exit 2; }
percent=${3:-5}
folder=target/compare
mkdir -p "$folder"

# The command line of a revision; built in a work tree of its own, which the next comparison finds again.
build() {
    local commit tree
    commit=$(git rev-parse --verify "$1^{commit}")
    tree=$folder/$commit
    [ -d "$tree" ] || git worktree add --quiet --detach "$tree" "$commit" >&2
    (cd "$tree" && cargo build --quiet --locked --release --features full --bin longhaul >&2)
    printf '%s\n' "$tree/target/release/longhaul"
}
one=$(build "$1")
two=$(build "$2")

# A kernel and the question that keeps it busy; graphs and generated files are those of the present work tree.
"$two" generate xor9 12 --seed 1 --out "$folder/xor9.gr" 2>/dev/null
"$two" generate gnp 120 0.7 --seed 1 --out "$folder/gnp.gr" 2>/dev/null
questions="
sweep            solve graphs/rivals/maze40.gr --engine frontier
simplex          solve graphs/rivals/road18.gr --engine branch-and-cut
conflict         solve $folder/xor9.gr --cycle --engine conflict
trail            solve graphs/rivals/uno400.gr --engine trail
branch-and-bound solve graphs/rivals/planar90.gr --engine branch-and-bound
backtracking     solve graphs/rivals/gnp60.gr --engine backtracking
local-search     solve graphs/rivals/planar200.gr --engine local-search
sieve            solve graphs/words/sgb_words_1000.gr --k 12 --engine sieve
counting         solve graphs/rivals/grid8.gr --count
clique           clique $folder/gnp.gr
"

answer() { grep -oE '"(length|size|count|upper_bound)": ?"?-?[0-9]+' | tr -dc '0-9a-z_:\n-' | sort -u | tr '\n' ' '; }
steps() { grep -oE '"steps": ?[0-9]+' | head -1 | grep -oE '[0-9]+' || echo 0; }

if command -v valgrind >/dev/null; then
    unit=instructions
    # One run: the count is the same within some thousandths.
    cost() {
        valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$@" 2>&1 >/dev/null |
            sed -n 's/.*I *refs: *//p' | tr -d ','
    }
    costs() { printf '%s %s\n' "$(cost "$one" "$@")" "$(cost "$two" "$@")"; }
else
    unit=microseconds
    cost() { { TIMEFORMAT=%U; time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print int($1 * 1e6) }'; }
    median() { sort -n | sed -n 3p; }
    costs() {
        : >"$folder/one" && : >"$folder/two"
        for _ in 1 2 3 4 5; do
            cost "$one" "$@" >>"$folder/one"
            cost "$two" "$@" >>"$folder/two"
        done
        printf '%s %s\n' "$(median <"$folder/one")" "$(median <"$folder/two")"
    }
fi

differ=0
printf '%-17s %14s %14s %8s %16s %16s %8s\n' kernel "steps $1" "steps $2" "" "$unit" "$unit" ""
while read -r kernel question; do
    [ -n "$kernel" ] || continue
    # shellcheck disable=SC2206
    question=($question --threads 1 --seed 1 --output json)
    before=$("$one" "${question[@]}" 2>/dev/null) || true
    after=$("$two" "${question[@]}" 2>/dev/null) || true
    if [ "$(answer <<<"$before")" != "$(answer <<<"$after")" ]; then
        printf '%s: the answers differ: %s and %s\n' "$kernel" "$(answer <<<"$before")" "$(answer <<<"$after")"
        differ=1
    fi
    read -r cost_one cost_two < <(costs "${question[@]}")
    awk -v kernel="$kernel" -v s1="$(steps <<<"$before")" -v s2="$(steps <<<"$after")" -v c1="$cost_one" -v c2="$cost_two" \
        -v percent="$percent" 'function grown(a, b) { return a > 0 ? sprintf("%+.1f%%", 100 * (b / a - 1)) : "" }
        BEGIN { mark = (s2 > s1 * (1 + percent / 100) || c2 > c1 * (1 + percent / 100)) ? "  slower" : ""
            printf "%-17s %14.0f %14.0f %8s %16.0f %16.0f %8s%s\n", kernel, s1, s2, grown(s1, s2), c1, c2, grown(c1, c2), mark }'
done <<<"$questions"
exit "$differ"
