import { dataProviderMapper, SALT } from './clients.js'
import { atOnce } from './keycloak.js'
import { ACR_MAPPER } from './realm.js'

/** An attribute of a client, in seconds since the epoch. Keycloak sets it only for a secret that it makes itself. */
const SECRET_TIME = 'client.secret.creation.time'

/** What uses something else comes after it, and is removed before it. Keycloak ignores a scope that is not there. */
const STEPS = [
  ['+ realm', '~ realm'],
  ['+ scope', '~ scope', '+ action'],
  ['~ acr', '+ client', '~ client'],
  ['- client'],
  ['- scope'],
]

/**
 * Makes the changes, several at the same time.
 *
 * @param folder where the secrets and salts of new clients are kept
 * @returns what failed, as [change, error]; the steps after a failed one are left out
 */
export async function apply(keycloak, realm, changes, folder) {
  for (const step of STEPS) {
    const those = changes.filter(({ sign, kind }) => step.includes(`${sign} ${kind}`))
    const scopes = step.includes('~ client') && those.length > 0 ? await keycloak.clientScopes.find({ realm }) : []
    const ids = new Map(scopes.map(({ id, name }) => [name, id]))
    const failed = await atOnce(those, (change) => {
      return MAKE[`${change.sign} ${change.kind}`](keycloak, realm, change, { ids, folder })
    })
    if (failed.length > 0) return failed
  }
  return []
}

const MAKE = {
  '+ realm': (keycloak, realm, { rep }) => keycloak.realms.create(rep),

  /** Keycloak removes the attributes that an update of a realm does not have. */
  '~ realm': async (keycloak, realm, { rep }) => {
    const now = await keycloak.realms.findOne({ realm })
    await keycloak.realms.update({ realm }, { ...now, attributes: { ...now.attributes, ...rep.attributes } })
  },

  '+ action': (keycloak, realm, { rep }) => keycloak.authenticationManagement.registerRequiredAction({ realm, ...rep }),

  '~ acr': async (keycloak, realm, change, { ids }) => {
    const scope = { realm, id: ids.get('acr') }
    if (!scope.id) throw new Error('Keycloak has no scope acr: its feature step-up-authentication is off')
    const before = await keycloak.clientScopes.listProtocolMappers(scope)
    await keycloak.clientScopes.addProtocolMapper(scope, ACR_MAPPER)
    for (const { id: mapperId, protocolMapper } of before) {
      if (protocolMapper === 'oidc-acr-mapper') await keycloak.clientScopes.delProtocolMapper({ ...scope, mapperId })
    }
  },

  '+ scope': (keycloak, realm, { rep }) => keycloak.clientScopes.create({ realm, ...rep }),

  '~ scope': (keycloak, realm, { rep, current }) => keycloak.clientScopes.update({ realm, id: current.id }, rep),

  '- scope': (keycloak, realm, { current }) => keycloak.clientScopes.del({ realm, id: current.id }),

  /** As docs/own-realm.sh, without the settings that are off. */
  '+ client': (keycloak, realm, { rep }, { folder }) => {
    const { clientId, secret = folder.secret(clientId, variables(rep)), attributes, protocolMappers = [] } = rep
    const time = rep.secret ? now() : folder.keptSecretTime(clientId)
    return keycloak.clients.create({
      realm,
      ...rep,
      secret,
      attributes: { ...withoutOff(attributes), [SECRET_TIME]: String(time) },
      protocolMappers: protocolMappers.map((mapper) => salted(mapper, folder.salt(clientId))),
    })
  },

  /** An update of a client leaves its scopes as they are, and removes the mappers that it does not name. */
  '~ client': async (keycloak, realm, { rep, current }, { ids, folder }) => {
    const client = { realm, id: current.id }
    const mapper = dataProviderMapper(current)
    const [wanted] = rep.protocolMappers ?? []
    const own = mapper && wanted ? { ...mapper, config: { ...mapper.config, ...wanted.config } } : wanted
    const others = current.protocolMappers?.filter((other) => other !== mapper) ?? []
    const protocolMappers = own ? [...others, mapper ? own : salted(own, folder.salt(rep.clientId))] : others
    const isNew = rep.secret && rep.secret !== current.secret
    const attributes = { ...rep.attributes, ...(isNew && { [SECRET_TIME]: String(now()) }) }
    await keycloak.clients.update(client, { ...rep, attributes, protocolMappers })
    // A scope that changes its type has to go first.
    const [before, after] = [assignments(current), assignments(rep)]
    for (const one of before.filter((each) => !after.includes(each))) await assign(keycloak, client, 'del', one, ids)
    for (const one of after.filter((each) => !before.includes(each))) await assign(keycloak, client, 'add', one, ids)
  },

  '- client': (keycloak, realm, { current }) => keycloak.clients.del({ realm, id: current.id }),
}

function now() {
  return Math.floor(Date.now() / 1000)
}

/** What the programs of a service provider need besides its secret. */
function variables({ redirectUris, optionalClientScopes }) {
  return redirectUris && { REDIRECT_URI: redirectUris[0], SCOPE: ['openid', ...optionalClientScopes].join(' ') }
}

function assignments({ defaultClientScopes, optionalClientScopes }) {
  const of = (type, names) => names.map((name) => `${type} ${name}`)
  return [...of('Default', defaultClientScopes), ...of('Optional', optionalClientScopes)]
}

function assign(keycloak, client, verb, assignment, ids) {
  const [type, name] = assignment.split(' ')
  return keycloak.clients[`${verb}${type}ClientScope`]({ ...client, clientScopeId: ids.get(name) })
}

function salted(mapper, salt) {
  return { ...mapper, config: { ...withoutOff(mapper.config), [SALT]: salt } }
}

function withoutOff(settings) {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== '' && value !== 'false'))
}
