import { describe, expect, test } from 'vitest'
import { found, indexOf, OTHERS, PDF, ranking, skill } from './fixture.ts'
import type { NamedSkill } from './named-index.ts'

const filler = OTHERS

describe('resolve ranks by where and how a task is met', () => {
  test('puts a match in the name before one in the description before one in the readme', () => {
    const index = indexOf([
      ...filler,
      skill('in-readme', { name: 'A', slug: 'a', readme: 'All about kayaking.' }),
      skill('in-description', { name: 'B', slug: 'b', description: 'All about kayaking.' }),
      skill('in-name', { name: 'Kayaking', slug: 'kayaking' }),
    ])
    expect(ranking(index, 'kayaking')).toEqual(['in-name', 'in-description', 'in-readme'])
  })

  test('prefers two words side by side to the same words far apart', () => {
    const apart = 'A red car stood there, and under the old chestnut tree lay a ripe apple, unseen.'
    const together = 'A car stood there, and under the old chestnut tree lay a red apple, unseen.'
    const index = indexOf([
      ...filler,
      skill('apart', { name: 'One', slug: 'one', description: apart }),
      skill('together', { name: 'Two', slug: 'two', description: together }),
    ])
    expect(ranking(index, 'red apple')[0]).toBe('together')
  })

  test('meets other forms of a word, and the same form sooner', () => {
    const index = indexOf([
      ...filler,
      skill('other-form', { name: 'X', slug: 'x', description: 'The migration of tables.' }),
      skill('same-form', { name: 'Y', slug: 'y', description: 'The migrating of tables.' }),
    ])
    expect(ranking(index, 'migrating')).toEqual(['same-form', 'other-form'])
  })

  test('corrects one wrong letter in a word that no skill holds', () => {
    const index = indexOf([...filler, PDF])
    for (const task of ['kuberntes rollouts', 'kubernetse rollouts', 'kubernettes', 'jubernetes']) {
      expect(ranking(index, task)[0]).toBe('kubernetes-rollout-doctor')
    }
  })

  test('keeps signs that make a word another word: C++, C#, .NET', () => {
    const index = indexOf([
      ...filler,
      skill('c', { name: 'C', slug: 'c-lang' }),
      skill('cpp', { name: 'C++', slug: 'cpp-lang' }),
      skill('csharp', { name: 'C#', slug: 'csharp-lang' }),
      skill('dotnet', { name: '.NET', slug: 'dotnet-lang' }),
    ])
    expect(ranking(index, 'C++')).toEqual(['cpp'])
    expect(ranking(index, 'c#')).toEqual(['csharp'])
    expect(ranking(index, '.net')).toEqual(['dotnet'])
  })

  test('does not take what a description rules out for what the skill does', () => {
    const index = indexOf([
      ...filler,
      skill('no', { name: 'N', slug: 'n', description: 'Draws charts. Do not use for falconry.' }),
      skill('yes', { name: 'Z', slug: 'z', description: 'Draws birds. Good for falconry.' }),
    ])
    expect(ranking(index, 'falconry')).toEqual(['yes'])
    expect(found(index, 'falconry').sort()).toEqual(['no', 'yes'])
  })
})

