import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { onUserRemoved } from '../../oauth/removed-users.ts'
import { createAccount } from '../../platform/accounts.ts'
import { hashPassword, verifyPassword } from '../../platform/passwords.ts'
import {
  type AccountRecord,
  findAccount,
  findAccountByName,
  updateRequireAppApproval,
} from '../../platform/store/accounts.ts'
import { findDomainAccount } from '../../platform/store/domains.ts'
import { emailKey } from '../../platform/store/user-record.ts'
import { findOwner, findUserByEmail, findUserOfAccount } from '../../platform/store/users.ts'
import { assignDomains, changeUser, dismissUser, makeUser } from '../../platform/user-changes.ts'
import type { Declaration, DeclaredAccount, DeclaredUser, Path, Refuse } from './declaration.ts'

type Known = NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>

/** A user of the file beside the one of the database. */
interface PlannedUser {
  readonly path: Path
  readonly declared: DeclaredUser
  readonly known: Known | undefined
}

/** An account of the file, sub-accounts among them, beside the one of the database. */
export interface PlannedAccount {
  readonly path: Path
  readonly declared: DeclaredAccount
  /** The name of the account above. */
  readonly master: string | undefined
  readonly known: AccountRecord | undefined
  readonly users: readonly PlannedUser[]
}

/** An account as it is printed. */
export interface AppliedAccount {
  name: string
  id: string
  users: { email: string; id: string }[]
}

/** Compares the accounts and users of a file with those there are; every account by itself. */
export async function planAccounts(
  db: Db,
  declaration: Declaration,
  refuse: Refuse,
): Promise<PlannedAccount[]> {
  const planned: PlannedAccount[] = []
  const plan = async (path: Path, declared: DeclaredAccount, master?: string) => {
    if (planned.some((other) => other.declared.name === declared.name)) {
      refuse([...path, 'name'], `"${declared.name}" is declared twice`)
    }
    const known = await findAccountByName(db, declared.name)
    if (known) await checkMaster(db, [...path, 'name'], known, master, refuse)
    const users = await planUsers(db, path, declared, known, refuse)
    await checkDomains(db, path, declared, known, refuse)
    planned.push({ path, declared, master, known, users })
  }
  for (const [index, account] of declaration.accounts.entries()) {
    const path = ['accounts', index]
    await plan(path, account)
    for (const [place, subAccount] of account.subAccounts.entries()) {
      await plan([...path, 'subAccounts', place], subAccount, account.name)
    }
  }
  refuseRepeated(planned, refuse)
  return planned
}

/** An account stays where it is: its users' grants may rest on who is above it. */
async function checkMaster(
  db: Db,
  path: Path,
  { name, masterAccountId }: AccountRecord,
  master: string | undefined,
  refuse: Refuse,
) {
  const above = masterAccountId === null ? undefined : await findAccount(db, masterAccountId)
  if (above?.name === master) return
  refuse(path, `"${name}" exists ${above ? `as a sub-account of "${above.name}"` : 'by itself'}`)
}

/** A domain is one account's. */
async function checkDomains(
  db: Db,
  path: Path,
  { domains = [] }: DeclaredAccount,
  account: AccountRecord | undefined,
  refuse: Refuse,
) {
  for (const [index, domain] of domains.entries()) {
    const owner = await findDomainAccount(db, domain)
    if (owner === undefined || owner === account?.id) continue
    refuse([...path, 'domains', index], `${domain} belongs to another account`)
  }
}

async function planUsers(
  db: Db,
  path: Path,
  { users }: DeclaredAccount,
  account: AccountRecord | undefined,
  refuse: Refuse,
): Promise<PlannedUser[]> {
  const planned: PlannedUser[] = []
  for (const [index, declared] of users.entries()) {
    const place = [...path, 'users', index]
    const known = account && (await findUserOfAccount(db, declared.email, account.id))
    const verified = await findUserByEmail(db, declared.email)
    // A user who waits here for a proof can be removed all the same.
    const isTaken = verified !== undefined && verified.accountId !== account?.id
    if (isTaken && !(declared.removed && known)) {
      refuse([...place, 'email'], `${declared.email} is a user of another account`)
    }
    if (!known && !declared.removed && declared.password === undefined) {
      refuse([...place, 'password'], 'a new user needs a password')
    }
    planned.push({ path: place, declared, known })
  }
  await checkOwner(db, planned, account, refuse)
  return planned
}

