import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import http from 'node:http'
import { respond } from './answers.js'
import { createServer, disturbed, published } from './faults.js'
import { PLATFORM_KEYS, SERVICE_PROVIDER, key, kit, publicKey } from './kit.js'
import { lied } from './lies.js'
import { caseOfRealm, keysOf, metadataCases, metadataOf } from './metadata.js'

export { SERVICE_PROVIDER, key, kit }

const ERRORS = {
  400: { error: 'invalid_request', error_description: 'Required parameter missing or invalid.' },
  401: { error: 'invalid_client', error_description: 'Client authentication failed.' },
  404: { error: 'not_found' },
  405: { error: 'invalid_request', error_description: 'Use POST.' },
}

const CHECKS = ['/api/v2/checktoken', '/checktoken']
const DOCUMENTS = ['openid-configuration', 'oauth-authorization-server'].map((name) => `/api/v2/.well-known/${name}`)

/** @returns the case that a token asks for: its claim `case` does, or its short form `case.NAME` */
function caseOf(token) {
  const [, named] = /"case":\s*"([^"]+)"/.exec(Buffer.from(token.split('.')[1] ?? '', 'base64url')) ?? []
  return kit.cases.find((found) => [found.token, `case.${found.name}`].includes(token)) ?? kit.cases.find(({ name }) => name === named)
}

/**
 * Starts the mock platform, and another host to which it redirects.
 * @param tls with TLS, and for client certificates: the service provider's certificate is that of both sides. Or
 *   options of node:tls, for a certificate of yours
 * @param faults names of `network.json`
 * @param origin by which it is known, if it is not where it listens, such as https://platform.example or
 *   http://localhost:{port}
 * @returns origin, realm, `calls` (a function: how many there were), `elsewhere` (the same) and `close`
 */
export async function startPlatform({ port = 0, host = '127.0.0.1', tls = false, faults = [], origin } = {}) {
  const used = new Set()
  const counts = { calls: 0, elsewhere: 0, keys: 0, first: new Map(), roll: 0 }
  const keys = PLATFORM_KEYS.map((jwk) => ({ ...publicKey(jwk), kid: jwk.kid, use: 'sig', alg: jwk.alg }))
  const other = await listen(http.createServer(), 0, host)
  const server = await listen(createServer(faults, tls === true ? certificate() : tls), port, host)
  const at = (some, scheme) => `${scheme}://${host}:${some.address().port}`
  const port_ = server.address().port
  const address = at(server, tls ? 'https' : 'http')
  const names = { address, origin: origin?.replace('{port}', port_) ?? address, elsewhere: at(other, 'http'), elsewhere_host: at(other, '').slice(3) }
  const inRealm = (realm) => ({ ...names, realm_url: names.origin + realm, issuer: `${names.origin}${realm}/api/v2` })
  Object.assign(names, inRealm(kit.realm))
  other.on('request', (request, response) => {
    counts.elsewhere += 1
    send(response, respond(kit.cases[0], kit.clients[0], names))
  })

  function roll(signer, alg) {
    counts.roll += 1
    const kid = `platform-${alg}-roll-${counts.roll}`
    const kept = keys.filter((jwk) => !jwk.kid.includes('-roll-'))
    keys.splice(0, keys.length, ...kept, { ...publicKey(signer), kid, use: 'sig', alg })
    return kid
  }

  async function check(request, realm, liar) {
    if (request.method !== 'POST') return json(405)
    let text = ''
    for await (const chunk of request) text += chunk
    const form = new URLSearchParams(text)
    const { client, status } = authenticate(form, request, realm.issuer, used)
    if (!client) return json(status)
    if (form.getAll('token').length !== 1 || !form.get('token')) return json(400)
    counts.calls += 1
    const inactive = { introspection: 'inactive' }
    const found = caseOf(form.get('token')) ?? inactive
    if (found.http?.first) {
      const name = `${client.client_id} ${found.name}`
      counts.first.set(name, (counts.first.get(name) ?? 0) + 1)
      if (counts.first.get(name) % 2 === 1) return found.http.first
    }
    const http = { ...found.http, first: null, ...liar?.http }
    return respond({ ...found, http }, client, realm, roll, (claims) => lied(claims, liar?.odd_claims))
  }

  function get(path, realm, found = {}) {
    if (path === '/protocol/openid-connect/certs') {
      counts.keys += 1
      return text(keysOf(found, published(faults, keys)))
    }
    if (DOCUMENTS.includes(path)) return text(metadataOf(found, lied(metadata(realm), found.odd_metadata), realm))
    return json(404)
  }

  function list(path) {
    if (path === '/cases') return json(200, { cases: kit.cases.map((found) => ({ client: kit.clients[0].client_id, ...found })) })
    if (path === '/elsewhere') return json(200, { calls: counts.elsewhere })
    if (path === '/metadata-cases') return json(200, { cases: metadataCases.map((one) => ({ ...one, realm: `${names.origin}/realms/${one.name}` })) })
    return json(404)
  }

  server.on('request', async (request, response) => {
    const { pathname } = new URL(request.url, names.origin)
    const [, realmPath, name, path = ''] = /^(\/realms\/([^/]+))(\/.+)$/.exec(pathname) ?? []
    const found = name && caseOfRealm(name)
    const checks = CHECKS.includes(path)
    const realm = inRealm(realmPath)
    const at = checks ? 'answer' : path.endsWith('certs') ? 'keys' : 'metadata'
    try {
      if (found?.raw_at === at) return void request.resume().on('end', () => response.socket.end(found.raw))
      const closes = checks && (await disturbed(faults, request))
      if (!name || (!found && realmPath !== kit.realm)) return send(response, list(pathname))
      const answer = checks ? await check(request, realm, found) : get(path, realm, found)
      if (closes) return response.socket.destroy()
      send(response, answer)
    } catch (error) {
      if (!request.destroyed) console.error(error)
      response.writeHead(500).end()
    }
  })

  const close = () => [server, other].forEach((some) => some.close() && some.closeAllConnections?.())
  return { ...names, realm: names.realm_url, port: port_, server, keys, counts, close }
}

