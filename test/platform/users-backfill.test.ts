import { migrateDown, migrateUp } from '@skillpass/server/db/migrations/migrate'
import { findMeeting } from '@skillpass/server/platform/store/meetings'
import { findUser } from '@skillpass/server/platform/store/users'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { engines, openTestDatabase } from '../support/databases.ts'

describe.each(engines)('users from before there were meetings, on %s', (engine) => {
  test('the migration gives each user a profile, a number and a personal meeting', async () => {
    const { db, remove } = await openTestDatabase(engine)
    onTestFinished(remove)
    while ((await migrateDown(db)) !== '0004-meetings-and-webhooks') {}
    const names = Array.from({ length: 30 }, (_, i) => `user-${i}`)
    await db.write(async (trx) => {
      await sql`insert into accounts (id, name, master_account_id, require_app_approval, created_at)
        values ('account', 'Acme', null, 0, 1)`.execute(trx)
      for (const name of names) {
        const removedAt = name === 'user-7' ? 5 : null
        await sql`insert into users (id, account_id, email, email_key, password_hash, role,
            first_name, last_name, created_at, last_login_at, removed_at)
          values (${name}, 'account', ${`${name}@acme.test`}, ${`${name}@acme.test`}, 'hash',
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
    expect(numbers.size).toBe(29)
    expect(passwords.size).toBe(29)

    // A removed user keeps a number, so that nobody else gets it.
    const { rows } = await sql<{ pmi: number }>`select pmi from users`.execute(db.read)
    expect(new Set(rows.map(({ pmi }) => pmi)).size).toBe(30)
  })
})
