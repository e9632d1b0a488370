import { TEXT_POSITIONS } from '@skillpass/server/search/constants/constants'
import type { ReadSkill } from '@skillpass/server/search/document/forward-index'
import { createSkillReader } from '@skillpass/server/search/indexing/read-skill'
import { createVocabulary } from '@skillpass/server/search/lexicon/vocabulary'
import { FILLER_WORDS, STOP_WORDS } from '@skillpass/server/search/text/stop-words'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../support/random.ts'
import { parted } from '../../support/words.ts'
import { readSlowly } from './reference.ts'

const vocabulary = createVocabulary()
const reader = createSkillReader(vocabulary)

const skill = (
  readme: string,
  head: { name?: string; slug?: string; description?: string } = {},
) => ({
  name: '',
  slug: '',
  description: '',
  tags: [],
  ...head,
  readme,
})

/** The words of each section; a gap is a bar. */
function sectionsOf({ words, ends }: ReadSkill): string[] {
  return Array.from(ends, (end, i) =>
    Array.from(words.subarray(i === 0 ? 0 : ends[i - 1], end), (word) =>
      word === 0 ? '|' : vocabulary.text(word),
    ).join(' '),
  )
}

/** The sections of a readme: headings, text, loose words, code. */
const readmeOf = (readme: string) => sectionsOf(reader.read(skill(readme))).slice(5)

describe('the words of a skill’s sections', () => {
  test('a reader keeps every word of the head in place, with the parts of camelCase words behind a gap', () => {
    const read = reader.read({
      name: 'The GitHub helper',
      slug: 'the-gitHub-tool',
      description: 'Opens pullRequests via the API. Do not use for GitLab.',
      tags: ['CI/CD', 'getURLs'],
      readme: '',
    })
    expect(sectionsOf(read).slice(0, 5)).toEqual([
      'the github helper',
      'the github tool | git hub',
      'ci cd geturls | get urls',
      'opens pullrequests via the api | pull requests',
      'do not use for gitlab | git lab',
    ])
    expect(Array.from(read.lengths)).toEqual([8, 5, 7, 0, 0, 0])
  })

  test('a reader skips a slug that repeats the name', () => {
    const read = reader.read(skill('', { name: 'Fill PDF forms', slug: 'fill-pdf-forms' }))
    expect(sectionsOf(read).slice(0, 2)).toEqual(['fill pdf forms', ''])
    expect(read.lengths[0]).toBe(3)
  })

  test.each([
    [
      'headings and text',
      '# Deploy the Kubernetes\nsome pods\n#hashtag',
      ['deploy kubernetes', 'pods hashtag', '', ''],
    ],
    [
      'fillers and parts without a place',
      'use camelCase really\n# HTTPServer',
      ['httpserver', 'camelcase', 'use camel case really http server', ''],
    ],
    [
      'code in fences of either kind',
      'early\n```js\nconst useState = the\n~~~\n```\nlate\n~~~~\n# code\n~~~\ncode',
      ['', 'early late', '', 'js const usestate use state code code'],
    ],
    [
      'contractions',
      "don't user's we'll o'clock couldn’t 'quoted'",
      ['', 'user o clock couldnt quoted', '', ''],
    ],
    [
      'languages with signs',
      'C++ c# F# .NET dotnet.net C+ a.NET',
      ['', 'cpp csharp fsharp dotnet dotnet net c net', '', ''],
    ],
    [
      'accents, ligatures and full-width letters',
      'Éditeur Straße ＰＤＦ ﬁle œuvre',
      ['', 'editeur strasse pdf file oeuvre', '', ''],
    ],
    ['unspaced scripts', '数据，机器学习 ภาษาไทย', ['', '数据 机器 学习 ภาษา ไทย', '', '']],
  ])('a reader splits a readme into sections: %s', (_, readme, sections) => {
    expect(readmeOf(readme)).toEqual(sections)
  })

  test('a reader drops words of more than 64 bytes', () => {
    expect(readmeOf(`${'x'.repeat(64)} ${'y'.repeat(65)} ${'é'.repeat(65)}`)[1]).toBe(
      'x'.repeat(64),
    )
  })

  test('a reader only counts the words after those that keep their place', () => {
    const [, text, loose] = readmeOf('pod '.repeat(TEXT_POSITIONS + 100))
    expect(text?.split(' ')).toHaveLength(TEXT_POSITIONS)
    expect(loose?.split(' ')).toHaveLength(100)
  })

  test('a reader takes headings beyond 4096 words for text', () => {
    const [heading, text] = readmeOf(`# ${'pod '.repeat(4100)}`)
    expect(heading?.split(' ')).toHaveLength(4096)
    expect(text?.split(' ')).toHaveLength(4)
  })
})

