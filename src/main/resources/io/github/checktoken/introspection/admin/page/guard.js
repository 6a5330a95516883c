// What the header says of the realm: its name, and whether its logins are guarded and why.
import { element } from './elements.js'
import { text } from './language.js'
import { ask } from './sign-in.js'

/** @returns { name, line }: the name may be undefined; the line is texts, and an element for what is always in English */
export async function realmStatus() {
  const { body: guard } = await ask('guard')
  return { name: guard.realmName, line: guardLine(guard) }
}

function guardLine(guard) {
  // The server's JAR has nothing about logins.
  if (guard.reason === 'absent') return []
  if (guard.guarded && guard.problem) return refused(guard.problem)
  const key = `guard_${guard.reason}`
  if (guard.guarded) return [text(key)]
  const told = guard.methodsTold ? 'methodsTold' : 'methodsNotTold'
  return [`${text(key)} ${text(told)} ${text(`${key}_help`)}`]
}

const refused = (problem) => [
  element('strong', { class: 'problem' }, text('problem')),
  ` ${text('guardProblem')} `,
  element('span', { lang: 'en' }, problem),
]
