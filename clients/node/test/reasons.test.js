import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { CheckTokenError } from '../src/client.js'
import { kit } from './support.js'

const OWN = ['configuration', 'no-token', 'inactive', 'machine', 'not-proven', 'insufficient-scope']
const read = (file) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const file = read('node/src/reasons.properties')

test('the libraries give the same reasons', () => {
  assert.equal(read('python/checktoken_client/reasons.properties'), file)
  assert.equal(read('java/src/main/resources/io/github/checktoken/client/reasons.properties'), file)
})

test('each reason of the test kit, and no other, has a status and says what to do', () => {
  const reasons = [...file.matchAll(/^([a-z-]+)=\d/gm)].map(([, reason]) => reason)
  assert.deepEqual(reasons.toSorted(), [...OWN, ...Object.keys(kit.reasons)].toSorted())
  for (const reason of reasons) {
    const { status, message } = new CheckTokenError(reason)
    assert.ok([401, 403, 503].includes(status), reason)
    assert.match(message, new RegExp(`^${reason}: .+\\.$`))
  }
})
