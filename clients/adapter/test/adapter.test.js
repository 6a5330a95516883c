import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { Adapter } from '../src/adapter.js'
import { settings } from '../src/settings.js'
import { key, kit, startPlatform } from '../../testkit/mock-node/platform.js'

const SECRET = 'gateway-secret-for-tests'
const token = (name) => kit.cases.find((found) => found.name === name).token
const BASIC = `Basic ${Buffer.from(`gateway:${SECRET}`).toString('base64')}`

/** @returns the platform, and a function that asks the adapter */
async function started(t, more = {}, given = undefined) {
  const platform = given ?? (await startPlatform())
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'))
  const file = (name, text) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const [{ client_id, client_secret }] = kit.clients
  const adapter = new Adapter(settings({
    REALM: platform.realm,
    CLIENT_ID: client_id,
    CLIENT_SECRET_FILE: file('secret', `${client_secret}\n`),
    PRIVATE_KEYS: file('key.json', JSON.stringify({ ...key('data-provider-RSA'), alg: 'RSA-OAEP-256' })),
    CALLERS_FILE: file('callers', `gateway:${SECRET}\n`),
    ...more,
  }))
  const path = join(folder, 'socket')
  await adapter.listen({ path })
  t.after(async () => {
    if (!given) platform.close()
    await adapter.close()
    rmSync(folder, { recursive: true })
  })
  const ask = (token, { authorization = BASIC, url = '/introspect', method = 'POST', form } = {}) =>
    new Promise((resolve, reject) => {
      const headers = { ...(authorization && { authorization }), 'content-type': 'application/x-www-form-urlencoded' }
      http.request({ socketPath: path, path: url, method, headers }, async (response) => {
        let body = ''
        for await (const chunk of response) body += chunk
        const json = response.headers['content-type'] === 'application/json'
        resolve({ status: response.statusCode, headers: response.headers, body: json ? JSON.parse(body) : body })
      }).on('error', reject).end(form ?? (token === undefined ? '' : new URLSearchParams({ token }).toString()))
    })
  return { platform, adapter, ask, socket: path }
}

test('answers each right case in plain JSON, and each wrong one with 503', async (t) => {
  const { ask } = await started(t, { BOUND_TOKENS: 'pass' })
  for (const { name, token, client, expect } of kit.cases.filter(({ client = 'dp-demo', http: sent }) => client === 'dp-demo' && !sent?.stall)) {
    const { status, body, headers } = await ask(token)
    assert.equal(headers['cache-control'], 'no-store')
    if (!expect) {
      assert.deepEqual([status, body.error, 'active' in body], [503, 'temporarily_unavailable', false], name)
      assert.ok(headers['retry-after'])
    } else if (expect.kind === 'inactive') assert.deepEqual([status, body], [200, { active: false }])
    else {
      assert.deepEqual([status, body.active, body.scope, body.cnf], [200, true, expect.scope.join(' '), expect.cnf], name)
      assert.equal(body.token_type, expect.cnf?.jkt ? 'DPoP' : 'Bearer')
      for (const [claim, value] of Object.entries(expect.claims ?? {})) assert.deepEqual(body[claim], value)
    }
  }
})

test('answers only callers that it knows', async (t) => {
  const { ask, platform } = await started(t)
  const basic = (pair) => `Basic ${Buffer.from(pair).toString('base64')}`
  for (const authorization of [null, 'Basic', 'Bearer x', basic('gateway:other'), basic(`other:${SECRET}`), basic(SECRET), `Digest ${SECRET}`]) {
    const { status, headers, body } = await ask(token('active'), { authorization })
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    assert.match(headers['www-authenticate'], /^Basic/)
  }
  assert.equal(platform.counts.calls, 0)
  assert.equal((await ask(token('active'), { authorization: `Bearer ${SECRET}` })).body.active, true)
})

test('refuses forms without one token', async (t) => {
  const { ask } = await started(t)
  assert.equal((await ask(undefined)).status, 400)
  assert.equal((await ask('')).status, 400)
  assert.equal((await ask(undefined, { form: 'token=a&token=b' })).status, 400)
  assert.deepEqual((await ask('not a token')).body, { active: false })
  assert.equal((await ask(undefined, { method: 'GET' })).status, 405)
  assert.equal((await ask('x', { url: '/other' })).status, 404)
  await assert.rejects(ask('x'.repeat(200_000)))
})

