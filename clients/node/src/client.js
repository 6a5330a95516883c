import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SignJWT } from 'jose'
import { IDENTITY, answer } from './answer.js'
import { REASONS, check, described } from './error.js'
import { Platform } from './platform.js'
import { Proofs, SIGNATURE } from './proof.js'
import { AnswerReader, privateKey } from './reader.js'

export { CheckTokenError } from './error.js'

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const DEFAULTS = { signature: 'ES256', contentEncryption: 'A256GCM', identity: IDENTITY, seconds: 10 }

/** Checks access tokens at a platform. Make one when your server starts, and keep it: it keeps connections and keys. */
export class CheckToken {
  #settings
  #platform
  #reader
  #proofs = new Proofs()

  constructor(options) {
    const settings = { ...DEFAULTS, ...options }
    const { clientId, clientSecret, clientKey, tls, privateKeys } = settings
    const issuer = `${String(settings.realm).replace(/\/+$/, '')}/api/v2`
    const [signature, contentEncryption] = [[settings.signature].flat(), [settings.contentEncryption].flat()]
    this.#platform = new Platform({ ...settings, issuer })
    check(signature.every((alg) => SIGNATURE.test(alg)), 'configuration', 'signature is not that of a public key.')
    check(!Array.isArray(privateKeys?.keys), 'settings-key-set')
    check(Array.isArray(privateKeys), 'configuration', 'privateKeys is no list of JWKs.')
    const credentials = clientSecret || clientKey || tls?.cert || tls?.pfx
    check(clientId && privateKeys.length > 0 && credentials, 'settings-missing')
    this.#settings = { ...settings, issuer, key: clientKey && privateKey(clientKey) }
    this.#reader = new AnswerReader({ issuer, clientId, privateKeys, signature, contentEncryption })
  }

  /**
   * @param token the access token that a service provider sent
   * @param request what proves a bound token: `dpop` ({ proof, method, url }), `certificate` (PEM or DER)
   * @returns the verified answer. Whatever fails is a CheckTokenError
   */
  async check(token, request = {}) {
    check(typeof token === 'string' && /^[\x21-\x7e]{1,65536}$/.test(token), 'no-token')
    const deadline = Date.now() + this.#settings.seconds * 1000
    const response = await this.#post(token, deadline)
    const verified = await this.#reader.read(response, token, (header) => this.#platform.key(header, deadline))
    return answer(verified, await this.#proofs.fit(verified, token, request), this.#settings.identity)
  }

  /** Closes the connections that are kept. */
  close() {
    this.#platform.close()
  }

  async #post(token, deadline, again = true) {
    const { endpoint } = await this.#platform.current(deadline)
    const form = async () => new URLSearchParams({ ...(await this.#credentials()), token }).toString()
    const { status, headers, body } = await this.#platform.send(endpoint, deadline, form)
    const wait = 1000 * (headers['retry-after'] ?? NaN)
    if (again && status === 503 && Date.now() + wait < deadline) {
      await sleep(wait)
      return this.#post(token, deadline, false)
    }
    const name = `status-${status}`
    check(status === 200, REASONS[name] ? name : 'platform-error', `(${name}${described(body)})`)
    return { headers, body }
  }

  /** An assertion works once (RFC 7523). Its audience is the issuer of answers, which no other endpoint accepts. */
  async #credentials() {
    const { clientId, clientSecret, clientKey: { alg, kid } = {}, issuer, key } = this.#settings
    if (!key) return { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) }
    const claims = new SignJWT({ iss: clientId, sub: clientId, aud: issuer, jti: randomUUID() })
    const assertion = claims.setProtectedHeader({ alg, kid }).setIssuedAt().setExpirationTime('60s').sign(key)
    return { client_id: clientId, client_assertion_type: TYPE, client_assertion: await assertion }
  }
}
