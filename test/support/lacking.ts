import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'

/** Debian's package of a program, if it has another name. */
const packages: Record<string, string> = {
  pg_dump: 'postgresql-client',
  promtool: 'prometheus',
  python3: 'python3-requests',
  script: 'bsdutils',
  'systemd-analyze': 'systemd',
}

/**
 * Notes that this machine lacks something, and how to get it. The last lines of a run repeat it.
 */
export function noteLack(thing: string, remedy: string): void {
  const line = `Skipped without ${thing}: ${remedy}.`
  const { TEST_LACKING: file } = process.env
  if (file) appendFileSync(file, `${line}\n`)
  else console.warn(line)
}

/** Whether a program is installed. Notes its lack. */
export function hasProgram(name: string, ...args: string[]): boolean {
  const isInstalled = spawnSync(name, args, { stdio: 'ignore' }).status === 0
  if (!isInstalled) noteLack(name, `apt-get install ${packages[name] ?? name}`)
  return isInstalled
}
