import { readFileSync } from 'node:fs'
import { merge, resolve } from './kit.js'
import { lie } from './lies.js'

/** What metadata and JWK Set may be. Each case is a realm of this name. */
export const metadataCases = JSON.parse(readFileSync(new URL('../metadata.json', import.meta.url), 'utf8')).cases

/** @returns the case of the realm, undefined if it is another one; a realm `lie-N` tells the lie with the number N */
export function caseOfRealm(name) {
  const [, number] = /^lie-(\d+)$/.exec(name) ?? []
  return number ? lie(Number(number)) : metadataCases.find((found) => found.name === name)
}

/** @returns the body of its metadata, undefined if they never come */
export function metadataOf(found, metadata, names) {
  if (found.hangs === 'metadata') return undefined
  return found.metadata_body ?? JSON.stringify(resolve(merge(metadata, found.metadata ?? {}), names))
}

/** @returns the body of its JWK Set, undefined if it never comes */
export function keysOf(found, keys) {
  if (found.hangs === 'keys') return undefined
  return found.keys_body ?? JSON.stringify({ keys })
}
