import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../support/processes.ts'
import { encryptionKey } from '../../support/settings.ts'
import type { Image } from './build.ts'
import { enter, runInside } from './enter.ts'

interface Serving {
  readonly image: Image
  readonly programs: string
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly place: string
  readonly log: (line: string) => void
}

/** The user `node` of the base. */
const node = 1000

/** Runs the image as its Containerfile says, and waits until its own health check passes. */
export async function serveImage({ image, programs, databaseUrl, redisUrl, place, log }: Serving) {
  const port = await freePort()
  const data = await mkdtemp(join(place, 'volume-'))
  execFileSync('chown', [`${node}:${node}`, data])
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ...image.env,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEY: encryptionKey,
    BASE_URL: `http://localhost:${port}`,
    AUTH_URL: `http://localhost:${port}`,
    API_URL: `http://localhost:${port}`,
  }
  const { folder, workdir, user } = image
  const uid = user === 'node' ? node : undefined
  const inside = { folder, programs, env, workdir, uid, volumes: { '/data': data }, readOnly: true }
  const started = performance.now()
  const child = await enter([...image.entrypoint, ...image.command], inside)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      printed += chunk
    })
  }
  const isHealthy = () =>
    runInside(image.health, inside).then(
      () => true,
      () => false,
    )
  while (!(await isHealthy())) {
    if (child.exitCode !== null) throw new Error(`The image's server ended:\n${printed}`)
    await pause(200)
  }
  log(`healthy after ${Math.round(performance.now() - started)} ms`)
  return {
    url: `http://127.0.0.1:${port}`,
    /** Throws where the process has another user, rights, or something to write to. */
    checkConfinement: async () => {
      const script = `test "$(id -u)" = ${node}
        grep -q '^CapEff:.0000000000000000$' /proc/${child.pid}/status
        grep -q '^NoNewPrivs:.1$' /proc/${child.pid}/status
        grep -q '^Uid:.${node}.${node}' /proc/${child.pid}/status
        ! touch /app/x 2> /dev/null
        ! touch /x 2> /dev/null
        touch /data/x`
      await runInside(['sh', '-ec', script], inside)
    },
    /** Gives how long it took, ms. */
    stop: async () => {
      const stopping = performance.now()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await ended
      if (code !== 0) throw new Error(`The image's server ended with ${code}:\n${printed}`)
      return Math.round(performance.now() - stopping)
    },
  }
}
