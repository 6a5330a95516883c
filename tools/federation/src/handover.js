import { sheet } from '../../../src/main/resources/io/github/checktoken/introspection/admin/page/sheet.js'
import { readView } from './keycloak.js'

export const LANGUAGES = ['en', 'fr']

/** @returns what the developers of a data provider need, as the page for administrators shows it; no secret */
export async function handover(keycloak, { realm, people }, clientId, language) {
  const detail = await readView(keycloak, realm, `data-provider?${new URLSearchParams({ clientId, language })}`)
  if (!detail) throw new Error(`Keycloak has no data provider ${clientId} in the realm ${realm}`)
  const metadata = await fetch(`${keycloak.baseUrl}/realms/${encodeURIComponent(realm)}/.well-known/openid-configuration`)
  const { issuer } = await metadata.json()
  const { title, text } = sheet(detail, { issuer, language, people })
  return `${title}\n\n${text}`
}
