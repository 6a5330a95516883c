import assert from 'node:assert/strict'
import http from 'node:http'
import test from 'node:test'
import { CheckToken, CheckTokenError } from '../src/client.js'
import { encrypt, signature } from '../../testkit/mock-node/jose.js'
import { key, kit, random, settings } from './support.js'

const COUNT = Number(process.env.MUTATIONS ?? 10_000)
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000_000)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Its payload is {"jti":"x"}. */
const TOKEN = 'e30.eyJqdGkiOiJ4In0.AAAA'

const next = random(SEED)
const below = (limit) => Math.floor(next() * limit)
const one = (list) => list[below(list.length)]
const part = (bytes) => Buffer.from(bytes).toString('base64url')

/** Changes a text in one way that never gives the same text. */
function changed(text) {
  const at = below(text.length)
  const character = one([...ALPHABET, '.', '=', ' ', '\n', '\0', 'é', '"', '{'].filter((some) => some !== text[at]))
  const changes = [
    () => text.slice(0, at) + character + text.slice(at + 1),
    () => text.slice(0, at) + character + text.slice(at),
    () => text.slice(0, at) + text.slice(at + 1),
    () => text.slice(0, at),
    () => text + text.slice(at),
    () => text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << below(7))) + text.slice(at + 1),
    () => `${text}${character}`,
    () => `${character}${text}`,
  ]
  return one(changes)()
}

/** Changes one part of a compact JOSE object, among others the last character alone, whose last bits can be unused. */
function changedPart(compact) {
  const parts = compact.split('.')
  const i = below(parts.length)
  if (next() < 0.2 && parts[i]) parts[i] = parts[i].slice(0, -1) + one([...ALPHABET].filter((some) => some !== parts[i].at(-1)))
  else parts[i] = next() < 0.1 || !parts[i] ? one(['', 'e30', 'bnVsbA', 'AA', parts[(i + 1) % parts.length]]) : changed(parts[i])
  return parts.join('.') === compact ? changed(compact) : parts.join('.')
}

/** Changes a JSON text: a member is removed, doubled or gets another value. */
function changedJson(object) {
  const text = oddJson(object)
  return text === JSON.stringify(object) ? changed(text) : text
}

function oddJson(object) {
  const names = Object.keys(object)
  const name = one(names)
  const others = [null, true, 0, -1, 1e400, '', 'none', [], {}, [object[name]], { [name]: object[name] }, '\u0000', '__proto__']
  const { [name]: _, ...rest } = object
  const changes = [
    () => JSON.stringify(rest),
    () => JSON.stringify({ ...object, [name]: one(others) }),
    () => JSON.stringify({ ...object, [name]: one(others) }).replace(/\}$/, `,"${name}":"other"}`),
    () => changed(JSON.stringify(object)),
  ]
  return one(changes)()
}

test('no mutated answer is accepted, and each throws the one error', async (t) => {
  t.diagnostic(`seed ${SEED}, ${COUNT} answers`)
  let body
  const server = http.createServer((request, response) => {
    const json = request.url.endsWith('certs') ? { keys } : metadata
    const post = request.method === 'POST'
    const type = post ? 'application/token-introspection+jwt' : 'application/json'
    request.resume().on('end', () => response.writeHead(200, { 'Content-Type': type }).end(post ? body : JSON.stringify(json)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const realm = `http://127.0.0.1:${server.address().port}/realms/demo`
  const issuer = `${realm}/api/v2`
  const certs = `${realm}/protocol/openid-connect/certs`
  const metadata = { issuer, introspection_endpoint: `${issuer}/checktoken`, jwks_uri: certs }
  const signer = key('platform-ES256')
  const { d: _, ...jwk } = signer
  const keys = [jwk]
  const clients = kit.clients.filter(({ agreed }) => agreed.jws_alg === 'ES256')
  const running = clients.map((agreed) => new CheckToken(settings(realm, agreed)))
  t.after(() => {
    running.forEach((client) => client.close())
    server.close()
  })

  const header = { alg: 'ES256', typ: 'token-introspection+jwt', kid: signer.kid }
  const signed = (headerText, payload) => {
    const input = `${part(headerText)}.${part(payload)}`
    return `${input}.${part(signature(input, 'ES256', signer))}`
  }
  const reasons = {}
  const claims = () => ({
    iss: issuer, aud: '', iat: Math.floor(Date.now() / 1000),
    token_introspection: { active: true, client_id: 'sp', sub: 'x', scope: 'tax_income', jti: 'x', family_name: 'Moreau' },
  })
  for (let i = 0; i < COUNT; i++) {
    const { client_id: aud, agreed } = clients[i % clients.length]
    const recipient = key(`data-provider-${agreed.kty}`)
    const jweHeader = { alg: agreed.jwe_alg, enc: agreed.jwe_enc, cty: 'JWT', kid: recipient.kid }
    const encrypted = (jws, head = jweHeader) => encrypt(jws, head, recipient).join('.')
    const right = { ...claims(), aud }
    const jws = signed(JSON.stringify(header), JSON.stringify(right))
    body = one([
      () => changed(encrypted(jws)),
      () => changedPart(encrypted(jws)),
      () => encrypted(changed(jws)),
      () => encrypted(changedPart(jws)),
      () => encrypted(`${part(changedJson(header))}.${part(JSON.stringify(right))}.${jws.split('.')[2]}`),
      () => encrypted(`${jws.split('.')[0]}.${part(changedJson(right))}.${jws.split('.')[2]}`),
    ])()
    try {
      const answer = await running[i % clients.length].check(TOKEN)
      assert.fail(`accepted: seed ${SEED}, number ${i}, ${answer}: ${body}`)
    } catch (error) {
      if (!(error instanceof CheckTokenError)) throw error
      reasons[error.reason] = (reasons[error.reason] ?? 0) + 1
    }
    if (i % 500 === 0) {
      body = encrypted(jws)
      assert.ok((await running[i % clients.length].check(TOKEN)).active, 'The right answer is not accepted')
    }
  }
  t.diagnostic(JSON.stringify(reasons))
  // What the platform signed may be accepted if all that counts is left, but must break nothing.
  for (let i = 0; i < COUNT / 10; i++) {
    const right = { ...claims(), aud: clients[0].client_id, exp: 4102444800, nbf: 0 }
    right.token_introspection.cnf = { jkt: 'x' }
    const token = oddJson(right.token_introspection)
    const payload = next() < 0.5 ? oddJson(right) : JSON.stringify(right).replace(JSON.stringify(right.token_introspection), () => token)
    const jws = signed(next() < 0.2 ? oddJson(header) : JSON.stringify(header), payload)
    const recipient = key('data-provider-RSA')
    body = encrypt(jws, { alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', kid: recipient.kid }, recipient).join('.')
    try {
      const access = (await running[0].check(TOKEN, { certificate: 'x' })).require('tax_income')
      assert.equal(access.person().sub, 'x')
      const { iss, aud } = JSON.parse(payload)
      assert.deepEqual([iss, [aud].flat()], [issuer, [clients[0].client_id]])
    } catch (error) {
      if (!(error instanceof CheckTokenError)) throw error
    }
  }
  assert.ok(reasons['wrong-signature'] > COUNT / 20 && reasons['decryption-failed'] > COUNT / 20)
})
