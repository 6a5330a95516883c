import http from 'node:http'
import https from 'node:https'
import { CheckToken, CheckTokenError } from '@checktoken/client'
import { Cache } from './cache.js'
import { Callers } from './callers.js'
import { Meters } from './meters.js'

const MAX_FORM = 128 * 1024
const MAX_CALLS = 256
const HEALTH_MS = 10_000

/** Answers gateways in JSON (RFC 7662). Behind it, each answer is decrypted and verified by the library. */
export class Adapter {
  #client
  #callers
  #cache
  #passBound
  #meters = new Meters()
  #calls = 0
  #health = { until: 0 }
  #server

  constructor({ client, callers, cacheSeconds, passBound, serverTls }) {
    const server = serverTls ? https : http
    this.#server = server.createServer({ requestTimeout: 15_000, ...serverTls }, (...both) => this.#handle(...both))
    this.#client = new CheckToken(client)
    this.#callers = new Callers(callers)
    this.#cache = new Cache(cacheSeconds)
    this.#passBound = passBound
  }

  listen(address) {
    return new Promise((resolve, reject) => this.#server.once('error', reject).listen(address, () => resolve(this.#server.address())))
  }

  async close() {
    this.#server.closeIdleConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    this.#client.close()
  }

  async #handle(request, response) {
    try {
      const [status, body, headers = {}] = await this.#route(request)
      const type = typeof body === 'string' ? 'text/plain; version=0.0.4' : 'application/json'
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const more = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store' }
      response.writeHead(status, { ...more, ...headers }).end(text)
    } catch {
      // The gateway has gone, or sent too much.
      response.destroy()
    }
  }

  async #route(request) {
    const route = `${request.method} ${request.url}`
    if (route === 'GET /metrics') return [200, this.#meters.toString()]
    if (route === 'GET /health') return this.#healthy()
    if (request.url !== '/introspect') return [404, { error: 'not_found' }]
    if (request.method !== 'POST') return [405, { error: 'invalid_request' }, { Allow: 'POST' }]
    if (!this.#callers.accept(request.headers.authorization)) {
      this.#meters.count('refused_callers')
      return [401, { error: 'invalid_client' }, { 'WWW-Authenticate': 'Basic realm="checktoken-adapter"' }]
    }
    const tokens = new URLSearchParams(await form(request)).getAll('token')
    if (tokens.length !== 1 || !tokens[0]) return [400, { error: 'invalid_request' }]
    return this.#introspect(tokens[0])
  }

  async #introspect(token) {
    const known = this.#cache.get(token)
    if (known) {
      this.#meters.count('cached')
      return [200, known]
    }
    if (this.#calls >= MAX_CALLS) return this.#failed('too-many-calls')
    const begin = performance.now()
    this.#calls += 1
    try {
      const answer = this.#plain((await this.#client.check(token)).unchecked())
      this.#meters.count('checks', `{result="${answer.active ? 'active' : 'inactive'}"}`)
      this.#cache.put(token, answer)
      return [200, answer]
    } catch (error) {
      if (!(error instanceof CheckTokenError)) return this.#failed('defect')
      return error.reason === 'no-token' ? [200, { active: false }] : this.#failed(error.reason, error.message)
    } finally {
      this.#calls -= 1
      this.#meters.took(performance.now() - begin)
    }
  }

  /** RFC 9449, section 6.2: a token that is bound to a key for DPoP is no bearer token. */
  #plain(token) {
    if (!token.active || (token.cnf && !this.#passBound)) return { active: false }
    return { ...token, token_type: token.cnf?.jkt ? 'DPoP' : 'Bearer' }
  }

  #failed(reason, text = reason) {
    this.#meters.count('checks', `{result="failed",reason="${reason}"}`)
    this.#warn(text)
    return [503, { error: 'temporarily_unavailable', error_description: reason }, { 'Retry-After': '5' }]
  }

  #warned = 0

  /** At most once a minute. The meters have the number. */
  #warn(text) {
    if (Date.now() < this.#warned) return
    this.#warned = Date.now() + 60_000
    console.error(`Calls fail: ${text}`)
  }

  /** Asks the platform about a token that does not exist, at most once in some seconds. */
  async #healthy() {
    if (Date.now() > this.#health.until) {
      const state = this.#client.check('health').then(() => 'up', (error) => error.reason ?? 'defect')
      this.#health = { until: Date.now() + HEALTH_MS, state }
    }
    const state = await this.#health.state
    return [state === 'up' ? 200 : 503, { status: state === 'up' ? 'up' : 'down', ...(state !== 'up' && { reason: state }) }]
  }
}

async function form(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    if ((text += chunk).length > MAX_FORM) throw new RangeError('The form is too large')
  }
  return text
}
