import { createProseMeter, type ProseCounts, proseShares } from '../../search/indexing/prose.ts'
import { createSkillReader } from '../../search/indexing/read-skill.ts'
import { createKnownWords } from '../../search/lexicon/known-words.ts'
import { createWordTable } from '../../search/lexicon/word-table.ts'
import type { LintField, LintRule, LintSkill, Report } from './report/types.ts'

export const keywordStuffingRules: readonly LintRule[] = [
  {
    id: 'keyword-stuffing',
    level: 'notice',
    explanation:
      'Words in lists, said again and again, or in a description far wider than its readme tell an agent little, and count next to nothing when skills are ranked.',
  },
]

/** A readme longer than this is looked at up to here. */
const mostRead = 16_384

/** Warned of where so little is left of what the words count (indexing/prose.ts). */
const clearly = 0.25

/** Words of other skills that are kept, so that not all are new in the next. */
const mostWords = 50_000

let measure: ReturnType<typeof createMeasure> | undefined

/** A reader with words of its own: what is only linted is not in the catalogue's vocabulary. */
function createMeasure() {
  const words = createKnownWords(createWordTable())
  const meter = createProseMeter(words)
  return { words, meter, reader: createSkillReader(words, () => meter) }
}

/** Reports skills whose words count less in the ranking because they stand in lists. */
export function checkKeywordStuffing(skill: LintSkill, report: Report): void {
  if (!measure || measure.words.count > mostWords) measure = createMeasure()
  const { meter, reader } = measure
  reader.read({ ...skill, readme: skill.readme.slice(0, mostRead) })
  const found = worst(meter.counts)
  if (found) report('keyword-stuffing', found.field, found.message)
}

function worst(counts: ProseCounts): { field: LintField; message: string } | undefined {
  const { breadth, headRepetition, repetition, listing } = proseShares(counts)
  const { headDistinct, bodyWords, listed } = counts
  const findings: { left: number; field: LintField; message: string }[] = [
    {
      left: breadth,
      field: 'description',
      message: `name, tags and description have ${headDistinct} different words, far more than the readme tells of; name what the skill does`,
    },
    {
      left: headRepetition,
      field: 'description',
      message: 'name, tags and description say the same words again and again; say each once',
    },
    {
      left: repetition,
      field: 'readme',
      message: 'the readme says the same words again and again; tell what to do',
    },
    {
      left: listing,
      field: 'readme',
      message: `${listed} of the ${bodyWords} words of the readme stand in lists without sentences; tell what to do`,
    },
  ]
  return findings.sort((a, b) => a.left - b.left).find(({ left }) => left < clearly)
}
