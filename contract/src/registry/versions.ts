import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { queryNumber } from '../query-number.ts'
import { c } from '../router.ts'
import { boolean, doc } from '../schemas.ts'
import { singleLine, words } from '../text.ts'
import { errorResponses, skillCodes, writeCodes } from './errors.ts'
import { IdPath } from './fields.ts'
import { SkillVersion } from './skill.ts'
import { Version } from './skill-fields.ts'

const path = '/api/v1/skills/:id/versions/:version'

const VersionPath = IdPath.extend({
  version: queryNumber(z.int().min(1)).meta(Version.meta() ?? {}),
})

const reason = (example: string) =>
  singleLine(words(bounds.versionReason)).meta({
    description: `Shown to readers wherever the version is, at most ${bounds.versionReason} characters.`,
    example,
  })

export const NewWithdrawal = z
  .strictObject({
    reason: reason('It deletes the files of the wrong folder.'),
    security: boolean(
      'Whether nobody should get the version any more, not even an installation that is pinned to it. Readers then receive GONE, unless they request it with `allow_withdrawn=true`.',
      false,
    ).default(false),
  })
  .meta({ id: 'NewWithdrawal', description: 'Why nobody new should get a version.' })

export const NewDeprecation = z
  .strictObject({
    message: reason('Works with the old format only.'),
    use: singleLine(words(bounds.versionReason))
      .nullish()
      .meta(doc('What to use instead.', 'acme/skills/deploy@5')),
  })
  .meta({ id: 'NewDeprecation', description: 'Why nobody should use a version any more.' })

const result = z
  .object({ data: SkillVersion })
  .meta({ id: 'ChangedVersion', description: 'The version after the change.' })

const responses = {
  200: result,
  ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', ...skillCodes, 'CONFLICT'),
}
const withBody = {
  200: result,
  ...errorResponses(...writeCodes, ...skillCodes, 'CONFLICT'),
}

const deciding = metadata({ auth: 'apiKey', access: 'publish', limit: 'write', tag: 'Skills' })

/** What publishers decide about a version (spec/registry.md#versions). */
export const versionsContract = c.router({
  withdraw: {
    method: 'POST',
    path: `${path}/withdraw`,
    summary: 'Withdraw a version',
    description:
      'Nobody new gets the version: the newest one that is not withdrawn becomes current, or the skill disappears if there is none. Who names the version by its number or digest still gets it, with the reason. Its number is never used again. Returns CONFLICT if the version is already withdrawn.',
    pathParams: VersionPath,
    body: NewWithdrawal,
    responses: withBody,
    metadata: deciding,
  },
  restore: {
    method: 'DELETE',
    path: `${path}/withdraw`,
    summary: 'Take back a withdrawal',
    description:
      'Readers get the version again. It becomes current if no newer one is. Returns CONFLICT if the version is not withdrawn.',
    pathParams: VersionPath,
    responses,
    metadata: deciding,
  },
  deprecate: {
    method: 'PUT',
    path: `${path}/deprecation`,
    summary: 'Deprecate a version',
    description:
      'Keeps the version, and tells readers everywhere that they should no longer use it. Replaces an earlier message.',
    pathParams: VersionPath,
    body: NewDeprecation,
    responses: { 200: result, ...errorResponses(...writeCodes, ...skillCodes) },
    metadata: deciding,
  },
  undeprecate: {
    method: 'DELETE',
    path: `${path}/deprecation`,
    summary: 'Take back a deprecation',
    description: 'Removes the message. Returns CONFLICT if the version is not deprecated.',
    pathParams: VersionPath,
    responses,
    metadata: deciding,
  },
})
