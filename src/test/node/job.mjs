// What to do comes on the standard input and not on the command line, which other users of the machine can read.
import { webcrypto } from 'node:crypto'
import { text } from 'node:stream/consumers'

// The libraries need Node 20. With this line the tests run on Node 18 of Debian 12 too, which lacks only the name.
globalThis.crypto ??= webcrypto

// The reason first, where the report looks for it; Node would begin with a file and a line.
process.on('uncaughtException', (error) => {
  console.error(`${error.name}: ${error.message}\n`, error)
  process.exitCode = 1
})

export const job = JSON.parse(await text(process.stdin))
