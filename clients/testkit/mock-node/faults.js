import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { readFileSync } from 'node:fs'

/** What surrounds a call: cases, and odd keys. */
export const network = JSON.parse(readFileSync(new URL('../network.json', import.meta.url), 'utf8'))

const STREAMS = 100
const SLOW_MILLISECONDS = 50

/** @returns a server, with TLS if there are options for it; for `http2`, with at most 100 streams a connection */
export function createServer(faults, tls) {
  const settings = { maxConcurrentStreams: STREAMS }
  if (faults.includes('http2')) return http2.createSecureServer({ ...tls, settings, allowHTTP1: true })
  return tls ? https.createServer(tls) : http.createServer()
}

/** @returns the keys to publish */
export function published(faults, keys) {
  return faults.includes('odd-keys') ? [...network.odd_keys, ...keys] : keys
}

/** Waits. @returns whether the connection is to be closed in place of an answer: at its second check */
export async function disturbed(faults, { socket }) {
  if (faults.includes('slow')) await setTimeout(SLOW_MILLISECONDS)
  if (!faults.includes('closes')) return false
  socket.checks = (socket.checks ?? 0) + 1
  return socket.checks === 2
}
