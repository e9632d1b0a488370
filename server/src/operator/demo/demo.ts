import { fileURLToPath } from 'node:url'
import { demo } from '@skillpass/contract'
import { countAgents } from '../../agents/store/agents.ts'
import type { AppContext } from '../../context.ts'
import { catchUp } from '../../discovery/change-feed.ts'
import { Failure } from '../../errors/failure.ts'
import { importSkills } from '../../importing/import.ts'
import { createAgentsThings, createDemoAgent } from './agent.ts'
import { createDemoPeople } from './people.ts'

const folder = (name: string) => fileURLToPath(new URL(`../../../demo/${name}`, import.meta.url))

/** Whose skills an operator imports. */
const importer = 'skillpass'

/**
 * Fills an empty registry with the skills of `demo/skills`, an agent, people and apps. Gives what to
 * try, credentials included; nothing when the registry was in use before.
 */
export async function createDemoData(ctx: AppContext): Promise<string | undefined> {
  if ((await countAgents(ctx.db.read)) > 0) return undefined
  // Several servers may start on one database: the one that gets the name makes the rest.
  const agent = await createDemoAgent(ctx).catch(unlessTaken)
  if (!agent) return undefined
  const own = { as: importer, owner: importer, repo: 'skills' }
  await importSkills(ctx, [folder('skills')], own)
  await importSkills(ctx, [folder('tools')], { as: importer, ...demo.imported })
  await createAgentsThings(ctx, agent.apiKey)
  await catchUp(ctx)
  const people = ctx.config.services.has('oauth') ? await createDemoPeople(ctx) : ''
  const { baseUrl } = ctx.config
  return `
Demo data: ${ctx.catalogue.size} skills, the agent ${agent.username}${people && ', people and apps'}. Try ${baseUrl}/resolve?task=fill+in+a+pdf+form
To follow the README, paste into your shell:
  export SKILLPASS_API_KEY=${agent.apiKey}${people}`
}

function unlessTaken(error: unknown): undefined {
  if (error instanceof Failure && error.code === 'CONFLICT') return undefined
  throw error
}
