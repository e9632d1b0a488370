import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { visibleJson, visibleLine, visibleText } from '@skillpass/contract'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { runSkillpass } from '../../support/commands.ts'
import { createTestDatabase } from '../../support/databases.ts'
import { hasProgram } from '../../support/lacking.ts'
import { serverCommand } from '../../support/processes.ts'
import { startTestServer } from '../../support/server.ts'
import { addressesAt, encryptionKey } from '../../support/settings.ts'
import { writeJsonl } from '../../support/skills.ts'

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

interface Run {
  args: string[]
  env: Record<string, string>
  /** Whether both streams are terminals; otherwise stdout is a pipe. */
  isScreen?: boolean
}

/** Runs the operator's command in a process and returns what it writes. */
async function runServer({ args, env, isScreen = true }: Run): Promise<string> {
  const command = [process.execPath, serverCommand, ...args]
  const [file = '', ...rest] = isScreen
    ? ['script', '-qec', command.map(quoted).join(' '), '/dev/null']
    : command
  const { PATH, HOME } = process.env
  const child = spawn(file, rest, {
    env: { PATH, HOME, NODE_ENV: 'production', TERM: 'dumb', SHELL: '/bin/sh', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const text = await readText(child.stdout)
  // A terminal writes a line end as CR LF.
  return isScreen ? text.replaceAll('\r\n', '\n') : text
}

/** Start of the progress line of an import. */
const ownLine = '\u001b[G\u001b[K'

/** Terminal control characters and invisible characters. */
const steering = (text: string) =>
  text
    .replaceAll(ownLine, '')
    .match(
      /[^\P{Cc}\n\t]|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu,
    )

const hasScript = hasProgram('script', '--version')

const evil =
  '\u001b[32mclean\u001b[39m\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egnp.exe\u202c\u200b\u{e0041}\r\u0008'
const readme = `---\nname: evil\ndescription: Evil.\n"k\u001b[31m": 1\n"k\u001b[31m": 2\n---\n# Head\n\n\tcode ${evil}\n👨‍👩‍👧 می‌خواهم\n`

const server = await startTestServer()
const file = await writeJsonl([
  { owner: 'mallory', repo: 'tools', slug: 'evil', name: 'Evil', description: 'Evil.', readme },
])
await server.operate('import', file, '--as', 'upstream')
const env = { SKILLPASS_URL: server.url, NO_COLOR: '1' }
const args = ['fetch', 'mallory/tools/evil']
const isScreen = { print: true, warn: true }
const shownCode =
  '\tcode \\x1b[32mclean\\x1b[39m\\x1b]0;owned\\x07\\x1b[2J\\x9b31m<U+202E>gnp.exe<U+202C><U+200B><U+E0041>\\x0d\\x08\n👨‍👩‍👧 می‌خواهم\n'

test('skillpass fetch escapes terminal control characters and keeps line breaks, tabs and joiners', async () => {
  const { out, err } = await runSkillpass(args, { env, isScreen })
  expect(steering(out + err)).toBeNull()
  expect(out).toContain(shownCode)
})

test('skillpass fetch writes the exact bytes to a pipe, and to a terminal with --raw', async () => {
  expect((await runSkillpass(args, { env })).out).toBe(readme)
  const raw = await runSkillpass([...args, '--raw'], { env, isScreen })
  expect(raw.out).toContain('\u001b[2J\u009b31m\u202egnp')
})

describe.skipIf(!hasScript)('skillpass-server on a terminal', () => {
  /** Runs the command on a new database. */
  async function operatorEnv() {
    const { url, remove } = await createTestDatabase('sqlite')
    onTestFinished(remove)
    const addresses = addressesAt('http://localhost:3000')
    return { DATABASE_URL: url, ENCRYPTION_KEY: encryptionKey, ...addresses }
  }

  test('skillpass-server import escapes control characters in names of files and keys', async () => {
    const env = await operatorEnv()
    const folder = await temporaryFolder()
    const name = `evil${evil.replace('/', '')}\nimported 9999`
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'SKILL.md'), readme)
    const jsonl = await writeJsonl([
      { owner: `m${evil}`, repo: 'x', slug: 'x' },
      { owner: 'm', repo: 'x', slug: `slug ${evil}`, name: evil, tags: [evil], readme },
    ])
    const args = ['import', '--verbose', '--owner', 'mallory', folder, jsonl]
    const shown = await runServer({ args, env })
    expect(steering(shown)).toBeNull()
    expect(shown).toContain('\\x1b[2J')
    expect(shown).not.toMatch(/^imported 9999/m)
    expect(shown).toContain('the frontmatter is broken YAML')
    expect(await runServer({ args: [...args, '--raw'], env })).toContain('\u001b[2J')
    const json = await runServer({ args: [...args, '--json'], env, isScreen: false })
    const notes: { source: string }[] = JSON.parse(json.slice(json.indexOf('{'))).notes
    expect(notes.some(({ source }) => source.includes(name))).toBe(true)
  })
})

const texts = fc.string({ unit: 'binary', maxLength: 200 })

test('text for a terminal contains no control sequence, and JSON keeps its value', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(steering(visibleText(text))).toBeNull()
      expect(visibleLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      expect(JSON.parse(visibleJson(text))).toBe(text)
      expect(JSON.parse(visibleJson({ a: [text] }, 2))).toEqual({ a: [text] })
    }),
    { numRuns: 2000 },
  )
})
