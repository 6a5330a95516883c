import assert from 'node:assert/strict'
import test from 'node:test'
import { inspect } from 'node:util'
import { CheckToken, CheckTokenError } from '../src/client.js'
import { proof } from './proof.js'
import { SERVICE_PROVIDER, key, settings, startPlatform, started, token } from './support.js'

const TOKEN = token('bound-to-a-key')
const refused = (reason) => (error) => error instanceof CheckTokenError && error.reason === reason
const certificate = Buffer.from(SERVICE_PROVIDER.x5c[0], 'base64')

for (const clientKey of [undefined, key('data-provider-assertion')]) {
  test(`authenticates with ${clientKey ? 'private_key_jwt' : 'a secret'}`, async (t) => {
    const { client } = await started(t, clientKey && { clientKey, clientSecret: undefined })
    assert.equal((await client.check(token('active'))).active, true)
    assert.equal((await client.check(token('active'))).active, true)
  })
}

test('authenticates with a certificate, and trusts only the authorities that it is given', async (t) => {
  const pem = `-----BEGIN CERTIFICATE-----\n${SERVICE_PROVIDER.x5c[0]}\n-----END CERTIFICATE-----\n`
  const { createPrivateKey } = await import('node:crypto')
  const own = createPrivateKey({ key: SERVICE_PROVIDER, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' })
  const tls = { cert: pem, key: own, ca: pem, checkServerIdentity: () => undefined }
  const { client, platform } = await started(t, { clientSecret: undefined, tls }, { tls: true })
  assert.equal((await client.check(token('active'))).active, true)
  const trusting = new CheckToken({ ...settings(platform.realm), clientSecret: undefined, tls: { cert: pem, key: own } })
  await assert.rejects(trusting.check(token('active')), refused('unreachable'))
})

test('says what to do if the credentials are wrong', async (t) => {
  const { client } = await started(t, { clientSecret: 'wrong-secret' })
  await assert.rejects(client.check(token('active')), refused('wrong-credentials'))
})

test('refuses settings that cannot work, or would send secrets to the open network', () => {
  const right = settings('https://login.example.org/realms/a')
  new CheckToken(right).close()
  const [privateKey] = right.privateKeys
  for (const wrong of [
    { realm: 'http://login.example.org/realms/a' }, { realm: undefined }, { clientId: '' }, { clientSecret: '' },
    { clientSecret: '', tls: { ca: 'authorities' } }, { signature: 'HS256' },
    { signature: 'none' }, { signature: ['ES256', 'none'] }, { privateKeys: [] }, { privateKeys: [{ ...privateKey, alg: undefined }] },
    { privateKeys: [{ kty: 'RSA', alg: 'RSA-OAEP-256', n: 'secret-number' }] },
  ]) {
    assert.throws(() => new CheckToken({ ...right, ...wrong }), (error) => refused('configuration')(error) && !inspect(error).includes('secret-number'))
  }
})

test('refuses what is no token without a call', async (t) => {
  const { client, platform } = await started(t)
  for (const wrong of ['', undefined, null, 1, {}, 'a b', 'a\n', 'é', 'a'.repeat(65537)]) {
    await assert.rejects(client.check(wrong), refused('no-token'))
  }
  assert.equal(platform.counts.calls, 0)
})

test('keeps metadata, keys and connections', async (t) => {
  const { client, platform } = await started(t)
  platform.server.keepAliveTimeout = 60_000
  let connections = 0
  platform.server.on('connection', () => (connections += 1))
  for (let i = 0; i < 20; i++) await client.check(token('active'))
  assert.equal(connections, 1)
  assert.equal(platform.counts.keys, 1)
  await Promise.all(Array.from({ length: 20 }, () => client.check(token('active'))))
  assert.equal(platform.counts.keys, 1)
})

test('loads the keys again for a new kid, once in some seconds', async (t) => {
  const { client, platform } = await started(t)
  await client.check(token('active'))
  const begin = Date.now()
  await client.check(token('active-new-key'))
  assert.equal(platform.counts.keys, 2)
  await Promise.all(Array.from({ length: 20 }, () => assert.rejects(client.check(token('kid-unknown')), refused('unknown-key'))))
  assert.ok(platform.counts.keys <= 2 + (Date.now() - begin) / 5000, `${platform.counts.keys} loads`)
  await client.check(token('active'))
})

test('repeats a call if the platform closes a kept connection', async (t) => {
  const { client, platform } = await started(t)
  await client.check(token('active'))
  platform.server.prependOnceListener('request', (request) => request.socket.destroy())
  assert.equal((await client.check(token('active'))).active, true)
})

test('waits neither for a stalled answer nor for Retry-After beyond its time', async (t) => {
  const { client, platform } = await started(t, { seconds: 0.9 })
  await assert.rejects(client.check(token('stalled')), refused('timeout'))
  await assert.rejects(client.check(token('active-after-503')), refused('unavailable'))
  assert.equal(platform.counts.calls, 2)
})

test('reads not more than its greatest size, also from a kept connection', async (t) => {
  const { client } = await started(t)
  await assert.rejects(client.check(token('too-large')), refused('too-large'))
  await client.check(token('active'))
  await assert.rejects(client.check(token('too-large')), refused('too-large'))
})

test('says that a stopped platform cannot be reached, and works when it is back', async (t) => {
  const { client, platform } = await started(t)
  await client.check(token('active'))
  platform.close()
  await assert.rejects(client.check(token('active')), refused('unreachable'))
  const { port } = new URL(platform.realm)
  const back = await startPlatform({ port: Number(port) })
  t.after(() => back.close())
  assert.equal((await client.check(token('active'))).active, true)
})

test('gives nothing about a bound token without each proof', async (t) => {
  const { client } = await started(t)
  const outcome = async (asked, request) => {
    const answer = await client.check(asked, request)
    assert.equal(answer.active, true)
    try {
      return answer.require('tax_income').clientId
    } catch (error) {
      return error.reason
    }
  }
  const bound = async (more) => outcome(TOKEN, { dpop: await proof(TOKEN, more) })
  assert.equal(await bound(), 'sp-town')
  const { d: _, ...publicPart } = SERVICE_PROVIDER
  for (const wrong of [
    { method: 'POST' }, { url: 'https://dp.example.org/other' }, { url: 'not a url' }, { proof: 'x' }, { proof: undefined },
    { claims: { ath: 'other' } }, { claims: { jti: undefined } }, { claims: { iat: undefined } }, { claims: { iat: 1 } },
    { claims: { htm: undefined } }, { claims: { htu: 'https://evil.example.org/income' } },
    { header: { typ: 'JWT' } }, { header: { jwk: SERVICE_PROVIDER } }, { key: key('foreign-ES256') },
    { key: key('foreign-ES256'), header: { jwk: publicPart } },
  ]) {
    assert.equal(await bound(wrong).catch((error) => error.code ?? error.reason), 'not-proven', inspect(wrong))
  }
  const once = await proof(TOKEN)
  assert.equal(await outcome(TOKEN, { dpop: once }), 'sp-town')
  assert.equal(await outcome(TOKEN, { dpop: once }), 'not-proven')
  assert.equal(await outcome(TOKEN, {}), 'not-proven')
  assert.equal(await outcome(TOKEN, { certificate }), 'not-proven')

  const byCertificate = token('bound-to-a-certificate')
  assert.equal(await outcome(byCertificate, { certificate }), 'sp-town')
  assert.equal(await outcome(byCertificate, {}), 'not-proven')
  assert.equal(await outcome(byCertificate, { certificate: Buffer.from(key('foreign-ES256').x5c[0], 'base64') }), 'not-proven')
  assert.equal(await outcome(byCertificate, { certificate: 'no certificate' }), 'not-proven')
  const both = token('bound-to-both')
  assert.equal(await outcome(both, { certificate, dpop: await proof(both) }), 'sp-town')
  assert.equal(await outcome(both, { certificate }), 'not-proven')
  assert.equal(await outcome(both, { dpop: await proof(both) }), 'not-proven')
  assert.equal(await outcome(token('bound-in-an-unknown-way'), { certificate }), 'not-proven')
  assert.equal(await outcome(token('active'), { dpop: await proof(token('active')) }), 'not-proven', 'a proof for a token that is not bound')
  assert.equal(await outcome(token('active'), { certificate }), 'sp-town')
})

test('shows no secret when it is printed', async (t) => {
  const { client } = await started(t)
  await client.check(token('active'))
  assert.doesNotMatch(inspect(client, { showHidden: true, depth: 20 }) + JSON.stringify(client), /published|eyJ/)
})
