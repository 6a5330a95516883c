import { createServer } from 'node:http'

const TIMEOUT_MS = 60_000

/**
 * Signs a person in whose login asks for username and password alone.
 *
 * @returns the address that the browser is sent back to
 */
export async function passwordLogin(address, callback, { username, password }) {
  const browser = new CookieBrowser(callback)
  const form = await browser.open(address)
  const action = /<form[^>]*\bid="kc-form-login"[^>]*\baction="([^"]+)"/s.exec(form.page)?.[1]
  if (!action) throw new Error(`The login shows "${title(form)}" instead of a form for username and password`)
  const after = await browser.open(new URL(unescaped(action), form.url), new URLSearchParams({ username, password }))
  if (after.page !== undefined) {
    throw new Error(`After the password, the login shows "${title(after)}". Correct PERSON and PERSON_PASSWORD, or take `
      + 'a person whose login asks for nothing more; without PERSON_PASSWORD, you sign in with a browser')
  }
  return after.url
}

/** Waits until somebody has signed in with a browser on this machine. */
export async function browserLogin(callback) {
  const { hostname, port, pathname, origin } = new URL(callback)
  if (!['localhost', '127.0.0.1'].includes(hostname) || !port) {
    throw new Error(`Nobody can come back to ${callback} here. Set PERSON and PERSON_PASSWORD`)
  }
  const server = createServer()
  try {
    return await new Promise((resolve, reject) => {
      server.on('error', reject).listen(Number(port), hostname)
      server.on('request', (request, response) => {
        const url = new URL(request.url, origin)
        response.end('You are signed in. The terminal shows the rest.')
        if (url.pathname === pathname) resolve(url)
      })
    })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Follows redirects, except for the one to the service provider. Cookies are those of one server. */
class CookieBrowser {
  #cookies = new Map()

  constructor(callback) {
    this.callback = callback
  }

  /** @returns { url }, and { page } if it is not the service provider's */
  async open(address, body) {
    let url = new URL(address)
    for (let content = body; !url.href.startsWith(this.callback); content = undefined) {
      const response = await fetch(url, {
        method: content ? 'POST' : 'GET',
        body: content,
        headers: { Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)
        this.#cookies.set(name, value)
      }
      const location = response.headers.get('location')
      if (!location) return { url, page: await response.text() }
      url = new URL(location, url)
    }
    return { url }
  }
}

function title({ page }) {
  return unescaped(/<h1[^>]*>(.*?)<\/h1>/s.exec(page)?.[1].replace(/<[^>]*>/g, '').trim() ?? 'an unknown page')
}

function unescaped(html) {
  return html.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')
}
