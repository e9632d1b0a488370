import { runStep } from '../runtime/run-step.ts'
import type { Loaded, Saved } from '../snapshot/saved.ts'
import { LENGTH_FIELDS, PROSE, STATS_BYTES } from './constants/constants.ts'
import { ensureCapacity } from './document/ensure-capacity.ts'
import type { ReadSkill } from './document/forward-index.ts'
import { packDocument, readTokens } from './document/units.ts'
import { readSkill } from './indexing/read-skill.ts'
import { createBigramFrequencies } from './lexicon/bigram-frequencies.ts'
import { createCompounds } from './lexicon/compounds.ts'
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
import { createCollection, liveDocumentsOf, viewOfDocument } from './segment/collection.ts'
import { BUFFER_DOCUMENTS, BUFFER_UNITS, nextMerge } from './segment/merge-policy.ts'
import { arraysOf, SEGMENT_DOCUMENTS } from './segment/segment.ts'
import { createSegmentBuilder, type SourceDocument } from './segment/segment-builder.ts'
import { type Restored, restoredParts, savedParts } from './segment/snapshot.ts'
import { hashOf } from './text/hash.ts'
import type { SkillText } from './text/skill-text.ts'
import { phraseOf } from './text/words.ts'

/**
 * An in-memory index of skills for resolve and search. The caller identifies each skill by a slot,
 * a small integer. Calls are synchronous. Segments are merged in steps, each in its own turn of the
 * event loop.
 */
export type SkillIndex = ReturnType<typeof createSkillIndex>

/** New words per step, one to two milliseconds. */
const WORDS_PER_STEP = 256

/** Components of an index. `restore` replaces them all. */
function assemble(restored?: Restored) {
  const vocabulary = createVocabulary(restored?.vocabulary)
  const pairs = createBigramFrequencies(restored?.pairs)
  const lengths = createLengthNorms(restored?.lengths)
  const collection = createCollection()
  for (const { segment, dead } of restored?.segments ?? []) collection.restore(segment, dead)
  const searcher = createSearcher(collection)
  const { countHeads } = searcher
  const typos = createSpellingCorrector(vocabulary, countHeads)
  const compounds = createCompounds(vocabulary, pairs, searcher.headsWith)
  const evidence = createEvidenceReader(vocabulary)
  const finder = createCandidateFinder(collection)
  return {
    vocabulary,
    pairs,
    lengths,
    collection,
    build: createSegmentBuilder(vocabulary, lengths),
    statistics: createCorpusStatistics(vocabulary, pairs, lengths),
    searcher,
    parser: createQueryParser(
      vocabulary,
      pairs,
      typos,
      compounds,
      countHeads,
      () => collection.size,
    ),
    ranker: createRanker(collection, finder, evidence, lengths.norms),
  }
}

type Parts = ReturnType<typeof assemble>

/**
 * Creates an empty index. `onMergeFailure` is called if a merge fails. The index then keeps the
 * unmerged segments.
 */