describe('resolve answers any task sanely', () => {
  const index = indexOf([...filler, PDF, skill('who', { name: 'The Who', slug: 'the-who' })])

  test.each(['', ' ', '\n\t', '!?…', '🙂', '—'])('finds nothing for %j', (task) => {
    const answer = index.resolve(task, { limit: 10, threshold: 0 })
    expect(answer).toEqual({ hits: [], tokenWeights: {}, matched: 0 })
  })

  test('takes a task of stop words alone at its word', () => {
    const { hits, tokenWeights } = index.resolve('the who', { limit: 10, threshold: 0 })
    expect(hits[0]?.id).toBe('who')
    expect(Object.keys(tokenWeights).sort()).toEqual(['the', 'who'])
  })

  test('leaves stop words out where anything else remains', () => {
    const { tokenWeights } = index.resolve('Fill the PDF for me', { limit: 10, threshold: 0 })
    expect(Object.keys(tokenWeights).sort()).toEqual(['fill', 'pdf'])
  })

  test('weighs a rare word more than a common one', () => {
    const common = indexOf(
      Array.from({ length: 30 }, (_, i) =>
        skill(`s${i}`, { description: i === 0 ? 'common rarity' : 'common' }),
      ),
    )
    const { tokenWeights } = common.resolve('common rarity', { limit: 1, threshold: 0 })
    expect(tokenWeights.rarity).toBeGreaterThan(3 * (tokenWeights.common ?? Infinity))
  })

  test.each(['__proto__', 'constructor', 'toString hasOwnProperty'])(
    'survives the task %s',
    (task) => {
      expect(() => index.resolve(task, { limit: 10, threshold: 0.3 })).not.toThrow()
      expect(() => index.search(task)).not.toThrow()
    },
  )

  test('survives a task of 8,000 characters and one of unknown words', () => {
    const long = 'fill a pdf form with invoice data '.repeat(240)
    expect(ranking(index, long)[0]).toBe('pdf')
    const unknown = Array.from({ length: 900 }, (_, i) => `zq${i}xv`).join(' ')
    expect(index.resolve(unknown, { limit: 10, threshold: 0.3 }).hits).toEqual([])
  })

  test('takes a short word that no skill of a small catalogue holds for what it is', () => {
    const { hits } = indexOf([...filler, PDF]).resolve('a farm', { limit: 10, threshold: 0 })
    expect(hits).toEqual([])
  })

  test('counts a word that no skill holds once, however it is written', () => {
    const score = (task: string) => index.resolve(task, { limit: 1, threshold: 0 }).hits[0]?.score
    const once = score('fill a pdf form zzxe')
    expect(score('fill a pdf form zzxe Zzxe zzxé ZZXÉ')).toBe(once)
  })

  test('takes words for as near however many words the skills before held', () => {
    const beside = skill('beside', { readme: 'The alpha beta of it.' })
    const near = skill('near', { name: 'Alpha', readme: 'alpha zebra yonder xylophone beta' })
    const words = Array.from({ length: 60_000 }, (_, i) => `w${i.toString(36)}q`)
    const many = skill('many', { readme: words.join(' ') })
    const scoreAmong = (skills: NamedSkill[]) => {
      const { hits } = indexOf(skills).resolve('alpha beta', { limit: 5, threshold: 0 })
      return hits.find(({ id }) => id === 'near')?.score
    }
    const score = scoreAmong([beside, near, many])
    expect(score).toBeGreaterThan(0)
    expect(scoreAmong([many, beside, near])).toBe(score)
  })

  test('says which words matched in which fields', () => {
    const hit = index.resolve('Fill a PDF form', { limit: 1, threshold: 0 }).hits[0]
    const fieldsOf = (token: string) =>
      hit?.explanation.tokens.find((each) => each.token === token)?.fields
    expect(fieldsOf('pdf')).toEqual(['name', 'slug', 'tags', 'description', 'readme'])
    expect(fieldsOf('fill')).toEqual(['description'])
    expect(fieldsOf('form')).toEqual(['name', 'slug', 'description', 'readme'])
  })
})

describe('threshold, limit and trust', () => {
  const index = indexOf([...filler, PDF])
  const task = 'test the latency of an API and review its security'

  test('lets the threshold keep a prefix of the ranking, and counts it before the limit', () => {
    const all = index.resolve(task, { limit: 50, threshold: 0 })
    expect(all.matched).toBe(all.hits.length)
    for (let i = 1; i < all.hits.length; i++) {
      expect(all.hits[i]?.confidence).toBeLessThanOrEqual(all.hits[i - 1]?.confidence ?? 0)
    }
    const threshold = all.hits[1]?.confidence ?? 0
    const kept = all.hits.filter(({ confidence }) => confidence >= threshold)
    expect(index.resolve(task, { limit: 50, threshold }).hits).toEqual(kept)
    expect(index.resolve(task, { limit: 1, threshold }).matched).toBe(kept.length)
    expect(index.resolve(task, { limit: 1, threshold }).hits).toHaveLength(1)
  })

  test('lets trust order equal skills, and nothing else', () => {
    const twin = { ...PDF, id: 'pdf-twin', slug: 'pdf-form-filler' }
    const twins = indexOf([...filler, PDF, twin])
    const trusting = (trusted: string) =>
      twins.resolve('fill a pdf form', {
        limit: 50,
        threshold: 0,
        prior: (id) => (id === trusted ? 1 : 0),
      }).hits
    expect(trusting('pdf')[0]?.id).toBe('pdf')
    expect(trusting('pdf-twin')[0]?.id).toBe('pdf-twin')
    expect(
      trusting('invoice-extractor')
        .map(({ id }) => id)
        .slice(0, 2),
    ).toEqual(['pdf', 'pdf-twin'])
    expect(trusting('pdf-twin')[0]?.confidence).toBe(trusting('pdf')[0]?.confidence)
  })
})

describe('search reads names and descriptions', () => {
  const index = indexOf([
    ...filler,
    skill('readme-only', { name: 'Q', slug: 'q', readme: 'zeppelin' }),
    skill('tag-only', { name: 'R', slug: 'r', tags: ['zeppelin'] }),
    skill('described', { name: 'S', slug: 's', description: 'Fly a zeppelin' }),
    skill('named', { name: 'Zeppelin pilot', slug: 'pilot' }),
    skill('slugged', { name: 'T', slug: 'zeppelin' }),
    skill('whole', { name: 'Zeppelin', slug: 'whole', description: 'Airships' }),
  ])

  test('finds nothing by readme or tags', () => {
    expect(found(index, 'zeppelin').sort()).toEqual(['described', 'named', 'slugged', 'whole'])
  })
})

test('counts every skill that reaches the threshold, however many copies there are', () => {
  const copies = Array.from({ length: 90 }, (_, i) => ({ ...PDF, id: `copy-${i}` }))
  const { hits, matched } = indexOf(copies).resolve('fill a pdf form', {
    limit: 1,
    threshold: 0.01,
  })
  expect(hits).toHaveLength(1)
  expect(matched).toBe(90)
})
