import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '@skillpass/server/testing'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { temporaryFolder } from '../support/cleanup.ts'
import { operateJson } from '../support/commands.ts'
import { createServerDatabase, engines } from '../support/databases.ts'
import { hasProgram } from '../support/lacking.ts'
import { postgresUrl } from '../support/postgres.ts'
import { root, startProcess } from '../support/processes.ts'
import { encryptionKey } from '../support/settings.ts'
import { deployFile } from './deploy-files.ts'

const Compose = z.object({
  services: z.object({ app: z.object({ environment: z.record(z.string(), z.string()) }) }),
})
const { app } = Compose.parse(parse(await deployFile('compose.yaml'), { merge: true })).services
const containerfile = (await deployFile('Containerfile')).replaceAll(/\\\n\s*/g, '')

const Variables = z.array(z.object({ name: z.string(), default: z.string() }))
const variables = Variables.parse((await operateJson({ url: 'file:x.db' }, 'config')).variables)
const known = variables.map(({ name }) => name)

const valuesOf = (text: string) =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key, value]) => [key, value]))

test('server/deploy/up creates secrets once, readable only by its user, and the server accepts them', async () => {
  const folder = await temporaryFolder()
  await copyFile(`${root}/server/deploy/up`, join(folder, 'up'))
  // A stub that prints its arguments.
  await writeFile(join(folder, 'docker'), '#!/bin/sh\necho "docker $*"\n')
  await chmod(join(folder, 'docker'), 0o755)
  const env = { PATH: `${folder}:${process.env.PATH}` }
  const run = () => execFileSync(join(folder, 'up'), { env, encoding: 'utf8' })
  const file = join(folder, '.env')
  expect(run()).toContain('docker compose up --detach --build --wait')
  const written = await readFile(file, 'utf8')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  run()
  expect(await readFile(file, 'utf8')).toBe(written)

  const secrets = valuesOf(written)
  const filled = Object.entries(app.environment).map(([name, value]) => {
    const text = value.replaceAll(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (all, key, other) =>
      all.includes(':?') ? (secrets[key] ?? '') : (secrets[key] ?? other),
    )
    return [name, text]
  })
  const [, ofImage = ''] = /^ENV (NODE_ENV=.*)$/m.exec(containerfile) ?? []
  const environment = { ...valuesOf(ofImage.replaceAll(' ', '\n')), ...Object.fromEntries(filled) }
  expect(known).toEqual(expect.arrayContaining(Object.keys(environment)))
  const config = loadConfig(environment)
  expect(config).toMatchObject({ environment: 'production', host: '0.0.0.0' })
  expect(config.databaseUrl).toContain(`:${secrets.POSTGRES_PASSWORD}@postgres:`)
})

test('the Containerfile copies existing files, and every package manifest before it installs dependencies', async () => {
  const { workspaces } = z
    .object({ workspaces: z.array(z.string()) })
    .parse(JSON.parse(await readFile(`${root}/package.json`, 'utf8')))
  const copiedIn = (text: string) =>
    [...text.matchAll(/^COPY ([^-].*) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))
  for (const path of copiedIn(containerfile)) expect(existsSync(join(root, path)), path).toBe(true)
  const [before = ''] = containerfile.split('RUN npm ci')
  expect(copiedIn(before)).toEqual(
    expect.arrayContaining(workspaces.map((name) => `${name}/package.json`)),
  )
})

test('the image has every file that a server reads', async () => {
  const [, copies = ''] = /RUN (mkdir -p \/out\/.*)$/m.exec(containerfile) ?? []
  const folder = await temporaryFolder()
  // Packages are linked, because copying them takes long.
  const script = copies
    .replaceAll(/ (server\/)?node_modules\b/g, '')
    .replaceAll('/out', `${folder}/out`)
  execFileSync('sh', ['-c', script], { cwd: root })
  for (const path of ['node_modules', 'server/node_modules']) {
    await symlink(join(root, path), join(folder, 'out', path))
  }
  const server = await startProcess({
    databaseUrl: `file:${join(folder, 'skillpass.db')}`,
    script: join(folder, 'out/server/bin/skillpass-server.js'),
  })
  for (const path of ['/', '/docs']) {
    const { status } = await fetch(server.url + path)
    expect(status, path).toBe(200)
  }
  await server.end('SIGTERM')
})

