/**
 * The image's steps where no container engine is at hand, from an empty folder to an upgraded service:
 *
 *   NODE_HOME=…/node-v24 npx tsx test/operator/image/main.ts
 *
 * Needs Linux, root, Postgres and Redis, and the base's Node in NODE_HOME (bin/node, include/node). Each stage
 * is a folder that is entered with chroot, over the programs of this machine.
 */
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../support/processes.ts'
import { readStages } from '../containerfile.ts'
import { buildImage } from './build.ts'
import { keptFacts, leaveFacts } from './facts.ts'
import { buildOld, serveOld } from './old-server.ts'
import { serveImage } from './serve-image.ts'
import { startServices } from './services.ts'

/** The version before the image. */
const former = '2347046'

const began = performance.now()
const log = (line: string) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`)

const place = await mkdtemp(join(tmpdir(), 'skillpass-image-'))
await chmod(place, 0o755)
const services = await startServices(place)
try {
  const context = join(place, 'context')
  execFileSync('sh', ['-c', 'mkdir "$0" && git archive HEAD | tar -x -C "$0"', context], {
    cwd: root,
  })
  const programs = makePrograms(join(place, 'programs'))
  const stages = readStages(await readFile(`${root}/server/deploy/Containerfile`, 'utf8'))
  const image = await buildImage(stages, { context, place, programs, env: installEnv(), log })
  const size = execFileSync('du', ['-sm', join(image.folder, 'app')], { encoding: 'utf8' })
  log(`image: ${size.split('\t')[0]} MB below /app`)

  const databaseUrl = services.createDatabase('skillpass')
  const serving = { image, programs, redisUrl: services.redisUrl, place, log }

  let server = await serveImage({ ...serving, databaseUrl: services.createDatabase('empty') })
  await server.checkConfinement()
  log(
    'from an empty folder and database: healthy, as node, without rights, on a root that is only read',
  )
  log(`stopped in ${await server.stop()} ms`)

  const command = await buildOld(former, place)
  const old = await serveOld(command, databaseUrl)
  const app = await leaveFacts.app(command, databaseUrl)
  const agent = await leaveFacts.agent(old.url)
  const token = await leaveFacts.token(old.url, app)
  await old.stop()
  log(`${former}: an agent, a skill, an app and an access token`)
  const facts = { agent, app, token }

  server = await serveImage({ ...serving, databaseUrl })
  log(`upgraded: ${await keptFacts(server.url, facts)}`)
  const restored = services.copyDatabase('skillpass', 'restored')
  log(
    `backed up by pg_dump while the server ran, and restored by pg_restore; stopped in ${await server.stop()} ms`,
  )
  server = await serveImage({ ...serving, databaseUrl: restored })
  log(`restored: ${await keptFacts(server.url, facts)}`)
  await server.stop()
} finally {
  await services.stop()
  await rm(place, { recursive: true, force: true })
}

/** `/usr/local` of the base: Node, its headers, and npm. */
function makePrograms(folder: string): string {
  const home = process.env.NODE_HOME
  if (!home) throw new Error('Set NODE_HOME to a folder with bin/node and include/node.')
  const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim()
  const script = `set -e
    mkdir -p "$0/lib/node_modules"
    cp -R "$1/bin" "$1/include" "$0/"
    cp -R "$2/npm" "$0/lib/node_modules/"
    ln -s ../lib/node_modules/npm/bin/npm-cli.js "$0/bin/npm"`
  execFileSync('sh', ['-c', script, folder, home, npm])
  return folder
}

/** What an installation needs of this machine: who vouches for the registry. */
function installEnv(): Record<string, string> {
  const file = process.env.NODE_EXTRA_CA_CERTS
  return file ? { NODE_EXTRA_CA_CERTS: file, npm_config_cafile: file } : {}
}
