// The line of the header that says whether the logins of the realm are guarded, and why.
import { element } from './elements.js'
import { text } from './language.js'
import { ask } from './sign-in.js'

/** @returns the line: texts, and an element for what is always in English */
export async function guardLine() {
  const { body: guard } = await ask('guard')
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
