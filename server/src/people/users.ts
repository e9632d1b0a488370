import type { NewUser, ProfileChanges, platformContract } from '@skillpass/contract'
import type { z } from 'zod'
import { memberParty, record, userParty } from '../audit/record.ts'
import { UniqueViolation } from '../db/errors.ts'
import { readPage, textPlace } from '../db/page-token.ts'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import { findDomainAccount } from '../store/platform/accounts.ts'
import * as store from '../store/platform/users.ts'
import { domainOf, type UserRecord } from '../store/platform/users.ts'
import { toCamel } from '../text/case.ts'
import { type Bearer, findVisibleAccount } from './bearer.ts'
import { joinUrl, passcodeOf } from './meeting-number.ts'
import { makeUser, type UserParts } from './user-changes.ts'

export type UserDetails = Awaited<ReturnType<typeof describeUserDetails>>

/**
 * Returns the name of the user's account and the address of the personal meeting. The address
 * contains the passcode only if the token belongs to the user.
 */
export async function describeUserDetails(ctx: Context, bearer: Bearer, user: UserRecord) {
  const found = await store.findAccountAndMeeting(ctx.db.read, user)
  const { accountName = '', uuid, password } = found ?? {}
  const isOpen = bearer.userId === user.id && uuid && password
  const passcode = isOpen ? passcodeOf(ctx, { uuid, password }) : undefined
  return { accountName, personalMeetingUrl: joinUrl(ctx.config, user.pmi, passcode) }
}

/** Changes a user's profile. Undefined fields keep their values. */
export async function updateUser(
  ctx: Context,
  user: UserRecord,
  changes: z.output<typeof ProfileChanges>,
): Promise<void> {
  await ctx.db.write((trx) => store.updateUserFields(trx, user.id, toCamel(changes)))
}

/** Returns a page of an account's users. Throws validation_failed and like `findVisibleAccount`. */
export async function listUsers(
  ctx: Context,
  bearer: Bearer,
  query: z.output<typeof platformContract.users.list.query>,
) {
  const { account_id, status, page_size, next_page_token } = query
  const account = await findVisibleAccount(ctx, bearer, account_id)
  const page = await readPage(
    `users ${account.id} ${status}`,
    textPlace,
    { after: next_page_token, limit: page_size },
    (after, limit) =>
      store.findUsers(ctx.db.read, account.id, { status, after: after?.[0] ?? '', limit }),
    ({ id }) => [id],
  )
  return { account, total: await store.countUsers(ctx.db.read, account.id, status), ...page }
}

/** A hash that no password has, so that the user cannot sign in. */
const noPassword = ''

/**
 * Adds a member, who is pending until the email is verified by a domain of the account or by the
 * operator. Whether another account has a user with the email is not disclosed. Throws user_exists.
 */
export async function createUser(
  ctx: Context,
  bearer: Bearer,
  { user_info, account_id }: z.output<typeof NewUser>,
): Promise<UserRecord> {
  const { id: accountId } = await findVisibleAccount(ctx, bearer, account_id)
  const { password, ...profile } = toCamel(user_info)
  const { email } = profile
  if (await store.findUserOfAccount(ctx.db.read, email, accountId)) fail('user_exists')
  const claim = { source: `account ${accountId}`, signal: ctx.signal }
  const passwordHash =
    password === undefined ? noPassword : await ctx.passwords.hash(password, claim)
  const user: UserParts = { ...profile, accountId, role: 'member', passwordHash }
  const verified = (await isVerifiedByDomain(ctx, email, accountId)) ? 1 : 0
  return ctx.db
    .write(async (trx) => {
      const created = await makeUser(ctx, trx, { ...user, verified })
      const [who, whom] = [memberParty(bearer), userParty(created.id)]
      await record(ctx, trx, { action: 'user.created', who, whom, accountId })
      return created
    })
    .catch((error) => {
      // A concurrent request created a user with this email.
      const isTaken = error instanceof UniqueViolation && error.columns.includes('email_key')
      if (!isTaken) throw error
      return fail('user_exists')
    })
}

/** Whether the account owns the domain of the email and no verified user has it. */
async function isVerifiedByDomain({ db }: Context, email: string, accountId: string) {
  if ((await findDomainAccount(db.read, domainOf(email))) !== accountId) return false
  return (await store.findUserByEmail(db.read, email)) === undefined
}
