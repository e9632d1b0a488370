import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readSkills } from '@skillpass/server/registry/import/read'
import type { ImportItem, ReadOptions } from '@skillpass/server/registry/import/types'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeFolder, temporaryFolder } from '../../support/cleanup.ts'
import { skillsFile } from '../../support/corpus.ts'
import { words } from '../../support/words.ts'

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

describe('reading folders', () => {
  test('finds SKILL.md at any depth and in any case, sorted, but not in node_modules or .git', async () => {
    write('b/SKILL.md', file('b'))
    write('a/deep/er/skill.MD', file('er'))
    write('node_modules/x/SKILL.md', file('x'))
    write('.git/y/SKILL.md', file('y'))
    write('.claude/skills/c/SKILL.md', file('c'))
    write('b/README.md', 'no')
    expect(brief(await read([root]))).toEqual(['c', 'er', 'b'])
  })

  test('follows no link in a circle or out of the folder, and says so of a file', async () => {
    const outside = await temporaryFolder()
    writeFileSync(join(outside, 'SKILL.md'), file('secret'))
    write('a/SKILL.md', file('a'))
    write('shared.md', file('b'))
    mkdirSync(join(root, 'b'))
    mkdirSync(join(root, 'd'))
    mkdirSync(join(root, 'e'))
    symlinkSync(root, join(root, 'loop'))
    symlinkSync(outside, join(root, 'out'))
    symlinkSync('../shared.md', join(root, 'b/SKILL.md'))
    symlinkSync(join(outside, 'SKILL.md'), join(root, 'd/SKILL.md'))
    symlinkSync('nowhere', join(root, 'e/SKILL.md'))
    const found = brief(await read([root]))
    expect(found).toEqual(['a', 'b', 'refused: link-outside', 'refused: unreadable'])
    rmSync(outside, { recursive: true })
  })

  test('takes owner and repo from options, then the git remote, then agent and folder', async () => {
    const path = write('my repo!/skills/a/SKILL.md', file('a'))
    const folder = join(root, 'my repo!')
    const home = async (options: ReadOptions, from = folder) => {
      const [item] = await read([from], options)
      return item?.kind === 'skill' && [item.skill.owner, item.skill.repo, item.skill.path]
    }
    expect(await home({ agent: 'bot' })).toEqual(['bot', 'my-repo-', 'skills/a/SKILL.md'])
    expect(await home({})).toEqual(['importer', 'my-repo-', 'skills/a/SKILL.md'])
    execFileSync('git', ['init', '-q', folder])
    execFileSync('git', [
      '-C',
      folder,
      'remote',
      'add',
      'origin',
      'git@github.com:Acme/Skills.x.git',
    ])
    expect(await home({ agent: 'bot' })).toEqual(['Acme', 'Skills.x', 'skills/a/SKILL.md'])
    expect(await home({}, path)).toEqual(['Acme', 'Skills.x', 'skills/a/SKILL.md'])
    expect(await home({ owner: 'me' })).toEqual(['me', 'Skills.x', 'skills/a/SKILL.md'])
  })

  test('names a skill at the root of a clone after its repository', async () => {
    write('SKILL.md', file('whole'))
    expect(brief(await read([root], { repo: 'One.Skill' }))).toEqual(['one-skill'])
  })

  test('keeps the file byte for byte, refuses what is not UTF-8 or too large, and goes on', async () => {
    write('a/SKILL.md', Buffer.from([0x61, 0xff]))
    write('b/SKILL.md', `# ${'x'.repeat(262_144)}`)
    write('c/SKILL.md', `\ufeff${file('c').replaceAll('\n', '\r\n')}`)
    const items = await read([root])
    expect(brief(items)).toEqual(['refused: not-utf8', 'refused: readme-too-large', 'c'])
    const last = items.at(-1)
    expect(last?.kind === 'skill' && last.skill.readme).toBe(
      `\ufeff${file('c').replaceAll('\n', '\r\n')}`,
    )
  })

  test('gives two folders of one name two slugs, the same on each run', async () => {
    write('a/pdf/SKILL.md', file('pdf'))
    write('b/PDF/SKILL.md', file('pdf'))
    const first = await read([root])
    expect(brief(first)).toEqual(['pdf', 'pdf-2'])
    expect(await read([root])).toEqual(first)
    expect(first[1]).toMatchObject({ warnings: [{ rule: 'slug-changed' }, { rule: 'slug-taken' }] })
  })
})

