import { readFileSync } from 'node:fs'

/** Read from environment variables. Secrets and keys are in files, so that no listing of processes shows them. */
export function settings(env) {
  const text = (name, file = env[name]) => (file ? readFileSync(file, 'utf8').trim() : undefined)
  const json = (file) => JSON.parse(readFileSync(file, 'utf8'))
  const needed = (name) => env[name] || fail(`${name} is not set`)
  const cacheSeconds = Number(env.CACHE_SECONDS ?? 0)
  if (!(cacheSeconds >= 0 && cacheSeconds <= 60)) fail('CACHE_SECONDS is not between 0 and 60')
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
      clientKey: env.CLIENT_KEY_FILE && json(env.CLIENT_KEY_FILE),
      privateKeys: needed('PRIVATE_KEYS').split(' ').map(json),
      tls,
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)),
    },
    serverTls: env.LISTEN_TLS_CERT_FILE && { cert: text('LISTEN_TLS_CERT_FILE'), key: text('LISTEN_TLS_KEY_FILE') },
    listen: address(env.LISTEN, env.ALLOW_OTHER_MACHINES === 'yes'),
    callers: callers(text('CALLERS_FILE', needed('CALLERS_FILE'))),
    cacheSeconds,
    passBound: env.BOUND_TOKENS !== 'refuse',
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

function fail(text) {
  throw new Error(text)
}