test('says 503 and never active when the platform is stopped, and tells it to health and meters', async (t) => {
  const { ask, platform } = await started(t)
  assert.equal((await ask(token('active'))).body.active, true)
  assert.deepEqual((await ask(undefined, { url: '/health', method: 'GET', authorization: null })).body, { status: 'up' })
  platform.close()
  const { status, body } = await ask(token('active'))
  assert.deepEqual([status, body], [503, { error: 'temporarily_unavailable', error_description: 'unreachable' }])
  const { body: meters } = await ask(undefined, { url: '/metrics', method: 'GET', authorization: null })
  assert.match(meters, /^checktoken_adapter_checks_total\{result="active"\} 1$/m)
  assert.match(meters, /^checktoken_adapter_checks_total\{result="failed",reason="unreachable"\} 1$/m)
  assert.match(meters, /^checktoken_adapter_check_seconds_count 2$/m)
})

test('tells its health to a container, whichever way it listens', async (t) => {
  const { socket, platform } = await started(t)
  const health = (LISTEN) => new Promise((resolve) =>
    execFile(process.execPath, ['src/health.js'], { env: { ...process.env, LISTEN } }, (error) => resolve(error?.code ?? 0)))
  assert.equal(await health(`unix:${socket}`), 0)
  assert.equal(await health('127.0.0.1:1'), 1)
  platform.close()
  const down = await started(t)
  down.platform.close()
  assert.equal(await health(`unix:${down.socket}`), 1)
})

test('is down if the platform cannot be reached', async (t) => {
  const { ask, platform } = await started(t)
  platform.close()
  const { status, body } = await ask(undefined, { url: '/health', method: 'GET', authorization: null })
  assert.deepEqual([status, body], [503, { status: 'down', reason: 'unreachable' }])
})

test('asks the platform each time, unless an administrator wants a cache', async (t) => {
  const { ask, platform } = await started(t)
  await ask(token('active'))
  await ask(token('active'))
  assert.equal(platform.counts.calls, 2)
  const cached = await started(t, { CACHE_SECONDS: '30' })
  await cached.ask(token('active'))
  assert.equal((await cached.ask(token('active'))).body.active, true)
  assert.equal(cached.platform.counts.calls, 1)
  await cached.ask('inactive')
  await cached.ask('inactive')
  assert.equal(cached.platform.counts.calls, 3)
})

test('refuses bound tokens, unless the gateway checks them', async (t) => {
  const { ask } = await started(t)
  for (const name of ['bound-to-a-key', 'bound-to-a-certificate', 'bound-in-an-unknown-way', 'machine-bound-to-a-key']) {
    assert.deepEqual((await ask(token(name))).body, { active: false }, name)
  }
  assert.equal((await ask(token('active'))).body.active, true)
  const passing = await started(t, { BOUND_TOKENS: 'pass' })
  assert.equal((await passing.ask(token('bound-to-a-key'))).body.token_type, 'DPoP')
})

test('gives nothing about a token that is no JWT with the jti of the answer', async (t) => {
  const { ask } = await started(t)
  for (const other of ['case.active', 'x', 'not.a.jwt', 'a.e30.b']) {
    const { status, body } = await ask(other)
    assert.deepEqual([status, body.error_description], [503, 'other-token'], other)
  }
})

