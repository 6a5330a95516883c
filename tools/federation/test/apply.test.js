import assert from 'node:assert/strict'
import { readFileSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apply } from '../src/apply.js'
import { difference, removals } from '../src/difference.js'
import { atOnce, reason } from '../src/keycloak.js'
import { SecretFolder } from '../src/secrets.js'
import { newFolder, RIGHT, stored, wanted } from './support.js'

const SALT = 'pairwiseSubAlgorithmSalt'

function folder() {
  return new SecretFolder(join(newFolder(), 'secrets'), 'https://login.example.org/realms/federation')
}

/** Keeps what it is asked to do. */
function recorder(current) {
  const calls = []
  const recorded = (resource, answers) => new Proxy({}, {
    get: (_, name) => async (...args) => {
      calls.push([`${resource}.${name}`, ...args])
      return answers[name]
    },
  })
  return {
    calls,
    realms: recorded('realms', { findOne: current.realm }),
    clients: recorded('clients', {}),
    authenticationManagement: recorded('actions', {}),
    clientScopes: recorded('scopes', {
      find: [...current.scopes, { id: 'scope-acr', name: 'acr' }, { id: 'scope-basic', name: 'basic' }, { id: 'scope-profile', name: 'profile' }],
      listProtocolMappers: [{ id: 'old', protocolMapper: 'oidc-acr-mapper' }],
    }),
  }
}

test('a realm comes before its scopes, and these before the clients that use them', async () => {
  const keycloak = recorder({ scopes: [] })
  const changes = difference(wanted(), { actions: [], scopes: [], clients: [] })
  assert.deepEqual(await apply(keycloak, 'federation', changes, folder()), [])
  const names = keycloak.calls.map(([name]) => name)
  assert.equal(names[0], 'realms.create')
  assert.ok(names.lastIndexOf('scopes.create') < names.indexOf('clients.create'))
  assert.equal(names.filter((name) => name === 'clients.create').length, 3)
  assert.ok(names.includes('actions.registerRequiredAction') && names.includes('scopes.delProtocolMapper'))
})

test('a new client gets a secret and a salt that are kept in files which only the owner can read', async () => {
  const secrets = folder()
  const keycloak = recorder({ scopes: [] })
  await apply(keycloak, 'federation', difference(wanted(), { actions: [], scopes: [], clients: [] }), secrets)
  const [, rep] = keycloak.calls.find(([name, { clientId }]) => name === 'clients.create' && clientId === 'dp-water')
  assert.match(rep.secret, /^[\w-]{40}$/)
  assert.match(rep.protocolMappers[0].config[SALT], /^[\w-]{40}$/)
  assert.ok(!('jwks.string' in rep.attributes) && !('auth.time.disclosed' in rep.protocolMappers[0].config))
  assert.equal(readFileSync(join(secrets.path, 'dp-water.env'), 'utf8'), `export REALM='https://login.example.org/realms/federation'
export CLIENT_ID='dp-water'
export CLIENT_SECRET='${rep.secret}'
`)
  assert.match(readFileSync(join(secrets.path, 'sp-town.env'), 'utf8'),
    /^export REDIRECT_URI='https:\/\/town\.example\.org\/callback'\nexport SCOPE='openid .*water_bills.*'$/m)
  assert.equal(readFileSync(join(secrets.path, 'dp-water.salt'), 'utf8').trim(), rep.protocolMappers[0].config[SALT])
  assert.equal(statSync(join(secrets.path, 'dp-water.env')).mode & 0o777, 0o600)
  assert.equal(statSync(join(secrets.path, 'dp-water.salt')).mode & 0o777, 0o600)
  assert.equal(statSync(secrets.path).mode & 0o777, 0o700)
})

test('a client that is created again has its old secret and salt', () => {
  const secrets = folder()
  const [secret, salt] = [secrets.secret('dp-water'), secrets.salt('dp-water')]
  const later = new SecretFolder(secrets.path, secrets.realmUrl)
  assert.deepEqual([later.secret('dp-water'), later.salt('dp-water')], [secret, salt])
  assert.notEqual(secrets.salt('dp-gas'), salt)
})

