import { createSteps } from '@skillpass/server/internal/runtime/steps'
import {
  createSkillIndex,
  type ResolveOptions,
  type SkillIndex,
  type SkillText,
} from '@skillpass/server/internal/search/index'

/** A skill with an id chosen by the test. */
export interface NamedSkill extends SkillText {
  id: string
}

type NamedIndex = ReturnType<typeof createNamedIndex>

/** Creates a skill index that identifies skills by id. Equal scores are ordered by id. */
export function createNamedIndex() {
  const index = createSkillIndex(createSteps())
  const slots = new Map<string, number>()
  const names: string[] = []
  const nameOf = (slot: number) => names[slot] ?? ''
  const slotOf = (id: string) => {
    const slot = slots.get(id) ?? names.push(id) - 1
    slots.set(id, slot)
    return slot
  }
  /** Without votes or originals. */
  const view = { createdAt: 0, voteBalance: 0, demotion: 1, isEligible: true, originals: [] }
  return {
    savedBytes: () => savedBytesOf(index),
    beginLoad: index.beginLoad,
    put: ({ id, ...text }: NamedSkill) => index.put(slotOf(id), text),
    remove: (id: string) => index.remove(slotOf(id)),
    resolve(task: string, options: ResolveOptions) {
      const viewOf = (slot: number) => ({ ...view, id: nameOf(slot) })
      const { hits, ...rest } = index.resolve(task, options, viewOf)
      return { ...rest, hits: hits.map((hit) => ({ ...hit, id: nameOf(hit.slot) })) }
    },
    /** Returns the matches of a search, unordered. */
    search(q: string) {
      const { slots, scores } = index.search(q)
      return Array.from(slots, (slot, i) => ({ id: nameOf(slot), score: scores[i] ?? 0 }))
    },
  }
}

/** Returns the size of all arrays and texts of an index. */
export const savedBytesOf = (index: SkillIndex): number =>
  index
    .save()
    .parts.flatMap(({ bytes }) => (bytes instanceof Uint8Array ? bytes.length : []))
    .reduce((sum, length) => sum + length, 0)

/** Creates a skill with the given fields. */
export function skill(id: string, fields: Partial<NamedSkill> = {}): NamedSkill {
  return { id, name: id, slug: id, description: '', tags: [], readme: '', ...fields }
}

export function indexOf(skills: readonly NamedSkill[]): NamedIndex {
  const index = createNamedIndex()
  for (const each of skills) index.put(each)
  return index
}

/** Returns the ids that resolve ranks at threshold 0, best first. */
export function ranking(index: NamedIndex, task: string, limit = 50): string[] {
  return index.resolve(task, { limit, threshold: 0 }).hits.map(({ id }) => id)
}

/** Returns the ids that a search finds, best first. */
export function found(index: NamedIndex, q: string): string[] {
  return index
    .search(q)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id)
}

export const PDF = skill('pdf', {
  name: 'PDF form filler',
  slug: 'pdf-form-filler',
  description: 'Fill PDF forms from JSON data',
  tags: ['pdf'],
  readme: '# PDF form filler\n\nRead the fields of a PDF form and write the values into them.',
})

const SUBJECTS: readonly (readonly [string, string])[] = [
  ['Git release notes', 'Write release notes from merged pull requests'],
  ['Docker image slimmer', 'Make container images smaller with multi-stage builds'],
  ['SQL index adviser', 'Find missing database indexes from slow query logs'],
  ['React component tests', 'Test React components with Testing Library'],
  ['Terraform module review', 'Review Terraform modules for security and drift'],
  ['Invoice extractor', 'Extract totals and dates from scanned invoices'],
  ['Meeting minutes', 'Turn meeting transcripts into minutes with decisions'],
  ['Kubernetes rollout doctor', 'Diagnose failed Kubernetes rollouts and crash loops'],
  ['CSV cleaner', 'Clean and deduplicate CSV files'],
  ['Accessibility audit', 'Check web pages against WCAG accessibility rules'],
  ['Python type hints', 'Add type hints to untyped Python modules'],
  ['Slack bot builder', 'Build Slack bots with slash commands'],
  ['API load test', 'Load test HTTP APIs and report latency'],
  ['Regex explainer', 'Explain and repair regular expressions'],
  ['Email drafter', 'Draft polite replies to customer emails'],
  ['Translation glossary', 'Keep terms consistent across translations'],
  ['Logo palette', 'Choose brand colours and logo palettes'],
  ['Cron planner', 'Plan scheduled jobs and cron expressions'],
  ['Secrets scanner', 'Scan repositories for leaked secrets'],
]

/** Nineteen skills on different subjects. */
export const OTHERS: readonly NamedSkill[] = SUBJECTS.map(([name, description]) =>
  skill(name.toLowerCase().replaceAll(' ', '-'), {
    name,
    description,
    readme: `# ${name}\n\n${description}.\n\n## When to use\n\nWhen the task is best done with care.`,
  }),
)
