import type { Response } from 'express'
import { findCallerId } from '../agents/http.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { skillUrl } from '../catalogue/serialize.ts'
import type { AnyRequest } from '../http/handlers.ts'
import { setMoved } from '../http/responses.ts'
import { clientAddress, clientNetwork } from '../runtime/limits/client-address.ts'
import type {
  Deprecation,
  FindingSummary,
  SkillRecord,
  Verdict,
} from '../store/registry/skill-record.ts'
import type { Withdrawal } from '../store/registry/versions.ts'

interface NamedVersion {
  readonly version: number
  readonly verdict: Verdict
  readonly findings: readonly FindingSummary[]
  readonly withdrawn: Withdrawal | null
  readonly deprecated: Deprecation | null
}

/**
 * Sets headers that name the skill, its version, the verdict of the lint, and why the publisher
 * withdrew or deprecated the version.
 */
export function nameVersion(res: Response, id: string, version: NamedVersion): void {
  res.setHeader('Skillpass-Id', id)
  res.setHeader('Skillpass-Version', version.version)
  res.setHeader('Skillpass-Verdict', verdictField(version))
  const { withdrawn, deprecated } = version
  if (withdrawn) {
    const security = withdrawn.security ? ';security' : ''
    res.setHeader('Skillpass-Withdrawn', displayString(withdrawn.reason) + security)
  }
  if (deprecated) {
    const use = deprecated.use === null ? '' : `;use=${displayString(deprecated.use)}`
    res.setHeader('Skillpass-Deprecated', displayString(deprecated.message) + use)
  }
}

/** Formats a Display String (RFC 9651 §4.1.11), which may have any character. */
const displayString = (text: string): string => {
  const escaped = Array.from(Buffer.from(text), (byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x25 || byte === 0x22
      ? `%${byte.toString(16).padStart(2, '0')}`
      : String.fromCharCode(byte),
  )
  return `%"${escaped.join('')}"`
}

/** Counts a request for SKILL.md or an archive as an installation of a version. */
export async function countInstall(
  ctx: RegistryContext,
  req: AnyRequest,
  skillId: string,
  version: number,
) {
  if (req.method === 'GET') await countFetch(ctx, req, skillId, version, 'installs')
}

/** Counts the client of a request as a reader of a version. */
export async function countFetch(
  ctx: RegistryContext,
  req: AnyRequest,
  skillId: string,
  version: number,
  kind: 'fetches' | 'installs' = 'fetches',
) {
  ctx.counters.fetched(
    { skillId, version, kind },
    {
      address: clientAddress(req),
      network: clientNetwork(req),
      agentId: await findCallerId(ctx, req),
    },
  )
}

/** Redirects to the same path below the current address of a skill. */
export function redirected(
  ctx: RegistryContext,
  req: AnyRequest,
  res: Response,
  to: { skill: SkillRecord; below: string },
) {
  setMoved(res, `${skillUrl(ctx, to.skill)}${to.below}`, req)
  return { status: 308 as const, body: undefined }
}

/** Formats a token with a parameter (RFC 9651): `warning;rules="pipe-to-shell"`. */
function verdictField({ verdict, findings }: NamedVersion) {
  const rules = new Set(findings.map(({ rule }) => rule))
  return rules.size === 0 ? verdict : `${verdict};rules="${[...rules].join(',')}"`
}
