import type { SkillTrial } from '@skillpass/contract'
import type { z } from 'zod'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { unread, viewOf } from '../catalogue/resolve.ts'
import { fetchUrl } from '../catalogue/serialize.ts'
import { fail } from '../errors/failure.ts'
import { searchedText } from './parse.ts'

/** New words of a trial. Each task adds and removes them in one turn of the event loop. */
const maxNewWords = 20_000

/** Resolves tasks as if some skills were published, which no other request sees. */
export async function trySkills(
  ctx: RegistryContext,
  { skills, tasks, ...limits }: z.output<typeof SkillTrial>,
) {
  const { catalogue, steps, signal } = ctx
  const { index, atSlot } = catalogue
  const now = ctx.clock.now()
  const texts = skills.map(({ readme, folder }) => searchedText(readme, folder))
  const read = await Promise.all(texts.map((text) => steps.run(index.read(text), signal)))
  if (read.reduce((sum, skill) => sum + index.countNewWords(skill), 0) > maxNewWords) {
    fail('VALIDATION_ERROR', 'The skills have too many different words to try them together.')
  }
  const data = []
  for (const task of tasks) {
    await steps.pause(signal)
    const first = catalogue.unusedSlot()
    const viewAt = (slot: number) =>
      slot < first ? viewOf(ctx, slot, {}, now) : { ...unread, isEligible: true }
    const { hits } = index.withTrial(first, read, () =>
      catalogue.resolve(task, { ...limits, isFiltered: true }, viewAt),
    )
    const results = hits.map(({ slot, confidence }) => {
      const skill = atSlot(slot)
      const slug = skill?.slug ?? texts[slot - first]?.slug ?? ''
      return { slug, fetchUrl: skill ? fetchUrl(ctx, skill) : null, confidence }
    })
    data.push({ task, results })
  }
  return { data }
}
