// A data provider as its developers write one first: fetch, which sends "Accept: */*", and jose.
import { open } from './answer.mjs'
import { job } from './job.mjs'

const response = await fetch(`${job.realm}/api/v2/checktoken`, {
  method: 'POST',
  body: new URLSearchParams({ client_id: job.clientId, client_secret: job.secret, token: job.token }),
  redirect: 'error',
})
const body = await response.text()
if (response.status !== 200) throw new Error(`checktoken answered ${response.status} ${body}`)

console.log(JSON.stringify(await open(body, job)))
