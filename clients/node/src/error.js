import { readFileSync } from 'node:fs'

const LINES = readFileSync(new URL('reasons.properties', import.meta.url), 'utf8').matchAll(/^([a-z0-9-]+)=(.+)$/gm)
export const REASONS = Object.fromEntries(Array.from(LINES, ([, name, text]) => [name, text]))

/** Whatever prevents the use of a token. Nothing in it comes from the token, the secret or an answer. */
export class CheckTokenError extends Error {
  name = 'CheckTokenError'

  /**
   * @param name a reason, or what stands for one
   * @param detail words of the caller's own, or a status and what the platform says about it
   */
  constructor(name, detail) {
    const [, reason, more] = /^([a-z-]+) ?(.*)/.exec(REASONS[name]) ?? [, name]
    super([`${reason}:`, REASONS[reason].slice(4), more, detail].filter(Boolean).join(' '))
    this.reason = reason
    /** What to answer the service provider: 401, 403 or 503. */
    this.status = Number(REASONS[reason].slice(0, 3))
  }
}

/** @returns what has to be there */
export function check(value, reason, detail) {
  if (!value) throw new CheckTokenError(reason, detail)
  return value
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
  const text = String(json)
  // What begins in another way is no object. Most tokens are none, and JSON.parse would take long to throw.
  const found = /^\s*\{/.test(text) ? attempt(() => JSON.parse(text)) : undefined
  return reason ? check(found, reason) : found
}

/** @returns what the platform says about its error, as it may be logged (RFC 6749 section 5.2) */
export function described(body) {
  const { error_description: text } = object(body) ?? {}
  return text && typeof text === 'string' ? `: ${text.replace(/[^ !#-[\]-~]/gu, '?').slice(0, 200)}` : ''
}
