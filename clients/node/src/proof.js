import { X509Certificate, createHash } from 'node:crypto'
import { EmbeddedJWK, calculateJwkThumbprint, decodeProtectedHeader, jwtVerify } from 'jose'

export const SIGNATURE = /^((RS|PS|ES)(256|384|512)|EdDSA)$/
const MAX_AGE_SECONDS = 60
const MAX_REMEMBERED = 100_000

/** Whether a request proves the key or certificate that its token is bound to. It accepts each DPoP proof once. */
export class Proofs {
  #used = new Map()

  /** @returns false for a bound token without its proof, and for a DPoP proof with a token that is not bound to it */
  async fit({ cnf, active }, token, { dpop, certificate }) {
    if (!active || (cnf === undefined && !dpop)) return true
    const { jkt, 'x5t#S256': x5t, ...unknown } = Object(cnf)
    if (!(jkt || x5t) || Object.keys(unknown).length > 0) return false
    try {
      const certified = !x5t || sha256(new X509Certificate(certificate).raw) === x5t
      return certified && (jkt ? await this.#signed(dpop, token, jkt) : !dpop)
    } catch {
      return false
    }
  }

  /** RFC 9449, section 4.3. */
  async #signed({ proof, method, url }, token, jkt) {
    const { alg, jwk } = decodeProtectedHeader(proof)
    if (!SIGNATURE.test(alg) || (await calculateJwkThumbprint(jwk)) !== jkt) return false
    const { payload } = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt' })
    const fresh = Math.abs(Date.now() / 1000 - payload.iat) <= MAX_AGE_SECONDS
    const here = payload.htm === method && address(payload.htu) === address(url) && payload.ath === sha256(token)
    return fresh && here && this.#first(payload.jti)
  }

  #first(jti) {
    const now = Date.now()
    for (const [used, end] of this.#used) {
      if (end > now && this.#used.size < MAX_REMEMBERED) break
      this.#used.delete(used)
    }
    if (typeof jti !== 'string' || this.#used.has(sha256(jti))) return false
    return this.#used.set(sha256(jti), now + 2 * MAX_AGE_SECONDS * 1000)
  }
}

const sha256 = (data) => createHash('sha256').update(data).digest('base64url')
/** Without query and fragment. */
const address = (text) => new URL(text).href.split(/[?#]/)[0]
