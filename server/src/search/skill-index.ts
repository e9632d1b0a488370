import type { Savable } from '../snapshot/saved.ts'
import { LENGTHS, MEASURES, PROSE } from './constants/constants.ts'
import { mostTokens, packTokens, unpackTokens } from './document/document-codec.ts'
import { type ReadSkill, writeTokens } from './document/forward-index.ts'
import { countNewWords, type NewWordCount } from './indexing/new-words.ts'
import { createSkillReader, type ReadingSteps } from './indexing/read-skill.ts'
import { createBigramFrequencies } from './lexicon/bigram-frequencies.ts'
import { createCorpusStatistics } from './lexicon/corpus-statistics.ts'
import { createLengthNorms, lengthCode } from './lexicon/length-norms.ts'
import { createSpellingCorrector } from './lexicon/spelling.ts'
import { createVocabulary } from './lexicon/vocabulary.ts'
import type { ResolveResult } from './query/answer.ts'
import { createCandidateFinder } from './query/candidates.ts'
import { createEvidenceReader } from './query/evidence.ts'
import { createQueryParser } from './query/parse.ts'
import { createRanker, type ResolveOptions } from './query/rank.ts'
import { createSearcher, type SearchMatches } from './query/search.ts'
import { createResolver } from './resolver.ts'
import { createCollection } from './segment/collection.ts'
import { LIVE_DOCUMENTS, LIVE_UNITS, nextMerge } from './segment/merge-policy.ts'
import { openSegment, SEGMENT_DOCUMENTS } from './segment/segment.ts'
import {
  type BuildBasis,
  createSegmentBuilder,
  type SourceDocument,
} from './segment/segment-builder.ts'
import { type Restored, restoredParts, savedParts } from './segment/snapshot.ts'
import { createScanner, phraseHash } from './text/scanner.ts'
import type { SkillText } from './text/skill-text.ts'
import { createReplicaSender } from './threads/index-replica.ts'
import { createMerger } from './threads/merger.ts'
import { createRankPool } from './threads/rank-pool.ts'
import { createReadAhead, type ReadAhead } from './threads/read-ahead.ts'

/**
 * The skills of this process in memory, for resolve and search, each known by its slot: a small
 * integer of the caller's choice. Calls are synchronous; merges, and the rankings of `resolveAside`, go
 * on in other threads.
 */
export interface SkillIndex extends Savable {
  readonly size: number
  has(slot: number): boolean
  /** Adds or replaces the skill of a slot; the next call sees it. */
  put(slot: number, skill: SkillText | ReadSkill): void
  /** Reads a skill that may take long, for `put`: the caller lets others run between the steps. */
  read(skill: SkillText): ReadingSteps
  /** Counts in steps the distinct words that a skill would bring along; the index stays as it is. */
  countNewWords(skill: SkillText): NewWordCount
  /** Takes a skill out; unknown slots are ignored. */
  remove(slot: number): void
  /**
   * Ranks skills by how well they serve a task. Rankings by words are cached while the skills stay as
   * they are; `prior` and `demotion` are asked each time. `order` must not change its mind meanwhile.
   */
  resolve(task: string, options: ResolveOptions): ResolveResult
  /** Resolves as `resolve` does; where many ask, other threads rank as far as there are cores. */
  resolveAside(task: string, options: ResolveOptions): Promise<ResolveResult>
  /** Every skill whose name, slug or description has a word of `q`, with its relevance. */
  search(q: string): SearchMatches
  /** From here to `endLoad` skills are gathered into large segments; whatever is asked meanwhile takes long. */
  beginLoad(): void
  endLoad(): void
  /** Bytes held; the rankings of the query cache come on top. */
  memory(): number
  /** Distinct words that skills ever held, and how many of them none holds now. */
  words(): { all: number; unused: number }
  /** Resolves when no merge is under way. */
  settled(): Promise<void>
  /** Ends the other threads. */
  close(): Promise<void>
}

/** What an index is put together from; `restore` replaces all of it. */
function assemble(onThreadFailure: (error: unknown) => void, restored?: Restored) {
  const vocabulary = createVocabulary(restored?.vocabulary)
  const pairs = createBigramFrequencies(restored?.pairs)
  const lengths = createLengthNorms(restored?.lengths)
  const collection = createCollection()
  for (const { buffer, dead } of restored?.segments ?? []) {
    collection.restore(openSegment(buffer), dead)
  }
  const { norms } = lengths
  const searcher = createSearcher(collection)
  const { countHeads } = searcher
  const typos = createSpellingCorrector(vocabulary, countHeads)
  const parser = createQueryParser(vocabulary, pairs, typos, countHeads, () => collection.size)
  const finder = createCandidateFinder(collection)
  const rankQuery = createRanker(collection, finder, createEvidenceReader(vocabulary), norms)
  const sender = () => createReplicaSender(collection, vocabulary, norms)
  const threads = createRankPool(sender, onThreadFailure)
  return {
    vocabulary,
    pairs,
    lengths,
    collection,
    statistics: createCorpusStatistics(vocabulary, pairs, lengths),
    reader: createSkillReader(vocabulary),
    searcher,
    parser,
    threads,
    resolver: createResolver(parser, rankQuery, threads),
  }
}

type Parts = ReturnType<typeof assemble>

