import type { CorpusSkill } from '../support/corpus.ts'
import { pick, seededRandom, shuffled } from '../support/random.ts'

/**
 * Yields `count` skills, reproducible by seed: those of the corpus first (a sample if there are
 * more), then synthetic ones from lines, sentences and name words of two to four of them that
 * mostly share a repository or a tag. Each synthetic skill also has a unique word, because new
 * words keep appearing as a catalogue grows.
 */
export function* grow(
  real: readonly CorpusSkill[],
  count: number,
  seed = 1,
): Generator<CorpusSkill> {
  const random = seededRandom(seed)
  yield* count < real.length ? shuffled(real, random).slice(0, count) : real
  const relatives = groupRelatives(real)
  const mixReadmes = createMixer(({ readme }) => readme, '\n', random)
  const mixDescriptions = createMixer(({ description }) => description, ' ', random)

  const relativeOf = (skill: CorpusSkill): CorpusSkill => {
    const chance = random()
    const key = chance < 0.4 ? pick(skill.tags, random) : chance < 0.8 ? home(skill) : undefined
    return pick(relatives.get(key ?? '') ?? real, random) ?? skill
  }

  // Each round uses every real skill as a model once, which preserves repository sizes.
  for (let i = real.length; i < count; i++) {
    const model = real[i % real.length] as CorpusSkill
    const second = relativeOf(model)
    const others = Array.from({ length: Math.floor(random() * 3) }, () => relativeOf(model))
    const sources = [model, second, ...others]
    const words = new Set([
      ownWord(i),
      ...model.name.split(/[\s_-]+/).slice(0, 1 + Math.floor(random() * 3)),
      ...second.name.split(/[\s_-]+/).slice(-2),
    ])
    const name = [...words].join(model.name.includes(' ') ? ' ' : '-').slice(0, 100)
    const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
    const owner = `${model.owner}-${Math.floor(i / real.length)}`
    yield {
      ...{ id: `${owner}/${model.repo}/${slug}`, owner, repo: model.repo, slug, name },
      description: mixDescriptions(sources, model.description.length),
      tags: [...new Set([...model.tags.slice(0, 3), ...second.tags.slice(-2)])],
      readme: `# ${name}\n\n${mixReadmes(sources, model.readme.length)}`,
    }
  }
}

const home = ({ owner, repo }: CorpusSkill) => `${owner}/${repo}`

/** Groups skills by repository and by tag. */
function groupRelatives(real: readonly CorpusSkill[]): Map<string, CorpusSkill[]> {
  const groups = new Map<string, CorpusSkill[]>()
  for (const skill of real) {
    for (const key of [home(skill), ...skill.tags]) {
      groups.set(key, [...(groups.get(key) ?? []), skill])
    }
  }
  return groups
}

/**
 * Returns a function that builds a text of about `length` characters from runs of up to three
 * consecutive pieces of random sources.
 */
function createMixer(
  textOf: (skill: CorpusSkill) => string,
  between: string,
  random: () => number,
) {
  const known = new Map<CorpusSkill, string[]>()
  const piecesOf = (skill: CorpusSkill) => {
    const pieces = known.get(skill) ?? textOf(skill).split(/(?<=\n|\. )/)
    known.set(skill, pieces)
    return pieces
  }
  return (sources: readonly CorpusSkill[], length: number): string => {
    const made: string[] = []
    for (let left = length; left > 0; ) {
      const pieces = piecesOf(pick(sources, random) as CorpusSkill)
      const first = Math.floor(random() * pieces.length)
      for (const piece of pieces.slice(first, first + 1 + Math.floor(random() * 3))) {
        made.push(/\s$/.test(piece) ? piece : piece + between)
        left -= piece.length
      }
    }
    return made.join('')
  }
}

const consonants = 'bdfghjklmnprstvz'
const vowels = 'aeiou'

/** Returns a unique word of four syllables. */
function ownWord(number: number): string {
  const syllables = consonants.length * vowels.length
  // The factor is coprime to the number of syllables, so adjacent numbers differ in every syllable.
  let rest = (number * 7_654_321) % syllables ** 4
  let word = ''
  for (let i = 0; i < 4; i++) {
    const syllable = rest % syllables
    word += `${consonants[syllable % consonants.length]}${vowels[Math.floor(syllable / consonants.length)]}`
    rest = Math.floor(rest / syllables)
  }
  return word
}
