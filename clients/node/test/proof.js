import { createHash, randomUUID } from 'node:crypto'
import { SignJWT, importJWK } from 'jose'
import { SERVICE_PROVIDER } from './support.js'

export const URL_OF_API = 'https://dp.example.org/income?year=2025'

/** @returns a right DPoP proof of the kit's service provider, if nothing is changed */
export async function proof(token, { claims = {}, header = {}, key = SERVICE_PROVIDER, ...request } = {}) {
  const { kty, crv, x, y } = key
  const ath = createHash('sha256').update(token).digest('base64url')
  const payload = { jti: randomUUID(), htm: 'GET', htu: 'https://dp.example.org/income', iat: Math.floor(Date.now() / 1000), ath }
  const signed = await new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: { kty, crv, x, y }, ...header })
    .sign(await importJWK(key, 'ES256'))
  return { proof: signed, method: 'GET', url: URL_OF_API, ...request }
}
