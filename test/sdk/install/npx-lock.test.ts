import { describe, expect, test } from 'vitest'
import { npxHash } from '../../../client-sdk/src/cli/install/npx-lock.ts'
import { makeProject } from './project.ts'
import { address, type MadeVersion, startRegistry } from './registry.ts'

const skill = '.agents/skills/forms'
const readme = { path: 'SKILL.md', text: '---\nname: forms\ndescription: Forms.\n---\n' }
const script = { path: 'scripts/fill.sh', text: '#!/bin/sh\n', executable: true }
const first: MadeVersion = { files: [readme, script] }
const second: MadeVersion = { files: [{ ...readme, text: `${readme.text}# New\n` }, script] }

/** A project in which `npx skills` has installed the first version and written its lock. */
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
  test('npxHash hashes paths and contents, as "npx skills" does', async () => {
    const { path } = await npxProject(() => ({}))
    // The hash by skills 1.5.18 of these two files.
    expect(await npxHash(path(skill))).toBe(
      '5be4796f468f911a256d89d855edf1b89c44d66d10e15682c35c494d5f5694ae',
    )
  })

  test.each([
    ['skills 1.5, which names the host', () => ({ source: '127.0.0.1' })],
    [
      'skills 1.7, which names the address',
      (url: string) => ({ source: '127.0.0.1', sourceUrl: `${url}/${address}` }),
    ],
    [
      'skills 1.7, which names the owner',
      (url: string) => ({ source: '127.0.0.1', sourceUrl: `${url}/acme` }),
    ],
  ])(
    'add --skills-lock takes over a skill from a skills-lock.json of %s, at its version',
    async (_, fields) => {
      const { succeed, fail, lock, tree, registry } = await npxProject(fields)
      expect(await succeed('list')).toContain('forms  by "npx skills"')
      expect(JSON.parse(await succeed('list', '--json'))).toEqual({
        skills: [],
        skillsLock: ['forms'],
      })
      await succeed('add', '--skills-lock')
      expect(registry.asked.filter((url) => url.includes('/files/'))).toEqual([])
      expect((await lock()).skills.forms).toMatchObject({ address, version: 1 })
      expect(await tree(skill)).toEqual(['0644 SKILL.md', '0755 scripts/fill.sh'])
      await succeed('verify')
      expect(await succeed('outdated')).toContain('1 → 2')
      expect(await fail('add', '--skills-lock')).toContain('is in skillpass.lock')
    },
  )

  test.each([
    ['another host', () => ({ source: 'elsewhere.test' })],
    ['another address', () => ({ source: '127.0.0.1', sourceUrl: 'http://127.0.0.1:1/acme' })],
    ['another source type', () => ({ source: '127.0.0.1', sourceType: 'github' })],
  ])('add --skills-lock leaves alone an entry with %s', async (_, fields) => {
    const { succeed, fail } = await npxProject(fields)
    expect(await succeed('list')).toBe('No skills are installed here.\n')
    expect(await fail('add', '--skills-lock')).toContain('names no skill of')
  })

  test('add replaces a folder that skills-lock.json names, unless somebody has changed it', async () => {
    const { succeed, fail, write, tree } = await npxProject(() => ({ source: '127.0.0.1' }))
    await write(`${skill}/SKILL.md`, 'mine')
    expect(await fail('add', address)).toContain('skillpass has not installed it')
    await write(`${skill}/SKILL.md`, readme.text)
    await succeed('add', address)
    expect(await tree(skill)).toEqual(['0644 SKILL.md', '0755 scripts/fill.sh'])
  })

  test('add --skills-lock refuses a folder of no known version, and a name that two skills have', async () => {
    const changed = await npxProject(() => ({ source: '127.0.0.1' }))
    await changed.write(`${skill}/SKILL.md`, 'mine')
    expect(await changed.fail('add', '--skills-lock')).toContain(
      'is no version of a skill of this name',
    )
    const twice = await npxProject(() => ({ source: '127.0.0.1' }), [address, address])
    expect(await twice.fail('add', '--skills-lock')).toContain('may be any of')
  })
})
