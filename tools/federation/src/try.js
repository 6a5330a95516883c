import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { compactDecrypt, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { browserLogin, passwordLogin } from './login.js'

const TIMEOUT_MS = 60_000
const MEDIA_TYPE = 'application/token-introspection+jwt'

/**
 * The journey of one token, step by step: a person signs in at a service provider, and a data provider asks about the
 * access token. Prints no secret, and no token as a whole.
 *
 * @param files the .env files of both, and the private key of the data provider
 * @param variables the environment
 * @param print gets each line
 * @returns whether the data provider has learnt that the token is active
 */
export async function journey([spFile, dpFile, keyFile], variables, print) {
  const [sp, dp] = [readVariables(spFile), readVariables(dpFile)]
  const key = readKey(keyFile)
  const steps = new Printout(print)
  const metadata = await json(await ask(`${sp.REALM}/.well-known/openid-configuration`))

  steps.begin(`${sp.CLIENT_ID} sends the person to the realm`)
  const [verifier, state, nonce] = [random(), random(), random()]
  const address = new URL(metadata.authorization_endpoint)
  address.search = new URLSearchParams({
    client_id: sp.CLIENT_ID,
    response_type: 'code',
    redirect_uri: sp.REDIRECT_URI,
    scope: sp.SCOPE,
    claims: '{"id_token":{"amr":{"essential":true}}}',
    state,
    nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  steps.address('GET', address)

  const { PERSON: username = 'camille', PERSON_PASSWORD: password } = variables
  steps.begin(password ? `${username} signs in` : 'Open this address in a browser on this machine, and sign in')
  if (!password) print(address.href)
  const back = password
    ? await passwordLogin(address, sp.REDIRECT_URI, { username, password })
    : await browserLogin(sp.REDIRECT_URI)
  steps.address('back to', back)
  const answered = back.searchParams
  if (!answered.has('code')) throw new Error(`The login ended with ${answered.get('error')}: ${answered.get('error_description')}`)
  if (answered.get('state') !== state) throw new Error('This answer belongs to another login')

  steps.begin(`${sp.CLIENT_ID} redeems the code`)
  const tokens = await json(await steps.post(metadata.token_endpoint, {
    grant_type: 'authorization_code',
    client_id: sp.CLIENT_ID,
    client_secret: sp.CLIENT_SECRET,
    redirect_uri: sp.REDIRECT_URI,
    code: answered.get('code'),
    code_verifier: verifier,
  }))
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri))
  const { payload: idToken } = await jwtVerify(tokens.id_token, keys, { issuer: metadata.issuer, audience: sp.CLIENT_ID })
  if (idToken.nonce !== nonce) throw new Error('The ID token is of another login')
  steps.object('The ID token, verified:', idToken)
  steps.object('The access token, as everybody can read it who gets it:', decodeJwt(tokens.access_token))

  const ofAnswers = await json(await ask(`${dp.REALM}/api/v2/.well-known/openid-configuration`))
  steps.begin(`${dp.CLIENT_ID} asks checktoken about the access token`)
  const response = await steps.post(ofAnswers.introspection_endpoint, {
    client_id: dp.CLIENT_ID,
    client_secret: dp.CLIENT_SECRET,
    token: tokens.access_token,
  }, { Accept: MEDIA_TYPE })
  if (!response.ok) throw new Error(await problem(response))
  const encrypted = await response.text()
  print(`${response.headers.get('content-type')}: ${shortened(encrypted)}`)
  steps.object('The header of the encrypted answer:', decodeProtectedHeader(encrypted))

  steps.begin(`${dp.CLIENT_ID} decrypts the answer with its private key`)
  const { plaintext } = await compactDecrypt(encrypted, ({ alg, kid }) => importJWK(key(kid), alg))
  const signed = new TextDecoder().decode(plaintext)
  print(`A signed answer: ${shortened(signed)}`)
  steps.object('Its header:', decodeProtectedHeader(signed))

  steps.begin(`${dp.CLIENT_ID} verifies the signature of the realm, issuer, audience and type`)
  const { payload } = await jwtVerify(signed, createRemoteJWKSet(new URL(ofAnswers.jwks_uri)), {
    issuer: ofAnswers.issuer,
    audience: dp.CLIENT_ID,
    typ: 'token-introspection+jwt',
  })
  steps.object('The answer:', payload)
  return payload.token_introspection?.active === true
}

/** Prints numbered steps, requests and JSON. A value that could be used by whoever reads it is shortened. */
class Printout {
  #number = 0

  constructor(print) {
    this.print = print
  }

  begin(text) {
    this.print(`\n${++this.#number}. ${text}`)
  }

  address(method, { origin, pathname, searchParams }) {
    this.print(`${method} ${origin}${pathname}`)
    this.#fields(searchParams)
  }

  async post(url, fields, headers = {}) {
    this.print(`POST ${url}`)
    this.#fields(Object.entries(fields))
    const response = await ask(url, { method: 'POST', headers, body: new URLSearchParams(fields) })
    this.print(`Status ${response.status}`)
    return response
  }

  object(heading, value) {
    this.print(heading)
    this.print(JSON.stringify(value, null, 2))
  }

  #fields(fields) {
    for (const [name, value] of fields) {
      this.print(`  ${name}=${SECRET.includes(name) ? '…' : SHORTENED.includes(name) ? shortened(value) : value}`)
    }
  }
}

const SECRET = ['client_secret', 'code_verifier']
const SHORTENED = ['code', 'token']

function shortened(value) {
  return `${value.slice(0, 12)}… (${value.length} characters)`
}

function random() {
  return randomBytes(32).toString('base64url')
}

function ask(url, options) {
  return fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS), ...options })
}

async function json(response) {
  if (!response.ok) throw new Error(await problem(response))
  return response.json()
}

async function problem(response) {
  return `${response.url} answers ${response.status}: ${(await response.text()).slice(0, 300)}`
}

/** @returns the variables that own-realm.sh, the demo, or this tool has written for a provider */
function readVariables(path) {
  const lines = readFileSync(path, 'utf8').matchAll(/^export (\w+)='(.*)'$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value.replaceAll("'\\''", "'")]))
}

/** @returns a function from a kid to the JWK, from a file with a private JWK or a set of them */
function readKey(path) {
  let content
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // Not the message of the parser, which may quote the key.
    throw new Error(`${path} ${error.code ? `cannot be read (${error.code})` : 'is not JSON'}`)
  }
  const keys = content.keys ?? [content]
  return (kid) => keys.find((key) => key.kid === kid) ?? keys[0]
}
