import type { Steps } from '../runtime/steps.ts'
import { ensureCapacity } from './document/ensure-capacity.ts'
import {
  type DocumentView,
  LENGTH_FIELDS,
  PROSE,
  packDocument,
  type ReadSkill,
  readTokens,
  STATS_BYTES,
} from './document/forward-index.ts'
import { readSkill, type SkillText } from './indexing/read-skill.ts'
import {
  type Counts,
  createCorpusStatistics,
  createCounts,
  lengthCode,
} from './lexicon/corpus-statistics.ts'
import { createVocabulary } from './lexicon/vocabulary.ts'
import { answer, type ResolveResult } from './query/answer.ts'
import { createQueryParser } from './query/parse.ts'
import { createRanker } from './query/rank.ts'
import type { ResolveOptions, SkillView } from './query/ranking.ts'
import { createSearcher, type SearchMatches } from './query/search.ts'
import {
  BUFFER_DOCUMENTS,
  BUFFER_UNITS,
  type Collection,
  createCollection,
  createPlaces,
  type Documents,
  liveDocumentsOf,
  nextMerge,
} from './segment/collection.ts'
import { SEGMENT_DOCUMENTS } from './segment/segment.ts'
import { createSegmentBuilder } from './segment/segment-builder.ts'
import { restoredParts, savedParts } from './segment/snapshot.ts'
import type { Loaded, Saved } from './snapshot-file.ts'
import { hashOf, phraseOf } from './text/words.ts'

/**
 * An in-memory index of skills for resolve and search. The caller identifies each skill by a slot,
 * a small integer. Calls are synchronous. Segments are merged in steps, each in its own turn of the
 * event loop.
 */
export type SkillIndex = ReturnType<typeof createSkillIndex>

/** Skills that the same readers see. */
interface Scope {
  readonly collection: Collection
  readonly counts: Counts
}

/** New words per step, one to two milliseconds. */
const WORDS_PER_STEP = 256

/** Nobody waits for a merge, so it takes a quarter of the event loop's time. */
const MERGE_REST = 3

/**
 * Creates an empty index, or restores the result of `save`. Throws if that is inconsistent.
 *
 * A private skill belongs to a scope. A query reads the public skills and those of the scopes that
 * it names, and ranks them as if all were public. Nothing in its answer depends on other scopes.
 * `save` keeps the public skills only.
 *
 * `onMergeFailure` is called if a merge fails. The index then keeps the unmerged segments.
 */
