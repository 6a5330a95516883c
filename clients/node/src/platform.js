import http from 'node:http'
import https from 'node:https'
import { createLocalJWKSet } from 'jose'
import { CheckTokenError, check, object } from './error.js'

const POST = { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
/** More than any answer, metadata or JWK Set of a platform has. */
const MAX_LENGTH = 256 * 1024
const KEPT_MS = 5 * 60_000
/** A new kid loads the keys again, but not more often than this. */
const AGAIN_MS = 5_000

/** The connections to a platform, and its metadata (RFC 8414) and public keys, which are kept until they are old. */
export class Platform {
  #issuer
  #agents
  #kept = { until: 0 }
  #again = 0

  constructor(issuer, tls) {
    const kept = { keepAlive: true, maxSockets: 64 }
    this.#issuer = issuer
    this.#agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent({ ...kept, ...tls }) }
  }

  /** @returns the key for the header of a JWS */
  async key(header, deadline) {
    const { find } = await this.current(deadline)
    return find(header).catch(async () => {
      if (Date.now() > this.#again) [this.#again, this.#kept] = [Date.now() + AGAIN_MS, { until: 0 }]
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
    const metadata = await this.#json(`${this.#issuer}/.well-known/openid-configuration`, deadline)
    check(metadata.issuer === this.#issuer, 'wrong-metadata')
    const keys = await this.#json(metadata.jwks_uri, deadline)
    check(Array.isArray(keys.keys) && keys.keys.every((key) => key instanceof Object), 'wrong-metadata')
    return { endpoint: address(metadata.introspection_endpoint), find: createLocalJWKSet(keys) }
  }

  async #json(url, deadline) {
    const { status, body } = await this.send(address(url), deadline)
    return object(status === 200 && body, 'wrong-metadata')
  }

  /** Posts the form, if there is one. Follows no redirect. Every request has a deadline and a greatest size. */
  async send(url, deadline, form) {
    const options = { agent: this.#agents[url.protocol], ...(form && POST) }
    const request = (url.protocol === 'https:' ? https : http).request(url, options)
    const timer = setTimeout(() => request.destroy(new CheckTokenError('timeout')), deadline - Date.now())
    try {
      return await answered(request.end(form))
    } catch (error) {
      if (error instanceof CheckTokenError) throw error
      // The platform closed a kept connection just when it was used. A call changes nothing, so it can be repeated.
      if (request.reusedSocket && Date.now() < deadline) return this.send(url, deadline, form)
      throw new CheckTokenError('unreachable')
    } finally {
      clearTimeout(timer)
    }
  }

  close = () => Object.values(this.#agents).forEach((agent) => agent.destroy())
}

/** Events cost a check less than an AbortSignal and an asynchronous iterator do. */
function answered(request) {
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      let body = ''
      response.setEncoding('utf8').on('error', reject).on('data', (chunk) => {
        if ((body += chunk).length > MAX_LENGTH) request.destroy(new CheckTokenError('too-large'))
      })
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }))
    })
  })
}

/** @returns a URL with TLS, or of this machine. Tokens and secrets are sent to no other */
export function address(text, reason = 'wrong-metadata') {
  const url = URL.canParse(text) ? new URL(text) : {}
  const local = url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return check((url.protocol === 'https:' || local) && url, reason)
}
