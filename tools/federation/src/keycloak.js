import { readFileSync } from 'node:fs'
import { KeycloakAdminClient } from '@keycloak/keycloak-admin-client/lib/client.js'
import { OWN_REALM } from './realm.js'

const PAGE = 250
const AT_ONCE = 8
const TIMEOUT_MS = 60_000

/** Signs in as `kcadm.sh` does, and again before the access token expires. */
export async function signIn(variables) {
  const { SERVER = 'http://localhost:8080', LOGIN_REALM: realmName = 'master' } = variables
  const keycloak = new KeycloakAdminClient({ baseUrl: SERVER.replace(/\/$/, ''), realmName, timeout: TIMEOUT_MS })
  let signingIn
  const renew = () => signingIn ??= keycloak.auth(credentials(variables)).finally(() => { signingIn = undefined })
  keycloak.registerTokenProvider({
    async getAccessToken() {
      if (keycloak.isTokenExpired()) await renew()
      return keycloak.accessToken
    },
  })
  await renew()
  return keycloak
}

function credentials(variables) {
  const secret = (name) => {
    const file = variables[`${name}_FILE`]
    const value = file ? readFileSync(file, 'utf8').trim() : variables[name]
    if (!value) throw new Error(`Set ${name} or ${name}_FILE`)
    return value
  }
  if (variables.ADMIN_CLIENT) {
    const clientSecret = secret('KC_CLI_CLIENT_SECRET')
    return { grantType: 'client_credentials', clientId: variables.ADMIN_CLIENT, clientSecret }
  }
  const username = variables.ADMIN ?? 'admin'
  return { grantType: 'password', clientId: 'admin-cli', username, password: secret('KC_CLI_PASSWORD') }
}

/** @returns what the realm has, with one request for 250 clients */
export async function readState(keycloak, realm) {
  const found = await keycloak.realms.findOne({ realm })
  if (!found) {
    return { realm: undefined, actions: [], algorithms: ['ES256', 'RS256'], scopes: [], clients: [], flows: OWN_REALM }
  }
  const [actions, keys, scopes, clients, flows] = await Promise.all([
    keycloak.authenticationManagement.getRequiredActions({ realm }),
    keycloak.realms.getKeys({ realm }),
    keycloak.clientScopes.find({ realm }),
    allClients(keycloak, realm),
    // All flows at once, with their steps and settings.
    keycloak.realms.export({ realm }),
  ])
  return { realm: found, actions, algorithms: Object.keys(keys.active), scopes, clients, flows }
}

/** @returns what the administrators' view of checktoken says; undefined if it says nothing, or is not there */
export async function readView(keycloak, realm, path) {
  const response = await fetch(`${keycloak.baseUrl}/admin/realms/${encodeURIComponent(realm)}/checktoken/${path}`, {
    headers: { Authorization: `Bearer ${await keycloak.getAccessToken()}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return response.ok ? response.json() : undefined
}

async function allClients(keycloak, realm) {
  const all = []
  for (let page; page?.length !== 0;) {
    page = await keycloak.clients.find({ realm, first: all.length, max: PAGE })
    all.push(...page)
  }
  return all.map((client) => ({ ...client, defaultClientScopes: client.defaultClientScopes?.filter(isOfTheFile) }))
}

/** Keycloak itself assigns this scope to a client whose service account somebody switches on. */
function isOfTheFile(scope) {
  return scope !== 'service_account'
}

/** @returns what failed, as [item, error]; the other items are worked off all the same */
export async function atOnce(items, work) {
  const rest = items.values()
  const failed = []
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const item of rest) {
      try {
        await work(item)
      } catch (error) {
        failed.push([item, error])
      }
    }
  }))
  return failed
}

/** What Keycloak says about a request that it has refused; never a secret, which only requests have. */
export function reason(error) {
  const { status, url } = error.response ?? {}
  if (!status) return error.cause instanceof Error ? `${error.message}: ${error.cause.code ?? error.cause.message}` : error.message
  const { errorMessage, error_description: description, error: code } = error.responseData ?? {}
  const words = errorMessage ?? description ?? code ?? 'without a reason'
  return `Keycloak answers ${status} (${words}) at ${new URL(url).pathname}`
}
