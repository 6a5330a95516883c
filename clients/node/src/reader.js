import { createPrivateKey } from 'node:crypto'
import { compactDecrypt, compactVerify } from 'jose'
import { attempt, check, object } from './error.js'

const TYPE = 'token-introspection+jwt'
/** By how much the clocks may differ. */
const SECONDS = 60

/** Decrypts and verifies answers (RFC 9701, section 5) in the order of the data provider guide. */
export class AnswerReader {
  #agreed

  /** @param agreed issuer, clientId, privateKeys (JWKs with `alg`), signature and contentEncryption (lists) */
  constructor(agreed) {
    const privateKeys = agreed.privateKeys.map((jwk) => ({ key: privateKey(jwk), kid: jwk.kid, alg: jwk.alg }))
    this.#agreed = { ...agreed, privateKeys }
  }

  /** @returns the member token_introspection */
  async read({ headers, body }, asked, realmKey) {
    check(/^application\/token-introspection\+jwt *(;|$)/i.test(headers['content-type']), 'wrong-content-type')
    return this.#accept(await this.#verify(await this.#decrypt(body), realmKey), asked)
  }

  async #decrypt(body) {
    const { privateKeys, contentEncryption } = this.#agreed
    check(body.split('.', 4).length !== 3, 'not-encrypted')
    const { alg, enc, kid, cty, zip } = header(body, 5)
    check(privateKeys.some((own) => own.alg === alg), 'wrong-key-encryption')
    check(contentEncryption.includes(enc), 'wrong-content-encryption')
    check(zip === undefined, 'compressed')
    check(String(cty).toUpperCase() === 'JWT', 'not-signed')
    const own = check(privateKeys.find((key) => key.kid === kid && key.alg === alg), 'unknown-decryption-key')
    const { plaintext } = await compactDecrypt(body, own.key).catch(() => check(false, 'decryption-failed'))
    return Buffer.from(plaintext).toString()
  }

  async #verify(jws, realmKey) {
    check(jws.split('.', 4).length === 3, 'not-signed')
    const found = header(jws, 3)
    check(found.alg !== 'none', 'unsecured')
    check(this.#agreed.signature.includes(found.alg), 'wrong-signature-algorithm')
    check(!['jwk', 'jku', 'x5c', 'x5u'].some((name) => name in found), 'key-in-header')
    check(found.typ === TYPE, 'wrong-type')
    check(typeof found.kid === 'string', 'unknown-key')
    const { payload } = await compactVerify(jws, await realmKey(found)).catch(() => check(false, 'wrong-signature'))
    return object(Buffer.from(payload), 'malformed')
  }

  #accept({ iss, aud, iat, exp, nbf, token_introspection: token }, asked) {
    const now = Date.now() / 1000
    check(iss === this.#agreed.issuer, 'wrong-issuer')
    check([aud].flat().length === 1 && [aud].flat()[0] === this.#agreed.clientId, 'wrong-audience')
    check(typeof iat === 'number', 'missing-iat')
    check(iat <= now + SECONDS, 'issued-in-the-future')
    check(iat >= now - SECONDS, 'issued-too-long-ago')
    check(seconds(exp, now) > now - SECONDS, 'answer-expired')
    check(seconds(nbf, now) <= now + SECONDS, 'answer-not-yet-valid')
    check(token !== undefined, 'missing-introspection')
    check(token instanceof Object && !Array.isArray(token), 'malformed-introspection')
    check(typeof token.active === 'boolean', 'malformed-active')
    if (!token.active) return { active: false }
    const texts = ['client_id', 'scope', ...('acr' in token ? ['acr'] : [])].every((name) => typeof token[name] === 'string')
    check(texts && (token.cnf === undefined || token.cnf instanceof Object), 'malformed-introspection')
    // A platform can be set to name nobody in an answer without scopes.
    check(typeof token.sub === 'string' || token.scope === '', 'missing-subject')
    check(seconds(token.exp, now) > now - SECONDS, 'token-expired')
    // The platform's tokens are JWTs with a jti. Only by that, an answer is not about another one.
    const { jti } = object(Buffer.from(asked.split('.')[1] ?? '', 'base64url')) ?? {}
    check(typeof jti === 'string' && jti === token.jti, 'other-token')
    return token
  }
}

/** @returns NaN, which is neither before nor after any time, for what is no number */
function seconds(value, otherwise) {
  return value === undefined ? otherwise : typeof value === 'number' ? value : NaN
}

export function privateKey(jwk) {
  check(!Array.isArray(jwk?.keys), 'settings-key-set')
  const key = check(attempt(() => createPrivateKey({ key: jwk, format: 'jwk' })), 'settings-key-public')
  return check(jwk.alg && key, 'settings-key-alg')
}

/** @returns the header of a compact JWE or JWS. base64url has to be in its only spelling, or changed copies would pass */
function header(compact, parts) {
  const all = compact.split('.', parts + 1)
  const only = (part) => Buffer.from(part, 'base64url').toString('base64url') === part
  check(all.length === parts && all.every(only), 'malformed')
  const found = object(Buffer.from(all[0], 'base64url'), 'malformed')
  check(!('crit' in found), 'critical-header')
  return found
}
