import { type Report, rulesOf } from '../report/types.ts'
import { eachMatch } from '../text/each-match.ts'
import { foldersOf } from './missing.ts'

export const unusedRules = rulesOf('advice', {
  'unused-file':
    'No text of the skill names the file or its folder, so no agent will open it. Say in the readme what it is for, or leave it out.',
})

/** Files that tools and people look for by themselves, and are named nowhere. */
const standing =
  /(?:^|\/)(?:(?:licen[cs]e|notice|copying|readme|changelog|changes|contributing|authors|security|code_of_conduct|version)(?:[._-][^/]*)?|package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|tsconfig[^/]*\.json|requirements[^/]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|uv\.lock|poetry\.lock|pipfile(?:\.lock)?|go\.(?:mod|sum)|cargo\.(?:toml|lock)|gemfile(?:\.lock)?|makefile|dockerfile|__init__\.py|__main__\.py|conftest\.py|index\.[a-z]{1,4}|mod\.rs|py\.typed|_meta\.json|metadata\.json|skill\.(?:json|ya?ml|toml)|agents?\.md|claude\.md|\.[^/]+)$|(?:^|\/)(?:tests?|evals?|__tests__|spec|fixtures|\.[^/]+)\//i

/** A name, or that of a folder whose file is not named behind it: `scripts/`, `scripts/*.py`. */
const word = /[\p{L}\p{N}_][\p{L}\p{N}_.+-]{0,99}(?:\/(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_]))?/gu

/** Collects which of a skill's files its texts name. */
export interface Mentions {
  /** Reads a text: that of a file, or null for the readme. */
  read(file: string | null, text: string): void
  /** Takes a file for named. */
  mark(path: string): void
  /** Names the files that no other text has named. */
  check(reportIn: (file: string) => Report): void
}

/**
 * A file counts as named by its name, its name without its ending, as imports have it, or by a folder
 * that it lies in (`templates/`), wherever that stands.
 */
export function mentions(paths: readonly string[]): Mentions {
  const wanted = new Map<string, string[]>()
  const unnamed = new Set<string>()
  const want = (name: string, path: string) => {
    const list = wanted.get(name)
    if (list) list.push(path)
    else wanted.set(name, [path])
  }
  for (const path of paths) {
    if (standing.test(path)) continue
    unnamed.add(path)
    // Of a name with spaces the last word, as texts are read.
    const name =
      path
        .slice(path.lastIndexOf('/') + 1)
        .toLowerCase()
        .match(word)
        ?.at(-1) ?? ''
    want(name, path)
    const stem = name.replace(/(?:\.d)?\.[^.]*$/, '')
    if (stem.length > 2 && stem !== name) want(stem, path)
    for (const folder of foldersOf(path))
      want(`${folder.toLowerCase().replace(/^.*\//, '')}/`, path)
  }
  return { read, mark: (path) => void unnamed.delete(path), check }

  function read(file: string | null, text: string): void {
    if (unnamed.size === 0) return
    eachMatch(word, text, ({ 0: found }) => {
      const name = found.toLowerCase()
      note(name, file)
      if (!name.includes('.')) return
      note(name.replace(/[.+-]+$/, ''), file)
      for (const part of name.split('.')) note(part, file)
    })
  }

  function note(name: string, file: string | null): void {
    const paths = wanted.get(name)
    if (!paths) return
    for (const path of paths) if (path !== file) unnamed.delete(path)
    if (!paths.includes(file ?? '')) wanted.delete(name)
  }

  function check(reportIn: (file: string) => Report): void {
    for (const path of paths) {
      if (unnamed.has(path)) reportIn(path)('unused-file', 'readme', 'named nowhere in the skill')
    }
  }
}
