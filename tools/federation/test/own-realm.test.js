import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { BASE_SCOPES, MARK, newRealm, scopesOf } from '../src/realm.js'
import { wanted } from './support.js'

const read = (path) => JSON.parse(readFileSync(new URL(`../../../docs/${path}`, import.meta.url)))
const OWN = read('own-realm.json')
const PROVIDERS = read('own-realm-providers.json').clients

/** What docs/own-realm-providers.json has. */
const SAME = `realm: federation
scopes:
  water_bills:
data-providers:
  dp-water:
    name: Water supplier
    keys: https://127.0.0.1:8010/jwks.json
    scopes: [water_bills]
service-providers:
  sp-town:
    name: Town hall
    redirect-uris: [http://localhost:8999/sp-town/callback]
    scopes: [given_name, family_name, gender, preferred_username, birthdate, birthplace, birthcountry, water_bills]
`

/** @returns a client as it is created, without what only this tool adds */
function plain({ webOrigins, attributes, protocolMappers, ...client }) {
  const { [MARK]: mark, 'post.logout.redirect.uris': logout, 'jwks.url': url, ...others } = attributes
  const on = (settings) => Object.fromEntries(Object.entries(settings).filter(([, value]) => value && value !== 'false'))
  return {
    ...client,
    attributes: on(others),
    ...(protocolMappers && { protocolMappers: protocolMappers.map((mapper) => ({ ...mapper, config: on(mapper.config) })) }),
  }
}

test('providers are made as docs/own-realm.sh makes them', () => {
  const [water, town] = wanted(SAME).clients.map(plain)
  assert.deepEqual([town, water], PROVIDERS.map(plain))
})

test('a scope is made as docs/own-realm.sh makes it', () => {
  const { attributes, protocolMappers } = scopesOf({ scopes: [{ name: 'water_bills', description: null }] }).at(-1)
  assert.equal(protocolMappers, undefined)
  assert.deepEqual(attributes, {
    'include.in.token.scope': 'true', 'display.on.consent.screen': 'true', 'consent.screen.text': '', [MARK]: 'true',
  })
})

test('the realm and its scopes are those of docs/own-realm.json', () => {
  const { clientScopes, attributes, ...others } = OWN
  const realm = newRealm({ realm: OWN.realm })
  const { CreateDefaultClientScopes, ...kept } = attributes
  assert.deepEqual(realm, { ...others, attributes: { ...kept, [MARK]: 'true' } })
  assert.deepEqual(BASE_SCOPES, clientScopes)
})

test('the client of the page for administrators has the address of its realm', () => {
  const [page] = newRealm({ realm: 'other' }).clients
  assert.deepEqual([page.baseUrl, page.redirectUris], ['/realms/other/data-providers', ['/realms/other/data-providers']])
})
