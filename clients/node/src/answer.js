import { check } from './error.js'

/** What a platform gives of a person unless its administrator decides otherwise. A machine has none of it. */
export const IDENTITY = ['family_name', 'given_name', 'given_name_array', 'gender', 'birthdate', 'birthplace', 'birthcountry']
const TOKEN = ['active', 'aud', 'client_id', 'sub', 'iat', 'exp', 'acr', 'jti', 'scope', 'cnf', 'auth_time']

/**
 * @param token the verified member token_introspection
 * @param proven whether the request proves the keys to which the token is bound, or it is bound to none
 * @param identity names of claims, of which a person has at least one
 */
export function answer(token, proven, identity) {
  const require = (...scopes) => {
    if (scopes.length === 0) throw new TypeError('Name the scopes that the request needs')
    check(token.active, 'inactive')
    check(proven, 'not-proven')
    const granted = token.scope.split(' ').filter(Boolean)
    check(scopes.every((scope) => granted.includes(scope)), 'insufficient-scope', `(${scopes.join(' ')})`)
    return hidden('Access', { clientId: token.client_id, jti: token.jti, person })
  }
  const person = () => {
    check(identity.some((name) => name in token), 'machine')
    const data = Object.entries(token).filter(([name]) => !TOKEN.includes(name))
    const copy = () => structuredClone(Object.fromEntries(data))
    return hidden('Person', { sub: token.sub, acr: token.acr, identity: copy })
  }
  return hidden('Answer', { active: token.active, require, unchecked: () => structuredClone(token) })
}

/** @returns an object whose members can be read by their names, and are in no log, JSON or copy of it */
function hidden(name, members) {
  const text = () => `[${name}]`
  const all = { ...members, toString: text, toJSON: text, [Symbol.for('nodejs.util.inspect.custom')]: text }
  const described = Reflect.ownKeys(all).map((key) => [key, { value: all[key] }])
  return Object.freeze(Object.defineProperties({}, Object.fromEntries(described)))
}
