// Checks an access token, given as the argument or on the standard input. Needs Node 20 or later, and the library:
// npm install --install-links /path/to/checkout/clients/node
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { CheckToken } from '@checktoken/client'

const { REALM, CLIENT_ID, CLIENT_SECRET, PRIVATE_KEYS = 'private.jwk.json' } = process.env

async function main() {
  const missing = ['REALM', 'CLIENT_ID', 'CLIENT_SECRET'].filter((name) => !process.env[name])
  if (missing.length > 0) throw new Error(`Not set: ${missing.join(', ')}`)
  const token = (process.argv[2] ?? (process.stdin.isTTY ? '' : await text(process.stdin))).trim()
  if (!token) throw new Error('No access token, neither as the argument nor on the standard input')
  // A server makes one, and keeps it.
  const checkToken = new CheckToken({
    realm: REALM,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    privateKeys: PRIVATE_KEYS.split(' ').map(privateKey),
  })
  const answer = await checkToken.check(token)
  // Only to look at it. Your API does: const person = answer.require('tax_income').person()
  console.log(JSON.stringify(answer.unchecked(), null, 2))
  checkToken.close()
}

function privateKey(file) {
  const content = readFileSync(file, 'utf8')
  try {
    return JSON.parse(content)
  } catch {
    // The message of JSON.parse has a part of the key.
    throw new Error(`${file} is not JSON`)
  }
}

main().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
