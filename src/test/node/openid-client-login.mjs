// A service provider on openid-client: authorization code flow with PKCE through api/v1/authorize, and amr asked for.
// It runs twice. First it prints where to send the person, and what to remember; then it gets both and the callback.
import * as client from 'openid-client'
import { job } from './job.mjs'

const discovered = await client.discovery(
  new URL(job.realm),
  job.clientId,
  job.secret,
  undefined,
  // The tests' server speaks plain HTTP on the loopback.
  { execute: [client.allowInsecureRequests] },
)
// All the realm's own, but for the address that persons are sent to.
const config = new client.Configuration(
  { ...discovered.serverMetadata(), authorization_endpoint: `${job.realm}/api/v1/authorize` },
  job.clientId,
  job.secret,
)
client.allowInsecureRequests(config)
client.enableNonRepudiationChecks(config)

console.log(JSON.stringify(job.callback === undefined ? await begin() : await finish()))

async function begin() {
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const expectedNonce = client.randomNonce()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: job.redirectUri,
    scope: job.scope,
    acr_values: 'eidas1',
    claims: JSON.stringify({ id_token: { amr: { essential: true } } }),
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } }
}

async function finish() {
  const tokens = await client.authorizationCodeGrant(config, new URL(job.callback), job.checks)
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)
  return { idToken: tokens.claims(), userinfo }
}
