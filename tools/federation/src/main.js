#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { apply } from './apply.js'
import { clientsOf } from './clients.js'
import { difference, removals } from './difference.js'
import { exported, IMPORTERS } from './export.js'
import { readFederation } from './federation.js'
import { guardInWords, readGuard } from './guard.js'
import { handover, LANGUAGES } from './handover.js'
import { readState, reason, signIn } from './keycloak.js'
import { scopesOf } from './realm.js'
import { remarks } from './remarks.js'
import { SecretFolder } from './secrets.js'
import { journey } from './try.js'

const USAGE = `Usage: main.js COMMAND FILE
  plan FILE [--prune]   shows what apply would do; status 0: nothing, 2: something, 1: an error
  apply FILE [--prune]  does it; with --prune it also removes what is no longer in the file
  remove FILE --yes     removes the clients and scopes that apply has made
  export FILE [--for ${IMPORTERS.join('|')}]  prints the realm as JSON, without secrets
  handover FILE CLIENT_ID [--language ${LANGUAGES.join('|')}]  prints what a data provider needs, without secrets
  try SP.env DP.env PRIVATE_KEY  signs PERSON in with PERSON_PASSWORD, or with a browser without it, and shows each step
                        of the token up to the answer that the data provider reads; needs no administrator
Environment: SERVER, and KC_CLI_PASSWORD of the administrator ADMIN of the realm LOGIN_REALM,
or KC_CLI_CLIENT_SECRET of the client ADMIN_CLIENT; for a file, KC_CLI_PASSWORD_FILE, KC_CLI_CLIENT_SECRET_FILE.`

/** How many arguments a command needs besides the first one. */
const MORE = { plan: 0, apply: 0, remove: 0, export: 0, handover: 1, try: 2 }

const OPTIONS = {
  prune: { type: 'boolean' },
  yes: { type: 'boolean' },
  for: { type: 'string', default: IMPORTERS[0] },
  language: { type: 'string', default: LANGUAGES[0] },
  help: { type: 'boolean' },
}

try {
  process.exitCode = await run(process.argv.slice(2), process.env)
} catch (error) {
  console.error(reason(error))
  process.exitCode = 1
}

/** @returns the status of the process */
async function run(args, variables) {
  const { positionals: [command, path, ...others], values } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const more = Object.hasOwn(MORE, command) ? MORE[command] : -1
  if (others.length !== more || !path || !IMPORTERS.includes(values.for) || !LANGUAGES.includes(values.language)) {
    console.error(USAGE)
    return 1
  }
  if (command === 'try') return await journey([path, ...others], variables, console.log) ? 0 : 2
  const federation = readFederation(path, ['plan', 'apply'].includes(command) ? variables : undefined)
  if (federation.errors.length > 0) return report(federation.errors)
  if (command === 'export') return print(exported(federation, values.for))

  const keycloak = await signIn(variables)
  if (command === 'handover') {
    console.log(await handover(keycloak, federation, others[0], values.language))
    return 0
  }
  const current = await readState(keycloak, federation.realm)
  const removing = command === 'remove'
  const wanted = {
    federation,
    folder: new SecretFolder(federation.secrets, `${keycloak.baseUrl}/realms/${federation.realm}`),
    scopes: removing ? [] : scopesOf(federation),
    clients: removing ? [] : clientsOf(federation),
    removing,
    prune: values.prune,
  }
  const without = removing ? [] : withoutKey(federation, current)
  if (without.length > 0) return report(without)
  if (command === 'plan') {
    console.log(guardInWords(federation, current.realm, await readGuard(keycloak, federation.realm)))
  }
  remarks(wanted, current).forEach((remark) => console.log(`Note: ${remark}.`))
  const { changes, gone } = compare(wanted, current)
  gone.forEach(({ what }) => console.log(`Note: ${what} is no longer in the file. Only --prune removes it.`))
  show(changes)
  if (changes.length === 0) return 0
  if (command === 'plan') return 2
  if (removing && !values.yes) {
    console.log('Nothing was removed. With --yes, all this is removed. The realm and its people stay.')
    return 2
  }
  return make(keycloak, wanted, changes)
}

/** @returns the changes to make, and what is gone from the file but stays in Keycloak */
function compare(wanted, current) {
  const all = wanted.removing ? removals(wanted, current) : difference(wanted, current)
  const stays = ({ sign }) => sign === '-' && !wanted.removing && !wanted.prune
  return { changes: all.filter((change) => !stays(change)), gone: all.filter(stays) }
}

/** Makes the changes, then looks whether Keycloak has accepted them, because it ignores some mistakes silently. */
async function make(keycloak, wanted, changes) {
  const { realm } = wanted.federation
  const failed = await apply(keycloak, realm, changes, wanted.folder)
  if (failed.length > 0) return report(failed.map(([{ what }, error]) => `${what}: ${reason(error)}`))
  const { changes: left } = compare(wanted, await readState(keycloak, realm))
  if (left.length > 0) return report(left.map((change) => `Keycloak has not accepted: ${inWords(change)}`))
  const seconds = process.uptime().toFixed(1)
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(`Done and checked, in ${seconds} seconds with at most ${megabytes} MB of memory.`)
  return 0
}

function withoutKey({ document, dataProviders }, { algorithms }) {
  return dataProviders.flatMap(({ what, place, signature = 'ES256' }) => algorithms.includes(signature)
    ? []
    : [`${document.path}:${document.line(place)}: ${what}: the realm has no active key for ${signature}. `
      + 'Add one in the realm settings, or choose another signature'])
}

function show(changes) {
  changes.forEach((change) => console.log(inWords(change)))
  const count = (sign) => changes.filter((change) => change.sign === sign).length
  console.log(changes.length > 0
    ? `${count('+')} to create, ${count('~')} to change, ${count('-')} to remove.`
    : 'Nothing to change.')
}

function inWords({ sign, what, details }) {
  return [`${sign} ${what}`, ...details].join('\n    ')
}

function report(errors) {
  errors.forEach((error) => console.error(error))
  console.error(errors.length === 1 ? '1 error.' : `${errors.length} errors.`)
  return 1
}

function print({ json, variables }) {
  console.log(JSON.stringify(json, null, 2))
  if (variables.length > 0) console.error(`The importer needs these variables: ${variables.join(' ')}`)
  return 0
}
