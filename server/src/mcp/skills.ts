import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import {
  SKILL_LIMITS,
  SkillCatalogError,
  skillEntry,
} from '@modelcontextprotocol/server/ext/skills'
import { bounds } from '@skillpass/contract'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { isNamed } from '../catalogue/resolve.ts'
import { searchSkills } from '../catalogue/search.ts'
import { Failure } from '../errors/failure.ts'
import { type ServiceSkill, serviceSkills } from '../installers/service-skills.ts'
import { type FileEntry, readBytes, readText } from '../skills/bundles/entries.ts'
import { type OpenVersion, openVersion } from '../skills/bundles/open-version.ts'
import { countFetch } from '../skills/http.ts'
import { encodedPath } from '../skills/serialize.ts'
import { type SkillRecord, verdictFieldsOf } from '../store/registry/skill-record.ts'
import type { Exchange } from './tool.ts'

/** Owner and repository whose skills a server offers. Without an owner, it offers all skills. */
export interface SkillScope {
  readonly owner?: string | undefined
  readonly repo?: string | undefined
}

export const skillsBase = 'skill://'

const pageSize = 20

/** Longest text in a response, bytes. */
export const maxText = bounds.readmeBytes

/** Authority of the service's own skills. Their URIs have fewer segments than those of others. */
const service = 'skillpass'

/**
 * Returns the URI of a version's SKILL.md. The version is part of it, so that a client that has
 * read the list of files also receives these files after the next publication.
 */
export const skillUri = ({ repository, version, slug }: SkillRecord): string =>
  `${skillsBase}${[repository.owner, repository.name, `${version}`, slug].map(encodeURIComponent).join('/')}/SKILL.md`

/** The skills of a scope for MCP's skills extension, with the files that installers get. */
export function skillSource(ctx: RegistryContext, scope: SkillScope, { req }: Exchange) {
  return {
    list: async ({ cursor }: { cursor?: string }) => {
      if (scope.owner === undefined)
        return { skills: await Promise.all(serviceSkills(ctx).map(serviceEntry)) }
      const page = readCursor(cursor)
      const { owner, repo } = scope
      const query = { owner, repo, sort: 'stars', page, limit: pageSize } as const
      const { skills, hasMore } = searchSkills(ctx, query)
      const entries = []
      for (const skill of skills) {
        const entry = await entryOf(skill, await openVersion(ctx, skill))
        if (entry) entries.push(entry)
      }
      return { skills: entries, ...(hasMore && { nextCursor: `${page + 1}` }) }
    },
    get: async (uri: string) => {
      const found = await find(uri)
      if (!found) return undefined
      return 'serviceSkill' in found
        ? serviceEntry(found.serviceSkill)
        : entryOf(found.skill, found.version)
    },
    /** Returns a file with the verdict of its version. */
    read: async (uri: string) => {
      const found = await find(uri)
      if (!found) return undefined
      if ('serviceSkill' in found) {
        const text = found.serviceSkill.markdown
        return { uri, text, mimeType: markdown, _meta: clean }
      }
      const { skill, version, path } = found
      const file = version.files.find((file) => file.path === path)
      if (!file) return undefined
      const isMain = path === 'SKILL.md'
      if (isMain) await countFetch(ctx, req, skill.id, version.version)
      const content = await contentOf(file, isMain ? file.size : maxText)
      return { uri, ...content, ...(isMain && { mimeType: markdown }), _meta: verdictOf(version) }
    },
  }

  async function find(uri: string) {
    const segments = decode(uri)
    if (!segments) return undefined
    if (segments.length === 4 && segments[0] === service) {
      const serviceSkill = serviceSkills(ctx).find(
        (skill) => servicePath(skill) === segments.slice(0, 3).join('/'),
      )
      return serviceSkill && segments[3] === 'SKILL.md' ? { serviceSkill } : undefined
    }
    const [owner = '', repo = '', number = '', slug = '', ...path] = segments
    if (!isNamed(owner, scope.owner) || !isNamed(repo, scope.repo)) return undefined
    const skill = ctx.catalogue.at(owner, repo, slug)
    if (!skill || !/^[1-9]\d{0,8}$/.test(number)) return undefined
    const version = await openVersion(ctx, skill, { version: Number(number) }).catch(ignoreMissing)
    return version && { skill, version, path: path.join('/') }
  }
}

const markdown = 'text/markdown'

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Failure && [404, 410].includes(error.status))) throw error
}

function readCursor(cursor = '1'): number {
  if (/^[1-9]\d{0,5}$/.test(cursor)) return Number(cursor)
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'cursor must be the nextCursor of a page',
  )
}

/** Splits a URI into its decoded segments, beginning with the authority. */
function decode(uri: string): string[] | undefined {
  try {
    return uri.slice(skillsBase.length).split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

const servicePath = ({ name, digest }: ServiceSkill) => `${service}/${digest.slice(7, 19)}/${name}`

const serviceEntry = async (skill: ServiceSkill) => ({
  ...(await skillEntry(servicePath(skill), { 'SKILL.md': skill.markdown })),
  _meta: clean,
})

/**
 * Returns the entry of a version: its front matter, and the URI, digest and size of each file.
 * Returns undefined for a skill that the extension does not support, which no client would accept.
 */
async function entryOf({ repository, slug }: SkillRecord, opened: OpenVersion) {
  const { version, files } = opened
  const size = files.reduce((sum, file) => sum + file.size, 0)
  const main = files.find(({ path }) => path === 'SKILL.md')
  if (!main || files.length > SKILL_LIMITS.files || size > SKILL_LIMITS.bytes) return undefined
  const path = [repository.owner, repository.name, version, slug].join('/')
  try {
    const entry = await skillEntry(path, { 'SKILL.md': await readBytes(main) })
    const root = entry.uri.slice(0, -main.path.length)
    const resources = files.map(({ path, digest, size }) => ({
      uri: root + encodedPath(path),
      digest,
      size,
    }))
    return { ...entry, resources, _meta: verdictOf(opened) }
  } catch (error) {
    if (error instanceof SkillCatalogError) return undefined
    throw error
  }
}

/** Reads a file as text, or as Base64, which takes less room than control characters in JSON. */
async function contentOf(file: FileEntry, limit: number) {
  const read = await readText(file, limit)
  return 'text' in read ? read : { blob: Buffer.from(await readBytes(file)).toString('base64') }
}

/** What the lint found in a version, in the form of search. */
export function verdictOf({ verdict, findings }: Pick<OpenVersion, 'verdict' | 'findings'>) {
  const fields = verdictFieldsOf({ verdict, findings })
  return { verdict, warnings: [...fields.findings] }
}

const clean = verdictOf({ verdict: 'clean', findings: [] })
