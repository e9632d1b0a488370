import { testNodeVersions } from './node-versions.ts'
import { type Result, runVitest } from './run-vitest.ts'

/** A part of `npm run test:long`. */
export interface Part {
  /** NAME in `npm run test:long -- NAME`. */
  readonly name: string
  readonly what: string
  /** Paths of test files below `test/`, without their ending. */
  readonly files?: readonly string[]
  /** Runs a part that has no `files`. */
  readonly run?: () => Promise<Result>
  /** Default of `--rounds`: how often its tests repeat. */
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
    what: 'a code, refresh token or device code used by many requests at once works exactly once',
    files: [
      ...['oauth/authorization-code', 'oauth/refresh', 'oauth/device'],
      ...['oauth/ends', 'oauth/apps/races'],
    ],
    rounds: 100,
  },
  {
    name: 'webhooks',
    what: 'a killed webhook sender loses no event and repeats the same bytes',
    files: ['faults/webhooks'],
    rounds: 500,
  },
  {
    name: 'sigterm',
    what: 'SIGTERM under load truncates no response and stops the server within 5 s',
    files: ['faults/terminate'],
    rounds: 20,
  },
  {
    name: 'postgres-faults',
    what: 'a Postgres restart, killed connections or a network outage lose no acknowledged write',
    files: ['faults/postgres'],
    rounds: 20,
  },
  {
    name: 'busy-machine',
    what: 'one caller is never refused on a machine with eight busy loops and four disk writers',
    files: ['faults/busy-machine.long'],
    rounds: 300,
  },
  {
    name: 'backup',
    what: 'a backup under load contains every write acknowledged before it',
    files: ['faults/backup'],
  },
  {
    name: 'fuzz',
    what: 'every operation returns only responses of the contract for random requests',
    files: ['attacks/http/fuzz', 'attacks/keys/keys'],
    rounds: 50,
  },
  {
    name: 'properties',
    what: 'random front matter, meetings and recurrences satisfy their invariants',
    files: ['text/complete', 'meetings/meetings', 'meetings/recurrence'],
    rounds: 1000,
  },
  {
    name: 'pauses',
    what: 'hostile files, readmes and front matter pause the event loop only briefly',
    files: ['attacks/text/bounds.long'],
    rounds: 2000,
  },
  {
    name: 'scale',
    what: '11,970 real skills are imported in bounded memory',
    files: ['operator/importing/real-skills.long'],
  },
  {
    name: 'installers',
    what: 'unmodified npx skills and clawhub install exactly the published bytes',
    files: ['third-party/skills', 'third-party/private-skills', 'third-party/clawhub.long'],
  },
  {
    name: 'packed',
    what: 'the packed server works in an empty project that npm installs it in',
    files: ['double/packed'],
  },
  {
    name: 'mcp',
    what: 'the conformance suite of MCP passes, except scenarios that do not apply, and mcp-remote signs in',
    files: ['third-party/mcp-conformance.long', 'third-party/mcp-remote.long'],
  },
  {
    name: 'generators',
    what: 'clients that generators make of the OpenAPI document get a token',
    files: ['third-party/generators.long'],
  },
  {
    name: 'node-versions',
    what: 'the client, the commands and the server run on the other supported Node.js versions',
    run: testNodeVersions,
  },
  {
    name: 'postgres',
    what: 'all of `npm test` passes on Postgres',
    run: () => runVitest({ env: { TEST_ENGINE: 'postgres' } }),
  },
]

/** Returns the path of a part's file, relative to the root. */
export const pathOf = (file: string): string =>
  `test/${file}${file.endsWith('.long') ? '' : '.test'}.ts`
