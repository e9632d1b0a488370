import { join } from 'node:path'
import { fileTokenStore } from '@skillpass/client/node'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { roundsOf } from '../support/rounds.ts'
import { startExampleServer, success } from './oauth-examples.ts'

const { member, start } = await startExampleServer()

test('processes of device.ts that refresh at once over one file all get tokens', async () => {
  const path = join(await temporaryFolder(), 'shared.json')
  const env = { SKILLPASS_TOKENS: path }
  const first = start('device.ts', 'Scheduler', env)
  const [, userCode = ''] = /enter (\S+)\.$/.exec(await first.line()) ?? []
  await member.enterCode(userCode)
  await first.ended
  const store = fileTokenStore(path)
  for (let round = 0; round < roundsOf(3); round++) {
    const old = await store.load()
    if (!old) throw new Error('No tokens were kept.')
    await store.save({ ...old, expiresAt: 0 })
    const workers = Array.from({ length: 4 }, () => start('device.ts', 'Scheduler', env))
    for (const worker of workers) {
      expect(await worker.line()).toBe('Signed in as member Tester.')
      expect(await worker.ended).toEqual(success)
    }
    expect((await store.load())?.refreshToken).not.toBe(old.refreshToken)
  }
})
