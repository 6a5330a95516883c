import http from 'node:http'
import https from 'node:https'
import { isIP, isIPv6 } from 'node:net'
import { attempt, check } from './error.js'

const WAIT_MS = 30_000

/** @returns the forward proxy for a host, as curl reads the environment: HTTPS_PROXY, ALL_PROXY and NO_PROXY, or small */
export function proxyFor({ hostname, port }, env = process.env) {
  const read = (name) => env[name] || env[name.toUpperCase()] || ''
  const text = read('https_proxy') || read('all_proxy')
  const host = hostname.replace(/^\[|\]$/g, '')
  const direct = read('no_proxy').split(/[\s,]+/).some((entry) => {
    const [, name, only] = isIP(entry) ? [, entry] : /^(?:\*(?=\.))?\.?(.*?)(?::(\d+))?$/.exec(entry)
    return entry && (!only || only === (port || '443')) && (name === '*' || host === name || host.endsWith(`.${name}`))
  })
  if (!text || direct) return undefined
  const proxy = attempt(() => new URL(text.includes('://') ? text : `http://${text}`))
  return check(/^https?:$/.test(proxy?.protocol) && proxy, 'configuration', 'The proxy is no http or https address.')
}

/** Connects through a forward proxy (CONNECT), which sees the name of the platform's host, and nothing that is sent. */
export class ProxyAgent extends https.Agent {
  #proxy

  constructor(proxy, options) {
    super(options)
    this.#proxy = proxy
  }

  createConnection(options, callback) {
    const { protocol, username, password } = this.#proxy
    const path = `${isIPv6(options.host) ? `[${options.host}]` : options.host}:${options.port}`
    const login = Buffer.from([username, password].map(decodeURIComponent).join(':')).toString('base64')
    const headers = { Host: path, ...(username && { 'Proxy-Authorization': `Basic ${login}` }) }
    const connect = { method: 'CONNECT', path, headers, auth: null, agent: false, timeout: WAIT_MS }
    const request = (protocol === 'https:' ? https : http).request(this.#proxy, connect)
    request.once('connect', ({ statusCode }, socket) => {
      if (statusCode !== 200) return callback(socket.destroy() && new Error('The proxy refuses'))
      callback(null, super.createConnection({ ...options, socket: socket.setTimeout(0) }))
    })
    request.once('timeout', () => request.destroy()).once('error', callback).end()
  }
}
