import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { boolean, doc, string } from '../schemas.ts'
import { errorResponses, versionCodes } from './errors.ts'
import { IdPath } from './fields.ts'
import { filePathIssue, filePathsIssues } from './file-path.ts'
import { deprecated, withdrawn } from './skill.ts'
import { allowWithdrawn, at, Digest, Version, versionQuery } from './skill-fields.ts'

const skillUrl = 'http://localhost:3000/report-writer/skills/pdf-form-filler'

const digestOf = (description: string) => Digest.meta({ ...Digest.meta(), description })

const fileShape = {
  path: string("Path in the skill's folder, with `/` between segments.", 'scripts/fill.py'),
  digest: digestOf('SHA-256 of the bytes, in hexadecimal.'),
  size: z.int().min(0).max(bounds.blobBytes).meta({ description: 'Size in bytes.', example: 1432 }),
}

const executable = boolean('Whether the file is executable (mode 0755) or not (0644).', true)

const NewFile = z
  .strictObject({ ...fileShape, executable: executable.default(false) })
  .meta({ id: 'NewSkillFile', description: 'A file besides the readme. Upload its bytes first.' })

/** A file to lint before it is published. */
export const LintedFile = z
  .strictObject({
    path: fileShape.path.max(bounds.folder),
    executable: executable.default(false),
    content: z
      .string()
      .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'must be Base64')
      .optional()
      .meta(doc('The bytes in Base64. Without them, only the path is used.', 'ZWNobyBmaWxsCg==')),
  })
  .meta({ id: 'LintedFile', description: 'A file besides the readme, to lint with it.' })

export const NewFiles = z
  .array(NewFile)
  .max(bounds.files)
  .superRefine((files, check) => {
    const addIssue = (index: number, message: string) =>
      check.addIssue({
        code: 'custom',
        path: [index, 'path'],
        message: `${JSON.stringify(files[index]?.path)} ${message}`,
      })
    files.forEach(({ path }, index) => {
      const issue = filePathIssue(path)
      if (issue) addIssue(index, issue)
    })
    for (const { index, message } of filePathsIssues(files.map(({ path }) => path))) {
      addIssue(index, message)
    }
    const size = files.reduce((sum, file) => sum + file.size, 0)
    if (size > bounds.bundleBytes) {
      check.addIssue({
        code: 'custom',
        message: `must be at most ${bounds.bundleBytes} bytes in total, not ${size}`,
      })
    }
  })
  .describe(
    `Files besides the readme, at most ${bounds.files} and 16 MiB in total. Upload their bytes first with \`PUT /api/v1/blobs/{sha256}\`. Paths are relative and in NFC, and they must not differ only in case.`,
  )

const SkillFile = z
  .object({
    ...fileShape,
    executable,
    url: z.url().meta(doc('URL of the bytes.', `${skillUrl}/files/scripts/fill.py?version=1`)),
  })
  .meta({ id: 'SkillFile', description: 'A file of a version.' })

const Archive = z
  .object({
    url: z.url().meta(doc('URL of the archive.', `${skillUrl}/archive.tar.gz?version=1`)),
    digest: digestOf('SHA-256 of the archive, in hexadecimal.'),
    size: z.int().min(0).meta({ description: 'Size in bytes.', example: 12_288 }),
  })
  .meta({ id: 'SkillArchive', description: 'An archive of all files of a version.' })

export const SkillManifest = z
  .object({
    version: Version,
    withdrawn,
    deprecated,
    digest: digestOf(
      'SHA-256 of the manifest text. The text has one line `sha256:… SIZE MODE PATH` per file, sorted by the bytes of the paths. Each line ends with a line feed, and the mode is 0755 or 0644.',
    ),
    size: z.int().min(0).meta({ description: 'Total size of all files in bytes.', example: 9_120 }),
    files: z
      .array(SkillFile)
      .describe(
        'SKILL.md and the other files, sorted by the bytes of their paths. SKILL.md is the readme. The service sets the `name` in its front matter to the slug, and adds a missing `description`.',
      ),
    archives: z
      .object({ tarGz: Archive, zip: Archive })
      .describe('Archives of these files, without a top-level folder.'),
  })
  .meta({ id: 'SkillManifest', description: 'The files of a version.' })

export const filesContract = c.router({
  list: {
    method: 'GET',
    path: '/api/v1/skills/:id/files',
    summary: 'List the files of a skill',
    description:
      'Returns the manifest of a version: the digest and the URL of every file. The manifest of a version never changes.',
    pathParams: IdPath,
    query: z.object({ version: versionQuery, at, allow_withdrawn: allowWithdrawn }),
    responses: {
      200: z.object({ data: SkillManifest }),
      ...errorResponses(...versionCodes),
    },
    metadata: metadata({ auth: 'none', takesApiKey: true, limit: 'download', tag: 'Files' }),
  },
})
