import { test } from 'vitest'
import { isLong } from '../support/rounds.ts'
import { fetchCommand, type StockCommand, skillsOnNode20 } from '../support/stock-command.ts'

/** The newest version requires another Node.js, which only `npm run test:long` installs. */
const newest = { name: 'skills', version: '1.7.4', script: 'bin/cli.mjs' }

/** Returns the versions of `npx skills` to test. They are removed after the file's tests. */
export async function fetchInstallers(): Promise<StockCommand[]> {
  const newer = isLong ? await fetchCommand(newest, '22.23.3') : undefined
  if (newer && 'missing' in newer) test.skip(`skills 1.7.4 is not run: ${newer.missing}`, () => {})
  return [skillsOnNode20, ...(newer && !('missing' in newer) ? [newer] : [])]
}
