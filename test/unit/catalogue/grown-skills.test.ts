import { describe, expect, test } from 'vitest'
import type { CorpusSkill } from '../../support/corpus/corpus.ts'
import { grow } from '../../support/corpus/grow.ts'
import { pieceEnds } from '../../support/corpus/text-pieces.ts'

const real: CorpusSkill[] = Array.from({ length: 40 }, (_, i) => ({
  id: `owner${i % 4}/repo/skill-${i}`,
  owner: `owner${i % 4}`,
  repo: 'repo',
  slug: `skill-${i}`,
  name: `Skill of kind ${i}`,
  description: `Does thing number ${i} for those who need it. Use it when thing ${i} is due.`,
  tags: [`tag${i % 5}`],
  readme: `# Skill ${i}\n\nFirst do step ${i} with all the care there is. Then rest.\n\n\`\`\`sh\n# not a heading ${i}\nrun ${i}\n\`\`\`\n\n- one of ${i}\n`,
}))

describe('skills grown for benchmarks', () => {
  test('are the same in every run', () => {
    expect([...grow(real, 200)]).toEqual([...grow(real, 200)])
  })

  test('begin with every real skill and stand at an address of their own', () => {
    const grown = [...grow(real, 1000)]
    expect(grown.slice(0, real.length)).toEqual(real)
    expect(new Set(grown.map(({ id }) => id)).size).toBe(1000)
    for (const { slug } of grown) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  test('are a sample of the real ones where fewer are wanted', () => {
    const grown = [...grow(real, 10)]
    expect(new Set(grown).size).toBe(10)
    expect(grown.every((skill) => real.includes(skill))).toBe(true)
  })

  test('are as long as the real ones and made of their pieces', () => {
    const grown = [...grow(real, 1000)].slice(real.length)
    const mean = (skills: readonly CorpusSkill[]) =>
      skills.reduce((sum, { readme }) => sum + readme.length, 0) / skills.length
    expect(mean(grown) / mean(real)).toBeGreaterThan(0.8)
    expect(mean(grown) / mean(real)).toBeLessThan(1.5)
    const pieces = new Set(real.flatMap(({ readme }) => piecesOf(readme)))
    for (const { readme } of grown) {
      const [, ...body] = piecesOf(readme)
      for (const piece of body) expect(pieces).toContain(piece)
    }
  })

  test('keep code blocks whole', () => {
    for (const { readme } of grow(real, 1000)) {
      expect(readme.split('\n').filter((line) => line.startsWith('```')).length % 2).toBe(0)
    }
  })
})

function piecesOf(text: string): string[] {
  let start = 0
  return Array.from(pieceEnds(text), (end) => {
    const piece = text.slice(start, end)
    start = end
    return piece.trim()
  })
}
