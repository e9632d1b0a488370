import type { Loaded } from '../snapshot/saved.ts'
import { LENGTHS, MEASURES, PROSE } from './constants/constants.ts'
import { type ReadSkill, writeTokens } from './document/forward-index.ts'
import { mostTokens, packTokens, unpackTokens } from './document/section-codec.ts'
import type { SkillIndex } from './index.ts'
import { countNewWords } from './indexing/new-words.ts'
import { createSkillReader } from './indexing/read-skill.ts'
import { createPairCounts } from './lexicon/bigram-frequencies.ts'
import { createCensus } from './lexicon/corpus-statistics.ts'
import { createLengths, lengthCode } from './lexicon/length-norms.ts'
import { createTypoFinder } from './lexicon/spelling.ts'
import { createVocabulary } from './lexicon/vocabulary.ts'
import { createCandidateFinder } from './query/candidates.ts'
import { createEvidenceReader } from './query/evidence.ts'
import { createQueryParser } from './query/parse.ts'
import { createRanker } from './query/rank.ts'
import { createSearcher } from './query/search.ts'
import { createResolver } from './resolver.ts'
import { createCollection } from './segment/collection.ts'
import { LIVE_DOCUMENTS, LIVE_UNITS, nextMerge } from './segment/merge-policy.ts'
import { openSegment, SEGMENT_DOCUMENTS } from './segment/segment.ts'
import {
  type BuildBasis,
  createSegmentBuilder,
  type SourceDocument,
} from './segment/segment-builder.ts'
import { restoredParts, savedParts } from './segment/snapshot.ts'
import { createScanner, phraseHash } from './text/scanner.ts'
import type { SkillText } from './text/skill-text.ts'
import { createTeller } from './threads/index-replica.ts'
import { createMerger } from './threads/merger.ts'
import { createRankThreads } from './threads/rank-pool.ts'
import { createReadAhead, type ReadAhead } from './threads/read-ahead.ts'

