import { readFileSync } from 'node:fs'

const LINES = readFileSync(new URL('reasons.properties', import.meta.url), 'utf8').matchAll(/^([a-z0-9-]+)=(.+)$/gm)
const REASONS = Object.fromEntries(Array.from(LINES, ([, name, text]) => [name, text]))

/** Whatever prevents the use of a token. Nothing in it comes from the token, the secret, the answer or the platform. */
export class CheckTokenError extends Error {
  name = 'CheckTokenError'

  /** @param detail words of the caller's own, or a number */
  constructor(reason, detail) {
    super([reason, REASONS[reason].slice(4), detail].filter(Boolean).join(': '))
    this.reason = reason
    /** What to answer the service provider: 401, 403 or 503. */
    this.status = Number(REASONS[reason].slice(0, 3))
  }

  static ofStatus(status) {
    return new CheckTokenError(REASONS[`status-${status}`] ?? 'platform-error', `status ${status}`)
  }
}

export function check(condition, reason, detail) {
  if (!condition) throw new CheckTokenError(reason, detail)
}

/** @returns undefined if it fails: the text of the error could quote a key or an answer */
export function attempt(action) {
  try {
    return action()
  } catch {
    return undefined
  }
}

/** @param reason of the error if it is no JSON object; without it, that gives undefined */
export function object(json, reason) {
  const value = attempt(() => JSON.parse(json))
  const found = value instanceof Object && !Array.isArray(value) ? value : undefined
  check(found || !reason, reason)
  return found
}