describe('reading jsonl', () => {
  test('refuses each malformed line by file and line, and reads the others', async () => {
    const path = write(
      'a.jsonl',
      Buffer.concat([
        Buffer.from(`\ufeff${line('one')}{"owner":\n[]\n\n${line('')}${line('x', { readme: 5 })}`),
        Buffer.from([0x22, 0xff, 0x22, 0x0a]),
        Buffer.from(
          `${' '.repeat(5_000_000)}\n${line('two', { stars: 7 })}${line('three').trim()}`,
        ),
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
    expect(items.map(({ source }) => source.slice(path.length))).toEqual(
      words(`
      :1 :2 :3 :5 :6 :7 :8 :9 :10
    `),
    )
    expect(items[7]).toMatchObject({ skill: { owner: 'o', repo: 'r', stars: 7 } })
  })

  test('gives all lines before the fault of a broken gzip, one refusal, then the next path', async () => {
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

  test('reads the same skill twice as the same skill, and two that collide as two', async () => {
    const path = write('a.jsonl', line('foo') + line('Foo') + line('foo'))
    expect(brief(await read([path, path]))).toEqual(['foo', 'foo-2', 'foo', 'foo', 'foo-2', 'foo'])
  })
})

describe('reading', () => {
  test('refuses what is absent or of another kind, and goes on', async () => {
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

  test('knows the total with the first item, and has read all of it at the end', async () => {
    const packed = gzipSync(line('one') + line('two'))
    const paths = [write('a.jsonl.gz', packed), write('s/SKILL.md', file('s'))]
    const reading = readSkills(paths)
    const total = packed.length + file('s').length
    const seen: number[] = []
    for await (const _ of reading) {
      expect(reading.progress().totalBytes).toBe(total)
      seen.push(reading.progress().bytesRead)
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(reading.progress().bytesRead).toBe(total)
  })

  test('stops when the caller does', async () => {
    const path = write('a.jsonl.gz', gzipSync(line('one').repeat(5000)))
    for await (const item of readSkills([path])) {
      expect(item.kind).toBe('skill')
      break
    }
  })
})

describe.skipIf(!existsSync(skillsFile))(`reading real skills (needs ${skillsFile})`, () => {
  test('refuses none, warns of the known traps, keeps bounds, addresses and a flat memory', async () => {
    const addresses = new Set<string>()
    const warned = new Map<string, number>()
    // The worker holds what earlier files of tests have loaded: what counts is how much more it takes.
    const before = process.memoryUsage().rss
    let largest = before
    for await (const item of readSkills([skillsFile])) {
      if (item.kind === 'refused') expect.fail(`${item.source} ${item.rule}`)
      const { owner, repo, slug, description, tags, name } = item.skill
      addresses.add(`${owner}/${repo}/${slug}`.toLowerCase())
      for (const { rule } of item.warnings) warned.set(rule, (warned.get(rule) ?? 0) + 1)
      if (!/^[a-z0-9-]{1,100}$/.test(slug) || description.length > 500) expect.fail(item.source)
      if (name.length > 100 || tags.length > 20) expect.fail(item.source)
      if (addresses.size % 1000 === 0) largest = Math.max(largest, process.memoryUsage().rss)
    }
    expect(addresses.size).toBe(11_970)
    expect(Object.fromEntries(warned)).toEqual({
      'description-cut': 1670,
      'slug-changed': 63,
      'too-many-tags': 47,
      'tag-too-long': 2,
      'hidden-removed': 1,
    })
    expect((largest - before) / 2 ** 20).toBeLessThan(400)
  })
})
