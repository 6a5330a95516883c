// The federation: which service providers may ask for the scopes of which data providers, as a drawing and as a table.
import { element, link, shortList, table } from './elements.js'
import { number, text, title } from './language.js'
import { ask } from './sign-in.js'

/** A drawing with more lines of text than this is no help. */
const MOST = 40
const LINE = 28

export async function mapView() {
  const { body } = await ask('federation')
  const all = byScope(body)
  const result = element('div')
  const found = element('p', { role: 'status' })
  const show = (words) => {
    const rows = all.map((row) => matching(row, words.trim().toLowerCase())).filter(Boolean)
    found.textContent = text('scopesFound', number(rows.length))
    result.replaceChildren(...(rows.length ? [drawing(rows), asTable(rows)] : []))
  }
  show('')
  const search = element('input', { type: 'search', input: (event) => show(event.target.value) })
  const content = [element('h1', {}, text('map')), element('p', {}, text('map_help'))]
  if (body.length === 20_000) content.push(element('p', {}, text('incomplete')))
  return [...content, element('label', {}, `${text('find')} `, search), found, result]
}

/** @returns the scopes, each with the clients that have it */
function byScope(assignments) {
  const scopes = new Map()
  for (const { scope, dataProvider, byDefault, ...client } of assignments) {
    if (!scopes.has(scope)) scopes.set(scope, { scope, dataProviders: [], serviceProviders: [] })
    if (!dataProvider) scopes.get(scope).serviceProviders.push(client)
    else if (!byDefault) scopes.get(scope).dataProviders.push(client)
  }
  return [...scopes.values()].sort((one, other) => one.scope.localeCompare(other.scope))
}

/** @returns a scope as it is, or with those service providers alone that match; undefined if nothing matches */
function matching(row, words) {
  const has = (name) => name.toLowerCase().includes(words)
  if (has(row.scope) || row.dataProviders.some((party) => has(title(party)))) return row
  const serviceProviders = row.serviceProviders.filter((party) => has(title(party)))
  return serviceProviders.length ? { ...row, serviceProviders } : undefined
}

function asTable(rows) {
  const detail = (party) => link({ view: 'detail', clientId: party.clientId }, title(party))
  return table(
    text('mapCaption'),
    [text('scope'), text('serviceProviders'), text('dataProviders')],
    rows.map((row) => [row.scope, shortList(row.serviceProviders.map(title)), shortList(row.dataProviders.map(detail))]),
  )
}

/** Not for screen readers, because the table says the same. */
function drawing(rows) {
  const scopes = rows.map((row) => row.scope)
  const left = unique(rows.flatMap((row) => row.serviceProviders))
  const right = unique(rows.flatMap((row) => row.dataProviders))
  const lines = Math.max(scopes.length, left.length, right.length)
  if (lines > MOST) return element('p', {}, text('tooMany', number(MOST)))
  const height = (lines + 1.2) * LINE
  // The columns are centred.
  const y = (names, name) => LINE * (1.6 + (lines - names.length) / 2 + names.indexOf(name))
  const parts = []
  const boxes = scopes.map((scope) => element('rect', { x: 400, y: y(scopes, scope) - 12, width: 200, height: 24, rx: 4 }))
  for (const { scope, serviceProviders, dataProviders } of rows) {
    const middle = y(scopes, scope)
    for (const party of serviceProviders) parts.push(curve(340, y(left, title(party)), 400, middle))
    for (const party of dataProviders) parts.push(curve(600, middle, 660, y(right, title(party))))
  }
  const column = (names, x, anchor, kind) =>
    names.map((name) => label(name, x, y(names, name), { 'text-anchor': anchor, class: kind }))
  const head = (key, x, anchor) => label(text(key), x, LINE * 0.6, { 'text-anchor': anchor, class: 'head' })
  return element(
    'svg',
    { class: 'map', viewBox: `0 0 1000 ${height}`, 'aria-hidden': 'true' },
    ...parts,
    ...boxes,
    ...[head('serviceProviders', 334, 'end'), head('scope', 500, 'middle'), head('dataProviders', 666, 'start')],
    ...column(left, 334, 'end', 'party'),
    ...column(scopes, 500, 'middle', 'scope'),
    ...column(right, 666, 'start', 'party'),
  )
}

const unique = (parties) => [...new Set(parties.map(title))].sort((one, other) => one.localeCompare(other))

const curve = (x1, y1, x2, y2) => {
  const middle = (x1 + x2) / 2
  return element('path', { d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` })
}

/** Cuts a long name: the table has all of it. */
function label(name, x, y, attributes) {
  const most = attributes['text-anchor'] === 'middle' ? 24 : 40
  const shown = name.length > most ? `${name.slice(0, most - 1)}…` : name
  return element('text', { x, y: y + 5, ...attributes }, shown)
}
