import { z } from 'zod'
import { mcpExchange } from '../mcp.ts'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { string } from '../schemas.ts'
import { errorResponses } from './errors.ts'
import { Count, IdPath } from './fields.ts'
import { SkillManifest } from './files.ts'
import { deprecated, itemShape, withdrawn } from './skill.ts'
import { versionQuery } from './skill-fields.ts'

const file = SkillManifest.shape.files.element

/** Parameters of the tool `read_skill_file`. */
export const SkillFileQuery = IdPath.extend({
  path: file.shape.path.default('SKILL.md'),
  version: versionQuery,
})

/** Result of the tool `read_skill_file`. */
export const SkillFileContent = file.extend({
  version: SkillManifest.shape.version,
  verdict: itemShape.verdict,
  warnings: itemShape.warnings,
  withdrawn,
  deprecated,
  text: string('Text of a short file. The text of a longer one is only in the content.').optional(),
  omittedBytes: Count.describe('Bytes of the file that only `url` has.'),
})

const owner = { owner: z.string().min(1) }

const shared = {
  method: 'POST',
  body: mcpExchange.body,
  responses: {
    ...mcpExchange.responses,
    ...errorResponses('UNAUTHORIZED', 'FORBIDDEN', 'PAYLOAD_TOO_LARGE'),
  },
  metadata: metadata({ auth: 'none', takesApiKey: true, limit: 'download' }),
} as const

/** The registry as an MCP server (spec/registry.md#mcp). */
export const mcpContract = c.router({ service: { ...shared, path: '/mcp' } })

/** The skills of an owner or a repository as MCP servers. */
export const scopedMcpContract = c.router({
  ofOwner: { ...shared, path: '/:owner/mcp', pathParams: z.object(owner) },
  ofRepository: {
    ...shared,
    path: '/:owner/:repo/mcp',
    pathParams: z.object({ ...owner, repo: z.string().min(1) }),
  },
})
