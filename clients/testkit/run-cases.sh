#!/usr/bin/env bash
# usage: REALM=http://127.0.0.1:8181/realms/demo CLIENT_ID=dp-demo run-cases.sh PROGRAM...     e.g. run-cases.sh node check.mjs
#
# Runs the program with the token of each case of the client on its standard input. It must end with 0 if it accepts the
# answer, and with another status if not. Fails if it does with one what it must not. Needs Bash, curl and jq.
#
# Leaves out cases that need an earlier one in the same process. Does not look at the reasons that the program tells.
set -euo pipefail
platform=${REALM%/realms/*}
failures=0
declare -A right=() all=()

while IFS=$'\t' read -r kind token title; do
  status=0
  printf %s "$token" | "$@" > /dev/null 2>&1 || status=1
  all[$kind]=$((${all[$kind]:-0} + 1))
  if { [ "$kind" = accept ] && [ $status = 0 ]; } || { [ "$kind" != accept ] && [ $status = 1 ]; }; then
    right[$kind]=$((${right[$kind]:-0} + 1))
  else
    echo "$([ $status = 0 ] && echo accepted || echo refused) case.$title"
    [ "$kind" = should ] || failures=$((failures + 1))
  fi
done < <(curl -sS --fail "$platform/cases" | jq -r --arg client "$CLIENT_ID" '.cases[]
  | select(.client == $client and .before == null)
  | [if .expect then "accept" else .level // "must" end, .token, "\(.name): \(.title)"] | @tsv')

calls=$(curl -sS --fail "$platform/elsewhere" | jq .calls)
echo "Right answers accepted: ${right[accept]:-0} of ${all[accept]:-0}. Wrong answers refused: ${right[must]:-0} of" \
  "${all[must]:-0}, and ${right[should]:-0} of ${all[should]:-0} that should be. Calls elsewhere: $calls."
[ "$failures" = 0 ] && [ "$calls" = 0 ] && [ -n "${all[*]}" ]
