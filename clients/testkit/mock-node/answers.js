import { base64url, encrypt, hmacWithPublicKey, signature } from './jose.js'
import { key, kit, merge, resolve } from './kit.js'

const flip = (part) => {
  const bytes = Buffer.from(part, 'base64url')
  bytes[0] ^= 1
  return base64url(bytes)
}
const flattened = (names, parts) => JSON.stringify(Object.fromEntries(names.map((name, i) => [name, parts[i]])))
const JWE = ['protected', 'encrypted_key', 'iv', 'ciphertext', 'tag']
const FLIPPED = { 'encrypted-key-flipped': 1, 'ciphertext-flipped': 3, 'tag-flipped': 4 }

/**
 * Makes the response of a case.
 * @param names what stands for `{origin}`, `{issuer}` and so on
 * @param roll gives the kid under which a key is published from now on
 * @param lie changes the claims
 * @returns status, headers, body, and whether it stalls
 */
export function respond(found, client, names, roll, lie = (claims) => claims) {
  const { defaults, introspections } = kit
  const all = {
    ...names,
    client_id: client.client_id,
    kty: client.agreed.kty,
    ...prefixed('agreed', client.agreed),
    ...prefixed('not_agreed', client.not_agreed),
  }
  const http = resolve(merge(defaults.http, found.http ?? {}), all)
  const body = http.body ?? answer(found, client, all, introspections[found.introspection ?? defaults.introspection], roll, lie)
  return { ...http, body: typeof body === 'string' ? body : body.repeat.repeat(body.times) }
}

function answer(found, client, all, introspection, roll, lie) {
  const { defaults } = kit
  const { mutation } = found
  const claims = lie(resolve(merge({ ...defaults.claims, token_introspection: introspection }, found.claims ?? {}), all))
  if (mutation === 'plain-introspection') return JSON.stringify(claims.token_introspection)

  const alg = resolve(merge(defaults.jws, found.jws ?? {}).alg, all)
  const names = { ...all, jws_alg: ['RS256', 'PS256', 'ES256'].includes(alg) ? alg : client.agreed.jws_alg }
  const header = resolve(merge(defaults.jws, found.jws ?? {}), names)
  const signer = key(resolve(found.sign_with ?? defaults.sign_with, names))
  if (mutation === 'key-rolled') header.kid = roll(signer, names.jws_alg)
  const jws = signed(claims, header, signer, mutation, client)
  if (mutation === 'not-encrypted') return jws.join('.')

  const jweHeader = resolve(merge(defaults.jwe, found.jwe ?? {}), names)
  const recipient = key(resolve(found.encrypt_for ?? defaults.encrypt_for, names))
  const swap = ({ epk, ...rest }) => ({ ...rest, epk: { ...epk, x: epk.y, y: epk.x } })
  const options = { secret: client.client_secret, change: mutation === 'epk-not-on-curve' ? swap : undefined }
  const plaintext = {
    'not-signed': () => JSON.stringify(claims),
    'jws-as-json': () => flattened(['protected', 'payload', 'signature'], jws),
    'encrypted-twice': () => encrypt(jws.join('.'), jweHeader, recipient, options).join('.'),
  }
  const jwe = encrypt(plaintext[mutation]?.() ?? jws.join('.'), jweHeader, recipient, options)
  if (mutation in FLIPPED) jwe[FLIPPED[mutation]] = flip(jwe[FLIPPED[mutation]])
  if (mutation === 'jwe-as-json') return flattened(JWE, jwe)
  return mutation === 'truncated' ? jwe.join('.').slice(0, -100) : jwe.join('.')
}

/** @returns the three parts of a JWS */
function signed(claims, header, signer, mutation, client) {
  let text = JSON.stringify(claims)
  if (mutation === 'payload-not-an-object') text = '[true]'
  if (mutation === 'duplicate-claim') text = text.replace(/\}$/, ',"aud":"dp-other"}')
  let headerText = JSON.stringify(header)
  if (mutation === 'duplicate-header') headerText = headerText.replace(/\}$/, ',"alg":"none"}')
  const parts = [base64url(headerText), base64url(text)]
  const input = parts.join('.')
  const right = mutation === 'hmac-with-public-key' ? hmacWithPublicKey(input, signer) : signature(input, signer.alg, signer)
  if (mutation === 'payload-replaced') parts[1] = base64url(JSON.stringify({ ...claims, aud: client.client_id }))
  if (['unsecured', 'signature-empty'].includes(mutation)) return [...parts, '']
  if (mutation === 'signature-flipped') return [...parts, flip(base64url(right))]
  return [...parts, base64url(mutation === 'signature-zero' ? Buffer.alloc(right.length) : right)]
}

function prefixed(prefix, members) {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [`${prefix}_${name}`, value]))
}
