// The language of the page, and everything that is written in it.
import { messages } from './messages.js'

const languages = ['en', 'fr']
let language = 'en'

/** @param tags what the person prefers, the best first */
export function chooseLanguage(tags) {
  language = tags.map((tag) => tag.slice(0, 2)).find((tag) => languages.includes(tag)) ?? 'en'
  document.documentElement.lang = language
}

export const currentLanguage = () => language
export const otherLanguage = () => languages.find((each) => each !== language)

/** The text of messages.js. {0} is the first value. */
export function text(key, ...values) {
  return messages[key][languages.indexOf(language)].replace(/\{(\d)\}/g, (placeholder, index) => values[index])
}

export const number = (value) => new Intl.NumberFormat(language).format(value)
export const enumeration = (words) => new Intl.ListFormat(language).format(words)
export const time = (iso) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))

/** A claim in words, if it is one of the usual identity data. */
export const claim = (name) => (messages[`claim_${name}`] ? text(`claim_${name}`) : name)

/** A client by its name, and by its client_id where the name says nothing else. */
export const title = ({ clientId, name }) => (name && name !== clientId ? `${name} (${clientId})` : clientId)
