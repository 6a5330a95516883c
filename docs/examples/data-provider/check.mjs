// Checks an access token, given as the argument or on the standard input.
// Needs Node 20 or later, and: npm install jose
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { compactDecrypt, createRemoteJWKSet, importJWK, jwtVerify } from 'jose'

// As agreed with the platform. The key encryption is the alg of the private key.
const SIGNATURE = 'ES256'
const CONTENT_ENCRYPTION = 'A256GCM'
const SECONDS = 10

const { REALM, CLIENT_ID, CLIENT_SECRET, PRIVATE_KEYS = 'private.jwk.json' } = process.env

async function check(token) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, SECONDS * 1000, new Error(`No answer within ${SECONDS} seconds`))
  })
  // The signal of fetch is not enough: once the headers are there, Node can forget it.
  return Promise.race([ask(token), late]).finally(() => clearTimeout(timer))
}

async function ask(token) {
  const realm = REALM.replace(/\/+$/, '')
  const response = await fetch(`${realm}/api/v2/checktoken`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, token }),
    redirect: 'error',
    signal: AbortSignal.timeout(SECONDS * 1000),
  })
  const body = await response.text()
  if (response.status !== 200) throw new Error(`checktoken answered ${response.status}: ${body}`)

  const { plaintext } = await compactDecrypt(body, privateKey, {
    contentEncryptionAlgorithms: [CONTENT_ENCRYPTION],
  })
  // A server keeps this function: it keeps the realm's keys, and loads them again when it needs a new one.
  const realmKeys = createRemoteJWKSet(new URL(`${realm}/protocol/openid-connect/certs`))
  const { payload } = await jwtVerify(plaintext, realmKeys, {
    algorithms: [SIGNATURE],
    typ: 'token-introspection+jwt',
    issuer: `${realm}/api/v2`,
    audience: CLIENT_ID,
    requiredClaims: ['iat', 'token_introspection'],
  })
  const age = Date.now() / 1000 - payload.iat
  if (!(Math.abs(age) <= 60)) throw new Error('The answer was made at another time')
  // It can say active: false. Steps 8 to 11 of the guide are the caller's.
  return payload.token_introspection
}

/** Finds the key that the header of the answer names. While you change keys there are two. */
async function privateKey({ kid, alg }) {
  for (const file of PRIVATE_KEYS.split(' ')) {
    const jwk = JSON.parse(await readFile(file, 'utf8'))
    if (jwk.kid === kid && jwk.alg === alg) return importJWK(jwk)
  }
  throw new Error(`No private key has kid ${kid} and alg ${alg}`)
}

async function main() {
  const missing = ['REALM', 'CLIENT_ID', 'CLIENT_SECRET'].filter((name) => !process.env[name])
  if (missing.length > 0) throw new Error(`Not set: ${missing.join(', ')}`)
  const token = (process.argv[2] ?? (process.stdin.isTTY ? '' : await text(process.stdin))).trim()
  if (!token) throw new Error('No access token, neither as the argument nor on the standard input')
  console.log(JSON.stringify(await check(token), null, 2))
}

main().catch((error) => {
  console.error([error.message, error.cause?.message].filter(Boolean).join(': '))
  process.exit(1)
})
