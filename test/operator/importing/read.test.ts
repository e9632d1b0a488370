import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type {
  ImportItem,
  ReadOptions,
} from '@skillpass/server/internal/operator/importing/import-item'
import { readSkills } from '@skillpass/server/internal/operator/importing/read'
import { beforeEach, expect, test } from 'vitest'
import { makeFolder } from '../../support/cleanup.ts'

let root: string
beforeEach(async () => {
  const { path, remove } = await makeFolder()
  root = path
  return remove
})

function write(path: string, content: string | Buffer): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
  return join(root, path)
}

async function read(paths: string[], options: ReadOptions = {}): Promise<ImportItem[]> {
  const items: ImportItem[] = []
  for await (const item of readSkills(paths, options)) items.push(item)
  return items
}

const brief = (items: ImportItem[]) =>
  items.map((item) => (item.kind === 'skill' ? item.skill.slug : `refused: ${item.rule}`))

const file = (name: string) => `---\nname: ${name}\ndescription: Does ${name}.\n---\n# T\n`
const line = (slug: string, more = {}) =>
  `${JSON.stringify({ owner: 'o', repo: 'r', slug, name: slug, description: 'd', tags: [], readme: '# T', ...more })}\n`

test('readSkills finds SKILL.md at any depth and in any letter case, sorted, except in ignored folders', async () => {
  write('b/SKILL.md', file('b'))
  write('a/deep/er/skill.MD', file('er'))
  write('node_modules/x/SKILL.md', file('x'))
  write('.git/y/SKILL.md', file('y'))
  write('.venv/z/SKILL.md', file('z'))
  write('.claude/skills/c/SKILL.md', file('c'))
  write('b/README.md', 'no')
  expect(brief(await read([root]))).toEqual(['c', 'er', 'b'])
})

test('readSkills ignores the same files of a skill as publish, unless a .gitignore includes them', async () => {
  const junk = ['.DS_Store', '._a.py', 'b.egg-info/x', 'node_modules/x/y', 'venv/pyvenv.cfg']
  for (const path of ['SKILL.md', 'a.py', ...junk]) write(`a/${path}`, file('a'))
  const paths = async () =>
    (await read([root])).flatMap((item) => ('files' in item ? item.files : [])).map((f) => f?.path)
  expect(await paths()).toEqual(['a.py'])
  write('a/.gitignore', '!node_modules/\n')
  expect(await paths()).toEqual(['.gitignore', 'a.py', 'node_modules/x/y'])
})

test('readSkills skips a SKILL.md that is not a regular file, such as a pipe, without waiting for it', async () => {
  write('a/SKILL.md', file('a'))
  mkdirSync(join(root, 'pipe'))
  execFileSync('mkfifo', [join(root, 'pipe/SKILL.md')])
  expect(brief(await read([root]))).toEqual(['a'])
})

test('owner and repo come from the options, then the git remote, then the agent and the folder', async () => {
  const path = write('my repo!/skills/a/SKILL.md', file('a'))
  const folder = join(root, 'my repo!')
  const home = async (options: ReadOptions, from = folder) => {
    const [item] = await read([from], options)
    return item?.kind === 'skill' && [item.skill.owner, item.skill.repo]
  }
  expect(await home({ agent: 'bot' })).toEqual(['bot', 'my-repo-'])
  expect(await home({})).toEqual(['importer', 'my-repo-'])
  write('my repo!/.git/config', '[remote "origin"]\n\turl = git@github.com:Acme/Skills.x.git\n')
  expect(await home({ agent: 'bot' })).toEqual(['Acme', 'Skills.x'])
  expect(await home({}, path)).toEqual(['Acme', 'Skills.x'])
  expect(await home({ owner: 'me' })).toEqual(['me', 'Skills.x'])
})

test('a skill at the root of a clone is named after its repository', async () => {
  write('SKILL.md', file('whole'))
  expect(brief(await read([root], { repo: 'One.Skill' }))).toEqual(['one-skill'])
})

