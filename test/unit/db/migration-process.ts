import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./migrate-process.ts', import.meta.url))
const options = ['--import', 'tsx', script]

/** Migrates a database in another process, which kills itself before it commits if told to `die`. */
export function startMigration(url: string, ...fate: 'die'[]) {
  const child = spawn(process.execPath, [...options, url, ...fate], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  /** Its exit code, or the signal that ended it. */
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
  return { ended, kill: () => child.kill('SIGKILL') }
}
