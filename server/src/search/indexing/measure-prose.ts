import { createKnownWords } from '../lexicon/known-words.ts'
import { createWordTable } from '../lexicon/word-table.ts'
import type { SkillText } from '../text/skill-text.ts'
import { createProseMeter, type ProseCounts, type ProseShares, proseShares } from './prose.ts'
import { createSkillReader } from './read-skill.ts'

/** Words of other skills that are kept, so that not all are new in the next. */
const MOST_KEPT = 50_000

let measure: ReturnType<typeof createMeasure> | undefined

/** A reader with words of its own: what is only measured is in no index. */
function createMeasure() {
  const words = createKnownWords(createWordTable())
  const meter = createProseMeter(words)
  return { words, meter, reader: createSkillReader(words, () => meter) }
}

/** How far the words of a skill stand in prose: what was counted, and what is left of their weight. */
export function measureProse(skill: SkillText): { counts: ProseCounts; shares: ProseShares } {
  if (!measure || measure.words.count > MOST_KEPT) measure = createMeasure()
  const { meter, reader } = measure
  reader.read(skill)
  return { counts: meter.counts, shares: proseShares(meter.counts) }
}
