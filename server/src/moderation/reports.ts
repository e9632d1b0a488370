import type { ReportSubmission } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/api-keys.ts'
import { type ReportQuotas, spendQuotas } from '../agents/quotas.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { requireSkill } from '../catalogue/require-skill.ts'
import { recordJudgedTexts } from '../copies/judged-texts.ts'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import type { KeyHolder } from '../store/registry/api-keys.ts'
import * as store from '../store/registry/reports.ts'
import { recordByOperator } from './actions.ts'

/**
 * Stores an agent's report on a skill. `isNew` is false if it replaces the agent's open report.
 * Throws NOT_FOUND, or RATE_LIMITED beyond the daily quota of new reports.
 */
export async function submitReport(
  ctx: RegistryContext,
  agent: KeyHolder,
  skillId: string,
  { reason, text }: z.output<typeof ReportSubmission>,
  reportQuotas: ReportQuotas,
) {
  const id = ctx.random.uuid()
  const report = await ctx.db.write(async (trx) => {
    await requireLiveCaller(ctx, trx, agent)
    const skill = await requireSkill(ctx, trx, agent, skillId)
    const now = ctx.clock.now()
    const stored = await store.upsertReport(trx, {
      id,
      skillId,
      agentId: agent.id,
      reason,
      text,
      version: skill.version,
      now,
    })
    // Recognize the text from now on, whoever publishes it.
    await recordJudgedTexts(ctx, trx, skill)
    if (stored.id === id) await spendQuotas(ctx, trx, agent.id, { reports: 1 }, reportQuotas)
    return stored
  })
  return { isNew: report.id === id, report: { ...report, reason } }
}

/** Closes an open report. Throws NOT_FOUND. */
export async function resolveReport(ctx: OperatorContext, id: string, reason: string) {
  await ctx.db.write(async (trx) => {
    const report = await store.markReportResolved(trx, id.toLowerCase(), ctx.clock.now())
    if (!report) fail('NOT_FOUND', `There is no open report ${id}.`)
    const whom = { kind: 'skill', id: report.skillId } as const
    await recordByOperator(ctx, trx, 'report.resolved', whom, `report ${id}: ${reason}`)
  })
}
