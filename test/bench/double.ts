import { createSkillpass } from '@skillpass/server/testing'
import { OAuth2Server } from 'oauth2-mock-server'
import { testAccounts } from '../support/apps.ts'
import { median } from './load.ts'
import { printTable } from './table.ts'

const rounds = 100

/**
 * Measures how long the double takes to start and to reset after a change, beside
 * oauth2-mock-server, which has no platform and no reset.
 */
export async function benchDouble(): Promise<void> {
  const runs: Record<'start' | 'reset' | 'peer', number>[] = []
  // The first round loads the modules.
  for (let round = 0; round <= rounds; round++) {
    const [double, start] = await timed(() => createSkillpass({ seed: testAccounts }))
    await double.authorize({ app: 'Scheduler', user: 'member@acme.test' })
    const [, reset] = await timed(double.reset)
    await double.close()
    const [server, peer] = await timed(startPeer)
    await server.stop()
    runs.push({ start, reset, peer })
  }
  const row = (of: 'start' | 'reset' | 'peer') => {
    const sorted = runs.slice(1).map((run) => run[of])
    return [median(sorted), Math.min(...sorted), Math.max(...sorted)]
  }
  printTable(
    `The double in the process of a test, ${rounds} rounds, ms`,
    ['', 'median', 'least', 'most'],
    [
      ['skillpass starts, with 14 apps', ...row('start')],
      ['skillpass resets', ...row('reset')],
      ['oauth2-mock-server starts, with a key', ...row('peer')],
    ],
  )
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now()
  const result = await work()
  return [result, performance.now() - started]
}

async function startPeer(): Promise<OAuth2Server> {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  return server
}
