import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { readFederation } from '../src/federation.js'
import { PUBLIC_KEY, RIGHT, written } from './support.js'

/** @returns the errors without the path of the file, each as `line: text` */
function errors(yaml, variables = {}, key = undefined) {
  const path = written(yaml, key)
  return readFederation(path, variables).errors.map((error) => error.replace(`${path}:`, '').replaceAll(dirname(path), '…'))
}

const change = (text, other) => {
  assert.ok(RIGHT.includes(text), text)
  return RIGHT.replace(text, other)
}

test('a file without mistakes has no errors', () => assert.deepEqual(errors(RIGHT), []))

const WRONG = {
  'unknown setting': ['    name: Gas supplier', '    nam: Gas supplier',
    '11: nam: is not a setting of dp-gas. Is name meant?',
    '10: data provider dp-gas has no name in plain words, which pages and mails show'],
  'unknown part of the file': ['realm:', 'levls: {}\nrealm:', /^1: levls: is not a setting of .*\. Is levels meant\?$/],
  'misspelt scope of a service provider': ['[given_name, water_bills]', '[given_name, water_bils]',
    '19: service provider sp-town: scope water_bils is unknown. Is water_bills meant?'],
  'misspelt scope of a data provider': ['[gas_bills]', '[gas_bill]',
    '4: scope gas_bills has no data provider that is responsible for it',
    '13: data provider dp-gas: scope gas_bill is unknown. Is gas_bills meant?'],
  'two data providers with one id': ['  dp-gas:', '  dp-water:', '10: the same name is there twice',
    '3: scope water_bills has no data provider that is responsible for it'],
  'a data and a service provider with one id': ['  sp-town:', '  dp-gas:',
    '16: service provider dp-gas has the id of line 10'],
  'no key': ['    keys: gas.json\n', '', '10: data provider dp-gas has no keys, so its answers cannot be encrypted'],
  'no scope': ['[gas_bills]', '[]', '4: scope gas_bills has no data provider that is responsible for it',
    '10: data provider dp-gas is responsible for no scope'],
  'http address of a key': ['https://water', 'http://water',
    '8: data provider dp-water: the address of its keys has no https: somebody on the network could put another key there'],
  'no address of a key': ['https://water.example.org/jwks.json', 'https://', '8: data provider dp-water: the address of its keys is not an address'],
  'password in an address': ['https://water.', 'https://me:pw@water.', '8: data provider dp-water: the address of its keys has a user name or password'],
  'file of a key that is not there': ['gas.json', 'oil.json', '12: data provider dp-gas: …/oil.json cannot be read (ENOENT)'],
  'redirect address with a wildcard': ['/callback]', '/*]',
    '18: service provider sp-town: https://town.example.org/* must be the exact address, without * and #'],
  'redirect address without https': ['[https://town', '[http://town', '18: service provider sp-town: http://town.example.org/callback must begin with https://'],
  'redirect address that is none': ['[https://town.example.org/callback]', '[town]', '18: service provider sp-town: town is not an address'],
  'no redirect address': ['    redirect-uris: [https://town.example.org/callback]\n', '',
    '16: service provider sp-town has no redirect-uris, where people come back to'],
  'unknown algorithm': ['signature: RS256', 'signature: HS256', /^14: signature: cannot be HS256\. Is ES256 meant\? \(ES256, RS256, /],
  'key that does not fit': ['signature: RS256', 'key-encryption: ECDH-ES', '12: data provider dp-gas: gas.json has no public key for ECDH-ES'],
  'unknown level': ['level: eidas1', 'level: eidas2', '20: service provider sp-town: level cannot be eidas2. Is eidas1 meant? (eidas1)'],
  'level that is no number': ['scopes:\n', 'levels: { eidas1: high }\nscopes:\n', '2: level eidas1 must be a number from 1 on'],
  'scope of two data providers': ['[gas_bills]', '[gas_bills, water_bills]',
    '13: data provider dp-gas: data provider dp-water is responsible for scope water_bills already'],
  'scope of the realm': ['  gas_bills:', '  identity:', '4: scope identity belongs to the realm. Take another name',
    '4: scope identity has no data provider that is responsible for it',
    '13: data provider dp-gas: scope gas_bills is unknown'],
  "Keycloak's own client": ['  sp-town:', '  account:', '16: service provider account: Keycloak itself has a client of that id'],
  'no realm': ['realm: federation\n', '', '1: realm is missing'],
  'no list': ['[gas_bills]', 'gas_bills', '4: scope gas_bills has no data provider that is responsible for it',
    '13: scopes: must be a list of texts, such as [a, b]'],
}

for (const [name, [text, other, ...expected]] of Object.entries(WRONG)) {
  test(`${name} is an error with its line`, () => {
    const found = errors(change(text, other))
    assert.equal(found.length, expected.length, found.join('\n'))
    for (const one of expected) {
      assert.ok(found.some((error) => typeof one === 'string' ? error === one : one.test(error)), found.join('\n'))
    }
  })
}

test('the address of a key may be http on this machine', () => {
  assert.deepEqual(errors(RIGHT.replace('https://water.example.org', 'http://127.0.0.1:8010')), [])
})

test('all errors are reported at once, in the order of the file', () => {
  const yaml = RIGHT.replace('https://water', 'http://water').replace('RS256', 'none').replace('/callback', '/*')
  assert.deepEqual(errors(yaml).map((error) => error.split(':')[0]), ['8', '14', '18'])
})

test('text that is not YAML is an error with its line', () => assert.match(errors('realm: [a\nb: c')[0], /^2: /))

test('a key that is private, too short or only for signatures is an error', () => {
  assert.deepEqual(errors(RIGHT, {}, { ...PUBLIC_KEY, d: 'private' }),
    ['12: data provider dp-gas: gas.json holds a private key. Keycloak needs the public key alone'])
  for (const key of [{ ...PUBLIC_KEY, n: 'x'.repeat(100) }, { ...PUBLIC_KEY, use: 'sig' }, { ...PUBLIC_KEY, alg: 'RSA-OAEP' }]) {
    assert.deepEqual(errors(RIGHT, {}, key), ['12: data provider dp-gas: gas.json has no public key for RSA-OAEP-256'])
  }
})

test('a secret in the file is an error that does not repeat it', () => {
  for (const value of ['correct-horse-battery-staple', '[correct-horse-battery-staple]', '{ value: correct-horse-battery-staple }']) {
    const found = errors(change('    signature: RS256', `    secret: ${value}`))
    assert.equal(found[0], '14: secret: a secret must not be in this file. Write { env: NAME } or { file: PATH }')
    assert.ok(!found.join().includes('horse'))
  }
})

test('a secret that is not given, or short, is an error that does not repeat it', () => {
  const yaml = change('    signature: RS256', '    secret: { env: GAS }')
  assert.deepEqual(errors(yaml), ['14: data provider dp-gas: the variable GAS of its secret is not set'])
  assert.deepEqual(errors(yaml, { GAS: 'short' }), ['14: data provider dp-gas: its secret has fewer than 22 characters'])
  assert.deepEqual(errors(yaml, { GAS: '0123456789012345678901' }), [])
  assert.deepEqual(errors(yaml.replace('env: GAS', 'file: gas')), ['14: data provider dp-gas: gas has no secret'])
})

test('a file beside the federation file can have the secret', () => {
  const path = written(change('    signature: RS256', '    secret: { file: gas.secret }'))
  writeFileSync(join(dirname(path), 'gas.secret'), '0123456789012345678901\n')
  assert.equal(readFederation(path, {}).dataProviders[1].given, '0123456789012345678901')
})
