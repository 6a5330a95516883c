#!/usr/bin/env bash
# Makes a realm from nothing, with a service provider, a data provider and a person to try it with: see own-realm.md.
# It needs Bash, curl and jq. The realm is in own-realm.json, what comes into it in own-realm-providers.json, both in the
# folder of this script.
set -euo pipefail

# Settings: environment variables, or these defaults.
: "${SERVER:=http://localhost:8080}" # the address of Keycloak, without a slash at its end
: "${ADMIN:=admin}"                  # an administrator of the realm master
: "${REALM_NAME:=federation}"
: "${REALM_TITLE:=Identity federation}"                       # its name in plain words, on pages and in mails
: "${SP:=sp-town}"                                            # the client_id of the service provider
: "${SP_NAME:=Town hall}"                                    # its name in plain words, on pages and in mails
: "${SP_REDIRECT_URI:=http://localhost:8999/sp-town/callback}" # where people come back to after the login
: "${DP:=dp-water}"                                           # the client_id of the data provider
: "${DP_NAME:=Water supplier}"                               # its name in plain words, for administrators
: "${DP_SCOPE:=water_bills}"                                  # the scope that the data provider is responsible for
: "${DP_KEYS:=jwks.json}"                                     # its public RSA key: a file, or an address of a JWK Set
: "${PERSON:=camille}"                                        # a made-up person, with the password that you choose

# The script asks for the administrator's and the person's password. Where there is no terminal, set KC_CLI_PASSWORD and
# PERSON_PASSWORD.

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
remedy=
. "$folder/admin-api.sh"

# Says which step failed. The administrator's session is in a file of this script, which ends with it.
finish() {
  status=$?
  rm -rf "$session"
  [ "$status" -eq 0 ] || echo "Failed: $step. $remedy" >&2
}
trap finish EXIT

# 240 random bits.
new_secret() {
  head -c 30 /dev/urandom | base64 | tr '+/' '-_'
}

# Everything that can be wrong before Keycloak is called.
realm_url=$SERVER/realms/$REALM_NAME
for file in own-realm.json own-realm-providers.json; do
  [ -r "$folder/$file" ] || stop "$file is not in $folder."
done
for file in "$SP.env" "$DP.env" "$DP.salt"; do
  [ ! -e "$file" ] || stop "$file is there already. Remove it, or run this script in another folder."
done
case $DP_KEYS in
https://* | http://*)
  dp_keys=$(jq -n --arg url "$DP_KEYS" '{ "use.jwks.url": "true", "jwks.url": $url }')
  ;;
*)
  [ -r "$DP_KEYS" ] || stop "$DP_KEYS is not there. Set DP_KEYS to the data provider's JWK Set, a file or an address."
  ! grep -q '"d"' "$DP_KEYS" || stop "$DP_KEYS holds a private key. Keycloak needs the public key alone."
  dp_keys=$(jq '{ "use.jwks.string": "true", "jwks.string": tojson }' "$DP_KEYS")
  ;;
esac
if [ ! -t 0 ] && { [ -z "${KC_CLI_PASSWORD:-}" ] || [ -z "${PERSON_PASSWORD:-}" ]; }; then
  stop "There is no terminal to ask for passwords: set KC_CLI_PASSWORD (of $ADMIN) and PERSON_PASSWORD (of $PERSON)."
fi
if [ -z "${PERSON_PASSWORD:-}" ]; then
  read -rsp "A new password for $PERSON: " PERSON_PASSWORD
  echo
fi
[ -n "$PERSON_PASSWORD" ] || stop 'The password is empty.'
if [ -z "${KC_CLI_PASSWORD:-}" ]; then
  read -rsp "The password of $ADMIN: " KC_CLI_PASSWORD
  echo
fi

begin "Sign in to $SERVER as $ADMIN"
sign_in

# Each version of Keycloak creates its own scopes, such as basic and acr, in a realm that comes without scopes. With the
# attribute, 26.7 also does so in a realm that has some. 26.5 does not know the attribute and would keep it.
begin "Create the realm $REALM_NAME"
if call GET "/$REALM_NAME" >/dev/null 2>&1; then
  remedy='Nothing was changed.'
  stop "The realm $REALM_NAME exists already. Set REALM_NAME to another name, or delete the realm."
fi
call POST '' "$(sed "s|/realms/federation/|/realms/$REALM_NAME/|" "$folder/own-realm.json" |
  jq --arg realm "$REALM_NAME" --arg title "$REALM_TITLE" \
    'del(.clientScopes, .attributes.CreateDefaultClientScopes) | .realm = $realm | .displayName = $title')"
remedy="Before you run this script again, delete the realm $REALM_NAME."

begin 'Create the scopes for the claims, and amr'
scopes=$(jq -c '.clientScopes[]' "$folder/own-realm.json")
while read -r scope; do
  call POST "/$REALM_NAME/client-scopes" "$scope"
done <<<"$scopes"

