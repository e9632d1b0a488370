import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take ten seconds and more; the longest first. */
const longest = [
  'faults/webhooks',
  'discovery/snapshots',
  'attacks/ranking/trust',
  'attacks/ranking/copies',
  'attacks/text/terminal',
  'attacks/http/fuzz',
  'faults/start-refused',
  'web/oauth-pages',
  'web/console-pages',
  'documentation/page',
  'web/files',
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