test('a given secret is in no file', async () => {
  const secrets = folder()
  const keycloak = recorder({ scopes: [] })
  const yaml = RIGHT.replace('    signature: RS256', '    secret: { env: GAS }')
  const changes = difference(wanted(yaml, { GAS: '0123456789012345678901' }), { actions: [], scopes: [], clients: [] })
  await apply(keycloak, 'federation', changes, secrets)
  const [, rep] = keycloak.calls.find(([name, { clientId }]) => name === 'clients.create' && clientId === 'dp-gas')
  assert.equal(rep.secret, '0123456789012345678901')
  assert.throws(() => statSync(join(secrets.path, 'dp-gas.env')), { code: 'ENOENT' })
})

/** Keycloak warns of a secret that is older than a year, if it knows its age. */
test('a client that is created says when its secret was made', async () => {
  const secrets = folder()
  secrets.secret('dp-water')
  utimesSync(join(secrets.path, 'dp-water.env'), 1_700_000_000, 1_700_000_000)
  const keycloak = recorder({ scopes: [] })
  const yaml = RIGHT.replace('    signature: RS256', '    secret: { env: GAS }')
  const changes = difference(wanted(yaml, { GAS: '0123456789012345678901' }), { actions: [], scopes: [], clients: [] })
  const before = Math.floor(Date.now() / 1000)
  await apply(keycloak, 'federation', changes, secrets)
  const time = (id) => keycloak.calls.find(([name, { clientId }]) => name === 'clients.create' && clientId === id)[1]
    .attributes['client.secret.creation.time']
  assert.equal(time('dp-water'), '1700000000')
  for (const id of ['dp-gas', 'sp-town']) assert.ok(Math.abs(time(id) - before) < 10, `${id}: ${time(id)}`)
})

test('a client says when its given secret was changed, and no other change touches that time', async () => {
  const yaml = RIGHT.replace('    signature: RS256', '    signature: RS256\n    secret: { env: GAS }')
  const time = async (secret) => {
    const keycloak = recorder(stored(wanted()))
    const federation = wanted(yaml.replace('Water supplier', 'Water').replace('Gas supplier', 'Gas'), { GAS: secret })
    await apply(keycloak, 'federation', difference(federation, stored(wanted())), folder())
    const updates = keycloak.calls.filter(([name]) => name === 'clients.update').map(([, , rep]) => rep)
    assert.ok(!('client.secret.creation.time' in updates.find(({ clientId }) => clientId === 'dp-water').attributes))
    return updates.find(({ clientId }) => clientId === 'dp-gas').attributes['client.secret.creation.time']
  }
  assert.ok(Math.abs(await time('another-secret-of-that-client') - Date.now() / 1000) < 10)
  assert.equal(await time('secret-of-the-client-in-keycloak'), undefined)
})

test('an update keeps the salt, the secret and the mappers of others, and removes a scope before it adds one', async () => {
  const current = stored(wanted())
  const water = current.clients[0]
  water.protocolMappers.push({ id: 'other', name: 'audience', protocolMapper: 'oidc-audience-mapper', config: {} })
  water.defaultClientScopes = ['water_bills', 'profile']
  water.optionalClientScopes = ['identity']
  const keycloak = recorder(current)
  const secrets = folder()
  const changes = difference(wanted(RIGHT.replace('Water supplier', 'Water')), current)
  assert.deepEqual(await apply(keycloak, 'federation', changes, secrets), [])
  const [, , rep] = keycloak.calls.find(([name]) => name === 'clients.update')
  assert.equal(rep.name, 'Water')
  assert.ok(!('secret' in rep))
  assert.deepEqual(rep.protocolMappers.map(({ id, config }) => [id, config[SALT]]), [['other', undefined], ['mapper-0', 'salt']])
  assert.deepEqual(keycloak.calls.map(([name, { clientScopeId }]) => [name, clientScopeId]).slice(-5), [
    ['clients.delDefaultClientScope', id(current, 'water_bills')],
    ['clients.delDefaultClientScope', 'scope-profile'],
    ['clients.delOptionalClientScope', id(current, 'identity')],
    ['clients.addDefaultClientScope', id(current, 'identity')],
    ['clients.addOptionalClientScope', id(current, 'water_bills')],
  ])
  assert.throws(() => statSync(secrets.path), { code: 'ENOENT' })
})

