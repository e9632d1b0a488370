import { UniqueViolation } from '@skillpass/server/db/errors'
import type { Database, Db, Order } from '@skillpass/server/db/open'
import { writeChange } from '@skillpass/server/registry/store/revision'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { engines } from '../../support/databases.ts'
import { openPatiently } from './open-patiently.ts'
import { patientDatabase } from './patient-database.ts'

describe.each(engines)('writes in order on %s', async (engine) => {
  const { db, url } = await patientDatabase(engine)

  const add = (trx: Db, id: string, at = 0) =>
    trx
      .insertInto('agents')
      .values({ id, username: id, display_name: null, bio: null, created_at: at })
      .execute()
  const kept = async (prefix: string) => {
    const rows = db.read.selectFrom('agents').select(['id', 'created_at'])
    return rows.where('id', 'like', `${prefix}-%`).orderBy('created_at').execute()
  }

  test('each write in order has its own number, and numbers grow in the order of the calls', async () => {
    const writes = Array.from({ length: 200 }, (_, i) =>
      writeChange(db, async (trx, revision) => {
        await add(trx, `own-${i}`, revision)
        return revision
      }),
    )
    const numbers = await Promise.all(writes)
    expect(new Set(numbers).size).toBe(200)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect((await kept('own')).map((row) => row.created_at)).toEqual(numbers)
  })

  test('a write in order that fails is undone alone, whether its work or a statement of it fails', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, i) =>
        writeChange(db, async (trx) => {
          await add(trx, `alone-${i}`)
          if (i % 5 === 1) throw new Error('refused')
          if (i % 5 === 2) await add(trx, `alone-${i}`)
        }),
      ),
    )
    const good = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [`alone-${i}`] : []))
    expect(good).toHaveLength(18)
    expect((await kept('alone')).map(({ id }) => id).sort()).toEqual(good.sort())
  })

  test('a write in order whose caller has left never begins, and the others do', async () => {
    let begun = 0
    const order: Order = { take: async () => 1 }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        db.writeInOrder(order, async () => void begun++, {
          signal: i % 3 === 0 ? AbortSignal.abort() : undefined,
        }),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(4)
    expect(begun).toBe(8)
  })

  test.runIf(engine === 'postgres')('a write in order runs again after a deadlock', async () => {
    let tries = 0
    const raise = sql.raw(`do $$ begin raise exception using errcode = '40P01'; end $$`)
    const beside = writeChange(db, (trx) => add(trx, 'dead-beside'))
    await writeChange(db, async (trx) => {
      tries++
      await add(trx, 'dead-lock')
      if (tries === 1) await raise.execute(trx)
    })
    await beside
    expect(tries).toBe(2)
    expect(await kept('dead')).toHaveLength(2)
  })

  test.runIf(engine === 'postgres')(
    'two nodes that add to one number in order lose no step',
    async () => {
      const other = await openPatiently(url)
      await db.write((trx) => add(trx, 'sum-1'))
      const addOne = (node: Database) =>
        writeChange(node, async (trx, revision) => {
          const rows = trx.selectFrom('agents').select('created_at').where('id', '=', 'sum-1')
          const { created_at } = await rows.executeTakeFirstOrThrow()
          const raised = trx.updateTable('agents').set({ created_at: created_at + 1 })
          await raised.where('id', '=', 'sum-1').execute()
          return { step: created_at, revision }
        })
      const steps = 100
      const nodes = [db, other]
      const done = await Promise.all(
        Array.from({ length: steps }, (_, i) => addOne(nodes[i % 2] ?? db)),
      ).finally(() => other.close())
      expect((await kept('sum'))[0]?.created_at).toBe(steps)
      const byRevision = done.sort((a, b) => a.revision - b.revision)
      expect(byRevision.map(({ step }) => step)).toEqual(Array.from({ length: steps }, (_, i) => i))
    },
  )

  test('a write that is one statement is kept, and fails like any other', async () => {
    const once = () => db.writeOnce((trx) => add(trx, 'once-1'))
    await once()
    expect(await kept('once')).toHaveLength(1)
    await expect(once()).rejects.toBeInstanceOf(UniqueViolation)
  })

  test.runIf(engine === 'postgres')(
    'a second statement in a write of one statement is refused',
    async () => {
      const twice = db.writeOnce(async (trx) => {
        await add(trx, 'twice-1')
        await add(trx, 'twice-2')
      })
      await expect(twice).rejects.toThrow('asked for a second one')
      expect((await kept('twice')).map(({ id }) => id)).toEqual(['twice-1'])
    },
  )
})
