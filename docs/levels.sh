#!/usr/bin/env bash
# Adds the levels eidas1 and eidas2 to a realm: the flows of levels.json, in the folder of this script, and the names of
# the levels. No login uses a flow before you bind it: see acr-and-amr.md. It needs Bash, curl and jq: kcadm.sh
# would start a Java for each of the 80 requests.
set -euo pipefail

# Settings: environment variables, or these defaults.
: "${SERVER:=http://localhost:8080}" # the address of Keycloak, without a slash at its end
: "${ADMIN:=admin}"                  # an administrator of the realm master
: "${REALM_NAME:=federation}"

# The script asks for the administrator's password. Where there is no terminal, set KC_CLI_PASSWORD.

levels=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/levels.json
session=$(mktemp -d)
umask 077
step='Read the settings'
made= # the ids of the new flows

# Says which step failed, and removes the new flows: Keycloak deletes their sub-flows with them.
finish() {
  status=$?
  if [ "$status" -ne 0 ]; then
    echo "Failed: $step." >&2
    for flow in $made; do
      (call DELETE "/authentication/flows/$flow") && echo "The flow $flow is removed again." >&2
    done
  fi
  rm -rf "$session"
}
trap finish EXIT

stop() {
  echo "$1" >&2
  exit 1
}

begin() {
  step=$1
  echo "$step"
}

# Gets an access token. It expires after a minute.
sign_in() {
  local answer
  answer=$(printf %s "$KC_CLI_PASSWORD" | curl --silent --show-error --max-time 60 --data grant_type=password \
    --data client_id=admin-cli --data-urlencode "username=$ADMIN" --data-urlencode password@- \
    "$SERVER/realms/master/protocol/openid-connect/token")
  jq -er '"Authorization: Bearer " + .access_token' <<<"$answer" >"$session/authorization" ||
    stop "The answer was $answer"
}

# Sends a request to the admin REST API, and prints the status.
send() {
  curl --silent --show-error --max-time 60 --request "$1" --header "@$session/authorization" \
    --header 'Content-Type: application/json' ${3:+--data-binary @-} --dump-header "$session/headers" \
    --output "$session/answer" --write-out '%{http_code}' "$SERVER/admin/realms/$REALM_NAME$2" <<<"${3:-}"
}

# Calls the admin REST API with a method, a path below the realm, and JSON if there is any. Prints the answer.
call() {
  local status
  status=$(send "$@")
  if [ "$status" = 401 ]; then
    sign_in
    status=$(send "$@")
  fi
  case $status in
  2??) cat "$session/answer" ;;
  *)
    echo "$status from $1 $2: $(cat "$session/answer")" >&2
    return 1
    ;;
  esac
}

# Creates an object from JSON, and prints its id.
create() {
  call POST "$1" "$2" >/dev/null &&
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

command -v jq >/dev/null || stop 'jq is not there.'
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
present=$(call GET /authentication/flows | jq -r '.[].alias')
taken=$(grep -Fx -m 1 "$flows" <<<"$present" || true)
[ -z "$taken" ] || stop "The realm has a flow '$taken' already, for example of an earlier run. Nothing was changed."

while read -r flow; do
  begin "Create the flow $flow"
  flow_id=$(create_flow "$flow")
  made="$made $flow_id"
  add_steps "$flow" "$flow_id"
done <<<"$flows"

begin 'Create the role code-by-email, if the realm has none'
call GET /roles/code-by-email >/dev/null 2>&1 || call POST /roles "$(jq -c '.roles.realm[0]' "$levels")"

begin 'Name the levels'
names=$(jq '.attributes."acr.loa.map" | fromjson' "$levels")
call PUT '' "$(call GET '' | jq -c --argjson names "$names" \
  '{ attributes: (.attributes | ."acr.loa.map" = ((."acr.loa.map" // "{}" | fromjson) + $names | tojson)) }')"

echo "
The realm $REALM_NAME has the flows. Next, bind the flow $(jq -r .browserFlow "$levels")."
