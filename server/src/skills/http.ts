import type { Response } from 'express'
import { findCallerId } from '../agents/http.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { skillUrl } from '../catalogue/serialize.ts'
import type { AnyRequest } from '../http/handlers.ts'
import { setMoved } from '../http/responses.ts'
import { clientAddress, clientNetwork } from '../runtime/limits/client-address.ts'
import type { FindingSummary, SkillRecord, Verdict } from '../store/registry/skill-record.ts'

type NamedVersion = { version: number; verdict: Verdict; findings: readonly FindingSummary[] }

/** Sets headers that name the skill, its version and the verdict of the lint. */
export function nameVersion(res: Response, id: string, version: NamedVersion): void {
  res.setHeader('Skillpass-Id', id)
  res.setHeader('Skillpass-Version', version.version)
  res.setHeader('Skillpass-Verdict', verdictField(version))
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
