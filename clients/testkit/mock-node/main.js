#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { startPlatform } from './platform.js'

const { PORT = 8181, HOST: host, TLS, PFX, FAULTS = '' } = process.env
const tls = PFX ? { pfx: readFileSync(PFX), passphrase: process.env.PASSPHRASE } : TLS === 'yes'
const platform = await startPlatform({ port: Number(PORT), host, tls, faults: FAULTS.split(',') })
console.log(`Realm: ${platform.realm}`)
console.log(`Cases: ${platform.origin}/cases`)
