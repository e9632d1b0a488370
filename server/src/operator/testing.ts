import * as app from '../app/serve.ts'
import type { Config } from '../runtime/config/config.ts'
import { cost, lowCost } from '../secrets/passwords.ts'
import { type Applied, applyDeclaration, type DeclarationInput } from './apply/apply.ts'
import { createDemoData } from './demo/demo.ts'

export type { RegistryContext } from '../catalogue/catalogue.ts'
export { DatabaseUnavailable, UniqueViolation } from '../db/errors.ts'
export { migrations } from '../db/migrations/migrate.ts'
export { type Database, type Db, openDatabase } from '../db/open.ts'
export { recordMeeting } from '../meetings/recordings.ts'
export { type Config, loadConfig } from '../runtime/config/config.ts'
export type { Clock } from '../runtime/time.ts'
export type { Random } from '../secrets/random.ts'
export { runCommand } from './commands/cli.ts'
export type { Terminal } from './commands/parts/terminal.ts'
export { createSkillpass, type Double, type DoubleOptions } from './double/double.ts'
export type { Seed } from './double/seed.ts'
export type { Applied, DeclarationInput }

/** A server in the process of a test. */
export interface RunningServer extends app.RunningServer {
  /** Creates or updates what a declaration lists, as `skillpass-server apply` does. */
  apply(declaration: unknown): Promise<Applied>
  /** Fills an empty registry, as `npm start` does. Returns the printed instructions. */
  createDemoData(): Promise<string | undefined>
}

/** Starts a server with another clock, source of randomness or log. */
export async function launchServer(
  config: Config,
  overrides?: app.Overrides,
): Promise<RunningServer> {
  const server = await app.launchServer(config, overrides)
  const { ctx } = server
  return {
    ...server,
    apply: (declaration) => applyDeclaration(ctx, declaration),
    createDemoData: () => createDemoData(ctx),
  }
}

const productionCost = { ...cost }

/** Sets the cost of password hashing in this process. */
export function setPasswordCost(level: 'low' | 'production'): void {
  Object.assign(cost, level === 'low' ? lowCost : productionCost)
}