test('a lost salt comes back from its copy', async () => {
  const current = stored(wanted())
  const { config } = current.clients[0].protocolMappers[0]
  Object.assign(config, { [SALT]: '', other: 'stays' })
  const keycloak = recorder(current)
  const federation = wanted()
  const salt = federation.folder.salt('dp-water')
  await apply(keycloak, 'federation', difference(federation, current), federation.folder)
  const [, , rep] = keycloak.calls.find(([name]) => name === 'clients.update')
  assert.deepEqual(rep.protocolMappers.map((mapper) => mapper.config), [{ ...config, [SALT]: salt }])
})

test('a data provider that becomes a service provider loses its mapper', async () => {
  const current = stored(wanted())
  current.clients[2].protocolMappers = current.clients[0].protocolMappers
  const keycloak = recorder(current)
  await apply(keycloak, 'federation', difference(wanted(), current), folder())
  assert.deepEqual(keycloak.calls.find(([name]) => name === 'clients.update')[2].protocolMappers, [])
})

test('an update of the levels keeps the other attributes of the realm', async () => {
  const current = stored(wanted())
  current.realm.attributes.other = 'stays'
  const keycloak = recorder(current)
  await apply(keycloak, 'federation', difference(wanted(`levels: { eidas1: 1, eidas2: 2 }\n${RIGHT}`), current), folder())
  const [, , { attributes }] = keycloak.calls.find(([name]) => name === 'realms.update')
  assert.deepEqual(attributes, { other: 'stays', 'acr.loa.map': '{"eidas1":1,"eidas2":2}' })
})

test('one failure does not stop the others of its step, but the next steps', async () => {
  const keycloak = recorder({ scopes: [] })
  keycloak.clientScopes.create = undefined
  keycloak.clientScopes = {
    find: async () => [],
    create: async ({ name }) => {
      if (name === 'water_bills') throw new Error('refused')
    },
  }
  const failed = await apply(keycloak, 'federation', difference(wanted(), { actions: [], scopes: [], clients: [] }), folder())
  assert.deepEqual(failed.map(([{ what }, { message }]) => [what, message]), [['scope water_bills', 'refused']])
  assert.ok(!keycloak.calls.some(([name]) => name === 'clients.create'))
})

test('a client is removed before its scopes', async () => {
  const current = stored(wanted())
  const keycloak = recorder(current)
  const none = { federation: wanted().federation, scopes: [], clients: [] }
  assert.deepEqual(await apply(keycloak, 'federation', removals(none, current), folder()), [])
  const names = keycloak.calls.map(([name]) => name)
  assert.ok(names.lastIndexOf('clients.del') < names.indexOf('scopes.del'), names.join())
})

test('at most eight are worked on at the same time', async () => {
  let [now, most] = [0, 0]
  await atOnce(Array.from({ length: 50 }), async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setTimeout(resolve, 1))
    now--
  })
  assert.equal(most, 8)
})

test("Keycloak's reason is told with the path", () => {
  const response = { status: 409, url: 'http://localhost:8080/admin/realms/federation/clients' }
  assert.equal(reason(Object.assign(new Error(), { response, responseData: { errorMessage: 'Client dp exists' } })),
    'Keycloak answers 409 (Client dp exists) at /admin/realms/federation/clients')
})

function id({ scopes }, name) {
  return scopes.find((scope) => scope.name === name).id
}
