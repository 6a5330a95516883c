import { dataProviderMapper, SALT } from './clients.js'

/** What is worth knowing although it is left as it is. */
export function remarks({ clients }, current) {
  const byId = new Map(current.clients.map((client) => [client.clientId, client]))
  return clients.flatMap((client) => {
    const now = byId.get(client.clientId)
    return [...mapperRemarks(client, now), ...saltRemarks(client, now)]
  })
}

function mapperRemarks({ clientId }, now) {
  const others = now?.protocolMappers?.filter((mapper) => mapper !== dataProviderMapper(now)) ?? []
  return others.map(({ name }) => `${clientId} has the mapper "${name}", which is not from this file`)
}

function saltRemarks(client, now) {
  const mapper = dataProviderMapper(now)
  return dataProviderMapper(client) && mapper && !mapper.config[SALT]
    ? [`${client.clientId} has no subject salt, and gets none, because all its subjects would change`]
    : []
}
