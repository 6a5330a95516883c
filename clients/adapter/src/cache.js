import { createHash } from 'node:crypto'

const MAX_ENTRIES = 10_000

/** Active answers for some seconds, if an administrator asked for it. Tokens are kept as hashes only. */
export class Cache {
  #entries = new Map()
  #milliseconds

  constructor(seconds) {
    this.#milliseconds = seconds * 1000
  }

  get(token) {
    const entry = this.#entries.get(name(token))
    return entry && Date.now() < entry.until ? entry.answer : undefined
  }

  /** Never longer than the token is valid. */
  put(token, answer) {
    const until = Math.min(Date.now() + this.#milliseconds, (answer.exp ?? 0) * 1000)
    if (this.#milliseconds === 0 || !answer.active || until <= Date.now()) return
    this.#entries.delete(name(token))
    this.#entries.set(name(token), { until, answer })
    for (const [oldest, entry] of this.#entries) {
      if (entry.until > Date.now() && this.#entries.size <= MAX_ENTRIES) break
      this.#entries.delete(oldest)
    }
  }
}

function name(token) {
  return createHash('sha256').update(token).digest('base64')
}
