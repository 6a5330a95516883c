// Asks how the person signed in (amr), and asks for a second factor of its own unless that was two factors.
import { randomBytes } from 'node:crypto'
import express from 'express'
import { auth } from 'express-openid-connect'

const { REALM, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env
const callback = new URL(REDIRECT_URI)
const amr = (request) => request.oidc.idTokenClaims.amr ?? []

const app = express()
app.use(auth({
  issuerBaseURL: REALM,
  clientID: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  baseURL: callback.origin,
  routes: { callback: callback.pathname },
  // Encrypts the session's cookie. A real application keeps it.
  secret: randomBytes(32).toString('hex'),
  authorizationParams: {
    response_type: 'code',
    scope: 'openid',
    claims: JSON.stringify({ id_token: { amr: { essential: true } } }),
  },
}))
app.get('/', (request, response) => {
  if (amr(request).includes('mfa')) response.type('text').send(`Welcome. You signed in with ${amr(request).join(' ')}`)
  else response.redirect('/second-factor')
})
app.get('/second-factor', (request, response) => {
  response.type('text').send(`Your second factor, please. You signed in with ${amr(request).join(' ')}`)
})
app.listen(callback.port, 'localhost', () => console.log(`Open ${callback.origin}/`))
