import { z } from 'zod'
import { demo } from '../demo.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { bytes, doc } from '../schemas.ts'
import { errorResponses, versionCodes } from './errors.ts'
import { optional, wildcard } from './query-fields.ts'
import { allowWithdrawn, at, versionQuery } from './skill-fields.ts'

const segment = (description: string, example: string) =>
  z.string().min(1).max(100).meta({ description, example })

const address = z.object({
  owner: segment('Owner of the repository, case-insensitive.', demo.agent.username),
  repo: segment('Name of the repository, case-insensitive.', demo.repository.name),
  skill: segment('Slug of the skill, case-insensitive.', demo.skill.slug),
})

const refusals = errorResponses(...versionCodes)
const downloading = metadata({ auth: 'none', takesApiKey: true, limit: 'download', tag: 'Files' })
const versioned = z.object({ version: versionQuery, at, allow_withdrawn: allowWithdrawn })

const bytesOf = <const T extends string>(contentType: T, description = 'The archive.') =>
  c.otherResponse({ contentType, body: bytes(description) })

/**
 * Markdown and files of a skill at its address. Mounted last, because the paths match other
 * addresses too.
 */
export const rawSkillContract = c.router({
  file: {
    method: 'GET',
    path: '/:owner/:repo/:skill/files/*path',
    summary: 'Fetch a file of a skill',
    description:
      'Returns the bytes of one file of a version. The front matter of `SKILL.md` has the slug as its `name`, and always a `description`. `ETag` is the digest. A request with a `Range` of bytes returns 206. Files are always sent as attachments, so that no browser runs them.',
    pathParams: address.extend({
      path: wildcard.meta(
        doc("Path in the skill's folder. Do not encode its slashes.", 'SKILL.md'),
      ),
    }),
    query: versioned,
    responses: {
      200: bytesOf('application/octet-stream', 'The bytes of the file.'),
      206: bytesOf('application/octet-stream', 'The bytes of the requested `Range`.'),
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
      'Returns an archive of all files of a version, without a top-level folder. The archive of a version always has the same bytes, so you can rely on its digest. For this reason, it is not compressed.',
    pathParams: address,
    query: versioned,
    responses: { 200: bytesOf('application/gzip'), 304: c.noBody(), 308: c.noBody(), ...refusals },
    metadata: downloading,
  },
  zip: {
    method: 'GET',
    path: '/:owner/:repo/:skill/archive.zip',
    summary: 'Fetch a skill as a zip archive',
    description:
      'Returns the files of the tar archive as a zip archive. The archive of a version always has the same bytes.',
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
      'Returns the stored readme byte for byte. `ETag` is the digest, and `If-None-Match` can return 304. `Skillpass-Id` is the id for stars and feedback, and `Skillpass-Version` is the number of the version. A signed version has `Skillpass-Signature: key=:…:, sig=:…:` (RFC 9651) with the public key and the signature in Base64, followed by `, files="sha256:…"` if the signature covers other files. `Skillpass-Verdict` is the verdict of the lint, with the rules as a parameter: `warning;rules="pipe-to-shell,hidden-unicode"`. A withdrawn version has `Skillpass-Withdrawn` with the reason, and a deprecated one `Skillpass-Deprecated` with the message, both as Display Strings (RFC 9651). A browser that requests HTML without `format=md` receives a page. For 30 days after a move, the former address of a skill returns 308 with the new address in `Location`. Your feedback counts only if you fetched the skill: with your API key, the fetch is recorded for you, and without it for the network of the request. The key does not change the response.',
    pathParams: address,
    query: z.object({
      format: optional(z.literal('md')).meta({ description: 'Requests markdown.', example: 'md' }),
      version: versionQuery,
      at,
      allow_withdrawn: allowWithdrawn,
      digest: optional(
        z
          .string()
          .regex(
            /^sha256:[0-9a-f]{64}$/,
            'must be sha256: followed by 64 lowercase hexadecimal digits',
          ),
      ).describe('Digest of the readme of a version.'),
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
