import type { Db } from '@skillpass/server/testing'
import { UniqueViolation } from '@skillpass/server/testing'
import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { createGate } from '../support/waiting.ts'
import { createDatabaseWithLongTimeouts } from './long-timeouts.ts'

describe.each(engines)('a database on %s', async (engine) => {
  const { db } = await createDatabaseWithLongTimeouts(engine)

  const addAgent = (trx: Db, id: string, username = id) =>
    trx.insertInto('agents').values(agent(id, username)).execute()
  const find = (id: string, on: Db = db.read) =>
    on.selectFrom('agents').select('id').where('id', '=', id).executeTakeFirst()

  test('a write is visible to every read from the moment its promise resolves', async () => {
    for (let i = 0; i < 20; i += 1) {
      await db.write((trx) => addAgent(trx, `seen-${i}`))
      expect(await find(`seen-${i}`)).toEqual({ id: `seen-${i}` })
    }
  })

  test('a failing write is rolled back without affecting the other writes of its batch', async () => {
    const writes = Array.from({ length: 20 }, (_, i) =>
      db.write(async (trx) => {
        await addAgent(trx, `beside-${i}`)
        if (i % 5 === 0) throw new Error(`refused ${i}`)
        return i
      }),
    )
    const outcomes = await Promise.allSettled(writes)
    for (const [i, outcome] of outcomes.entries()) {
      const kept = i % 5 !== 0
      expect(outcome.status).toBe(kept ? 'fulfilled' : 'rejected')
      expect(await find(`beside-${i}`)).toEqual(kept ? { id: `beside-${i}` } : undefined)
    }
  })

  test('a unique violation names the table and the columns of the key', async () => {
    await db.write((trx) => addAgent(trx, 'first', 'taken'))
    const again = db.write((trx) => addAgent(trx, 'second', 'taken'))
    await expect(again).rejects.toBeInstanceOf(UniqueViolation)
    await expect(again).rejects.toMatchObject({ table: 'agents', columns: ['username'] })
    const samePrimaryKey = db.write((trx) => addAgent(trx, 'first', 'other'))
    await expect(samePrimaryKey).rejects.toMatchObject({ table: 'agents', columns: ['id'] })
  })

  test('a write whose query failed fails, even if its work swallows the error', async () => {
    const write = db.write(async (trx) => {
      await addAgent(trx, 'swallowed')
      await addAgent(trx, 'swallowed').catch(() => {})
    })
    await expect(write).rejects.toBeInstanceOf(UniqueViolation)
    expect(await find('swallowed')).toBeUndefined()
  })

  test('reads succeed during an open transaction and do not see its changes', async () => {
    const added = createGate()
    const mayEnd = createGate()
    const write = db.write(async (trx) => {
      await addAgent(trx, 'unseen')
      added.open()
      await mayEnd.opened
    })
    await added.opened
    // The write ends only after this read, so a read that waited for it would hang.
    expect(await find('unseen')).toBeUndefined()
    mayEnd.open()
    await write
    expect(await find('unseen')).toEqual({ id: 'unseen' })
  })
})

function agent(id: string, username: string) {
  return { id, username, display_name: null, bio: null, created_at: 1_700_000_000_000 }
}
