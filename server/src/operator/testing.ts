import * as app from '../app/serve.ts'
import type { Config } from '../runtime/config/config.ts'
import { cost, lowCost } from '../secrets/passwords.ts'
import { type Applied, applyDeclaration, type DeclarationInput } from './apply/apply.ts'
import { createDemoData } from './demo/demo.ts'
import { createConsent } from './double/consent.ts'
import { createMeetings } from './double/meetings.ts'
import { createNames } from './double/names.ts'
import { applySeed, noSeed, type Seed } from './double/seed.ts'

export type { RegistryContext } from '../catalogue/catalogue.ts'
export { DatabaseUnavailable, UniqueViolation } from '../db/errors.ts'
export { migrations } from '../db/migrations/migrate.ts'
export { type Database, type Db, openDatabase } from '../db/open.ts'
export { type Config, loadConfig } from '../runtime/config/config.ts'
export type { Clock } from '../runtime/time.ts'
export type { Random } from '../secrets/random.ts'
export { runCommand } from './commands/cli.ts'
export type { Terminal } from './commands/parts/terminal.ts'
export { createSkillpass, type Double, type DoubleOptions } from './double/double.ts'
export type { Applied, DeclarationInput, Seed }

/** A server in the process of a test, with controls of the double. */
export type RunningServer = Awaited<ReturnType<typeof launchServer>>

/** Starts a server with another clock, source of randomness or log. */
export async function launchServer(config: Config, overrides?: app.Overrides) {
  const server = await app.launchServer(config, overrides)
  const { ctx } = server
  return {
    ...server,
    ...createConsent(
      ctx,
      createNames(() => noSeed),
    ),
    meetings: createMeetings(ctx),
    /** Adds accounts, apps, meetings, tokens and skills, as a double begins with. */
    seed: (seed: Seed) => applySeed(ctx, seed),
    /** Creates or updates what a declaration lists, as `skillpass-server apply` does. */
    apply: (declaration: unknown): Promise<Applied> => applyDeclaration(ctx, declaration),
    /** Fills an empty registry, as `npm start` does. Returns the printed instructions. */
    createDemoData: () => createDemoData(ctx),
  }
}

const productionCost = { ...cost }

/** Sets the cost of password hashing in this process. */
export function setPasswordCost(level: 'low' | 'production'): void {
  Object.assign(cost, level === 'low' ? lowCost : productionCost)
}
