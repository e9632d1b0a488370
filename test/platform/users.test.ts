import { createClient } from '@skillpass/client'
import { findMeeting } from '@skillpass/server/platform/store/meetings'
import { findUser } from '@skillpass/server/platform/store/users'
import { describe, expect, test } from 'vitest'
import { startAccountUsers } from '../support/account-users.ts'
import { declare } from '../support/apps.ts'
import { authUrl } from '../support/oauth-server.ts'
import { refused } from '../support/platform.ts'

const profile = {
  first_name: 'Měřička',
  last_name: '🧩',
  display_name: 'M. from sales',
  timezone: 'Europe/Prague',
  language: 'cs-CZ',
  dept: 'Sales',
  company: 'Group Ltd',
  job_title: 'Head of Sales',
  location: 'Brno',
}

describe('a user', async () => {
  const server = await startAccountUsers()
  const { call, idOf, tokenOf } = server
  const own = await tokenOf('Own', 'member@group.test')
  const staff = await tokenOf('Staff', 'admin@group.test')
  const above = await tokenOf('Above', 'owner@group.test')
  const recordOf = async (id: string) => {
    const user = await findUser(server.ctx.db.read, id)
    const meeting = user && (await findMeeting(server.ctx.db.read, user.pmi))
    if (!user || !meeting) throw new Error(`There is no user ${id} with a meeting.`)
    return { user, meeting }
  }
  const patch = (accessToken: string, body: unknown, id = 'me') =>
    call(accessToken, `/v2/users/${id}`, { method: 'PATCH', body })

  describe('reading', () => {
    test('the profile of me has every field, and the personal meeting with its password', async () => {
      const id = idOf('member@group.test')
      const { user, meeting } = await recordOf(id)
      const passcode = server.ctx.encryption.open('passcode', meeting.uuid, meeting.password)
      const { platform } = createClient({ baseUrl: server.url, accessToken: own, retries: 0 })
      expect(await platform.users.get({ params: { userId: 'me' } })).toEqual({
        id,
        account_id: server.accountId('Group'),
        account_name: 'Group',
        email: 'member@group.test',
        first_name: 'member',
        last_name: 'Tester',
        display_name: 'member Tester',
        type: 1,
        role_name: 'Member',
        status: 'active',
        pmi: user.pmi,
        timezone: 'UTC',
        language: 'en-US',
        dept: '',
        company: '',
        job_title: '',
        location: '',
        pic_url: '',
        verified: 1,
        created_at: new Date(user.createdAt).toISOString(),
        last_login_time: new Date(user.lastLoginAt ?? 0).toISOString(),
        personal_meeting_url: `${authUrl}/meetings/${user.pmi}?pwd=${passcode}`,
      })
      expect(String(user.pmi)).toMatch(/^[1-9]\d{9}$/)
      expect(meeting).toMatchObject({ type: 4, hostId: id, accountId: user.accountId })
    })

    test('nobody else reads the password of the personal meeting', async () => {
      const id = idOf('member@group.test')
      const { user } = await recordOf(id)
      const machine = await server.machineToken('Machine', 'Group')
      for (const accessToken of [staff, machine]) {
        const { body } = await call(accessToken, `/v2/users/${id}`)
        expect(body.personal_meeting_url).toBe(`${authUrl}/meetings/${user.pmi}`)
      }
      const { body } = await call(machine, '/v2/users/me')
      expect(body).toMatchObject({ email: 'owner@group.test' })
      expect(body.personal_meeting_url).not.toContain('pwd')
    })
  })

  describe('changing', () => {
    test('a change of a profile sets the fields of its body and leaves the others', async () => {
      const id = await server.add('changed@group.test')
      const token = await tokenOf('Own', 'changed@group.test')
      const { platform } = createClient({ baseUrl: server.url, accessToken: token, retries: 0 })
      await platform.users.update({ params: { userId: 'me' }, body: profile })
      const before = await call(token, '/v2/users/me')
      expect(before.body).toMatchObject({ id, ...profile })

      const answer = await patch(token, { dept: 'Support', display_name: '' })
      expect([answer.status, answer.text]).toEqual([204, ''])
      const { body } = await call(token, '/v2/users/me')
      const changed = { dept: 'Support', display_name: 'Měřička 🧩' }
      expect(body).toEqual({ ...before.body, ...changed })
    })

    test('null changes nothing, and neither does an empty timezone or language', async () => {
      await server.add('lenient@group.test')
      const token = await tokenOf('Own', 'lenient@group.test')
      expect((await patch(token, profile)).status).toBe(204)
      const before = await call(token, '/v2/users/me')
      const nothing = Object.fromEntries(Object.keys(profile).map((name) => [name, null]))
      expect((await patch(token, nothing)).status).toBe(204)
      expect((await patch(token, { timezone: '', language: '' })).status).toBe(204)
      expect((await call(token, '/v2/users/me')).body).toEqual(before.body)
      expect((await patch(token, { dept: null, company: '', timezone: '' })).status).toBe(204)
      expect((await call(token, '/v2/users/me')).body).toEqual({ ...before.body, company: '' })
    })

    const nul = 'a\u0000b'
    const lone = '{"company":"\\ud800"}'
    const bad: [string, unknown, string][] = [
      ['a zone that is none', { timezone: 'Mars/Olympus' }, 'timezone'],
      ['a first name of 65 characters', { first_name: 'x'.repeat(65) }, 'first_name'],
      ['NUL', { first_name: nul }, 'first_name'],
      ['a lone surrogate', lone, 'company'],
      ['a number for a text', { dept: 1 }, 'dept'],
      ['a field that nobody knows', { nickname: 'x' }, 'nickname'],
      ['two unknown fields', { a: 1, b: 2 }, 'a b'],
      ['role', { role: 'owner' }, 'role'],
      ['email', { email: 'mine@group.test' }, 'email'],
      ['password', { password: 'correct horse staple' }, 'password'],
      ['null', 'null', ''],
      ['what is no JSON', '{"dept":', ''],
    ]
    test.each(bad)('a change with %s is 300 and changes nothing', async (_, body, fields) => {
      const before = await call(own, '/v2/users/me')
      const answer = await patch(own, body)
      expect(refused(answer).trim()).toBe(`400 300 ${fields}`.trim())
      expect((await call(own, '/v2/users/me')).body).toEqual(before.body)
    })
  })

  describe('access to users', () => {
    /** Every route that names a user, with its answer to those who may. */
    const routes: [string, string, number][] = [
      ['GET', '', 200],
      ['PATCH', '', 204],
      ['GET', '/token', 200],
    ]
    for (const [method, rest, good] of routes) {
      const route = `${method} /v2/users/{userId}${rest}`
      const send = (accessToken: string, id: string) =>
        call(accessToken, `/v2/users/${id}${rest}`, {
          method,
          ...(method === 'PATCH' ? { body: {} } : {}),
        })

      test(`${route} of another user needs an admin scope`, async () => {
        const colleague = idOf('other@group.test')
        const foreign = await send(own, colleague)
        expect(refused(foreign)).toBe('403 4711')
        expect(foreign.headers.get('www-authenticate')).toMatch(
          /^Bearer .*error="insufficient_scope"/,
        )
        expect(foreign.body.message).toMatch(/does not contain scopes:\[user:\S+:admin, .*:master/)
        expect((await send(staff, colleague)).status).toBe(good)
      })

      test(`${route} takes an email in any case for an id`, async () => {
        expect((await send(own, 'MEMBER@group.test')).status).toBe(good)
        expect((await send(staff, 'Other@Group.TEST')).status).toBe(good)
        expect((await send(staff, 'other%40group.test')).status).toBe(good)
        expect((await send(above, 'member@company.test')).status).toBe(good)
        const colleague = await send(own, idOf('other@group.test'))
        for (const name of ['other@group.test', 'member@other.test', 'nobody@group.test', '@']) {
          expect((await send(own, name)).text).toBe(colleague.text)
        }
        const unknown = await send(staff, 'unknown')
        expect(refused(unknown)).toBe('404 1001')
        const names = ['member@other.test', 'member@company.test', 'nobody@group.test', 'a%00@b']
        for (const name of names) expect((await send(staff, name)).text).toBe(unknown.text)
        expect(refused(await send(above, 'member@group.test'))).toBe('404 1001')
      })

      test(`${route} answers a user scope alike for users of other accounts and unknown ones`, async () => {
        const answers = [idOf('member@other.test'), 'unknown', idOf('member@company.test')]
        const colleague = await send(own, idOf('other@group.test'))
        for (const id of answers) expect((await send(own, id)).text).toBe(colleague.text)
      })

      test(`${route} with an admin scope reaches neither other accounts nor sub-accounts`, async () => {
        for (const email of ['member@other.test', 'owner@acme.test', 'member@company.test']) {
          expect(refused(await send(staff, idOf(email)))).toBe('404 1001')
        }
        expect(refused(await send(staff, 'unknown'))).toBe('404 1001')
        expect(refused(await send(staff, 'a%00b'))).toBe('404 1001')
      })

      test(`${route} with a master scope reaches sub-accounts, and no other user of its own`, async () => {
        expect((await send(above, idOf('member@company.test'))).status).toBe(good)
        for (const email of ['member@group.test', 'member@other.test']) {
          expect(refused(await send(above, idOf(email)))).toBe('404 1001')
        }
        expect((await send(above, 'me')).status).toBe(good)
      })

      test(`${route} of me with an account token is for the head of the account`, async () => {
        const machine = await server.machineToken('Machine', 'Group')
        expect((await send(machine, 'me')).status).toBe(good)
      })
    }

    test('a former admin reaches the own profile alone', async () => {
      const email = 'former@group.test'
      const id = await server.add(email, 'admin')
      const token = await tokenOf('Staff', email)
      const colleague = idOf('other@group.test')
      expect((await patch(token, { dept: 'Before' }, colleague)).status).toBe(204)
      await declare(server, { accounts: [{ name: 'Group', users: [{ email, role: 'member' }] }] })
      const refusal = await patch(token, { dept: 'After' }, colleague)
      expect(refused(refusal)).toBe('403 4711')
      expect(refusal.body.message).toContain('Admin scopes count while the user is an admin')
      expect((await recordOf(colleague)).user.dept).toBe('Before')
      expect((await patch(token, { dept: 'Own' }, id)).status).toBe(204)
    })
  })
})
