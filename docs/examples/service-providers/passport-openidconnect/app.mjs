// Asks how the person signed in (amr), and asks for a second factor of its own unless that was two factors.
import { randomBytes } from 'node:crypto'
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'

const { REALM, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env
const callback = new URL(REDIRECT_URI)
const signIn = passport.authenticate('openidconnect', { successRedirect: '/' })

passport.use(new OpenIDConnectStrategy({
  issuer: REALM,
  authorizationURL: `${REALM}/protocol/openid-connect/auth`,
  tokenURL: `${REALM}/protocol/openid-connect/token`,
  clientID: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  callbackURL: REDIRECT_URI,
  nonce: true,
  claims: { id_token: { amr: { essential: true } } },
  // With four parameters, the strategy calls no userinfo endpoint. context.methods is amr of the ID token.
}, (issuer, profile, context, done) => done(null, { id: profile.id, amr: context.methods ?? [] })))
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
// Over TLS, add secure: true. A real application keeps the secret, and its sessions in a store.
app.use(session({
  secret: randomBytes(32).toString('hex'),
  resave: false,
  saveUninitialized: false,
  cookie: { httpOnly: true, sameSite: 'lax' },
}))
app.use(passport.session())
app.get(callback.pathname, signIn)
app.use((request, response, next) => (request.user ? next() : signIn(request, response, next)))
app.get('/', ({ user: { amr } }, response) => {
  if (amr.includes('mfa')) response.type('text').send(`Welcome. You signed in with ${amr.join(' ')}`)
  else response.redirect('/second-factor')
})
app.get('/second-factor', ({ user: { amr } }, response) => {
  response.type('text').send(`Your second factor, please. You signed in with ${amr.join(' ')}`)
})
app.listen(callback.port, 'localhost', () => console.log(`Open ${callback.origin}/`))
