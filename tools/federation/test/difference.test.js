import assert from 'node:assert/strict'
import { test } from 'node:test'
import { difference, removals } from '../src/difference.js'
import { OWN_REALM } from '../src/realm.js'
import { remarks } from '../src/remarks.js'
import { RIGHT, stored, wanted } from './support.js'

const inWords = (changes) => changes.map(({ sign, what, details }) => [`${sign} ${what}`, ...details].join('; '))
const nothing = { realm: undefined, actions: [], scopes: [], clients: [], flows: OWN_REALM }

/** @returns what apply would do in the realm of the right file, after a change of the file or of the realm */
function changes(edit = (yaml) => yaml, disturb = () => {}) {
  const current = stored(wanted())
  disturb(current)
  return inWords(difference(wanted(edit(RIGHT)), current))
}

test('on an empty server everything is created', () => {
  const all = inWords(difference(wanted(), nothing))
  assert.equal(all[0], '+ realm federation')
  assert.ok(all.includes('+ scope identity') && all.includes('+ scope water_bills'))
  assert.ok(all.includes('~ scope acr; tells the level of the login'))
  assert.ok(all.includes('+ client dp-water; keys: nothing -> https://water.example.org/jwks.json; scopes: nothing -> water_bills'))
  assert.equal(all.at(-1).split(';')[0], '+ client sp-town')
})

test('a realm that is as the file says needs no change', () => assert.deepEqual(changes(), []))

test('the order of lists and the white space of keys do not count', () => {
  assert.deepEqual(changes(undefined, ({ clients }) => {
    clients[2].optionalClientScopes.reverse()
    clients[1].attributes['jwks.string'] = JSON.stringify(JSON.parse(clients[1].attributes['jwks.string']), null, 2)
  }), [])
})

test('a change of the file is told in words', () => {
  assert.deepEqual(changes((yaml) => yaml
    .replace('Town hall', 'City hall')
    .replace('[given_name, water_bills]', '[given_name, gas_bills]')
    .replace('signature: RS256', 'auth-time: true\n    contact: keys@gas.example.org')), [
    '~ client dp-gas; signature: RS256 -> ES256; auth-time: nothing -> true; contact: nothing -> keys@gas.example.org',
    '~ client sp-town; name: Town hall -> City hall; scopes: given_name, water_bills -> gas_bills, given_name',
  ])
})

test('a change by hand is undone', () => {
  assert.deepEqual(changes(undefined, ({ clients }) => {
    clients[0].defaultClientScopes.push('profile')
    clients[2].attributes['pkce.code.challenge.method'] = ''
  }), [
    '~ client dp-water; scopes always given: identity, profile -> identity',
    '~ client sp-town; pkce: nothing -> S256',
  ])
})

test('a provider can change its kind', () => {
  const current = stored(wanted())
  current.clients[2].protocolMappers = current.clients[0].protocolMappers
  assert.deepEqual(inWords(difference(wanted(), current)), [
    '~ client sp-town; data provider: true -> nothing; signature: ES256 -> nothing'
      + '; key-encryption: RSA-OAEP-256 -> nothing; content-encryption: A256GCM -> nothing',
  ])
})

test('what the tool does not decide stays as it is', () => {
  assert.deepEqual(changes(undefined, ({ realm, clients }) => {
    Object.assign(realm, { displayName: 'Other', bruteForceProtected: false })
    Object.assign(clients[0], { enabled: false, clientAuthenticatorType: 'client-jwt' })
    clients[0].protocolMappers[0].config.pairwiseSubAlgorithmSalt = 'another'
  }), [])
})

test('levels are compared with those of the realm', () => {
  assert.deepEqual(changes((yaml) => `levels: { eidas1: 1, eidas2: 2 }\n${yaml}`),
    ['~ realm federation; levels: eidas1 1 -> eidas1 1, eidas2 2'])
})

test('another given secret is told without its value', () => {
  const yaml = RIGHT.replace('    signature: RS256', '    signature: RS256\n    secret: { env: GAS }')
  const of = (secret) => inWords(difference(wanted(yaml, { GAS: secret }), stored(wanted())))
  assert.deepEqual(of('secret-of-the-client-in-keycloak'), [])
  assert.deepEqual(of('another-secret-of-that-client'), ['~ client dp-gas; secret: another one is given'])
})

