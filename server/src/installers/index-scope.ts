import type { RegistryContext } from '../discovery/context.ts'
import { runStep } from '../runtime/run-step.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { type IndexEntry, indexEntryOf } from './index-entry.ts'
import { findScope, type Scope } from './scope.ts'

export interface ScopeIndex {
  readonly scope: Scope
  readonly skills: readonly IndexEntry[]
  /** Number of skills in the scope, including those that the index omits. */
  readonly total: number
}

/** Returns the index of a scope, or a moved skill. Throws like `findScope`. */
export async function indexScope(
  ctx: RegistryContext,
  scope: Scope,
): Promise<ScopeIndex | { moved: SkillRecord }> {
  const found = await findScope(ctx, scope)
  if ('moved' in found) return found
  const skills: IndexEntry[] = []
  for (const skill of found.skills) {
    // An entry may take 10 ms, so yield to other requests.
    skills.push(await runStep(() => indexEntryOf(ctx, skill), ctx.signal))
  }
  return { scope, skills, total: found.total }
}
