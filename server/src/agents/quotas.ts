import { type QuotaName, quotas, utf8Length } from '@skillpass/contract'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import type { Db } from '../db/open.ts'
import { Failure } from '../errors/failure.ts'
import { dayLength, utcDay } from '../runtime/time.ts'
import type { SkillText } from '../search/index.ts'
import { addUsage, purgeUsage, type Usage } from '../store/agents/usage.ts'

/** The state of a quota on the current UTC day. */
interface QuotaState {
  readonly name: QuotaName
  readonly limit: number
  readonly remaining: number
  /** Seconds until the UTC day ends, rounded up. */
  readonly resetSeconds: number
}

/** Receives the quotas that a request counts toward, even if the request is refused. */
export type ReportQuotas = (states: readonly QuotaState[]) => void

type SentText = { readonly [K in keyof SkillText]?: SkillText[K] | undefined }

/** Counts the bytes of a text and the words that are new to the registry. */
export async function weighText(
  { config, catalogue }: RegistryContext,
  { name = '', slug = '', description = '', tags = [], readme = '' }: SentText,
): Promise<Pick<Usage, 'bytes' | 'words'>> {
  const bytes = [name, slug, description, ...tags, readme].reduce(
    (sum, part) => sum + utf8Length(part),
    0,
  )
  if (config.quotas.words === 0) return { bytes, words: 0 }
  const words = await catalogue.countNewWords({ name, slug, description, tags, readme })
  return { bytes, words }
}

/**
 * Counts usage in the caller's transaction, so that it is stored exactly if the write is, on any
 * node. Throws RATE_LIMITED until the end of the UTC day if a quota is exceeded.
 */
export async function spendQuotas(
  { config, clock, metrics }: RegistryContext,
  trx: Db,
  agentId: string,
  usage: Partial<Usage>,
  reportQuotas: ReportQuotas,
): Promise<void> {
  const names = quotaNames.filter((name) => name in usage && config.quotas[name] > 0)
  if (names.length === 0) return
  const amountOf = (name: QuotaName) => usage[name] ?? 0
  const now = clock.now()
  const used = await addUsage(trx, { agentId, day: utcDay(now) }, usage)
  const resetSeconds = Math.ceil((dayLength - (now % dayLength)) / 1000)
  // A full quota refuses only requests that count toward it.
  const full = names.find((name) => amountOf(name) > 0 && used[name] > config.quotas[name])
  reportQuotas(
    names.map((name) => {
      const limit = config.quotas[name]
      const counted = full ? used[name] - amountOf(name) : used[name]
      return { name, limit, remaining: Math.max(0, limit - counted), resetSeconds }
    }),
  )
  if (!full) return
  metrics.limited.inc({ class: full })
  throw new Failure('RATE_LIMITED', {
    message: `An agent may ${quotas[full].act} ${config.quotas[full]} ${quotas[full].unit} per UTC day. Try again after retryAfter seconds.`,
    retryAfter: resetSeconds,
  })
}

const quotaNames = Object.keys(quotas) as QuotaName[]

export async function forgetUsage({ db, clock }: RegistryContext): Promise<void> {
  await db.write((trx) => purgeUsage(trx, utcDay(clock.now())))
}
