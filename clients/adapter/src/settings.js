import { readFileSync, statSync } from 'node:fs'

/** Its text has names of variables only: a value can be a secret by mistake, and a file another one. */
export class SettingsError extends Error {}

/** Read from environment variables. Secrets and keys are in files, so that no listing of processes shows them. */
export function settings(env) {
  const text = (name, file = env[name]) => (file ? attempt(() => readFileSync(file, 'utf8').trim(), `${name} names no file that can be read`) : undefined)
  const json = (name, file = env[name]) => file && attempt(() => JSON.parse(text(name, file)), `${name} names a file that has no JWK`)
  const needed = (name) => env[name] || fail(`${name} is not set`)
  const cacheSeconds = Number(env.CACHE_SECONDS ?? 0)
  if (!(cacheSeconds >= 0 && cacheSeconds <= 60)) fail('CACHE_SECONDS is not between 0 and 60')
  const { BOUND_TOKENS = 'refuse' } = env
  if (!['refuse', 'pass'].includes(BOUND_TOKENS)) fail('BOUND_TOKENS is neither refuse nor pass')
  const tls = env.TLS_CERT_FILE || env.TLS_CA_FILE
    ? { cert: text('TLS_CERT_FILE'), key: text('TLS_KEY_FILE'), ca: text('TLS_CA_FILE') }
    : undefined
  const list = (name) => env[name]?.split(' ')
  const optional = { signature: list('SIGNATURE'), contentEncryption: list('CONTENT_ENCRYPTION') }
  return {
    client: {
      realm: needed('REALM'),
      clientId: needed('CLIENT_ID'),
      clientSecret: text('CLIENT_SECRET_FILE'),
      clientKey: json('CLIENT_KEY_FILE'),
      privateKeys: paths(needed('PRIVATE_KEYS')).map((file) => json('PRIVATE_KEYS', file)),
      tls,
      connectTo: env.CONNECT_TO || undefined,
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)),
    },
    serverTls: env.LISTEN_TLS_CERT_FILE && { cert: text('LISTEN_TLS_CERT_FILE'), key: text('LISTEN_TLS_KEY_FILE') },
    listen: address(env.LISTEN, env.ALLOW_OTHER_MACHINES === 'yes'),
    callers: callers(text('CALLERS_FILE', needed('CALLERS_FILE'))),
    cacheSeconds,
    passBound: BOUND_TOKENS === 'pass',
  }
}

/** @returns what net.Server.listen takes: the path of a Unix socket, or an address of this machine */
export function address(listen = '127.0.0.1:8095', anywhere = false) {
  if (listen.startsWith('unix:')) return { path: listen.slice(5) }
  const [, host, port] = /^(.+):(\d+)$/.exec(listen) ?? fail('LISTEN is neither unix:PATH nor ADDRESS:PORT')
  const bare = host.replace(/^\[|\]$/g, '')
  if (!anywhere && !['127.0.0.1', '::1', 'localhost'].includes(bare)) {
    fail('LISTEN is reachable from other machines. If you protect it with TLS and a firewall, set ALLOW_OTHER_MACHINES=yes')
  }
  return { host: bare, port: Number(port) }
}

/** @returns a list of [name, secret] from lines `name:secret` */
function callers(lines) {
  const found = lines.split('\n').filter(Boolean).map((line) => /^([^:]+):(.{16,})$/.exec(line.trim())?.slice(1))
  if (found.length === 0 || found.includes(undefined)) {
    fail('CALLERS_FILE has no lines name:secret with secrets of 16 characters or more')
  }
  return found
}

/** @returns the files in a list with spaces. A space is part of a path if the shorter path is no file */
function paths(list) {
  const found = []
  let path = ''
  for (const word of list.split(' ')) {
    path = path ? `${path} ${word}` : word
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) path = void found.push(path) ?? ''
  }
  return path ? fail('PRIVATE_KEYS names no file that can be read') : found
}

function attempt(action, text) {
  try {
    return action()
  } catch {
    return fail(text)
  }
}

function fail(text) {
  throw new SettingsError(text)
}
