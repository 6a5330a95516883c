// A form post that sends exactly the headers it is told: fetch and axios would add an Accept of their own.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { open } from './answer.mjs'
import { job } from './job.mjs'

const form = new URLSearchParams({ client_id: job.clientId, client_secret: job.secret, token: job.token }).toString()
const response = await new Promise((resolve, reject) =>
  request(`${job.realm}/api/v2/checktoken`, {
    method: 'POST',
    headers: {
      ...(job.accept === undefined ? {} : { Accept: job.accept }),
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': form.length,
    },
  })
    .on('response', resolve)
    .on('error', reject)
    .end(form),
)
const body = await text(response)
if (response.headers['content-type'] !== 'application/token-introspection+jwt') {
  throw new Error(`checktoken answered ${response.statusCode} ${response.headers['content-type']} ${body}`)
}

console.log(JSON.stringify(await open(body, job)))
