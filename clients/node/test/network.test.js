import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { createRequire } from 'node:module'
import net from 'node:net'
import test from 'node:test'
import { inspect } from 'node:util'
import { CheckToken, CheckTokenError } from '../src/client.js'
import { proxyFor } from '../src/proxy.js'
import { metadataCases } from '../../testkit/mock-node/metadata.js'
import { startDeadAddress, startProxy } from '../../testkit/mock-node/networks.js'
import { SERVICE_PROVIDER, key, kit, settings, startPlatform, started, token } from './support.js'

const LIES = Number(process.env.LIES ?? 300)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000_000)
const ACTIVE = token('active')
const pem = `-----BEGIN CERTIFICATE-----\n${SERVICE_PROVIDER.x5c[0]}\n-----END CERTIFICATE-----\n`
const own = createPrivateKey({ key: SERVICE_PROVIDER, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' })
const tls = { cert: pem, key: own, ca: pem, checkServerIdentity: () => undefined }

/** @returns accepted, or why not; what is no CheckTokenError is thrown */
async function outcome(client, asked = ACTIVE) {
  try {
    return (await client.check(asked)).require('tax_income').person() && 'accepted'
  } catch (error) {
    if (!(error instanceof CheckTokenError)) throw error
    return error.reason
  }
}

async function trying(realm, more = {}) {
  const client = new CheckToken({ ...settings(realm), ...more })
  return outcome(client).finally(() => client.close())
}

for (const { name, expect, reason, or = [], hangs } of metadataCases) {
  test(`metadata: ${name}`, async (t) => {
    const platform = await startPlatform()
    t.after(() => platform.close())
    const begin = Date.now()
    const found = await trying(`${platform.origin}/realms/${name}`, { seconds: hangs ? 1 : 10 })
    assert.ok(expect ? found === 'accepted' : [reason, ...or].includes(found), found)
    assert.ok(Date.now() - begin < 2_000)
    assert.equal(platform.counts.elsewhere, 0)
  })
}

test('no lie is accepted, and each throws the one error', async (t) => {
  const platform = await startPlatform()
  t.after(() => platform.close())
  const reasons = {}
  for (let number = SEED; number < SEED + LIES; number++) {
    const found = await trying(`${platform.origin}/realms/lie-${number}`).catch((error) => assert.fail(`lie ${number}: ${inspect(error)}`))
    assert.notEqual(found, 'accepted', `lie ${number}`)
    reasons[found] = (reasons[found] ?? 0) + 1
  }
  t.diagnostic(`from ${SEED}: ${JSON.stringify(reasons)}`)
  assert.equal(platform.counts.elsewhere, 0)
  assert.ok(Object.keys(reasons).length > 8)
})

test('checks wait for their turn, and are refused as busy at the deadline', async (t) => {
  const platform = await startPlatform({ faults: ['slow'] })
  t.after(() => platform.close())
  let most = 0
  platform.server.on('connection', () => platform.server.getConnections((_, count) => (most = Math.max(most, count))))
  const atOnce = async (seconds) => {
    const client = new CheckToken({ ...settings(platform.realm), seconds })
    await outcome(client)
    const all = await Promise.all(Array.from({ length: 500 }, () => outcome(client)))
    client.close()
    return [...new Set(all)]
  }
  assert.deepEqual(await atOnce(60), ['accepted'])
  assert.ok(most <= 64, `${most} connections`)
  const found = await atOnce(0.4)
  assert.ok(found.includes('busy') && found.every((one) => ['accepted', 'busy', 'timeout'].includes(one)), `${found}`)
})

test('repeats a call once with a new assertion if a kept connection closes', async (t) => {
  const clientKey = key('data-provider-assertion')
  const { client, platform } = await started(t, { clientSecret: undefined, clientKey }, { faults: ['closes'] })
  // The platform takes each assertion once.
  for (let i = 0; i < 4; i++) assert.equal(await outcome(client), 'accepted')
  assert.ok(platform.counts.calls > 4, 'No connection was closed')
})

test('gives up after one repeat', async (t) => {
  let calls = 0
  const server = net.createServer((socket) => ((calls += 1), socket.on('error', () => {}).once('data', () => socket.destroy())))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  assert.equal(await trying(`http://127.0.0.1:${server.address().port}/realms/demo`), 'unreachable')
  assert.equal(calls, 2)
})

test('leaves out keys that it cannot read', async (t) => {
  const { client } = await started(t, {}, { faults: ['odd-keys'] })
  assert.equal(await outcome(client), 'accepted')
})

test('connects to the address that it is given; issuer and audience stay', async (t) => {
  const clientKey = key('data-provider-assertion')
  const platform = await startPlatform({ origin: 'https://platform.example' })
  t.after(() => platform.close())
  for (const connectTo of [platform.address, `${platform.address}/`]) {
    assert.equal(await trying(platform.realm, { connectTo, clientKey, clientSecret: undefined }), 'accepted')
  }
  assert.equal(await trying('https://platform.example/realms/endpoints-inside', { connectTo: platform.address }), 'accepted')
  for (const connectTo of ['http://inside.example', 'inside.example', 'https://inside.example/path', 'https://a@b', '', 'https://']) {
    assert.throws(() => new CheckToken({ ...settings(platform.realm), connectTo }), { reason: 'configuration' }, connectTo)
  }
})

test('goes through a forward proxy, and names it if that is not reached', async (t) => {
  const platform = await startPlatform({ tls: true, origin: 'https://platform.example' })
  const proxy = await startProxy(platform.port)
  t.after(() => (platform.close(), proxy.close(), delete process.env.https_proxy, delete process.env.NO_PROXY))
  const more = { tls, clientSecret: undefined }
  process.env.https_proxy = proxy.address.replace('//', '//user:p%40ss@')
  assert.equal(await trying(platform.realm, more), 'accepted')
  assert.deepEqual([...new Set(proxy.names)], ['platform.example:443'])
  assert.equal(proxy.authorizations[0], `Basic ${Buffer.from('user:p@ss').toString('base64')}`)

  proxy.close()
  const client = new CheckToken({ ...settings(platform.realm), ...more })
  const message = new RegExp(`\\(proxy: ${proxy.address}\\)$`)
  await assert.rejects(client.check(ACTIVE), (error) => error.reason === 'unreachable' && message.test(error.message) && !/p%40ss/.test(error.message))
  process.env.NO_PROXY = 'platform.example'
  const connections = proxy.names.length
  assert.equal(await trying(platform.realm, { ...more, seconds: 3, connectTo: platform.address.replace('127.0.0.1', 'localhost') }), 'unreachable')
  process.env.NO_PROXY = 'localhost,127.0.0.1'
  assert.equal(await trying(platform.realm, { ...more, connectTo: platform.address }), 'accepted')
  assert.equal(proxy.names.length, connections)
})

test('reads the environment as curl does', () => {
  const proxied = (address, env) => proxyFor(new URL(address), env)?.host
  const env = { HTTPS_PROXY: 'proxy.example:3128' }
  assert.equal(proxied('https://login.example.org', env), 'proxy.example:3128')
  assert.equal(proxied('https://login.example.org', { ...env, https_proxy: 'http://other.example:1' }), 'other.example:1')
  assert.equal(proxied('https://login.example.org', { ALL_PROXY: 'http://all.example:2' }), 'all.example:2')
  assert.equal(proxied('https://login.example.org', { HTTP_PROXY: 'http://http.example:2' }), undefined)
  for (const [no_proxy, direct] of [
    ['*', true], ['login.example.org', true], ['example.org', true], ['.example.org', true], ['*.example.org', true],
    ['a.example, example.org', true], ['login.example.org:443', true], ['login.example.org:8443', false], ['ample.org', false], ['', false], ['x.login.example.org', false],
  ]) {
    assert.equal(proxied('https://login.example.org', { ...env, no_proxy }) === undefined, direct, no_proxy)
  }
  assert.equal(proxied('https://[fd00::1]:8443', { ...env, no_proxy: 'fd00::1' }), undefined)
  assert.throws(() => proxied('https://a.example', { https_proxy: 'socks5://a:secret@b' }), (error) => error.reason === 'configuration' && !inspect(error).includes('secret'))
})

test('tries the next address if the first one swallows connections', { skip: process.platform !== 'linux' }, async (t) => {
  const platform = await startPlatform({ origin: 'https://platform.example:{port}', tls: true })
  const close = await startDeadAddress(platform.port)
  t.after(() => (close(), platform.close()))
  const lookup = (name, options, callback) => callback(null, ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 })))
  const begin = Date.now()
  assert.equal(await trying(platform.realm, { tls: { ...tls, lookup }, clientSecret: undefined, seconds: 3 }), 'accepted')
  assert.ok(Date.now() - begin < 2_000)
})

