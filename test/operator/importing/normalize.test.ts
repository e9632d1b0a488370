import type { RawSkill } from '@skillpass/server/internal/operator/importing/import-item'
import {
  normalizeSkill,
  slugAssigner,
} from '@skillpass/server/internal/operator/importing/normalize'
import { cutAtSentence, slugOf } from '@skillpass/server/internal/text/skill-file/fields'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const raw: RawSkill = {
  owner: 'Acme.Inc_1',
  repo: 'My.Skills',
  slug: 'pdf-forms',
  name: 'pdf-forms',
  description: 'Fills forms.',
  tags: [],
  readme: '# T',
  path: null,
  license: null,
  origin: null,
  stars: 0,
}

function normalize(change: Partial<RawSkill>, isReserved?: (owner: string) => boolean) {
  const result = normalizeSkill({ ...raw, ...change }, { assignSlug: slugAssigner(), isReserved })
  if ('rule' in result) return { refused: result.rule, rules: [], skill: null }
  return { refused: null, rules: result.warnings.map(({ rule }) => rule), skill: result.skill }
}

test('a slug is rewritten to the characters of an address', () => {
  expect(normalize({ slug: 'IOS_App--.x' })).toMatchObject({
    rules: ['slug-changed'],
    skill: { slug: 'ios-app---x' },
  })
  expect(normalize({ slug: 'NUL' })).toMatchObject({ skill: { slug: 'nul-skill' } })
  expect(normalize({ slug: 'Łódź ß' })).toMatchObject({ skill: { slug: 'lodz-ss' } })
  expect(normalize({ slug: '技能' }).refused).toBe('bad-slug')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(slugOf(text)).toMatch(/^(?:[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?)?$/)
      expect(slugOf(slugOf(text))).toBe(slugOf(text))
    }),
  )
})

test('a text is cut at a sentence, or otherwise at a word, and never within a character', () => {
  expect(cutAtSentence('One two. Three four five.', 20)).toBe('One two. Three four')
  expect(cutAtSentence('One two three. Four five.', 20)).toBe('One two three.')
  expect(cutAtSentence('一二三四五六。七八九十。', 8)).toBe('一二三四五六。')
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.integer({ min: 2, max: 60 }),
      (text, max) => {
        const cut = cutAtSentence(text, max)
        expect(cut.length).toBeLessThanOrEqual(max)
        expect(text.startsWith(cut)).toBe(true)
        expect(Buffer.from(cut).toString()).toBe(cut)
      },
    ),
  )
})

test('at most twenty distinct tags of fifty characters are kept', () => {
  const many = Array.from({ length: 25 }, (_, at) => `tag-${at}`)
  expect(normalize({ tags: [' PDF ', 'pdf', '', 'x'.repeat(51)] })).toMatchObject({
    rules: ['tag-too-long'],
    skill: { tags: ['PDF'] },
  })
  expect(normalize({ tags: many })).toMatchObject({ rules: ['too-many-tags'] })
  expect(normalize({ tags: many }).skill?.tags).toHaveLength(20)
})

const segments = ['', '.', '..', 'a/b', 'a\u0000', 'a b', 'a?b', 'x'.repeat(101)]
test.each(segments)('the owner and repo name %j are refused', (segment) => {
  expect(normalize({ owner: segment }).refused).toBe('bad-owner')
  expect(normalize({ repo: segment }).refused).toBe('bad-repo')
})

test('a numbered slug has at most 100 characters', () => {
  const assign = slugAssigner()
  const long = 'x'.repeat(100)
  expect(assign('a/b', long, '1')).toBe(long)
  expect(assign('a/b', long, '2')).toBe(`${'x'.repeat(98)}-2`)
})