describe('the reader and the reference', () => {
  const atoms = parted(
    "a¦B¦C¦F¦++¦#¦.NET¦'¦’¦s¦t¦n¦n't¦re¦D¦ ¦\n¦\t¦```¦~~~¦# ¦## ¦HTTPServer¦APIs¦camelCase¦é¦ß¦İ¦ﬁ¦½¦数据",
    'の¦ไทย¦й¦Ｐ¦ﷺ¦😀¦—¦。¦the¦use¦0¦_¦\u0301',
  ).concat('x'.repeat(63), 'Y'.repeat(65))

  test('a reader agrees with the reference on random text of special characters', () => {
    const random = seededRandom(11)
    const text = (atMost: number) =>
      Array.from({ length: Math.floor(random() * atMost) }, () =>
        String(atoms[Math.floor(random() * atoms.length)]),
      ).join('')
    for (let i = 0; i < 1000; i++) {
      const tricky = {
        name: text(4),
        slug: text(4),
        description: text(8),
        tags: [text(3), text(2)],
        readme: text(30),
      }
      const read = reader.read(tricky)
      const slow = readSlowly(tricky)
      expect({ tricky, sections: sectionsOf(read) }).toEqual({ tricky, sections: slow.sections })
      expect({ tricky, lengths: Array.from(read.lengths) }).toEqual({
        tricky,
        lengths: slow.lengths,
      })
    }
  })

  test('a reader agrees with the reference on lines of thousands of words', () => {
    const random = seededRandom(12)
    const words = [
      ...atoms.filter((atom) => !atom.includes('\n')),
      'plain',
      'GitHubAction',
      'Words',
    ]
    for (let i = 0; i < 6; i++) {
      const line = Array.from(
        { length: 3000 },
        () => words[Math.floor(random() * words.length)],
      ).join(i % 2 === 0 ? ' ' : ' and ')
      const long = skill(`# ${line}\n${line}\n\`\`\`\n${line}`)
      const slow = readSlowly(long)
      const read = reader.read(long)
      expect(Array.from(read.lengths)).toEqual(slow.lengths)
      expect(sectionsOf(read)).toEqual(slow.sections)
    }
  })

  test('stop words and fillers have the lowest numbers of the vocabulary', () => {
    const numberOf = (word: string) => reader.read(skill('', { name: word })).words[0] ?? 0
    for (const word of STOP_WORDS) expect(numberOf(word)).toBeLessThanOrEqual(vocabulary.lastStop)
    for (const word of FILLER_WORDS)
      expect(numberOf(word)).toBeLessThanOrEqual(vocabulary.lastFiller)
    expect(numberOf('kubernetes')).toBeGreaterThan(vocabulary.lastFiller)
  })
})

describe('reading in steps', () => {
  const stepsOf = (readme: string) => {
    const reading = reader.begin(skill(readme))
    for (let steps = 1; ; steps++) {
      const read = reading.step()
      if (read !== undefined) return { read, steps }
    }
  }

  test.each([
    ['Chinese without a break', '机器学习模型的训练与部署需要大量数据'.repeat(4800)],
    ['lines of Chinese', '机器学习模型的训练。\n'.repeat(8000)],
    ['new words', Array.from({ length: 30_000 }, (_, i) => `w${i.toString(36)}`).join(' ')],
    ['English', 'All work and no play makes Jack a dull boy.\n'.repeat(5900)],
  ])('a long text is read in steps: %s', (_, readme) => {
    const { read, steps } = stepsOf(readme)
    expect(steps).toBeGreaterThan(2)
    expect(sectionsOf(read)).toEqual(sectionsOf(reader.read(skill(readme))))
    // The steps grow with the length of the text.
    const half = stepsOf(readme.slice(0, readme.length / 2)).steps
    expect(Math.abs(steps - 2 * half)).toBeLessThan(0.2 * steps + 2)
  })

  test('several texts can be read in steps at the same time', () => {
    const first = reader.begin(skill('机器学习 '.repeat(20_000)))
    const second = reader.begin(skill('kubernetes '.repeat(20_000)))
    let one: ReadSkill | undefined
    let two: ReadSkill | undefined
    while (one === undefined || two === undefined) {
      one ??= first.step()
      reader.read(skill('in between'))
      two ??= second.step()
    }
    const late = (words: number) => words - TEXT_POSITIONS
    expect(sectionsOf(one)[7]).toBe('机器 学习 '.repeat(late(40_000) / 2).trim())
    expect(sectionsOf(two)[7]).toBe('kubernetes '.repeat(late(20_000)).trim())
  })

  test('a short text is read in one step', () => {
    expect(stepsOf('just a few words').steps).toBe(1)
  })
})
