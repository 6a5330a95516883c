import { readFileSync } from 'node:fs'

/** Hosts for which only the machine itself answers, so that http is as good as https. */
export const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
const CURVES = ['P-256', 'P-384', 'P-521', 'X25519']

/** @returns the JWK Set of a file */
export function readKeys(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // Not the message of the parser, which may quote a private key.
    throw new Error(`${path} ${error.code ? `cannot be read (${error.code})` : 'is not JSON'}`)
  }
}

/** @returns why answers cannot be encrypted for one of these keys with the algorithm, if they cannot */
export function keysProblem(set, algorithm) {
  const keys = set?.keys
  if (!Array.isArray(keys) || !keys.every((key) => key?.kty)) return 'is not a JWK Set'
  if (keys.length > 50 || JSON.stringify(set).length > 64 * 1024) return 'has more than 50 keys or 64 KiB'
  if (keys.some((key) => PRIVATE.some((member) => Object.hasOwn(key, member)))) {
    return 'holds a private key. Keycloak needs the public key alone'
  }
  const types = algorithm.startsWith('RSA') ? ['RSA'] : ['EC', 'OKP']
  const fits = (key) => types.includes(key.kty)
    && (key.use ?? 'enc') === 'enc'
    && (key.alg ?? algorithm) === algorithm
    && (key.kty === 'RSA' ? Buffer.from(String(key.n), 'base64url').length >= 256 : CURVES.includes(key.crv))
  return keys.some(fits) ? undefined : `has no public key for ${algorithm}`
}

/** @returns why the address of a JWK Set is refused, if it is */
export function addressProblem(address) {
  if (!URL.canParse(address)) return 'is not an address'
  const { protocol, hostname, username, password } = new URL(address)
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.includes(hostname))) {
    return 'has no https: somebody on the network could put another key there'
  }
  if (username || password) return 'has a user name or password'
  return address.length > 2000 ? 'has more than 2,000 characters' : undefined
}
