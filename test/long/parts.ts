import { testNodeVersions } from './node-versions.ts'
import { type Result, runVitest } from './run-vitest.ts'

/** A part of `npm run test:long`: what it shows, and the tests that show it. */
export interface Part {
  /** What `npm run test:long -- NAME` asks for. */
  readonly name: string
  readonly what: string
  /** Test files without their ending, from `test/`. */
  readonly files?: readonly string[]
  /** Runs a part that is not a run of such files. */
  readonly run?: () => Promise<Result>
  /** How often its tests repeat what they try, unless `--rounds` says otherwise. */
  readonly rounds?: number
}

/** Every part, in the order in which they run. */
export const parts: readonly Part[] = [
  {
    name: 'kill',
    what: 'kill -9 under load loses no acknowledged write',
    files: ['faults/kill'],
    rounds: 50,
  },
  {
    name: 'power-cut',
    what: 'a power cut loses no acknowledged write',
    files: ['faults/power-cut'],
    rounds: 180,
  },
  {
    name: 'single-use',
    what: 'a code, a refresh token or a device code that many use at once is good for one',
    files: ['faults/two-nodes', 'oauth/ends', 'apps/races'],
    rounds: 100,
  },
  {
    name: 'webhooks',
    what: 'a sender that is killed loses no event and repeats the same bytes',
    files: ['faults/webhooks'],
    rounds: 500,
  },
  {
    name: 'sigterm',
    what: 'SIGTERM under load cuts no answer and ends within 5 s',
    files: ['faults/terminate'],
    rounds: 20,
  },
  {
    name: 'postgres-faults',
    what: 'a Postgres that restarts, kills backends or is cut off loses no acknowledged write',
    files: ['faults/postgres'],
    rounds: 20,
  },
  {
    name: 'busy-machine',
    what: 'one caller is never refused beside eight busy loops and four disk writers',
    files: ['faults/busy-machine.long'],
    rounds: 300,
  },
  {
    name: 'backup',
    what: 'a backup under load holds every write acknowledged before it',
    files: ['faults/backup'],
  },
  {
    name: 'fuzz',
    what: 'every operation answers random requests as the contract declares',
    files: ['attacks/http/fuzz', 'attacks/keys/keys'],
    rounds: 50,
  },
  {
    name: 'properties',
    what: 'random front matter, meetings and recurrences keep their properties',
    files: ['skills/frontmatter/complete', 'platform/meetings', 'platform/recurrence'],
    rounds: 1000,
  },
  {
    name: 'pauses',
    what: 'hostile files, readmes and front matter are taken in and shown, and the longest pause of the event loop is told',
    files: ['attacks/text/bounds.long'],
    rounds: 2000,
  },
  {
    name: 'scale',
    what: '11,970 real skills are imported within a bound of memory',
    files: ['importing/real-skills.long'],
  },
  {
    name: 'installers',
    what: 'unmodified npx skills and clawhub install skills byte for byte',
    files: ['third-party/skills.long', 'third-party/clawhub.long'],
  },
  {
    name: 'node-versions',
    what: 'the client, the commands and the server run on the other supported versions of Node.js',
    run: testNodeVersions,
  },
  {
    name: 'postgres',
    what: 'all of `npm test` passes on Postgres',
    run: () => runVitest({ env: { TEST_ENGINE: 'postgres' } }),
  },
]

/** The path of a part's file, from the root. */
export const pathOf = (file: string): string =>
  `test/${file}${file.endsWith('.long') ? '' : '.test'}.ts`