test('a kept secret that is not the one of the client is told without its value', () => {
  const yaml = RIGHT.replace('    signature: RS256', '    signature: RS256\n    secret: { env: GAS }')
  const federation = wanted(yaml, { GAS: 'another-secret-of-that-client' })
  const kept = ['dp-gas', 'sp-town'].map((id) => federation.folder.secret(id))
  const current = stored(federation)
  assert.deepEqual(remarks(federation, current), [
    'dp-gas.env has another secret than dp-gas. Correct or remove the file before it is handed over',
    'sp-town.env has another secret than sp-town. Correct or remove the file before it is handed over',
  ])
  // The given secret counts, even before it is in Keycloak; a client that is new gets the kept one.
  Object.assign(current.clients[1], { secret: kept[0] })
  Object.assign(current.clients[2], { secret: kept[1] })
  assert.deepEqual(remarks(federation, current).map((remark) => remark.split(' ')[0]), ['dp-gas.env'])
  assert.deepEqual(remarks(federation, nothing).map((remark) => remark.split(' ')[0]), ['dp-gas.env'])
})

test('what is gone from the file is removed only with the mark', () => {
  const current = stored(wanted())
  delete current.clients[1].attributes['checktoken.federation']
  current.clients.push({ clientId: 'account', attributes: {} })
  const without = { federation: wanted().federation, scopes: [], clients: [] }
  const gone = inWords(removals(without, current))
  assert.ok(gone.includes('- client dp-water') && gone.includes('- scope water_bills') && gone.includes('- scope identity'))
  assert.ok(!gone.includes('- client dp-gas') && !gone.includes('- client account'))
})

test('a client that was there before is taken over, and its missing salt is told', () => {
  const current = stored(wanted())
  const [client] = current.clients
  delete client.attributes['checktoken.federation']
  delete client.protocolMappers[0].config.pairwiseSubAlgorithmSalt
  client.protocolMappers.push({ name: 'audience', protocolMapper: 'oidc-audience-mapper', config: {} })
  assert.deepEqual(inWords(difference(wanted(), current)), ['~ client dp-water; is taken over: from now on the file decides'])
  assert.deepEqual(remarks(wanted(), current), [
    'dp-water has the mapper "audience", which is not from this file',
    'dp-water has no subject salt, and gets none, because all its subjects would change',
  ])
})

test('a data provider that signs people in with another sub than in its answers is told', () => {
  const current = stored(wanted())
  const [client] = current.clients
  client.standardFlowEnabled = true
  assert.deepEqual(inWords(difference(wanted(), current)), ['~ client dp-water; standard flow: true -> nothing'])
  assert.deepEqual(remarks(wanted(), current), [
    'dp-water signs people in with another sub than in its answers, and this file switches that off. To keep it, '
      + 'leave it out of the file, and give it the mapper "Pairwise subject identifier"',
  ])
  client.protocolMappers.push({ name: 'sub', protocolMapper: 'oidc-sha256-pairwise-sub-mapper', config: {} })
  assert.deepEqual(remarks(wanted(), current), ['dp-water has the mapper "sub", which is not from this file'])
})

test('a salt that is lost in Keycloak is a change if a copy is there, and is not printed', () => {
  const current = stored(wanted())
  const federation = wanted()
  const salt = federation.folder.salt('dp-water')
  for (const blank of [undefined, '', ' ']) {
    current.clients[0].protocolMappers[0].config.pairwiseSubAlgorithmSalt = blank
    const all = inWords(difference(federation, current))
    assert.deepEqual(all, ['~ client dp-water; subject salt: nothing -> the copy in dp-water.salt. '
      + 'Without it, all its subjects have changed; the copy brings the former ones back'])
    assert.ok(!all.join().includes(salt))
    assert.deepEqual(remarks(federation, current), [])
  }
})

test('a salt that differs from its copy is told, and stays', () => {
  const federation = wanted()
  federation.folder.salt('dp-water')
  const current = stored(federation)
  assert.deepEqual(difference(federation, current), [])
  assert.deepEqual(remarks(federation, current), [
    'dp-water has another subject salt than dp-water.salt. Its subjects stay as Keycloak has them. '
      + 'Correct the file or the mapper',
  ])
  current.clients[0].protocolMappers[0].config.pairwiseSubAlgorithmSalt = federation.folder.salt('dp-water')
  assert.deepEqual(remarks(federation, current), [])
})

test('a scope of every federation that was there before stays as it is', () => {
  assert.deepEqual(changes(undefined, ({ scopes }) => {
    const identity = scopes.find(({ name }) => name === 'identity')
    Object.assign(identity, { attributes: {}, protocolMappers: [], description: 'by hand' })
  }), [])
})

test('what a failed run has left out is made up for in a realm with the mark', () => {
  assert.deepEqual(changes(undefined, ({ realm }) => {
    realm.attributes['checktoken.federation'] = 'true'
  }), ['+ required action Configure PIN', '~ scope acr; tells the level of the login'])
})
