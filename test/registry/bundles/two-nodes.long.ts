import { createClient } from '@skillpass/client'
import { describe, expect, test } from 'vitest'
import { file, named, sha256, type TestFile } from '../../support/bundles.ts'
import { afterFile } from '../../support/cleanup.ts'
import { createServerDatabase, engines } from '../../support/databases.ts'
import { readMetrics, startProcess } from '../../support/processes.ts'
import { unique } from '../../support/skills.ts'
import { noise } from '../noise.ts'

const count = 300
const total = 10 * 1024 ** 2

/** 299 files of some kilobytes, and one of what is left of 10 MiB. */
const files: readonly TestFile[] = Array.from({ length: count }, (_, at) => {
  const size = at === 0 ? total - (count - 1) * 25_000 : 25_000
  return file(`folder-${at % 7}/file-${at}.bin`, noise(size, at), at % 2 === 1)
})

const residentBytes = async (url: string) =>
  Number(/^process_resident_memory_bytes (\S+)/m.exec(await readMetrics(url))?.[1])

const bytesAt = async (url: string) => {
  const response = await fetch(url)
  expect(response.status, url).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

/** Runs jobs, a few at a time. */
async function few<T>(items: readonly T[], job: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items]
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await job(item)
  }
  await Promise.all(Array.from({ length: 6 }, work))
}

describe.runIf(engines.includes('postgres'))('a large folder on two nodes', async () => {
  const database = await createServerDatabase('postgres')
  afterFile(database.remove)
  const start = async () => {
    const node = await startProcess({ databaseUrl: database.url })
    afterFile(() => node.end('SIGTERM'))
    return node
  }
  const nodes = [await start(), await start()] as const

  test('two nodes serve 300 files of 10 MiB with the same digests while their memory stays flat', async () => {
    const [first, second] = nodes.map(({ url }) => createClient({ baseUrl: url }).registry)
    if (!first || !second) throw new Error('There are two nodes.')
    const { data: me } = await first.agents.register({ body: { username: unique('author') } })
    const { registry } = createClient({ baseUrl: nodes[0].url, apiKey: me.apiKey })
    await few(files, ({ bytes }) =>
      registry.blobs.upload({ params: { sha256: sha256(bytes) }, body: bytes }),
    )
    const slug = unique('large')
    const body = { name: slug, slug, readme: '# Large\n', files: files.map(named) }
    const { data: skill } = await registry.skills.publish({ body })
    const params = { id: skill.id }
    const list = (from: typeof first) => from.files.list({ params })
    await expect
      .poll(() =>
        list(second)
          .then(() => true)
          .catch(() => false),
      )
      .toBe(true)
    const manifests = [(await list(first)).data, (await list(second)).data] as const
    expect(manifests[0].digest).toBe(manifests[1].digest)
    expect(manifests[0].archives.tarGz.digest).toBe(manifests[1].archives.tarGz.digest)

    const address = `${me.username}/skills/${slug}`
    const fetchAll = async ({ url }: { url: string }) => {
      for (const [kind, ending] of [
        ['tarGz', 'tar.gz'],
        ['zip', 'zip'],
      ] as const) {
        const bytes = await bytesAt(`${url}/${address}/archive.${ending}`)
        expect(`sha256:${sha256(bytes)}`).toBe(manifests[0].archives[kind].digest)
      }
    }
    for (const node of nodes) {
      await few(files, async ({ path, bytes }) => {
        const got = await bytesAt(`${node.url}/${address}/files/${path}`)
        expect(Buffer.compare(got, bytes), path).toBe(0)
      })
      // The first ones bring the process to its working size.
      for (let round = 0; round < 3; round++) await fetchAll(node)
      const before = await residentBytes(node.url)
      await few([...Array(10).keys()], () => fetchAll(node))
      const grown = ((await residentBytes(node.url)) - before) / 1024 ** 2
      // 200 MiB have gone out, six archives at a time: held whole, they would take 60 MiB at once.
      expect(grown).toBeLessThan(40)
    }
  })
})
