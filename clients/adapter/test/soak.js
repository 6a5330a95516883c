import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { key, kit } from '../../testkit/mock-node/platform.js'

/** A day of 5 calls a second in 20 minutes: npm run soak. Needs Linux, for the number of sockets. */
const CALLS = Number(process.env.CALLS ?? 432_000)
const SECONDS = Number(process.env.SECONDS ?? 1_200)
const CALLERS = 16
/** From the second quarter to the last. A leak of 100 bytes a call would be 22 MB. */
const MEGABYTES = 8
/** Each caller has a connection, and each call one to the platform; the others are those of the program itself. */
const SOCKETS = 2 * CALLERS + 8
const SECRET = 'gateway-secret-for-tests'
const token = (name) => kit.cases.find((found) => found.name === name).token
/** What the adapter has to answer to each: active, inactive, or nothing that can be trusted. */
const ANSWERS = { [token('active')]: true, [token('machine')]: true, [token('bound-to-a-key')]: false, [token('inactive')]: false, unknown: false, [token('wrong-issuer')]: undefined }
const TOKENS = [...Array(5).fill(token('active')), ...Object.keys(ANSWERS)]

test(`does not grow in ${CALLS} calls, and answers 503 when the platform has stopped`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  const file = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name))
  const platform = await started(t, '../testkit/mock-node/main.js', { PORT: '0' }, 'stdout', /^Realm: (.+)/)
  const [{ client_id: CLIENT_ID, client_secret }] = kit.clients
  const socketPath = join(folder, 'socket')
  const adapter = await started(t, 'src/main.js', {
    REALM: platform.found,
    CLIENT_ID,
    CLIENT_SECRET_FILE: file('secret', client_secret),
    PRIVATE_KEYS: file('key.json', JSON.stringify({ ...key('data-provider-RSA'), alg: 'RSA-OAEP-256' })),
    CALLERS_FILE: file('callers', `gateway:${SECRET}`),
    LISTEN: `unix:${socketPath}`,
  }, 'stderr', /^Listening on (.+)/)
  const agent = new http.Agent({ keepAlive: true, maxSockets: CALLERS })
  t.after(() => (agent.destroy(), rmSync(folder, { recursive: true })))
  const send = async (method, path, form) => {
    const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/x-www-form-urlencoded' }
    const [response] = await once(http.request({ agent, socketPath, method, path, headers }).end(form), 'response')
    let body = ''
    for await (const chunk of response) body += chunk
    return { status: response.statusCode, body }
  }
  const check = async (token) => {
    const { status, body } = await send('POST', '/introspect', `token=${token}`)
    assert.ok([200, 503].includes(status), `${status} ${body}`)
    return JSON.parse(body).active
  }
  const state = async () => {
    const { body } = await send('GET', '/metrics')
    return { bytes: Number(/^checktoken_adapter_resident_memory_bytes (\d+)/m.exec(body)[1]), sockets: sockets(adapter.process.pid) }
  }

  const begin = performance.now()
  const progress = () => (performance.now() - begin) / (SECONDS * 1000)
  const states = [[], [], [], []]
  let next = 0
  const caller = async () => {
    for (let i = next++; i < CALLS; i = next++) {
      await sleep(Math.max(0, (i / CALLS - progress()) * SECONDS * 1000))
      const token = TOKENS[i % TOKENS.length]
      assert.equal(await check(token), ANSWERS[token], token)
    }
  }
  const watcher = async () => {
    for (; next < CALLS; await sleep(500)) states[Math.min(3, Math.trunc((next / CALLS) * 4))].push(await state())
  }
  await Promise.all([watcher(), ...Array.from({ length: CALLERS }, caller)])
  const seconds = Math.round(progress() * SECONDS)
  const least = states.map((quarter) => Math.round(Math.min(...quarter.map(({ bytes }) => bytes)) / 1e6))
  const most = states.map((quarter) => Math.max(...quarter.map((each) => each.sockets)))
  t.diagnostic(`${CALLS} calls in ${seconds} s; by quarter, least memory ${least} MB, most sockets ${most}`)
  assert.ok(seconds <= SECONDS * 1.1, 'This machine is too slow')
  assert.ok(least[3] - least[1] <= MEGABYTES, 'The memory grows')
  assert.ok(Math.max(...most) <= SOCKETS, 'The number of sockets grows')

  platform.process.kill()
  await once(platform.process, 'exit')
  for (let i = 0; i < 200; i++) assert.equal(await check(token('active')), undefined)
  assert.equal((await send('GET', '/health')).status, 503)
})

/** @returns the process, when a line that it prints fits, and what the line has in brackets */
async function started(t, program, env, stream, line) {
  const process_ = spawn(process.execPath, [program], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => process_.kill())
  process_.stdout.resume()
  for await (const text of createInterface(process_[stream])) {
    const [, found] = line.exec(text) ?? []
    if (!found) continue
    process_[stream].resume()
    return { process: process_, found }
  }
  throw new Error(`${program} did not start`)
}

function sockets(pid) {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return open.filter((link) => link.startsWith('socket:')).length
}
