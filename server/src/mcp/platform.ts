import { mcpPaths } from '@skillpass/contract'
import type { Request, RequestHandler } from 'express'
import { fail } from '../errors/failure.ts'
import { readBody } from '../http/body.ts'
import { routeOf, setRoute } from '../http/route.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { authenticateBearer } from '../oauth/routes/bearer.ts'
import { platformDialect } from '../platform/routes/dialect.ts'
import { createMcpEndpoint } from './endpoint.ts'
import { isFromOwnHost } from './hosts.ts'
import { platformTools } from './platform-tools.ts'
import { createToolServer } from './server.ts'
import type { Exchange } from './tool.ts'

const instructions =
  'Reads and changes meetings and the profile of a user of the meeting platform, with the permissions that the user has granted. Times are in UTC unless they have a time zone.'

/** The address of this MCP server, and the vendor's. */
const [address, alias] = mcpPaths

/** Creates the platform's MCP server: its route, and the authentication of its requests. */
export function platformMcp(ctx: OAuthContext) {
  const tools = platformTools(ctx)
  const authenticateMcp = authenticateBearer(ctx, 'mcp')
  const respond = createMcpEndpoint(ctx, (exchange) =>
    createToolServer(ctx, exchange, {
      name: 'skillpass-platform',
      title: 'Meeting platform',
      instructions,
      tools,
      isPrivate: false,
      dialect: platformDialect,
    }),
  )
  return {
    routes: {
      call: ({ req, res, body }: Exchange & { body: Record<string, unknown> }) =>
        respond({ req, res }, body),
    },
    /**
     * Checks that the token is for the MCP server and, for a tool call, that it has a scope of the
     * tool, so that a client learns from the HTTP response which scopes to request.
     */
    authenticate: ((req, res, next) => {
      if (!isFromOwnHost(ctx, req)) fail('foreign_site')
      readBody(req, res, (error?: unknown) => {
        // A missing token is reported before a malformed body.
        requireScopesOfTool(req)
        Promise.resolve(authenticateMcp(req, res, () => next(error))).catch(next)
      })
    }) satisfies RequestHandler,
  }

  function requireScopesOfTool(req: Request) {
    const { method, params } = req.body ?? {}
    if (method !== 'tools/call') return
    const tool = tools.find(({ definition }) => definition.name === params?.name)
    if (!tool) return
    const route = routeOf(req)
    setRoute(req, { ...route, metadata: { ...route.metadata, scopes: tool.metadata.scopes } })
  }
}

/** Serves the MCP server at the vendor's address too. */
export const serveAlias: RequestHandler = (req, _res, next) => {
  if (req.path.toLowerCase() === alias) req.url = req.url.replace(/^[^?]*/, address)
  next()
}
