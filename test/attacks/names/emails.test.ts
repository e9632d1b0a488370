import { describe, expect, test } from 'vitest'
import { startAccountUsers } from '../../support/account-users.ts'
import { declare, password } from '../../support/apps.ts'
import { engine } from '../../support/databases.ts'
import { refused } from '../../support/platform.ts'

describe('emails with invisible characters', async () => {
  const server = await startAccountUsers(engine)
  const staff = await server.tokenOf('Staff', 'admin@group.test')
  const add = (email: string) => {
    const body = { action: 'create', user_info: { email, type: 1 } }
    return server.call(staff, '/v2/users', { method: 'POST', body })
  }
  const apply = (account: object) => declare(server, { accounts: [{ name: 'Hidden', ...account }] })
  const emails = async () => {
    const users = await server.ctx.db.read.selectFrom('users').select('email').execute()
    return users.map(({ email }) => email)
  }

  test.each([
    ['U+202E RIGHT-TO-LEFT OVERRIDE', '\u202e'],
    ['U+E0041 TAG CHARACTER', '\u{e0041}'],
  ])(
    'an email with %s is refused by API and by apply, with the character’s name',
    async (name, character) => {
      const before = await emails()
      for (const email of [`a${character}b@group.test`, `a@gr${character}oup.test`]) {
        const answer = await add(email)
        expect(refused(answer)).toBe('400 300 user_info.email')
        expect(answer.text).toContain(name)
        await expect(apply({ users: [{ email, password }] })).rejects.toThrow(
          `accounts[0].users[0].email: must not hold ${name}`,
        )
      }
      await expect(apply({ domains: [`gr${character}oup.test`] })).rejects.toThrow(
        `accounts[0].domains[0]: must not hold ${name}`,
      )
      expect(await emails()).toEqual(before)
    },
  )
})
