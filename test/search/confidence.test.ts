import { describe, expect, test } from 'vitest'
import { words } from '../support/words.ts'
import { indexOf, OTHERS, PDF, skill } from './fixture.ts'

describe.each([0, 4, 19])('beside %d other skills', (others) => {
  const index = indexOf([...OTHERS.slice(0, others), PDF])

  test('confidence exceeds 0.5 if the name of a skill matches the task', () => {
    const { hits, matched } = index.resolve('fill a pdf form', { limit: 10, threshold: 0.3 })
    expect(hits[0]?.id).toBe('pdf')
    expect(hits[0]?.confidence).toBeGreaterThan(0.5)
    expect(matched).toBeGreaterThanOrEqual(1)
  })

  test.each([
    'best recipe for sourdough bread',
    'what is the capital of France?',
    'plan a hiking trip in the Dolomites with data on the weather',
    'write a haiku about autumn leaves',
  ])('confidence stays below 0.3 for a task that no skill serves: %s', (task) => {
    expect(index.resolve(task, { limit: 10, threshold: 0.3 }).hits).toEqual([])
  })
})

const plurals = words(`
    PDF/PDFs PR/PRs VM/VMs LLM/LLMs API/apis URL/URLs GPU/GPUs CPU/CPUs KPI/KPIs CLI/CLIs
    NDA/NDAs SME/SMEs CI/CIs QA/QAs ECU/ECUs vCPU/vCPUs AWS/AWSs DNS/DNSs DNS/DNSes SMS/SMSes
    OS/OSes SaaS/SaaSes MP3/MP3s EC2/EC2s S3/S3s H100/H100s 2FA/2FAs bus/buses lens/lenses
    alias/aliases canvas/canvases menu/menus form/forms case/cases class/classes
    status/statuses
  `).map((pair) => pair.split('/') as [string, string])
test.each(plurals)('singular %s and plural %s match with nearly equal confidence', (one, many) => {
  const confidence = (task: string, word: string) => {
    const text = { name: `Merge ${word}`, description: `Merges ${word} into one.` }
    const merge = skill('merge', { ...text, readme: `Read each ${word}, then write one ${word}.` })
    const { hits } = indexOf([...OTHERS, merge]).resolve(task, { limit: 10, threshold: 0 })
    return hits.find(({ id }) => id === 'merge')?.confidence ?? 0
  }
  for (const before of ['merge ', '']) {
    const singular = confidence(before + one, one)
    expect(singular).toBeGreaterThan(0.3)
    for (const word of [one, many]) {
      for (const asked of [one, many]) {
        expect(confidence(before + asked, word)).toBeGreaterThan(0.9 * singular)
      }
    }
  }
})

test('confidence exceeds 0.5 for the skill whose name is the task, even if 150 other skills serve it', () => {
  const fields = {
    description: 'Code review of changes',
    readme:
      'Read the diff from top to bottom before you say anything. Run the tests, and look for what they leave ' +
      'out: errors, empty input, races, secrets in logs. Ask why where a name surprises you. Praise what is ' +
      'simple. Sort your remarks by weight, quote the line each belongs to, and propose a better one.',
  }
  const reviewers = Array.from({ length: 150 }, (_, i) =>
    skill(`tool${i}`, { name: `Tool${i} code review`, ...fields }),
  )
  const index = indexOf([...reviewers, skill('plain', { name: 'code-review', ...fields })])
  const [first, second] = index.resolve('code review', { limit: 2, threshold: 0 }).hits
  expect(first?.id).toBe('plain')
  expect(first?.confidence).toBeGreaterThan(0.5)
  expect(second?.confidence).toBeLessThan(first?.confidence ?? 0)
})
