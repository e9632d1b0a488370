import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { entriesOf } from '../support/audit.ts'
import { file, publishBundle, replaceFiles } from '../support/bundles.ts'
import { createTestClock } from '../support/clock.ts'
import { engines } from '../support/databases.ts'
import { startTestServer } from '../support/server.ts'
import { encryptionKey } from '../support/settings.ts'
import {
  ask,
  expectError,
  fetchMarkdown,
  publish,
  serverForTest,
  unique,
} from '../support/skills.ts'
import { addMirror, hour } from './mirrors.ts'

const command = fileURLToPath(new URL('../../server/bin/skillpass-server.js', import.meta.url))

describe.each(engines)('a mirror of a Skillpass on %s', async (engine) => {
  const clock = createTestClock()
  const source = await startTestServer({ clock })
  const server = await startTestServer({ engine, clock })

  test('skills of the source and their new versions are published here with all files', async () => {
    const author = await source.agent('author')
    const skill = await publishBundle(author, [file('scripts/run.sh', 'echo 1\n', true)])
    const { follow, skills, username } = await addMirror(server, `${source.url}/${author.username}`)
    expect(await follow()).toMatchObject({ result: '1 updated, 0 withdrawn, 0 refused' })
    const [copy] = await skills()
    const { slug, name, description, readme, digest } = skill
    expect(copy).toMatchObject({ slug, name, description, readme, digest, version: 1 })
    expect(copy?.repo).toMatchObject({ owner: username, name: 'skills' })
    const filesOf = async (of: typeof server, id = '') =>
      (await of.client.registry.files.list({ params: { id } })).data.digest
    expect(await filesOf(server, copy?.id)).toBe(await filesOf(source, skill.id))

    await replaceFiles(author, skill, [file('scripts/run.sh', 'echo 2\n')], {
      readme: '# Second\n',
      label: '2.0.0',
    })
    await follow()
    expect(await skills()).toMatchObject([{ version: 1 }])
    clock.advance(hour)
    expect(await follow()).toMatchObject({ result: '1 updated, 0 withdrawn, 0 refused' })
    expect(await skills()).toMatchObject([{ version: 2, readme: '# Second\n', label: '2.0.0' }])
    expect(await filesOf(server, copy?.id)).toBe(await filesOf(source, skill.id))
    clock.advance(hour)
    expect(await follow()).toMatchObject({ result: '0 updated, 0 withdrawn, 0 refused' })

    const change = { description: 'Another description.' }
    await author.client.registry.skills.update({ params: { id: skill.id }, body: change })
    clock.advance(hour)
    await follow()
    expect(await skills()).toMatchObject([{ version: 2, ...change }])
  })

  test('a mirror of a whole registry keeps repositories of different owners apart', async () => {
    const whole = await serverForTest({ clock })
    const authors = [await whole.agent('first'), await whole.agent('second')]
    for (const author of authors) await publish(author, { slug: 'deploy' })
    const { follow, skills } = await addMirror(server, whole.url)
    await follow()
    const repos = (await skills()).map(({ repo }) => repo.name).sort()
    expect(repos).toEqual(authors.map(({ username }) => `${username}.skills`).sort())
  })

  test('while the source is away, its skills are served from here and the run is shown as failed', async () => {
    const short = await serverForTest({ clock })
    const author = await short.agent('author')
    await publish(author, { readme: '# Kept\n' })
    const { run, skills } = await addMirror(server, short.url)
    await run()
    await short.stop()
    expect(await run()).toMatchObject({ result: expect.stringMatching(/^failed: .*refused/) })
    const [copy] = await skills()
    expect(copy).toBeDefined()
    expect(await (await fetchMarkdown(server, copy ?? expect.fail())).text()).toBe('# Kept\n')
  })

  test('a version whose digest has changed at the source is refused and reported once', async () => {
    const author = await source.agent('author')
    const { id, digest } = await publish(author, { readme: '# Good\n' })
    const { run, skills, reported } = await addMirror(server, `${source.url}/${author.username}`)
    await run()
    const wrong = `sha256:${'0'.repeat(64)}`
    const setDigest = (value: string) =>
      source.ctx.db.write((trx) =>
        trx
          .updateTable('skill_versions')
          .set({ digest: value })
          .where('skill_id', '=', id)
          .execute(),
      )
    await setDigest(wrong)
    for (let runs = 0; runs < 2; runs++) {
      const mirror = await run()
      expect(mirror).toMatchObject({ result: '0 updated, 0 withdrawn, 1 refused' })
      expect(mirror?.problems).toEqual([expect.stringContaining(`but has ${wrong} now`)])
    }
    const { mirrors } = await server.operate('mirror list')
    expect(JSON.stringify(mirrors)).toContain(wrong)
    expect(await skills()).toMatchObject([{ digest, version: 1, readme: '# Good\n' }])
    expect(await reported()).toEqual([expect.stringContaining(wrong)])
    const entries = await entriesOf(server)
    const refused = entries.filter(
      ({ action, note }) => action === 'mirror.refused' && note?.includes(wrong),
    )
    expect(refused).toHaveLength(1)
    await setDigest(digest)
    expect(await run()).toMatchObject({ problems: [] })
  })

  test('versions are withdrawn and restored here as at the source, and a deleted skill is kept', async () => {
    const author = await source.agent('author')
    const { id } = await publish(author, { readme: '# One\n' })
    const { follow, skills, reported } = await addMirror(server, `${source.url}/${author.username}`)
    await follow()
    const [copy] = await skills()
    const { versions, skills: own } = author.client.registry
    await own.update({ params: { id }, body: { readme: '# Two\n' } })
    clock.advance(hour)
    await follow()
    const reason = 'It deletes the wrong file.'
    await versions.withdraw({ params: { id, version: 2 }, body: { reason, security: true } })
    clock.advance(hour)
    expect(await follow()).toMatchObject({ result: expect.stringContaining('1 withdrawn') })
    const params = { id: copy?.id ?? '' }
    const list = async () => (await server.client.registry.skills.versions({ params })).data
    expect(await list()).toMatchObject([
      { version: 2, withdrawn: { reason, security: true } },
      { version: 1, withdrawn: null },
    ])
    expect(await skills()).toMatchObject([{ version: 1, readme: '# One\n' }])
    await versions.withdraw({ params: { id, version: 1 }, body: { reason } })
    clock.advance(hour)
    await follow()
    expect(await skills()).toEqual([])
    expect(await list()).toMatchObject([{ withdrawn: { reason } }, { withdrawn: { reason } }])

    await versions.restore({ params: { id, version: 1 } })
    const kept = await publish(author, { slug: unique('kept') })
    clock.advance(hour)
    await follow()
    expect(await list()).toMatchObject([{ withdrawn: { reason } }, { version: 1, withdrawn: null }])
    await own.delete({ params: { id: kept.id } })
    clock.advance(hour)
    const mirror = await follow()
    expect(mirror?.problems).toEqual([
      `${kept.id} is gone from ${source.url}/${author.username}. It is kept here.`,
    ])
    expect(await skills()).toMatchObject([{ slug: kept.slug }, { version: 1, readme: '# One\n' }])
    expect(await reported()).toEqual(mirror?.problems)
  })

  test('with --approve, a version is current after an owner has approved it', async () => {
    const author = await source.agent('author')
    await publish(author, { readme: '# First\n' })
    const url = `${source.url}/${author.username}`
    const { follow, skills, owner, username } = await addMirror(server, url, '--approve')
    expect(await follow()).toMatchObject({ result: '1 updated, 0 withdrawn, 0 refused' })
    expect(await skills()).toEqual([])
    const { versions } = owner.client.registry
    const { data: waiting } = await versions.approvals({ params: { username } })
    expect(waiting).toHaveLength(1)
    for (const { skill, version } of waiting) {
      const params = { id: skill.id, version: version.version }
      await versions.approve({ params, body: {} })
    }
    expect(await skills()).toMatchObject([{ version: 1, readme: '# First\n' }])
  })

  test('a private source is read with the key, which is stored encrypted, and stays private here', async () => {
    const author = await source.agent('author')
    const repo = unique('inner')
    await publish(author, { owner: author.username, repo, visibility: 'private' })
    const url = `${source.url}/${author.username}/${repo}`
    const { follow, skills, username, owner } = await addMirror(server, url)
    expect(await follow()).toMatchObject({ result: '0 updated, 0 withdrawn, 0 refused' })
    await server.operate('mirror remove', url)
    const args = [command, 'mirror', 'add', url, '--into', username, '--key-stdin']
    const env = { DATABASE_URL: server.database.url, ENCRYPTION_KEY: encryptionKey }
    const { status } = spawnSync(process.execPath, args, { env, input: `${author.apiKey}\n` })
    expect(status).toBe(0)
    expect(await follow()).toMatchObject({ result: '1 updated, 0 withdrawn, 0 refused' })
    expect(await skills()).toEqual([])
    const query = { owner: username }
    const { data } = await owner.client.registry.skills.search({ query })
    expect(data).toMatchObject([{ repo: { visibility: 'private' } }])
    const params = { id: data[0]?.repo.id ?? '' }
    const change = { visibility: 'public' } as const
    await owner.client.registry.repositories.update({ params, body: change })
    await publish(author, { owner: author.username, repo })
    clock.advance(hour)
    const mirror = await follow()
    expect(mirror?.problems).toEqual([expect.stringContaining('is private, but')])
    const stored = await server.ctx.db.read.selectFrom('mirrors').select('api_key').execute()
    expect(JSON.stringify(stored)).not.toContain(author.apiKey)
  })

  test('only members see mirrors, and only owners run them', async () => {
    const { username, params, add } = await addMirror(server, source.url)
    const [reader, stranger] = [await server.agent('reader'), await server.agent('stranger')]
    await add(reader, 'reader')
    const path = `/api/v1/organizations/${username}/mirrors`
    expect((await ask(server, 'GET', path, { key: reader.apiKey })).status).toBe(200)
    for (const [method, at, key, code] of [
      ['GET', path, undefined, 'UNAUTHORIZED'],
      ['GET', path, stranger.apiKey, 'FORBIDDEN'],
      ['GET', '/api/v1/organizations/nobody-here/mirrors', reader.apiKey, 'NOT_FOUND'],
      ['POST', `${path}/${params.id}/run`, undefined, 'UNAUTHORIZED'],
      ['POST', `${path}/${params.id}/run`, reader.apiKey, 'FORBIDDEN'],
    ] as const) {
      await expectError(ask(server, method, at, key ? { key } : {}), code)
    }
  })
})
