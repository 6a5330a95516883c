import { readFileSync } from 'node:fs'

const read = (path) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url)))

/** The realm that docs/own-realm.sh makes. */
export const OWN_REALM = read('docs/own-realm.json')

const DEMO_REALM = read('realm-export/federation-realm.json')

/** The mark of what this tool has made or taken over: an attribute of realms, client scopes and clients. */
export const MARK = 'checktoken.federation'

/** `identity`, `amr`, and a scope for each claim. */
export const BASE_SCOPES = OWN_REALM.clientScopes

/** The scopes that service providers can ask for without a data provider. */
export const CLAIM_SCOPES = BASE_SCOPES.map(({ name }) => name).filter((name) => !['identity', 'amr'].includes(name))

export const DEFAULT_LEVELS = JSON.parse(OWN_REALM.attributes['acr.loa.map'])

export const PIN_ACTION = { providerId: 'configure-pin', name: 'Configure PIN' }

/** Tells the level of the login, and not that of the session as Keycloak's own mapper does. */
export const ACR_MAPPER = {
  name: 'acr of the login',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-login-acr-mapper',
  config: { 'id.token.claim': 'true', 'access.token.claim': 'true', 'lightweight.claim': 'true' },
}

/**
 * @returns the realm without scopes: so Keycloak creates its own, such as `basic` and `acr`. Its only client is that of
 * the page for administrators
 */
export function newRealm({ realm, title, levels = DEFAULT_LEVELS }) {
  const { clientScopes, attributes: { CreateDefaultClientScopes, ...attributes }, ...others } = OWN_REALM
  return marked({
    ...others,
    realm,
    clients: JSON.parse(JSON.stringify(others.clients).replaceAll('/realms/federation/', `/realms/${realm}/`)),
    displayName: title ?? OWN_REALM.displayName,
    attributes: { ...attributes, 'acr.loa.map': JSON.stringify(levels) },
  })
}

/** @returns the client scopes of a federation; `base` are those of every federation */
export function scopesOf({ scopes }) {
  const attributes = { 'include.in.token.scope': 'true', 'display.on.consent.screen': 'true' }
  const own = scopes.map(({ name, description }) => ({
    name,
    description: description ?? '',
    protocol: 'openid-connect',
    attributes: { ...attributes, 'consent.screen.text': description ?? '' },
  }))
  return [...BASE_SCOPES.map((scope) => ({ ...marked(scope), base: true })), ...own.map(marked)]
}

/**
 * Keycloak's import creates Keycloak's own scopes and gives them to its own clients, such as the account console. They
 * cannot be in the file, so `acr` has Keycloak's mapper until the first apply.
 */
export function realmForKeycloak(federation, clients) {
  const realm = realmForImport(federation, clients)
  return { ...realm, attributes: { ...realm.attributes, CreateDefaultClientScopes: 'true' } }
}

/** keycloak-config-cli changes the scopes that Keycloak has created. The demo realm has them all. */
export function realmForConfigCli(federation, clients) {
  const { clientScopes, defaultDefaultClientScopes: always, defaultOptionalClientScopes: optional } = DEMO_REALM
  const keycloaks = clientScopes.filter(({ name }) => [...always, ...optional, 'service_account'].includes(name))
  const realm = realmForImport(federation, clients)
  return {
    ...realm,
    clientScopes: [...keycloaks, ...realm.clientScopes],
    defaultDefaultClientScopes: always,
    defaultOptionalClientScopes: optional,
    scopeMappings: DEMO_REALM.scopeMappings,
  }
}

function realmForImport(federation, clients) {
  const clientScopes = scopesOf(federation).map(({ base, ...scope }) => scope)
  const realm = newRealm(federation)
  return {
    ...realm,
    requiredActions: DEMO_REALM.requiredActions,
    clientScopes,
    clients: [...clients, ...realm.clients],
  }
}

export function marked(thing) {
  return { ...thing, attributes: { ...thing.attributes, [MARK]: 'true' } }
}
