import { currentOperator, type Operating } from '../../audit/operator.ts'
import { record } from '../../audit/record.ts'
import { fail } from '../../errors/failure.ts'
import { nextRevision } from '../store/revision.ts'
import type { CopyWord, SkillRecord } from '../store/skill-record.ts'
import { setCopyWord } from '../store/skills.ts'
import { noteTexts } from './known-texts.ts'
import { addressOf, notify } from './notices.ts'
import { findNamedSkill } from './skills.ts'

/** What an operator decides of a skill: what it is a copy of, that it is none, or nothing any more. */
export type Decision = { copyOf: string } | 'none' | 'undecided'

/**
 * Keeps an operator's decision on a copy, over what its passages and its publisher say. Skills are
 * named by id or by `owner/repo/slug`. Throws NOT_FOUND, and CONFLICT where a skill would be its own
 * original.
 */
export async function decideOriginal(
  ctx: Operating,
  copy: string,
  decision: Decision,
  reason: string,
): Promise<{ copy: SkillRecord; original: SkillRecord | null }> {
  return ctx.db.write(async (trx) => {
    const revision = await nextRevision(trx)
    const skill = await findNamedSkill(trx, copy)
    const original =
      typeof decision === 'string' ? null : await findNamedSkill(trx, decision.copyOf)
    if (original?.id === skill.id) fail('CONFLICT', 'A skill is no copy of itself.')
    if (original?.copyWord?.by === 'operator' && original.copyWord.copyOf === skill.id) {
      const message = `${addressOf(original)} is decided to be the copy: take that back first.`
      fail('CONFLICT', message)
    }
    const word: CopyWord | null =
      decision === 'undecided' ? null : { by: 'operator', copyOf: original?.id ?? null }
    await noteTexts(ctx, trx, skill, [skill.version])
    if (original) await noteTexts(ctx, trx, original, [original.version])
    await setCopyWord(trx, skill.id, word, { reason, revision })
    const action = 'skill.original-decided'
    await notify(ctx, trx, skill.owner.id, { action, skill, reason })
    const [who, whom] = [currentOperator(), { kind: 'skill', id: skill.id } as const]
    await record(ctx, trx, { action, who, whom, note: reason })
    return { copy: skill, original }
  })
}
