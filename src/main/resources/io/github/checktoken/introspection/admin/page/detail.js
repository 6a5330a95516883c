// One data provider: what it may learn about whom, and what it was answered.
import { bar, element, lastHour, link, outcome, outcomes, problems, shortList, table, total } from './elements.js'
import { claim, enumeration, number, text, time, title } from './language.js'
import { ask } from './sign-in.js'

export async function detailView({ clientId }) {
  const [{ body: detail }, { body: assignments }] = await Promise.all([
    ask('data-provider', { clientId }),
    ask('federation'),
  ])
  const { status } = detail
  return [
    element('h1', {}, title(status)),
    element('p', {}, link({ view: 'handover', clientId }, text('handover'))),
    element('div', {}, problems(status)),
    ...section('learns', ...sentences(detail), scopes(detail, assignments)),
    ...section('example', element('p', {}, text('example_help')), answer(detail.example)),
    ...section('lastHour', hour(status)),
    ...section('sinceStart', counts(status)),
    ...section('settings', settings(status)),
  ]
}

const section = (key, ...parts) => [element('h2', {}, text(key)), ...parts]

function sentences({ status, claims }) {
  const always = claims.length ? text('always', enumeration(claims.map(claim))) : text('nothingAlways')
  const words = [text('learns_help', status.name ?? status.clientId), always]
  if (status.identityRequiresScope) words.push(text('requiresScope'))
  return words.map((sentence) => element('p', {}, sentence))
}

function scopes({ claimsByScope }, assignments) {
  const entries = Object.entries(claimsByScope)
  if (entries.length === 0) return element('p', {}, text('noScope'))
  const rows = entries.map(([scope, claims]) => [
    scope,
    claims.length ? enumeration(claims.map(claim)) : text('nothingMore'),
    shortList(assignments.filter((each) => each.scope === scope && !each.dataProvider).map(title)),
  ])
  return table(text('scopesCaption'), [text('scope'), text('adds'), text('mayAsk')], rows)
}

const answer = (example) => element('pre', {}, JSON.stringify(example, null, 2))

function hour(status) {
  const periods = Array.from({ length: 12 }, (nothing, period) => lastHour(status, period))
  const most = Math.max(...periods.map(total))
  if (most === 0) return element('p', {}, text('noAnswers'))
  const heads = outcomes.map((kind) => element('span', {}, element('span', { class: `swatch ${kind}` }), ` ${text(kind)}`))
  const rows = periods.map((each, period) => [
    `${number(5 * (11 - period))}–${number(5 * (12 - period))}`,
    ...outcomes.map((kind) => number(each[kind])),
    bar(each, most),
  ])
  return table(text('hourCaption'), [text('when'), ...heads, text('share')], rows, 'compact')
}

function counts(status) {
  const answers = Object.entries(status.answers)
  if (answers.length === 0) return element('p', {}, text('noAnswers'))
  const sum = (periods) => periods.reduce((before, each) => before + each)
  const rows = answers.map(([name, count]) => [
    element('span', {}, element('span', { class: `swatch ${outcome(name)}` }), ` ${name}`),
    number(sum(status.lastHour[name])),
    number(count),
  ])
  return table(text('countsCaption'), [text('outcome'), text('lastHour'), text('sinceStart')], rows)
}

function settings(status) {
  const { key } = status
  const values = {
    signature: status.introspectionSignedResponseAlg,
    keyEncryption: status.introspectionEncryptedResponseAlg,
    contentEncryption: status.introspectionEncryptedResponseEnc,
    jwksUrl: key.jwksUrl,
    key: key.usable ? (key.kid ?? text('usable')) : text('noKey'),
    issued: key.issued && time(key.issued),
    knownSince: key.knownSince && time(key.knownSince),
    lastFetch: key.lastFetch && (key.lastFetchError ? text('lastFetchFailed', time(key.lastFetch)) : time(key.lastFetch)),
    lastFetchError: key.lastFetchError,
    nextFetch: key.nextFetch && time(key.nextFetch),
    lastAnswer: status.lastAnswer ? time(status.lastAnswer) : text('never'),
  }
  const known = Object.entries(values).filter(([, value]) => value !== undefined)
  return element('dl', {}, ...known.flatMap(([name, value]) => [element('dt', {}, text(name)), element('dd', {}, value)]))
}
