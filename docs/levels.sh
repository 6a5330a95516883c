#!/usr/bin/env bash
# Adds the levels eidas1 and eidas2 to a realm: the flows of levels.json, in the folder of this script, and the names of
# the levels. No login uses a flow before you bind it: see acr-and-amr.md. It needs Bash, curl and jq.
set -euo pipefail

# Settings: environment variables, or these defaults.
: "${SERVER:=http://localhost:8080}" # the address of Keycloak, without a slash at its end
: "${ADMIN:=admin}"                  # an administrator of the realm master
: "${REALM_NAME:=federation}"

# The script asks for the administrator's password. Where there is no terminal, set KC_CLI_PASSWORD.

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
levels=$folder/levels.json
made= # the ids of the new flows
. "$folder/admin-api.sh"

# Says which step failed, and removes the new flows: Keycloak deletes their sub-flows with them.
finish() {
  status=$?
  if [ "$status" -ne 0 ]; then
    echo "Failed: $step." >&2
    for flow in $made; do
      (call DELETE "/$REALM_NAME/authentication/flows/$flow") && echo "The flow $flow is removed again." >&2
    done
  fi
  rm -rf "$session"
}
trap finish EXIT

# Creates an object from JSON, and prints its id.
create() {
  call POST "/$REALM_NAME$1" "$2" >/dev/null &&
    sed -n 's|^[Ll]ocation:.*/\([^/[:space:]]*\)[[:space:]]*$|\1|p' "$session/headers"
}

# Prints an object of the file, found in a list by its alias.
find_in() {
  jq -c --arg list "$1" --arg alias "$2" '.[$list][] | select(.alias == $alias)' "$levels"
}

# Creates a flow of the file without its steps, and prints its id.
create_flow() {
  create /authentication/flows "$(find_in authenticationFlows "$1" | jq -c 'del(.authenticationExecutions)')"
}

# Adds the steps of a flow of the file to the flow with this id, and the steps of its sub-flows.
add_steps() {
  local alias=$1 parent=$2 steps execution sub_flow sub_flow_id id config
  steps=$(find_in authenticationFlows "$alias" | jq -c '.authenticationExecutions[]')
  while read -r execution; do
    sub_flow=$(jq -r '.flowAlias // empty' <<<"$execution")
    sub_flow_id=
    [ -z "$sub_flow" ] || sub_flow_id=$(create_flow "$sub_flow")
    config=$(jq -r '.authenticatorConfig // empty' <<<"$execution")
    execution=$(jq -c --arg parent "$parent" --arg flow "$sub_flow_id" \
      'del(.flowAlias, .authenticatorConfig) | .parentFlow = $parent | if $flow == "" then . else .flowId = $flow end' \
      <<<"$execution")
    id=$(create /authentication/executions "$execution")
    [ -z "$config" ] ||
      create "/authentication/executions/$id/config" "$(find_in authenticatorConfig "$config")" >/dev/null
    [ -z "$sub_flow" ] || add_steps "$sub_flow" "$sub_flow_id"
  done <<<"$steps"
}

[ -r "$levels" ] || stop "$levels is not there."
if [ -z "${KC_CLI_PASSWORD:-}" ]; then
  [ -t 0 ] || stop "There is no terminal to ask for the password: set KC_CLI_PASSWORD (of $ADMIN)."
  read -rsp "The password of $ADMIN: " KC_CLI_PASSWORD
  echo
fi

begin "Sign in to $SERVER as $ADMIN"
sign_in

begin "Read the realm $REALM_NAME"
flows=$(jq -r '.authenticationFlows[] | select(.topLevel) | .alias' "$levels")
present=$(call GET "/$REALM_NAME/authentication/flows" | jq -r '.[].alias')
taken=$(grep -Fx -m 1 "$flows" <<<"$present" || true)
[ -z "$taken" ] || stop "The realm has a flow '$taken' already, for example of an earlier run. Nothing was changed."

while read -r flow; do
  begin "Create the flow $flow"
  flow_id=$(create_flow "$flow")
  made="$made $flow_id"
  add_steps "$flow" "$flow_id"
done <<<"$flows"

begin 'Create the role code-by-email, if the realm has none'
call GET "/$REALM_NAME/roles/code-by-email" >/dev/null 2>&1 ||
  call POST "/$REALM_NAME/roles" "$(jq -c '.roles.realm[0]' "$levels")"

begin 'Name the levels'
names=$(jq '.attributes."acr.loa.map" | fromjson' "$levels")
call PUT "/$REALM_NAME" "$(call GET "/$REALM_NAME" | jq -c --argjson names "$names" \
  '{ attributes: (.attributes | ."acr.loa.map" = ((."acr.loa.map" // "{}" | fromjson) + $names | tojson)) }')"

echo "
The realm $REALM_NAME has the flows. Next, bind the flow $(jq -r .browserFlow "$levels")."
