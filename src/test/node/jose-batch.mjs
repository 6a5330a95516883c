// Opens many answers in one process: each line of the algorithm matrix, by a library that the tests' own client does not use.
import { open } from './answer.mjs'
import { job } from './job.mjs'

const outcomes = []
for (const { jwe, ...dataProvider } of job.answers) {
  // One algorithm that fails must not hide the others.
  outcomes.push(await open(jwe, dataProvider).catch((error) => ({ error: `${error.name}: ${error.message}` })))
}
console.log(JSON.stringify(outcomes))
