import { registryContract } from '@skillpass/contract'
import { initServer } from '@ts-rest/express'
import type { Context } from '../../context.ts'
import { ok } from '../../http/answers.ts'
import { clientAddress } from '../../http/client-address.ts'
import { fetchRawSkill } from '../raw-skill.ts'

const s = initServer()

export const rawSkillRoutes = (ctx: Context) =>
  s.router(registryContract.rawSkill, {
    fetch: async ({ params, query, req, res }) => {
      const { skillId, digest, readme } = await fetchRawSkill(ctx, params, query)
      if (req.method === 'GET') ctx.tally.fetched(skillId, clientAddress(req))
      res.setHeader('ETag', `"${digest}"`)
      res.setHeader('Cache-Control', 'no-cache')
      res.setHeader('Vary', 'Accept')
      // A stranger wrote this text: should a browser take it for a document, it can do nothing.
      res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
      return ok(readme)
    },
  })
