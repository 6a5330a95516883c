import { createLocalJWKSet } from 'jose'
import { check } from './error.js'

const KEPT_MS = 5 * 60_000
/** A new kid loads the keys again, but not more often than this. */
const AGAIN_MS = 5_000

/** The metadata (RFC 8414) and the public keys of a platform, kept until they are old. */
export class Platform {
  #issuer
  #get
  #kept = { until: 0 }
  #again = 0

  /** @param get gives the JSON of an address until a deadline */
  constructor(issuer, get) {
    this.#issuer = issuer
    this.#get = get
  }

  /** @returns the key for the header of a JWS */
  async key(header, deadline) {
    const { find } = await this.current(deadline)
    return find(header).catch(async () => {
      if (Date.now() > this.#again) {
        this.#again = Date.now() + AGAIN_MS
        this.#kept.until = 0
      }
      const now = await this.current(deadline)
      return now.find(header).catch(() => check(false, 'unknown-key'))
    })
  }

  /** @returns the endpoint, and what finds a key */
  current(deadline) {
    if (Date.now() > this.#kept.until) {
      const kept = { until: Date.now() + KEPT_MS, value: this.#load(deadline) }
      kept.value.catch(() => (kept.until = 0))
      this.#kept = kept
    }
    return this.#kept.value
  }

  async #load(deadline) {
    const metadata = await this.#get(address(`${this.#issuer}/.well-known/openid-configuration`), deadline)
    check(metadata.issuer === this.#issuer, 'wrong-metadata')
    const keys = await this.#get(address(metadata.jwks_uri), deadline)
    check(Array.isArray(keys.keys) && keys.keys.every((key) => key instanceof Object), 'wrong-metadata')
    return { endpoint: address(metadata.introspection_endpoint), find: createLocalJWKSet(keys) }
  }
}

/** @returns a URL with TLS, or of this machine. Tokens and secrets are sent to no other */
export function address(text, reason = 'wrong-metadata') {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const local = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  check(url?.protocol === 'https:' || local, reason)
  return url
}
