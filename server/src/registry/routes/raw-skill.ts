import { registryContract } from '@skillpass/contract'
import { ok, router } from '../../http/handlers.ts'
import { namesTag } from '../../http/if-none-match.ts'
import { setMoved } from '../../http/redirect.ts'
import { clientAddress, clientNetwork } from '../../limits/client-address.ts'
import type { RegistryContext } from '../context.ts'
import type { verdictOf } from '../lint/judge.ts'
import { fetchRawSkill } from '../raw-skill.ts'
import { skillUrl } from '../serialize/skills.ts'
import { findReader } from './authenticate.ts'

export const rawSkillRoutes = (ctx: RegistryContext) =>
  router(registryContract.rawSkill, {
    fetch: async ({ params, query, req, res }) => {
      const found = await fetchRawSkill(ctx, params, query)
      if ('moved' in found) {
        setMoved(res, skillUrl(ctx, found.moved), req)
        res.setHeader('Vary', 'Accept')
        return { status: 308 as const, body: undefined }
      }
      const { skillId, version, digest, signature, readme } = found
      if (req.method === 'GET') {
        ctx.counters.fetched(skillId, version, {
          address: clientAddress(req),
          network: clientNetwork(req),
          agentId: await findReader(ctx, req),
        })
      }
      const tag = `"${digest}"`
      res.setHeader('ETag', tag)
      res.setHeader('Skillpass-Id', skillId)
      res.setHeader('Skillpass-Version', version)
      if (signature) {
        const { publicKey, value } = signature
        res.setHeader('Skillpass-Signature', `key=:${publicKey}:, sig=:${value}:`)
      }
      res.setHeader('Cache-Control', 'no-cache')
      res.setHeader('Vary', 'Accept')
      res.setHeader('Skillpass-Verdict', verdictField(found))
      // A stranger wrote this text: should a browser take it for a document, it can do nothing.
      res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
      return namesTag(req.headers['if-none-match'], tag) ? notModified : ok(readme)
    },
  })

/**
 * An item of a token with the rules as a parameter (RFC 9651): `warning;rules="pipe-to-shell"`. Names
 * of rules hold nothing that a string would have to escape.
 */
function verdictField({ verdict, warnings }: ReturnType<typeof verdictOf>): string {
  const rules = new Set(warnings.map(({ rule }) => rule))
  return rules.size === 0 ? verdict : `${verdict};rules="${[...rules].join(',')}"`
}

const notModified = { status: 304 as const, body: undefined }
