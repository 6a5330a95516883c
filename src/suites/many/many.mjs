import { readFileSync } from 'node:fs'
import { CheckToken } from '@checktoken/client'

const { REALM, CLIENT_ID, CLIENT_SECRET, PRIVATE_KEYS, CONNECT_TO, TOKEN, CHECKS, BARE } = process.env
const checkToken = new CheckToken({
  realm: REALM,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  privateKeys: [JSON.parse(readFileSync(PRIVATE_KEYS, 'utf8'))],
  connectTo: CONNECT_TO,
})
const form = new URLSearchParams({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, token: TOKEN })

async function library() {
  return (await checkToken.check(TOKEN)).unchecked().active ? 'active' : 'inactive'
}

async function bare() {
  const response = await fetch(`${REALM}/api/v2/checktoken`, { method: 'POST', body: form })
  await response.text()
  return String(response.status)
}

async function burst(name, call) {
  const milliseconds = []
  const counts = {}
  await Promise.all(Array.from({ length: Number(CHECKS) }, async () => {
    const begun = performance.now()
    const outcome = await call().catch((error) => error.reason ?? 'failed')
    milliseconds.push(performance.now() - begun)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }))
  milliseconds.sort((a, b) => a - b)
  console.log(JSON.stringify({ name, counts, p99: Math.round(milliseconds[Math.ceil(milliseconds.length * 0.99) - 1]) }))
}

await burst('library', library)
if (BARE) await burst('bare', bare)
checkToken.close()
