import { userParty } from '../../audit/record.ts'
import { endMembership } from '../../oauth/users.ts'
import { assignDomains, changeUser, makeUser } from '../../people/users.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import * as store from '../../store/platform/accounts.ts'
import { findOwner, findUserByEmail, findUserOfAccount } from '../../store/platform/users.ts'
import {
  type ApplyContext,
  accountsOf,
  type Declaration,
  type DeclaredAccount,
  type DeclaredUser,
  type Path,
} from './declaration.ts'
import { withFixedIds } from './fixed.ts'

export interface AppliedAccount {
  name: string
  id: string
  users: { email: string; id: string }[]
}

type Hashes = ReadonlyMap<DeclaredUser, string>

/** Source of the hashes. */
const operator = { source: 'operator' }

/** Hashes the new passwords before the transaction, since hashing is slow. */
export async function hashPasswords(
  { db, passwords }: OperatorContext,
  declaration: Declaration,
): Promise<Hashes> {
  const hashes = new Map<DeclaredUser, string>()
  for (const { declared } of accountsOf(declaration)) {
    const account = await store.findAccountByName(db.read, declared.name)
    for (const user of declared.users) {
      if (user.password === undefined || user.removed) continue
      const known = account && (await findUserOfAccount(db.read, user.email, account.id))
      if (known && (await passwords.verify(user.password, known.passwordHash, operator))) continue
      hashes.set(user, await passwords.hash(user.password, operator))
    }
  }
  return hashes
}

/** Creates and updates the accounts and users of a declaration. */
export async function applyAccounts(ctx: ApplyContext, declaration: Declaration, hashes: Hashes) {
  const applied: AppliedAccount[] = []
  for (const { path, declared, master } of accountsOf(declaration)) {
    const { name, domains } = declared
    const masterId = applied.find((other) => other.name === master)?.id ?? null
    const id = await applyAccount(ctx, path, declared, masterId)
    applied.push({ name, id, users: await applyUsers(ctx, path, declared, id, hashes) })
    if (domains !== undefined) await applyDomains(ctx, path, id, domains)
  }
  return applied
}

async function applyAccount(
  ctx: ApplyContext,
  path: Path,
  { id: fixedId, name, requireAppApproval }: DeclaredAccount,
  masterAccountId: string | null,
): Promise<string> {
  const { trx, addProblem, note } = ctx
  const known = await store.findAccountByName(trx, name)
  if (!known) {
    const id = fixedId ?? ctx.random.uuid()
    const settings = { name, masterAccountId, requireAppApproval: requireAppApproval ?? false }
    await store.insertAccount(trx, { ...settings, id, createdAt: ctx.clock.now() })
    await note({ action: 'account.created', whom: { kind: 'account', id }, accountId: id })
    return id
  }
  ctx.checkId([...path, 'id'], fixedId, known.id)
  // An account cannot move, since the grants of its users may depend on its master account.
  if (known.masterAccountId !== masterAccountId) {
    const master = known.masterAccountId && (await store.findAccount(trx, known.masterAccountId))
    const place = master ? `as a sub-account of "${master.name}"` : 'as a master account'
    addProblem([...path, 'name'], `"${name}" already exists ${place}`)
  }
  if (
    requireAppApproval !== undefined &&
    (await store.updateRequireAppApproval(trx, known.id, requireAppApproval))
  ) {
    const state = requireAppApproval ? 'enabled' : 'disabled'
    await note({ action: `approval-setting.${state}`, accountId: known.id })
  }
  return known.id
}

async function applyUsers(
  ctx: ApplyContext,
  path: Path,
  { users }: DeclaredAccount,
  accountId: string,
  hashes: Hashes,
) {
  const ids = new Map<DeclaredUser, string>()
  // The previous owner changes role first, since an account has one owner.
  const isOwner = ({ role, removed }: DeclaredUser) => role === 'owner' && !removed
  const ownersLast = [...users.entries()].sort(
    ([, a], [, b]) => Number(isOwner(a)) - Number(isOwner(b)),
  )
  for (const [index, user] of ownersLast) {
    const place = [...path, 'users', index]
    const id = await applyUser(ctx, place, user, accountId, hashes.get(user))
    if (id !== undefined) ids.set(user, id)
  }
  return users.flatMap((user) => {
    const id = ids.get(user)
    return id === undefined ? [] : [{ email: user.email, id }]
  })
}

/**
 * Creates, updates or removes a user. Returns the id unless the user was removed or has a problem.
 */
async function applyUser(
  ctx: ApplyContext,
  path: Path,
  declared: DeclaredUser,
  accountId: string,
  passwordHash: string | undefined,
): Promise<string | undefined> {
  const { trx, addProblem, note } = ctx
  const { email, role, firstName, lastName, removed } = declared
  const known = await findUserOfAccount(trx, email, accountId)
  const holder = await findUserByEmail(trx, email)
  // A pending user can be removed even if another account has a user with this email.
  if (holder && holder.accountId !== accountId && !(removed && known)) {
    return addProblem([...path, 'email'], `${email} is a user of another account`)
  }
  if (removed) {
    if (!known || !(await endMembership(ctx, trx, known.id))) return undefined
    await note({ action: 'user.removed', whom: userParty(known.id), accountId })
    return undefined
  }
  const owner = role === 'owner' ? await findOwner(trx, accountId) : undefined
  if (owner && owner.id !== known?.id) {
    return addProblem([...path, 'role'], `the account already has the owner ${owner.email}`)
  }
  if (known) {
    ctx.checkId([...path, 'id'], declared.id, known.id)
    // A declared user needs no further verification of the email.
    const verified = 1
    const changes = { email, role, firstName, lastName, verified } as const
    await changeUser(ctx, trx, known.id, { ...changes, passwordHash })
    const changed = Object.entries(changes).flatMap(([field, value]) =>
      value === undefined || known[field as keyof typeof changes] === value ? [] : [field],
    )
    if (passwordHash !== undefined) changed.push('password')
    if (changed.length > 0) {
      const whom = userParty(known.id)
      await note({ action: 'user.changed', whom, accountId, note: changed.join(', ') })
    }
    return known.id
  }
  if (passwordHash === undefined) {
    return addProblem([...path, 'password'], 'a new user needs a password')
  }
  const { id } = await makeUser(withFixedIds(ctx, declared.id), trx, {
    accountId,
    email,
    passwordHash,
    role: role ?? 'member',
    firstName: firstName ?? '',
    lastName: lastName ?? '',
  })
  await note({ action: 'user.created', whom: userParty(id), accountId, note: role ?? 'member' })
  return id
}

async function applyDomains(
  ctx: ApplyContext,
  path: Path,
  accountId: string,
  domains: readonly string[],
): Promise<void> {
  const { trx, addProblem, note } = ctx
  for (const [index, domain] of domains.entries()) {
    const owner = (await store.findDomainAccount(trx, domain)) ?? accountId
    if (owner !== accountId) {
      return addProblem([...path, 'domains', index], `${domain} belongs to another account`)
    }
  }
  if (!(await assignDomains(ctx, trx, accountId, domains))) return
  const whom = { kind: 'account', id: accountId } as const
  await note({ action: 'account.changed', whom, accountId, note: 'domains' })
}
