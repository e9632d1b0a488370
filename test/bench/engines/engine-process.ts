/**
 * Fills one engine with grown skills, asks it the tasks and prints what it measured as one line of
 * JSON; a process of its own, so that the memory is the engine's alone. Arguments: name, skills, and
 * the seconds that asking may take where there is no quality to measure.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { readSkills, readTasks, type Task } from '../../support/corpus.ts'
import { seededRandom, shuffled } from '../../support/random.ts'
import { collectGarbage } from '../collect-garbage.ts'
import { grow } from '../grown-corpus.ts'
import { percentiles } from '../percentiles.ts'
import { createQualityMeter, type Quality } from '../quality.ts'
import { type Engine, type EngineName, engines } from './engines.ts'

/** What one engine did with a number of skills. */
export interface EngineFigures {
  skills: number
  buildSeconds: number
  /** Bytes that it holds, as it or the JavaScript heap tells. */
  bytes: number
  /** Growth of the process, bytes. */
  residentBytes: number
  /** Tasks asked, and the milliseconds they took. */
  asked: number
  p50: number
  p99: number
  /** Only where the catalogue is the whole corpus: elsewhere nobody knows what is relevant. */
  quality: Quality | undefined
}

/** The threshold of a caller that names none. */
const SERVED = 0.3

const [name = '', count = '0', seconds = '10'] = process.argv.slice(2)
const isEngine = (given: string): given is EngineName => given in engines
if (!isEngine(name)) throw new Error(`no engine ${name}`)
process.stdout.write(JSON.stringify(await measure(engines[name](), Number(count), Number(seconds))))

async function measure(engine: Engine, size: number, patience: number): Promise<EngineFigures> {
  const real = readSkills()
  const tasks = readTasks().filter(({ kind }) => kind === 'positive')
  const before = memory()
  let building = 0
  for (const batch of batches(grow(real, size), 20_000)) {
    const start = performance.now()
    for (const [i, skill] of batch.entries()) {
      engine.add(skill)
      if (i % 500 === 499) await yieldToOthers()
    }
    building += performance.now() - start
  }
  const start = performance.now()
  await engine.finish?.()
  building += performance.now() - start
  const after = memory()
  // read only now, so that the corpus was in memory both times; a whole corpus is in its own order
  const ids = size === real.length ? real.map(({ id }) => id) : []
  const asked = ask(engine, shuffled(tasks, seededRandom(2)), ids, patience)
  return {
    skills: size,
    buildSeconds: building / 1000,
    bytes: engine.bytes?.() ?? after.heap - before.heap,
    residentBytes: after.resident - before.resident,
    ...asked,
  }
}

/** So that making the skills is not timed; large, for a thread that reads ahead goes on meanwhile. */
function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  yield batch
}

/**
 * A pass that judges, if there is something to judge, and others until what runs often is compiled; then
 * passes with the clock as long as there is time.
 */
function ask(engine: Engine, tasks: readonly Task[], ids: readonly string[], patience: number) {
  const meter = createQualityMeter()
  const warm = performance.now() + (patience * 1000) / 4
  for (const { task, relevant } of ids.length > 0 ? tasks : []) {
    const named = engine.rank(task, 0).map((slot) => ids[slot] ?? '')
    meter.add(named, relevant)
  }
  const askNext = (i: number) => engine.rank(tasks[i % tasks.length]?.task ?? '', SERVED)
  for (let i = 0; performance.now() < warm; i++) askNext(i)
  const times: number[] = []
  const end = performance.now() + patience * 1000
  for (let i = 0; i < 3 * tasks.length && performance.now() < end; i++) {
    const start = performance.now()
    askNext(i)
    times.push(performance.now() - start)
  }
  const quality = ids.length > 0 ? meter.mean() : undefined
  return { asked: times.length, ...percentiles(times), quality }
}

function memory(): { heap: number; resident: number } {
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, resident: rss }
}
