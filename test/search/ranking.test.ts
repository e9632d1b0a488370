import { expect, test } from 'vitest'
import { found, indexOf, OTHERS, PDF, ranking, skill } from './fixture.ts'

test('a match in the name outranks one in the description, which outranks one in the readme', () => {
  const index = indexOf([
    ...OTHERS,
    skill('in-readme', { name: 'A', slug: 'a', readme: 'All about kayaking.' }),
    skill('in-description', { name: 'B', slug: 'b', description: 'All about kayaking.' }),
    skill('in-name', { name: 'Kayaking', slug: 'kayaking' }),
  ])
  expect(ranking(index, 'kayaking')).toEqual(['in-name', 'in-description', 'in-readme'])
})

test('adjacent words outrank the same words far apart', () => {
  const apart = 'A red car stood there, and under the old chestnut tree lay a ripe apple, unseen.'
  const together = 'A car stood there, and under the old chestnut tree lay a red apple, unseen.'
  const index = indexOf([
    ...OTHERS,
    skill('apart', { name: 'One', slug: 'one', description: apart }),
    skill('together', { name: 'Two', slug: 'two', description: together }),
  ])
  expect(ranking(index, 'red apple')[0]).toBe('together')
})

test('another form of a word matches, but ranks behind the exact form', () => {
  const index = indexOf([
    ...OTHERS,
    skill('other-form', { name: 'X', slug: 'x', description: 'The migration of tables.' }),
    skill('same-form', { name: 'Y', slug: 'y', description: 'The migrating of tables.' }),
  ])
  expect(ranking(index, 'migrating')).toEqual(['same-form', 'other-form'])
})

test('resolve corrects one wrong letter in a word that no skill contains', () => {
  const index = indexOf([...OTHERS, PDF])
  for (const task of ['kuberntes rollouts', 'kubernetse rollouts', 'kubernettes', 'jubernetes']) {
    expect(ranking(index, task)[0]).toBe('kubernetes-rollout-doctor')
  }
})

test('resolve distinguishes C, C++, C# and .NET', () => {
  const index = indexOf([
    ...OTHERS,
    skill('c', { name: 'C', slug: 'c-lang' }),
    skill('cpp', { name: 'C++', slug: 'cpp-lang' }),
    skill('csharp', { name: 'C#', slug: 'csharp-lang' }),
    skill('dotnet', { name: '.NET', slug: 'dotnet-lang' }),
  ])
  expect(ranking(index, 'C++')).toEqual(['cpp'])
  expect(ranking(index, 'c#')).toEqual(['csharp'])
  expect(ranking(index, '.net')).toEqual(['dotnet'])
})

test('resolve ignores the uses that a description excludes, and search matches them', () => {
  const index = indexOf([
    ...OTHERS,
    skill('no', { name: 'N', slug: 'n', description: 'Draws charts. Do not use for falconry.' }),
    skill('yes', { name: 'Z', slug: 'z', description: 'Draws birds. Good for falconry.' }),
  ])
  expect(ranking(index, 'falconry')).toEqual(['yes'])
  expect(found(index, 'falconry').sort()).toEqual(['no', 'yes'])
})

const index = indexOf([...OTHERS, PDF, skill('who', { name: 'The Who', slug: 'the-who' })])

test.each(['', ' ', '\n\t', '!?…', '🙂', '—'])('resolve finds nothing for %j', (task) => {
  const answer = index.resolve(task, { limit: 10, threshold: 0 })
  expect(answer).toEqual({ hits: [], tokenWeights: {}, matched: 0 })
})

test('a query term whose stem is a word of a skill, but the stem of none, matches nothing', () => {
  const index = indexOf([
    ...OTHERS,
    skill('fast', { name: 'Universities', readme: 'intermittent' }),
  ])
  expect(ranking(index, 'universitiesed')).toEqual([])
  index.remove('fast')
  expect(ranking(index, 'intermittente')).toEqual([])
})

test('resolve counts at most 1,024 matching skills', () => {
  const index = indexOf(
    Array.from({ length: 1500 }, (_, i) =>
      i < 1200
        ? skill(`s${i}`, { name: 'PDF form filler', description: 'Fills PDF forms.' })
        : skill(`s${i}`, { name: `Other ${i}`, description: `Does number ${i}.` }),
    ),
  )
  const options = { limit: 10, threshold: Number.MIN_VALUE }
  const { hits, matched } = index.resolve('fill a pdf form', options)
  expect([hits.length, matched]).toEqual([10, 1024])
})

const searched = indexOf([
  ...OTHERS,
  skill('readme-only', { name: 'Q', slug: 'q', readme: 'zeppelin' }),
  skill('tag-only', { name: 'R', slug: 'r', tags: ['zeppelin'] }),
  skill('described', { name: 'S', slug: 's', description: 'Fly a zeppelin' }),
  skill('named', { name: 'Zeppelin pilot', slug: 'pilot' }),
  skill('slugged', { name: 'T', slug: 'zeppelin' }),
  skill('whole', { name: 'Zeppelin', slug: 'whole', description: 'Airships' }),
])

test('search matches name, slug and description, but not readme or tags', () => {
  expect(found(searched, 'zeppelin').sort()).toEqual(['described', 'named', 'slugged', 'whole'])
})

test('search splits a camelCase word that no skill contains', () => {
  expect(found(searched, 'zeppelinAirship')).toEqual(['whole', 'named', 'slugged', 'described'])
  expect(
    found(indexOf([...OTHERS, skill('joined', { name: 'zeppelinAirship' })]), 'ZeppelinAirship'),
  ).toEqual(['joined'])
})
