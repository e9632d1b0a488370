import { measureProse } from '../../search/index.ts'
import { type LintField, type LintSkill, type Report, rulesOf } from './report/types.ts'

export const keywordStuffingRules = rulesOf('notice', {
  'keyword-stuffing':
    'Words in lists, said again and again, or in a description far wider than its readme tell an agent little, and count next to nothing when skills are ranked.',
})

/** A readme longer than this is looked at up to here. */
const mostRead = 16_384

/** Warned of where so little is left of what the words count (server/docs/search/ranking.md, "Prose"). */
const clearly = 0.25

/** Reports skills whose words count less in the ranking because they stand in lists. */
export function checkKeywordStuffing(skill: LintSkill, report: Report): void {
  const found = worst(measureProse({ ...skill, readme: skill.readme.slice(0, mostRead) }))
  if (found) report('keyword-stuffing', found.field, found.message)
}

function worst({
  counts,
  shares,
}: ReturnType<typeof measureProse>): { field: LintField; message: string } | undefined {
  const { breadth, headRepetition, repetition, listing } = shares
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
