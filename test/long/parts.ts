/** A part of `npm run test:long`: what it shows, and the tests that show it. */
export interface Part {
  /** What `npm run test:long -- NAME` asks for. */
  readonly name: string
  readonly what: string
  /** Test files, from the root; undefined for a part that is not a run of test files. */
  readonly files?: readonly string[]
  /** How often its tests repeat what they try, unless `--rounds` says otherwise. */
  readonly rounds?: number
}

const faults = (...names: string[]) => names.map((name) => `test/faults/${name}.test.ts`)
const oauth = (...names: string[]) => names.map((name) => `test/oauth/${name}.test.ts`)

/** Every part, in the order in which they run. */
export const parts: readonly Part[] = [
  {
    name: 'kill',
    what: 'kill -9 under load loses no acknowledged write',
    files: faults('kill', 'snapshot-kill'),
    rounds: 50,
  },
  {
    name: 'power-cut',
    what: 'a power cut loses no acknowledged write',
    files: faults('power-cut'),
    rounds: 180,
  },
  {
    name: 'single-use',
    what: 'a code, a refresh token or a device code that many use at once is good for one',
    files: [...faults('two-nodes'), ...oauth('authorization-code', 'refresh', 'device')],
    rounds: 100,
  },
  {
    name: 'webhooks',
    what: 'a sender that is killed loses no event and repeats the same bytes',
    files: faults('webhooks'),
    rounds: 500,
  },
  {
    name: 'sigterm',
    what: 'SIGTERM under load cuts no answer and ends within 5 s',
    files: faults('terminate'),
    rounds: 20,
  },
  {
    name: 'postgres-faults',
    what: 'Postgres that restarts, kills backends or is cut off loses no acknowledged write',
    files: [
      ...faults('postgres-restarts', 'postgres-conflicts', 'postgres-backends'),
      'test/faults/cut-off.long.ts',
    ],
    rounds: 20,
  },
  {
    name: 'backup',
    what: 'a backup under load stops nobody and holds what was acknowledged before it',
    files: ['test/faults/backup.long.ts'],
  },
  {
    name: 'migrations',
    what: 'migrations that start together or are killed are applied once',
    files: [...faults('start-together'), 'test/unit/db/migrate.test.ts'],
    rounds: 20,
  },
  {
    name: 'node-versions',
    what: 'the client, the commands and the server run on the other supported versions of Node.js',
  },
  {
    name: 'postgres',
    what: 'all of `npm test` passes on Postgres',
  },
]
