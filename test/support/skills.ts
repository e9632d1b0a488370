import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SkillDetail } from '@skillpass/client'
import { type RegistryErrorCode, registryErrors } from '@skillpass/contract'
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from './cleanup.ts'
import {
  startTestServer,
  type TestAgent,
  type TestServer,
  type TestServerOptions,
} from './server.ts'

/** Writes a JSONL file for import. A string is written as it is, so that lines can be malformed. */
export async function writeJsonl(lines: readonly (object | string)[]): Promise<string> {
  const file = join(await temporaryFolder(), 'skills.jsonl')
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(file, `${text.join('\n')}\n`)
  return file
}

export type Skill = SkillDetail

export interface Call {
  /** API key for the `Authorization` header. */
  key?: string
  /** JSON body. */
  body?: unknown
  headers?: Record<string, string>
}

/** Starts a server that stops with the current test. `startTestServer` runs for a whole file. */
export async function serverForTest(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  onTestFinished(server.end)
  return server
}

/** Sends a raw request. */
export function ask(
  server: Pick<TestServer, 'http'>,
  method: string,
  path: string,
  { key, body, headers = {} }: Call = {},
): Promise<Response> {
  const all = new Headers(headers)
  if (key !== undefined) all.set('authorization', `Bearer ${key}`)
  if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json')
  const init: RequestInit = { method, headers: all }
  if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
  return server.http(path, init)
}

const Details = z.array(
  z.strictObject({ in: z.string(), path: z.string(), message: z.string().min(1) }),
)

/**
 * Expects an error of the contract's table: its status, JSON with exactly the fields of its code, a
 * request id, and `no-store`. Returns the error.
 */
export async function expectError(answer: Response | Promise<Response>, code: RegistryErrorCode) {
  const response = await answer
  const text = await response.text()
  expect(`${response.status} ${text}`).toMatch(`${registryErrors[code].status} {"error"`)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const extra = { VALIDATION_ERROR: ['details'], RATE_LIMITED: ['retryAfter'] } as const
  const body: unknown = JSON.parse(text)
  const { error } = z
    .strictObject({
      error: z.looseObject({
        code: z.string(),
        message: z.string().min(1),
        retryAfter: z.int().positive().optional(),
      }),
    })
    .parse(body)
  expect(keysOf(error)).toEqual(
    ['code', 'message', ...(code in extra ? extra[code as keyof typeof extra] : [])].sort(),
  )
  expect(error.code).toBe(code)
  const details = Details.parse(error.details ?? [])
  if (code === 'VALIDATION_ERROR') expect(details.length).toBeGreaterThan(0)
  return { ...error, details, headers: response.headers }
}

/** Returns the field names of an object, sorted. */
export const keysOf = (value: object): string[] => Object.keys(value).sort()

/** Returns a name that no other test uses. */
export const unique = (prefix: string): string => `${prefix}-${randomBytes(5).toString('hex')}`

/** Publishes a skill. Omitted fields get default values. */
export async function publish(
  agent: Pick<TestAgent, 'client'>,
  fields: {
    slug?: string
    name?: string
    description?: string
    readme?: string
    tags?: string[]
    repoId?: string
    owner?: string
    repo?: string
    visibility?: 'public' | 'private'
  } = {},
): Promise<Skill> {
  const slug = fields.slug ?? unique('skill')
  const body = { name: fields.name ?? slug, ...fields, slug }
  return (await agent.client.registry.skills.publish({ body })).data
}

/** Returns the path of a skill's address, in stored case. */
export const addressOf = (skill: Pick<Skill, 'slug' | 'repo'>): string =>
  `/${skill.repo.owner}/${skill.repo.name}/${skill.slug}`

/** Fetches the markdown at an address. */
export const fetchMarkdown = (
  server: Pick<TestServer, 'http'>,
  skill: Pick<Skill, 'slug' | 'repo'>,
  query = '',
): Promise<Response> => server.http(`${addressOf(skill)}?format=md${query}`)

/** Fetches the HTML page at an address. */
export const pageAt = async (server: Pick<TestServer, 'http'>, path: string): Promise<string> =>
  (await server.http(path, { headers: { accept: 'text/html' } })).text()

/** A UUID that no record has. */
export const nobody = '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3e'
