import { LRUCache } from 'lru-cache'
import { runStep } from '../runtime/run-step.ts'
import type { Savable } from '../snapshot/saved.ts'
import {
  LENGTHS,
  MEASURES,
  PROSE,
  REMEMBERED_HITS,
  REMEMBERED_TASKS,
} from './constants/constants.ts'
import type { ReadSkill } from './document/forward-index.ts'
import { grown } from './document/growth.ts'
import { packDocument, readTokens } from './document/units.ts'
import { readSkill } from './indexing/read-skill.ts'
import { createBigramFrequencies } from './lexicon/bigram-frequencies.ts'
import { createCorpusStatistics } from './lexicon/corpus-statistics.ts'
import { createLengthNorms, lengthCode } from './lexicon/length-norms.ts'
import { createSpellingCorrector } from './lexicon/spelling.ts'
import { createVocabulary } from './lexicon/vocabulary.ts'
import { answer, type ResolveResult } from './query/answer.ts'
import { createCandidateFinder } from './query/candidates.ts'
import { createEvidenceReader } from './query/evidence.ts'
import { createQueryParser } from './query/parse.ts'
import { createRanker } from './query/rank.ts'
import type { Ranking, RankOptions, SkillView } from './query/ranking.ts'
import { createSearcher, type SearchMatches } from './query/search.ts'
import { createCollection, livingOf, viewOfDocument } from './segment/collection.ts'
import { LIVE_DOCUMENTS, LIVE_UNITS, nextMerge } from './segment/merge-policy.ts'
import { openSegment, SEGMENT_DOCUMENTS } from './segment/segment.ts'
import {
  type BuildBasis,
  createSegmentBuilder,
  type SourceDocument,
} from './segment/segment-builder.ts'
import { type Restored, restoredParts, savedParts } from './segment/snapshot.ts'
import { hashOf } from './text/hash.ts'
import type { SkillText } from './text/skill-text.ts'
import { phraseOf } from './text/words.ts'

/**
 * The skills of this process in memory, for resolve and search, each known by its slot: a small
 * integer of the caller's choice. Calls are synchronous; segments are merged in steps, each in a turn
 * of the event loop.
 */
export interface SkillIndex extends Savable {
  readonly size: number
  has(slot: number): boolean
  /** Adds or replaces the skill of a slot; the next call sees it. */
  put(slot: number, skill: SkillText | ReadSkill): void
  /** Reads a skill that may take long, for `put`: the caller lets others run between the steps. */
  read(skill: SkillText): Generator<void, ReadSkill>
  /** Takes the words of a skill in, so that `put` does not hold others up with very many new ones. */
  learn(skill: ReadSkill): Generator<void, void>
  /** The distinct words that a skill would bring along. */
  countNewWords(skill: ReadSkill): number
  /** Takes a skill out; unknown slots are ignored. */
  remove(slot: number): void
  /** Ranks skills by how well their words serve a task; cached until the index changes. */
  rank(task: string, options: RankOptions): Ranking
  /**
   * The answer to a task by its ranking, in the same turn of the event loop. `views` has the view of each
   * standing hit; `isFiltered` says that skills may be ineligible, so that only those seen are counted.
   */
  answer(ranking: Ranking, views?: readonly SkillView[], isFiltered?: boolean): ResolveResult
  /** Every skill whose name, slug or description has a word of `q`, with its relevance. */
  search(q: string): SearchMatches
  /** From here to `endLoad` skills are gathered into large segments; queries take long meanwhile. */
  beginLoad(): void
  endLoad(): void
  /** Bytes held; the rankings of the cache come on top. */
  memory(): number
  /** Distinct words that skills ever held, and how many of them none holds now. */
  words(): { all: number; unused: number }
  /** Resolves when no merge is under way. */
  settled(): Promise<void>
  /** Gives up the merge that is under way. */
  close(): void
}

/** New words that are taken in within a millisecond or two. */
const WORDS_A_STEP = 256

/** What an index is put together from; `restore` replaces all of it. */
function assemble(restored?: Restored) {
  const vocabulary = createVocabulary(restored?.vocabulary)
  const pairs = createBigramFrequencies(restored?.pairs)
  const lengths = createLengthNorms(restored?.lengths)
  const collection = createCollection()
  for (const { buffer, dead } of restored?.segments ?? []) {
    collection.restore(openSegment(buffer), dead)
  }
  const searcher = createSearcher(collection)
  const { countHeads } = searcher
  const typos = createSpellingCorrector(vocabulary, countHeads)
  const evidence = createEvidenceReader(vocabulary)
  const finder = createCandidateFinder(collection)
  return {
    vocabulary,
    pairs,
    lengths,
    collection,
    statistics: createCorpusStatistics(vocabulary, pairs, lengths),
    searcher,
    parser: createQueryParser(vocabulary, pairs, typos, countHeads, () => collection.size),
    ranker: createRanker(collection, finder, evidence, lengths.norms),
  }
}

type Parts = ReturnType<typeof assemble>

