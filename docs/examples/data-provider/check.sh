#!/usr/bin/env bash
# Checks an access token, given as the argument or on the standard input.
# Needs bash, curl, jq and José (https://github.com/latchset/jose). Debian's packages: curl jq jose
set -euo pipefail

# As agreed with the platform. The key encryption is the alg of the private key.
signature=ES256
content_encryption=A256GCM

fail() { echo "$1" >&2; exit 1; }
header() { printf %s "${1%%.*}" | jose b64 dec -i-; }

for name in REALM CLIENT_ID CLIENT_SECRET; do
  [[ -n ${!name:-} ]] || missing+=${missing:+, }$name
done
[[ -z ${missing:-} ]] || fail "Not set: $missing"
if [[ $# -gt 0 ]]; then token=$1; elif [[ ! -t 0 ]]; then read -r token || true; fi
[[ -n ${token:-} ]] || fail 'No access token, neither as the argument nor on the standard input'
while [[ $REALM == */ ]]; do REALM=${REALM%/}; done

# Secrets are no arguments of curl, because other users of this machine can see arguments.
response=$(curl --silent --show-error --max-time 10 --max-filesize 1M --write-out '\n%{http_code}' \
  --data-urlencode "client_id=$CLIENT_ID" \
  --data-urlencode client_secret@<(printf %s "$CLIENT_SECRET") \
  --data-urlencode token@<(printf %s "$token") \
  "$REALM/api/v2/checktoken") || fail "No answer of $REALM"
body=${response%$'\n'*} status=${response##*$'\n'}
# Nothing else of the body, which could be an answer.
[[ $status == 200 ]] || fail "checktoken answered $status: $(jq -r '"\(.error) \(.error_description)"' <<< "$body" 2> /dev/null)"

# Decrypt with the key that the header names. While you change keys there are two.
outer=$(header "$body") || fail 'The answer is not encrypted'
for file in ${PRIVATE_KEYS:-private.jwk.json}; do
  jq -e --argjson answer "$outer" '.kid == $answer.kid and .alg == $answer.alg' "$file" > /dev/null && key=$file
done
[[ -n ${key:-} ]] || fail "No private key has the kid and the alg of $outer"
jq -e --arg enc "$content_encryption" '.enc == $enc and .crit == null' <<< "$outer" > /dev/null || fail "Not encrypted as agreed: $outer"
alg=$(jq -r .alg "$key")
jose alg | grep -qxF -- "$alg" || fail "This version of José does not support $alg"
jws=$(printf %s "$body" | jose jwe dec -i- -k "$key") || fail 'The answer cannot be decrypted'

# Verify with the key of the realm that the header names.
inner=$(header "$jws") || fail 'The answer is not signed'
jq -e --arg alg "$signature" '.alg == $alg and .typ == "token-introspection+jwt" and .crit == null' <<< "$inner" > /dev/null ||
  fail "Not an answer of checktoken that is signed as agreed: $inner"
certs=$(curl --silent --show-error --fail --max-time 10 "$REALM/protocol/openid-connect/certs") ||
  fail 'The keys of the realm cannot be loaded'
realm_key=$(jq -e --argjson answer "$inner" '.keys[] | select(.kid == $answer.kid)' <<< "$certs") ||
  fail 'The realm does not publish the key that signed the answer'
payload=$(printf %s "$jws" | jose jws ver -i- -k <(echo "$realm_key") -O-) || fail 'The realm has not signed the answer'

jq -e --arg iss "$REALM/api/v2" --arg aud "$CLIENT_ID" '.iss == $iss and .aud == $aud' <<< "$payload" > /dev/null ||
  fail 'An answer of another realm, or for another data provider'
jq -e '(now - .iat) | fabs <= 60' <<< "$payload" > /dev/null || fail 'The answer was made at another time'
# It can say active: false. Steps 8 to 11 of the guide are the caller's.
jq -e '.token_introspection | objects' <<< "$payload" || fail 'The answer says nothing about the token'