test('env.sample lists every variable with its default, and is valid once ENCRYPTION_KEY is set', async () => {
  const sample = await deployFile('env.sample')
  const lines = [...sample.matchAll(/^(#?)([A-Z_0-9]+)=(.*)$/gm)]
  expect(lines.map(([, , name]) => name).sort()).toEqual([...known].sort())
  for (const { name, default: byDefault } of variables) {
    const [, mark, , value] = lines.find(([, , other]) => other === name) ?? []
    if (mark === '#') expect(`${name}=${value}`).toBe(`${name}=${byDefault}`)
  }
  const config = loadConfig({ ...valuesOf(sample), ENCRYPTION_KEY: encryptionKey })
  expect(config).toMatchObject({ environment: 'production', host: '127.0.0.1', trustProxy: 1 })
  expect(config.databaseUrl).toBe('file:/var/lib/skillpass/skillpass.db')
})

test('the systemd units and the script skillpass-server read all variables from one env file', async () => {
  for (const name of ['skillpass.service', 'skillpass-backup.service']) {
    const unit = await deployFile(name)
    expect(unit.match(/^Environment.*$/gm)).toEqual(['EnvironmentFile=/etc/skillpass/env'])
  }
  expect(await deployFile('skillpass-server')).toContain('--env-file=/etc/skillpass/env ')
})

describe.each(engines)('server/deploy/backup on %s', (engine) => {
  const backup = (databaseUrl: string, folder: string) =>
    spawnSync(`${root}/server/deploy/backup`, [folder], {
      env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, ENCRYPTION_KEY: encryptionKey },
      encoding: 'utf8',
    })

  test.skipIf(engine === 'postgres' && !hasProgram('pg_dump', '--version'))(
    `the backup script writes one file on ${engine}, readable only by its user`,
    async () => {
      const database = await createServerDatabase(engine)
      const folder = await temporaryFolder()
      const { status, stderr } = backup(database.url, folder)
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      const [name = '', ...others] = await readdir(folder)
      expect(others).toEqual([])
      expect(name).toMatch(
        engine === 'sqlite' ? /^skillpass-[1-7]\.db$/ : /^skillpass-[1-7]\.dump$/,
      )
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
      await database.remove()
    },
  )

  test(`the backup script fails on a missing database on ${engine} and leaves no file`, async () => {
    const folder = await temporaryFolder()
    const missing =
      engine === 'sqlite' ? `file:${join(folder, 'missing.db')}` : postgresUrl('skillpass_missing')
    expect(backup(missing, folder).status).not.toBe(0)
    expect(await readdir(folder)).toEqual([])
  })
})

test.skipIf(!hasProgram('systemd-analyze', '--version'))(
  'systemd accepts the units and rates the exposure of the service below 2.0',
  async () => {
    const folder = await temporaryFolder()
    const names = ['skillpass.service', 'skillpass-backup.service', 'skillpass-backup.timer']
    for (const name of names) {
      const unit = await deployFile(name)
      const here = unit
        .replace('/usr/bin/node', process.execPath)
        .replaceAll('/opt/skillpass/', `${root}/`)
      await writeFile(join(folder, name), here)
      // The template unit for several processes, as in server/docs/operating.md.
      const template = here.replace(/^ExecStart=/m, '$&/usr/bin/env PORT=%i ')
      if (name === 'skillpass.service')
        await writeFile(join(folder, 'skillpass@.service'), template)
    }
    const files = [...names, 'skillpass@3001.service'].map((name) => join(folder, name))
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
    })
    expect(verified.stderr).not.toContain('skillpass')
    expect(verified.status).toBe(0)
    // The threshold is in tenths. systemd rates an exposure below 2.0 as "OK".
    const check = ['security', '--offline=yes', '--threshold=20', '--no-pager', files[0] ?? '']
    const { status, stdout } = spawnSync('systemd-analyze', check, { encoding: 'utf8' })
    expect(status, stdout).toBe(0)
  },
)
