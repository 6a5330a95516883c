#!/usr/bin/env node
import { startPlatform } from './platform.js'

const port = Number(process.env.PORT ?? 8181)
const platform = await startPlatform({ port, host: process.env.HOST, tls: process.env.TLS === 'yes' })
console.log(`Realm: ${platform.realm}`)
console.log(`Cases: ${platform.origin}/cases`)
