import { dataProviderMapper, lacksSalt, SALT } from './clients.js'
import { flowBelow } from './levels.js'

/** What is worth knowing although it is left as it is. */
export function remarks({ clients, federation, folder }, current) {
  const byId = new Map(current.clients.map((client) => [client.clientId, client]))
  const given = new Map(federation.providers.map((one) => [one.id, one.given]))
  return clients.flatMap((client) => {
    const now = byId.get(client.clientId)
    const secret = given.get(client.clientId) ?? now?.secret
    return [
      ...mapperRemarks(client, now),
      ...saltRemarks(client, now, folder),
      ...loginRemarks(client, now),
      ...secretRemarks(client, secret, folder),
      ...levelRemarks(client, flowBelow(client, now, federation, current.flows)),
    ]
  })
}

function mapperRemarks({ clientId }, now) {
  const others = now?.protocolMappers?.filter((mapper) => mapper !== dataProviderMapper(now)) ?? []
  return others.map(({ name }) => `${clientId} has the mapper "${name}", which is not from this file`)
}

/** Nobody but the administrator knows which of two salts is the right one. */
function saltRemarks(client, now, folder) {
  const { clientId } = client
  const kept = folder.keptSalt(clientId)
  if (lacksSalt(client, now)) {
    return kept ? [] : [`${clientId} has no subject salt, and gets none, because all its subjects would change`]
  }
  const salt = dataProviderMapper(now)?.config[SALT]
  return salt && kept && salt !== kept
    ? [`${clientId} has another subject salt than ${clientId}.salt. Its subjects stay as Keycloak has them. `
      + 'Correct the file or the mapper']
    : []
}

/** A person has one `sub` at its login and another in its answers. */
function loginRemarks({ clientId }, now) {
  const pairwise = now?.protocolMappers?.some(({ protocolMapper }) => protocolMapper.endsWith('-pairwise-sub-mapper'))
  return dataProviderMapper(now) && now.standardFlowEnabled && !pairwise
    ? [`${clientId} signs people in with another sub than in its answers, and this file switches that off. To keep it, `
      + 'leave it out of the file, and give it the mapper "Pairwise subject identifier"']
    : []
}

/** The file could be handed over. It is not rewritten, because it may be the only copy of a secret. */
function secretRemarks({ clientId }, secret, folder) {
  const kept = folder.keptSecret(clientId)
  return secret && kept && secret !== kept
    ? [`${clientId}.env has another secret than ${clientId}. Correct or remove the file before it is handed over`]
    : []
}

/** No error: a flow can only be bound when the realm is there. */
function levelRemarks({ clientId, attributes }, flow) {
  return flow
    ? [`logins of ${clientId} can stay below its level ${attributes['minimum.acr.value']}, because the flow `
      + `"${flow.alias}" does not reach it. Bind one that does (docs/acr-and-amr.md)`]
    : []
}
