import { createDocuments } from './documents.ts'
import { grown } from './growth.ts'
import { createLengths, STRIDE } from './lengths.ts'
import { createPairCounts } from './pairs.ts'
import { FIELDS, packCounts } from './payload.ts'
import { createPostings } from './postings.ts'
import { createQueryParser, type Query } from './query.ts'
import { createRanker, type ResolveHit, type ResolveOptions } from './rank.ts'
import { createReader, type ReadSkill } from './reader.ts'
import { createRescorer } from './rescore.ts'
import { createWordScorer } from './score.ts'
import { createSearcher, type SearchMatches } from './search.ts'
import type { SkillText } from './skill-text.ts'
import { createScanner, phraseHash } from './tokens.ts'
import { createTypoFinder } from './typo.ts'
import { createVocabulary } from './vocabulary.ts'

export type { Explanation, ResolveHit, ResolveOptions } from './rank.ts'
export type { SearchMatches } from './search.ts'
export type { SkillText } from './skill-text.ts'

/** What resolve answers. */
export interface Resolution {
  /** Best first, at most `limit`, each with at least the threshold's confidence. */
  hits: ResolveHit[]
  /** IDF weight that was used, by word of the task as written, in lower case. */
  tokenWeights: Record<string, number>
  /** Skills that reach the threshold, before the limit. */
  matched: number
}

/**
 * The skills of this process in memory, for resolve and search, each known by its slot: a small
 * integer of the caller's choice. Every call is synchronous.
 */
export interface SkillIndex {
  readonly size: number
  has(slot: number): boolean
  /** Adds or replaces the skill of a slot; the next call sees it. `stored` is kept with it. */
  put(slot: number, skill: SkillText, stored: Uint8Array): void
  /** Takes a skill out; unknown slots are ignored. */
  remove(slot: number): void
  /** What was given to be kept with the skill; read only. */
  stored(slot: number): Uint8Array | undefined
  /** Ranks skills by how well they serve a task. */
  resolve(task: string, options: ResolveOptions): Resolution
  /** Every skill whose name, slug or description has a word of `q`, with its relevance. */
  search(q: string): SearchMatches
}

/** Dead documents are closed up once there are this many and a quarter of the living. */
const LEAST_DEAD = 256

export function createSkillIndex(): SkillIndex {
  const vocabulary = createVocabulary()
  const postings = createPostings()
  const documents = createDocuments()
  const kept = new Map<number, Uint8Array>()
  const lengths = createLengths()
  const pairs = createPairCounts()
  const reader = createReader(vocabulary, pairs)
  const scorer = createWordScorer(vocabulary, postings, documents, lengths)
  const rescorer = createRescorer(vocabulary, documents)
  const rank = createRanker(documents, scorer, rescorer)
  const searcher = createSearcher(vocabulary, postings, documents)
  const typos = createTypoFinder(vocabulary, postings)
  const parse = createQueryParser(vocabulary, pairs, typos, () => documents.live)
  const scanner = createScanner()
  /** The last change that counted a group, so that a change counts each group once. */
  let groupSeen = new Uint32Array(1024)
  let change = 0
  /** A renumbering is under way and moves on with every change. */
  let sweeping = false

  return {
    get size() {
      return documents.live
    },
    has: (slot) => documents.numberOf.has(slot),
    stored: (slot) => kept.get(slot),
    put,
    remove,
    resolve,
    search: (q) => searcher(parse(q), phraseHash(scanner, q)),
  }

  function put(slot: number, skill: SkillText, stored: Uint8Array): void {
    remove(slot)
    kept.set(slot, stored)
    const read = reader.read(skill)
    const document = documents.add(slot, read)
    for (let i = 0; i < read.wordCount; i++) {
      postings.append(read.words[i] as number, document, packCounts(read.counts, i * FIELDS))
    }
    count(read, document, 1)
    tidy()
  }

  function remove(slot: number): void {
    const document = documents.numberOf.get(slot)
    if (document === undefined) return
    kept.delete(slot)
    documents.open(document)
    count(reader.recall(documents.array, documents.start, documents.end), document, -1)
    documents.remove(document)
    tidy()
  }

  /** Counts a document's words, stems, pairs and lengths in or out. */
  function count(read: ReadSkill, document: number, sign: 1 | -1): void {
    change++
    groupSeen = grown(groupSeen, vocabulary.count + 1, Uint32Array)
    const { group, wordDf, groupDf } = vocabulary
    for (let i = 0; i < read.wordCount; i++) {
      const word = read.words[i] as number
      wordDf[word] = (wordDf[word] as number) + sign
      const stem = group[word] as number
      if (groupSeen[stem] === change) continue
      groupSeen[stem] = change
      groupDf[stem] = (groupDf[stem] as number) + sign
    }
    for (let i = 0; i < read.pairCount; i++) pairs.add(read.pairSlots[i] as number, sign)
    lengths.count(documents.lengths, document * STRIDE, sign)
  }

  /** Closes up dead documents a little with every change, so that no call pays for all of it. */
  function tidy(): void {
    const dead = documents.next - documents.live
    if (sweeping) {
      const step = Math.ceil(vocabulary.count / Math.max(LEAST_DEAD / 2, documents.live / 8))
      sweeping = postings.sweep(step)
    } else if (dead >= LEAST_DEAD && dead >= documents.live / 4) {
      postings.renumber(documents.renumber())
      sweeping = true
    }
  }

  function resolve(task: string, options: ResolveOptions): Resolution {
    const query = parse(task)
    return { ...rank(query, options), tokenWeights: weights(query) }
  }
}

function weights(query: Query): Record<string, number> {
  const weights: [string, number][] = []
  for (const { words } of query.terms) {
    for (const { surface, idf } of words) weights.push([surface, idf])
  }
  // not by assignment: a task may hold the word "__proto__"
  return Object.fromEntries(weights)
}
