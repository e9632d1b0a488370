import { isDeepStrictEqual } from 'node:util'
import { createVocabulary, type Vocabulary } from '@skillpass/server/search/lexicon/vocabulary'
import { createScanner, END } from '@skillpass/server/search/text/scanner'
import { describe, expect, test } from 'vitest'

const entriesOf = (vocabulary: Vocabulary, text: string): number[] => {
  const scanner = createScanner(vocabulary.recent)
  const entries: number[] = []
  scanner.open(text)
  while (scanner.next(false) !== END) {
    entries.push(scanner.known === 0 ? vocabulary.intern(scanner) : scanner.known)
  }
  return entries
}

const MANY = Array.from({ length: 60_000 }, (_, i) => `word${(i * 7919).toString(36)}`)

describe('a vocabulary numbers words', () => {
  test('one number for one word in any case, another for every other', () => {
    const vocabulary = createVocabulary()
    const entries = entriesOf(vocabulary, MANY.join(' '))
    expect(new Set(entries).size).toBe(MANY.length)
    expect(entriesOf(vocabulary, MANY.join(' ').toUpperCase())).toEqual(entries)
    expect(entries.map(vocabulary.text)).toEqual(MANY)
  })

  test.each([
    ['of eight letters and fewer', 'cat tac act bcat catb aaaaaaaa aaaaaaab baaaaaaa'],
    ['with the same last eight', 'aforestry bforestry aaforestry forestry'],
    ['beyond ASCII', 'кот ток окт 数据'],
  ])('tells words %s apart', (_, text) => {
    const vocabulary = createVocabulary()
    const first = entriesOf(vocabulary, text)
    expect(new Set(first).size).toBe(first.length)
    expect(entriesOf(vocabulary, text)).toEqual(first)
  })

  test('knows the words of a stem by the first of them', () => {
    const vocabulary = createVocabulary()
    // the stem of "organize" is "organ", but that is no word of it: its own stem is another
    const text = 'form configuring forms configured farm configur organic organ organs'
    const [form, configuring, forms, configured, farm, configur, ...organs] = entriesOf(
      vocabulary,
      text,
    )
    const stemOf = (entry = 0) => vocabulary.stemOf(entry)
    expect([form, forms].map(stemOf)).toEqual([form, form])
    const configure = stemOf(configuring)
    expect([configuring, configured, configur].map(stemOf)).toEqual(Array(3).fill(configure))
    expect(stemOf(farm)).toBe(farm)
    expect(vocabulary.findStem('configures')).toBe(configure)
    expect(vocabulary.findStem('configurable')).toBe(configure)
    expect(vocabulary.findStem('unheard')).toBe(0)
    expect(vocabulary.wordsOf(configure)).toEqual(
      expect.arrayContaining([configuring, configured, configur]),
    )
    expect(vocabulary.wordsOf(farm ?? 0)).toEqual([farm])
    expect(organs.map(stemOf)).toEqual(organs.map((_, i) => stemOf(organs[i])))
  })
})

describe('stems that are no words', () => {
  const vocabulary = createVocabulary()
  // words that hold digits are their own stems
  const bases = MANY.map((_, i) => `vo${i}`.replace(/\d/g, (digit) => 'bcdfgklmnt'.charAt(+digit)))
  const first = entriesOf(vocabulary, bases.map((base) => `${base}aking`).join(' '))

  test('are told apart, however many there are', () => {
    expect(first.map(vocabulary.stemOf)).toEqual(first)
  })

  test('are found by other words of theirs, in a restored vocabulary as well', () => {
    for (const known of [vocabulary, createVocabulary(vocabulary.save())]) {
      expect(bases.map((base) => known.findStem(`${base}aked`))).toEqual(first)
      expect(known.findStem('unheardaked')).toBe(0)
    }
  })
})

describe('a saved vocabulary', () => {
  const vocabulary = createVocabulary()
  const text = `${MANY.join(' ')} forms Éditeurs 数据 C++ don't testing`
  const entries = entriesOf(vocabulary, text)
  const saved = vocabulary.save()

  test('gives the same numbers and groups again', () => {
    const restored = createVocabulary(saved)
    expect(restored.count).toBe(vocabulary.count)
    expect(isDeepStrictEqual(restored.save(), saved)).toBe(true)
    expect(entriesOf(restored, text)).toEqual(entries)
    expect(restored.count).toBe(vocabulary.count)
    expect(restored.lastStop).toBe(vocabulary.lastStop)
    expect(restored.lastFiller).toBe(vocabulary.lastFiller)
  })

  test('is a copy of that instant and grows apart from it', () => {
    const before = saved.words.lengths.length - 1
    const later = entriesOf(vocabulary, 'unheard')
    const restored = createVocabulary(saved)
    expect(restored.count).toBe(before)
    expect(entriesOf(restored, 'unheardof unheard')).toHaveLength(2)
    expect(vocabulary.text(later[0] ?? 0)).toBe('unheard')
  })

  test('is refused when it is cut or begins with other words', () => {
    const { words, stems, wordDf } = saved
    const restore = (changed: Partial<typeof saved>) => () =>
      createVocabulary({ ...saved, ...changed })
    expect(restore({})).not.toThrow()
    expect(restore({ stems: { ...stems, groups: stems.groups.slice(1) } })).toThrow(RangeError)
    expect(restore({ stems: { ...stems, groupDf: stems.groupDf.slice(1) } })).toThrow(RangeError)
    const firstWords = stems.firstWords.slice(1)
    expect(restore({ stems: { ...stems, firstWords } })).toThrow(RangeError)
    expect(restore({ wordDf: wordDf.slice(1) })).toThrow(RangeError)
    expect(restore({ words: { ...words, lengths: words.lengths.slice(1) } })).toThrow(RangeError)
    const pool = words.pool.slice()
    pool.fill(120, 0, 40)
    expect(restore({ words: { ...words, pool } })).toThrow(RangeError)
  })
})
