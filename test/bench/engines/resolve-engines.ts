import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { printTable } from '../table.ts'
import type { EngineFigures } from './engine-process.ts'
import { type EngineName, engines } from './engines.ts'

/** The figures of an engine, or why there are none. */
export type EngineOutcome = { name: EngineName; skills: number } & (
  | { figures: EngineFigures }
  | { skipped: string }
)

/** JavaScript heap that an engine may take, MB. */
const heapMb = 12_000

/** Measures every engine with so many skills, each in a process of its own. */
export async function measureEngines(skills: number, seconds: number): Promise<EngineOutcome[]> {
  const outcomes: EngineOutcome[] = []
  for (const name of Object.keys(engines).filter(isName)) {
    outcomes.push({ name, skills, ...(await run(name, skills, seconds)) })
  }
  return outcomes
}

const isName = (name: string): name is EngineName => name in engines

async function run(name: EngineName, skills: number, seconds: number) {
  const script = fileURLToPath(new URL('engine-process.ts', import.meta.url))
  const options = [...process.execArgv, `--max-old-space-size=${heapMb}`]
  const args = [...options, script, name, String(skills), String(seconds)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += String(chunk)
  if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve))
  if (child.exitCode !== 0) return { skipped: `ended with ${child.exitCode ?? child.signalCode}` }
  return { figures: JSON.parse(output) as EngineFigures }
}

const nameSkipped = ({ name, skipped }: { name: EngineName; skipped: string }) =>
  `${name} (skipped: ${skipped})`

/** Prints how well each engine ranks the whole corpus. */
export function printQuality(outcomes: readonly EngineOutcome[], tasks: number): void {
  printTable(
    `Ranking ${outcomes[0]?.skills} skills for ${tasks} tasks`,
    ['engine', 'nDCG@10', 'H@1', 'H@10', 'p50 ms', 'p99 ms', 'kB a skill', 'build s', 'skills/s'],
    outcomes.map((outcome) => {
      if ('skipped' in outcome) return [nameSkipped(outcome)]
      const { quality, p50, p99, bytes, buildSeconds, skills } = outcome.figures
      return [
        outcome.name,
        ...[quality?.ndcg, quality?.first, quality?.ten].map((share) => share?.toFixed(3) ?? ''),
        ...[p50, p99, bytes / 1000 / skills, buildSeconds, Math.round(skills / buildSeconds)],
      ]
    }),
  )
}

/** Prints what each engine takes at each size. */
export function printScale(outcomes: readonly EngineOutcome[]): void {
  printTable(
    'Resolve in process by size (each engine in a process of its own, with all cores)',
    ['skills', 'engine', 'skills/s', 'kB a skill', 'process kB', 'p50 ms', 'p99 ms', 'asked'],
    outcomes.map((outcome) => {
      const size = String(outcome.skills)
      if ('skipped' in outcome) return [size, nameSkipped(outcome)]
      const { buildSeconds, bytes, residentBytes, p50, p99, asked, skills } = outcome.figures
      const kilobytes = [bytes, residentBytes].map((each) => each / 1000 / skills)
      return [size, outcome.name, Math.round(skills / buildSeconds), ...kilobytes, p50, p99, asked]
    }),
  )
}