test('can be given a transport', async (t) => {
  const platform = await startPlatform({ tls: true })
  const { Agent } = await import('node:https')
  const agent = new Agent({ ...tls, keepAlive: true })
  t.after(() => platform.close())
  assert.equal(await trying(platform.realm, { agent }), 'accepted')
  assert.throws(() => new CheckToken({ ...settings(platform.realm), agent, tls }), { reason: 'configuration' })
})

test('takes a key of 8,192 bits', async (t) => {
  const large = createRequire(import.meta.url)('../../testkit/keys/large.json').keys[0]
  const { encrypt } = await import('../../testkit/mock-node/jose.js')
  const { AnswerReader } = await import('../src/reader.js')
  const reader = new AnswerReader({ privateKeys: [large], contentEncryption: ['A256GCM'], signature: ['ES256'] })
  const body = encrypt('a.b.c', { alg: large.alg, enc: 'A256GCM', cty: 'JWT', kid: large.kid }, large).join('.')
  await assert.rejects(reader.read({ headers: { 'content-type': 'application/token-introspection+jwt' }, body }), { reason: 'malformed' })
})

test('can be required', { skip: !process.features.require_module && 'needs Node 20.19' }, () => {
  const program = "const { CheckToken } = require('./src/client.js'); console.log(typeof CheckToken)"
  assert.equal(execFileSync(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] }).toString().trim(), 'function')
})
