// Signs a person in, and asks how the person signed in (amr). Open the address that it prints.
// Needs Node 20 or later, and: npm install openid-client
import { createServer } from 'node:http'
import * as client from 'openid-client'

const missing = ['REALM', 'CLIENT_ID', 'CLIENT_SECRET', 'REDIRECT_URI', 'SCOPE'].filter((name) => !process.env[name])
if (missing.length > 0) {
  console.error(`Not set: ${missing.join(', ')}`)
  process.exit(1)
}
// The level of assurance that this service needs.
const { CLIENT_ID, CLIENT_SECRET, SCOPE, ACR = 'eidas1' } = process.env
const realm = process.env.REALM.replace(/\/+$/, '')
const callback = new URL(process.env.REDIRECT_URI)

const config = await client.discovery(
  new URL(realm),
  CLIENT_ID,
  CLIENT_SECRET,
  undefined,
  // Only for the demo, which has no TLS.
  realm.startsWith('http://localhost') ? { execute: [client.allowInsecureRequests] } : {},
)
// Without this line, openid-client does not verify the signature of the ID token.
client.enableNonRepudiationChecks(config)

// What each browser has to come back with. A real application keeps it in its session store, for some minutes.
const logins = new Map()

async function begin(response) {
  const login = client.randomState()
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
    idTokenExpected: true,
  }
  logins.set(login, checks)
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback.href,
    scope: SCOPE,
    acr_values: ACR,
    claims: JSON.stringify({ id_token: { amr: { essential: true } } }),
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  // Over TLS, add "; Secure".
  const cookie = `login=${login}; HttpOnly; SameSite=Lax; Path=/`
  response.writeHead(302, { location: url.href, 'set-cookie': cookie }).end()
}

async function finish(url, request, response) {
  const login = /(?:^|; )login=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  const checks = logins.get(login)
  logins.delete(login)
  if (!checks) throw new Error('This browser has not begun a login here')

  const tokens = await client.authorizationCodeGrant(config, url, checks)
  const claims = tokens.claims()
  if (claims.acr !== ACR) throw new Error(`The level of assurance is ${claims.acr}`)

  console.log('ID token:', JSON.stringify(claims))
  console.log('Two factors:', claims.amr?.includes('mfa') ?? false)
  console.log('Access token, only to try with:', tokens.access_token)
  response.end('You are signed in. The terminal shows the rest.')
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, callback)
  try {
    if (url.pathname === callback.pathname) await finish(url, request, response)
    else if (url.pathname === '/') await begin(response)
    else response.writeHead(404).end()
  } catch (error) {
    console.error('The login failed:', error.error ?? error.code ?? '', error.error_description ?? error.message)
    response.writeHead(400).end('The login failed. The terminal says why.')
  }
})
server.on('error', (error) => {
  const inUse = `Port ${callback.port} is in use. End the other program, or register another REDIRECT_URI.`
  console.error(error.code === 'EADDRINUSE' ? inUse : error.message)
  process.exit(1)
})
server.listen(callback.port, 'localhost', () => console.log(`Open ${callback.origin}/`))
