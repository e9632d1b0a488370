import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, root } from '../../support/processes.ts'
import { encryptionKey } from '../../support/settings.ts'

/**
 * Builds the server of a commit in a folder of its own, over the dependencies that are installed here, and
 * gives its command.
 */
export async function buildOld(commit: string, place: string): Promise<string> {
  const folder = join(place, `old-${commit}`)
  mkdirSync(folder)
  const script = `git -C "$0" archive ${commit} | tar -x
    for each in . contract server; do
      if [ -d "$0/$each/node_modules" ]; then cp -al "$0/$each/node_modules" "$each/"; fi
    done
    node_modules/.bin/tsc -b contract server`
  execFileSync('sh', ['-ec', script, root], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return join(folder, 'server/bin/skillpass-server.js')
}

/** Variables of a server of before. */
export const oldEnv = (databaseUrl: string) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'test',
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEY: encryptionKey,
  LOG_LEVEL: 'error',
})

/** Starts it on a database and waits until it is ready. */
export async function serveOld(command: string, databaseUrl: string) {
  const port = await freePort()
  const env = { ...oldEnv(databaseUrl), PORT: String(port) }
  const child = spawn(process.execPath, [command, 'serve'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (answer?.ok) break
    if (child.exitCode !== null) throw new Error(`${command} ended.`)
    await pause(100)
  }
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
