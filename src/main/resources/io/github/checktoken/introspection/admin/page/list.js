// The list of the data providers, which shows those with a problem.
import { bar, element, lastHour, link, navigation, outcomes, problems, table, total } from './elements.js'
import { number, text, time } from './language.js'
import { ask } from './sign-in.js'

const PAGE = 50

/** What the list can show, each with what it asks the server. */
const choices = { allOfThem: {}, withAProblem: { problem: 'any' }, bySilence: { sort: 'lastAnswer' } }

export async function listView({ show = 'allOfThem', first }) {
  const begin = Math.max(0, Number.parseInt(first, 10) || 0)
  const { body, headers } = await ask('data-providers', { first: begin, max: PAGE, ...choices[show] })
  const all = Number(headers.get('X-Total-Count'))
  const unexamined = Number(headers.get('X-Unexamined-Count'))
  const content = [element('h1', {}, text('list')), navigation('show', show, choices, (key) => ({ show: key }))]
  if (unexamined > 0) content.push(element('p', {}, text('unexamined', number(unexamined))))
  if (body.length === 0) return [...content, element('p', {}, text('noDataProvider'))]
  const caption = text('listCaption', number(begin + 1), number(begin + body.length), number(all))
  const heads = ['dataProvider', 'problems', 'key', 'lastAnswer', 'lastHour'].map((key) => text(key))
  const most = Math.max(...body.map((status) => total(lastHour(status))))
  content.push(table(caption, heads, body.map((status) => row(status, most))))
  const pages = {}
  if (begin > 0) pages.previous = begin - PAGE
  if (begin + body.length < all) pages.next = begin + PAGE
  return [...content, navigation('pages', '', pages, (key) => ({ show, first: pages[key] }))]
}

function row(status, most) {
  const counts = lastHour(status)
  const words = outcomes.filter((kind) => counts[kind] > 0).map((kind) => text(`${kind}Count`, number(counts[kind])))
  const name = element('span', { class: 'quiet' }, status.name ?? '')
  return [
    element('span', {}, link({ view: 'detail', clientId: status.clientId }, status.clientId), ' ', name),
    problems(status),
    status.key.usable ? (status.key.kid ?? text('usable')) : text('noKey'),
    status.lastAnswer ? time(status.lastAnswer) : text('never'),
    total(counts) === 0 ? text('noAnswers') : element('span', {}, words.join(', '), bar(counts, most)),
  ]
}
