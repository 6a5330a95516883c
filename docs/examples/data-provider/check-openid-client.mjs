// Checks an access token, given as the argument or on the standard input.
// Needs Node 20 or later, and: npm install openid-client jose
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { importJWK } from 'jose'
import * as client from 'openid-client'

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
  // The time-out of openid-client is not enough: once the headers are there, Node can forget it.
  return Promise.race([ask(token), late]).finally(() => clearTimeout(timer))
}

async function ask(token) {
  const realm = REALM.replace(/\/+$/, '')
  // A server keeps the configuration.
  const config = await client.discovery(
    new URL(`${realm}/api/v2`),
    CLIENT_ID,
    { introspection_signed_response_alg: SIGNATURE },
    client.ClientSecretPost(CLIENT_SECRET),
    {
      // Only for the demo, which has no TLS.
      execute: new URL(realm).hostname === 'localhost' ? [client.allowInsecureRequests] : [],
      timeout: SECONDS,
    },
  )
  client.enableDecryptingResponses(config, [CONTENT_ENCRYPTION], ...(await privateKeys()))
  // Without this line, openid-client does not verify signatures.
  client.enableNonRepudiationChecks(config)
  config[client.customFetch] = fetchAnswer
  // It can say active: false. Steps 8 to 11 of the guide are the caller's.
  return client.tokenIntrospection(config, token)
}

/** The message of JSON.parse has a part of the key. */
function parsed(file, content) {
  try {
    return JSON.parse(content)
  } catch {
    throw new Error(`${file} is not JSON`)
  }
}

async function privateKeys() {
  const keys = PRIVATE_KEYS.split(' ').map(async (file) => {
    const jwk = parsed(file, await readFile(file, 'utf8'))
    return { key: await importJWK(jwk), kid: jwk.kid, alg: jwk.alg }
  })
  return Promise.all(keys)
}

/** Tells nothing else of the body, which could be an answer. */
function reason(body) {
  try {
    const { error, error_description } = JSON.parse(body)
    return `${error} ${error_description}`
  } catch {
    return 'no JSON'
  }
}

/** Refuses answers that are not encrypted, because openid-client also accepts plain JSON and a JWT that is only signed. */
async function fetchAnswer(url, options) {
  const response = await fetch(url, options)
  if (options.method !== 'POST') return response
  const body = await response.text()
  if (response.status !== 200) throw new Error(`checktoken answered ${response.status}: ${reason(body)}`)
  if (body.split('.', 6).length !== 5) throw new Error('The answer is not encrypted')
  return new Response(body, response)
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
