import { PLATFORM_KEYS, publicKey } from './kit.js'

const ODD = [
  null, true, false, 0, -1, 1e300, '', ' ', 'none', 'true', [], [[]], {}, { toString: 1 }, { keys: [] }, ['x'], '\u0000', '\ud800',
  '__proto__', 'x'.repeat(5000), 'http://[', 'https://', '//', '{', { __proto__: null, constructor: 1 },
]
const TEXTS = ['', ' ', '{', '[', '[]', 'null', '0', 'true', '"x"', '{}', '{"a":', '\u0000', 'NaN', '[[[[[[', '{"keys":', '\ufeff{}', '{"keys":[null]}', 'é', '{"keys":[{"kid":{}}]}']
const TYPES = ['', 'x', 'application/json', 'application/jwt', 'text/html', 'token-introspection+jwt', '; ;', 'application/token-introspection']
const STATUSES = [201, 202, 203, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 410, 413, 415, 418, 429, 500, 501, 502, 503, 504, 505, 511, 599]
/** What comes instead of a response: it breaks HTTP, or the connection. */
const RAW = [
  '', 'x', '\r\n\r\n', 'HTTP/1.1\r\n\r\n', 'HTTP/1.1 abc OK\r\n\r\n', 'HTTP/9.9 200 OK\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx',
  'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n', 'HTTP/1.1 200 OK\r\nA\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(100_000)}\r\n\r\n`,
  'HTTP/1.1 200 OK\r\nContent-Type: \u00ff\u0000\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx',
  'HTTP/1.1 503 x\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n', 'HTTP/1.1 503 x\r\nRetry-After: -1\r\nContent-Length: 2\r\n\r\n{}',
]

/** @returns a lie, the same for each number: a case of metadata.json, maybe with an odd `http`, `claims` or `raw` of the answer */
export function lie(number) {
  const next = random(number)
  const one = (list) => list[Math.floor(next() * list.length)]
  const odd = (right) => one(ODD.filter((value) => JSON.stringify(value) !== JSON.stringify(right)))
  const member = (names, right, ...types) => ({ [one(names)]: { $odd: one(ODD.filter((value) => value !== right && !types.includes(typeof value))) } })
  const right = PLATFORM_KEYS.find(({ kid }) => kid === 'platform-ES256')
  const jwk = { ...publicKey(right), kid: right.kid, alg: right.alg }
  const keys = (list) => ({ keys_body: JSON.stringify({ keys: list }) })
  const described = { error: odd(), error_description: odd() }
  const kinds = [
    () => ({ odd_metadata: member(['issuer', 'introspection_endpoint', 'jwks_uri']) }),
    () => ({ metadata_body: one(TEXTS) }),
    () => ({ keys_body: one(TEXTS) }),
    () => ({ keys_body: JSON.stringify({ keys: odd() }) }),
    () => keys([{ ...jwk, [one(['kty', 'crv', 'x', 'y', 'kid'])]: odd() }]),
    () => keys([odd(), { ...jwk, kid: odd() }, odd()]),
    () => ({ http: { status: one(STATUSES), headers: { 'Content-Type': one(TYPES.slice(1)) }, body: JSON.stringify(one([described, odd()])) } }),
    () => ({ http: { headers: { 'Content-Type': one(TYPES.slice(1)) } } }),
    () => ({ http: { body: one(TEXTS) } }),
    () => ({ raw: one(RAW), raw_at: one(['metadata', 'keys', 'answer']) }),
    () => ({ odd_claims: member(['iss', 'aud', 'iat', 'token_introspection']) }),
    () => ({ odd_claims: { token_introspection: member(['active', 'scope', 'jti', 'cnf'], true) } }),
    () => ({ odd_claims: { token_introspection: member(['client_id', 'sub', 'acr'], true, 'string') } }),
    () => ({ odd_claims: { token_introspection: member(['exp'], true, 'number') } }),
    () => ({ odd_claims: member(['exp', 'nbf'], true, 'number') }),
  ]
  return { name: `lie-${number}`, ...one(kinds)() }
}

/** @returns the value in which each `{ $odd: value }` of the lie replaces a member */
export function lied(value, odd) {
  const changed = { ...value }
  for (const [name, inner] of Object.entries(odd ?? {})) changed[name] = '$odd' in inner ? inner.$odd : lied(changed[name], inner)
  return changed
}

/** mulberry32, mixed with the number: neighbours are to differ. */
function random(seed) {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
