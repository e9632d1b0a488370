import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { type Applied, applyDeclaration } from '../apply/apply.ts'
import { withCurrentDatabase } from './parts/database.ts'
import { printError, printJson, printLine } from './parts/print.ts'

/** `apply FILE`: makes the accounts, users, apps and agents that a JSON file declares. */
export const applyCommand = new Command('apply')
  .description(
    'Makes the accounts, users, apps and agents that a JSON file declares. Idempotent by name; secrets are shown once.',
  )
  .argument('<file>')
  .action(async (file: string, options: { json?: boolean }) => {
    const declaration = await readJson(file)
    const applied = await withCurrentDatabase((ctx) => applyDeclaration(ctx, declaration), {
      creates: true,
    })
    if (options.json) printJson(applied)
    else printApplied(applied)
    for (const warning of applied.warnings) printError(`warning: ${warning}\n`)
  })

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${file} holds no JSON: ${error instanceof Error ? error.message : error}`)
  }
}

const shownBefore = '(exists; shown when it was made)'

function printApplied({ accounts, apps, agents }: Applied) {
  for (const { name, id, users } of accounts) {
    printLine(`account ${name}  ${id}`)
    for (const user of users) printLine(`  user ${user.email}  ${user.id}`)
  }
  for (const { name, id, secretToken, development, production } of apps) {
    printLine(`app ${name}  ${id}`)
    printLine(`  webhook secret token  ${secretToken ?? shownBefore}`)
    printLine(`  development  ${development.clientId}  ${development.clientSecret ?? shownBefore}`)
    printLine(`  production  ${production.clientId}  ${production.clientSecret ?? shownBefore}`)
  }
  for (const { username, id, apiKey } of agents) {
    printLine(`agent ${username}  ${id}  ${apiKey ?? shownBefore}`)
  }
}
