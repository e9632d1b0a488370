import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { temporaryFolder, writeFiles } from '../support/cleanup.ts'
import { InstallationFailed } from '../support/installed-node.ts'
import { hasProgram, noteLack } from '../support/lacking.ts'
import { freePort, root } from '../support/processes.ts'
import { isLong } from '../support/rounds.ts'
import { ceilingMs } from '../support/waiting.ts'
import { installOffline, installWithNpm } from './install-packed.ts'

const hasCurl = hasProgram('curl', '--version')

/** An empty project. Its programs run without the variables of the test runner. */
const project = await temporaryFolder()
const inProject = {
  cwd: project,
  env: { PATH: process.env.PATH, HOME: project, CI: '1', NO_COLOR: '1' },
}

/** Runs Node.js. Returns its exit code and output. */
const runNode = (...args: string[]) =>
  promisify(execFile)(process.execPath, args, inProject).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  )
const runModule = (script: string, ...args: string[]) =>
  runNode(join(project, 'node_modules', script), ...args)
const success = (output: RegExp) => ({ code: 0, output: expect.stringMatching(output) })

/** The files that the guide shows. The first line of each is its name. */
const guide = await readFile(join(root, 'server/docs/testing.md'), 'utf8')
const files = Object.fromEntries(
  Array.from(guide.matchAll(/^```[jt]s\n\/\/ (\S+)\n(.*?)^```/gms), ([, name, text = '']) => [
    name,
    text,
  ]),
)

/** The tests of a stranger, beside those of the guide. */
const stranger = `import { createSkillpass, type Seed } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { seed } from './seed.ts'

test('doubles run side by side, each with its own clock and log', async () => {
  const [one, two] = await Promise.all([createSkillpass({ seed }), createSkillpass({ seed })])
  await one.clock.advance('2h')
  const read = (sp: typeof one) =>
    sp.client({ token: 'nina', retries: 0 }).platform.users.get({ params: { userId: 'me' } })
  await expect(read(one)).rejects.toMatchObject({ status: 401 })
  expect((await read(two)).email).toBe('nina@acme.test')
  expect([one, two].map((sp) => sp.requests().length)).toEqual([1, 1])
  await Promise.all([one.close(), two.close()])
})

test('a reset brings the seeded credentials back', async () => {
  await using sp = await createSkillpass({ seed })
  const before = structuredClone(sp.seeded)
  const token: string = sp.seeded.tokens.nina?.refreshToken ?? ''
  const app = sp.client({ ...seed.apps[0]?.production, retries: 0 })
  const refresh = () =>
    app.oauth.token({ body: { grant_type: 'refresh_token', refresh_token: token } })
  await refresh()
  await sp.clock.advance({ minutes: 5 })
  await expect(refresh()).rejects.toMatchObject({ code: 'invalid_grant' })
  expect(await sp.reset()).toEqual(before)
  expect(sp.requests()).toEqual([])
  await refresh()
})

// @ts-expect-error the types are not any
export const wrong: Seed = { apps: [{ name: 'Scheduler', scope: [] }] }
`

const playwright = {
  timeout: ceilingMs,
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
}

await writeFiles(project, {
  'package.json': '{"name":"stranger","private":true,"type":"module"}',
  'playwright.config.js': `export default ${JSON.stringify(playwright)}`,
  ...{ ...files, 'stranger.test.ts': stranger },
})
let missing: string | undefined
try {
  await (isLong ? installWithNpm : installOffline)(project)
} catch (error) {
  if (!(error instanceof InstallationFailed)) throw error
  missing = error.message
  noteLack('the npm registry', missing)
}

describe.skipIf(missing)('the packed server in an empty project', () => {
  test('compiles in strict mode with every TypeScript file of the guide', async () => {
    const options = '--noEmit --strict --noUncheckedIndexedAccess --skipLibCheck --module nodenext'
    const more = '--allowImportingTsExtensions --target es2023 --types node'
    const lib = '--lib es2023,esnext.disposable,dom,dom.iterable'
    const written = Object.keys(files).filter((name) => name.endsWith('.ts'))
    expect(written).toHaveLength(7)
    const args = [...`${options} ${more} ${lib}`.split(' '), ...written, 'stranger.test.ts']
    expect(await runModule('typescript/bin/tsc', ...args)).toEqual({ code: 0, output: '' })
  })

  test('passes the recipes of the guide in vitest, and those of a stranger', async () => {
    const args = ['run', '--no-isolate', '--maxWorkers=1', `--testTimeout=${ceilingMs}`, '.test.ts']
    expect(await runModule('vitest/vitest.mjs', ...args)).toEqual(success(/Tests +7 passed/))
  })

  test('passes the example of the guide for node:test', async () => {
    expect(await runNode('--test', 'meetings.test.js')).toEqual(success(/^# pass 1$/m))
  })

  test.skipIf(!hasChromium)('passes the example of the guide for Playwright', async () => {
    const { code, output } = await runModule('@playwright/test/cli.js', 'test', 'consent')
    expect({ code, output }).toEqual(success(/1 passed/))
  })

  test.skipIf(!hasCurl)('runs the commands of the guide as pasted', async () => {
    const port = String(await freePort())
    const [start = '', use = ''] = Array.from(guide.matchAll(/^```sh\n(.*?)^```/gms), ([, block]) =>
      `${block}`.replaceAll('4000', port),
    )
    const server = spawn('bash', ['-ec', start], { ...inProject, detached: true })
    server.stderr.pipe(process.stderr)
    const ended = once(server, 'close')
    try {
      const [printed] = await Promise.race([once(server.stdout, 'data'), ended])
      expect(String(printed)).toContain('The double listens on')
      const { stdout } = await promisify(execFile)('bash', ['-ec', use], inProject)
      expect(stdout).toMatch(/\[ 503, 200 \]\n$/)
    } finally {
      // Ends the shell, npx and the server.
      if (server.exitCode === null) process.kill(-Number(server.pid))
      await ended
    }
  })
})
