import { Command } from 'commander'
import { type Applied, applyDeclaration } from '../apply/apply.ts'
import { withOperator } from './parts/database.ts'
import { printError, printResult } from './parts/print.ts'
import { readJson } from './parts/read-json.ts'

export const applyCommand = new Command('apply')
  .description(
    'Creates or updates the accounts, users, apps, agents and organizations that a JSON file declares. You can apply a file again. New secrets are printed once.',
  )
  .argument('<file>')
  .action(async (file: string) => {
    const declaration = await readJson(file)
    const applied = await withOperator((ctx) => applyDeclaration(ctx, declaration), {
      creates: true,
    })
    printResult(applied, ...linesOf(applied))
    for (const warning of applied.warnings) printError(`warning: ${warning}\n`)
  })

const printedBefore = '(printed when it was created)'

function* linesOf({ accounts, apps, agents, organizations }: Applied): Generator<string> {
  for (const { name, id, users } of accounts) {
    yield `account ${name}  ${id}`
    for (const user of users) yield `  user ${user.email}  ${user.id}`
  }
  for (const { name, id, secretToken, development, production } of apps) {
    yield `app ${name}  ${id}`
    yield `  webhook secret token  ${secretToken ?? printedBefore}`
    yield `  development  ${development.clientId}  ${development.clientSecret ?? printedBefore}`
    yield `  production  ${production.clientId}  ${production.clientSecret ?? printedBefore}`
  }
  for (const { username, id, apiKey } of agents) {
    yield `agent ${username}  ${id}  ${apiKey ?? printedBefore}`
  }
  for (const { username, id } of organizations) yield `organization ${username}  ${id}`
}
