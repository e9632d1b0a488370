import type { Loaded } from '../snapshot/saved.ts'
import { createCandidateFinder } from './candidates.ts'
import { createCensus } from './census.ts'
import { createCollection } from './collection.ts'
import { createEvidenceReader } from './evidence.ts'
import { packTokens, unpackTokens, writeTokens } from './forward.ts'
import type { Resolution, SkillIndex } from './index.ts'
import { createLengths, lengthCode } from './lengths.ts'
import { createMerger } from './merger.ts'
import { LIVE_DOCUMENTS, nextMerge } from './merging.ts'
import { createPairCounts } from './pairs.ts'
import { createQueryParser } from './query.ts'
import { createRanker } from './rank.ts'
import { createSkillReader, type ReadSkill } from './read-skill.ts'
import { restoredParts, savedParts } from './saving.ts'
import { createSearcher } from './search.ts'
import { LENGTHS, openSegment, SEGMENT_DOCUMENTS, SKETCH } from './segment.ts'
import { type BuildBasis, createSegmentBuilder, type SourceDocument } from './segment-build.ts'
import { sketchOf } from './sketch.ts'
import type { SkillText } from './skill-text.ts'
import { createScanner, phraseHash } from './tokens.ts'
import { createTypoFinder } from './typo.ts'
import { createVocabulary } from './vocabulary.ts'

/** The parts of an index put together, empty or from a snapshot. */
export function createCore(
  onMergeFailure: (error: unknown) => void,
  loaded?: Loaded,
): Omit<SkillIndex, 'restore'> {
  const restored = loaded && restoredParts(loaded)
  const vocabulary = createVocabulary(restored?.vocabulary)
  const pairs = createPairCounts(restored?.pairs)
  const lengths = createLengths(restored?.lengths)
  const collection = createCollection()
  const census = createCensus(vocabulary, pairs, lengths)
  const reader = createSkillReader(vocabulary)
  const norms = () => {
    lengths.refresh()
    return lengths.norms
  }
  const finder = createCandidateFinder(collection)
  const rank = createRanker(collection, finder, createEvidenceReader(vocabulary), norms)
  const searcher = createSearcher(vocabulary, collection)
  const typos = createTypoFinder(vocabulary, searcher.countHeads)
  const parser = createQueryParser(vocabulary, pairs, typos, () => collection.size)
  const scanner = createScanner()
  const build = createSegmentBuilder()
  const merger = createMerger()
  /** Of the document that comes in or goes. */
  let tokens = new Uint32Array(8192)
  let bytes = new Uint8Array(8192)
  let liveLimit = LIVE_DOCUMENTS
  let merging: Promise<void> | undefined
  if (restored) {
    vocabulary.wordDf.set(restored.wordDf)
    vocabulary.groupDf.set(restored.groupDf)
    for (const { buffer, dead } of restored.segments) collection.restore(openSegment(buffer), dead)
  }

  return {
    get size() {
      return collection.size
    },
    has: collection.has,
    put,
    read: reader.begin,
    remove,
    stored: (slot) => collection.find(slot)?.stored,
    resolve,
    search: (q) => searcher.search(parser.readWords(q), phraseHash(scanner, q)),
    beginLoad() {
      liveLimit = SEGMENT_DOCUMENTS
    },
    endLoad() {
      liveLimit = LIVE_DOCUMENTS
      seal()
    },
    memory,
    async settled() {
      while (merging) await merging
    },
    close: merger.close,
    save() {
      seal()
      return savedParts({ vocabulary, pairs, lengths, parts: collection.parts })
    },
  }

  function put(slot: number, skill: SkillText | ReadSkill, stored: Uint8Array): void {
    const document = takeIn(slot, 'words' in skill ? skill : reader.read(skill), stored)
    remove(slot)
    collection.add(document)
    if (collection.live.length >= liveLimit) seal()
  }

  /** Counts a skill in; gives its document. */
  function takeIn(slot: number, read: ReadSkill, stored: Uint8Array): SourceDocument {
    const { nameHash, ends } = read
    // a word is one token, a section has two more
    const most = (ends.at(-1) ?? 0) + 2 * ends.length
    if (tokens.length < most) tokens = new Uint32Array(2 * most)
    if (bytes.length < 4 * most) bytes = new Uint8Array(8 * most)
    const length = writeTokens(read, vocabulary, tokens)
    const sketch = new Uint8Array(SKETCH)
    sketchOf(tokens, length, sketch)
    const codes = new Uint8Array(LENGTHS)
    for (let i = 0; i < LENGTHS; i++) codes[i] = lengthCode(read.lengths[i] as number)
    census.count(tokens, length, codes, 1)
    const units = bytes.slice(0, packTokens(tokens, length, vocabulary, bytes))
    return { slot, nameHash, lengths: codes, sketch, units, stored }
  }

  function remove(slot: number): void {
    const document = collection.find(slot)
    if (document === undefined) return
    const { units, lengths: codes } = document
    if (tokens.length < units.length) tokens = new Uint32Array(2 * units.length)
    const length = unpackTokens(units, 0, units.length, vocabulary, tokens)
    census.count(tokens, length, codes, -1)
    collection.remove(slot)
    mergeIfDue()
  }

  function resolve(task: string, options: Parameters<SkillIndex['resolve']>[1]): Resolution {
    const query = parser.readTask(task)
    return { ...rank(query, options), tokenWeights: query.weights }
  }

  /** For this thread at once; another needs a copy of the groups. */
  function basis(): BuildBasis {
    const { count, group, lastFiller, lastCommon } = vocabulary
    return { groups: group, entries: count + 1, norms: norms(), lastFiller, lastCommon }
  }

  /** Makes a segment of the live documents. */
  function seal(): void {
    if (collection.live.length === 0) return
    collection.seal((documents) => build(documents, basis()))
    mergeIfDue()
  }

  function mergeIfDue(): void {
    if (merging || !nextMerge(collection)) return
    // what could not be merged stays as it is, and is tried again after the next change
    merging = mergeAll()
      .catch(onMergeFailure)
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
