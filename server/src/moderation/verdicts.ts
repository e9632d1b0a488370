import type { Db } from '../db/open.ts'
import type { RegistryContext } from '../discovery/context.ts'
import { quarantinedRules } from '../discovery/held.ts'
import { lintWithFiles } from '../skills/bundles/lint.ts'
import { listFiles } from '../skills/store/files.ts'
import { nextRevision } from '../skills/store/revision.ts'
import { findSkill } from '../skills/store/skills.ts'
import { judgementOf } from './lint/findings.ts'
import { lintVersion } from './lint/rules.ts'
import type { Judgement, Verdict } from './lint/types.ts'
import { notifyHeld } from './quarantine.ts'
import * as store from './store/verdicts.ts'

/** Versions of one transaction. */
const batch = 50

/**
 * Lints the versions that no lint or only an older one has seen. Several nodes may do so at once: they
 * find the same, and what one has settled another leaves alone.
 */
export async function lintWaiting(ctx: RegistryContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await lintSome(ctx, signal)) === batch);
}

/** Lints some versions that wait for it; returns their number. */
export async function lintSome(
  ctx: Settling & Pick<RegistryContext, 'objects'>,
  signal: AbortSignal,
): Promise<number> {
  const waiting = await store.listUnlinted(ctx.db.read, lintVersion, batch)
  if (waiting.length === 0) return 0
  const judged: { version: store.UnlintedVersion; judgement: Judgement }[] = []
  let failure: unknown
  for (const version of waiting) {
    if (signal.aborted) break
    try {
      judged.push({ version, judgement: await judge(ctx, version) })
    } catch (error) {
      // Files that cannot be read now are tried again, and keep no other version waiting.
      failure = error
    }
  }
  const settled = await settle(ctx, judged)
  if (failure !== undefined) throw failure
  return settled
}

/** Lints a version with its files, each of which is in memory alone. */
async function judge(
  ctx: Pick<RegistryContext, 'db' | 'objects'>,
  version: store.UnlintedVersion,
): Promise<Judgement> {
  const { skillId, fileCount } = version
  const files = fileCount === 0 ? [] : await listFiles(ctx.db.read, skillId, version.version)
  return judgementOf(await lintWithFiles(ctx, version, files))
}

type Settling = Pick<RegistryContext, 'clock' | 'config' | 'db' | 'random'>

function settle(
  ctx: Settling,
  judged: readonly { version: store.UnlintedVersion; judgement: Judgement }[],
): Promise<number> {
  return ctx.db.write(async (trx) => {
    let settled = 0
    const revision = await nextRevision(trx)
    for (const { version, judgement } of judged) {
      if (!(await store.settleVerdict(trx, version, judgement, revision))) continue
      settled++
      await tellNewlyHeld(ctx, trx, version, judgement)
    }
    return settled
  })
}

/** Tells a publisher of a version that this lint keeps out of resolve and the last one did not. */
async function tellNewlyHeld(
  ctx: Settling,
  trx: Db,
  { skillId, isCurrent, known }: store.UnlintedVersion,
  { findings }: Judgement,
): Promise<void> {
  const before = quarantinedRules(ctx.config, { warnings: known })
  const now = quarantinedRules(ctx.config, { warnings: findings })
  if (!isCurrent || now.every((rule) => before.includes(rule))) return
  const skill = await findSkill(trx, skillId)
  if (skill) await notifyHeld(ctx, trx, skill)
}

/** Up to `limit` skills of a verdict for the operator, by their ids, from behind `after`; with what was found. */
export const listVerdicts = (
  { db }: Pick<RegistryContext, 'db'>,
  verdict: Verdict,
  { after, limit }: { after: string; limit: number },
) => store.listVerdicts(db.read, verdict, after, limit)
