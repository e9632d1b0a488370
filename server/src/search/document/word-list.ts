import { grown } from './growth.ts'

/** Words in a row, in an array that grows. */
export interface WordList {
  words: Uint32Array
  length: number
}

export function createWordList(): WordList {
  return { words: new Uint32Array(512), length: 0 }
}

/** Makes room for so many more. */
export function reserve(list: WordList, more: number): void {
  list.words = grown(list.words, list.length + more, Uint32Array)
}

export function append(list: WordList, word: number): void {
  if (list.length === list.words.length) {
    list.words = grown(list.words, list.length + 1, Uint32Array)
  }
  list.words[list.length++] = word
}

export function appendAll(list: WordList, more: WordList): void {
  reserve(list, more.length)
  list.words.set(more.words.subarray(0, more.length), list.length)
  list.length += more.length
}
