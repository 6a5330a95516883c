import { createHash } from 'node:crypto'
import { dataProviderMapper, lacksSalt, SALT } from './clients.js'
import { ACR_MAPPER, MARK, newRealm, PIN_ACTION } from './realm.js'

/**
 * What a realm needs to become what the federation file says. Nothing else of the realm is looked at.
 *
 * @param wanted { federation, folder, scopes, clients }; the folder has secrets and salts
 * @param current { realm, actions, scopes, clients }; the realm is undefined if it does not exist
 * @returns changes { sign, kind, what, details, rep, current }: `+` creates, `~` changes, `-` removes what has the mark
 */
export function difference(wanted, current) {
  return [
    ...realmChanges(wanted.federation, current),
    ...wanted.scopes.flatMap((scope) => scopeChange(scope, current.scopes.find(({ name }) => name === scope.name))),
    ...clientChanges(wanted, current),
    ...removals(wanted, current),
  ]
}

/** @returns a removal of each client and scope that has the mark and is not wanted */
export function removals(wanted, current) {
  const gone = (kind, id, before, kept) => {
    const ids = new Set(kept.map((one) => one[id]))
    return before.filter((one) => isMarked(one) && !ids.has(one[id]))
      .map((current) => change('-', kind, current[id], [], { current }))
  }
  return [
    ...gone('client', 'clientId', current.clients, wanted.clients),
    ...gone('scope', 'name', current.scopes, wanted.scopes),
  ]
}

function realmChanges({ realm: name, title, levels }, { realm, actions, scopes }) {
  const action = change('+', 'action', PIN_ACTION.name, [], { rep: PIN_ACTION })
  const acr = change('~', 'acr', '', ['tells the level of the login'])
  if (!realm) return [change('+', 'realm', name, [], { rep: newRealm({ realm: name, title, levels }) }), action, acr]
  const details = levels ? differing({ levels }, { levels: JSON.parse(realm.attributes?.['acr.loa.map'] || '{}') }) : []
  const isTold = scopes.some(({ protocolMappers = [] }) =>
    protocolMappers.some(({ protocolMapper }) => protocolMapper === ACR_MAPPER.protocolMapper))
  return [
    ...(details.length > 0
      ? [change('~', 'realm', name, details, { rep: { attributes: { 'acr.loa.map': JSON.stringify(levels) } } })]
      : []),
    // What an earlier run has left out because it failed. A realm that was there before may want it otherwise.
    ...(isMarked(realm) && !actions.some(({ providerId }) => providerId === PIN_ACTION.providerId) ? [action] : []),
    ...(isMarked(realm) && !isTold ? [acr] : []),
  ]
}

/** A scope of every federation is only created: one that is there may read other attributes of people. */
function scopeChange({ base, ...rep }, now) {
  if (!now) return [change('+', 'scope', rep.name, [], { rep })]
  const details = base ? [] : differing(scopeInWords(rep), scopeInWords(now))
  return details.length > 0 ? [change('~', 'scope', rep.name, details, { rep, current: now })] : []
}

function scopeInWords({ description, attributes = {} }) {
  return { 'taken over': attributes[MARK], description, 'in the token': attributes['include.in.token.scope'] }
}

function clientChanges({ clients, federation, folder }, current) {
  const byId = new Map(current.clients.map((client) => [client.clientId, client]))
  const given = new Map(federation.providers.map((one) => [one.id, one.given]))
  return clients.flatMap((client) => {
    const { clientId } = client
    const now = byId.get(clientId)
    const secret = given.get(clientId)
    const salt = lacksSalt(client, now) && folder.keptSalt(clientId)
    const rep = { ...(salt ? withSalt(client, salt) : client), ...(secret && { secret }) }
    const words = clientInWords(client)
    if (!now) {
      return [change('+', 'client', clientId, differing(words, {}, ['keys', 'redirect-uris', 'scopes']), { rep })]
    }
    const details = differing(words, clientInWords(now))
    if (secret && secret !== now.secret) details.push('secret: another one is given')
    if (salt) {
      details.push(`subject salt: nothing -> the copy in ${clientId}.salt. `
        + 'Without it, all its subjects have changed; the copy brings the former ones back')
    }
    return details.length > 0 ? [change('~', 'client', clientId, details, { rep, current: now })] : []
  })
}

function withSalt(client, salt) {
  const protocolMappers = client.protocolMappers.map((mapper) => {
    return { ...mapper, config: { ...mapper.config, [SALT]: salt } }
  })
  return { ...client, protocolMappers }
}

/** The settings that this tool decides, named as in the federation file if they are in it. */
function clientInWords(client) {
  const { attributes = {} } = client
  const mapper = dataProviderMapper(client)?.config ?? {}
  const set = attributes['use.jwks.string'] === 'true' ? attributes['jwks.string'] : ''
  return {
    'taken over': attributes[MARK],
    name: client.name,
    protocol: client.protocol,
    public: client.publicClient,
    'standard flow': client.standardFlowEnabled,
    'direct access grants': client.directAccessGrantsEnabled,
    'full scope allowed': client.fullScopeAllowed,
    'data provider': Boolean(dataProviderMapper(client)),
    keys: attributes['use.jwks.url'] === 'true' ? attributes['jwks.url'] : set && `a set (${fingerprint(set)})`,
    signature: mapper['introspection.signed.response.alg'],
    'key-encryption': mapper['introspection.encrypted.response.alg'],
    'content-encryption': mapper['introspection.encrypted.response.enc'],
    'identity-only-with-scope': mapper['identity.requires.scope'],
    'auth-time': mapper['auth.time.disclosed'],
    contact: mapper['contact.address'],
    ...(client.standardFlowEnabled && {
      home: client.baseUrl,
      'redirect-uris': client.redirectUris,
      'web origins': client.webOrigins,
      'post-logout-redirect-uris': attributes['post.logout.redirect.uris'],
      pkce: attributes['pkce.code.challenge.method'],
      'lightweight access token': attributes['client.use.lightweight.access.token.enabled'],
      'userinfo with it': attributes['allow.userinfo.with.lightweight.access.token'],
      level: attributes['minimum.acr.value'],
    }),
    'scopes always given': client.defaultClientScopes,
    scopes: client.optionalClientScopes,
  }
}

/** White space does not count. */
function fingerprint(json) {
  return createHash('sha256').update(json.replaceAll(/\s/g, '')).digest('hex').slice(0, 8)
}

/** @returns in words, which of the wanted settings differ */
function differing(wanted, now, names = Object.keys(wanted)) {
  return names.filter((name) => inWords(wanted[name]) !== inWords(now[name])).map((name) => name === 'taken over'
    ? 'is taken over: from now on the file decides'
    : `${name}: ${inWords(now[name]) || 'nothing'} -> ${inWords(wanted[name]) || 'nothing'}`)
}

/** Off, empty and absent are the same. */
function inWords(value) {
  if (Array.isArray(value)) return value.toSorted().join(', ')
  if (value === false || value === 'false') return ''
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.keys(value).sort().map((name) => `${name} ${inWords(value[name])}`).join(', ')
}

function isMarked({ attributes }) {
  return attributes?.[MARK] === 'true'
}

function change(sign, kind, name, details, more) {
  const words = { action: 'required action', acr: 'scope acr' }
  return { sign, kind, what: `${words[kind] ?? kind} ${name}`.trim(), details, ...more }
}
