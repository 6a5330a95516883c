import type { JsonWebKey } from 'node:crypto'
import type { Agent } from 'node:https'

export type Jwk = JsonWebKey & { alg: string; kid?: string }

export interface Settings {
  /** The realm URL, such as https://login.example.org/realms/federation. */
  realm: string
  clientId: string
  /** Your private keys, each with the agreed key encryption as its `alg`. Two while you change keys. */
  privateKeys: Jwk[]
  /** As the administrator registered you: a secret, or one of the next two. */
  clientSecret?: string
  /** For a signed JWT (private_key_jwt), with its `alg`. */
  clientKey?: Jwk
  /** For a client certificate, or for certificate authorities of your own (`ca`), as in node:tls. */
  tls?: { cert?: string | Buffer; key?: string | Buffer; pfx?: string | Buffer; passphrase?: string; ca?: string | Buffer }
  /** Where to connect to in place of the realm's scheme, host and port, such as https://keycloak.example.internal:8443. */
  connectTo?: string
  /** A transport of your own, without `tls`. By default one that heeds HTTPS_PROXY, ALL_PROXY and NO_PROXY. */
  agent?: Agent
  /** The agreed one; two while you change it. The default is ES256. */
  signature?: string | string[]
  /** The agreed one; two while you change it. The default is A256GCM. */
  contentEncryption?: string | string[]
  /** Names of identity data, of which a person has at least one. The default is all that the guide names. */
  identity?: string[]
  /** For a whole check, with its retry. The default is 10. */
  seconds?: number
}

/** What proves that the service provider has the key to which the token is bound. */
export interface Proof {
  /** The header DPoP of the request, its method and its address (RFC 9449). */
  dpop?: { proof: string; method: string; url: string }
  /** The client certificate of the request, PEM or DER (RFC 8705). */
  certificate?: string | Buffer
}

export class CheckToken {
  constructor(settings: Settings)
  /** Throws a CheckTokenError if there is no answer to trust. */
  check(token: string, proof?: Proof): Promise<Answer>
  /** Closes the connections that are kept. */
  close(): void
}

/** A verified answer. It can be of a token that is not active, so it gives nothing before a scope is asked for. */
export interface Answer {
  readonly active: boolean
  /** Throws a CheckTokenError if the token is not active, not proven, or lacks one of the scopes. */
  require(scope: string, ...scopes: string[]): Access
  /** What the platform says (RFC 7662), for a gateway that checks scopes, persons and `cnf` on its own. */
  unchecked(): Record<string, unknown>
}

/** What a service provider may do, for a person or for itself. */
export interface Access {
  /** The service provider. */
  readonly clientId: string
  /** By this, the administrator finds the call. It may be logged. */
  readonly jti?: string
  /** Throws a CheckTokenError if the token is of a machine: a service account, which is no person. */
  person(): Person
}

/** Who uses the service provider. */
export interface Person {
  /** The person's identifier for this data provider. */
  readonly sub: string
  /** The level of assurance of the login, if it is known. */
  readonly acr?: string
  /** A copy of the identity data. Do not log it. */
  identity(): Record<string, unknown>
}

export class CheckTokenError extends Error {
  /** A word that stays the same, for programs and logs. The test kit lists those of wrong answers. */
  readonly reason: string
  /** What to answer the service provider: 401, 403 or 503. */
  readonly status: 401 | 403 | 503
}
