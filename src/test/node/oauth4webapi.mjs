// A data provider on oauth4webapi, from the discovery of our metadata to the verified answer.
import { compactDecrypt, importJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import { job } from './job.mjs'

// The tests' server speaks plain HTTP on the loopback.
const http = { [oauth.allowInsecureRequests]: true }
const issuer = new URL(`${job.realm}/api/v2`)
const discovery = await oauth.discoveryRequest(issuer, { ...http, algorithm: job.discovery })
const server = await oauth.processDiscoveryResponse(issuer, discovery)

// Registered, it is expected of the answer, and asked for with Accept. Without it the library expects RS256.
const client = { client_id: job.clientId, introspection_signed_response_alg: job.sig }
const privateKey = await importJWK(job.privateKey, job.alg)
const jweDecrypt = async (jwe) => {
  const { plaintext } = await compactDecrypt(jwe, privateKey, {
    keyManagementAlgorithms: [job.alg],
    contentEncryptionAlgorithms: [job.enc],
  })
  return new TextDecoder().decode(plaintext)
}

const secret = oauth.ClientSecretPost(job.secret)
const response = await oauth.introspectionRequest(server, client, secret, job.token, http)
const introspection = await oauth.processIntrospectionResponse(server, client, response, {
  [oauth.jweDecrypt]: jweDecrypt,
})
// Not part of processing: the library trusts TLS unless it is told to look at the signature.
await oauth.validateApplicationLevelSignature(server, response, http)

console.log(JSON.stringify(introspection))