/** One owner per account, counting the one there is unless the file gives that user another role. */
async function checkOwner(
  db: Db,
  users: PlannedUser[],
  account: AccountRecord | undefined,
  refuse: Refuse,
) {
  const present = account && (await findOwner(db, account.id))
  const redeclared = users.find(({ known }) => known !== undefined && known.id === present?.id)
  const stays = !redeclared || (!redeclared.declared.removed && !redeclared.declared.role)
  let owner = stays ? present?.email : undefined
  for (const { path, declared } of users) {
    if (declared.removed || declared.role !== 'owner') continue
    if (owner === undefined) owner = declared.email
    else refuse([...path, 'role'], `the account has the owner ${owner}`)
  }
}

function refuseRepeated(accounts: PlannedAccount[], refuse: Refuse) {
  const emails = new Set<string>()
  const domains = new Set<string>()
  for (const { path, declared } of accounts) {
    for (const [index, domain] of (declared.domains ?? []).entries()) {
      if (domains.has(domain)) refuse([...path, 'domains', index], `${domain} is declared twice`)
      domains.add(domain)
    }
  }
  for (const { path, declared } of accounts.flatMap(({ users }) => users)) {
    const key = emailKey(declared.email)
    if (emails.has(key)) refuse([...path, 'email'], `${declared.email} is declared twice`)
    emails.add(key)
  }
}

/** Takes its turns at hashing apart from whoever signs in. */
const operator = { source: 'operator' }

/** Hashes the passwords that are new, by the user's place in the plan. Takes its time, so it comes first. */
export async function hashPasswords(
  { random }: Pick<AppContext, 'random'>,
  accounts: readonly PlannedAccount[],
): Promise<ReadonlyMap<PlannedUser, string>> {
  const hashes = new Map<PlannedUser, string>()
  for (const user of accounts.flatMap(({ users }) => users)) {
    const { password, removed } = user.declared
    if (password === undefined || removed) continue
    if (user.known && (await verifyPassword(password, user.known.passwordHash, operator))) continue
    hashes.set(user, await hashPassword(password, random, operator))
  }
  return hashes
}

/** Makes and changes accounts and users as planned, in the caller's transaction. */
export async function writeAccounts(
  ctx: Pick<AppContext, 'clock' | 'encryption' | 'random'>,
  trx: Db,
  accounts: readonly PlannedAccount[],
  hashes: ReadonlyMap<PlannedUser, string>,
): Promise<AppliedAccount[]> {
  const applied = new Map<string, AppliedAccount>()
  for (const { declared, master, known, users } of accounts) {
    const { name, requireAppApproval } = declared
    const above = master === undefined ? undefined : applied.get(master)
    if (known && requireAppApproval !== undefined) {
      await updateRequireAppApproval(trx, known.id, requireAppApproval)
    }
    const { id } =
      known ??
      (await createAccount(ctx, trx, {
        name,
        masterAccountId: above?.id ?? null,
        requireAppApproval: requireAppApproval ?? false,
      }))
    const account = { name, id, users: await writeUsers(ctx, trx, id, users, hashes) }
    if (declared.domains !== undefined) await assignDomains(trx, id, declared.domains)
    applied.set(name, account)
  }
  return [...applied.values()]
}

async function writeUsers(
  ctx: Pick<AppContext, 'clock' | 'encryption' | 'random'>,
  trx: Db,
  accountId: string,
  users: readonly PlannedUser[],
  hashes: ReadonlyMap<PlannedUser, string>,
) {
  const ids = new Map<PlannedUser, string>()
  // The former owner steps down before the next one takes the role.
  const ownersLast = [...users].sort((a, b) => Number(isOwner(a)) - Number(isOwner(b)))
  for (const user of ownersLast) {
    const { known, declared } = user
    const { email, role, firstName, lastName, removed } = declared
    if (removed) {
      if (known && (await dismissUser(ctx, trx, known.id))) {
        const removing = { ...ctx, trace: null, steadyNow: ctx.clock.now }
        await onUserRemoved(removing, trx, known.id)
      }
      continue
    }
    const passwordHash = hashes.get(user)
    if (known) {
      // Whom the operator declares, the operator stands for.
      const verified = 1
      await changeUser(trx, known.id, { email, role, firstName, lastName, passwordHash, verified })
      ids.set(user, known.id)
    } else if (passwordHash !== undefined) {
      const created = await makeUser(ctx, trx, {
        accountId,
        email,
        passwordHash,
        role: role ?? 'member',
        firstName: firstName ?? '',
        lastName: lastName ?? '',
      })
      ids.set(user, created.id)
    }
  }
  return users.flatMap((user) => {
    const id = ids.get(user)
    return id === undefined ? [] : [{ email: user.declared.email, id }]
  })
}

const isOwner = ({ declared }: PlannedUser) => declared.role === 'owner' && !declared.removed
