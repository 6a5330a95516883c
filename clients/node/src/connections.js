import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { CheckTokenError } from './error.js'

/** More than any answer, metadata or JWK Set of a platform has. */
const MAX_LENGTH = 256 * 1024

/** Kept connections to the platform. Nothing follows a redirect, and every request has a deadline and a greatest size. */
export class Connections {
  #agents

  constructor(tls) {
    const kept = { keepAlive: true, maxSockets: 64 }
    this.#agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent({ ...kept, ...tls }) }
  }

  async send(url, options, body, deadline) {
    const signal = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - Date.now())))
    const agent = this.#agents[url.protocol]
    const request = (url.protocol === 'https:' ? https : http).request(url, { ...options, agent, signal })
    try {
      request.end(body)
      const [response] = await once(request, 'response')
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) {
        if ((text += chunk).length > MAX_LENGTH) throw new CheckTokenError('too-large')
      }
      return { status: response.statusCode, headers: response.headers, body: text }
    } catch (error) {
      if (error instanceof CheckTokenError) throw error
      // The platform closed a kept connection just when it was used. A call changes nothing, so it can be repeated.
      if (request.reusedSocket && !signal.aborted) return this.send(url, options, body, deadline)
      throw new CheckTokenError(signal.aborted ? 'timeout' : 'unreachable')
    }
  }

  close() {
    Object.values(this.#agents).forEach((agent) => agent.destroy())
  }
}
