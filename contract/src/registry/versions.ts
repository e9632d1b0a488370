import { z } from 'zod'
import { bounds } from '../limits.ts'
import { metadata } from '../metadata.ts'
import { queryNumber } from '../query-number.ts'
import { c } from '../router.ts'
import { boolean, doc } from '../schemas.ts'
import { singleLine, words } from '../text.ts'
import { errorResponses, skillCodes, writeCodes } from './errors.ts'
import { IdPath, listOf, Username } from './fields.ts'
import { Notice } from './notices.ts'
import { OrganizationPath } from './organizations.ts'
import { SkillDetail, SkillVersion } from './skill.ts'
import { DistTag, Version } from './skill-fields.ts'

const path = '/api/v1/skills/:id/versions/:version'

const exampleUrl = 'http://localhost:3000/acme/skills/deploy/diff?from=1&to=2'

const VersionPath = IdPath.extend({
  version: queryNumber(z.int().min(1)).meta(Version.meta() ?? {}),
})

const TagPath = IdPath.extend({ tag: DistTag })

const reason = (example: string, readers = 'readers wherever the version is') =>
  singleLine(words(bounds.versionReason)).meta({
    description: `Shown to ${readers}, at most ${bounds.versionReason} characters.`,
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

const Approval = z
  .strictObject({ note: reason('Checked with the team.', 'publishers').nullish() })
  .meta({ id: 'VersionApproval', description: 'What the publishers should know.' })

const Refusal = z
  .strictObject({ reason: reason('It needs a test.', 'publishers') })
  .meta({ id: 'VersionRefusal', description: 'Why a version is declined.' })

const Waiting = z
  .object({
    skill: Notice.shape.skill.unwrap().describe('The skill.'),
    version: SkillVersion.describe('The version that waits.'),
    publishedBy: Username.nullable().describe('The agent that published it. Null if deleted.'),
    warnings: SkillDetail.shape.warnings,
    url: z.url().meta(doc('Page with the changes since the current version.', exampleUrl)),
  })
  .meta({ id: 'WaitingVersion', description: 'A version that waits for approval.' })

const deciding = metadata({ auth: 'apiKey', access: 'publish', limit: 'write', tag: 'Skills' })

/** What publishers decide about a version (spec/decisions.md#versions). */
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
  approve: {
    method: 'POST',
    path: `${path}/approve`,
    summary: 'Approve a version',
    description:
      'Shows a version that waits to everybody who may read the skill. It becomes current if no newer one is. Requires an owner of the organization. Returns CONFLICT if the version does not wait.',
    pathParams: VersionPath,
    body: Approval,
    responses: withBody,
    metadata: deciding,
  },
  decline: {
    method: 'POST',
    path: `${path}/decline`,
    summary: 'Decline a version',
    description:
      'Nobody but the publishers and owners of the organization ever sees the version. Requires an owner of the organization. Returns CONFLICT if the version does not wait.',
    pathParams: VersionPath,
    body: Refusal,
    responses: withBody,
    metadata: deciding,
  },
  approvals: {
    method: 'GET',
    path: '/api/v1/organizations/:username/approvals',
    summary: 'List the versions that wait for approval',
    description:
      'Lists the 100 oldest versions that wait, oldest first. Requires a publisher or an owner. Read their files with your key and `?version=N`.',
    pathParams: OrganizationPath,
    responses: {
      200: listOf(Waiting),
      ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'),
    },
    metadata: metadata({ auth: 'apiKey', access: 'read', limit: 'read', tag: 'Organizations' }),
  },
  setDistTag: {
    method: 'PUT',
    path: '/api/v1/skills/:id/dist-tags/:tag',
    summary: 'Point a dist-tag at a version',
    description:
      'Names a version, so that `?at=beta` returns it. A dist-tag moves if it names another version already. `latest` is always the current version.',
    pathParams: TagPath,
    body: z
      .strictObject({ version: Version })
      .meta({ id: 'DistTagChange', description: 'The version that a dist-tag names.' }),
    responses: { 200: result, ...errorResponses(...writeCodes, ...skillCodes) },
    metadata: deciding,
  },
  deleteDistTag: {
    method: 'DELETE',
    path: '/api/v1/skills/:id/dist-tags/:tag',
    summary: 'Remove a dist-tag',
    description: 'Removes the name. The version stays. Returns the version that had it.',
    pathParams: TagPath,
    responses: {
      200: result,
      ...errorResponses('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', ...skillCodes),
    },
    metadata: deciding,
  },
})
