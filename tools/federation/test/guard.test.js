import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import test from 'node:test'
import { guardInWords, readGuard } from '../src/guard.js'
import { newRealm } from '../src/realm.js'

const FEDERATION = { realm: 'town' }

/** @returns the line about a realm with this attribute */
function line(attribute, guard) {
  const attributes = attribute ? { 'checktoken.login.gate': attribute } : {}
  return guardInWords(FEDERATION, { realm: 'town', attributes }, guard)
}

test('a new realm is to be guarded', () => {
  assert.equal(newRealm(FEDERATION).attributes['checktoken.login.gate'], 'on')
  assert.equal(guardInWords(FEDERATION, undefined, undefined),
    'Logins of realm town are to be guarded: its attribute checktoken.login.gate is on.')
})

test('what the server says counts more than the attribute', () => {
  assert.equal(line('on', { guarded: false, reason: 'server_off', methodsTold: false }),
    'Logins of realm town are not guarded: the server guards no realm, so amr and acr are not told.')
  assert.equal(line(undefined, { guarded: true, reason: 'used', methodsTold: true }),
    'Logins of realm town are guarded: it uses checktoken for its logins.')
  assert.equal(line('off', { guarded: false, reason: 'realm_off', methodsTold: true }),
    'Logins of realm town are not guarded: its attribute checktoken.login.gate is off, amr and acr are told all the same.')
})

test('a server that cannot guard says why', () => {
  assert.equal(line('on', { guarded: true, reason: 'realm_on', methodsTold: false, problem: 'Remove the option.' }),
    'Logins of realm town are refused, because this server cannot guard them: Remove the option.')
})

test('where the server says nothing, the attribute does', () => {
  assert.equal(line('on'), 'Logins of realm town are to be guarded: its attribute checktoken.login.gate is on.')
  assert.equal(line('off'), 'Logins of realm town are not to be guarded: its attribute checktoken.login.gate is off.')
  assert.match(line(undefined), /^Logins of realm town are guarded as the server decides: /)
})

test('the view is read with the token, and may be missing', async () => {
  const server = createServer(({ url, headers }, response) => {
    const isThere = url === '/admin/realms/a%20town/checktoken/guard' && headers.authorization === 'Bearer token'
    response.writeHead(isThere ? 200 : 404).end('{"guarded":true}')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const keycloak = { baseUrl: `http://127.0.0.1:${server.address().port}`, getAccessToken: async () => 'token' }
    assert.deepEqual(await readGuard(keycloak, 'a town'), { guarded: true })
    assert.equal(await readGuard(keycloak, 'other'), undefined)
  } finally {
    server.close()
  }
})
