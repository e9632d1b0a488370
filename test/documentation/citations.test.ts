import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/processes.ts'
import { anchorsOf } from './anchors.ts'

/** Documents that are not in the repository. */
const missingDocuments =
  /\bopen[- ]points?\b|\battacks?(?:\.md\b| \d+\b)|\b(?:reliability|design|style)\.md\b|\b(?:ranking|semantic)-findings\b|\b(?:registry|OAuth) spec(?:ification)?\b|\bthe spec §|\bshared\/\w|\(root, '\.\./i

/**
 * Names of files in projects of users, and of routes, which comments mention without citing a
 * document.
 */
const genericNames =
  /^(?:SKILL|README|CHANGELOG|AGENTS|CLAUDE|NOTES|index|search|resolve|skill|[a-z-]*example)\.md$/i

/** Text of users, in which links need no target. */
const userContent = /^server\/(?:demo|assets\/skills)\/|\/(?:fixtures|corpus)\//

/** Folders of files that git ignores. */
const ignored = new Set(['node_modules', 'dist', 'data', 'coverage', '.cache', '.git', 'generated'])

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) yield path
    else if (!ignored.has(entry.name) && path !== 'client-sdk/src/contract') yield* filesIn(path)
  }
}

const files = [...filesIn('.')]
  .filter((path) => /\.(?:tsx?|[cm]?js|css|md|ya?ml)$|\/deploy\//.test(path))
  .filter((path) => !userContent.test(path) && !path.endsWith('citations.test.ts'))

const sources = await Promise.all(
  files.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
)

const anchors = new Map(
  sources
    .filter(({ path }) => path.endsWith('.md'))
    .map(({ path, text }) => [path, anchorsOf(text)]),
)

/** Comments of a source file, line by line. */
const commentsOf = (text: string) =>
  text.split('\n').flatMap((line) => {
    const [, own, trailing] = /^\s*(?:\/\/|\/?\*\*?|#)(.*)$|\s\/\/ (.*)$/.exec(line) ?? []
    const comment = own ?? trailing
    return comment === undefined ? [] : [comment]
  })

const isFile = (path: string, target: string) =>
  [dirname(path), '.', 'contract'].some((base) => existsSync(join(root, base, target)))

test('each citation of the specifications names an existing section', () => {
  const broken = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bspec\/([a-z-]+\.md)(?:#([\w-]*\w))?/g)]
      .filter(([, name, anchor]) => {
        const known = anchors.get(`contract/spec/${name}`)
        return !known || (anchor !== undefined && !known.has(anchor))
      })
      .map(([citation]) => `${path}: ${citation}`),
  )
  expect(broken).toEqual([])
})

test('no file cites a document outside the repository', () => {
  const cited = sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((line, index) => ({ line, at: `${path}:${index + 1}` }))
      .filter(({ line }) => missingDocuments.test(line))
      .map(({ line, at }) => `${at}: ${line.trim()}`),
  )
  expect(cited).toEqual([])
})

test('each Markdown file that a comment names exists', () => {
  const broken = sources
    .filter(({ path }) => !path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      commentsOf(text)
        .flatMap((comment) => [...comment.matchAll(/(?<![\w/{}$.…*:-])[\w./-]+\.md\b(?!\w)/g)])
        .map(([name]) => name)
        .filter((name) => !genericNames.test(name.split('/').at(-1) ?? ''))
        .filter((name) => !isFile(path, name))
        .map((name) => `${path}: ${name}`),
    )
  expect(broken).toEqual([])
})

test('each source file that a comment or document names in backticks exists', () => {
  const known = files.map((path) => `/${path}`)
  const broken = sources.flatMap(({ path, text }) => {
    const prose = path.endsWith('.md')
      ? text.replace(/^```.*?^```/gms, '')
      : commentsOf(text).join('\n')
    return [...prose.matchAll(/`([\w./-]*\w\.tsx?)`/g)]
      .map(([, name = '']) => name.replace(/^\.\//, ''))
      .filter(
        (name) => !name.startsWith('NAME') && !known.some((file) => file.endsWith(`/${name}`)),
      )
      .map((name) => `${path}: ${name}`)
  })
  expect(broken).toEqual([])
})
