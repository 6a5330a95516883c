// The page: its frame, and which view it shows. The part of the address after # names the view.
import { detailView } from './detail.js'
import { element, navigation } from './elements.js'
import { realmStatus } from './guard.js'
import { handoverView } from './handover.js'
import { chooseLanguage, otherLanguage, text } from './language.js'
import { listView } from './list.js'
import { mapView } from './map.js'
import { ensureSignedIn, realm, Refusal, signOutUrl, user } from './sign-in.js'

const views = new Map([
  ['list', listView],
  ['map', mapView],
  ['detail', detailView],
  ['handover', handoverView],
])
const main = document.querySelector('main')
const guard = element('p', { class: 'guard' })
const name = element('p', { class: 'realm' }, realm)
let turns = 0

async function start() {
  chooseLanguage(navigator.languages)
  if (!isSecureContext) return put(sorry('needsHttps'))
  try {
    if (!(await ensureSignedIn())) return
  } catch (error) {
    console.error(error)
    return put(sorry('signInFailed', element('button', { click: () => location.reload() }, text('signIn'))))
  }
  addEventListener('hashchange', () => show(true))
  show(false)
}

/** @param isMove whether the person comes from another view, so that screen readers have to be told */
async function show(isMove) {
  const turn = ++turns
  const { view, ...parameters } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  const shown = views.has(view) ? view : 'list'
  document.querySelector('header').replaceChildren(...frame(shown))
  main.setAttribute('aria-busy', 'true')
  const [content, status] = await Promise.all([
    views.get(shown)(parameters).catch(failure),
    // The view says that the server cannot be asked.
    realmStatus().catch(() => ({ line: [] })),
  ])
  // Another view was asked for meanwhile.
  if (turn !== turns) return
  guard.replaceChildren(...status.line)
  name.textContent = status.name ?? realm
  put(content)
  if (isMove) main.querySelector('h1').focus()
}

function put(content) {
  main.replaceChildren(...content)
  main.removeAttribute('aria-busy')
  const heading = main.querySelector('h1')
  heading.tabIndex = -1
  document.title = `${heading.textContent} – ${name.textContent}`
}

function frame(shown) {
  return [
    name,
    navigation('views', shown, { list: '', map: '' }, (view) => ({ view })),
    element('button', { lang: otherLanguage(), click: changeLanguage }, text('otherLanguage')),
    element('a', { href: signOutUrl() }, text('signOut')),
    guard,
  ]
}

function changeLanguage() {
  chooseLanguage([otherLanguage()])
  show(true)
}

const sorry = (key, ...more) => [element('h1', {}, text(key)), element('p', {}, text(`${key}_help`)), ...more]

function failure(error) {
  if (error instanceof Refusal && error.status === 403) {
    const help = element('p', {}, text('notAllowed_help', user(), realm))
    return [element('h1', {}, text('notAllowed')), help, element('a', { href: signOutUrl() }, text('otherPerson'))]
  }
  if (error instanceof Refusal && error.status === 404) return sorry('notFound')
  console.error(error)
  return [element('h1', {}, text('failed')), element('p', {}, text('failed_help', error.status ?? error.message))]
}

start()