/** The parts of an index put together, empty or from a snapshot. */
export function createCore(
  onThreadFailure: (error: unknown) => void,
  loaded?: Loaded,
): Omit<SkillIndex, 'restore'> {
  const restored = loaded && restoredParts(loaded)
  const vocabulary = createVocabulary(restored?.vocabulary)
  const pairs = createPairCounts(restored?.pairs)
  const lengths = createLengths(restored?.lengths)
  const collection = createCollection()
  const census = createCensus(vocabulary, pairs, lengths)
  const reader = createSkillReader(vocabulary)
  const finder = createCandidateFinder(collection)
  const rankQuery = createRanker(
    collection,
    finder,
    createEvidenceReader(vocabulary),
    lengths.norms,
  )
  const searcher = createSearcher(collection)
  const { countHeads } = searcher
  const typos = createTypoFinder(vocabulary, countHeads)
  const parser = createQueryParser(vocabulary, pairs, typos, countHeads, () => collection.size)
  const teller = () => createTeller(collection, vocabulary, lengths.norms)
  const threads = createRankThreads(teller, onThreadFailure)
  const resolver = createResolver(parser, rankQuery, threads)
  const scanner = createScanner()
  const build = createSegmentBuilder()
  const merger = createMerger()
  /** Of the document that comes in or goes. */
  let tokens = new Uint32Array(8192)
  let units = new Uint16Array(16_384)
  /** While a catalogue is loaded. */
  let ahead: ReadAhead | undefined
  let merging: Promise<void> | undefined
  if (restored) {
    for (const { buffer, dead } of restored.segments) collection.restore(openSegment(buffer), dead)
  }

  return {
    get size() {
      ahead?.settle()
      return collection.size
    },
    has(slot) {
      ahead?.settle()
      return collection.has(slot)
    },
    put,
    read(skill) {
      ahead?.finish()
      return reader.begin(skill)
    },
    countNewWords: (skill) => countNewWords(vocabulary, skill),
    remove(slot) {
      ahead?.settle()
      remove(slot)
    },
    stored(slot) {
      ahead?.settle()
      return collection.find(slot)?.stored
    },
    resolve(task, options) {
      ahead?.settle()
      return resolver.resolve(task, options)
    },
    async resolveAside(task, options) {
      ahead?.settle()
      // while a catalogue is loaded too much is live to be told
      return resolver.resolveAside(task, options, ahead === undefined)
    },
    search(q) {
      ahead?.settle()
      return searcher.search(parser.readWords(q), phraseHash(scanner, q))
    },
    beginLoad() {
      ahead = createReadAhead(vocabulary, reader)
    },
    endLoad() {
      ahead?.finish()
      ahead = undefined
      seal()
    },
    memory,
    words: () => ({ all: vocabulary.count, unused: vocabulary.countUnused() }),
    async settled() {
      while (merging) await merging
    },
    async close() {
      await Promise.all([merger.close(), threads.close()])
    },
    save() {
      seal()
      return savedParts({ vocabulary, pairs, lengths, parts: collection.parts })
    },
  }

  function put(slot: number, skill: SkillText | ReadSkill, stored: Uint8Array): void {
    if (ahead && !('words' in skill)) {
      ahead.add({ skill, take: (read) => add(slot, read, stored) })
      return
    }
    ahead?.finish()
    add(slot, 'words' in skill ? skill : reader.read(skill), stored)
  }

  function add(slot: number, read: ReadSkill, stored: Uint8Array): void {
    resolver.forget()
    const document = takeIn(slot, read, stored)
    remove(slot)
    collection.add(document)
    if (isLiveFull()) seal()
  }

  /** To make a segment takes time with the words of its documents, in which the event loop is held. */
  function isLiveFull(): boolean {
    const { live, liveUnits } = collection
    if (ahead) return live.length >= SEGMENT_DOCUMENTS
    return live.length >= LIVE_DOCUMENTS || liveUnits >= LIVE_UNITS
  }

  /** Counts a skill in; gives its document. */
  function takeIn(slot: number, read: ReadSkill, stored: Uint8Array): SourceDocument {
    const { nameHash, ends } = read
    // a word is one token, a section has two more
    const most = (ends.at(-1) ?? 0) + 2 * ends.length
    if (tokens.length < most) tokens = new Uint32Array(2 * most)
    if (units.length < 3 * most) units = new Uint16Array(6 * most)
    const length = writeTokens(read, vocabulary.lastFiller, tokens)
    const codes = new Uint8Array(MEASURES)
    for (let i = 0; i < LENGTHS; i++) codes[i] = lengthCode(read.lengths[i] as number)
    codes[PROSE] = read.prose
    census.count(tokens, length, codes, 1)
    const packed = units.slice(0, packTokens(tokens, length, units))
    return { slot, nameHash, lengths: codes, units: packed, stored }
  }

  function remove(slot: number): void {
    const document = collection.find(slot)
    if (document === undefined) return
    resolver.forget()
    const { units, lengths: codes } = document
    const most = mostTokens(units.length)
    if (tokens.length < most) tokens = new Uint32Array(2 * most)
    const length = unpackTokens(units, tokens)
    census.count(tokens, length, codes, -1)
    collection.remove(slot)
    mergeIfDue()
  }

  /** For this thread at once; another needs a copy of the groups. */
  function basis(): BuildBasis {
    const { count, stems } = vocabulary
    return { groups: stems.groups, entries: count + 1, norms: lengths.norms() }
  }

  /** Makes a segment of the live documents. */
  function seal(): void {
    if (collection.live.length === 0) return
    resolver.forget()
    collection.seal((documents) => build(documents, basis()))
    mergeIfDue()
  }

  function mergeIfDue(): void {
    if (merging || !nextMerge(collection)) return
    // what could not be merged stays as it is, and is tried again after the next change
    merging = mergeAll()
      .catch(onThreadFailure)
      .finally(() => {
        merging = undefined
      })
  }

  async function mergeAll(): Promise<void> {
    for (let parts = nextMerge(collection); parts; parts = nextMerge(collection)) {
      const inputs = parts.map(({ segment, dead }) => ({
        buffer: segment.buffer,
        dead: dead.slice(),
      }))
      const now = basis()
      const groups = now.groups.slice(0, now.entries)
      const buffer = await merger.merge({ inputs, basis: { ...now, groups } })
      // a merger that was closed gives nothing, and nothing is lost
      if (buffer === undefined) return
      resolver.forget()
      collection.replace(parts, openSegment(buffer))
    }
  }

  function memory(): { index: number; stored: number } {
    let stored = 0
    // places of what is stored are no part of the index
    let total = vocabulary.bytes + pairs.counts.byteLength + collection.bytes + census.bytes
    for (const { segment } of collection.parts) {
      stored += segment.stored.length + segment.storedStarts.byteLength
      total += segment.buffer.byteLength + segment.documents
    }
    for (const document of collection.live) {
      stored += document.stored.length
      total += document.stored.length + document.units.byteLength
    }
    return { index: total - stored, stored }
  }
}
