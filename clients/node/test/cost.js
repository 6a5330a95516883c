import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { constants, createDecipheriv, createPrivateKey, createPublicKey, privateDecrypt, verify } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import test from 'node:test'
import { CheckToken } from '../src/client.js'
import { key, kit, settings, token } from './support.js'

const ROUNDS = 62
const CALLS = 20
const LIMIT = 1.2

const agent = new http.Agent({ keepAlive: true })
const { subtle } = globalThis.crypto
const ownObject = createPrivateKey({ key: key('data-provider-RSA'), format: 'jwk' })
const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' }
const own = await subtle.importKey('jwk', key('data-provider-RSA'), oaep, false, ['decrypt'])
const { d: _, ...publicJwk } = key('platform-ES256')
const realmKeyObject = createPublicKey({ key: publicJwk, format: 'jwk' })
const realmKey = await subtle.importKey('jwk', publicJwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])

/** The call alone, as short as Node allows it. */
function call(url) {
  const { client_id, client_secret } = kit.clients[0]
  const form = new URLSearchParams({ client_id, client_secret, token: token('active') }).toString()
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': form.length }
    http.request(url, { agent, method: 'POST', headers }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks).toString()))
    }).on('error', reject).end(form)
  })
}

const bytes = (part) => Buffer.from(part, 'base64url')

/** The cryptography alone: decrypts and verifies without any check of what is said, with what jose uses, WebCrypto. */
async function open(body) {
  const [header, cek, iv, ciphertext, tag] = body.split('.')
  const aes = { name: 'AES-GCM', iv: bytes(iv), additionalData: Buffer.from(header) }
  const content = await subtle.decrypt('RSA-OAEP', own, bytes(cek))
  const key = await subtle.importKey('raw', content, 'AES-GCM', false, ['decrypt'])
  const jws = Buffer.from(await subtle.decrypt(aes, key, Buffer.concat([bytes(ciphertext), bytes(tag)])))
  const end = jws.lastIndexOf('.')
  const ecdsa = { name: 'ECDSA', hash: 'SHA-256' }
  assert.ok(await subtle.verify(ecdsa, realmKey, bytes(jws.subarray(end + 1).toString()), jws.subarray(0, end)))
}

/** The same with Node's own functions, which hold up all other work of the process meanwhile. */
function openAtOnce(body) {
  const [header, cek, iv, ciphertext, tag] = body.split('.')
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const content = privateDecrypt({ key: ownObject, padding, oaepHash: 'sha256' }, bytes(cek))
  const cipher = createDecipheriv('aes-256-gcm', content, bytes(iv)).setAAD(Buffer.from(header)).setAuthTag(bytes(tag))
  const jws = Buffer.concat([cipher.update(bytes(ciphertext)), cipher.final()]).toString()
  const end = jws.lastIndexOf('.')
  const input = Buffer.from(jws.slice(0, end))
  assert.ok(verify('sha256', input, { key: realmKeyObject, dsaEncoding: 'ieee-p1363' }, bytes(jws.slice(end + 1))))
}

async function microseconds(action) {
  const begin = process.hrtime.bigint()
  for (let i = 0; i < CALLS; i++) await action()
  return Number(process.hrtime.bigint() - begin) / 1000 / CALLS
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]

test(`a check costs at most ${LIMIT} times the bare call and the raw cryptography`, async (t) => {
  const main = new URL('../../testkit/mock-node/main.js', import.meta.url).pathname
  const platform = spawn(process.execPath, [main], { env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] })
  const realm = /Realm: (\S+)/.exec(await once(platform.stdout, 'data'))[1]
  const client = new CheckToken(settings(realm))
  t.after(() => {
    client.close()
    agent.destroy()
    platform.kill()
  })
  const url = `${realm}/api/v2/checktoken`
  const bare = []
  const atOnce = []
  const checked = []
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await microseconds(async () => open(await call(url))))
    atOnce.push(await microseconds(async () => openAtOnce(await call(url))))
    checked.push(await microseconds(() => client.check(token('active'))))
  }
  const times = (base) => median(checked.map((value, i) => value / base[i]).slice(2))
  const ratio = times(bare)
  const [alone, check] = [bare, checked].map((list) => median(list.slice(2)).toFixed(0))
  const others = `${times(atOnce).toFixed(2)} times synchronous functions`
  t.diagnostic(`bare ${alone} µs, check ${check} µs, ratio ${ratio.toFixed(2)}; ${others}`)
  assert.ok(ratio <= LIMIT, `ratio ${ratio}`)
})
