import { readView } from './keycloak.js'
import { newRealm } from './realm.js'

const ATTRIBUTE = 'checktoken.login.gate'

const REASONS = {
  realm_on: `its attribute ${ATTRIBUTE} is on`,
  realm_off: `its attribute ${ATTRIBUTE} is off`,
  server_all: 'the server guards all realms',
  server_off: 'the server guards no realm',
  used: 'it uses checktoken for its logins',
  unused: 'it does not use checktoken for its logins',
}

/** @returns what the administrators' view says of the realm; undefined if there is no realm, or no such view */
export function readGuard(keycloak, realm) {
  return readView(keycloak, realm, 'guard')
}

/**
 * Whether the logins of the realm are guarded, and why.
 *
 * @param realm as Keycloak has it; undefined if it does not exist
 * @param guard of the administrators' view; undefined if there is none, so that only the realm's attribute is known
 */
export function guardInWords(federation, realm, guard) {
  const logins = `Logins of realm ${federation.realm}`
  if (guard?.guarded && guard.problem) return `${logins} are refused, because this server cannot guard them: ${guard.problem}`
  if (guard?.guarded) return `${logins} are guarded: ${REASONS[guard.reason]}.`
  if (guard) {
    const told = guard.methodsTold ? 'amr and acr are told all the same' : 'so amr and acr are not told'
    return `${logins} are not guarded: ${REASONS[guard.reason]}, ${told}.`
  }
  const attribute = (realm ?? newRealm(federation)).attributes?.[ATTRIBUTE]
  if (attribute === 'on') return `${logins} are to be guarded: ${REASONS.realm_on}.`
  if (attribute === 'off') return `${logins} are not to be guarded: ${REASONS.realm_off}.`
  return `${logins} are guarded as the server decides: it says nothing here, and the realm has no attribute ${ATTRIBUTE}.`
}
