import { createPublicKey } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { createSecureContext } from 'node:tls'
import { CheckTokenError, attempt, check, object } from './error.js'
import { ProxyAgent, proxyFor } from './proxy.js'

const POST = { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
/** More than any answer, metadata or JWK Set of a platform has. */
const MAX_LENGTH = 256 * 1024
const KEPT_MS = 5 * 60_000
/** A new kid loads the keys again, but not more often than this. */
const AGAIN_MS = 5_000
/** Connections at once. Other calls wait for their turn. */
const KEPT = { keepAlive: true, maxSockets: 64 }

/** The connections to a platform, and its metadata (RFC 8414) and public keys, which are kept until they are old. */
export class Platform {
  #issuer
  #origins
  #protocol
  #agent
  #proxy
  #kept = { until: 0 }
  #again = 0

  constructor({ issuer, connectTo, tls, agent }) {
    const base = origin(connectTo === undefined ? issuer : `${connectTo}/`)
    check(connectTo === undefined || /^\/*$/.test(`${connectTo}/`.slice(base.length)), 'settings-realm')
    check(!agent || !tls, 'settings-connection')
    check(attempt(() => createSecureContext(tls)), 'configuration', 'tls cannot be used.')
    this.#issuer = issuer
    this.#origins = [base, origin(issuer)]
    this.#protocol = base.startsWith('https:') ? https : http
    this.#proxy = !agent && this.#protocol === https ? proxyFor(new URL(base)) : undefined
    const own = () => (this.#proxy ? new ProxyAgent(this.#proxy, { ...KEPT, ...tls }) : new this.#protocol.Agent({ ...KEPT, ...tls }))
    this.#agent = this.#protocol === https && agent ? agent : own()
  }

  /** @returns the key for the header of a JWS */
  async key({ kid, alg }, deadline) {
    const { keys } = await this.current(deadline)
    if (!keys.has(kid) && Date.now() > this.#again) [this.#again, this.#kept] = [Date.now() + AGAIN_MS, { until: 0 }]
    const found = (await this.current(deadline)).keys.get(kid)
    return check([alg, undefined].includes(found?.alg) && found?.key, 'unknown-key')
  }

  /** @returns the endpoint, and the keys by their kid */
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
    const set = await this.#json(metadata.jwks_uri, deadline)
    check(Array.isArray(set.keys), 'wrong-metadata')
    const keys = new Map()
    for (const jwk of set.keys) {
      // A key that cannot be read is left out (RFC 7517, section 5).
      const key = attempt(() => createPublicKey({ key: jwk, format: 'jwk' }))
      if (key && jwk.use !== 'enc') keys.set(jwk.kid, { key, alg: jwk.alg })
    }
    return { endpoint: this.#address(metadata.introspection_endpoint), keys }
  }

  async #json(url, deadline) {
    const { status, body } = await this.send(this.#address(url), deadline)
    return object(status === 200 && body, 'wrong-metadata')
  }

  /** @returns where to connect to. The address must be one of the issuer's own host, because it gets the token and the secret */
  #address(text) {
    const found = this.#origins.find((own) => typeof text === 'string' && text.startsWith(own))
    return check(found && attempt(() => new URL(this.#origins[0] + text.slice(found.length))), 'wrong-metadata')
  }

  /**
   * Posts what `form` makes, if it is there. Follows no redirect. Every request has a deadline and a greatest size. If
   * the connection breaks before any answer, it is repeated once: a call changes nothing.
   */
  async send(url, deadline, form, again = true) {
    const body = await form?.()
    const request = attempt(() => this.#protocol.request(url, { agent: this.#agent, ...(form && POST) }))
    const waits = () => Object.values(this.#agent.requests ?? {}).flat().includes(request)
    const expired = () => request.destroy(new CheckTokenError(waits() ? 'busy' : 'timeout'))
    const timer = setTimeout(expired, deadline - Date.now())
    try {
      return await answered(check(request, 'unreachable').end(body))
    } catch (error) {
      if (error instanceof CheckTokenError) throw error
      check(again && !request.answered && Date.now() < deadline, 'unreachable', this.#proxy && `(proxy: ${this.#proxy.origin})`)
    } finally {
      clearTimeout(timer)
    }
    // The platform may have closed all connections that are kept.
    Object.values(this.#agent.freeSockets ?? {}).flat().forEach((socket) => socket.destroy())
    return this.send(url, deadline, form, false)
  }

  close = () => this.#agent.destroy()
}

/** Events cost a check less than an AbortSignal and an asynchronous iterator do. */
function answered(request) {
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      let body = ''
      request.answered = true
      response.setEncoding('utf8').on('error', reject).on('data', (chunk) => {
        if ((body += chunk).length > MAX_LENGTH) request.destroy(new CheckTokenError('too-large'))
      })
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }))
    })
  })
}

/** @returns scheme, host and port of an address with TLS, or of this machine. Tokens and secrets are sent to no other */
function origin(text) {
  const [found] = /^https?:\/\/[^/?#@\\\s]+\//.exec(text) ?? []
  const url = found && URL.canParse(found) ? new URL(found) : {}
  const local = url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return check((url.protocol === 'https:' || local) && found, 'settings-realm')
}
