import type { RegistryContext } from '../discovery/context.ts'
import { runStep } from '../runtime/run-step.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { type HandedOut, handOut } from './handed-out.ts'
import { findScope, type Scope } from './scope.ts'

/** What the index of a scope says. */
export interface ScopeIndex {
  readonly scope: Scope
  readonly skills: readonly HandedOut[]
  /** Skills of the scope, those that the index leaves out included. */
  readonly total: number
}

/** The index of a scope, or the skill that has left its address; throws as `findScope` does. */
export async function indexScope(
  ctx: RegistryContext,
  scope: Scope,
): Promise<ScopeIndex | { moved: SkillRecord }> {
  const found = await findScope(ctx, scope)
  if ('moved' in found) return found
  const skills: HandedOut[] = []
  for (const skill of found.skills) {
    // Each may take some ten milliseconds, so others work in between.
    skills.push(await runStep(() => handOut(ctx, skill), ctx.signal))
  }
  return { scope, skills, total: found.total }
}
