import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ignoreRules, isIgnored } from '../../../client-sdk/src/cli/folder/gitignore.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { pick, seededRandom } from '../../support/random.ts'

/** The paths of the tree. */
const paths = [
  'a',
  'b.log',
  'sub/a',
  'sub/b.log',
  'sub/deep/a',
  'sub/deep/c.txt',
  'sub/deep/more/b.log',
  'build/x',
  'sub/build/x',
  '#hash',
  '!bang',
  'space ',
  'A',
  'a-b',
  ']',
  '[x]',
  'sub/é.md',
  'a1',
]

/** The text of a `.gitignore` in each folder that has one; the top folder is ``. */
type IgnoreFiles = Record<string, string>

/** Which of the paths git keeps, for each case; every case is a folder of one repository. */
async function keptByGit(cases: readonly IgnoreFiles[]): Promise<string[][]> {
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

/** Which of the paths the client keeps; it does not enter an ignored folder. */
function keptByClient(files: IgnoreFiles): string[] {
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

test('the client ignores what git ignores, for every form of a line in a .gitignore', async () => {
  const cases: Record<string, IgnoreFiles> = {
    'a name, anywhere': { '': 'a\n' },
    'a name at the top': { '': '/a\n' },
    'a folder alone': { '': 'a/\nbuild/\n' },
    'a slash in the middle anchors': { '': 'deep/a\nsub/deep/c.txt\n' },
    stars: { '': '*.log\nsub/*/a\n' },
    'two stars before': { '': '**/deep\n' },
    'two stars behind': { '': 'sub/**\n' },
    'two stars between': { '': 'sub/**/b.log\n' },
    'two stars that are one': { '': 'su**b\n**.log\nsub**/a\n' },
    negation: { '': '*\n!a\n!*.log\n' },
    'nothing comes back from an ignored folder': { '': 'sub\n!sub/a\n' },
    'all but one': { '': '/*\n!/sub\n/sub/*\n!/sub/deep\n' },
    'a file further down outweighs': { '': 'a\n', sub: '!a\n', 'sub/deep': 'a\n' },
    'an anchored rule further down': { sub: '/a\n/deep/more/\n' },
    'comments, empty lines, escapes': { '': '# a\n\n\\#hash\n\\!bang\n' },
    'spaces at the end': { '': 'a   \nspace\\ \n   \n' },
    'carriage returns and a byte order mark': { '': '\uFEFFa\r\nb.log\r\nsub/é.md\r' },
    classes: { '': '[ab]\n[]]\n\\[x]\n[[:upper:]]\na[!-]b\na[[:digit:]]\n' },
    'ranges, the wrong way round as well': { '': '[a-c]\n[z-a]1\na[0-9]\n' },
    'what is not closed': { '': '[a\n[[:nothing:]]\na\\\n!\n/\n//\n' },
    'a question mark': { '': 'a?\n?.log\nsub?a\n' },
    'a class does not match a slash': { '': 'sub[/]a\nsub[!x]a\n' },
  }
  const kept = await keptByGit(Object.values(cases))
  for (const [at, [form, files]] of Object.entries(cases).entries()) {
    expect([form, keptByClient(files)]).toEqual([form, kept[at]])
  }
})

test('the client ignores what git ignores, for 60 files of random lines', async () => {
  const random = seededRandom(24)
  const parts = 'a b * ** ? / sub deep .log [a-c] ! build \\'.split(' ')
  const many = <T>(most: number, make: () => T) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, make)
  const line = () => many(5, () => pick([...parts, ' '], random)).join('')
  const lines = () => many(4, line).join('\n')
  const cases = Array.from({ length: 60 }, () => ({ '': lines(), sub: lines() }))
  const kept = await keptByGit(cases)
  for (const [at, files] of cases.entries()) {
    expect([files, keptByClient(files)]).toEqual([files, kept[at]])
  }
})
