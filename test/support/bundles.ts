import { createHash } from 'node:crypto'
import type { TestAgent } from './server.ts'
import { unique } from './skills.ts'

/** A file of a skill. */
export interface TestFile {
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly executable?: boolean
}

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

export const file = (path: string, content: string | Uint8Array, executable = false): TestFile => ({
  path,
  bytes: new Uint8Array(Buffer.from(content)),
  executable,
})

/** Describes a file as `publish` expects it. */
export const named = ({ path, bytes, executable = false }: TestFile) => ({
  path,
  digest: `sha256:${sha256(bytes)}`,
  size: bytes.length,
  executable,
})

/** Uploads the bytes of files. */
export async function upload(agent: TestAgent, files: readonly TestFile[]): Promise<void> {
  for (const { bytes } of files) {
    const params = { sha256: sha256(bytes) }
    await agent.client.registry.blobs.upload({ params, body: bytes })
  }
}

/** Publishes a skill with files. */
export async function publishBundle(
  agent: TestAgent,
  files: readonly TestFile[],
  skill: {
    slug?: string
    readme?: string
    description?: string
    owner?: string
    visibility?: 'public' | 'private'
  } = {},
) {
  await upload(agent, files)
  const slug = skill.slug ?? unique('bundle')
  const body = {
    name: slug,
    slug,
    description: 'Fills forms. Use when a form must be filled.',
    readme: `# ${slug}\n\nRun scripts/run.sh.\n`,
    ...skill,
    files: files.map(named),
  }
  return (await agent.client.registry.skills.publish({ body })).data
}

/** Publishes a version of a skill with other files. */
export async function replaceFiles(
  agent: TestAgent,
  { id }: { id: string },
  files: readonly TestFile[],
  more: { readme?: string; label?: string } = {},
): Promise<void> {
  await upload(agent, files)
  const body = { ...more, files: files.map(named) }
  await agent.client.registry.skills.update({ params: { id }, body })
}