export function createSkillIndex(
  steps: Steps,
  onMergeFailure: (error: unknown) => void = () => {},
  saved?: Loaded,
) {
  const restored = saved && restoredParts(saved)
  const vocabulary = createVocabulary(restored?.vocabulary)
  const statistics = createCorpusStatistics(vocabulary, restored?.statistics)
  const places = createPlaces()
  const collection = createCollection(places)
  const common: Scope = { collection, counts: statistics.common }
  /** By name. Public skills are in the first scope, without a name. */
  const scopes = new Map<string | undefined, Scope>([[undefined, common]])
  /** Names of the scopes of private skills, by slot. */
  const scopeNames = new Map<number, string>()
  /** What the current query reads. */
  const documents: Documents = { size: 0, parts: [], buffered: [] }
  for (const { segment, dead } of restored?.segments ?? []) collection.restore(segment, dead)
  const searcher = createSearcher(documents)
  const parser = createQueryParser(vocabulary, statistics, searcher, () => documents.size)
  const ranker = createRanker(documents, vocabulary, statistics.norms)
  const build = createSegmentBuilder(vocabulary, statistics.norms)
  const closing = new AbortController()
  /** Tokens of the document that is added or removed. */
  let tokens = new Uint32Array(8192)
  let isLoading = false
  let merging: Promise<void> | undefined
  return {
    /** Number of public skills. */
    get size() {
      return collection.size
    },
    has: collection.has,
    put,
    /** Moves a skill to another scope. Without a scope, it becomes public. */
    move(slot: number, scope?: string): void {
      const document = scopeAt(slot).collection.find(slot)
      if (document === undefined || scopeNames.get(slot) === scope) return
      remove(slot)
      insert(document, scope)
    },
    /** Returns the scope of a private skill, and undefined for other skills. */
    scopeOf: (slot: number) => scopeNames.get(slot),
    /** Analyzes a skill for `put` in steps, so that long skills do not block the event loop. */
    read: readSkill,
    /** Adds the words of a skill to the vocabulary in steps, before `put`. */
    *learn({ words }: ReadSkill): Generator<void, void> {
      for (let i = 1; i < words.length; i++) {
        vocabulary.intern(words[i] as string)
        if (i % WORDS_PER_STEP === 0) yield
      }
    },
    /** Counts the distinct words of a skill that no public skill, and none of scopes, contains. */
    countNewWords: ({ words }: ReadSkill, scopes: readonly string[] = []) =>
      within(scopes, () => words.filter((word) => statistics.find(word) === 0).length - 1),
    remove,
    /** Runs synchronous work with skills in unused slots from `first` on, and removes them again. */
    withTrial<T>(first: number, skills: readonly ReadSkill[], work: () => T): T {
      const forgetWords = vocabulary.mark()
      try {
        for (const [i, skill] of skills.entries()) {
          const document = packSkill(first + i, skill)
          count(document, 1, common)
          collection.add(document)
        }
        return work()
      } finally {
        for (const i of skills.keys()) remove(first + i)
        forgetWords()
      }
    },
    /** Ranks skills for a task by their text, then by `viewOf`, the registry's data on a hit. */
    resolve(
      task: string,
      options: ResolveOptions,
      viewOf: (slot: number) => SkillView,
      scopes: readonly string[] = [],
    ): ResolveResult {
      return within(scopes, () => {
        const ranking = ranker.rank(parser.readTask(task), options)
        return answer(ranking, options, viewOf, ranker.readSections)
      })
    },
    /**
     * Returns the skills with a term of `q` in name, slug or description, with scores. The last
     * word may be unfinished if `isTyping`, or if nothing else matches.
     */
    search(q: string, isTyping = false, scopes: readonly string[] = []): SearchMatches {
      const found = within(scopes, () =>
        searcher.search(parser.readWords(q, isTyping), hashOf(phraseOf(q))),
      )
      return found.slots.length > 0 || isTyping ? found : this.search(q, true, scopes)
    },
    /** Starts a bulk load, which builds large segments at `endLoad`. Queries are slow meanwhile. */
    beginLoad() {
      isLoading = true
    },
    endLoad() {
      isLoading = false
      for (const { collection } of scopes.values()) seal(collection)
    },
    /** Number of texts in the vocabulary, and of those that no skill contains. */
    words: () => ({ all: vocabulary.count, unused: vocabulary.countUnused() }),
    /** Resolves when no merge is running. */
    async settled() {
      while (merging) await merging
    },
    /** Aborts the running merge. */
    close: () => closing.abort(),
    /** Returns the current state for a snapshot. Its bytes must not change afterwards. */
    save(): Saved {
      seal(collection)
      return savedParts(vocabulary, statistics, collection)
    },
  }

  function scopeAt(slot: number): Scope {
    return scopes.get(scopeNames.get(slot)) ?? common
  }

  /** Runs a query that reads the public skills and those of scopes. */
  function within<T>(names: readonly string[], query: () => T): T {
    const read = [common, ...names.flatMap((name) => scopes.get(name) ?? [])]
    documents.size = read.reduce((sum, { collection }) => sum + collection.size, 0)
    documents.parts = read.flatMap(({ collection }) => collection.parts)
    documents.buffered = read.flatMap(({ collection }) => collection.buffered)
    statistics.read(read.map(({ counts }) => counts))
    try {
      return query()
    } finally {
      statistics.read([common.counts])
    }
  }

  /** Adds or replaces the skill of a slot. The next query sees it. */
  function put(slot: number, skill: SkillText | ReadSkill, scope?: string): void {
    const document = packSkill(slot, 'words' in skill ? skill : runToEnd(readSkill(skill)))
    remove(slot)
    insert(document, scope)
  }

  function insert(document: DocumentView, name?: string): void {
    const known = scopes.get(name)
    const scope = known ?? { collection: createCollection(places), counts: createCounts() }
    scopes.set(name, scope)
    if (name !== undefined) scopeNames.set(document.slot, name)
    count(document, 1, scope)
    scope.collection.add(document)
    if (isBufferFull(scope.collection)) seal(scope.collection)
  }

  /** Returns whether to build a segment, which blocks the event loop in proportion to its words. */
  function isBufferFull({ buffered }: Collection): boolean {
    if (isLoading) return buffered.length >= SEGMENT_DOCUMENTS
    const units = buffered.reduce((sum, { start, end }) => sum + end - start, 0)
    return buffered.length >= BUFFER_DOCUMENTS || units >= BUFFER_UNITS
  }

  /** Adds the words of a skill to the vocabulary and returns its document. */
  function packSkill(slot: number, read: ReadSkill): DocumentView {
    const lengths = new Uint8Array(STATS_BYTES)
    for (let i = 0; i < LENGTH_FIELDS; i++) lengths[i] = lengthCode(read.lengths[i] as number)
    lengths[PROSE] = read.prose
    const numbers = read.words.map((word) => (word === '' ? 0 : vocabulary.intern(word)))
    const sections = read.sections.map((words) => words.map((word) => numbers[word] as number))
    const units = packDocument(sections, vocabulary.lastFiller)
    const { nameHash } = read
    return { slot, nameHash, units, start: 0, end: units.length, lengths, lengthsAt: 0 }
  }

  /** Adds (`sign` 1) or removes (-1) a document in the statistics. */
  function count(document: DocumentView, sign: 1 | -1, { counts }: Scope): void {
    tokens = ensureCapacity(tokens, document.end - document.start, Uint32Array)
    const length = readTokens(document, tokens)
    statistics.count(tokens, length, document.lengths.subarray(document.lengthsAt), sign, counts)
  }

  function remove(slot: number): void {
    const scope = scopeAt(slot)
    const document = scope.collection.find(slot)
    if (document === undefined) return
    count(document, -1, scope)
    scope.collection.remove(slot)
    if (scope !== common && scope.collection.size === 0) scopes.delete(scopeNames.get(slot))
    scopeNames.delete(slot)
    mergeIfDue()
  }

  /** Builds segments from the buffered documents. */
  function seal(collection: Collection): void {
    if (collection.buffered.length === 0) return
    collection.seal((documents) => runToEnd(build(documents)))
    mergeIfDue()
  }

  function mergeIfDue(): void {
    if (merging || closing.signal.aborted || !nextDue()) return
    // A failed merge is retried after the next change.
    merging = mergeAll()
      .catch((error) => {
        if (!closing.signal.aborted) onMergeFailure(error)
      })
      .finally(() => {
        merging = undefined
      })
  }

  /** Returns the next merge and its collection. Public skills are first. */
  function nextDue() {
    for (const { collection } of scopes.values()) {
      const due = nextMerge(collection)
      if (due) return { collection, due }
    }
    return undefined
  }

  async function mergeAll(): Promise<void> {
    const build = createSegmentBuilder(vocabulary, statistics.norms)
    for (let next = nextDue(); next; next = nextDue()) {
      const { collection, due } = next
      const documents: DocumentView[] = []
      for (const part of due) {
        await steps.pause(closing.signal)
        documents.push(...liveDocumentsOf(part))
      }
      collection.replace(due, await steps.run(build(documents), closing.signal, MERGE_REST))
    }
  }
}

function runToEnd<T>(steps: Generator<void, T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
