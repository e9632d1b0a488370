import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of ten seconds and more on the processor, or in waits; the longest first. */
const longest = [
  'unit/lint/fuzz',
  'faults/webhooks',
  'unit/search/pruning',
  'faults/kill',
  'registry/catalogue/snapshot-start',
  'attacks/ranking/trust',
  'registry/resolve/embedding-work',
  'attacks/ranking/copies',
  'faults/terminate',
  'registry/skills/races',
  'faults/snapshot-kill',
  'unit/lint/lint',
  'webhooks/sender',
  'attacks/keys/authorization',
]

/** Starts the longest files first, so that none of them runs alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
