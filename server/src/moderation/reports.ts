import type { ReportSubmission } from '@skillpass/contract'
import type { z } from 'zod'
import { requireLiveCaller } from '../agents/api-keys.ts'
import { type ReportQuotas, spendQuotas } from '../agents/quotas.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { requireSkill } from '../catalogue/require-skill.ts'
import { recordJudgedTexts } from '../copies/judged-texts.ts'
import { fail } from '../errors/failure.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { createSecret, hashSecret, parseSecret } from '../secrets/secrets.ts'
import type { KeyHolder } from '../store/agents/api-keys.ts'
import { networkKey } from '../store/agents/networks.ts'
import * as store from '../store/registry/reports.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import { closeReports, recordByOperator } from './actions.ts'

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

/** Open reports of readers on one skill. More would tell the operator nothing new. */
const maxReadersReports = 20

/**
 * Stores the report of a reader without an account. Returns the secret of the address that shows
 * how it ends. It marks no text: only a decision of the operator does. Throws NOT_FOUND, and
 * CONFLICT if the reader's network has an open report on the skill or the skill has many.
 */
export async function submitReadersReport(
  ctx: RegistryContext,
  skill: SkillRecord,
  { reason, text }: z.output<typeof ReportSubmission>,
) {
  const secret = createSecret('report', ctx.random)
  await ctx.db.write(async (trx) => {
    if ((await store.countReadersReports(trx, skill.id)) >= maxReadersReports) {
      fail('CONFLICT', 'Many readers have reported this skill already. The operator will decide.')
    }
    const network = (await networkKey(trx, ctx.network ?? undefined)) || null
    const isStored = await store.insertReadersReport(trx, {
      ...{ id: ctx.random.uuid(), skillId: skill.id, reason, text, version: skill.version },
      ...{ network, key: hashSecret(secret), now: ctx.clock.now() },
    })
    if (!isStored) {
      const message = 'Somebody on your network has reported this skill. The operator will decide.'
      fail('CONFLICT', message)
    }
  })
  return secret
}

/** Returns a reader's report by the secret in its address. Throws NOT_FOUND. */
export async function getReadersReport({ db }: OperatorContext, secret: string) {
  const known = parseSecret('report', secret)
  const report = known && (await store.findReadersReport(db.read, hashSecret(known)))
  return report ?? fail('NOT_FOUND', 'There is no report at this address. Check that it is whole.')
}

/** Closes an open report, with a decision that its reporter reads. Throws NOT_FOUND. */
export async function resolveReport(ctx: OperatorContext, id: string, decision: string) {
  await ctx.db.write(async (trx) => {
    const [report] = await closeReports(ctx, trx, { id: id.toLowerCase() }, decision)
    if (!report) fail('NOT_FOUND', `There is no open report ${id}.`)
    const whom = { kind: 'skill', id: report.skillId } as const
    await recordByOperator(ctx, trx, 'report.resolved', whom, `report ${id}: ${decision}`)
  })
}
