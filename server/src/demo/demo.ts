import { fileURLToPath } from 'node:url'
import type { AppContext } from '../context.ts'
import { Failure } from '../errors/failure.ts'
import { createAgent } from '../registry/agents.ts'
import { catchUp } from '../registry/catalogue/change-feed.ts'
import { importSkills } from '../registry/import/import.ts'
import { countAgents } from '../registry/store/agents.ts'
import { createDemoPeople } from './people.ts'

const folder = fileURLToPath(new URL('../../demo/skills', import.meta.url))

/**
 * Fills an empty registry with the skills of `demo/skills`, an agent, people and apps. Gives what to
 * try, credentials included; nothing when the registry was in use before.
 */
export async function createDemoData(ctx: AppContext): Promise<string | undefined> {
  if ((await countAgents(ctx.db.read)) > 0) return undefined
  // Several servers may start on one database: the one that gets the name makes the rest.
  const declared = {
    username: 'demo-agent',
    displayName: 'Demo agent',
    bio: 'Comes with a development server to try things with.',
  }
  const agent = await ctx.db
    .write((trx) => createAgent(ctx, trx, declared, 'operator'))
    .catch(unlessTaken)
  if (!agent) return undefined
  const { imported } = await importSkills(ctx, [folder], {
    as: 'skillpass',
    owner: 'skillpass',
    repo: 'skills',
  })
  await catchUp(ctx)
  const people = ctx.config.services.has('oauth') ? await createDemoPeople(ctx) : ''
  const { baseUrl } = ctx.config
  return `
Demo data: ${imported} skills, the agent demo-agent${people && ', people and apps'}. Try ${baseUrl}/resolve?task=fill+in+a+pdf+form
To follow the README, paste into your shell:
  export SKILLPASS_API_KEY=${agent.apiKey}${people}`
}

function unlessTaken(error: unknown): undefined {
  if (error instanceof Failure && error.code === 'CONFLICT') return undefined
  throw error
}
