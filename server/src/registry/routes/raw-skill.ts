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
      const tag = `"${digest}"`
      res.setHeader('ETag', tag)
      res.setHeader('Cache-Control', 'no-cache')
      res.setHeader('Vary', 'Accept')
      // A stranger wrote this text: should a browser take it for a document, it can do nothing.
      res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
      return names(req.headers['if-none-match'], tag) ? notModified : ok(readme)
    },
  })

const notModified = { status: 304 as const, body: undefined }

/**
 * Whether `If-None-Match` names the tag (RFC 9110 §13.1.2). Express's own test says no to a request
 * with `Cache-Control: no-cache`, which every `fetch` adds to one with `If-None-Match`.
 */
const names = (header = '', tag: string): boolean =>
  header.split(',').some((part) => ['*', tag, `W/${tag}`].includes(part.trim()))
