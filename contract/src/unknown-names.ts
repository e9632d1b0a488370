import type { AppRoute } from '@ts-rest/core'
import { z } from 'zod'
import { closestNames, isSlip } from './closest-names.ts'
import { metadataOf } from './metadata.ts'

/** Which unknown names to refuse: all, or only those that resemble a known one. */
export type Refused = 'all' | 'slips'

interface Options {
  readonly refused: Refused
  /** Word for a name in messages. */
  readonly noun?: 'argument' | 'field' | 'parameter'
  /** Names that belong to another part of the request, and that part. */
  readonly elsewhere?: { readonly names: readonly string[]; readonly part: string }
}

interface UnknownName {
  path: PropertyKey[]
  message: string
}

/** Maximum number of unknown names that are compared with the known ones. */
const maxCompared = 1000

/**
 * Finds unknown fields and query parameters of a request that creates, changes or deletes. Routes
 * without a tag belong to protocols of other programs, which may extend them. Routes without a body
 * refuse all unknown names, because one that narrows a deletion would delete more if ignored.
 */
export function findUnknownIn(
  route: AppRoute,
  request: { readonly query: unknown; readonly body?: unknown },
  whenDeclared: Refused,
): Record<'query' | 'body', z.ZodError | null> | undefined {
  const { tag, form, ignores = [] } = metadataOf(route)
  if (route.method === 'GET' || tag === undefined) return undefined
  const declared = 'body' in route ? route.body : undefined
  const refused = declared instanceof z.ZodType ? whenDeclared : 'all'
  const body = findUnknown([declared], request.body, {
    refused,
    elsewhere: { names: namesOf(route.query), part: 'query' },
  })
  // The parameters of a form are in the body, wherever they were sent.
  const query = findUnknown([route.query], form ? {} : request.query, {
    refused,
    noun: 'parameter',
    elsewhere: { names: namesOf(declared), part: 'body' },
  }).filter(({ path: [name] }) => !ignores.some((one) => one === name))
  if (body.length + query.length === 0) return undefined
  return { query: errorOf(query), body: errorOf(body) }
}

const errorOf = (issues: readonly UnknownName[]): z.ZodError | null =>
  issues.length === 0
    ? null
    : new z.ZodError(issues.map((issue) => ({ code: 'custom', input: undefined, ...issue })))

/**
 * Finds names in a value that no schema declares, also in nested objects and lists. Each of
 * `schemas` validates the whole value. Strict objects refuse all unknown names.
 */
export function findUnknown(
  schemas: readonly unknown[],
  value: unknown,
  { refused, noun = 'field', elsewhere = { names: [], part: '' } }: Options,
): UnknownName[] {
  const unknown: Found[] = []
  for (const found of unknownNames(schemas, value, [])) {
    if (unknown.push(found) === maxCompared) break
  }
  return unknown.flatMap(({ path, name, known, isStrict }) => {
    const isNear = (other: string) => isSlip(name, other)
    const misplaced = path.length === 1 ? elsewhere.names.find(isNear) : undefined
    const slip = known.find(isNear) ?? (misplaced && `${misplaced} in the ${elsewhere.part}`)
    if (refused === 'slips' && !isStrict && slip === undefined) return []
    const meant = slip ?? closestNames(name, known)[0]
    const hint = meant === undefined ? listOf(known) : `did you mean ${meant}?`
    return [{ path, message: `is not a known ${noun}; ${hint}` }]
  })
}

const listOf = (known: readonly string[]) =>
  known.length === 0 ? 'there are none' : `known are ${known.join(', ')}`

/** Returns the names that a schema declares at its top level. */
export const namesOf = (schema: unknown): string[] => [...(shapeOf(schema)?.fields.keys() ?? [])]

interface Found {
  readonly path: PropertyKey[]
  readonly name: string
  readonly known: readonly string[]
  readonly isStrict: boolean
}

function* unknownNames(
  schemas: readonly unknown[],
  value: unknown,
  path: readonly PropertyKey[],
): Generator<Found> {
  const shapes = schemas.flatMap((schema) => shapeOf(schema) ?? [])
  const isStrict = shapes.some((shape) => shape.isStrict)
  for (const [at, object] of objectsOf(value, path)) {
    // An object can have 100,000 names, whose entries take long to create.
    for (const name of Object.keys(object)) {
      const own = shapes.flatMap(({ fields }) => fields.get(name) ?? [])
      if (own.length === 0) {
        const known = [...new Set(shapes.flatMap(({ fields }) => [...fields.keys()]))]
        yield { path: [...at, name], name, known, isStrict }
      } else if (own.some(shapeOf)) yield* unknownNames(own, object[name], [...at, name])
    }
  }
}

/** The fields that the objects in a schema declare, with the schemas of each. */
interface Shape {
  readonly fields: ReadonlyMap<string, readonly unknown[]>
  readonly isStrict: boolean
}

/** Shapes of schemas, which never change. Undefined for a schema without objects. */
const shapes = new WeakMap<z.core.$ZodType, Shape | undefined>()

function shapeOf(schema: unknown): Shape | undefined {
  if (!(schema instanceof z.core.$ZodType)) return undefined
  if (!shapes.has(schema)) shapes.set(schema, readShape(schema))
  return shapes.get(schema)
}

function readShape(schema: z.core.$ZodType): Shape | undefined {
  const objects = objectsIn(schema)
  if (objects.length === 0) return undefined
  const fields = new Map<string, unknown[]>()
  for (const { _zod } of objects) {
    for (const [name, own] of Object.entries(_zod.def.shape)) {
      fields.set(name, [...(fields.get(name) ?? []), own])
    }
  }
  const isStrict = objects.some(({ _zod }) => _zod.def.catchall instanceof z.core.$ZodNever)
  return { fields, isStrict }
}

/** Returns a value, or the items of a list, that are objects, with their paths. */
function objectsOf(
  value: unknown,
  path: readonly PropertyKey[],
): [path: readonly PropertyKey[], Record<string, unknown>][] {
  if (!Array.isArray(value)) return isObject(value) ? [[path, value]] : []
  return value.flatMap((item, index) =>
    isObject(item) && !Array.isArray(item) ? [[[...path, index], item]] : [],
  )
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Returns the object schemas in a schema: in its wrappers, options and list items. */
function objectsIn(schema: unknown): z.core.$ZodObject[] {
  if (schema instanceof z.core.$ZodObject) return [schema]
  // Names in a record are data.
  if (!(schema instanceof z.core.$ZodType) || schema instanceof z.core.$ZodRecord) return []
  return Object.values(schema._zod.def).flat().flatMap(objectsIn)
}
