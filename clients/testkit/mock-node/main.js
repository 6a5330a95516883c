#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { startDeadAddress, startProxy } from './networks.js'
import { startPlatform } from './platform.js'

const { PORT = 8181, HOST: host, TLS, PFX, FAULTS = '', ORIGIN: origin, DEAD } = process.env
const faults = FAULTS.split(',')
const tls = PFX ? { pfx: readFileSync(PFX), passphrase: process.env.PASSPHRASE } : TLS === 'yes'
const platform = await startPlatform({ port: Number(PORT), host, tls, faults, origin })
console.log(`Realm: ${platform.realm}`)
console.log(`Cases: ${platform.origin}/cases`)
console.log(`Address: ${platform.address}`)
if (faults.includes('proxy')) console.log(`Proxy: ${(await startProxy(platform.port)).address}`)
if (faults.includes('dead-address')) {
  const close = await startDeadAddress(platform.port, DEAD)
  process.once('exit', close)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit())
  console.log(`Dead: ${DEAD ?? '127.0.0.2'}`)
}
