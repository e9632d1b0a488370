import type {
  CallToolResult,
  ContentBlock,
  Tool as ToolDefinition,
} from '@modelcontextprotocol/server'
import type { RouteMetadata } from '@skillpass/contract'
import type { AppRoute } from '@ts-rest/core'
import type { Request, Response } from 'express'
import { z } from 'zod'
import { Failure } from '../errors/failure.ts'
import { firstIssues } from '../errors/issues.ts'
import { schemaOfArguments, schemaOfResult } from './json-schema.ts'

/** The HTTP request that carries a message, and its response. */
export interface Exchange {
  readonly req: Request
  readonly res: Response
}

/** A tool does what a route of the contract does, with the route's credential, scopes and limit. */
export interface Tool {
  readonly definition: ToolDefinition
  readonly metadata: RouteMetadata
  /** Throws a `Failure`, also for arguments that the contract rejects. */
  call(args: unknown, exchange: Exchange): Promise<CallToolResult>
}

type ToolRoute = Pick<AppRoute, 'method' | 'summary' | 'description'> & { metadata: RouteMetadata }

interface ToolParts<I extends z.ZodRawShape, O extends z.ZodType> {
  readonly name: string
  /** The route whose operation the tool calls. */
  readonly route: ToolRoute
  /** Override those of the route. */
  readonly title?: string
  readonly description?: string
  /** Schemas of the route's `path`, `query` and `body`. All arguments are offered to each. */
  readonly input: I
  readonly output: O
  run(input: z.output<z.ZodObject<I>>, exchange: Exchange): Promise<z.input<O>>
  /** Describes the result to a model, in a few lines. */
  describe(result: z.input<O>): string | ContentBlock[]
  /** Returns a result without what is too long to be in its description and here too. */
  shorten?(result: z.input<O>): z.input<O>
}

/** Maximum number of issues in an error. */
const maxIssues = 20

/** Creates a tool from the schemas and the operation of a route. */
export function createTool<I extends z.ZodRawShape, O extends z.ZodType>(
  parts: ToolParts<I, O>,
): Tool {
  const { name, route, input, output, run, describe, shorten = (result) => result } = parts
  const { method, metadata } = route
  const { title = route.summary, description = route.description } = parts
  const titled = title === undefined ? {} : { title }
  const schema = z.object(input)
  return {
    metadata,
    definition: {
      name,
      ...titled,
      ...(description !== undefined && { description }),
      inputSchema: schemaOfArguments(input),
      ...(!(output instanceof z.ZodVoid) && { outputSchema: schemaOfResult(output) }),
      annotations: {
        ...titled,
        readOnlyHint: method === 'GET',
        destructiveHint: method !== 'GET' && method !== 'POST',
        idempotentHint: method !== 'POST' || metadata.idempotent === true,
        openWorldHint: true,
      },
    },
    async call(args, exchange) {
      const offered = Object.fromEntries(Object.keys(input).map((part) => [part, args]))
      const parsed = schema.safeParse(offered)
      if (!parsed.success) throw invalidArguments(parsed.error)
      const result = await run(parsed.data, exchange)
      const text = describe(result)
      const structured = shorten(result)
      return {
        content: typeof text === 'string' ? [{ type: 'text', text }] : text,
        ...(isObject(structured) && { structuredContent: structured }),
      }
    },
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function invalidArguments(error: z.ZodError): Failure {
  const details = firstIssues(error.issues, maxIssues).map(({ path, message }) => ({
    in: 'body' as const,
    path: path.slice(1).map(String).join('.'),
    message,
  }))
  return new Failure(400, { details })
}
