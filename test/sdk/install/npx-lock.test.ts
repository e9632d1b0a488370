import { describe, expect, test } from 'vitest'
import { npxHash } from '../../../client-sdk/src/cli/install/npx-lock.ts'
import { makeProject } from './project.ts'
import { address, type MadeVersion, startRegistry } from './registry.ts'

const skill = '.agents/skills/forms'
const readme = { path: 'SKILL.md', text: '---\nname: forms\ndescription: Forms.\n---\n' }
const script = { path: 'scripts/fill.sh', text: '#!/bin/sh\n', executable: true }
const first: MadeVersion = { files: [readme, script] }
const second: MadeVersion = { files: [{ ...readme, text: `${readme.text}# New\n` }, script] }

/** A project in which `npx skills` has installed the first version, with the lock that it writes. */
async function npxProject(fields: (url: string) => object, found = [address]) {
  const data = found.map((address) => {
    const [owner, name, slug] = address.split('/')
    return { slug, repo: { owner, name } }
  })
  const registry = await startRegistry([first, second], (url) =>
    url.startsWith('/api/v1/skills/search') ? { body: { data, total: data.length } } : undefined,
  )
  const project = await makeProject(registry.url)
  for (const { path, text } of first.files) await project.write(`${skill}/${path}`, text)
  const computedHash = await npxHash(project.path(skill))
  const forms = { sourceType: 'well-known', computedHash, ...fields(registry.url) }
  await project.write('skills-lock.json', JSON.stringify({ version: 1, skills: { forms } }))
  return { registry, ...project }
}

describe('skills-lock.json', () => {
  test('has its hash over paths and contents, as "npx skills" computes it', async () => {
    const { path } = await npxProject(() => ({}))
    // Of skills 1.5.18 over the same two files.
    expect(await npxHash(path(skill))).toBe(
      '5be4796f468f911a256d89d855edf1b89c44d66d10e15682c35c494d5f5694ae',
    )
  })

  test.each([
    ['1.5, the host alone', () => ({ source: '127.0.0.1' })],
    [
      '1.7, the address',
      (url: string) => ({ source: '127.0.0.1', sourceUrl: `${url}/${address}` }),
    ],
    ['1.7, the owner', (url: string) => ({ source: '127.0.0.1', sourceUrl: `${url}/acme` })],
  ])('names what can be taken over, at the version that is there: %s', async (_, fields) => {
    const { run, lock, tree, registry } = await npxProject(fields)
    expect((await run('list')).out).toContain('forms  by "npx skills"')
    expect(JSON.parse((await run('list', '--json')).out)).toEqual({
      skills: [],
      skillsLock: ['forms'],
    })
    expect(await run('add', '--skills-lock')).toMatchObject({ code: 0 })
    expect(registry.asked.filter((url) => url.includes('/files/'))).toEqual([])
    expect((await lock()).skills.forms).toMatchObject({ address, version: 1 })
    expect(await tree(skill)).toEqual(['0644 SKILL.md', '0755 scripts/fill.sh'])
    expect(await run('verify')).toMatchObject({ code: 0 })
    expect((await run('outdated')).out).toContain('1 → 2')
    expect(await run('add', '--skills-lock')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is in skillpass.lock'),
    })
  })

  test.each([
    ['another host', () => ({ source: 'elsewhere.test' })],
    ['another address', () => ({ source: '127.0.0.1', sourceUrl: 'http://127.0.0.1:1/acme' })],
    ['another kind', () => ({ source: '127.0.0.1', sourceType: 'github' })],
  ])('is left alone where it names something else: %s', async (_, fields) => {
    const { run } = await npxProject(fields)
    expect((await run('list')).out).toBe('No skills are installed here.\n')
    expect(await run('add', '--skills-lock')).toMatchObject({
      code: 1,
      err: expect.stringContaining('names no skill of'),
    })
  })

  test('vouches for a folder that add may replace, until somebody changes it', async () => {
    const { run, write, tree } = await npxProject(() => ({ source: '127.0.0.1' }))
    await write(`${skill}/SKILL.md`, 'mine')
    expect(await run('add', address)).toMatchObject({
      code: 1,
      err: expect.stringContaining('skillpass has not installed it'),
    })
    await write(`${skill}/SKILL.md`, readme.text)
    expect(await run('add', address)).toMatchObject({ code: 0 })
    expect(await tree(skill)).toEqual(['0644 SKILL.md', '0755 scripts/fill.sh'])
  })

  test('is not taken over by guesswork', async () => {
    const changed = await npxProject(() => ({ source: '127.0.0.1' }))
    await changed.write(`${skill}/SKILL.md`, 'mine')
    expect(await changed.run('add', '--skills-lock')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is no version of a skill of this name'),
    })
    const twice = await npxProject(() => ({ source: '127.0.0.1' }), [address, address])
    expect(await twice.run('add', '--skills-lock')).toMatchObject({
      code: 1,
      err: expect.stringContaining('may be any of'),
    })
  })
})
