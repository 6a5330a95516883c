// The hand-over sheet: what the developers of a data provider need, without a secret. The page shows it, and the tool
// "federation handover" prints it, so it uses no browser.
import { messages } from './messages.js'

const INDENT = '  '

/**
 * @param detail what the administrators' view gives for one data provider
 * @param issuer the URL of the realm
 * @param language 'en' or 'fr'
 * @param people people to try with: for each username, what is special
 * @returns { title, text }
 */
export function sheet({ status, claims, claimsByScope, example }, { issuer, language, people = {} }) {
  const say = (key, ...values) => {
    return messages[key][language === 'fr' ? 1 : 0].replace(/\{(\d)\}/g, (placeholder, index) => values[index])
  }
  const { clientId, name } = status
  const field = (label, value) => say('sheet_field', label, value)
  const claim = (each) => (messages[`claim_${each}`] ? `${each} (${say(`claim_${each}`)})` : each)
  const members = ['active', 'client_id', 'aud', 'iat', 'exp', 'jti', 'acr', 'scope', 'sub']
  const tried = Object.entries(people).map(([person, words]) => (words ? field(person, words) : person))
  const blocks = [
    [say('sheet_addresses'), [
      field('realm', issuer),
      field('checktoken', `POST ${issuer}/api/v2/checktoken`),
      field(say('sheet_metadata'), `${issuer}/api/v2/.well-known/openid-configuration`),
    ]],
    [say('sheet_client'), [field('client_id', clientId), field('client_secret', say('sheet_secret'))]],
    [say('sheet_algorithms'), [
      field(say('signature'), status.introspectionSignedResponseAlg),
      field(say('keyEncryption'), status.introspectionEncryptedResponseAlg),
      field(say('contentEncryption'), status.introspectionEncryptedResponseEnc),
      field(say('sheet_keys'), status.key.jwksUrl ?? say('sheet_keysStored')),
      ...(status.key.kid ? [field('kid', status.key.kid)] : []),
    ]],
    [say('sheet_scopes'), status.scopes.length ? status.scopes : [say('noScope')]],
    [say('sheet_members'), [
      members.join(', '),
      ...(claims.length ? [claims.map(claim).join(', ')] : []),
      ...Object.entries(claimsByScope).filter(([, more]) => more.length)
        .map(([scope, more]) => field(scope, more.map(claim).join(', '))),
      ...(status.identityRequiresScope ? [say('requiresScope')] : []),
    ]],
    [say('sheet_request'), [
      `POST ${new URL(issuer).pathname}/api/v2/checktoken HTTP/1.1`,
      `Host: ${new URL(issuer).host}`,
      'Content-Type: application/x-www-form-urlencoded',
      'Accept: application/token-introspection+jwt',
      '',
      `client_id=${encodeURIComponent(clientId)}&client_secret=…&token=…`,
    ]],
    [say('sheet_answer'), JSON.stringify(example, null, 2).split('\n')],
    [say('sheet_people'), tried.length ? tried : [say('sheet_noPeople')]],
  ]
  const title = say('sheet_title', name && name !== clientId ? `${name} (${clientId})` : clientId)
  return { title, text: blocks.map(block).join('\n\n') }
}

const block = ([heading, lines]) => [heading, ...lines.map((line) => (line ? INDENT + line : line))].join('\n')
