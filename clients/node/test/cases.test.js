import assert from 'node:assert/strict'
import test from 'node:test'
import { inspect } from 'node:util'
import { CheckToken, CheckTokenError } from '../src/client.js'
import { SERVICE_PROVIDER, kit, settings, startPlatform } from './support.js'
import { proof } from './proof.js'

/** Nothing of this may be seen in an answer or an error that is printed. */
const SECRET = /eyJ|published-for-tests|Moreau|Camille|1988-03-14|da87b1dd|75107/

for (const agreed of kit.clients) {
  test(`${agreed.client_id} gets what each case says`, async (t) => {
    const platform = await startPlatform()
    t.after(() => platform.close())
    for (const found of kit.cases.filter(({ client }) => !client || client === agreed.client_id)) {
      await t.test(found.name, async () => {
        const client = new CheckToken({ ...settings(platform.realm, agreed), ...(found.http?.stall && { seconds: 2 }) })
        if (found.before) await client.check(kit.cases.find(({ name }) => name === found.before).token)
        const outcome = await check(client, found).finally(() => client.close())
        assert.doesNotMatch(printed(outcome), SECRET)
        if (found.expect) expectAnswer(outcome, found)
        else expectRefusal(outcome, found)
      })
    }
    assert.equal(platform.counts.elsewhere, 0)
  })
}

async function check(client, { token, expect }) {
  const request = {
    dpop: expect?.cnf?.jkt && (await proof(token)),
    certificate: expect?.cnf?.['x5t#S256'] && Buffer.from(SERVICE_PROVIDER.x5c[0], 'base64'),
  }
  return client.check(token, request).catch((error) => error)
}

function printed(value) {
  const copies = [`${value}`, JSON.stringify(value), JSON.stringify({ ...value })]
  return [inspect(value, { showHidden: true, depth: 9 }), ...copies].join().replaceAll(import.meta.url, '')
}

function expectRefusal(error, { reason, or = [], says }) {
  assert.ok(error instanceof CheckTokenError, inspect(error))
  assert.ok([reason, ...or].includes(error.reason), `${error.reason} and not ${reason}`)
  assert.equal(error.status, 503)
  assert.match(error.message, /^[ -~]+$/)
  if (says) assert.ok(error.message.endsWith(` (status-503: ${says})`), error.message)
}

function expectAnswer(answer, { expect }) {
  const refused = (reason) => (error) => error instanceof CheckTokenError && error.reason === reason
  assert.equal(answer.active, expect.kind !== 'inactive', answer.message)
  if (expect.kind === 'inactive') {
    assert.throws(() => answer.require('tax_income'), refused('inactive'))
    assert.deepEqual(answer.unchecked(), { active: false })
    return
  }
  assert.throws(() => answer.require('tax'), refused(expect.cnf?.example ? 'not-proven' : 'insufficient-scope'))
  assert.throws(() => answer.require(''), CheckTokenError)
  assert.throws(() => answer.require(), TypeError)
  if (expect.scope.length === 0 || expect.cnf?.example) return
  const access = answer.require(...expect.scope)
  assert.equal(access.clientId, 'sp-town')
  if (expect.kind === 'machine') {
    assert.throws(() => access.person(), refused('machine'))
    return
  }
  const person = access.person()
  assert.doesNotMatch(printed(person), SECRET)
  const { sub = person.sub, ...identity } = expect.claims ?? {}
  assert.equal(person.sub, sub)
  assert.deepEqual({ ...person.identity(), ...identity }, person.identity())
  assert.ok(!('cnf' in person.identity()) && !('scope' in person.identity()))
}
