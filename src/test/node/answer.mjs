// Reads an answer as the guide for data providers says, with jose and nothing of this project.
import { compactDecrypt, createRemoteJWKSet, importJWK, jwtVerify } from 'jose'

const realmKeys = new Map()

// One set for each realm: a batch fetches it once.
function keysOf(realm) {
  if (!realmKeys.has(realm)) {
    realmKeys.set(realm, createRemoteJWKSet(new URL(`${realm}/protocol/openid-connect/certs`)))
  }
  return realmKeys.get(realm)
}

/** @param dataProvider realm, clientId, privateKey (a JWK), and the algorithms agreed on: sig, alg, enc */
export async function open(jwe, dataProvider) {
  const { realm, clientId, privateKey, sig, alg, enc } = dataProvider
  const { plaintext, protectedHeader } = await compactDecrypt(jwe, await importJWK(privateKey, alg), {
    keyManagementAlgorithms: [alg],
    contentEncryptionAlgorithms: [enc],
  })
  // RFC 7519 section 5.2: what is inside is a JWT again.
  if (protectedHeader.cty !== 'JWT') throw new Error(`cty is ${protectedHeader.cty}`)

  const { payload } = await jwtVerify(plaintext, keysOf(realm), {
    algorithms: [sig],
    typ: 'token-introspection+jwt',
    issuer: `${realm}/api/v2`,
    audience: clientId,
    maxTokenAge: 60,
  })
  return payload.token_introspection
}