/** An empty index. `onMergeFailure` is called when a merge fails, by which nothing is lost. */
export function createSkillIndex(onMergeFailure: (error: unknown) => void = () => {}): SkillIndex {
  let parts = assemble()
  const build = createSegmentBuilder()
  /** A repeated task takes 0.01 ms, a new one 0.3. */
  const rankings = new LRUCache<string, Ranking>({
    max: REMEMBERED_TASKS,
    maxSize: REMEMBERED_HITS,
    sizeCalculation: ({ standing }) => 1 + standing.length,
  })
  /** The document that is counted in or out. */
  let tokens = new Uint32Array(8192)
  let isLoading = false
  let isClosed = false
  let merging: Promise<void> | undefined
  return {
    get size() {
      return parts.collection.size
    },
    has: (slot) => parts.collection.has(slot),
    put,
    read: readSkill,
    *learn({ words }) {
      for (let i = 1; i < words.length; i++) {
        parts.vocabulary.intern(words[i] as string)
        if (i % WORDS_A_STEP === 0) yield
      }
    },
    countNewWords: ({ words }) =>
      words.filter((word) => parts.vocabulary.find(word) === 0).length - 1,
    remove,
    rank,
    answer(ranking, views, isFiltered = false) {
      const { collection, ranker } = parts
      return answer(ranking, views, isFiltered, (slot) => {
        const document = collection.find(slot)
        if (document === undefined)
          throw new RangeError(`the index does not hold the skill ${slot}`)
        return ranker.readSections(viewOfDocument(document), ranking.query)
      })
    },
    search: (q) => parts.searcher.search(parts.parser.readWords(q), hashOf(phraseOf(q))),
    beginLoad() {
      isLoading = true
    },
    endLoad() {
      isLoading = false
      seal()
    },
    memory,
    words() {
      const { vocabulary } = parts
      return { all: vocabulary.count, unused: vocabulary.countUnused() }
    },
    async settled() {
      while (merging) await merging
    },
    close() {
      isClosed = true
    },
    save() {
      seal()
      const { vocabulary, pairs, lengths, collection } = parts
      return savedParts({ vocabulary, pairs, lengths, parts: collection.parts })
    },
    restore(loaded) {
      forget()
      parts = assemble(restoredParts(loaded))
    },
  }

  function rank(task: string, options: RankOptions): Ranking {
    const { parser, ranker } = parts
    const key = `${options.limit} ${options.threshold} ${task}`
    const known = rankings.get(key)
    if (known) return known
    const ranking = ranker.rank(parser.readTask(task), options)
    rankings.set(key, ranking)
    return ranking
  }

  /** To be called before any document comes or goes. */
  function forget(): void {
    // clearing takes long even when there is nothing, and a load changes the index all the time
    if (rankings.size > 0) rankings.clear()
  }

  function put(slot: number, skill: SkillText | ReadSkill): void {
    const document = takeIn(slot, 'words' in skill ? skill : finish(readSkill(skill)))
    remove(slot)
    forget()
    parts.collection.add(document)
    if (isLiveFull()) seal()
  }

  /** To make a segment takes time with the words of its documents, in which the event loop is held. */
  function isLiveFull(): boolean {
    const { live, liveUnits } = parts.collection
    if (isLoading) return live.length >= SEGMENT_DOCUMENTS
    return live.length >= LIVE_DOCUMENTS || liveUnits >= LIVE_UNITS
  }

  /** Counts a skill in; gives its document. */
  function takeIn(slot: number, read: ReadSkill): SourceDocument {
    const lengths = new Uint8Array(MEASURES)
    for (let i = 0; i < LENGTHS; i++) lengths[i] = lengthCode(read.lengths[i] as number)
    lengths[PROSE] = read.prose
    const { intern, lastFiller } = parts.vocabulary
    const numbers = read.words.map((word) => (word === '' ? 0 : intern(word)))
    const sections = read.sections.map((words) => words.map((word) => numbers[word] as number))
    const units = packDocument(sections, lastFiller)
    const document = { slot, nameHash: read.nameHash, lengths, units }
    count(document, 1)
    return document
  }

  /** Counts a document in (`sign` 1) or out (-1). */
  function count({ units, lengths }: SourceDocument, sign: 1 | -1): void {
    tokens = grown(tokens, units.length, Uint32Array)
    parts.statistics.count(tokens, readTokens(units, tokens), lengths, sign)
  }

  function remove(slot: number): void {
    const { collection } = parts
    const document = collection.find(slot)
    if (document === undefined) return
    forget()
    count(document, -1)
    collection.remove(slot)
    mergeIfDue()
  }

  /** Makes a segment of the live documents. */
  function seal(): void {
    const { collection } = parts
    if (collection.live.length === 0) return
    collection.seal((documents) => finish(build(documents, basisOf(parts))))
    mergeIfDue()
  }

  function mergeIfDue(): void {
    if (merging || isClosed || !nextMerge(parts.collection)) return
    // what could not be merged stays as it is, and is tried again after the next change
    merging = mergeAll(parts)
      .catch(onMergeFailure)
      .finally(() => {
        merging = undefined
      })
  }

  async function mergeAll(own: Parts): Promise<void> {
    const { collection } = own
    const build = createSegmentBuilder()
    for (let due = nextMerge(collection); due; due = nextMerge(collection)) {
      const documents: SourceDocument[] = []
      for (const part of due) documents.push(...(await runStep(() => livingOf(part))))
      const steps = build(documents, basisOf(own))
      let step = await runStep(() => steps.next())
      while (!step.done) {
        if (isClosed || parts !== own) return
        step = await runStep(() => steps.next())
      }
      forget()
      collection.replace(due, step.value)
    }
  }

  function memory(): number {
    const { vocabulary, pairs, collection, statistics } = parts
    let total = vocabulary.bytes + pairs.counts.byteLength + collection.bytes + statistics.bytes
    for (const { segment } of collection.parts) {
      total += segment.buffer.byteLength + segment.documents
    }
    for (const { units } of collection.live) total += units.byteLength
    return total
  }
}

/** What a segment of these parts is built by, now. */
const basisOf =
  ({ vocabulary, lengths }: Parts): (() => BuildBasis) =>
  () => {
    const { count, stems } = vocabulary
    return { stemOf: stems, entries: count + 1, norms: lengths.norms() }
  }

/** Does all steps at once. */
function finish<T>(steps: Generator<void, T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
