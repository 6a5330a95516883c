import assert from 'node:assert/strict'
import test from 'node:test'
import { Cache } from '../src/cache.js'

const seconds = () => Date.now() / 1000

test('keeps an active answer for its time, and never beyond exp', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 })
  const cache = new Cache(30)
  cache.put('long', { active: true, exp: seconds() + 300 })
  cache.put('short', { active: true, exp: seconds() + 5 })
  cache.put('without', { active: true })
  cache.put('inactive', { active: false, exp: seconds() + 300 })
  t.mock.timers.tick(4_900)
  assert.ok(cache.get('long') && cache.get('short'))
  assert.ok(!cache.get('without') && !cache.get('inactive'))
  t.mock.timers.tick(200)
  assert.ok(cache.get('long') && !cache.get('short'))
  t.mock.timers.tick(25_000)
  assert.ok(!cache.get('long'))
})

test('is off with 0 seconds, and bounded', () => {
  const off = new Cache(0)
  off.put('token', { active: true, exp: seconds() + 300 })
  assert.ok(!off.get('token'))
  const cache = new Cache(30)
  for (let i = 0; i <= 10_000; i++) cache.put(`token ${i}`, { active: true, exp: seconds() + 300 })
  assert.ok(!cache.get('token 0') && cache.get('token 1') && cache.get('token 10000'))
})
