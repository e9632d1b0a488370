import type {
  CallToolResult,
  ContentBlock,
  Tool as ToolDefinition,
} from '@modelcontextprotocol/server'
import { findUnknown, namesOf, type RouteMetadata } from '@skillpass/contract'
import type { AppRoute } from '@ts-rest/core'
import type { Request, Response } from 'express'
import { z } from 'zod'
import { Failure } from '../errors/failure.ts'
import type { StandardIssue } from '../errors/issues.ts'
import { shownIssues } from '../http/errors.ts'
import { requestOf } from '../http/serve.ts'
import type { Context } from '../runtime/context.ts'

/** The HTTP request that carries a message, and its response. */
export interface Exchange {
  readonly req: Request
  readonly res: Response
}

/** Returns what the handlers of a service receive for a tool's call. */
export const requestFor =
  <C extends Context, A>(ctx: C, callerOf: (res: Response) => A) =>
  <P extends object>(exchange: Exchange, parts: P) =>
    requestOf(ctx, callerOf, { ...exchange, ...parts })

/** A tool does what a route of the contract does, with the route's credential, scopes and limit. */
export interface Tool {
  readonly definition: ToolDefinition
  readonly metadata: RouteMetadata
  /** Throws a `Failure`, also for arguments that the contract rejects. */
  call(args: Record<string, unknown>, exchange: Exchange): Promise<CallToolResult>
}

type ToolRoute = Pick<AppRoute, 'method' | 'summary' | 'description'> & { metadata: RouteMetadata }

interface ToolParts<I extends z.ZodRawShape, O extends z.ZodType> {
  readonly name: string
  /** The route whose operation the tool calls. */
  readonly route: ToolRoute
  /** Override those of the route. */
  readonly title?: string
  readonly description?: string
  /**
   * Schemas of the route's `path`, `query` and `body`. Their names are arguments, so they are in
   * snake case.
   */
  readonly input: I
  readonly output: O
  run(input: z.output<z.ZodObject<I>>, exchange: Exchange): Promise<z.input<O>>
  /** Describes the result to a model, in a few lines. */
  describe(result: z.input<O>, exchange: Exchange): string | ContentBlock[]
  /** Returns a result without what is too long to be in its description and here too. */
  shorten?(result: z.input<O>): z.input<O>
}

/** Creates a tool from the schemas and the operation of a route. */
export function createTool<I extends z.ZodRawShape, O extends z.ZodType>(
  parts: ToolParts<I, O>,
): Tool {
  const { name, route, input, output, run, describe, shorten = (result) => result } = parts
  const { method, metadata } = route
  const { title = route.summary, description = route.description } = parts
  // A write must not answer as if it had done what an unknown argument says. As in REST, the
  // platform refuses only slips in objects.
  const isWrite = method !== 'GET'
  const inObjects = isWrite && metadata.auth !== 'accessToken' ? 'all' : 'slips'
  const titled = title === undefined ? {} : { title }
  const schema = z.object(input)
  const schemas = Object.values(input)
  const names = Object.entries(input).map(([part, own]) => [part, namesOf(own)] as const)
  const known = names.flatMap(([, ofPart]) => ofPart)
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
        destructiveHint: isWrite && method !== 'POST',
        idempotentHint: method !== 'POST' || metadata.idempotent === true,
        openWorldHint: true,
      },
    },
    async call(args, exchange) {
      const sent = pick(args, (name) => known.includes(name) || !addedByHosts.test(name))
      const stray = pick(sent, (name) => !known.includes(name))
      const unknown = [
        ...findUnknown(schemas, stray, { refused: isWrite ? 'all' : 'slips', noun: 'argument' }),
        ...findUnknown(
          schemas,
          pick(sent, (name) => known.includes(name)),
          {
            refused: inObjects,
            noun: 'argument',
          },
        ),
      ]
      if (unknown.length > 0) throw invalidArguments(unknown)
      const offered = names.map(([part, own]) => [part, pick(sent, (name) => own.includes(name))])
      const parsed = schema.safeParse(Object.fromEntries(offered))
      if (!parsed.success) {
        const { issues } = parsed.error
        throw invalidArguments(issues.map((issue) => ({ ...issue, path: issue.path.slice(1) })))
      }
      if (method === 'PATCH' && isEmpty(Object(parsed.data).body))
        throw invalidArguments([noChange])
      const result = await run(parsed.data, exchange)
      const text = describe(result, exchange)
      const structured = shorten(result)
      return {
        content: typeof text === 'string' ? [{ type: 'text', text }] : text,
        ...(isObject(structured) && { structuredContent: structured }),
      }
    },
  }
}

const pick = (args: Record<string, unknown>, isPicked: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => isPicked(name)))

/** Whether a value and all values in it are empty. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every(isEmpty))

const noChange = { path: ['arguments'], message: 'must contain a known change' }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * Arguments that hosts add to every call: ids of the conversation, metadata with an underscore, and
 * the routing of n8n.
 */
const addedByHosts =
  /^_*(meta|action|chat_?input|progress_?token|tool|(session|conversation|thread|chat|message|run|request|trace|tool_?call|client)_?id)$/i

const invalidArguments = (issues: readonly StandardIssue[]) =>
  new Failure(400, { details: shownIssues('body', { issues }) })

/** A JSON Schema of an object, as MCP requires for the arguments and results of tools. */
interface ObjectSchema {
  [keyword: string]: unknown
  readonly type: 'object'
}

type Schema = z.core.JSONSchema.BaseSchema

/** Returns the JSON Schema of the arguments that a request sends in its path, query and body. */
function schemaOfArguments(parts: z.ZodRawShape): ObjectSchema {
  const schemas = Object.entries(parts).map(([part, schema]) => {
    // Path and query are described as their output, because their input may also be text.
    const io = part === 'body' ? 'input' : 'output'
    return objectSchema(schema, io)
  })
  const required = schemas.flatMap((schema) => requiredOf(schema))
  return {
    type: 'object',
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
    ...(required.length > 0 && { required }),
    $defs: Object.assign({}, ...schemas.map(({ $defs }) => $defs)),
  }
}

const schemaOfResult = (schema: z.ZodType): ObjectSchema => ({
  ...objectSchema(schema, 'output'),
  type: 'object',
})

/** Converts a schema. The result is inline even if the schema has an id in the contract. */
function objectSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    // Clients validate results, and later versions may add fields.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  const id = json.$ref?.replace('#/$defs/', '')
  const { $defs = {} } = json
  return id === undefined ? json : { ...$defs[id], $defs }
}

/** Arguments with a default are optional. */
const requiredOf = ({ required = [], properties = {} }: Schema): string[] =>
  required.filter((name) => {
    const property = properties[name]
    return typeof property === 'object' && property.default === undefined
  })
