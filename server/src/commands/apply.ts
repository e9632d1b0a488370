import { readFile } from 'node:fs/promises'
import { AgentRegistration } from '@skillpass/contract'
import { Command } from 'commander'
import { z } from 'zod'
import type { Database } from '../db/open.ts'
import { registerAgent } from '../registry/agents.ts'
import { findAgentByUsername } from '../registry/store/agents.ts'
import { systemClock, systemRandom } from '../serve.ts'
import { withCurrentDatabase } from './database.ts'
import { printJson, printLine } from './print.ts'

/** What a file may declare. */
const Declaration = z.strictObject({ agents: z.array(AgentRegistration).default([]) })

/** `apply FILE`: makes what a JSON file declares; what exists by name is left alone. */
export const applyCommand = new Command('apply')
  .description('Makes what a JSON file declares. Idempotent by name; secrets are shown once.')
  .argument('<file>')
  .option('--json', 'print one JSON object')
  .action(async (file: string, options: { json?: boolean }) => {
    const declaration = Declaration.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (!declaration.success) throw new Error(`${file}: ${z.prettifyError(declaration.error)}`)
    const agents = await withCurrentDatabase((db) => applyAgents(db, declaration.data.agents))
    if (options.json) return printJson({ agents })
    for (const { username, id, apiKey } of agents) {
      printLine(`agent ${username} ${id} ${apiKey ?? '(exists; its key was shown before)'}`)
    }
  })

async function applyAgents(db: Database, agents: z.output<typeof AgentRegistration>[]) {
  const made: { username: string; id: string; apiKey?: string }[] = []
  for (const agent of agents) {
    const known = await findAgentByUsername(db.read, agent.username)
    if (known) {
      made.push({ username: known.username, id: known.id })
      continue
    }
    const { username, id, apiKey } = await registerAgent(
      { db, clock: systemClock, random: systemRandom },
      agent,
    )
    made.push({ username, id, apiKey })
  }
  return made
}
