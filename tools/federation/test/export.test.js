import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { exported } from '../src/export.js'
import { readFederation } from '../src/federation.js'
import { RIGHT, written } from './support.js'

const WITH_SECRET = RIGHT.replace('    signature: RS256', '    secret: { env: GAS_SECRET }')

function exportedTo(importer, yaml = WITH_SECRET) {
  return exported(readFederation(written(yaml)), importer)
}

test('the realm has every scope that a client uses, or lets Keycloak create it', () => {
  assert.equal(exportedTo('keycloak').json.attributes.CreateDefaultClientScopes, 'true')
  const { clientScopes, clients } = exportedTo('config-cli').json
  const names = clientScopes.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const { clientId, defaultClientScopes, optionalClientScopes } of clients) {
    for (const scope of [...defaultClientScopes, ...optionalClientScopes]) assert.ok(names.includes(scope), `${clientId}: ${scope}`)
  }
})

test('the realm has each client that gets a role', () => {
  for (const importer of ['keycloak', 'config-cli']) {
    const { clients, clientScopeMappings } = exportedTo(importer).json
    const names = clients.map(({ clientId }) => clientId)
    for (const { client } of Object.values(clientScopeMappings).flat()) assert.ok(names.includes(client), client)
  }
})

test('secrets and salts are variables of the importer', () => {
  const { json, variables } = exportedTo('keycloak')
  assert.deepEqual(variables, ['DP_WATER_SALT', 'GAS_SECRET', 'DP_GAS_SALT'])
  assert.equal(json.clients[1].secret, '${GAS_SECRET}')
  assert.equal(json.clients[0].protocolMappers[0].config.pairwiseSubAlgorithmSalt, '${DP_WATER_SALT}')
  assert.ok(!('secret' in json.clients[0]))
  assert.equal(exportedTo('config-cli').json.clients[1].secret, '$(env:GAS_SECRET)')
})

test('two ids with the same variable are refused', () => {
  assert.throws(() => exportedTo('keycloak', RIGHT.replace('  dp-gas:', '  dp_water:')), /Two clients need the variable DP_WATER_SALT/)
})

test('the realm tells the level of the login and lets people choose a PIN', () => {
  const { clientScopes, requiredActions } = exportedTo('config-cli').json
  const acr = clientScopes.find(({ name }) => name === 'acr')
  assert.deepEqual(acr.protocolMappers.map(({ protocolMapper }) => protocolMapper), ['oidc-login-acr-mapper'])
  assert.ok(requiredActions.some(({ providerId, enabled }) => providerId === 'configure-pin' && enabled))
})

test('the lock file names no registry', () => {
  assert.ok(!readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8').includes('"resolved"'))
})
