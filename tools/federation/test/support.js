import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientsOf } from '../src/clients.js'
import { readFederation } from '../src/federation.js'
import { OWN_REALM, scopesOf } from '../src/realm.js'
import { SecretFolder } from '../src/secrets.js'

const N = 'x'.repeat(342)
const FOLDERS = mkdtempSync(join(tmpdir(), 'federation-'))
process.once('exit', () => rmSync(FOLDERS, { recursive: true }))

export const PUBLIC_KEY = { kty: 'RSA', kid: 'water-1', use: 'enc', e: 'AQAB', n: N }

/** A file without mistakes. */
export const RIGHT = `realm: federation
scopes:
  water_bills: Your water bills
  gas_bills:
data-providers:
  dp-water:
    name: Water supplier
    keys: https://water.example.org/jwks.json
    scopes: [water_bills]
  dp-gas:
    name: Gas supplier
    keys: gas.json
    scopes: [gas_bills]
    signature: RS256
service-providers:
  sp-town:
    name: Town hall
    redirect-uris: [https://town.example.org/callback]
    scopes: [given_name, water_bills]
    level: eidas1
`

/** @returns a new folder, which goes when the tests end */
export function newFolder() {
  return mkdtempSync(join(FOLDERS, 'test-'))
}

/** @returns the path of a new federation file, with the key of dp-gas beside it */
export function written(yaml, key = PUBLIC_KEY) {
  const folder = newFolder()
  writeFileSync(join(folder, 'gas.json'), JSON.stringify({ keys: [key] }))
  writeFileSync(join(folder, 'federation.yaml'), yaml)
  return join(folder, 'federation.yaml')
}

/** @returns what is wanted of Keycloak */
export function wanted(yaml = RIGHT, variables = {}) {
  const federation = readFederation(written(yaml), variables)
  if (federation.errors.length > 0) throw new Error(federation.errors.join('\n'))
  const folder = new SecretFolder(federation.secrets, 'https://login.example.org/realms/federation')
  return { federation, folder, scopes: scopesOf(federation), clients: clientsOf(federation) }
}

/** @returns the realm in which Keycloak has made exactly this */
export function stored({ scopes, clients }) {
  return {
    realm: { attributes: { 'acr.loa.map': '{"eidas1":1}' } },
    flows: { ...OWN_REALM, authenticationFlows: OWN_REALM.authenticationFlows.map((flow, at) => ({ ...flow, id: `flow-${at}` })) },
    actions: [],
    algorithms: ['ES256', 'RS256'],
    scopes: structuredClone(scopes).map((scope, at) => ({ ...scope, id: `scope-${at}` })),
    clients: structuredClone(clients).map((client, at) => ({
      ...client,
      id: `client-${at}`,
      secret: 'secret-of-the-client-in-keycloak',
      attributes: Object.fromEntries(Object.entries(client.attributes).filter(([, value]) => value !== '')),
      protocolMappers: client.protocolMappers?.map((mapper) => {
        return { ...mapper, id: `mapper-${at}`, config: { ...mapper.config, pairwiseSubAlgorithmSalt: 'salt' } }
      }),
    })),
  }
}
