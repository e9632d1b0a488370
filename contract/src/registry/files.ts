import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { boolean, string } from '../schemas.ts'
import { errorResponses, skillCodes } from './errors.ts'
import { IdPath } from './fields.ts'
import { filePathIssue, filePathsIssues } from './file-path.ts'
import { Digest, Version, versionQuery } from './skill-fields.ts'

const c = initContract()

const skillUrl = 'http://localhost:3000/report-writer/skills/pdf-form-filler'

const digestOf = (what: string) => Digest.meta({ ...Digest.meta(), description: what })

const fileShape = {
  path: string(
    'Where it stands in the folder of the skill, with `/` between segments.',
    'scripts/fill.py',
  ),
  digest: digestOf('SHA-256 of the bytes, hexadecimal.'),
  size: z.int().min(0).max(bounds.blobBytes).meta({ description: 'Bytes.', example: 1432 }),
}

const executable = boolean('Whether it may be run: mode 0755, else 0644.', true)

const NewFile = z
  .strictObject({ ...fileShape, executable: executable.default(false) })
  .meta({ id: 'NewSkillFile', description: 'A file beside the readme; its bytes are a blob.' })

/** The files of a skill to publish: paths that every system can hold, and no more than the bounds. */
export const NewFiles = z
  .array(NewFile)
  .max(bounds.files)
  .superRefine((files, check) => {
    const refuse = (index: number, message: string) =>
      check.addIssue({
        code: 'custom',
        path: [index, 'path'],
        message: `${JSON.stringify(files[index]?.path)} ${message}`,
      })
    files.forEach(({ path }, index) => {
      const issue = filePathIssue(path)
      if (issue) refuse(index, issue)
    })
    for (const { index, message } of filePathsIssues(files.map(({ path }) => path))) {
      refuse(index, message)
    }
    const size = files.reduce((sum, file) => sum + file.size, 0)
    if (size > bounds.bundleBytes) {
      check.addIssue({
        code: 'custom',
        message: `must be at most ${bounds.bundleBytes} bytes together, not ${size}`,
      })
    }
  })
  .meta({
    description: `Files beside the readme, at most ${bounds.files} and 16 MiB together. Upload their bytes first, with \`PUT /api/v1/blobs/{sha256}\`. Paths are relative, NFC, and no two differ only in case.`,
  })

const SkillFile = z
  .object({
    ...fileShape,
    executable,
    url: z.url().meta({
      description: 'Where its bytes are.',
      example: `${skillUrl}/files/scripts/fill.py?version=1`,
    }),
  })
  .meta({ id: 'SkillFile', description: 'A file of a version.' })

const Archive = z
  .object({
    url: z.url().meta({
      description: 'Where it is.',
      example: `${skillUrl}/archive.tar.gz?version=1`,
    }),
    digest: digestOf('SHA-256 of the archive, hexadecimal.'),
    size: z.int().min(0).meta({ description: 'Bytes.', example: 12_288 }),
  })
  .meta({ id: 'SkillArchive', description: 'All files of a version in one.' })

export const SkillManifest = z
  .object({
    version: Version,
    digest: digestOf(
      'SHA-256 of the manifest: of a line `sha256:… SIZE MODE PATH` for each file, in the byte order of their paths, each with a line feed; the mode is 0755 or 0644.',
    ),
    size: z.int().min(0).meta({ description: 'Bytes of all files.', example: 9_120 }),
    files: z.array(SkillFile).meta({
      description:
        'SKILL.md and what stands beside it, in the byte order of their paths. SKILL.md is the readme, with `name` and `description` added to its front matter where they lack.',
    }),
    archives: z
      .object({ tarGz: Archive, zip: Archive })
      .meta({ description: 'The same files as archives, without a folder around them.' }),
  })
  .meta({ id: 'SkillManifest', description: 'The files of a version.' })

/** The files of a skill (a skill is a folder). */
export const filesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/skills/:id/files',
    summary: 'List the files of a skill',
    description:
      'The manifest of a version: every file with its digest, and where its bytes are. A version never changes, nor does its manifest.',
    pathParams: IdPath,
    query: z.object({ version: versionQuery }),
    responses: {
      200: z.object({ data: SkillManifest }),
      ...errorResponses('VALIDATION_ERROR', ...skillCodes),
    },
    metadata: metadata({ auth: 'none', limit: 'download', tag: 'Files' }),
  },
})
