#!/usr/bin/env node
import { chmodSync, rmSync, statSync } from 'node:fs'
import { CheckTokenError } from '@checktoken/client'
import { Adapter } from './adapter.js'
import { SettingsError, settings } from './settings.js'

try {
  const read = settings(process.env)
  const adapter = new Adapter(read)
  const { path } = read.listen
  if (path && statSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path)
  await adapter.listen(read.listen)
  if (path) chmodSync(path, 0o660)
  console.error(`Listening on ${path ?? `${read.listen.host}:${read.listen.port}`}`)
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => adapter.close())
} catch (error) {
  // Other errors could quote a file.
  const known = error instanceof SettingsError || error instanceof CheckTokenError || error.syscall === 'listen'
  console.error(`checktoken-adapter cannot start: ${known ? error.message : `${error.code ?? error.name}: look at the files of its settings`}`)
  process.exitCode = 1
}
