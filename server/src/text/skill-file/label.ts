import semver from 'semver'
import { readFrontmatter, splitFrontmatter } from '../frontmatter.ts'

/** Returns the semantic version that the frontmatter of a readme names, or null. */
export function labelOf(readme: string): string | null {
  const block = splitFrontmatter(readme)
  if (!block?.yaml.includes('version')) return null
  const { entries } = readFrontmatter(block.yaml)
  const metadata = entries.get('metadata')?.value
  const inner = typeof metadata === 'object' && metadata !== null ? metadata : {}
  const found = entries.get('version')?.value ?? ('version' in inner ? inner.version : undefined)
  return typeof found === 'string' && semver.valid(found) === found ? found : null
}
