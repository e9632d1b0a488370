import { SECTION } from '../document/forward-index.ts'
import type { Query, WordForm } from './parse.ts'

/** Sections by field. The aside is part of the description. */
const FIELDS = [
  { name: 'name', bits: 1 << SECTION.name },
  { name: 'slug', bits: 1 << SECTION.slug },
  { name: 'tags', bits: 1 << SECTION.tags },
  { name: 'description', bits: (1 << SECTION.description) | (1 << SECTION.aside) },
  {
    name: 'readme',
    bits: (1 << SECTION.heading) | (1 << SECTION.text) | (1 << SECTION.loose) | (1 << SECTION.code),
  },
] as const

type ExplainedField = (typeof FIELDS)[number]['name']

/** The query terms that a skill contains. */
export interface Explanation {
  /** Words of the task, as written, with the fields that contain them and their weights. */
  tokens: { token: string; fields: ExplainedField[]; weight: number }[]
  /** Share of the task's IDF in name, slug, tags or description, 0 to 1. */
  coverage: number
  /** Words of the task that the skill lacks, heaviest first, at most ten. */
  missing: string[]
}

/**
 * Explains a hit. `sections` has, for each query term, a bit per SECTION that contains it.
 * `headIdf` is the IDF of the terms in the head.
 */
export function explain(query: Query, sections: Uint16Array, headIdf: number): Explanation {
  const tokens: Explanation['tokens'] = []
  const missing: WordForm[] = []
  for (const { words, place } of query.terms) {
    const bits = sections[place] as number
    for (const form of words) {
      if (bits === 0) missing.push(form)
      else tokens.push({ token: form.surface, fields: fieldsOf(bits), weight: form.idf })
    }
  }
  missing.sort((a, b) => b.idf - a.idf)
  return {
    tokens,
    coverage: Math.min(1, headIdf / query.idf),
    missing: missing.slice(0, MAX_MISSING).map(({ surface }) => surface),
  }
}

const MAX_MISSING = 10

function fieldsOf(sections: number): ExplainedField[] {
  const fields: ExplainedField[] = []
  for (const { name, bits } of FIELDS) if ((sections & bits) !== 0) fields.push(name)
  return fields
}
