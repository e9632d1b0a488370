import { describe, expect, test } from 'vitest'
import { file, publishBundle, sha256 } from '../../support/bundles.ts'
import { engines } from '../../support/databases.ts'
import { noise } from '../../support/noise.ts'
import { startTestServer } from '../../support/server.ts'
import { addressOf } from '../../support/skills.ts'
import { eventually } from '../../support/waiting.ts'

const files = [
  file('scripts/run.sh', '#!/bin/sh\necho hello\n', true),
  file('assets/empty.txt', ''),
  file('assets/noise.bin', noise(700_000, 1)),
]

describe.each(engines)('two nodes on %s', async (engine) => {
  const first = await startTestServer({ engine })
  const second = await startTestServer({ database: first.database, clock: first.clock })

  test('two nodes serve the same manifest, archives and files', async () => {
    const skill = await publishBundle(await first.agent('author'), files)
    const manifestFrom = async ({ client }: typeof first) =>
      (await client.registry.files.list({ params: { id: skill.id } })).data
    const manifest = await manifestFrom(first)
    expect(await eventually(() => manifestFrom(second))).toEqual(manifest)
    for (const { http } of [first, second]) {
      const bytesAt = async (path: string) => {
        const response = await http(addressOf(skill) + path)
        expect(response.status, path).toBe(200)
        return new Uint8Array(await response.arrayBuffer())
      }
      for (const [kind, ending] of [
        ['tarGz', 'tar.gz'],
        ['zip', 'zip'],
      ] as const) {
        const digest = `sha256:${sha256(await bytesAt(`/archive.${ending}`))}`
        expect(digest).toBe(manifest.archives[kind].digest)
      }
      for (const { path, bytes } of files) {
        expect(Buffer.compare(await bytesAt(`/files/${path}`), bytes), path).toBe(0)
      }
    }
  })
})
