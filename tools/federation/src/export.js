import { clientsOf, SALT } from './clients.js'
import { realmForConfigCli, realmForKeycloak } from './realm.js'

/** What reads the JSON, and how a variable is written there. Keycloak's operator uses Keycloak's import. */
const FORMATS = {
  keycloak: { realm: realmForKeycloak, placeholder: (name) => `\${${name}}` },
  'config-cli': { realm: realmForConfigCli, placeholder: (name) => `$(env:${name})` },
}

export const IMPORTERS = Object.keys(FORMATS)

/**
 * A federation as JSON for an importer, with variables for what is secret. A client of which the file names no secret
 * has none, so that Keycloak makes one.
 *
 * @returns { json, variables }
 */
export function exported(federation, importer) {
  const variables = []
  const variable = (name) => {
    if (variables.includes(name)) throw new Error(`Two clients need the variable ${name}. Give one another id`)
    variables.push(name)
    return FORMATS[importer].placeholder(name)
  }
  const secrets = new Map(federation.providers.map(({ id, secret }) => [id, secret]))
  const clients = clientsOf(federation).map((client) => {
    const name = client.clientId.replaceAll(/\W/g, '_').toUpperCase()
    const secret = secrets.get(client.clientId)
    return {
      ...client,
      ...(secret && { secret: variable(secret.env ?? `${name}_SECRET`) }),
      protocolMappers: (client.protocolMappers ?? []).map((mapper) => {
        return { ...mapper, config: { ...mapper.config, [SALT]: variable(`${name}_SALT`) } }
      }),
    }
  })
  return { json: FORMATS[importer].realm(federation, clients), variables }
}
