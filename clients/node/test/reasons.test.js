import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { CheckToken, CheckTokenError } from '../src/client.js'
import { kit, settings, started, token } from './support.js'

const OWN = ['configuration', 'no-token', 'inactive', 'machine', 'not-proven', 'insufficient-scope']
const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const file = read('node/src/reasons.properties')

test('the libraries give the same reasons', () => {
  assert.equal(read('python/checktoken_client/reasons.properties'), file)
  assert.equal(read('java/src/main/resources/io/github/checktoken/client/reasons.properties'), file)
})

test('each reason of the test kit, and no other, has a status and says what to do', () => {
  const reasons = [...file.matchAll(/^([a-z-]+)=\d/gm)].map(([, reason]) => reason)
  assert.deepEqual(reasons.toSorted(), [...OWN, ...Object.keys(kit.reasons)].toSorted())
  for (const reason of reasons) {
    const { status, message } = new CheckTokenError(reason)
    assert.ok([401, 403, 503].includes(status), reason)
    assert.match(message, new RegExp(`^${reason}: .+\\.$`))
  }
})

test('each library and the adapter have each rule, and each case of the kit proves one', () => {
  const [, table] = /^\| Rule (.+?)\n\n/ms.exec(read('README.md'))
  const rows = table.split('\n').slice(2).map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()))
  assert.ok(rows.every((row) => row.length === 7 && row.every(Boolean)), 'A cell is empty')
  const rules = rows.map(([rule]) => rule)
  for (const { name, rule } of ['metadata', 'network'].flatMap((file) => JSON.parse(read(`testkit/${file}.json`)).cases)) {
    assert.ok(rules.includes(rule) || name === 'metadata-right', name)
  }
})

test('wrong settings say what to correct', () => {
  const right = settings('https://login.example.org/realms/a')
  const [{ alg, ...withoutAlg }] = right.privateKeys
  const { kty, n, e } = withoutAlg
  const isPublic = 'A key is public, or no JWK: give the private JWK.'
  const set = 'This is a JWK Set: give each of its keys.'
  const keys = right.privateKeys
  for (const [wrong, detail] of [
    [{ realm: 'http://login.example.org/realms/a' }, 'The realm, and the address to connect to, must be https (http only to this machine).'],
    [{ realm: 'login.example.org/realms/a' }, 'The realm, and the address to connect to, must be https (http only to this machine).'],
    [{ privateKeys: [withoutAlg] }, 'A private key has no alg: add the agreed one, such as RSA-OAEP-256.'],
    [{ privateKeys: [{ kty, n, e, alg }] }, isPublic], [{ clientKey: { kty, n, e, alg } }, isPublic], [{ privateKeys: [null] }, isPublic],
    [{ privateKeys: { keys } }, set], [{ privateKeys: [{ keys }] }, set], [{ clientKey: { keys } }, set],
    [{ clientSecret: '' }, 'Give a client_id, a private key, and one way to authenticate.'],
    [{ privateKeys: 'file' }, 'privateKeys is no list of JWKs.'],
  ]) {
    const message = `configuration: Correct your settings. ${detail}`
    assert.throws(() => new CheckToken({ ...right, ...wrong }), { reason: 'configuration', message })
  }
})

test('a status is told after the text, and 429 is no matter of the JWK Set', async (t) => {
  const { client } = await started(t, { clientSecret: 'wrong' })
  const { message } = await client.check(token('active')).catch((error) => error)
  assert.ok(message.endsWith('Stop, and ask its administrator for the right ones. (status-401: Client authentication failed.)'), message)
  const unavailable = 'unavailable: The platform cannot answer now. Try again later; if it lasts, tell its administrator.'
  const detail = 'There were too many calls or guesses, for the platform or a proxy: wait as Retry-After says.'
  const right = await started(t)
  await assert.rejects(right.client.check(token('too-many-requests')), { reason: 'unavailable', message: `${unavailable} ${detail} (status-429)` })
  const answer = await right.client.check(token('active'))
  const scope = 'insufficient-scope: The token lacks a scope. Answer 403 with WWW-Authenticate: Bearer error="insufficient_scope". (other more)'
  assert.throws(() => answer.require('other', 'more'), { message: scope })
})
