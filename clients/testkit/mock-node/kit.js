import { readFileSync } from 'node:fs'

const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))

/** The test kit's cases and keys. */
export const kit = read('cases.json')
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
// JWTs as the platform's, with the jti of the answer. Nobody is to verify their signature.
kit.cases.forEach((found) => {
  const { jti } = kit.introspections[found.introspection ?? kit.defaults.introspection]
  found.token ??= `${encoded({ alg: 'ES256' })}.${encoded({ case: found.name, jti })}.AAAA`
})
export const PLATFORM_KEYS = read('keys/platform.json').keys
export const SERVICE_PROVIDER = read('keys/service-provider.json').keys[0]
const KEYS = [...PLATFORM_KEYS, SERVICE_PROVIDER, ...['data-provider', 'foreign'].flatMap((name) => read(`keys/${name}.json`).keys)]

export function key(kid) {
  const found = KEYS.find((jwk) => jwk.kid === kid)
  if (!found) throw new Error(`The kit has no key ${kid}`)
  return found
}

export function publicKey({ kty, n, e, crv, x, y }) {
  return JSON.parse(JSON.stringify({ kty, n, e, crv, x, y }))
}

/** JSON Merge Patch (RFC 7396), in which an object that stands for a value is replaced as a whole. */
export function merge(target, patch) {
  if (!isObject(patch) || Object.keys(patch)[0]?.startsWith('$')) return patch
  const merged = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = merge(merged[name], value)
  }
  return merged
}

/** Replaces `{names}` in texts, and objects that stand for a value. */
export function resolve(value, names) {
  if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (text, name) => names[name] ?? text)
  if (Array.isArray(value)) return value.map((item) => resolve(item, names))
  if (!isObject(value)) return value
  const [[name, argument]] = Object.entries(value).concat([['']])
  const now = Math.floor(Date.now() / 1000)
  if (name === '$now') return now + argument
  if (name === '$now_text') return String(now + argument)
  if (name === '$now_milliseconds') return Date.now() + argument
  if (name === '$key') return publicKey(key(resolve(argument, names)))
  if (name === '$x5c') return key(resolve(argument, names)).x5c
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, resolve(inner, names)]))
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
