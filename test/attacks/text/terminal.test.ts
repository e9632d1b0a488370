import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shownJson, shownLine, shownText } from '@skillpass/contract'
import { importSkills } from '@skillpass/server/registry/import/import'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { createTestDatabase } from '../../support/databases.ts'
import { clientCommand, serverCommand } from '../../support/processes.ts'
import { startTestServer } from '../../support/server.ts'
import { encryptionKey } from '../../support/settings.ts'
import { writeJsonl } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'

/** Programs as they are run, from the last build. */
const programs = {
  skillpass: clientCommand,
  'skillpass-server': serverCommand,
}

interface Run {
  args: string[]
  env: Record<string, string>
  /** On a screen of its own, both streams in one; else what a pipe gets. */
  screen?: boolean
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** What a program writes, to a screen or into a pipe. */
async function written(program: keyof typeof programs, { args, env, screen = true }: Run) {
  const command = [process.execPath, programs[program], ...args]
  const [file = '', ...rest] = screen
    ? ['script', '-qec', command.map(quoted).join(' '), '/dev/null']
    : command
  const { PATH, HOME } = process.env
  const child = spawn(file, rest, {
    env: { PATH, HOME, NODE_ENV: 'production', TERM: 'dumb', SHELL: '/bin/sh', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await new Promise((done) => child.on('close', done))
  // The line discipline of a screen writes line ends in two characters.
  return screen ? text.replaceAll('\r\n', '\n') : text
}

/** What the bar of an import moves its own cursor by. */
const ownBar = new RegExp(`${'\u001b'}(?:[78]|\\[\\??\\d*[GKhl]|\\[0?J)`, 'g')

/** What would steer a screen, and what a reader would not see. */
const steering = (text: string) =>
  text
    .replaceAll(ownBar, '')
    .match(
      /[^\P{Cc}\n\t]|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu,
    )

const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp.exe\u202c\u200b\u{e0041}\r\u0008'
const readme = `---\nname: evil\ndescription: Evil.\n"k\u001b[31m": 1\n"k\u001b[31m": 2\n---\n# Head\n\n\tcode ${evil}\n👨‍👩‍👧 می‌خواهم\n`

describe.skipIf(!existsSync('/usr/bin/script'))(
  'nothing steers the screen',
  { timeout: 120_000 },
  async () => {
    const server = await startTestServer()
    const file = await writeJsonl([
      { owner: 'mallory', repo: 'tools', slug: 'evil', name: 'Evil', description: 'Evil.', readme },
    ])
    await importSkills(server.ctx, [file], { as: 'upstream' })
    await eventually(async () => {
      expect((await server.client.registry.skills.search({ query: {} })).total).toBe(1)
    })
    const env = { SKILLPASS_URL: server.url }
    const fetching = ['fetch', 'mallory/tools/evil']

    test('of who fetches a skill; its lines, tabs and joiners stay', async () => {
      const shown = await written('skillpass', { args: fetching, env })
      expect(steering(shown)).toBeNull()
      expect(shown).toContain(
        '\tcode \\x1b]0;owned\\x07\\x1b[2J\\x9b31m<U+202E>gnp.exe<U+202C><U+200B><U+E0041>\\x0d\\x08\n👨‍👩‍👧 می‌خواهم\n',
      )
    })

    test('but a pipe and --raw get it to the byte', async () => {
      expect(await written('skillpass', { args: fetching, env, screen: false })).toBe(readme)
      const raw = await written('skillpass', { args: [...fetching, '--raw'], env })
      expect(raw).toContain('\u001b[2J\u009b31m\u202egnp')
    })

    test('of who reads an answer as JSON, whose value stays the same', async () => {
      const args = ['resolve', 'evil', '--fetch', '--threshold', '0', '--json', '--allow-warnings']
      const shown = await written('skillpass', { args, env })
      expect(steering(shown)).toBeNull()
      // The warning of the lint stands above it, on the same screen.
      expect(JSON.parse(shown.slice(shown.indexOf('{')))).toMatchObject({ markdown: readme })
    })

    test('of who mistypes, or is refused', async () => {
      const commands = [[`x${evil}`], ['star', `--${evil}`], ['fetch', `a/b/${evil}/d`]]
      const screens = commands.map((args) => written('skillpass', { args, env }))
      for (const shown of await Promise.all(screens)) {
        expect(steering(shown)).toBeNull()
        expect(shown).toContain('\\x1b[2J')
      }
      const gone = { SKILLPASS_URL: `http://127.0.0.1:1/${encodeURI('\u009b')}` }
      expect(steering(await written('skillpass', { args: ['search'], env: gone }))).toBeNull()
    })

    test('of an operator who imports folders, whatever files and keys are called', async () => {
      const { url, remove } = await createTestDatabase('sqlite')
      onTestFinished(remove)
      const folder = await temporaryFolder()
      const name = `evil${evil.replace('/', '')}\nimported 9999`
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'SKILL.md'), readme)
      const jsonl = await writeJsonl([
        { owner: `m${evil}`, repo: 'x', slug: 'x' },
        { owner: 'm', repo: 'x', slug: `slug ${evil}`, name: evil, tags: [evil], readme },
      ])
      const args = ['import', '--verbose', '--owner', 'mallory', folder, jsonl]
      const operating = { DATABASE_URL: url, ENCRYPTION_KEY: encryptionKey }
      const shown = await written('skillpass-server', { args, env: operating })
      expect(steering(shown)).toBeNull()
      expect(shown).toContain('\\x1b[2J')
      expect(shown).not.toMatch(/^imported 9999/m)
      expect(shown).toContain('the key k\\x1b[31m twice')
      const raw = await written('skillpass-server', { args: [...args, '--raw'], env: operating })
      expect(raw).toContain('\u001b[2J')
      const piped = { args: [...args, '--json'], env: operating, screen: false }
      const json = await written('skillpass-server', piped)
      const notes: { source: string }[] = JSON.parse(json.slice(json.indexOf('{'))).notes
      expect(notes.some(({ source }) => source.includes(name))).toBe(true)
    })

    test('of an operator who names what is not there', async () => {
      const { url, remove } = await createTestDatabase('sqlite')
      onTestFinished(remove)
      const folder = await temporaryFolder()
      const broken = join(folder, 'broken.json')
      await writeFile(broken, `{"agents": [{"username": "x${'\u009b\u202e'}"}], ${evil}`)
      const unknown = join(folder, 'unknown.json')
      await writeFile(unknown, JSON.stringify({ [evil]: 1, accounts: [{ [evil]: 2 }] }))
      const commands = [
        [`do${evil}`],
        ['import', `--${evil}`],
        ['apply', `${folder}/${evil}`],
        ['apply', broken],
        ['apply', unknown],
        ['backup', `${folder}/${evil}/none`],
        ['rotate-secret', evil],
      ]
      const env = { DATABASE_URL: url }
      const screens = commands.map((args) => written('skillpass-server', { args, env }))
      for (const [index, shown] of (await Promise.all(screens)).entries()) {
        expect([commands[index], steering(shown)]).toEqual([commands[index], null])
        expect(shown).not.toBe('')
      }
    })

    test('of an operator who watches the log', async () => {
      const { url, remove } = await createTestDatabase('sqlite')
      onTestFinished(remove)
      const args = ['serve', `${evil}`]
      const watching = { DATABASE_URL: url, PORT: evil }
      expect(steering(await written('skillpass-server', { args, env: watching }))).toBeNull()
    })
  },
)

describe('text for a screen', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 200 })

  test('holds nothing that steers, whatever it was; JSON of it has the same value', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(steering(shownText(text))).toBeNull()
        expect(shownLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
        expect(JSON.parse(shownJson(text))).toBe(text)
        expect(JSON.parse(shownJson({ a: [text] }, 2))).toEqual({ a: [text] })
      }),
      { numRuns: 2000 },
    )
  })
})
