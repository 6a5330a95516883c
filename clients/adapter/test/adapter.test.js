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
const BASIC = `Basic ${Buffer.from(`gateway:${SECRET}`).toString('base64')}`

/** @returns the platform, and a function that asks the adapter */
async function started(t, more = {}) {
  const platform = await startPlatform()
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
    platform.close()
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
  return { platform, ask, socket: path }
}

test('answers each right case in plain JSON, and each wrong one with 503', async (t) => {
  const { ask } = await started(t)
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
    const { status, headers, body } = await ask('case.active', { authorization })
    assert.deepEqual([status, body.error], [401, 'invalid_client'])
    assert.match(headers['www-authenticate'], /^Basic/)
  }
  assert.equal(platform.counts.calls, 0)
  assert.equal((await ask('case.active', { authorization: `Bearer ${SECRET}` })).body.active, true)
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
  assert.equal((await ask('case.active')).body.active, true)
  assert.deepEqual((await ask(undefined, { url: '/health', method: 'GET', authorization: null })).body, { status: 'up' })
  platform.close()
  const { status, body } = await ask('case.active')
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
  await ask('case.active')
  await ask('case.active')
  assert.equal(platform.counts.calls, 2)
  const cached = await started(t, { CACHE_SECONDS: '30' })
  await cached.ask('case.active')
  assert.equal((await cached.ask('case.active')).body.active, true)
  assert.equal(cached.platform.counts.calls, 1)
  await cached.ask('inactive')
  await cached.ask('inactive')
  assert.equal(cached.platform.counts.calls, 3)
})

test('refuses bound tokens for gateways that do not check them, if told so', async (t) => {
  const { ask } = await started(t, { BOUND_TOKENS: 'refuse' })
  assert.deepEqual((await ask('case.bound-to-a-key')).body, { active: false })
  assert.equal((await ask('case.active')).body.active, true)
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
