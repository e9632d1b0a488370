import { fileURLToPath } from 'node:url'
import { demo } from '@skillpass/contract'
import { countAgents, findAgent } from '../../agents/store/agents.ts'
import type { AppContext } from '../../context.ts'
import { catchUp } from '../../discovery/change-feed.ts'
import { Failure } from '../../errors/failure.ts'
import { importSkills } from '../../importing/import.ts'
import { createAgentResources, createDemoAgent } from './agent.ts'
import { formatCredentials, renewDemoCredentials } from './credentials.ts'
import { createDemoPeople } from './people.ts'

const folder = (name: string) => fileURLToPath(new URL(`../../../demo/${name}`, import.meta.url))

/** Agent that owns the imported skills. */
const importer = 'skillpass'

/**
 * Fills an empty registry with demo skills, an agent, users and apps. Returns instructions with
 * credentials, or how to get new ones if the demo data exists. Returns undefined if the registry is
 * in use otherwise.
 */
export async function createDemoData(ctx: AppContext): Promise<string | undefined> {
  if (ctx.catalogue.size > 0 || (await countAgents(ctx.db.read)) > 0) {
    const exists = await findAgent(ctx.db.read, demo.agent.id)
    return exists && 'For new demo credentials, run: npx skillpass-server demo credentials'
  }
  // If several servers start on one database, the one that creates the agent creates everything.
  const agent = await createDemoAgent(ctx).catch(ignoreConflict)
  if (!agent) return undefined
  const target = { as: importer, owner: importer, repo: 'skills' }
  await importSkills(ctx, [folder('skills')], target)
  await importSkills(ctx, [folder('tools')], { as: importer, ...demo.imported })
  await createAgentResources(ctx, agent.apiKey)
  await catchUp(ctx)
  const { baseUrl, services } = ctx.config
  if (services.has('oauth')) await createDemoPeople(ctx)
  const credentials = await renewDemoCredentials(ctx)
  const others = credentials.password ? ', people and apps' : ''
  return `
Demo data: ${ctx.catalogue.size} skills, the agent ${agent.username}${others}. Try ${baseUrl}/resolve?task=fill+in+a+pdf+form
${formatCredentials(credentials).join('\n')}`
}

function ignoreConflict(error: unknown): undefined {
  if (error instanceof Failure && error.code === 'CONFLICT') return undefined
  throw error
}
