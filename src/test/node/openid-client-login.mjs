// A service provider on openid-client: authorization code flow with PKCE, and amr asked for. With `addresses`, those of
// FranceConnect's API are written into its settings; otherwise it discovers all but api/v1/authorize.
// It runs twice. First it prints where to send the person, and what to remember; then it gets both and the callback.
import * as client from 'openid-client'
import { job } from './job.mjs'

// The tests' server speaks plain HTTP on the loopback.
const config = new client.Configuration(job.addresses ?? (await discovered()), job.clientId, job.secret)
client.allowInsecureRequests(config)
client.enableNonRepudiationChecks(config)

console.log(JSON.stringify(job.callback === undefined ? await begin() : await finish()))

async function discovered() {
  const realm = await client.discovery(new URL(job.realm), job.clientId, job.secret, undefined, {
    execute: [client.allowInsecureRequests],
  })
  return { ...realm.serverMetadata(), authorization_endpoint: `${job.realm}/api/v1/authorize` }
}

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
  const end = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: job.redirectUri.replace('callback', ''),
  })
  return { idToken: tokens.claims(), userinfo, end }
}