test('readSkills keeps files unchanged, and refuses those that are too large or not UTF-8', async () => {
  write('a/SKILL.md', Buffer.from('caf\u00e9', 'latin1'))
  write('b/SKILL.md', `# ${'x'.repeat(262_144)}`)
  write('c/SKILL.md', `\ufeff${file('c').replaceAll('\n', '\r\n')}`)
  const items = await read([root])
  expect(brief(items)).toEqual(['refused: not-utf8', 'refused: readme-too-large', 'c'])
  const message = expect.stringContaining('"iconv -f ENCODING -t UTF-8"')
  expect(items[0]).toMatchObject({ message })
  const last = items.at(-1)
  expect(last?.kind === 'skill' && last.skill.readme).toBe(
    `\ufeff${file('c').replaceAll('\n', '\r\n')}`,
  )
})

test('two folders with the same name get two slugs, which are the same in each run', async () => {
  write('a/pdf/SKILL.md', file('pdf'))
  write('b/PDF/SKILL.md', file('pdf'))
  const first = await read([root])
  expect(brief(first)).toEqual(['pdf', 'pdf-2'])
  expect(await read([root])).toEqual(first)
  expect(first[1]).toMatchObject({ warnings: [{ rule: 'slug-changed' }, { rule: 'slug-taken' }] })
})

test('readSkills refuses each malformed line of JSONL with its file and line, and reads the others', async () => {
  const path = write(
    'a.jsonl',
    Buffer.concat([
      Buffer.from(`\ufeff${line('one')}{"owner":\n[]\n\n${line('')}${line('x', { readme: 5 })}`),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(`${' '.repeat(5_000_000)}\n${line('two', { stars: 7 })}${line('three').trim()}`),
    ]),
  )
  const items = await read([path])
  expect(brief(items)).toEqual([
    'one',
    'refused: bad-json',
    'refused: bad-json',
    'refused: no-slug',
    'refused: bad-readme',
    'refused: not-utf8',
    'refused: line-too-long',
    'two',
    'three',
  ])
  const places = items.map(({ source }) => source.slice(path.length))
  expect(places.join(' ')).toBe(':1 :2 :3 :5 :6 :7 :8 :9 :10')
  expect(items[7]).toMatchObject({ skill: { owner: 'o', repo: 'r', stars: 7 } })
})

test('readSkills returns the lines before an error in a gzip file, then reads the next path', async () => {
  const lines = Array.from({ length: 3000 }, (_, at) =>
    line(`s${at}`, { readme: `${Math.random()}` }),
  )
  const packed = gzipSync(lines.join(''))
  const cut = write('cut.jsonl.gz', packed.subarray(0, packed.length / 2))
  const no = write('no.jsonl.gz', 'not gzip')
  const whole = write('whole.jsonl.gz', Buffer.concat([gzipSync(line('p')), gzipSync(line('q'))]))
  const found = brief(await read([cut, no, whole]))
  expect(found.slice(-4)).toEqual(['refused: broken-gzip', 'refused: broken-gzip', 'p', 'q'])
  expect(found.length).toBeGreaterThan(1400)
  expect(found.filter((text) => text.startsWith('refused'))).toHaveLength(2)
})

test('a repeated skill keeps its slug, and two skills with the same slug get different ones', async () => {
  const path = write('a.jsonl', line('foo') + line('Foo') + line('foo'))
  expect(brief(await read([path, path]))).toEqual(['foo', 'foo-2', 'foo', 'foo', 'foo-2', 'foo'])
})

test('readSkills refuses missing paths and unknown kinds of files, and continues', async () => {
  const text = write('a.txt', 'x')
  mkdirSync(join(root, 'empty'))
  const path = write('a.jsonl', line('one'))
  const found = await read([join(root, 'absent'), text, join(root, 'empty'), path])
  expect(brief(found)).toEqual([
    'refused: unreadable',
    'refused: unknown-kind',
    'refused: no-skills',
    'one',
  ])
})
