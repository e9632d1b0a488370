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

/** Writes a jsonl file for import; a text stands for a line as it is, malformed ones included. */
export async function writeJsonl(lines: readonly (object | string)[]): Promise<string> {
  const file = join(await temporaryFolder(), 'skills.jsonl')
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(file, `${text.join('\n')}\n`)
  return file
}

export type Skill = SkillDetail

export interface Call {
  /** API key to send as a Bearer token. */
  key?: string
  /** Body to send as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

/** Starts a server within a test, which ends with it; `startTestServer` serves a whole file. */
export async function serverForTest(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  onTestFinished(server.end)
  return server
}

/** A raw request with a method, and what belongs to it. */
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
 * Holds an answer to the error table: status, JSON, exactly the fields of its code, a request id,
 * never stored. Gives the error.
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

/** Names of an object's fields, sorted. */
export const keysOf = (value: object): string[] => Object.keys(value).sort()

/** A name that no other test uses. */
export const unique = (prefix: string): string => `${prefix}-${randomBytes(5).toString('hex')}`

/** Publishes a skill; what is not given is made up. */
export async function publish(
  agent: Pick<TestAgent, 'client'>,
  fields: {
    slug?: string
    name?: string
    description?: string
    readme?: string
    tags?: string[]
    repoId?: string
  } = {},
): Promise<Skill> {
  const slug = fields.slug ?? unique('skill')
  const body = { name: fields.name ?? slug, ...fields, slug }
  return (await agent.client.registry.skills.publish({ body })).data
}

/** The path of a skill's address, case as stored. */
export const addressOf = (skill: Pick<Skill, 'slug' | 'repo'>): string =>
  `/${skill.repo.owner}/${skill.repo.name}/${skill.slug}`

/** The markdown at an address. */
export const fetchMarkdown = (
  server: Pick<TestServer, 'http'>,
  skill: Pick<Skill, 'slug' | 'repo'>,
  query = '',
): Promise<Response> => server.http(`${addressOf(skill)}?format=md${query}`)

/** The page at an address. */
export const pageAt = async (server: Pick<TestServer, 'http'>, path: string): Promise<string> =>
  (await server.http(path, { headers: { accept: 'text/html' } })).text()

/** A UUID that names nothing. */
export const nobody = '0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3e'