test('prints nothing of a file or a value, and takes paths with spaces', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'my adapter '))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name))
  const jwk = JSON.stringify({ ...key('data-provider-RSA'), alg: 'RSA-OAEP-256' })
  const secret = file('secret', 'swordfish-in-a-file')
  const right = {
    REALM: 'https://login.example.org/realms/a', CLIENT_ID: 'dp', CLIENT_SECRET_FILE: secret, LISTEN: `unix:${join(folder, 'socket')}`,
    PRIVATE_KEYS: `${file('old key.json', jwk)} ${file('key.json', jwk)}`, CALLERS_FILE: file('callers', `gateway:${SECRET}`),
  }
  assert.equal(settings(right).client.privateKeys.length, 2)
  assert.equal(settings({ ...right, PRIVATE_KEYS: join(folder, 'old key.json') }).client.privateKeys.length, 1)
  const tell = (env) => new Promise((resolve) =>
    execFile(process.execPath, ['src/main.js'], { env: { PATH: process.env.PATH, ...right, ...env } }, (error, out, text) => resolve(text)))
  for (const [name, value, says] of [
    ['PRIVATE_KEYS', secret, /PRIVATE_KEYS names a file that has no JWK$/m],
    ['PRIVATE_KEYS', 'swordfish-as-a-path', /PRIVATE_KEYS names no file that can be read$/m],
    ['PRIVATE_KEYS', folder, /PRIVATE_KEYS names no file that can be read$/m],
    ['CLIENT_KEY_FILE', secret, /CLIENT_KEY_FILE names a file that has no JWK$/m],
    ['CLIENT_SECRET_FILE', 'swordfish-as-a-path', /CLIENT_SECRET_FILE names no file that can be read$/m],
    ['CALLERS_FILE', secret, /CALLERS_FILE has no lines/],
    ['TLS_CERT_FILE', secret, /tls cannot be used/],
    ['LISTEN_TLS_CERT_FILE', secret, /ERR_|look at the files/],
    ['BOUND_TOKENS', 'swordfish', /BOUND_TOKENS is neither refuse nor pass$/m],
    ['CONNECT_TO', 'http://swordfish.example', /configuration/],
  ]) {
    const text = await tell({ [name]: value })
    assert.match(text, says)
    assert.doesNotMatch(text, /swordfish/)
  }
})

test('connects to the address that it is given, and through the proxy of the environment', async (t) => {
  const platform = await startPlatform({ origin: 'https://platform.example' })
  t.after(() => (platform.close(), delete process.env.HTTPS_PROXY))
  const inside = await started(t, { REALM: platform.realm, CONNECT_TO: platform.address })
  assert.equal((await inside.ask(token('active'))).body.active, true)
  process.env.HTTPS_PROXY = 'http://user:swordfish@127.0.0.1:1'
  const logged = t.mock.method(console, 'error', () => {})
  const proxied = await started(t, { REALM: platform.realm })
  assert.equal((await proxied.ask(token('active'))).body.error_description, 'unreachable')
  assert.match(logged.mock.calls[0].arguments[0], /\(proxy: http:\/\/127\.0\.0\.1:1\)$/)
})

test('accepts no lie', async (t) => {
  const lies = Number(process.env.LIES ?? 60)
  const first = Number(process.env.SEED ?? Date.now() % 1_000_000_000)
  t.diagnostic(`from ${first}`)
  const platform = await startPlatform()
  t.after(() => platform.close())
  t.mock.method(console, 'error', () => {})
  for (let number = first; number < first + lies; number++) {
    const { adapter, ask } = await started(t, { REALM: `${platform.origin}/realms/lie-${number}` }, platform)
    const { status, body } = await ask(token('active'))
    const refused = status === 503 ? body.error_description !== 'defect' : body.active === false || body.scope !== 'tax_income'
    assert.ok(refused, `lie ${number}: ${status} ${JSON.stringify(body)}`)
    await adapter.close()
  }
})

test('listens to this machine only, and starts with no half of its settings', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  const right = { REALM: 'https://login.example.org/realms/a', CLIENT_ID: 'dp', PRIVATE_KEYS: file, CALLERS_FILE: join(folder, 'callers') }
  writeFileSync(file, '{}')
  writeFileSync(right.CALLERS_FILE, `gateway:${SECRET}`)
  assert.deepEqual(settings(right).listen, { host: '127.0.0.1', port: 8095 })
  assert.equal(settings(right).cacheSeconds, 0)
  assert.deepEqual(settings({ ...right, LISTEN: 'unix:/run/a' }).listen, { path: '/run/a' })
  for (const LISTEN of ['0.0.0.0:8095', '[::]:8095', '10.0.0.1:8095', 'example.org:1', '8095']) {
    assert.throws(() => settings({ ...right, LISTEN }), /LISTEN/)
  }
  assert.equal(settings({ ...right, LISTEN: '0.0.0.0:8095', ALLOW_OTHER_MACHINES: 'yes' }).listen.host, '0.0.0.0')
  for (const CACHE_SECONDS of ['-1', '61', 'x']) assert.throws(() => settings({ ...right, CACHE_SECONDS }), /CACHE_SECONDS/)
  writeFileSync(right.CALLERS_FILE, 'gateway:short')
  assert.throws(() => settings(right), /CALLERS_FILE/)
  assert.throws(() => settings({ ...right, CALLERS_FILE: undefined }), /CALLERS_FILE/)
})
