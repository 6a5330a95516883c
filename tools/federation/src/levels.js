import { DEFAULT_LEVELS } from './realm.js'

const LEVEL_CONDITION = 'conditional-level-of-authentication'

/**
 * Keycloak lets a login pass that ends below the lowest level of its client.
 *
 * @param flows those of the realm, as an export has them
 * @param now the client as Keycloak has it, if it does
 * @returns the flow of the client's logins if it does not reach the level of the client
 */
export function flowBelow(client, now, { levels = DEFAULT_LEVELS }, flows) {
  const number = levels[client.attributes['minimum.acr.value']]
  const override = now?.authenticationFlowBindingOverrides?.browser
  const flow = flows.authenticationFlows.find(({ id, alias }) => {
    return override ? id === override : alias === flows.browserFlow
  })
  return number && flow && !reaches(number, flow, flows) ? flow : undefined
}

function reaches(number, flow, flows) {
  return flow.authenticationExecutions.some(({ requirement, flowAlias, authenticator, authenticatorConfig: name }) => {
    if (requirement === 'DISABLED') return false
    if (flowAlias) return reaches(number, flows.authenticationFlows.find(({ alias }) => alias === flowAlias), flows)
    const settings = flows.authenticatorConfig.find(({ alias }) => alias === name)?.config
    return authenticator === LEVEL_CONDITION && Number(settings?.['loa-condition-level']) >= number
  })
}
