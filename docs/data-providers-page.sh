#!/usr/bin/env bash
# Makes what the page for administrators needs in a realm that was not made with own-realm.json: its client, and the role
# view-data-providers. Log in with "kcadm.sh config credentials" first. It needs jq, and own-realm.json in its own folder.
set -euo pipefail

: "${KCADM:=/opt/keycloak/bin/kcadm.sh}"
: "${REALM_NAME:?Set REALM_NAME to the name of the realm.}"

folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

client_id_of() {
  "$KCADM" get clients -r "$REALM_NAME" -q "clientId=$1" --fields id --format csv --noquotes
}

# Keycloak 26.7 lets nobody create a role of realm-management, except by import.
jq '{ ifResourceExists: "SKIP", clients, roles: { client: .roles.client } }' "$folder/own-realm.json" |
  sed "s|/realms/federation/|/realms/$REALM_NAME/|" |
  "$KCADM" create partialImport -r "$REALM_NAME" -f -
management=clients/$(client_id_of realm-management)
"$KCADM" get "$management/roles/view-data-providers" -r "$REALM_NAME" | jq '[.]' |
  "$KCADM" create "clients/$(client_id_of data-providers-page)/scope-mappings/$management" -r "$REALM_NAME" -f -
