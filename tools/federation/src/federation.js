import { dirname, resolve } from 'node:path'
import { Document, guess } from './document.js'
import { addressProblem, keysProblem, LOOPBACK, readKeys } from './keys.js'
import { BASE_SCOPES, CLAIM_SCOPES, DEFAULT_LEVELS } from './realm.js'
import { givenSecret } from './secrets.js'

const SIGNATURE = ['ES256', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES384', 'ES512', 'EdDSA']
const KEY_ENCRYPTION = ['RSA-OAEP-256', 'RSA-OAEP', 'RSA-OAEP-384', 'RSA-OAEP-512',
  'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW']
const CONTENT_ENCRYPTION = ['A256GCM', 'A128GCM', 'A192GCM', 'A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512']
const KEYCLOAKS_CLIENTS = ['account', 'account-console', 'admin-cli', 'admin-permissions', 'broker', 'realm-management',
  'security-admin-console']
const KEYCLOAKS_SCOPES = ['acr', 'address', 'basic', 'email', 'microprofile-jwt', 'offline_access', 'openid',
  'organization', 'phone', 'profile', 'role_list', 'roles', 'saml_organization', 'service_account', 'web-origins']

// A type says what is wrong with a value, if something is. It does not repeat the value of a secret.
const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value) => typeof value === 'string' && value.trim() !== ''
const map = (value) => isMap(value) ? undefined : 'must have names below it'
const text = (value) => isText(value) ? undefined : 'must be a text'
const flag = (value) => typeof value === 'boolean' ? undefined : 'must be true or false'
const list = (value) => Array.isArray(value) && value.every(isText)
  ? undefined
  : 'must be a list of texts, such as [a, b]'
const oneOf = (names) => (value) => names.includes(value)
  ? undefined
  : `cannot be ${value}${guess(value, names)} (${names.join(', ')})`
const secret = (value) => isMap(value) && isText(value.env ?? value.file) && Object.keys(value).length === 1
  ? undefined
  : 'a secret must not be in this file. Write { env: NAME } or { file: PATH }'

const FILE = {
  realm: text, title: text, secrets: text, levels: map, scopes: map, 'data-providers': map, 'service-providers': map,
  'test-people': map,
}
const DATA_PROVIDER = {
  name: text,
  keys: text,
  scopes: list,
  identity: flag,
  signature: oneOf(SIGNATURE),
  'key-encryption': oneOf(KEY_ENCRYPTION),
  'content-encryption': oneOf(CONTENT_ENCRYPTION),
  'identity-only-with-scope': flag,
  'auth-time': flag,
  contact: text,
  secret,
}
const SERVICE_PROVIDER = {
  name: text,
  'redirect-uris': list,
  'post-logout-redirect-uris': list,
  home: text,
  scopes: list,
  amr: flag,
  level: text,
  secret,
}

/**
 * Reads a federation file and finds all that is wrong in it.
 *
 * @param variables the environment; undefined if secrets are not needed
 */
export function readFederation(path, variables) {
  const document = new Document(path)
  if (!document.value) return { errors: document.errors }
  const file = settings(document, [], FILE)
  if (!('realm' in file)) document.error([], 'realm is missing')
  const levels = file.levels ?? DEFAULT_LEVELS
  const federation = {
    document,
    folder: dirname(path),
    variables,
    realm: file.realm,
    title: file.title,
    people: file['test-people'],
    secrets: resolve(dirname(path), file.secrets ?? 'secrets'),
    levels: file.levels,
    scopes: Object.entries(file.scopes ?? {}).map(([name, description]) => ({ name, description })),
    dataProviders: providers(document, file, 'data-providers', DATA_PROVIDER),
    serviceProviders: providers(document, file, 'service-providers', SERVICE_PROVIDER),
  }
  federation.providers = [...federation.dataProviders, ...federation.serviceProviders]
  for (const [name, level] of Object.entries(levels)) {
    if (Number.isInteger(level) && level > 0) continue
    document.error(['levels', name], `level ${name} must be a number from 1 on`)
  }
  checkScopes(federation)
  federation.dataProviders.forEach((one) => checkDataProvider(federation, one))
  federation.serviceProviders.forEach((one) => checkServiceProvider(federation, one, Object.keys(levels)))
  checkIds(federation)
  return Object.assign(federation, { errors: document.errors })
}

/** @returns the settings with values of the right type; of the others, undefined */
function settings(document, place, types) {
  const given = place.reduce((value, name) => value[name], document.value)
  const owner = place.at(-1) ?? document.path
  if (!isMap(given)) document.error(place, `${owner} must have settings below it`)
  return Object.fromEntries(Object.entries(isMap(given) ? given : {}).map(([name, value]) => {
    const problem = Object.hasOwn(types, name)
      ? types[name](value)
      : `is not a setting of ${owner}${guess(name, Object.keys(types))}`
    if (problem) document.error([...place, name], `${name}: ${problem}`)
    return [name, problem ? undefined : value]
  }))
}

