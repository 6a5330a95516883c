// Signs the administrator in: OpenID Connect with the code flow, PKCE, state and nonce. The tokens stay in memory.
import { currentLanguage, chooseLanguage } from './language.js'

const CLIENT = 'data-providers-page'
const REQUEST = 'data-providers-page.request'

const page = location.origin + location.pathname
const realmUrl = page.replace(/\/data-providers\/?$/, '')
const api = realmUrl.replace(/\/realms\/([^/]+)$/, '/admin/realms/$1/checktoken/')

/** The name of the realm. */
export const realm = decodeURIComponent(realmUrl.split('/').pop())

/** What the server answers instead of data. */
export class Refusal extends Error {
  constructor(status) {
    super(`Status ${status}`)
    this.status = status
  }
}

let server
let accessToken
let username
let tokenWasAccepted = false

export const user = () => username
export const issuer = () => server.issuer

/**
 * @returns whether somebody is signed in. Otherwise the browser leaves the page.
 * @throws if the sign-in has failed
 */
export async function ensureSignedIn() {
  const answer = new URLSearchParams(location.search)
  const stored = sessionStorage.getItem(REQUEST)
  sessionStorage.removeItem(REQUEST)
  const request = JSON.parse(stored)
  chooseLanguage(request ? [request.language] : (answer.get('ui_locales')?.split(' ') ?? navigator.languages))
  history.replaceState(null, '', page + (request?.hash ?? location.hash))
  server = await json(await fetch(`${realmUrl}/.well-known/openid-configuration`))
  if (request && answer.has('error')) throw new Error(answer.get('error'))
  if (request && answer.has('code')) {
    await redeem(answer, request)
    return true
  }
  await signIn()
  return false
}

async function signIn() {
  const [state, nonce, verifier] = [random(), random(), random()]
  const request = { state, nonce, verifier, language: currentLanguage(), hash: location.hash }
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  sessionStorage.setItem(REQUEST, JSON.stringify(request))
  const parameters = new URLSearchParams({
    client_id: CLIENT,
    redirect_uri: page,
    response_type: 'code',
    scope: 'openid',
    state,
    nonce,
    code_challenge: base64Url(new Uint8Array(challenge)),
    code_challenge_method: 'S256',
    ui_locales: currentLanguage(),
  })
  location.assign(`${server.authorization_endpoint}?${parameters}`)
}

async function redeem(answer, request) {
  if (answer.get('state') !== request.state || answer.get('iss') !== server.issuer) throw new Error('state')
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: CLIENT,
    redirect_uri: page,
    code: answer.get('code'),
    code_verifier: request.verifier,
  })
  // At the origin of this page, which can differ from the one of the login.
  const tokens = await json(await fetch(`${realmUrl}/protocol/openid-connect/token`, { method: 'POST', body }))
  const claims = JSON.parse(new TextDecoder().decode(fromBase64Url(tokens.id_token.split('.')[1])))
  const isForUs = claims.iss === server.issuer && [claims.aud].flat().includes(CLIENT)
  if (!isForUs || claims.nonce !== request.nonce) throw new Error('id_token')
  accessToken = tokens.access_token
  username = claims.preferred_username
}

/** Keycloak asks whether to sign out, because the address has no ID token. */
export const signOutUrl = () =>
  `${server.end_session_endpoint}?${new URLSearchParams({ client_id: CLIENT, post_logout_redirect_uri: page })}`

/**
 * Asks the administrators' view. If the token has expired, the browser leaves the page to get another one.
 *
 * @returns the JSON, and the headers of the response
 * @throws {Refusal}
 */
export async function ask(path, parameters = {}) {
  const query = new URLSearchParams({ ...parameters, language: currentLanguage() })
  const response = await fetch(`${api}${path}?${query}`, { headers: { Authorization: `Bearer ${accessToken}` } })
  if (response.status === 401 && tokenWasAccepted) {
    await signIn()
    return new Promise(() => {})
  }
  const body = await json(response)
  tokenWasAccepted = true
  return { body, headers: response.headers }
}

async function json(response) {
  if (!response.ok) throw new Refusal(response.status)
  return response.json()
}

const random = () => base64Url(crypto.getRandomValues(new Uint8Array(32)))

const base64Url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64Url = (encoded) =>
  Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
