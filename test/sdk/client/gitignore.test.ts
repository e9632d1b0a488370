import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ignoreRules, isIgnored } from '../../../client-sdk/src/cli/folder/gitignore.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { hasProgram } from '../../support/lacking.ts'
import { splitAtBars } from '../../support/words.ts'

/** The paths of the tree. */
const paths = splitAtBars(
  'a¦b.log¦sub/a¦sub/b.log¦sub/deep/a¦sub/deep/c.txt¦sub/deep/more/b.log¦build/x¦sub/build/x',
  '#hash¦!bang¦space ¦A¦a-b¦]¦[x]¦sub/é.md¦a1',
)

/** Texts of `.gitignore` files by folder; the top folder is ``. */
type IgnoreFiles = Record<string, string>

/**
 * Returns the paths that git does not ignore, for each case. Every case is a folder of one
 * repository.
 */
async function includedByGit(cases: readonly IgnoreFiles[]): Promise<string[][]> {
  const root = await temporaryFolder()
  for (const [at, files] of cases.entries()) {
    for (const path of paths) {
      mkdirSync(dirname(join(root, `${at}`, path)), { recursive: true })
      writeFileSync(join(root, `${at}`, path), '')
    }
    for (const [folder, text] of Object.entries(files)) {
      writeFileSync(join(root, `${at}`, folder, '.gitignore'), text)
    }
  }
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  git('init', '--quiet')
  const listed = new Set(git('ls-files', '-z', '--others', '--exclude-standard').split('\0'))
  return cases.map((_, at) => paths.filter((path) => listed.has(`${at}/${path}`)))
}

/** Returns the paths that the client does not ignore. It does not enter ignored folders. */
function includedByClient(files: IgnoreFiles): string[] {
  const all = Object.entries(files)
    .sort(([one], [other]) => one.length - other.length)
    .map(([folder, text]) => ignoreRules(folder && `${folder}/`, text))
  return paths.filter((path) => {
    const names = path.split('/')
    return names.every((_, at) => {
      const isFolder = at < names.length - 1
      return !isIgnored(all, names.slice(0, at + 1).join('/'), isFolder)
    })
  })
}

/** Every form of a line. */
const forms: readonly IgnoreFiles[] = [
  ...['a\n', '/a\n', 'a/\nbuild/\n', 'deep/a\nsub/deep/c.txt\n', '*.log\nsub/*/a\n', '**/deep\n'],
  ...['sub/**\n', 'sub/**/b.log\n', 'su**b\n**.log\nsub**/a\n', '*\n!a\n!*.log\n'],
  ...['sub\n!sub/a\n', '/*\n!/sub\n/sub/*\n!/sub/deep\n', '# a\n\n\\#hash\n\\!bang\n'],
  ...['a   \nspace\\ \n   \n', '\uFEFFa\r\nb.log\r\nsub/é.md\r', 'a?\n?.log\nsub?a\n'],
  ...['[ab]\n[]]\n\\[x]\na[!-]b\n', '[a-c]\n[z-a]1\na[0-9]\n'],
  ...['[a\na\\\n!\n/\n//\n', 'sub[/]a\nsub[!x]a\n'],
].map((text) => ({ '': text }))
const nested: readonly IgnoreFiles[] = [
  { '': 'a\n', sub: '!a\n', 'sub/deep': 'a\n' },
  { sub: '/a\n/deep/more/\n' },
]

test.skipIf(!hasProgram('git', '--version'))('the client ignores what git ignores', async () => {
  const cases = [...forms, ...nested]
  const expected = await includedByGit(cases)
  for (const [at, files] of cases.entries()) {
    expect([files, includedByClient(files)]).toEqual([files, expected[at]])
  }
})
