import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { OWN_REALM } from '../src/realm.js'
import { remarks } from '../src/remarks.js'
import { RIGHT, stored, wanted } from './support.js'

const LEVELS = JSON.parse(readFileSync(new URL('../../../docs/levels.json', import.meta.url)))
const TWO = `levels: { eidas1: 1, eidas2: 2 }\n${RIGHT.replace('level: eidas1', 'level: eidas2')}`
const NOTE = 'logins of sp-town can stay below its level eidas2, because the flow "browser eidas1" does not reach it. '
  + 'Bind one that does (docs/acr-and-amr.md)'

/** @returns the notes about a realm that has the flows of both levels, after a change of it */
function notes(disturb, yaml = TWO) {
  const current = stored(wanted(yaml))
  current.flows.authenticationFlows = [
    ...current.flows.authenticationFlows,
    ...structuredClone(LEVELS.authenticationFlows).map((flow, at) => ({ ...flow, id: `level-flow-${at}` })),
  ]
  current.flows.authenticatorConfig = [...OWN_REALM.authenticatorConfig, ...LEVELS.authenticatorConfig]
  disturb(current)
  return remarks(wanted(yaml), current)
}

const override = (browser) => ({ clients }) => {
  clients[2].authenticationFlowBindingOverrides = { browser }
}

test('a level that the flow of the realm does not reach is told', () => {
  assert.deepEqual(notes(() => {}), [NOTE])
  assert.deepEqual(notes(() => {}, RIGHT), [])
  assert.deepEqual(notes(() => {}, TWO.replace('    level: eidas2\n', '')), [])
  assert.deepEqual(notes(({ flows }) => {
    flows.browserFlow = 'browser eidas2'
  }), [])
})

test('the flow of the client counts more than that of the realm', () => {
  assert.deepEqual(notes(override('level-flow-0')), [])
  assert.deepEqual(notes((current) => {
    current.flows.browserFlow = 'browser eidas2'
    override('flow-0')(current)
  }), [NOTE])
})

test('a step that is off does not reach a level', () => {
  assert.equal(notes(({ flows }) => {
    flows.browserFlow = 'browser eidas2'
    const levels = flows.authenticationFlows.find(({ alias }) => alias === 'levels')
    levels.authenticationExecutions[1].requirement = 'DISABLED'
  }).length, 1)
})

test('a realm that is not there yet has its flow, too', () => {
  assert.deepEqual(remarks(wanted(TWO), { clients: [], flows: OWN_REALM }), [NOTE])
})

test('a flow that is gone is no reason for a note', () => {
  assert.deepEqual(notes(override('a flow that is gone')), [])
})