export function createSkillIndex(onMergeFailure: (error: unknown) => void = () => {}) {
  let parts = assemble()
  /** Tokens of the document that is added or removed. */
  let tokens = new Uint32Array(8192)
  let isLoading = false
  let isClosed = false
  let merging: Promise<void> | undefined
  return {
    get size() {
      return parts.collection.size
    },
    has: (slot: number) => parts.collection.has(slot),
    put,
    /** Analyzes a skill for `put` in steps, so that long skills do not block the event loop. */
    read: readSkill,
    /** Adds the words of a skill to the vocabulary in steps, before `put`. */
    *learn({ words }: ReadSkill): Generator<void, void> {
      for (let i = 1; i < words.length; i++) {
        parts.vocabulary.intern(words[i] as string)
        if (i % WORDS_PER_STEP === 0) yield
      }
    },
    /** Counts the distinct words of a skill that are not in the vocabulary. */
    countNewWords: ({ words }: ReadSkill) =>
      words.filter((word) => parts.vocabulary.find(word) === 0).length - 1,
    remove,
    rank,
    /**
     * Turns a ranking into hits. Must run in the same turn of the event loop as `rank`. `views` has
     * the registry's data on each hit of the ranking. If `isFiltered`, skills may be ineligible,
     * and `matched` counts only ranked hits.
     */
    answer(ranking: Ranking, views?: readonly SkillView[], isFiltered = false): ResolveResult {
      const { collection, ranker } = parts
      return answer(ranking, views, isFiltered, (slot) => {
        const document = collection.find(slot)
        if (document === undefined) throw new RangeError(`the index has no skill in slot ${slot}`)
        return ranker.readSections(viewOfDocument(document), ranking.query)
      })
    },
    /**
     * Returns the skills with a term of `q` in name, slug or description, with scores. The last word
     * may be unfinished if `isTyping`, or if nothing else matches.
     */
    search(q: string, isTyping = false): SearchMatches {
      const { searcher, parser } = parts
      const found = searcher.search(parser.readWords(q, isTyping), hashOf(phraseOf(q)))
      return found.slots.length > 0 || isTyping ? found : this.search(q, true)
    },
    /** Starts a bulk load, which builds large segments at `endLoad`. Queries are slow meanwhile. */
    beginLoad() {
      isLoading = true
    },
    endLoad() {
      isLoading = false
      seal()
    },
    memory,
    /** Number of texts in the vocabulary, and of those that no skill contains. */
    words() {
      const { vocabulary } = parts
      return { all: vocabulary.count, unused: vocabulary.countUnused() }
    },
    /** Resolves when no merge is running. */
    async settled() {
      while (merging) await merging
    },
    /** Aborts the running merge. */
    close() {
      isClosed = true
    },
    /** Returns the current state for a snapshot. Its bytes must not change afterwards. */
    save(): Saved {
      seal()
      return savedParts(parts)
    },
    /** Restores a saved state into an empty index. Throws if the state is inconsistent. */
    restore(loaded: Loaded) {
      parts = assemble(restoredParts(loaded))
    },
  }

  /** Ranks skills for a task by their text. */
  function rank(task: string, options: RankOptions): Ranking {
    const { parser, ranker } = parts
    return ranker.rank(parser.readTask(task), options)
  }

  /** Adds or replaces the skill of a slot. The next query sees it. */
  function put(slot: number, skill: SkillText | ReadSkill): void {
    const document = addDocument(slot, 'words' in skill ? skill : runToEnd(readSkill(skill)))
    remove(slot)
    parts.collection.add(document)
    if (isBufferFull()) seal()
  }

  /** Returns whether to build a segment, which blocks the event loop in proportion to its words. */
  function isBufferFull(): boolean {
    const { buffered, bufferedUnits } = parts.collection
    if (isLoading) return buffered.length >= SEGMENT_DOCUMENTS
    return buffered.length >= BUFFER_DOCUMENTS || bufferedUnits >= BUFFER_UNITS
  }

  /** Adds a skill to the statistics and returns its document. */
  function addDocument(slot: number, read: ReadSkill): SourceDocument {
    const lengths = new Uint8Array(STATS_BYTES)
    for (let i = 0; i < LENGTH_FIELDS; i++) lengths[i] = lengthCode(read.lengths[i] as number)
    lengths[PROSE] = read.prose
    const { intern, lastFiller } = parts.vocabulary
    const numbers = read.words.map((word) => (word === '' ? 0 : intern(word)))
    const sections = read.sections.map((words) => words.map((word) => numbers[word] as number))
    const units = packDocument(sections, lastFiller)
    const document = { slot, nameHash: read.nameHash, lengths, units }
    count(document, 1)
    return document
  }

  /** Adds (`sign` 1) or removes (-1) a document in the statistics. */
  function count({ units, lengths }: SourceDocument, sign: 1 | -1): void {
    tokens = ensureCapacity(tokens, units.length, Uint32Array)
    parts.statistics.count(tokens, readTokens(units, tokens), lengths, sign)
  }

  function remove(slot: number): void {
    const { collection } = parts
    const document = collection.find(slot)
    if (document === undefined) return
    count(document, -1)
    collection.remove(slot)
    mergeIfDue()
  }

  /** Builds segments from the buffered documents. */
  function seal(): void {
    const { collection, build } = parts
    if (collection.buffered.length === 0) return
    collection.seal((documents) => runToEnd(build(documents)))
    mergeIfDue()
  }

  function mergeIfDue(): void {
    if (merging || isClosed || !nextMerge(parts.collection)) return
    // A failed merge is retried after the next change.
    merging = mergeAll(parts)
      .catch(onMergeFailure)
      .finally(() => {
        merging = undefined
      })
  }

  async function mergeAll(merged: Parts): Promise<void> {
    const { collection, vocabulary, lengths } = merged
    const build = createSegmentBuilder(vocabulary, lengths)
    for (let due = nextMerge(collection); due; due = nextMerge(collection)) {
      const documents: SourceDocument[] = []
      for (const part of due) documents.push(...(await runStep(() => liveDocumentsOf(part))))
      const steps = build(documents)
      let step = await runStep(() => steps.next())
      while (!step.done) {
        if (isClosed || parts !== merged) return
        step = await runStep(() => steps.next())
      }
      collection.replace(due, step.value)
    }
  }

  /** Memory in bytes, without the ranking cache. */
  function memory(): number {
    const { vocabulary, pairs, collection, statistics } = parts
    let total = vocabulary.bytes + pairs.counts.byteLength + collection.bytes + statistics.bytes
    for (const { segment } of collection.parts) {
      for (const { byteLength } of Object.values(arraysOf(segment))) total += byteLength
      total += segment.documents
    }
    for (const { units } of collection.buffered) total += units.byteLength
    return total
  }
}

function runToEnd<T>(steps: Generator<void, T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
