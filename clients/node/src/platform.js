import { createRemoteJWKSet, customFetch, errors } from 'jose'
import { CheckTokenError, check } from './error.js'

const METADATA_MS = 5 * 60_000
const KEYS_MS = 10 * 60_000
/** A new kid loads the keys again, but not more often than this. */
const AGAIN_MS = 5_000

/** The metadata (RFC 8414) and the public keys of a platform, kept until they are old. */
export class Platform {
  #issuer
  #get
  #kept = { until: 0 }

  /** @param get gives the JSON of an address until a deadline */
  constructor(issuer, get) {
    this.#issuer = issuer
    this.#get = get
  }

  /** @returns `endpoint`, a URL, and `key`, which finds the key for the header of a JWS */
  metadata(deadline) {
    if (Date.now() > this.#kept.until) {
      const kept = { until: Date.now() + METADATA_MS, value: this.#load(deadline, this.#kept.value) }
      kept.value.catch(() => (kept.until = 0))
      this.#kept = kept
    }
    return this.#kept.value
  }

  async #load(deadline, former) {
    const metadata = await this.#get(address(`${this.#issuer}/.well-known/openid-configuration`), deadline)
    check(metadata.issuer === this.#issuer, 'wrong-metadata')
    const { introspection_endpoint: endpoint, jwks_uri: jwks } = metadata
    const known = await former?.catch(() => undefined)
    const key = known?.jwks === jwks ? known.key : this.#keys(address(jwks))
    return { endpoint: address(endpoint), jwks, key }
  }

  #keys(url) {
    let deadline
    let loaded = false
    let again = 0
    const load = async () => {
      if (loaded) {
        check(Date.now() > again, 'unknown-key')
        again = Date.now() + AGAIN_MS
      }
      const keys = await this.#get(url, deadline)
      loaded = true
      return { status: 200, json: async () => keys }
    }
    const find = createRemoteJWKSet(url, { cacheMaxAge: KEYS_MS, cooldownDuration: 0, [customFetch]: load })
    return (header, until) => {
      deadline = until
      return find(header).catch((error) => {
        if (error instanceof CheckTokenError) throw error
        throw new CheckTokenError(error instanceof errors.JWKSNoMatchingKey ? 'unknown-key' : 'wrong-metadata')
      })
    }
  }
}

/** @returns a URL with TLS, or of this machine. Tokens and secrets are sent to no other */
export function address(text, reason = 'wrong-metadata') {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const local = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  check(url?.protocol === 'https:' || local, reason)
  return url
}
