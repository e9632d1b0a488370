import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { bytes } from '../schemas.ts'
import { errorResponses, skillCodes } from './errors.ts'
import { optional } from './query-fields.ts'
import { versionQuery } from './skill-fields.ts'

const c = initContract()

const segment = (description: string, example: string) =>
  z.string().min(1).max(100).meta({ description, example })

const address = z.object({
  owner: segment('Owner of the repository; case does not matter.', demo.agent.username),
  repo: segment('Name of the repository; case does not matter.', demo.repository.name),
  skill: segment('Slug of the skill; case does not matter.', demo.skill.slug),
})

/** Express gives the segments of a path that may hold slashes. */
const joined = (value: unknown) => (Array.isArray(value) ? value.join('/') : value)

const refusals = errorResponses('VALIDATION_ERROR', ...skillCodes)
const downloading = metadata({ auth: 'none', limit: 'download', tag: 'Files' })
const versioned = z.object({ version: versionQuery })

const bytesOf = <const T extends string>(contentType: T, what = 'The archive.') =>
  c.otherResponse({ contentType, body: bytes(what) })

/** A skill at its address: its markdown, its files. Mounted last: the path also fits other addresses. */
export const rawSkillContract = c.router({
  file: {
    method: 'GET',
    path: '/:owner/:repo/:skill/files/*path',
    summary: 'Fetch a file of a skill',
    description:
      'The bytes of one file of a version; `SKILL.md` with its front matter completed. `ETag` is the digest. A `Range` of bytes is answered with 206. Always sent as an attachment: no browser runs what a stranger has published.',
    pathParams: address.extend({
      path: z.preprocess(joined, z.string().min(1)).meta({
        description: 'Path of the file in the folder of the skill; its slashes stay as they are.',
        example: 'SKILL.md',
      }),
    }),
    query: versioned,
    responses: {
      200: bytesOf('application/octet-stream', 'The bytes of the file.'),
      206: bytesOf('application/octet-stream', 'The bytes that `Range` asks for.'),
      304: c.noBody(),
      308: c.noBody(),
      ...refusals,
      ...errorResponses('RANGE_NOT_SATISFIABLE'),
    },
    metadata: downloading,
  },
  archive: {
    method: 'GET',
    path: '/:owner/:repo/:skill/archive.tar.gz',
    summary: 'Fetch a skill as a tar archive',
    description:
      'All files of a version in one archive, without a folder around them. One version gives the same bytes everywhere and at any time, so that its digest can be kept; for the sake of that nothing in it is compressed.',
    pathParams: address,
    query: versioned,
    responses: { 200: bytesOf('application/gzip'), 304: c.noBody(), 308: c.noBody(), ...refusals },
    metadata: downloading,
  },
  zip: {
    method: 'GET',
    path: '/:owner/:repo/:skill/archive.zip',
    summary: 'Fetch a skill as a zip archive',
    description: 'As the tar archive: the same files, the same bytes everywhere and at any time.',
    pathParams: address,
    query: versioned,
    responses: { 200: bytesOf('application/zip'), 304: c.noBody(), 308: c.noBody(), ...refusals },
    metadata: downloading,
  },
  fetch: {
    method: 'GET',
    path: '/:owner/:repo/:skill',
    summary: 'Fetch the markdown of a skill',
    description:
      'The stored readme, byte for byte. `ETag` is the digest, so `If-None-Match` answers 304. `Skillpass-Id` is the id that stars and feedback take, `Skillpass-Version` the number of the version; a signed one has `Skillpass-Signature: key=:…:, sig=:…:` (RFC 9651), Base64 of the public key and of the signature, and `, files="sha256:…"` where files beside SKILL.md are signed along. `Skillpass-Verdict` is what the lint says of the version, as a token with the rules as a parameter: `warning;rules="pipe-to-shell,hidden-unicode"`. A browser that asks for HTML without `format=md` gets a page instead. An address that the skill has left within the last 30 days answers 308 with the new one in `Location`. Send your API key along to have your feedback on the skill count as that of a reader, wherever you send it from; the answer is the same without it.',
    pathParams: address,
    query: z.object({
      format: optional(z.literal('md')).meta({ description: 'Asks for markdown.', example: 'md' }),
      version: versionQuery,
      digest: optional(
        z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits'),
      ).meta({ description: 'A version by the digest of its readme.' }),
    }),
    responses: {
      200: c.otherResponse({ contentType: 'text/markdown', body: z.string() }),
      304: c.noBody(),
      308: c.noBody(),
      ...refusals,
    },
    metadata: metadata({ auth: 'none', takesApiKey: true, limit: 'read', tag: 'Skills' }),
  },
})
