# What own-realm.sh and levels.sh have in common: they call Keycloak's admin REST API with curl and jq, because kcadm.sh
# would start a Java for each request. They set SERVER, ADMIN and REALM_NAME before they read this file.

step='Read the settings'

stop() {
  echo "$1" >&2
  exit 1
}

begin() {
  step=$1
  echo "$step"
}

for program in curl jq; do
  command -v "$program" >/dev/null || stop "$program is not there."
done

umask 077
session=$(mktemp -d) # with the access token; the script removes it

# Gets an access token. It expires after a minute.
sign_in() {
  local answer
  answer=$(printf %s "$KC_CLI_PASSWORD" | curl --silent --show-error --max-time 60 --data grant_type=password \
    --data client_id=admin-cli --data-urlencode "username=$ADMIN" --data-urlencode password@- \
    "$SERVER/realms/master/protocol/openid-connect/token")
  jq -er '.access_token // empty | "Authorization: Bearer " + .' <<<"$answer" >"$session/authorization" ||
    stop "The answer was $answer"
}

# Sends a request to the admin REST API, and prints the status.
send() {
  curl --silent --show-error --max-time 60 --request "$1" --header "@$session/authorization" \
    --header 'Content-Type: application/json' ${3:+--data-binary @-} --dump-header "$session/headers" \
    --output "$session/answer" --write-out '%{http_code}' "$SERVER/admin/realms$2" <<<"${3:-}"
}

# Calls the admin REST API with a method, a path below /admin/realms, and JSON if there is any. Prints the answer.
call() {
  local status
  : >"$session/answer"
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
