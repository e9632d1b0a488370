import { Argument, Command } from 'commander'
import { rotateKeys } from '../../app/encryption-key.ts'
import { SchemaFault } from '../../db/errors.ts'
import * as schema from '../../db/migrations/migrate.ts'
import type { Database } from '../../db/open.ts'
import { loadConfig } from '../../runtime/config/config.ts'
import { isoTime } from '../../runtime/time.ts'
import { checkDatabase } from '../check.ts'
import { restoreDatabase } from '../restore.ts'
import { confirm, groupCommand, yesOption } from './parts/action.ts'
import { readDatabase, recordCommand, withDatabase, withOperator } from './parts/database.ts'
import { escapeLine, printResult, tableOf } from './parts/print.ts'
import { currentRun } from './parts/terminal.ts'

export const backupCommand = new Command('backup')
  .description('Writes a consistent copy of the database to a file. Servers can keep running.')
  .argument('<file>')
  .action(async (file: string) => {
    await withDatabase(async (db) => {
      await db.backup(file)
      await recordCommand(db, 'operator.backup')
    })
    printResult({ file }, `Backup written to ${file}.`)
  })

export const restoreCommand: Command = new Command('restore')
  .description(
    'Checks a backup and replaces the SQLite database with it. Stop the servers first. The previous database is kept beside it.',
  )
  .argument('<file>', 'a file written by `backup`')
  .addOption(yesOption())
  .action(async (file: string, options: { yes?: boolean }) => {
    const { clock, env } = currentRun()
    const config = loadConfig(env)
    await confirm(restoreCommand, `Replace the database with ${file}?`, options)
    const restored = await restoreDatabase(config, file, clock.now())
    await withDatabase((db) => recordCommand(db, 'operator.restored', file))
    const { database, former } = restored
    const previous = `The previous database is ${escapeLine(former ?? '')}. Delete it when you no longer need it.`
    printResult(
      { file, ...restored },
      `Restored ${escapeLine(database)} from ${escapeLine(file)}.`,
      ...(former === null ? [] : [previous]),
    )
  })

export const checkCommand = new Command('check')
  .description(
    'Checks the database for damage: its structure, schema, texts, files and encryption keys. Changes nothing, so servers can keep running. Exits with 1 if a check fails.',
  )
  .action(async () => {
    const checks = await checkDatabase(loadConfig(currentRun().env))
    const passed = checks.every((check) => check.passed)
    if (!passed) currentRun().exitCode = 1
    printResult(
      { passed, checks },
      ...checks.map(({ name, passed, message }) =>
        escapeLine(`${name} ${passed ? 'passed' : 'failed'}: ${message}`),
      ),
      ...(passed ? [] : ['To repair damage, restore the last backup.']),
    )
  })

const rotate = new Command('rotate')
  .description(
    'Re-encrypts stored secrets with the first key of ENCRYPTION_KEY. Servers can keep running. Keep the other keys in ENCRYPTION_KEY until it is done.',
  )
  .action(async () => {
    const done = await withOperator(async (ctx) => {
      // Recorded first, since an interrupted rotation has re-encrypted some secrets.
      await recordCommand(ctx.db, 'operator.encryption-rotated')
      return rotateKeys(ctx)
    })
    const { rotated, keyId, retired } = done
    printResult(
      done,
      `Re-encrypted ${rotated} secrets with the key ${keyId}.`,
      retired.length === 0
        ? 'No other key is in use.'
        : `Remove ${retired.join(', ')} from ENCRYPTION_KEY.`,
    )
  })

export const encryptionCommand = groupCommand(
  'encryption',
  'Manages the encryption of stored secrets.',
  rotate,
)

type Direction = 'up' | 'down' | 'status'

export const migrateCommand: Command = new Command('migrate')
  .description(
    'Applies all pending migrations of the database (up), undoes the last one (down), or lists them (status).',
  )
  .addArgument(new Argument('<direction>').choices(['up', 'down', 'status']))
  .addOption(yesOption())
  .action(async (direction: Direction, options: { yes?: boolean }) => {
    if (direction === 'status') return printStatus()
    if (direction === 'down') return withDatabase((db) => down(db, options))
    const applied = await withOperator(async (_, migrated) => migrated, { creates: true })
    printResult(
      { applied },
      applied.length === 0 ? 'Nothing to do.' : `Applied: ${applied.join(', ')}`,
    )
  })

async function printStatus() {
  const { found, problem } = await readDatabase(async (db) => ({
    found: await schema.migrationStatus(db),
    problem: await schema.checkSchema(db).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof SchemaFault) return error.message
        throw error
      },
    ),
  }))
  const migrations = found.map(({ name, appliedAt }) => ({ name, appliedAt }))
  const rows = migrations.map(({ name, appliedAt }) => [
    name,
    appliedAt === null ? 'pending' : isoTime(appliedAt),
  ])
  const table = tableOf(['migration', 'applied'], rows)
  printResult({ migrations, problem }, ...table, ...(problem ? [problem] : []))
}

async function down(db: Database, options: { yes?: boolean }) {
  const lost = await schema.findLosses(db)
  const loss = lost.length === 0 ? 'nothing' : new Intl.ListFormat('en').format(lost)
  await confirm(migrateCommand, `Undo the last migration? This deletes ${loss}.`, options)
  const undone = await schema.migrateDown(db)
  if (undone !== undefined) await recordCommand(db, 'operator.migrated-down', undone)
  printResult(
    { undone: undone === undefined ? [] : [undone], lost },
    undone === undefined ? 'Nothing to do.' : `Undone: ${undone}. Deleted: ${loss}.`,
  )
}
