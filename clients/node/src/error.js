const DENY = 'Answer 401 with WWW-Authenticate: Bearer error="invalid_token".'
const LATER = 'Answer 503 with Retry-After.'
const WRONG = `The answer cannot be trusted: do not use it. ${LATER} If it happens again, tell the platform's administrator this reason.`

/** For each reason, what happened and what to do. The reasons that are missing here are those of wrong answers. */
const TEXTS = {
  configuration: 'Correct your settings.',
  'no-token': `This is no access token. ${DENY}`,
  inactive: `The token is not active. ${DENY}`,
  machine: `The token is of a service provider itself, and not of a person. ${DENY}`,
  'not-proven': `The token is bound to a key that the request does not prove: give check() its DPoP proof or client certificate. ${DENY}`,
  'insufficient-scope': 'The token lacks a scope. Answer 403 with WWW-Authenticate: Bearer error="insufficient_scope".',
  unreachable: `No connection to the platform, or it broke. ${LATER} If it happens again, look at address, network and certificates.`,
  timeout: `The whole answer was not there in time. ${LATER}`,
  unavailable: `The platform is not available, or has no key of yours to encrypt to. ${LATER} If it happens again, look at your JWK Set.`,
  redirect: `The platform redirects, which would carry token and secret elsewhere. ${LATER} Correct the realm's address.`,
  'invalid-request': `The platform does not accept the call. ${LATER} Look at what is between you and the platform.`,
  'wrong-credentials': `The platform refused your credentials, not the token. ${LATER} Stop, and ask the administrator for the right ones.`,
  'not-a-data-provider': `The platform refused you, not the token. ${LATER} Ask the administrator to register you as a data provider.`,
  'platform-error': `The platform could not answer. ${LATER} Tell the administrator.`,
  'wrong-metadata': `The platform's metadata or keys cannot be used, or are of another issuer. ${LATER} Compare the realm's address.`,
  'issued-in-the-future': `The answer is over a minute ahead. ${LATER} Compare the clocks.`,
  'issued-too-long-ago': `The answer is over a minute old. ${LATER} Compare the clocks.`,
}
const DENIED = { 'no-token': 401, inactive: 401, machine: 401, 'not-proven': 401, 'insufficient-scope': 403 }
const OF_STATUS = { 401: 'wrong-credentials', 403: 'not-a-data-provider' }

/** Whatever prevents the use of a token. Nothing in it comes from the token, the secret, the answer or the platform. */
export class CheckTokenError extends Error {
  name = 'CheckTokenError'

  /** @param detail words of the caller's own, or a number */
  constructor(reason, detail) {
    super([reason, TEXTS[reason] ?? WRONG, detail].filter(Boolean).join(': '))
    this.reason = reason
    /** What to answer the service provider: 401, 403 or 503. */
    this.status = DENIED[reason] ?? 503
  }

  static ofStatus(status) {
    const redirect = status >= 300 && status < 400 && 'redirect'
    const ours = [400, 405, 413, 415].includes(status) && 'invalid-request'
    const busy = [429, 502, 503, 504].includes(status) && 'unavailable'
    return new CheckTokenError(OF_STATUS[status] || redirect || ours || busy || 'platform-error', `status ${status}`)
  }
}

export function check(condition, reason, detail) {
  if (!condition) throw new CheckTokenError(reason, detail)
}