function providers(document, file, kind, types) {
  return Object.keys(file[kind] ?? {}).map((id) => {
    const what = `${kind.slice(0, -1).replace('-', ' ')} ${id}`
    return { ...settings(document, [kind, id], types), id, what, place: [kind, id] }
  })
}

function checkIds({ document, providers, variables, folder }) {
  const first = new Map()
  for (const one of providers) {
    const { id, what, place } = one
    if (!/^[\w.-]{1,255}$/.test(id)) document.error(place, `${what}: an id has only letters, digits and . _ -`)
    if (KEYCLOAKS_CLIENTS.includes(id)) document.error(place, `${what}: Keycloak itself has a client of that id`)
    if (first.has(id)) document.error(place, `${what} has the id of line ${document.line(first.get(id))}`)
    first.set(id, place)
    if (!('name' in one)) document.error(place, `${what} has no name in plain words, which pages and mails show`)
    const given = one.secret && variables && givenSecret(one.secret, folder, variables)
    if (given?.problem) document.error([...place, 'secret'], `${what}: ${given.problem}`)
    one.given = given?.secret
  }
}

/** Each scope has one data provider: otherwise two could act upon one consent. */
function checkScopes({ document, scopes, dataProviders }) {
  const reserved = [...KEYCLOAKS_SCOPES, ...BASE_SCOPES.map(({ name }) => name)]
  for (const { name, description } of scopes) {
    const problem = reserved.includes(name) ? 'belongs to the realm. Take another name'
      : !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name) ? 'has characters that no scope can have'
        : description !== null && text(description)
    if (problem) document.error(['scopes', name], `scope ${name} ${problem}`)
  }
  const owners = new Map()
  for (const { what, place, scopes: own = [] } of dataProviders) {
    own.forEach((scope, at) => {
      const owner = owners.get(scope)
      if (owner) document.error([...place, 'scopes', at], `${what}: ${owner} is responsible for scope ${scope} already`)
      owners.set(scope, what)
    })
  }
  scopes.filter(({ name }) => !owners.has(name)).forEach(({ name }) =>
    document.error(['scopes', name], `scope ${name} has no data provider that is responsible for it`))
}

function checkDataProvider({ document, scopes, folder }, one) {
  const { what, place, keys } = one
  if (!('keys' in one)) document.error(place, `${what} has no keys, so its answers cannot be encrypted`)
  if (!('scopes' in one) || one.scopes?.length === 0) document.error(place, `${what} is responsible for no scope`)
  checkNames(document, one, scopes.map(({ name }) => name))
  if (/^[a-z]+:\/\//i.test(keys)) {
    const problem = addressProblem(keys)
    if (problem) document.error([...place, 'keys'], `${what}: the address of its keys ${problem}`)
    one.jwks = { url: keys }
  } else if (keys) {
    try {
      one.jwks = { set: readKeys(resolve(folder, keys)) }
      const problem = keysProblem(one.jwks.set, one['key-encryption'] ?? KEY_ENCRYPTION[0])
      if (problem) document.error([...place, 'keys'], `${what}: ${keys} ${problem}`)
    } catch ({ message }) {
      document.error([...place, 'keys'], `${what}: ${message}`)
    }
  }
}

function checkServiceProvider({ document, scopes }, one, levels) {
  const { what, place } = one
  if (!one['redirect-uris']?.length) document.error(place, `${what} has no redirect-uris, where people come back to`)
  for (const setting of ['redirect-uris', 'post-logout-redirect-uris']) {
    one[setting]?.forEach((address, at) => {
      const problem = redirectProblem(address)
      if (problem) document.error([...place, setting, at], `${what}: ${address} ${problem}`)
    })
  }
  checkNames(document, one, [...CLAIM_SCOPES, ...scopes.map(({ name }) => name), 'offline_access'])
  const problem = one.level && oneOf(levels)(one.level)
  if (problem) document.error([...place, 'level'], `${what}: level ${problem}`)
}

function checkNames(document, { what, place, scopes = [] }, names) {
  scopes.forEach((scope, at) => {
    const problem = names.includes(scope)
      ? scopes.indexOf(scope) < at && 'is there twice'
      : `is unknown${guess(scope, names)}`
    if (problem) document.error([...place, 'scopes', at], `${what}: scope ${scope} ${problem}`)
  })
}

function redirectProblem(address) {
  if (!URL.canParse(address)) return 'is not an address'
  const { protocol, hostname, username } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.includes(hostname))) return 'must begin with https://'
  return /[*#]/.test(address) || username ? 'must be the exact address, without * and #' : undefined
}
