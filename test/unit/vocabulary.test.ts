import { createScanner, END } from '@skillpass/server/registry/resolve/tokens'
import { createVocabulary, type Vocabulary } from '@skillpass/server/registry/resolve/vocabulary'
import { describe, expect, it } from 'vitest'

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
  it('one number for one word in any case, another for every other', () => {
    const vocabulary = createVocabulary()
    const entries = entriesOf(vocabulary, MANY.join(' '))
    expect(new Set(entries).size).toBe(MANY.length)
    expect(entriesOf(vocabulary, MANY.join(' ').toUpperCase())).toEqual(entries)
    expect(entries.map(vocabulary.text)).toEqual(MANY)
  })

  it.each([
    ['of eight letters and fewer', 'cat tac act bcat catb aaaaaaaa aaaaaaab baaaaaaa'],
    ['with the same last eight', 'aforestry bforestry aaforestry forestry'],
    ['beyond ASCII', 'кот ток окт 数据'],
  ])('tells words %s apart', (_, text) => {
    const vocabulary = createVocabulary()
    const first = entriesOf(vocabulary, text)
    expect(new Set(first).size).toBe(first.length)
    expect(entriesOf(vocabulary, text)).toEqual(first)
  })

  it('knows forms of a word by their group', () => {
    const vocabulary = createVocabulary()
    const [form, forms, other] = entriesOf(vocabulary, 'form forms farm').map(
      (entry) => vocabulary.group[entry],
    )
    expect(forms).toBe(form)
    expect(other).not.toBe(form)
  })
})

describe('a saved vocabulary', () => {
  const vocabulary = createVocabulary()
  const text = `${MANY.join(' ')} forms Éditeurs 数据 C++ don't testing`
  const entries = entriesOf(vocabulary, text)
  const saved = vocabulary.save()

  it('gives the same numbers and groups again', () => {
    const restored = createVocabulary(saved)
    expect(restored.count).toBe(vocabulary.count)
    expect(restored.group.slice(0, restored.count + 1)).toEqual(
      vocabulary.group.slice(0, vocabulary.count + 1),
    )
    expect(entriesOf(restored, text)).toEqual(entries)
    expect(restored.count).toBe(vocabulary.count)
    expect(restored.lastStop).toBe(vocabulary.lastStop)
    expect(restored.lastFiller).toBe(vocabulary.lastFiller)
    expect(restored.lastCommon).toBe(vocabulary.lastCommon)
  })

  it('is a copy of that instant and grows apart from it', () => {
    const before = saved.count
    const later = entriesOf(vocabulary, 'unheard')
    const restored = createVocabulary(saved)
    expect(restored.count).toBe(before)
    expect(entriesOf(restored, 'unheardof unheard')).toHaveLength(2)
    expect(vocabulary.text(later[0] ?? 0)).toBe('unheard')
  })

  it('is refused when it is cut or begins with other words', () => {
    const { count, sections } = saved
    const cut = { ...sections, group: sections.group.slice(1) }
    expect(() => createVocabulary({ count, sections: cut })).toThrow(RangeError)
    expect(() => createVocabulary({ count: count - 1, sections })).toThrow(RangeError)
    const pool = sections.pool.slice()
    pool.fill(120, 0, 40)
    expect(() => createVocabulary({ count, sections: { ...sections, pool } })).toThrow(RangeError)
  })
})
