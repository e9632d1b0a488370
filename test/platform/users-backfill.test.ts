import { migrateDown, migrateUp } from '@skillpass/server/db/migrations/migrate'
import { findMeeting } from '@skillpass/server/platform/store/meetings'
import { findUser } from '@skillpass/server/platform/store/users'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { engines, openTestDatabase } from '../support/databases.ts'

describe.each(engines)('users of before there were meetings, on %s', (engine) => {
  test('get a profile, a number of their own and a personal meeting behind it', async () => {
    const { db, remove } = await openTestDatabase(engine)
    onTestFinished(remove)
    while ((await migrateDown(db)) !== '0004-meetings-and-webhooks') {}
    const names = Array.from({ length: 200 }, (_, i) => `user-${i}`)
    await db.write(async (trx) => {
      await sql`insert into accounts (id, name, master_account_id, require_app_approval, created_at)
        values ('account', 'Acme', null, 0, 1)`.execute(trx)
      for (const name of names) {
        const removedAt = name === 'user-7' ? 5 : null
        await sql`insert into users (id, account_id, email, email_key, password_hash, role,
            first_name, last_name, created_at, last_login_at, removed_at)
          values (${name}, 'account', ${`${name}@testAccounts.test`}, ${`${name}@testAccounts.test`}, 'hash',
            'member', 'First', 'Last', 1, null, ${removedAt})`.execute(trx)
      }
    })

    expect(await migrateUp(db)).toContain('0004-meetings-and-webhooks')

    const numbers = new Set<number>()
    const passwords = new Set<string>()
    for (const name of names.filter((one) => one !== 'user-7')) {
      const user = await findUser(db.read, name)
      expect(user).toMatchObject({
        type: 1,
        firstName: 'First',
        displayName: '',
        timezone: 'UTC',
        language: 'en-US',
        dept: '',
        company: '',
        jobTitle: '',
        location: '',
      })
      expect(String(user?.pmi)).toMatch(/^[1-9]\d{9}$/)
      const meeting = await findMeeting(db.read, user?.pmi ?? 0)
      expect(meeting).toMatchObject({
        hostId: name,
        accountId: 'account',
        type: 4,
        topic: 'Personal Meeting Room',
      })
      numbers.add(user?.pmi ?? 0)
      passwords.add(meeting?.password ?? '')
    }
    expect(numbers.size).toBe(199)
    expect(passwords.size).toBe(199)

    // Who was removed is found no more, and the number is good for nobody else either.
    const { rows } = await sql<{ pmi: number }>`select pmi from users`.execute(db.read)
    expect(new Set(rows.map(({ pmi }) => pmi)).size).toBe(200)
  })

  test('lose both with the migration, and get new ones with the next', async () => {
    const { db, remove } = await openTestDatabase(engine)
    onTestFinished(remove)
    await db.write((trx) =>
      trx
        .insertInto('accounts')
        .values({
          id: 'account',
          name: 'Acme',
          master_account_id: null,
          require_app_approval: 0,
          created_at: 1,
        })
        .execute(),
    )
    while ((await migrateDown(db)) !== '0004-meetings-and-webhooks') {}
    await db.write((trx) =>
      sql`insert into users (id, account_id, email, email_key, password_hash, role, first_name,
          last_name, created_at) values ('one', 'account', 'a@b', 'a@b', 'hash', 'owner', '', '', 1)`.execute(
        trx,
      ),
    )
    await migrateUp(db)
    const first = await findUser(db.read, 'one')
    while ((await migrateDown(db)) !== '0004-meetings-and-webhooks') {}
    const { rows } = await sql<object>`select * from users`.execute(db.read)
    expect(rows).toEqual([expect.not.objectContaining({ pmi: expect.anything() })])
    await migrateUp(db)
    const second = await findUser(db.read, 'one')
    expect({ ...second, pmi: 0 }).toEqual({ ...first, pmi: 0 })
    expect(await findMeeting(db.read, second?.pmi ?? 0)).toMatchObject({ hostId: 'one' })
  })
})
