// The benchmark's peer: node-oidc-provider with an in-memory adapter. It issues one access token, which it describes to
// one client in answers of RFC 9701: ES256, RSA-OAEP-256. Settings come on the standard input, because one is a secret.
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'

const { secret, encryptionKey, claims } = JSON.parse(await text(process.stdin))
const LIFETIME_SECONDS = 36_000

class MemoryAdapter {
  #stored = new Map()

  async find(id) {
    return this.#stored.get(id)
  }

  async upsert(id, payload) {
    this.#stored.set(id, payload)
  }
}

const server = createServer()
await once(server.listen(0, '127.0.0.1'), 'listening')
const issuer = `http://localhost:${server.address().port}`

const signingKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
const provider = new Provider(issuer, {
  adapter: MemoryAdapter,
  ttl: { AccessToken: LIFETIME_SECONDS, Grant: LIFETIME_SECONDS },
  jwks: { keys: [{ ...signingKey, use: 'sig', alg: 'ES256' }] },
  clientDefaults: {
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    response_types: [],
    id_token_signed_response_alg: 'ES256',
    introspection_signed_response_alg: 'ES256',
  },
  clients: [
    { client_id: 'service-provider', client_secret: secret, redirect_uris: [] },
    {
      client_id: 'data-provider',
      client_secret: secret,
      redirect_uris: [],
      jwks: { keys: [encryptionKey] },
      introspection_encrypted_response_alg: 'RSA-OAEP-256',
      introspection_encrypted_response_enc: 'A256GCM',
    },
  ],
  extraTokenClaims: () => claims,
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    encryption: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    jwtIntrospection: { enabled: true },
  },
})
server.on('request', provider.callback())

const person = { clientId: 'service-provider', accountId: 'person-0' }
const token = await new provider.AccessToken({
  client: await provider.Client.find(person.clientId),
  accountId: person.accountId,
  grantId: await new provider.Grant(person).save(),
  scope: 'openid',
  aud: 'data-provider',
}).save()

console.log(JSON.stringify({ issuer, token }))
