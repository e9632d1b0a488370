import type { CorpusSkill } from '../support/corpus.ts'
import { seededRandom, shuffled } from '../support/random.ts'

/**
 * `count` skills, the same for a seed: the real ones first (a random sample of them when there are
 * more), then ones of the same shape, each recombined from sentences, code blocks and name words of
 * two to four real skills that mostly share a repository or a tag. Every grown skill also has a word
 * of its own, since new words keep coming as a catalogue grows.
 */
export function* grow(
  real: readonly CorpusSkill[],
  count: number,
  seed = 1,
): Generator<CorpusSkill> {
  const random = seededRandom(seed)
  yield* count < real.length ? shuffled(real, random).slice(0, count) : real
  const grower = createGrower(real, random)
  let order: CorpusSkill[] = []
  for (let i = real.length; i < count; i++) {
    const round = Math.floor(i / real.length)
    // each round takes every real skill as a model once, so repositories keep their sizes
    if (order.length === 0) order = shuffled(real, random)
    const model = order.pop()
    if (model !== undefined) yield grower(model, round, ownWord(i))
  }
}

type Grower = (model: CorpusSkill, round: number, word: string) => CorpusSkill

function createGrower(real: readonly CorpusSkill[], random: () => number): Grower {
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  const relatives = groupRelatives(real)
  const readmes = createRecombiner((skill) => skill.readme, '\n', random)
  const descriptions = createRecombiner((skill) => skill.description, ' ', random)

  const relativeOf = (skill: CorpusSkill): CorpusSkill => {
    const chance = random()
    const tag = chance < 0.4 ? pick(skill.tags) : undefined
    const group =
      tag !== undefined ? relatives.get(tag) : chance < 0.8 ? relatives.get(home(skill)) : real
    return pick(group ?? real) ?? skill
  }

  return (model, round, word) => {
    const sources = [model]
    for (let others = 1 + Math.floor(random() * 3); others > 0; others--) {
      sources.push(relativeOf(model))
    }
    const [, second = model] = sources
    const words = new Set([
      word,
      ...model.name.split(/[\s_-]+/).slice(0, 1 + Math.floor(random() * 3)),
      ...second.name.split(/[\s_-]+/).slice(-2),
    ])
    const name = [...words].join(model.name.includes(' ') ? ' ' : '-')
    const slug = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 100)
      .replace(/-+$/, '')
    const owner = `${model.owner}-${round}`
    return {
      id: `${owner}/${model.repo}/${slug}`,
      owner,
      repo: model.repo,
      slug,
      name: name.slice(0, 100),
      description: descriptions(sources, model.description.length),
      tags: [...new Set([...model.tags.slice(0, 3), ...second.tags.slice(-2)])],
      readme: `# ${name}\n\n${readmes(sources, model.readme.length)}`,
    }
  }
}

const home = ({ owner, repo }: CorpusSkill) => `${owner}/${repo}`

/** Skills by repository and by tag. */
function groupRelatives(real: readonly CorpusSkill[]): Map<string, CorpusSkill[]> {
  const groups = new Map<string, CorpusSkill[]>()
  for (const skill of real) {
    for (const key of [home(skill), ...skill.tags]) {
      const group = groups.get(key)
      if (group) group.push(skill)
      else groups.set(key, [skill])
    }
  }
  return groups
}

/** Most pieces taken in a row from one skill. */
const longestRun = 3

/** Makes a text of about `length` characters from runs of pieces of the skills' texts. */
function createRecombiner(
  textOf: (skill: CorpusSkill) => string,
  between: string,
  random: () => number,
) {
  const known = new Map<CorpusSkill, Uint32Array>()
  const endsOf = (skill: CorpusSkill) => {
    const found = known.get(skill) ?? pieceEnds(textOf(skill))
    known.set(skill, found)
    return found
  }
  return (sources: readonly CorpusSkill[], length: number): string => {
    const readers = sources.map((skill) => {
      const ends = endsOf(skill)
      return { text: textOf(skill), ends, at: Math.floor(random() * ends.length) }
    })
    let made = ''
    // a skill without text leaves nothing to take
    for (let tries = 0; made.length < length && tries < 10_000; tries++) {
      const reader = readers[Math.floor(random() * readers.length)]
      if (reader === undefined || reader.text === '') continue
      const { text, ends, at } = reader
      const start = ends[at - 1] ?? 0
      let last = Math.min(ends.length - 1, at + Math.floor(random() * longestRun))
      while (last > at && made.length + (ends[last] ?? 0) - start > length) last--
      const end = ends[last] ?? text.length
      made += text.slice(start, end)
      // seen in the source: what looks into the text just made would copy all of it
      const closing = text[end - 1]
      if (closing !== between && closing !== '\n') made += between
      reader.at = (last + 1) % ends.length
    }
    return made
  }
}

const consonants = 'bdfghjklmnprstvz'
const vowels = 'aeiou'

/** A word of four syllables that no other number has. */
function ownWord(number: number): string {
  const syllables = consonants.length * vowels.length
  // by an odd factor that 5 does not divide, so that neighbours differ in every syllable
  let rest = (number * 7_654_321) % syllables ** 4
  let word = ''
  for (let i = 0; i < 4; i++) {
    const syllable = rest % syllables
    word += `${consonants[syllable % consonants.length]}${vowels[Math.floor(syllable / consonants.length)]}`
    rest = Math.floor(rest / syllables)
  }
  return word
}

/**
 * Where the pieces of a markdown text end: headings, lines, sentences of long lines and whole code
 * blocks, each with the blanks behind it, so that the pieces in a row are the text.
 */
function pieceEnds(text: string): Uint32Array {
  const ends: number[] = []
  let fence = ''
  for (let from = 0; from < text.length; ) {
    const newline = text.indexOf('\n', from)
    const to = newline < 0 ? text.length : newline + 1
    const line = text.slice(from, to)
    if (fence === '' && line.trim() === '' && ends.length > 0) {
      ends[ends.length - 1] = to
    } else {
      const mark = /^\s*(```|~~~)/.exec(line)?.[1] ?? ''
      if (fence === '') {
        fence = mark
        if (fence === '') sentenceEnds(text, from, to, ends)
      } else if (mark === fence) {
        fence = ''
        ends.push(to)
      }
    }
    from = to
  }
  if (ends.at(-1) !== text.length) ends.push(text.length)
  return Uint32Array.from(ends)
}

/** A sentence shorter than this stays with the next one. */
const shortest = 40

function sentenceEnds(text: string, from: number, to: number, ends: number[]): void {
  for (let start = from; ; ) {
    const end = text.indexOf('. ', start + shortest)
    if (end < 0 || end + 3 >= to) break
    ends.push(end + 2)
    start = end + 2
  }
  ends.push(to)
}
