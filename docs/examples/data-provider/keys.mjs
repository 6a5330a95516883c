// Makes a key pair: private.jwk.json, which only you can read, and jwks.json to publish. It overwrites no file.
// Needs Node 20 or later, and: npm install jose
import { writeFile } from 'node:fs/promises'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'

const alg = process.argv[2] ?? 'RSA-OAEP-256'
const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 3072 })
const publicJwk = await exportJWK(publicKey)
const named = { kid: await calculateJwkThumbprint(publicJwk), use: 'enc', alg }

const write = (file, json, mode) => writeFile(file, JSON.stringify(json, null, 2), { mode, flag: 'wx' })
await write('private.jwk.json', { ...(await exportJWK(privateKey)), ...named }, 0o600)
await write('jwks.json', { keys: [{ ...publicJwk, ...named }] }, 0o644)