function metadata({ issuer, realm_url: realm }) {
  const agreed = (name) => [...new Set(kit.clients.map((client) => client.agreed[name]))]
  return {
    issuer,
    introspection_endpoint: `${issuer}/checktoken`,
    jwks_uri: `${realm}/protocol/openid-connect/certs`,
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    introspection_endpoint_auth_signing_alg_values_supported: ['ES256'],
    introspection_signing_alg_values_supported: agreed('jws_alg'),
    introspection_encryption_alg_values_supported: agreed('jwe_alg'),
    introspection_encryption_enc_values_supported: agreed('jwe_enc'),
  }
}

/** @returns the client, or the status of the error */
function authenticate(form, request, issuer, used) {
  const named = (id) => kit.clients.find((client) => client.client_id === id)
  const [, basic] = /^Basic (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64').toString().split(':', 2).map(decodeURIComponent)
    : [form.get('client_id'), form.get('client_secret')]
  const assertion = form.get('client_assertion')
  if (assertion) return accepted(named(!used.has(assertion) && used.add(assertion) && assertionIssuer(assertion, issuer)))
  if (request.socket.getPeerCertificate?.().raw) return accepted(named(id))
  if (!id || !secret) return { status: 400 }
  const client = named(id)
  return accepted(client?.client_secret === secret ? client : undefined)
}

const accepted = (client) => (client ? { client } : { status: 401 })

function assertionIssuer(assertion, issuer) {
  try {
    const [header, payload, signature] = assertion.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url'))
    const signer = createPublicKey({ key: publicKey(key('data-provider-assertion')), format: 'jwk' })
    const input = Buffer.from(`${header}.${payload}`)
    const good = verify('sha256', input, { key: signer, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
    const fits = claims.aud === issuer && claims.iss === claims.sub && claims.exp > Date.now() / 1000 && claims.jti
    return good && fits ? claims.iss : undefined
  } catch {
    return undefined
  }
}

const text = (body) => ({ ...json(200, {}), body })

function json(status, body = ERRORS[status]) {
  return { status, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }, body: JSON.stringify(body) }
}

function send(response, { status, headers, body, stall }) {
  // Hangs, until the platform is stopped.
  if (body === undefined) return
  const bytes = Buffer.from(body)
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length })
  if (stall) response.write(bytes.subarray(0, bytes.length / 2))
  else response.end(bytes)
}

function certificate() {
  const cert = `-----BEGIN CERTIFICATE-----\n${SERVICE_PROVIDER.x5c[0]}\n-----END CERTIFICATE-----\n`
  const privateKey = createPrivateKey({ key: SERVICE_PROVIDER, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' })
  return { cert, key: privateKey, ca: cert, requestCert: true, rejectUnauthorized: true }
}

function listen(server, port, host) {
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, host, () => resolve(server)))
}