/** An empty index. `onThreadFailure` is called when another thread fails, by which nothing is lost. */
export function createSkillIndex(onThreadFailure: (error: unknown) => void = () => {}): SkillIndex {
  let parts = assemble(onThreadFailure)
  const scanner = createScanner()
  const build = createSegmentBuilder()
  const merger = createMerger()
  /** The document that is counted in or out. */
  let tokens = new Uint32Array(8192)
  let units = new Uint16Array(16_384)
  /** While a catalogue is loaded. */
  let ahead: ReadAhead | undefined
  let merging: Promise<void> | undefined
  return {
    get size() {
      ahead?.settle()
      return parts.collection.size
    },
    has(slot) {
      ahead?.settle()
      return parts.collection.has(slot)
    },
    put,
    read(skill) {
      ahead?.finish()
      return parts.reader.begin(skill)
    },
    countNewWords: (skill) => countNewWords(parts.vocabulary, skill),
    remove(slot) {
      ahead?.settle()
      remove(slot)
    },
    resolve(task, options) {
      ahead?.settle()
      return parts.resolver.resolve(task, options)
    },
    async resolveAside(task, options) {
      ahead?.settle()
      // while a catalogue is loaded too much is live to be sent
      return parts.resolver.resolveAside(task, options, ahead === undefined)
    },
    search(q) {
      ahead?.settle()
      return parts.searcher.search(parts.parser.readWords(q), phraseHash(scanner, q))
    },
    beginLoad() {
      ahead = createReadAhead(parts.vocabulary, parts.reader)
    },
    endLoad() {
      ahead?.finish()
      ahead = undefined
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
    async close() {
      await Promise.all([merger.close(), parts.threads.close()])
    },
    save() {
      seal()
      const { vocabulary, pairs, lengths, collection } = parts
      return savedParts({ vocabulary, pairs, lengths, parts: collection.parts })
    },
    async restore(loaded) {
      const former = parts
      parts = assemble(onThreadFailure, restoredParts(loaded))
      await former.threads.close()
    },
  }

  function put(slot: number, skill: SkillText | ReadSkill): void {
    if (ahead && !('words' in skill)) {
      ahead.add({ skill, take: (read) => add(slot, read) })
      return
    }
    ahead?.finish()
    add(slot, 'words' in skill ? skill : parts.reader.read(skill))
  }

  function add(slot: number, read: ReadSkill): void {
    parts.resolver.forget()
    const document = takeIn(slot, read)
    remove(slot)
    parts.collection.add(document)
    if (isLiveFull()) seal()
  }

  /** To make a segment takes time with the words of its documents, in which the event loop is held. */
  function isLiveFull(): boolean {
    const { live, liveUnits } = parts.collection
    if (ahead) return live.length >= SEGMENT_DOCUMENTS
    return live.length >= LIVE_DOCUMENTS || liveUnits >= LIVE_UNITS
  }

  /** Counts a skill in; gives its document. */
  function takeIn(slot: number, read: ReadSkill): SourceDocument {
    const { nameHash, ends } = read
    // a word is one token, a section has two more
    const most = (ends.at(-1) ?? 0) + 2 * ends.length
    if (tokens.length < most) tokens = new Uint32Array(2 * most)
    if (units.length < 3 * most) units = new Uint16Array(6 * most)
    const length = writeTokens(read, parts.vocabulary.lastFiller, tokens)
    const codes = new Uint8Array(MEASURES)
    for (let i = 0; i < LENGTHS; i++) codes[i] = lengthCode(read.lengths[i] as number)
    codes[PROSE] = read.prose
    parts.statistics.count(tokens, length, codes, 1)
    const packed = units.slice(0, packTokens(tokens, length, units))
    return { slot, nameHash, lengths: codes, units: packed }
  }

  function remove(slot: number): void {
    const { collection, resolver, statistics } = parts
    const document = collection.find(slot)
    if (document === undefined) return
    resolver.forget()
    const most = mostTokens(document.units.length)
    if (tokens.length < most) tokens = new Uint32Array(2 * most)
    const length = unpackTokens(document.units, tokens)
    statistics.count(tokens, length, document.lengths, -1)
    collection.remove(slot)
    mergeIfDue()
  }

  /** For this thread at once; another needs a copy of the groups. */
  function basis(): BuildBasis {
    const { count, stems } = parts.vocabulary
    return { groups: stems.groups, entries: count + 1, norms: parts.lengths.norms() }
  }

  /** Makes a segment of the live documents. */
  function seal(): void {
    const { collection, resolver } = parts
    if (collection.live.length === 0) return
    resolver.forget()
    collection.seal((documents) => build(documents, basis()))
    mergeIfDue()
  }

  function mergeIfDue(): void {
    if (merging || !nextMerge(parts.collection)) return
    // what could not be merged stays as it is, and is tried again after the next change
    merging = mergeAll(parts)
      .catch(onThreadFailure)
      .finally(() => {
        merging = undefined
      })
  }

  async function mergeAll({ collection, resolver }: Parts): Promise<void> {
    for (let due = nextMerge(collection); due; due = nextMerge(collection)) {
      const inputs = due.map(({ segment, dead }) => ({
        buffer: segment.buffer,
        dead: dead.slice(),
      }))
      const now = basis()
      const groups = now.groups.slice(0, now.entries)
      const buffer = await merger.merge({ inputs, basis: { ...now, groups } })
      // a merger that was closed gives nothing, and nothing is lost
      if (buffer === undefined) return
      resolver.forget()
      collection.replace(due, openSegment(buffer))
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
