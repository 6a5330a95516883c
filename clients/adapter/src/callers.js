import { createHash, timingSafeEqual } from 'node:crypto'

/** The gateways that may ask. They send their name and secret with HTTP Basic, or the secret alone as a bearer token. */
export class Callers {
  #secrets
  #pairs

  constructor(callers) {
    this.#secrets = callers.map(([, secret]) => hash(secret))
    this.#pairs = callers.map((pair) => hash(pair.join(':')))
  }

  /** @param authorization the header of a request */
  accept(authorization = '') {
    const [, scheme, sent] = /^(Basic|Bearer) +([\x21-\x7e]+)$/i.exec(authorization) ?? []
    if (!scheme) return false
    if (scheme.toLowerCase() === 'bearer') return among(this.#secrets, sent)
    const pair = Buffer.from(sent, 'base64').toString()
    return among(this.#pairs, pair) || among(this.#pairs, decoded(pair))
  }
}

/** RFC 6749, section 2.3.1, encodes name and secret once more; most gateways do not. */
function decoded(pair) {
  try {
    return decodeURIComponent(pair.replaceAll('+', ' '))
  } catch {
    return pair
  }
}

/** In the same time, whichever fits. */
function among(hashes, text) {
  return hashes.map((known) => timingSafeEqual(known, hash(text))).includes(true)
}

function hash(text) {
  return createHash('sha256').update(text).digest()
}
