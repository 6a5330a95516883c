// The hand-over sheet of one data provider, to print or to copy.
import { element } from './elements.js'
import { currentLanguage, text } from './language.js'
import { sheet } from './sheet.js'
import { ask, issuer } from './sign-in.js'

export async function handoverView({ clientId }) {
  const { body } = await ask('data-provider', { clientId })
  const { title, text: words } = sheet(body, { issuer: issuer(), language: currentLanguage() })
  return [
    element('h1', {}, title),
    element('p', { class: 'screen' }, element('button', { click: () => print() }, text('print'))),
    element('pre', {}, words),
  ]
}
