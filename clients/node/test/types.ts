// Compiled, not run: the types allow what the guide shows, and nothing that skips a step.
import { CheckToken, CheckTokenError } from '@checktoken/client'

const checkToken = new CheckToken({ realm: '', clientId: '', clientSecret: '', privateKeys: [{ kty: 'RSA', alg: 'RSA-OAEP-256' }] })

export async function income(token: string, proof: string): Promise<string> {
  try {
    const answer = await checkToken.check(token, { dpop: { proof, method: 'GET', url: 'https://dp.example.org/income' } })
    // @ts-expect-error A scope has to be asked for first.
    answer.person()
    // @ts-expect-error Which scope?
    answer.require()
    return answer.require('tax_income').person().sub
  } catch (error) {
    if (error instanceof CheckTokenError) return `${error.status} ${error.reason}`
    throw error
  }
}
