import { CheckToken } from '../src/client.js'
import { SERVICE_PROVIDER, key, kit, startPlatform } from '../../testkit/mock-node/platform.js'

export { SERVICE_PROVIDER, key, kit, startPlatform }

/** @returns the token of the case */
export const token = (name) => kit.cases.find((found) => found.name === name).token

/** @returns the settings of one of the kit's clients */
export function settings(realm, { client_id: clientId, client_secret: clientSecret, agreed } = kit.clients[0]) {
  const privateKeys = [{ ...key(`data-provider-${agreed.kty}`), alg: agreed.jwe_alg }]
  return { realm, clientId, clientSecret, privateKeys, signature: agreed.jws_alg, contentEncryption: agreed.jwe_enc, seconds: 30 }
}

/** @returns a new client for which the platform is stopped at the end of the test */
export async function started(t, more = {}, platformOptions = {}) {
  const platform = await startPlatform(platformOptions)
  const client = new CheckToken({ ...settings(platform.realm), ...more })
  t.after(() => {
    client.close()
    platform.close()
  })
  return { platform, client }
}

/** @returns a number generator (mulberry32), so that a failure can be repeated with its seed */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
