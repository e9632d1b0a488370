import { grown } from '../document/growth.ts'
import { createScanner } from '../text/scanner.ts'
import { ENGLISH, stemOf } from '../text/stem.ts'
import { createHashTable, emptyTables, savedTables } from './hash-table.ts'
import { MOST_WORDS, type WordTable } from './word-table.ts'

/**
 * The stems of words. A stem is known by the number of the first word that came with it. Most
 * stems have that word only and need no more; those of several words are numbered as groups, from 1.
 * Arrays are replaced when they grow, so read them afresh.
 */
export interface Stems {
  /** By word: its stem, or `GROUP` and the number of the group that the word is the first of. */
  groups: Uint32Array
  /** By word: two bytes of the hash of its stem's text, the same whatever words came before. */
  hashes: Uint16Array
  /** By group: live documents that hold any of its words. */
  groupDf: Uint32Array
  /** The highest number of a group. */
  readonly groupCount: number
  /**
   * Takes in a new word of the table, and the hash of its text. `wordDf` has by word the live documents
   * that hold it.
   */
  add(word: number, hash: number, wordDf: Uint32Array): void
  /** The stem that a word has or would have, or 0. */
  find(word: string): number
  /** All words of a stem. */
  wordsOf(stem: number): number[]
  /** Memory held. */
  readonly bytes: number
  /** Exact copies of what is needed to make it again. */
  save(): SavedStems
}

export interface SavedStems {
  groups: Uint32Array
  hashes: Uint16Array
  groupDf: Uint32Array
  /** Slots of the first words of stems that were the text of no word when they came. */
  firstWords: Uint32Array
}

/** Added to the numbers of groups, to tell them from words. */
const GROUP = MOST_WORDS + 1

/** The group of a stem, or 0 when it has one word only. */
export function groupIn(groups: Uint32Array, stem: number): number {
  const group = groups[stem] as number
  return group < GROUP ? 0 : group - GROUP
}

/** The stem of a word. */
export function stemIn(groups: Uint32Array, word: number): number {
  const stem = groups[word] as number
  return stem < GROUP ? stem : word
}

/**
 * The stems of the words of a table that were added, or the saved ones of the same table. Throws a
 * RangeError when those cannot be.
 */
export function createStems(words: WordTable, saved?: SavedStems): Stems {
  const scanner = createScanner()
  /** By the hash of a stem that was the text of no word when it came: its first word. */
  const firstWords = createHashTable(
    saved ? savedTables(saved.firstWords) : emptyTables(0),
    hashOfStem,
  )
  /** The words of groups but the first: by group the last of them, and the one before each. */
  let lastMember = new Uint32Array(64)
  let members = new Uint32Array(64)
  let memberBefore = new Uint32Array(64)
  let memberCount = 0
  let groupCount = 0
  const stems = {
    groups: saved?.groups ?? new Uint32Array(600),
    hashes: saved?.hashes ?? new Uint16Array(600),
    groupDf: saved?.groupDf ?? new Uint32Array(64),
    get groupCount() {
      return groupCount
    },
    add,
    find,
    wordsOf,
    get bytes() {
      const { groups, hashes, groupDf } = stems
      const columns = [lastMember, members, memberBefore, groups, hashes, groupDf]
      return columns.reduce((sum, { byteLength }) => sum + byteLength, firstWords.bytes)
    },
    save,
  }
  if (saved) restore(saved)
  return stems

  function restore({ groups, groupDf, hashes }: SavedStems): void {
    if (groups.length !== words.count + 1 || hashes.length !== groups.length)
      throw new RangeError('the stems are incomplete')
    groupCount = groupDf.length - 1
    lastMember = new Uint32Array(groupCount + 1)
    for (let word = 1; word < groups.length; word++) {
      const stem = groups[word] as number
      if (stem === word) continue
      const group = groupIn(groups, stem < GROUP ? stem : word)
      if (group === 0 || group > groupCount) throw new RangeError('the stems are damaged')
      if (stem < GROUP) join(word, group)
    }
  }

  function add(word: number, hash: number, wordDf: Uint32Array): void {
    stems.groups = grown(stems.groups, word + 1, Uint32Array)
    stems.hashes = grown(stems.hashes, word + 1, Uint16Array)
    const { groups, hashes } = stems
    hashes[word] = hash ^ (hash >>> 16)
    const text = words.text(word)
    // short words may be stems of longer ones, others that have none not
    if (text.length > 2 && !ENGLISH.test(text)) {
      groups[word] = word
      return
    }
    const stem = stemOf(text)
    const first = lookUp(stem, stem === text)
    groups[word] = first === 0 ? word : first
    hashes[word] = scanner.hash ^ (scanner.hash >>> 16)
    if (first !== 0) {
      if (groups[first] === first) startGroup(first, wordDf[first] as number)
      join(word, groupIn(groups, first))
    } else if (stem !== text) {
      firstWords.add(word, hashOf(stem))
    }
  }

  function hashOf(text: string): number {
    scanner.load(text)
    return scanner.hash
  }

  function hashOfStem(word: number): number {
    return hashOf(stemOf(words.text(word)))
  }

  function find(word: string): number {
    const stem = stemOf(word)
    return lookUp(stem, stem === word)
  }

  /** Finds a stem by its text. */
  function lookUp(stem: string, isOwnStem: boolean): number {
    scanner.load(stem)
    const word = words.find(scanner)
    // "organ" may be the stem of a word, but is a word of another stem where its own differs
    if (word !== 0 && stems.groups[word] !== 0 && (isOwnStem || stemOf(stem) === stem)) {
      return stemIn(stems.groups, word)
    }
    for (let first = firstWords.first(scanner.hash); first !== 0; first = firstWords.next()) {
      if (stemOf(words.text(first)) === stem) return first
    }
    return 0
  }

  function startGroup(first: number, df: number): void {
    const group = ++groupCount
    lastMember = grown(lastMember, group + 1, Uint32Array)
    stems.groupDf = grown(stems.groupDf, group + 1, Uint32Array)
    stems.groupDf[group] = df
    stems.groups[first] = GROUP + group
  }

  function join(word: number, group: number): void {
    const member = ++memberCount
    members = grown(members, member + 1, Uint32Array)
    memberBefore = grown(memberBefore, member + 1, Uint32Array)
    members[member] = word
    memberBefore[member] = lastMember[group] as number
    lastMember[group] = member
  }

  function wordsOf(stem: number): number[] {
    const found = [stem]
    // no group is 0, and so the last member of that is none
    const group = groupIn(stems.groups, stem)
    for (let member = lastMember[group] as number; member !== 0; ) {
      found.push(members[member] as number)
      member = memberBefore[member] as number
    }
    return found
  }

  function save(): SavedStems {
    return {
      groups: stems.groups.slice(0, words.count + 1),
      hashes: stems.hashes.slice(0, words.count + 1),
      groupDf: stems.groupDf.slice(0, groupCount + 1),
      firstWords: firstWords.save(),
    }
  }
}
