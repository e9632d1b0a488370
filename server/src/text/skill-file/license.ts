import { readFrontmatter, splitFrontmatter } from '../frontmatter.ts'

/** Longest identifier. Anything longer is a sentence. */
const longest = 40

/** SPDX identifiers by other names of the licenses, in lower case without punctuation. */
const identifiers = new Map([
  ['mit', 'MIT'],
  ['apache', 'Apache-2.0'],
  ['apache 20', 'Apache-2.0'],
  ['apache 2', 'Apache-2.0'],
  ['bsd 3 clause', 'BSD-3-Clause'],
  ['bsd 2 clause', 'BSD-2-Clause'],
  ['cc by 40', 'CC-BY-4.0'],
])

/** Returns the short name of a license, an SPDX identifier if known. Null for a sentence. */
export function licenseNamed(text: string): string | null {
  const name = text.trim()
  if (name === '' || name.length > longest || !/^[\w.+() -]+$/.test(name)) return null
  if (/license\.|proprietary|see |terms/i.test(name)) return null
  const plain = name.toLowerCase().replace(/[.]/g, '').replace(/\W+/g, ' ')
  return identifiers.get(plain.replace(/ ?\b(license|version|the)\b ?/g, ' ').trim()) ?? name
}

/** Returns the license that the frontmatter of a readme names, or null. */
export function licenseOf(readme: string): string | null {
  const block = splitFrontmatter(readme)
  if (!block?.yaml.includes('license')) return null
  const value = readFrontmatter(block.yaml).entries.get('license')?.value
  return typeof value === 'string' ? licenseNamed(value) : null
}
