// A data provider on openid-client, as the guide for data providers shows it, but for HTTP Basic or private_key_jwt.
import { importJWK } from 'jose'
import * as client from 'openid-client'
import { job } from './job.mjs'

const authentication =
  job.assertionKey === undefined
    ? client.ClientSecretBasic(job.secret)
    : client.PrivateKeyJwt({ key: await importJWK(job.assertionKey), kid: job.assertionKey.kid })

const config = await client.discovery(
  new URL(`${job.realm}/api/v2`),
  job.clientId,
  { introspection_signed_response_alg: job.sig },
  authentication,
  // The tests' server speaks plain HTTP on the loopback.
  { execute: [client.allowInsecureRequests] },
)
// It chooses the key by the kid in the JWE header.
client.enableDecryptingResponses(config, [job.enc], {
  key: await importJWK(job.privateKey, job.alg),
  kid: job.privateKey.kid,
})
// Without this it verifies no signature.
client.enableNonRepudiationChecks(config)

console.log(JSON.stringify(await client.tokenIntrospection(config, job.token)))
