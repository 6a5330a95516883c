// Makes elements. What comes from the server becomes text, and never markup.
import { number, text } from './language.js'

const SVG = ['svg', 'rect', 'path', 'text']

/**
 * @param attributes a function listens to the event of this name; undefined is left out
 * @param children elements, or strings that become text
 */
export function element(name, attributes = {}, ...children) {
  const made = SVG.includes(name)
    ? document.createElementNS('http://www.w3.org/2000/svg', name)
    : document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value)
    else if (value !== undefined) made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

/** @param route the parameters of another view of this page */
export const link = (route, ...children) => element('a', { href: `#${new URLSearchParams(route)}` }, ...children)

/**
 * Links to views.
 *
 * @param key of the label in messages.js; so are the keys of places
 * @param current the key of the view that is shown
 * @param route gives the parameters of the view with a key
 */
export function navigation(key, current, places, route) {
  const links = Object.keys(places).map((place) => {
    const it = link(route(place), text(place))
    if (place === current) it.setAttribute('aria-current', 'page')
    return it
  })
  return links.length ? element('nav', { 'aria-label': text(key) }, ...links) : ''
}

/**
 * A table that a narrow screen shows as one card for each row. The roles are written down because browsers forget them
 * if the style is not that of a table.
 *
 * @param heads strings, or elements if the table is compact
 * @param rows arrays of cells: strings or elements; the first one of each is the head of its row
 * @param kind 'compact' for a table that fits a narrow screen as it is
 */
export function table(caption, heads, rows, kind = 'wide') {
  const head = heads.map((name) => element('th', { role: 'columnheader', scope: 'col' }, name))
  const body = rows.map((cells) =>
    element(
      'tr',
      { role: 'row' },
      ...cells.map((cell, index) => {
        const [name, attributes] = index === 0 ? ['th', { role: 'rowheader', scope: 'row' }] : ['td', { role: 'cell' }]
        return element(name, { ...attributes, 'data-head': kind === 'wide' ? heads[index] : undefined }, cell)
      }),
    ),
  )
  return element(
    'table',
    { role: 'table', class: kind },
    element('caption', {}, caption),
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...head)),
    element('tbody', { role: 'rowgroup' }, ...body),
  )
}

export const list = (items) => element('ul', {}, ...items.map((item) => element('li', {}, item)))

/** At most ten; the others are shown on demand. */
export function shortList(items) {
  if (items.length <= 10) return items.length ? list(items) : text('none')
  return element('details', {}, element('summary', {}, text('all', number(items.length))), list(items))
}

/** Problems and warnings, each with its kind in words. */
export function problems(status) {
  const items = [
    ...status.problems.map((words) => ['problem', words]),
    ...status.warnings.map((words) => ['warning', words]),
  ]
  if (items.length === 0) return text('noProblem')
  return list(items.map(([kind, words]) => element('span', {}, element('strong', { class: kind }, text(kind)), ` ${words}`)))
}

/** What callers were answered: active, not active, or an error of the call. */
export const outcomes = ['active', 'inactive', 'error']

/** These are errors of checktoken; all others are reasons why a token is not active. */
export function outcome(answer) {
  if (answer === 'active') return 'active'
  return /^(token_introspection_failed|invalid_request|not_allowed)\b/.test(answer) ? 'error' : 'inactive'
}

/** A bar of coloured parts. It is not for screen readers, because the numbers stand beside it. */
export function bar(counts, most) {
  const parts = []
  let from = 0
  for (const kind of outcomes) {
    const width = (100 * counts[kind]) / Math.max(most, 1)
    parts.push(element('rect', { class: kind, x: `${from}%`, width: `${width}%`, height: '100%' }))
    from += width
  }
  return element('svg', { class: 'bar', 'aria-hidden': 'true' }, ...parts)
}

/** @returns the sums of the last hour for each outcome, in all or in the period with this number */
export function lastHour(status, period) {
  const counts = { active: 0, inactive: 0, error: 0 }
  for (const [answer, periods] of Object.entries(status.lastHour)) {
    counts[outcome(answer)] += period === undefined ? periods.reduce((sum, each) => sum + each) : periods[period]
  }
  return counts
}

export const total = (counts) => outcomes.reduce((sum, kind) => sum + counts[kind], 0)
