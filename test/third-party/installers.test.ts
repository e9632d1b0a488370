import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SkillsIndex } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { sha256 } from '../support/bundles.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { startTestServer } from '../support/server.ts'
import { filesIn, publishedFiles } from './installed-files.ts'
import { clawhubRecordings, type Recording, skillsRecordings } from './recorded-requests.ts'
import { publishRecorded } from './recorded-skills.ts'

const server = await startTestServer()
const { single, folder, longPath } = await publishRecorded(server)
const skills = [single, folder, longPath]

/** Sends the requests of a recording and returns the responses by path. */
async function replay({ requests }: Recording): Promise<Map<string, Buffer>> {
  const responses = new Map<string, Buffer>()
  for (const line of requests) {
    const [path = '', accept = '', status] = line.split(' ')
    const response = await server.http(path, { headers: { accept } })
    expect(`${path} ${response.status}`).toBe(`${path} ${status}`)
    responses.set(path, Buffer.from(await response.arrayBuffer()))
    const next = response.headers.get('location')
    if (next !== null) expect(requests.join('\n')).toContain(`${next} ${accept} 200`)
  }
  return responses
}

/** Returns the files that an installer unpacks from a download, in Base64. */
async function unpacked(path: string, bytes: Buffer): Promise<Record<string, string>> {
  const place = await temporaryFolder()
  if (path.includes('SKILL.md')) return { 'SKILL.md': bytes.toString('base64') }
  const [archive, to] = [join(place, 'archive'), join(place, 'files')]
  await writeFile(archive, bytes)
  await mkdir(to)
  if (path.includes('.tar.gz')) execFileSync('tar', ['-xzf', archive, '-C', to])
  else execFileSync('unzip', ['-q', archive, '-d', to])
  return filesIn(to)
}

/** Checks the downloads of a recording against the published files of their skills. */
async function expectPublished(responses: Map<string, Buffer>, count: number) {
  const downloads = [...responses].filter(
    ([path, bytes]) => /SKILL\.md|archive/.test(path) && bytes.length > 0,
  )
  expect(downloads).toHaveLength(count)
  for (const [path, bytes] of downloads) {
    const skill = skills.find(({ slug }) => path.startsWith(`/author-1/skills/${slug}/`))
    expect(skill, path).toBeDefined()
    if (skill) expect(await unpacked(path, bytes)).toEqual(await publishedFiles(server, skill))
  }
}

test.each(skillsRecordings.map((one) => [one.command, one] as const))(
  'the requests of "npx skills %s" download the published files with the digests of the index',
  async (_command, recording) => {
    const responses = await replay(recording)
    const [first = Buffer.alloc(0)] = responses.values()
    const { skills: listed } = SkillsIndex.parse(JSON.parse(first.toString()))
    for (const { name, url, digest } of listed) {
      const bytes = responses.get(url) ?? Buffer.alloc(0)
      const moved = url.replace(`/.well-known/agent-skills/${name}`, '')
      expect(digest, url).toBe(`sha256:${sha256(responses.get(moved) ?? bytes)}`)
    }
    await expectPublished(responses, listed.length)
  },
)

test.each(clawhubRecordings.map((one) => [one.command, one] as const))(
  'the requests of "clawhub %s" get the recorded statuses and the published files',
  async (_command, recording) => {
    const responses = await replay(recording)
    await expectPublished(responses, recording.requests.at(-1)?.includes('archive') ? 1 : 0)
  },
)
