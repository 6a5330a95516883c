import { marked } from './realm.js'

const DATA_PROVIDER_MAPPER = 'oidc-data-provider-mapper'

/** A setting of the mapper. */
export const SALT = 'pairwiseSubAlgorithmSalt'

/** @returns the mapper that makes a client a data provider, if it has one */
export function dataProviderMapper(client) {
  return client?.protocolMappers?.find(({ protocolMapper }) => protocolMapper === DATA_PROVIDER_MAPPER)
}

/** @returns whether a data provider of the file is one in Keycloak, but without a salt: its mapper's id is used then */
export function lacksSalt(client, now) {
  const mapper = dataProviderMapper(now)
  return Boolean(dataProviderMapper(client) && mapper && !mapper.config[SALT]?.trim())
}

/**
 * @returns the clients of a federation as docs/own-realm.sh makes them, without secrets and salts. An empty attribute
 *     is one that the client must not have.
 */
export function clientsOf({ dataProviders, serviceProviders }) {
  return [...dataProviders.map(dataProvider), ...serviceProviders.map(serviceProvider)]
}

function dataProvider(one) {
  const { url, set } = one.jwks
  return marked({
    clientId: one.id,
    name: one.name,
    protocol: 'openid-connect',
    publicClient: false,
    standardFlowEnabled: false,
    directAccessGrantsEnabled: false,
    fullScopeAllowed: false,
    attributes: {
      'use.jwks.url': String(Boolean(url)),
      'jwks.url': url ?? '',
      'use.jwks.string': String(Boolean(set)),
      'jwks.string': set ? JSON.stringify(set) : '',
    },
    protocolMappers: [
      {
        name: 'Data provider',
        protocol: 'openid-connect',
        protocolMapper: DATA_PROVIDER_MAPPER,
        config: {
          'introspection.signed.response.alg': one.signature ?? 'ES256',
          'introspection.encrypted.response.alg': one['key-encryption'] ?? 'RSA-OAEP-256',
          'introspection.encrypted.response.enc': one['content-encryption'] ?? 'A256GCM',
          'identity.requires.scope': String(one['identity-only-with-scope'] ?? false),
          'auth.time.disclosed': String(one['auth-time'] ?? false),
          'contact.address': one.contact ?? '',
        },
      },
    ],
    defaultClientScopes: one.identity === false ? [] : ['identity'],
    optionalClientScopes: one.scopes,
  })
}

function serviceProvider(one) {
  const addresses = one['redirect-uris']
  const origins = [...new Set(addresses.map((address) => new URL(address).origin))]
  return marked({
    clientId: one.id,
    name: one.name,
    baseUrl: one.home ?? `${origins[0]}/`,
    protocol: 'openid-connect',
    publicClient: false,
    standardFlowEnabled: true,
    directAccessGrantsEnabled: false,
    fullScopeAllowed: false,
    redirectUris: addresses,
    webOrigins: origins,
    attributes: {
      'pkce.code.challenge.method': 'S256',
      'client.use.lightweight.access.token.enabled': 'true',
      'allow.userinfo.with.lightweight.access.token': 'true',
      'post.logout.redirect.uris': one['post-logout-redirect-uris']?.join('##') ?? '+',
      'minimum.acr.value': one.level ?? '',
    },
    defaultClientScopes: one.amr === false ? ['basic', 'acr'] : ['basic', 'acr', 'amr'],
    optionalClientScopes: one.scopes ?? [],
  })
}
