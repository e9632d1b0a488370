import { Readable } from 'node:stream'
import { bounds, SkillPublication } from '@skillpass/contract'
import { hasSameText, type RegistryContext } from '../catalogue/catalogue.ts'
import { notifyQuarantined } from '../catalogue/quarantine.ts'
import { refuseHiddenAddress } from '../catalogue/require-skill.ts'
import { refuseRemoved } from '../copies/judged-texts.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { spool } from '../runtime/spool.ts'
import { storeBlob } from '../skills/bundles/blobs.ts'
import { findFiles } from '../skills/bundles/version-files.ts'
import { searchedDescription } from '../skills/parse.ts'
import { indexVersion, prepareVersion, writeVersion } from '../skills/version.ts'
import { type Mirror, type MirroredVersion, putMirrored } from '../store/organizations/mirrors.ts'
import { findOrganization } from '../store/organizations/organizations.ts'
import { findBlobs } from '../store/registry/blobs.ts'
import { ensureRepository, findRepositoryAt } from '../store/registry/repositories.ts'
import { writeChange } from '../store/registry/revision.ts'
import { ownerOf, type SkillRecord } from '../store/registry/skill-record.ts'
import { findSkill, findSkillBySlug } from '../store/registry/skills.ts'
import { checked, type SourceSkill, type SourceText } from './source.ts'

/**
 * Publishes the current version of a skill at a source as one of the organization. `known` are its
 * versions here, oldest first. Returns false if this version is known but not the current one here.
 * Throws CONFLICT for a version that is not as the source describes it, or cannot be published.
 */
export async function publishMirrored(
  ctx: RegistryContext,
  { id: mirrorId, organization }: Mirror,
  at: { source: string } & NonNullable<SourceSkill['current']>,
  known: readonly MirroredVersion[],
): Promise<boolean> {
  const { clock, db, random } = ctx
  const owner = (await findOrganization(db.read, organization)) ?? fail('NOT_FOUND')
  const base = await findBase(ctx, organization, at, known)
  const same = known.find(({ version }) => version === at.version)
  if (same && same.ownVersion !== base?.version) return false
  const text = await at.read()
  const slug = base?.slug ?? at.slug
  const listed = text.files.map(({ read: _, ...file }) => file)
  const { name, description, tags, readme } = SkillPublication.parse({
    ...{ name: text.name, description: text.description, tags: text.tags, readme: text.readme },
    ...{ slug, repo: at.repo, files: listed },
  })
  await storeFiles(ctx, text.files)
  const files = await findFiles(ctx, listed)
  const fields = { slug, name, description, tags }
  const version = await prepareVersion(ctx, owner.id, base, { fields, readme, files })
  const work = async (trx: Db, revision: number) => {
    const before = base && (await findSkill(trx, base.id))
    if (base && !(before?.version === base.version && hasSameText(before, base))) {
      fail('CONFLICT', `${at.url} was changed here meanwhile.`)
    }
    const place = { agentId: owner.id, owner: owner.username, name: at.repo }
    const visibility = at.isPrivate ? 'private' : owner.defaultVisibility
    const made = { id: random.uuid(), createdAt: clock.now(), visibility } as const
    const repository = before?.repository ?? (await ensureRepository(trx, { ...place, ...made }))
    if (at.isPrivate && repository.visibility === 'public') {
      fail(
        'CONFLICT',
        `${at.url} is private, but ${organization}/${repository.name} is public here.`,
      )
    }
    await refuseRemoved(trx, version.matches, owner.id, before)
    await refuseHiddenAddress(trx, repository, slug)
    const indexedDescription = searchedDescription(readme, description)
    const by = { owner: ownerOf(owner), publishedBy: owner.id, source: at.url }
    const to = { before, revision, repository, indexedDescription, label: text.label }
    const skill = await writeVersion(ctx, trx, { ...by, ...to }, version)
    await notifyQuarantined(ctx, trx, skill)
    const own = { skillId: skill.id, ownVersion: skill.waiting ?? skill.version }
    await putMirrored(trx, { ...at, ...own, mirrorId, isWithdrawn: 0 })
    return skill
  }
  const skill = await writeChange(db, work).catch((error: unknown) => {
    if (!(error instanceof UniqueViolation)) throw error
    return fail('CONFLICT', `Another skill has the address of ${at.url} here.`)
  })
  await indexVersion(ctx, skill, version)
  return true
}

/** Returns the skill here, which an earlier mirror of the same source may have made. */
async function findBase(
  { db }: RegistryContext,
  owner: string,
  { url, repo, slug }: { url: string; repo: string; slug: string },
  known: readonly MirroredVersion[],
): Promise<SkillRecord | undefined> {
  const last = known.at(-1)
  if (last) {
    const skill = await findSkill(db.read, last.skillId)
    if (skill?.repository.owner === owner) return skill
    fail('CONFLICT', `${url} was deleted or moved here, so it is not followed.`)
  }
  const repository = await findRepositoryAt(db.read, owner, repo)
  const skill = repository && (await findSkillBySlug(db.read, repository.id, slug))
  return skill?.source === url ? skill : undefined
}

/** Stores the files that are not known, one at a time. */
async function storeFiles(ctx: RegistryContext, files: SourceText['files']): Promise<void> {
  const known = await findBlobs(
    ctx.db.read,
    files.map(({ digest }) => digest),
  )
  for (const { path, digest, read } of files) {
    if (known.has(digest)) continue
    const bytes = Readable.from([checked(path, digest, await read())])
    await spool(bytes, bounds.blobBytes, (file) => storeBlob(ctx, digest, file, async () => {}))
  }
}
