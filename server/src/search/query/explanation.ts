import { SECTION } from '../document/forward-index.ts'
import type { Query } from './parse.ts'

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
  /** Sections by word. A compound that is read as two words is in two terms, and needs both. */
  const found = new Map<string, number>()
  for (const { words, place } of query.terms) {
    const bits = sections[place] as number
    for (const { surface } of words) {
      const others = found.get(surface) ?? bits
      found.set(surface, bits === 0 || others === 0 ? 0 : bits | others)
    }
  }
  const weightOf = (word: string) => query.weights[word] as number
  const all = [...found]
  return {
    tokens: all
      .filter(([, bits]) => bits !== 0)
      .map(([token, bits]) => ({ token, fields: fieldsOf(bits), weight: weightOf(token) })),
    coverage: Math.min(1, headIdf / query.idf),
    missing: all
      .flatMap(([word, bits]) => (bits === 0 ? word : []))
      .sort((a, b) => weightOf(b) - weightOf(a))
      .slice(0, MAX_MISSING),
  }
}

const MAX_MISSING = 10

function fieldsOf(sections: number): ExplainedField[] {
  const fields: ExplainedField[] = []
  for (const { name, bits } of FIELDS) if ((sections & bits) !== 0) fields.push(name)
  return fields
}
