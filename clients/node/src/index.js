export { CheckToken } from './client.js'
export { CheckTokenError } from './error.js'
