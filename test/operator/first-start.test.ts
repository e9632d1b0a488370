import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { freePort, root } from '../support/processes.ts'

const setup = `${root}/.dev/setup.mjs`

test('npm start on a used port says so before it installs or builds', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const env = { PATH: process.env.PATH, PORT: String(port) }
  const { status, stdout, stderr } = spawnSync(process.execPath, [setup, 'start'], {
    env,
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `Port ${port} of 127.0.0.1 is already in use. Set PORT to a free one.\n`,
  })
})

const Names = z.record(z.string(), z.string()).default({})
const Locked = z.object({
  dependencies: Names,
  devDependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
  link: z.boolean().optional(),
  resolved: z.string().optional(),
})

test('npm start installs no linter, test tool or benchmark', async () => {
  const { packages } = z
    .object({ packages: z.record(z.string(), Locked) })
    .parse(JSON.parse(await readFile(`${root}/package-lock.json`, 'utf8')))
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(`${root}/package.json`, 'utf8')))
  expect(scripts.prestart).toBe('node .dev/setup.mjs start')
  const installed = new Set<string>()
  /** Takes what a package asks for, which npm looks for in its own folder and in those above. */
  const take = (place: string, isOurs: boolean) => {
    if (installed.has(place)) return
    installed.add(place)
    const found = packages[place]
    if (!found) throw new Error(`${place} is not in the lock file`)
    const { dependencies, optionalDependencies, peerDependencies, devDependencies } = found
    const asked = { ...dependencies, ...optionalDependencies, ...peerDependencies }
    for (const name of Object.keys(isOurs ? { ...asked, ...devDependencies } : asked)) {
      for (let above = place; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/')))) {
        const next = `${above === '' ? '' : `${above}/`}node_modules/${name}`
        if (packages[next] && !packages[next].link) take(next, false)
        if (packages[next] || above === '') break
      }
    }
  }
  for (const place of ['', 'contract', 'server', 'client-sdk']) take(place, true)
  const names = [...installed].map((place) => place.split('node_modules/').at(-1))
  expect(names).toEqual(expect.arrayContaining(['typescript', 'express', 'better-sqlite3']))
  for (const tool of [
    ...['vitest', 'tsx', 'esbuild', 'playwright-core', 'autocannon', 'oidc-provider', 'skills'],
    ...['@biomejs/biome', '@redocly/cli', '@swc/core', '@babel/core', 'dependency-cruiser'],
    ...['@arethetypeswrong/cli', 'publint', '@ts-rest/open-api'],
  ]) {
    expect(names).not.toContain(tool)
  }
  expect(installed.size).toBeLessThan(300)
})
