import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { IDENTITY, answer } from './answer.js'
import { Connections } from './connections.js'
import { CheckTokenError, check } from './error.js'
import { Platform, address } from './platform.js'
import { Proofs, SIGNATURE } from './proof.js'
import { AnswerReader, privateKey } from './reader.js'

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const DEFAULTS =
  { method: 'client_secret_basic', signature: 'ES256', contentEncryption: 'A256GCM', identity: IDENTITY, seconds: 10 }

/** Checks access tokens at a platform. Make one when your server starts, and keep it: it keeps connections and keys. */
export class CheckToken {
  #settings
  #connections
  #platform
  #reader
  #proofs = new Proofs()

  constructor(options) {
    const settings = { ...DEFAULTS, ...options }
    const { clientId, method, clientSecret, clientKey, tls, privateKeys } = settings
    const issuer = `${String(settings.realm).replace(/\/+$/, '')}/api/v2`
    const [signature, contentEncryption] = [[settings.signature].flat(), [settings.contentEncryption].flat()]
    address(issuer, 'configuration')
    check(clientId, 'configuration', 'clientId is missing.')
    check(signature.every((alg) => SIGNATURE.test(alg)), 'configuration', 'signature is not that of a public key.')
    check(Array.isArray(privateKeys) && privateKeys.length > 0, 'configuration', 'privateKeys is no list of JWKs.')
    const needed = {
      client_secret_basic: clientSecret, client_secret_post: clientSecret, private_key_jwt: clientKey,
      tls_client_auth: tls?.pfx ?? (tls?.cert && tls.key),
    }
    check(needed[method], 'configuration', 'method is unknown, or what it needs is missing: clientSecret, clientKey, or tls.')
    this.#settings = { ...settings, issuer, key: method === 'private_key_jwt' && privateKey(clientKey) }
    this.#reader = new AnswerReader({ issuer, clientId, privateKeys, signature, contentEncryption })
    this.#connections = new Connections(tls)
    this.#platform = new Platform(issuer, (url, deadline) => this.#json(url, deadline))
  }

  /**
   * @param token the access token that a service provider sent
   * @param request what proves a bound token: `dpop` ({ proof, method, url }), `certificate` (PEM or DER)
   * @returns the verified answer. Whatever fails is a CheckTokenError
   */
  async check(token, request = {}) {
    check(typeof token === 'string' && /^[\x21-\x7e]{1,65536}$/.test(token), 'no-token')
    const deadline = Date.now() + this.#settings.seconds * 1000
    const { endpoint, key } = await this.#platform.metadata(deadline)
    const response = await this.#post(endpoint, token, deadline)
    const verified = await this.#reader.read(response, token, (header) => key(header, deadline))
    return answer(verified, await this.#proofs.fit(verified, token, request), this.#settings.identity)
  }

  /** Closes the connections that are kept. */
  close() {
    this.#connections.close()
  }

  async #post(url, token, deadline, again = true) {
    const { headers, form } = await this.#authentication()
    const body = Buffer.from(new URLSearchParams({ ...form, token }).toString())
    const sent = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length }
    const response = await this.#connections.send(url, { method: 'POST', headers: sent }, body, deadline)
    const wait = 1000 * (response.headers['retry-after'] ?? NaN)
    if (again && response.status === 503 && Date.now() + wait < deadline) {
      await sleep(wait)
      return this.#post(url, token, deadline, false)
    }
    if (response.status !== 200) throw CheckTokenError.ofStatus(response.status)
    return response
  }

  async #authentication() {
    const { clientId, clientSecret, method } = this.#settings
    if (method === 'client_secret_basic') {
      const pair = [clientId, clientSecret].map(encodeURIComponent).join(':')
      return { headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
    }
    if (method === 'client_secret_post') return { form: { client_id: clientId, client_secret: clientSecret } }
    if (method === 'tls_client_auth') return { form: { client_id: clientId } }
    const assertion = { client_assertion_type: ASSERTION, client_assertion: await this.#assertion() }
    return { form: { client_id: clientId, ...assertion } }
  }

  /** Works once (RFC 7523). Its audience is the issuer of answers, which no other endpoint of Keycloak accepts. */
  #assertion() {
    const { clientId, clientKey: { alg, kid }, issuer, key } = this.#settings
    const claims = new SignJWT({ iss: clientId, sub: clientId, aud: issuer, jti: randomUUID() })
    return claims.setProtectedHeader({ alg, kid }).setIssuedAt().setExpirationTime('60s').sign(key)
  }

  async #json(url, deadline) {
    const { status, body } = await this.#connections.send(url, {}, undefined, deadline)
    try {
      if (status === 200) return Object(JSON.parse(body))
    } catch {
      // As with another status.
    }
    throw new CheckTokenError('wrong-metadata')
  }
}
