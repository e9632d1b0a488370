import {
  AgentRegistration,
  bounds,
  EmailAddress,
  EventName,
  findUnknown,
  label,
  memberRoles,
  Password,
  profileFields,
} from '@skillpass/contract'
import { z } from 'zod'
import type { AuditEvent } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { Failure } from '../../errors/failure.ts'
import type { Issue } from '../../errors/issues.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import { emailKey } from '../../store/platform/users.ts'
import { fixedAgent, fixedApp, fixedClient, fixedId } from './fixed.ts'

const name = label(bounds.appName)

/** Email domain of an account, in lower case. */
const domain = label(bounds.email)
  .transform((text) => text.normalize('NFC').toLowerCase())
  .refine((text) => /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text), 'must be a domain')

const UserDeclaration = z.strictObject({
  email: EmailAddress,
  /** Required for a new user. Replaces the password of an existing user. */
  password: Password.optional(),
  role: z.enum(['owner', 'admin', 'member']).optional(),
  firstName: profileFields.first_name.trim().optional(),
  lastName: profileFields.last_name.trim().optional(),
  removed: z.boolean().optional(),
  ...fixedId,
})

const SubAccountDeclaration = z.strictObject({
  name,
  requireAppApproval: z.boolean().optional(),
  /** Email domains of the account. Replaces its current domains. */
  domains: z.array(domain).optional(),
  approvedApps: z.array(name).default([]),
  users: z.array(UserDeclaration).default([]),
  ...fixedId,
})

const AccountDeclaration = SubAccountDeclaration.extend({
  subAccounts: z.array(SubAccountDeclaration).default([]),
})

const clientFields = {
  scopes: z.array(z.string()).optional(),
  optionalScopes: z.array(z.string()).optional(),
  redirectUris: z.array(z.string()).optional(),
}

const ClientDeclaration = z.strictObject({ ...clientFields, ...fixedClient })

const AppDeclaration = z.strictObject({
  name,
  account: name,
  type: z.enum(['server-to-server', 'general', 'chatbot']).optional(),
  level: z.enum(['user', 'account']).optional(),
  visibility: z.enum(['public', 'private', 'development']).optional(),
  deviceFlow: z.boolean().optional(),
  publicClient: z.boolean().optional(),
  requireS256: z.boolean().optional(),
  deauthorizationUrl: z.string().nullable().optional(),
  events: z.array(EventName).optional(),
  disabled: z.boolean().optional(),
  // Defaults of `development` and `production`.
  ...clientFields,
  development: ClientDeclaration.optional(),
  production: ClientDeclaration.optional(),
  ...fixedApp,
})

const AgentDeclaration = AgentRegistration.omit({ invitation: true })
  .strict()
  .extend({
    /** Lets imports assign skills to an agent that was registered through the API. */
    operator: z.literal(true).optional(),
    ...fixedAgent,
  })

const OrganizationDeclaration = z.strictObject({
  username: AgentRegistration.shape.username,
  displayName: AgentRegistration.shape.displayName,
  defaultVisibility: z.enum(['public', 'private']).optional(),
  members: z.array(z.strictObject({ username: z.string(), role: z.enum(memberRoles) })).default([]),
})

/** A file for `apply`. Absent keys leave an existing item unchanged. */
export const Declaration = z
  .strictObject({
    accounts: z.array(AccountDeclaration).default([]),
    apps: z.array(AppDeclaration).default([]),
    agents: z.array(AgentDeclaration).default([]),
    organizations: z.array(OrganizationDeclaration).default([]),
  })
  .superRefine((declaration, ctx) => {
    const seen = new Set<string>()
    for (const { path, key, name } of declaredNames(declaration)) {
      if (seen.has(key))
        ctx.addIssue({ code: 'custom', path, message: `${name} is declared twice` })
      seen.add(key)
    }
  })

export type DeclarationInput = z.input<typeof Declaration>
export type Declaration = z.output<typeof Declaration>
export type DeclaredUser = z.output<typeof UserDeclaration>
export type DeclaredAccount = z.output<typeof SubAccountDeclaration>
export type DeclaredOrganization = z.output<typeof OrganizationDeclaration>
export type DeclaredApp = z.output<typeof AppDeclaration>

export type Path = PropertyKey[]

/** Context of one `apply` run, which is one transaction. */
export interface ApplyContext extends OperatorContext {
  readonly trx: Db
  addProblem(path: Path, message: string): undefined
  /** Adds a problem if a declared id differs from that of an existing item. */
  checkId(path: Path, declared: string | undefined, existing: string | undefined): void
  /** Writes an entry of the operator to the audit log: one for each object that changes. */
  note(event: Omit<AuditEvent, 'who'>): Promise<void>
}

/**
 * Lists all accounts with their paths and the name of their master account, which precedes them.
 */
export const accountsOf = ({ accounts }: Pick<Declaration, 'accounts'>) =>
  accounts.flatMap((account, index) => {
    const path: Path = ['accounts', index]
    const top: DeclaredAccount = account
    return [
      { path, declared: top, master: undefined },
      ...account.subAccounts.map((declared, place) => {
        return { path: [...path, 'subAccounts', place], declared, master: account.name }
      }),
    ]
  })

/** Lists the names in a declaration that must be unique. */
const declaredNames = (declaration: Pick<Declaration, 'accounts' | 'apps'>) => [
  ...accountsOf(declaration).flatMap(({ path, declared: { name, users } }) => [
    { path: [...path, 'name'], key: `account ${name}`, name: `"${name}"` },
    ...users.map(({ email }, index) => {
      const key = `user ${emailKey(email)}`
      return { path: [...path, 'users', index, 'email'], key, name: email }
    }),
  ]),
  ...declaration.apps.map(({ name, account }, index) => {
    const key = `app ${JSON.stringify([name, account])}`
    return { path: ['apps', index, 'name'], key, name: `"${name}" of "${account}"` }
  }),
]

/** Collects problems, so that one run reports all of them. */
export function createProblemList() {
  const problems = new Map<string, Issue>()
  const addProblem = (path: Path, message: string): undefined => {
    const issue = { in: 'body' as const, path: path.join('.'), message }
    problems.set(`${formatPath(path)}: ${message}`, issue)
  }
  return {
    addProblem,
    checkId(path: Path, declared: string | undefined, existing: string | undefined) {
      if (declared === undefined || existing === undefined || declared === existing) return
      addProblem(path, `is ${existing} and cannot change`)
    },
    throwIfAny() {
      if (problems.size === 0) return
      const message = [...problems.keys()].join('\n')
      throw new Failure(400, { message, details: [...problems.values()] })
    },
  }
}

function formatPath(path: readonly PropertyKey[]): string {
  const parts = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
  return parts.join('').replace(/^\./, '') || 'the declaration'
}

/** Validates a declaration or a seed. Throws an error with one line per problem. */
export function parseDeclared<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const problems = createProblemList()
  const unknown = findUnknown([schema], input, { refused: 'all' })
  const others = parsed.error.issues.filter(({ code }) => code !== 'unrecognized_keys')
  for (const { path, message } of [...unknown, ...others]) problems.addProblem(path, message)
  problems.throwIfAny()
  throw parsed.error
}
