import { bounds, EmailAddress, label, Password, profileFields } from '@skillpass/contract'
import { z } from 'zod'
import { currentOperator, type Party, record, userParty } from '../audit/record.ts'
import { UniqueViolation } from '../db/errors.ts'
import { fail, invalidBody, refuseField } from '../errors/failure.ts'
import type { Context, OperatorContext } from '../runtime/context.ts'
import * as accounts from '../store/platform/accounts.ts'
import { deleteSession, listSessionsOf } from '../store/platform/sessions.ts'
import { domainOf, findUserByEmail, type UserRecord } from '../store/platform/users.ts'
import { isReservedTitle, reservedNameMessage } from '../text/reserved.ts'
import { type Entry, rememberUser, type Session, sessionLifetime, signIn } from './sign-in.ts'
import { changeUser, findNamedUser, makeUser } from './users.ts'

const Credentials = z
  .object({ email: EmailAddress, password: Password })
  .refine(({ email, password }) => password.toLowerCase() !== email.toLowerCase(), {
    path: ['password'],
    message: 'must not be the email',
  })

const Owner = Credentials.and(
  z.object({
    firstName: label(bounds.profile.name),
    lastName: profileFields.last_name.trim(),
    organization: z.literal('').or(label(bounds.appName)),
  }),
)

function parse<T extends z.ZodType>(schema: T, input: z.input<T>): z.output<T> {
  const { data, error } = schema.safeParse(input)
  if (!error) return data
  throw invalidBody(error.issues)
}

const refuse = (field: string, message: string) => refuseField('body', field, message)

/**
 * Creates an account and its owner. Without an organization, it has the person's name. Hashes
 * before it looks for the email, so that known and unknown ones take the same time.
 */
export async function signUp(ctx: Context, input: z.input<typeof Owner>, browser: string) {
  if (!ctx.config.allowsSignUp) fail(403, 'The operator of this server creates the accounts.')
  const { email, password, organization, ...names } = parse(Owner, input)
  const name = organization || `${names.firstName} ${names.lastName}`.trim()
  if (isReservedTitle(name)) refuse('organization', reservedNameMessage)
  const passwordHash = await hash(ctx, password)
  const accountId = ctx.random.uuid()
  const create = ctx.db.write(async (trx) => {
    if (await findUserByEmail(trx, email)) {
      refuse('email', 'There is already an account with this email. Sign in instead.')
    }
    if (await accounts.findDomainAccount(trx, domainOf(email))) {
      refuse('email', 'This domain belongs to an organization. Ask its admins to add you.')
    }
    if (await accounts.findAccountLike(trx, name)) {
      refuse('organization', `${name} is taken, or looks like a name that is. Choose another one.`)
    }
    const settings = { name, masterAccountId: null, requireAppApproval: false }
    await accounts.insertAccount(trx, { ...settings, id: accountId, createdAt: ctx.clock.now() })
    const owner = { ...names, accountId, email, passwordHash, role: 'owner' } as const
    const user = await makeUser(ctx, trx, owner)
    const [who, account] = [userParty(user.id), { kind: 'account', id: accountId } as const]
    await record(ctx, trx, { action: 'account.created', who, whom: account, accountId })
    await record(ctx, trx, { action: 'user.created', who, whom: who, accountId, note: 'owner' })
    return user
  })
  const user = await create.catch(asTaken('Somebody has just taken this email or name.'))
  return entryOf(ctx, user, passwordHash, browser)
}

const asTaken = (message: string) => (error: unknown) => {
  if (error instanceof UniqueViolation) fail(400, message)
  throw error
}

const hash = (ctx: Context, password: string) =>
  ctx.passwords.hash(password, { source: ctx.address, signal: ctx.signal })

const entryOf = (ctx: Context, user: UserRecord, passwordHash: string, browser: string): Entry => ({
  user,
  known: rememberUser(ctx, browser, { id: user.id, passwordHash }),
})

/** Returns the name of a user's account, and where the user is signed in. */
export async function describeAccount(ctx: Context, { user, key }: Session) {
  const account = await accounts.findAccount(ctx.db.read, user.accountId)
  const sessions = await listSessionsOf(ctx.db.read, { userId: user.id, now: ctx.steadyNow() })
  return {
    name: account?.name ?? '',
    sessions: sessions.map(({ key: own, expiresAt, ...rest }) => {
      // Names the session in forms, without its key.
      const id = own.slice(0, 16)
      return { ...rest, id, startedAt: expiresAt - sessionLifetime, isCurrent: own === key }
    }),
  }
}

/** Ends the session of a user with this id, or every one if the id is `all`. */
export async function endSessions(ctx: Context, { id: userId }: UserRecord, id: string) {
  const sessions = await listSessionsOf(ctx.db.read, { userId, now: ctx.steadyNow() })
  const ended = sessions.filter(({ key }) => id === 'all' || key.startsWith(id))
  await ctx.db.write(async (trx) => {
    for (const { key } of ended) await deleteSession(trx, key)
  })
}

/**
 * Changes the password of a signed-in user and ends all sessions. The caller begins a new one. A
 * wrong current password counts as a failed sign-in. Throws 400 for either field.
 */
export async function changePassword(
  ctx: Context,
  { user }: Session,
  given: Readonly<Record<'current' | 'password', string>>,
  browser: string,
) {
  const { email, password } = parse(Credentials, { ...user, ...given })
  const checked = await signIn(ctx, { email, password: given.current }, browser)
  if ('refused' in checked) {
    const isWrong = checked.refused === 'mismatch'
    refuse('current_password', isWrong ? 'This is not your password.' : checked.message)
  }
  const passwordHash = await hash(ctx, password)
  await storePassword(ctx, user, { passwordHash }, userParty(user.id))
  return entryOf(ctx, user, passwordHash, browser)
}

/**
 * Sets a user's password and ends the user's sessions. The user counts as verified afterwards.
 * Throws like `findNamedUser`, and 400 for a weak password.
 */
export async function setPassword(ctx: OperatorContext, name: string, password: string) {
  const user = await findNamedUser(ctx.db.read, name)
  parse(Credentials, { ...user, password })
  const passwordHash = await ctx.passwords.hash(password, { source: 'operator' })
  const changes = { passwordHash, verified: 1 } as const
  const stored = storePassword(ctx, user, changes, currentOperator())
  await stored.catch(asTaken(`Another account has a verified user ${user.email}.`))
  return user
}

const storePassword = (
  ctx: OperatorContext,
  { id, accountId }: UserRecord,
  changes: Parameters<typeof changeUser>[3],
  who: Party,
) =>
  ctx.db.write(async (trx) => {
    await changeUser(ctx, trx, id, changes)
    const whom = userParty(id)
    await record(ctx, trx, { action: 'user.changed', who, whom, accountId, note: 'password' })
  })
