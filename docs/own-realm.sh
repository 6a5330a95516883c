#!/usr/bin/env bash
# Makes a realm from nothing, with a service provider, a data provider and a person to try it with: see own-realm.md.
# It needs Bash, curl and Keycloak's kcadm.sh. The realm itself is in own-realm.json, in the folder of this script.
set -euo pipefail

# Settings: environment variables, or these defaults.
: "${KCADM:=/opt/keycloak/bin/kcadm.sh}"
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

# kcadm.sh and this script ask for the administrator's and the person's password. Where there is no terminal, set
# KC_CLI_PASSWORD and PERSON_PASSWORD.

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
session=$(mktemp -d)
umask 077
step='Read the settings'
remedy=

# Says which step failed. The administrator's session is in a file of this script, which ends with it.
finish() {
  status=$?
  rm -rf "$session"
  [ "$status" -eq 0 ] || echo "Failed: $step. $remedy" >&2
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

kcadm() {
  "$KCADM" "$@" --config "$session/kcadm.config"
}

# Makes a JSON string of the standard input.
json_string() {
  sed 's/\\/\\\\/g; s/"/\\"/g' | tr -d '\r\n' | sed 's/^/"/; s/$/"/'
}

# Prints the client scopes of own-realm.json, each on a line of its own.
client_scopes() {
  awk '/^  "clientScopes": \[$/ { inside = 1; next }
    /^  \]/ { inside = 0 }
    inside && /^    },?$/ { print scope "}"; scope = ""; next }
    inside { scope = scope $0 }' "$folder/own-realm.json"
}

# 240 random bits.
new_secret() {
  head -c 30 /dev/urandom | base64 | tr '+/' '-_'
}

# Everything that can be wrong before Keycloak is called.
realm_url=$SERVER/realms/$REALM_NAME
sp_home=$(printf '%s\n' "$SP_REDIRECT_URI" | sed 's|\(://[^/]*\).*|\1/|') # where error pages link to
[ -x "$KCADM" ] || stop "$KCADM is not there. Set KCADM to kcadm.sh in the folder bin of Keycloak."
[ -r "$folder/own-realm.json" ] || stop "own-realm.json is not in $folder."
scopes=$(client_scopes)
[ -n "$scopes" ] || stop "No client scopes were found in own-realm.json. Take the file as it is in the repository."
for file in "$SP.env" "$DP.env" "$DP.salt"; do
  [ ! -e "$file" ] || stop "$file is there already. Remove it, or run this script in another folder."
done
case $DP_KEYS in
https://* | http://*)
  dp_keys=", \"use.jwks.url\": \"true\", \"jwks.url\": $(printf '%s\n' "$DP_KEYS" | json_string)"
  ;;
*)
  [ -r "$DP_KEYS" ] || stop "$DP_KEYS is not there. Set DP_KEYS to the data provider's JWK Set, a file or an address."
  ! grep -q '"d"' "$DP_KEYS" || stop "$DP_KEYS holds a private key. Keycloak needs the public key alone."
  dp_keys=", \"use.jwks.string\": \"true\", \"jwks.string\": $(tr '\n\t' '  ' <"$DP_KEYS" | json_string)"
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

begin "Sign in to $SERVER as $ADMIN"
kcadm config credentials --server "$SERVER" --realm master --user "$ADMIN"

# Each version of Keycloak creates its own scopes, such as basic and acr, in a realm that comes without scopes. With the
# attribute, 26.7 also does so in a realm that has some. 26.5 does not know the attribute and would keep it.
begin "Create the realm $REALM_NAME"
if kcadm get "realms/$REALM_NAME" --fields realm >/dev/null 2>&1; then
  remedy='Nothing was changed.'
  stop "The realm $REALM_NAME exists already. Set REALM_NAME to another name, or delete the realm."
fi
sed "s|/realms/federation/|/realms/$REALM_NAME/|" "$folder/own-realm.json" |
  kcadm create realms -f - -s "realm=$REALM_NAME" -s "displayName=$REALM_TITLE" \
    -d clientScopes -d attributes.CreateDefaultClientScopes
remedy="Before you run this script again, delete the realm $REALM_NAME."

begin 'Create the scopes for the claims, and amr'
while read -r scope; do
  kcadm create client-scopes -r "$REALM_NAME" -b "$scope"
done <<<"$scopes"

begin 'Let people choose a PIN'
kcadm create authentication/register-required-action -r "$REALM_NAME" \
  -s providerId=configure-pin -s 'name=Configure PIN'

