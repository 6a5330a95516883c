import { dataProviderMapper, lacksSalt, SALT } from './clients.js'

/** What is worth knowing although it is left as it is. */
export function remarks({ clients, folder }, current) {
  const byId = new Map(current.clients.map((client) => [client.clientId, client]))
  return clients.flatMap((client) => {
    const now = byId.get(client.clientId)
    return [...mapperRemarks(client, now), ...saltRemarks(client, now, folder)]
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
