import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Instruction, readCopy, readEnv, type Stage } from '../containerfile.ts'
import { runInside } from './enter.ts'

/** What the last stage leaves: files, and how they are started. */
export interface Image {
  readonly folder: string
  readonly env: Record<string, string>
  readonly workdir: string
  readonly user: string
  readonly entrypoint: string[]
  readonly command: string[]
  readonly health: string[]
}

interface Building {
  readonly context: string
  /** Where the stages' folders are made. */
  readonly place: string
  readonly programs: string
  /** Variables of this machine that an installation needs, such as a certificate. */
  readonly env: Record<string, string>
  readonly log: (line: string) => void
}

const words = (text: string) => z.array(z.string()).parse(JSON.parse(text))

/** Takes every step of every stage, and gives the last. */
export async function buildImage(stages: readonly Stage[], building: Building): Promise<Image> {
  let image: Image | undefined
  for (const stage of stages) image = await buildStage(stage, building)
  if (!image) throw new Error('The Containerfile has no stage.')
  return image
}

async function buildStage({ name, steps }: Stage, building: Building): Promise<Image> {
  const folder = join(building.place, name)
  await mkdir(folder, { recursive: true })
  const image = {
    folder,
    env: {},
    workdir: '/',
    user: 'root',
    entrypoint: [''],
    command: [''],
    health: [''],
  }
  for (const step of steps) {
    const started = performance.now()
    await takeStep(step, image, building)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    building.log(`${name}: ${step.name} ${step.text.slice(0, 90)} (${seconds} s)`)
  }
  return image
}

type Making = { -readonly [K in keyof Image]: Image[K] }

async function takeStep({ name, options, text }: Instruction, image: Making, building: Building) {
  const { folder } = image
  if (name === 'WORKDIR') {
    image.workdir = text
    await mkdir(join(folder, text), { recursive: true })
  } else if (name === 'ENV') Object.assign(image.env, readEnv(text))
  else if (name === 'USER') image.user = text
  else if (name === 'ENTRYPOINT') image.entrypoint = words(text)
  else if (name === 'CMD') image.command = words(text)
  else if (name === 'HEALTHCHECK') image.health = words(text.slice(text.indexOf('[')))
  else if (name === 'COPY') await copy(options, text, image, building)
  else if (name === 'RUN') {
    const { programs } = building
    const env = {
      ...building.env,
      ...image.env,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: '/tmp',
    }
    const { workdir } = image
    await runInside(['sh', '-c', text], { folder, programs, env, workdir })
  } else if (!['EXPOSE', 'VOLUME', 'STOPSIGNAL'].includes(name)) {
    throw new Error(`The script does not know ${name}.`)
  }
}

async function copy(
  options: Instruction['options'],
  text: string,
  { folder, workdir }: Image,
  { context, place }: Building,
) {
  const { from, to } = readCopy(text)
  const source = options.from === undefined ? context : join(place, options.from)
  const target = join(folder, to.startsWith('/') ? to : join(workdir, to))
  const toFolder = to.endsWith('/')
  await mkdir(toFolder ? target : join(target, '..'), { recursive: true })
  for (const path of from) {
    // A folder's content is copied, a file into the folder or under the name that is given.
    const isFolder = execFileSync('sh', [
      '-c',
      'test -d "$0" && echo yes || true',
      join(source, path),
    ])
    const what = join(source, path) + (isFolder.length > 0 ? '/.' : '')
    if (isFolder.length > 0) await mkdir(target, { recursive: true })
    execFileSync('cp', ['-R', what, target])
  }
  if (options.chown) execFileSync('chown', ['-R', '1000:1000', target])
}
