import http from 'node:http'
import https from 'node:https'
import { address } from './settings.js'

/** For a container: ends with 0 if the adapter that has the same settings can answer. */
const { path, ...server } = address(process.env.LISTEN, true)
// With TLS, the certificate need not name the address: nothing is sent that is secret.
const options = { ...server, socketPath: path, path: '/health', rejectUnauthorized: false, timeout: 5_000 }
const request = (process.env.LISTEN_TLS_CERT_FILE ? https : http).get(options, ({ statusCode }) => end(statusCode === 200))
request.on('error', () => end(false)).on('timeout', () => end(false))

function end(healthy) {
  process.exit(healthy ? 0 : 1)
}