# Keycloak has just created the scope acr with its own mapper, which tells the level of the session.
begin 'Tell the level of the login in acr'
acr_scope=$(kcadm get client-scopes -r "$REALM_NAME" --fields id,name --format csv --noquotes | sed -n 's/,acr$//p')
[ -n "$acr_scope" ] || stop 'Keycloak has no scope acr: its feature step-up-authentication is off.'
acr_mappers=client-scopes/$acr_scope/protocol-mappers/models
old_mapper=$(kcadm get "$acr_mappers" -r "$REALM_NAME" --fields id,protocolMapper --format csv --noquotes |
  sed -n 's/,oidc-acr-mapper$//p')
kcadm create "$acr_mappers" -r "$REALM_NAME" -f - <<EOF
{
  "name": "acr of the login",
  "protocol": "openid-connect",
  "protocolMapper": "oidc-login-acr-mapper",
  "config": { "id.token.claim": "true", "access.token.claim": "true", "lightweight.claim": "true" }
}
EOF
kcadm delete "$acr_mappers/$old_mapper" -r "$REALM_NAME"

# The type is None: no client has the scope unless it is assigned. Keycloak's partial import cannot create scopes, and
# leaves a scope out of a client if the scope does not exist. So it has to be there before the clients.
begin "Create the scope $DP_SCOPE"
kcadm create client-scopes -r "$REALM_NAME" -f - <<EOF
{
  "name": "$DP_SCOPE",
  "protocol": "openid-connect",
  "attributes": { "include.in.token.scope": "true", "display.on.consent.screen": "true" }
}
EOF

# Every data provider can read the service provider's access token. So the service provider has none of Keycloak's
# scopes profile, email and roles, and gets lightweight access tokens. The data provider's mapper has a salt: with one,
# the subjects stay the same if the mapper has to be created again. The time is for the warning of old secrets: Keycloak
# sets it only for secrets that it makes itself.
begin "Register $SP and $DP, and create $PERSON"
sp_secret=$(new_secret)
dp_secret=$(new_secret)
dp_salt=$(new_secret)
now=$(date +%s)
kcadm create partialImport -r "$REALM_NAME" -f - <<EOF
{
  "clients": [
    {
      "clientId": "$SP",
      "name": $(printf '%s\n' "$SP_NAME" | json_string),
      "baseUrl": $(printf '%s\n' "$sp_home" | json_string),
      "protocol": "openid-connect",
      "publicClient": false,
      "secret": "$sp_secret",
      "standardFlowEnabled": true,
      "directAccessGrantsEnabled": false,
      "fullScopeAllowed": false,
      "redirectUris": [$(printf '%s\n' "$SP_REDIRECT_URI" | json_string)],
      "attributes": {
        "pkce.code.challenge.method": "S256",
        "client.use.lightweight.access.token.enabled": "true",
        "client.secret.creation.time": "$now"
      },
      "defaultClientScopes": ["basic", "acr", "amr"],
      "optionalClientScopes": [
        "given_name", "family_name", "gender", "preferred_username", "birthdate", "birthplace", "birthcountry",
        "$DP_SCOPE"
      ]
    },
    {
      "clientId": "$DP",
      "name": $(printf '%s\n' "$DP_NAME" | json_string),
      "protocol": "openid-connect",
      "publicClient": false,
      "secret": "$dp_secret",
      "standardFlowEnabled": false,
      "directAccessGrantsEnabled": false,
      "fullScopeAllowed": false,
      "attributes": { "client.secret.creation.time": "$now"$dp_keys },
      "protocolMappers": [
        {
          "name": "Data provider",
          "protocol": "openid-connect",
          "protocolMapper": "oidc-data-provider-mapper",
          "config": {
            "introspection.signed.response.alg": "ES256",
            "introspection.encrypted.response.alg": "RSA-OAEP-256",
            "introspection.encrypted.response.enc": "A256GCM",
            "pairwiseSubAlgorithmSalt": "$dp_salt"
          }
        }
      ],
      "defaultClientScopes": ["identity"],
      "optionalClientScopes": ["$DP_SCOPE"]
    }
  ],
  "users": [
    {
      "username": "$PERSON",
      "enabled": true,
      "firstName": "Camille Louise Marie",
      "lastName": "Moreau",
      "email": "camille@example.org",
      "emailVerified": true,
      "attributes": {
        "gender": ["female"],
        "birthdate": ["1988-03-14"],
        "birthplace": ["75107"],
        "birthcountry": ["99100"]
      },
      "credentials": [
        { "type": "password", "temporary": false, "value": $(printf '%s\n' "$PERSON_PASSWORD" | json_string) }
      ]
    }
  ]
}
EOF

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
