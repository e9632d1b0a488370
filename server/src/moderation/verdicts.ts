import type { RegistryContext } from '../catalogue/catalogue.ts'
import { notifyQuarantined, quarantinedRules } from '../catalogue/quarantine.ts'
import type { Db } from '../db/open.ts'
import { lintResultOf } from '../lint/findings.ts'
import { lintVersion } from '../lint/rules.ts'
import { lintWithFiles } from '../skills/bundles/version-files.ts'
import { findVersionFiles } from '../store/registry/files.ts'
import { nextRevision } from '../store/registry/revision.ts'
import type { LintResult } from '../store/registry/skill-record.ts'
import { findSkill } from '../store/registry/skills.ts'
import * as store from '../store/registry/verdicts.ts'

/** Versions per transaction. */
const batch = 50

/**
 * Lints versions without a verdict of the current lint version. Several nodes may run this at the
 * same time: their results are equal, and each version is stored once.
 */
export async function lintPending(ctx: RegistryContext, signal: AbortSignal): Promise<void> {
  for (let stored = batch; stored === batch && !signal.aborted; ) {
    const linted: LintedVersion[] = []
    let failure: unknown
    for (const version of await store.listUnlinted(ctx.db.read, lintVersion, batch)) {
      if (signal.aborted) break
      try {
        const { skillId, fileCount } = version
        const files =
          fileCount === 0 ? [] : await findVersionFiles(ctx.db.read, skillId, version.version)
        linted.push({ version, lintResult: lintResultOf(await lintWithFiles(ctx, version, files)) })
      } catch (error) {
        // Retry unreadable files later, without blocking other versions.
        failure = error
      }
    }
    stored = linted.length === 0 ? 0 : await settle(ctx, linted)
    if (failure !== undefined) throw failure
  }
}

interface LintedVersion {
  readonly version: store.UnlintedVersion
  readonly lintResult: LintResult
}

const settle = (ctx: RegistryContext, linted: readonly LintedVersion[]): Promise<number> =>
  ctx.db.write(async (trx) => {
    let settled = 0
    const revision = await nextRevision(trx)
    for (const { version, lintResult } of linted) {
      if (!(await store.updateVerdict(trx, version, lintResult, revision))) continue
      settled++
      await notifyNewlyQuarantined(ctx, trx, version, lintResult)
    }
    return settled
  })

/** Notifies a publisher if its current version is quarantined and was not before. */
async function notifyNewlyQuarantined(
  ctx: RegistryContext,
  trx: Db,
  { skillId, isCurrent, known }: store.UnlintedVersion,
  { findings }: LintResult,
): Promise<void> {
  const before = quarantinedRules(ctx.config, { findings: known })
  const now = quarantinedRules(ctx.config, { findings })
  if (!isCurrent || now.every((rule) => before.includes(rule))) return
  const skill = await findSkill(trx, skillId)
  if (skill) await notifyQuarantined(ctx, trx, skill)
}