begin 'Let people choose a PIN'
call POST "/$REALM_NAME/authentication/register-required-action" \
  '{ "providerId": "configure-pin", "name": "Configure PIN" }'

# Keycloak has just created the scope acr with its own mapper, which tells the level of the session.
begin 'Tell the level of the login in acr'
acr_scope=$(call GET "/$REALM_NAME/client-scopes" | jq -r '.[] | select(.name == "acr").id')
[ -n "$acr_scope" ] || stop 'Keycloak has no scope acr: its feature step-up-authentication is off.'
acr_mappers=/$REALM_NAME/client-scopes/$acr_scope/protocol-mappers/models
old_mapper=$(call GET "$acr_mappers" | jq -r '.[] | select(.protocolMapper == "oidc-acr-mapper").id')
call POST "$acr_mappers" '{
  "name": "acr of the login",
  "protocol": "openid-connect",
  "protocolMapper": "oidc-login-acr-mapper",
  "config": { "id.token.claim": "true", "access.token.claim": "true", "lightweight.claim": "true" }
}'
call DELETE "$acr_mappers/$old_mapper"

# The type is None: no client has the scope unless it is assigned. Keycloak's partial import cannot create scopes, and
# leaves a scope out of a client if the scope does not exist. So it has to be there before the clients.
begin "Create the scope $DP_SCOPE"
call POST "/$REALM_NAME/client-scopes" "$(jq -n --arg scope "$DP_SCOPE" '{
  name: $scope,
  protocol: "openid-connect",
  attributes: { "include.in.token.scope": "true", "display.on.consent.screen": "true" }
}')"

# Every data provider can read the service provider's access token. So the service provider has none of Keycloak's
# scopes profile, email and roles, and gets lightweight access tokens. The data provider's mapper has a salt: with one,
# the subjects stay the same if the mapper has to be created again. The time is for the warning of old secrets: Keycloak
# sets it only for secrets that it makes itself. What is secret comes to jq in the environment, where only you see it.
begin "Register $SP and $DP, and create $PERSON"
sp_secret=$(new_secret)
dp_secret=$(new_secret)
dp_salt=$(new_secret)
providers=$(SP_SECRET=$sp_secret DP_SECRET=$dp_secret DP_SALT=$dp_salt PERSON_PASSWORD=$PERSON_PASSWORD \
  jq --arg sp "$SP" --arg sp_name "$SP_NAME" --arg redirect "$SP_REDIRECT_URI" --arg dp "$DP" --arg dp_name "$DP_NAME" \
  --arg scope "$DP_SCOPE" --arg person "$PERSON" --arg now "$(date +%s)" --argjson keys "$dp_keys" '
    { "client.secret.creation.time": $now } as $time
    | (.clients[].optionalClientScopes[] | select(. == "water_bills")) = $scope
    | .clients[0] += { clientId: $sp, name: $sp_name, secret: env.SP_SECRET, redirectUris: [$redirect],
        baseUrl: ($redirect | sub("(?<host>://[^/]*).*"; "\(.host)/")) }
    | .clients[0].attributes += $time
    | .clients[1] += { clientId: $dp, name: $dp_name, secret: env.DP_SECRET, attributes: ($time + $keys) }
    | .clients[1].protocolMappers[0].config.pairwiseSubAlgorithmSalt = env.DP_SALT
    | .users[0] += { username: $person,
        credentials: [{ type: "password", temporary: false, value: env.PERSON_PASSWORD }] }' \
  "$folder/own-realm-providers.json")
call POST "/$REALM_NAME/partialImport" "$providers" >/dev/null

cat >"$SP.env" <<EOF
export REALM='$realm_url'
export CLIENT_ID='$SP'
export CLIENT_SECRET='$sp_secret'
export REDIRECT_URI='$SP_REDIRECT_URI'
export SCOPE='openid given_name family_name $DP_SCOPE'
EOF
cat >"$DP.env" <<EOF
export REALM='$realm_url'
export CLIENT_ID='$DP'
export CLIENT_SECRET='$dp_secret'
EOF
printf '%s\n' "$dp_salt" >"$DP.salt"

# Any text as token: if the secret, the mapper and the key are right, the status is 200 and the answer is encrypted.
begin "Call checktoken as $DP"
answer=$(curl --silent --show-error --max-time 30 --write-out '\n%{http_code}' --data @- \
  "$realm_url/api/v2/checktoken" <<EOF
client_id=$DP&client_secret=$dp_secret&token=no-token
EOF
)
[ "${answer##*$'\n'}" = 200 ] || stop "The answer was $answer"

cat <<EOF

The realm $realm_url is ready. Two files hold what the programs of the guides need. Each contains a secret:
  $SP.env   for the service provider
  $DP.env   for the data provider
$DP.salt is the salt of its subjects. Keep it where you keep secrets.
Next, in this folder, with the two programs of own-realm.md:
  (. ./$SP.env && node login.mjs)                 sign in as $PERSON; it prints the access token
  (. ./$DP.env && node check.mjs ACCESS_TOKEN)   prints the decrypted answer
EOF
