import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** 128 bits in Base64. */
const SHORTEST = 22

/** @returns { secret } that somebody has put into a variable or a file, or { problem } */
export function givenSecret({ env, file }, folder, variables) {
  const secret = env ? variables[env] : read(resolve(folder, file))?.trim()
  if (!secret) return { problem: env ? `the variable ${env} of its secret is not set` : `${file} has no secret` }
  return secret.length < SHORTEST ? { problem: `its secret has fewer than ${SHORTEST} characters` } : { secret }
}

/**
 * The folder with what each provider needs, and with the salts. What is there is used again, so that a provider that
 * was removed by mistake comes back with its secret and its subjects.
 */
export class SecretFolder {
  constructor(path, realmUrl) {
    this.path = path
    this.realmUrl = realmUrl
  }

  /**
   * @param more other variables for the programs of the provider
   * @returns the secret of a client that has to be created
   */
  secret(clientId, more = {}) {
    const kept = this.keptSecret(clientId)
    if (kept) return kept
    const variables = { REALM: this.realmUrl, CLIENT_ID: clientId, CLIENT_SECRET: random(), ...more }
    const quoted = (value) => `'${value.replaceAll("'", "'\\''")}'`
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    this.#write(`${clientId}.env`, lines.join(''))
    return variables.CLIENT_SECRET
  }

  /** @returns the salt of a data provider that has none yet. Its subjects depend on the salt, so it never changes. */
  salt(clientId) {
    const kept = this.keptSalt(clientId)
    const salt = kept || random()
    if (!kept) this.#write(`${clientId}.salt`, `${salt}\n`)
    return salt
  }

  keptSecret(clientId) {
    return /^export CLIENT_SECRET='([^']+)'$/m.exec(read(join(this.path, `${clientId}.env`)))?.[1]
  }

  /** @returns when the kept secret was written, in seconds since the epoch */
  keptSecretTime(clientId) {
    return Math.floor(statSync(join(this.path, `${clientId}.env`)).mtimeMs / 1000)
  }

  keptSalt(clientId) {
    return read(join(this.path, `${clientId}.salt`))?.trim()
  }

  /** Never overwrites a file. */
  #write(name, content) {
    mkdirSync(this.path, { recursive: true, mode: 0o700 })
    writeFileSync(join(this.path, name), content, { mode: 0o600, flag: 'wx' })
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** 240 bits. */
function random() {
  return randomBytes(30).toString('base64url')
}
