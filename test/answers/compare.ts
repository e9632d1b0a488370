import { readFileSync } from 'node:fs'
import type { Recorded } from './recorder.ts'

/** Lists the answers that differ between two recordings, with the first place where they do. */
const [before, after] = process.argv
  .slice(2)
  .map((file): Recorded[] => JSON.parse(readFileSync(file, 'utf8')))
if (!before || !after) throw new Error('Usage: npx tsx test/answers/compare.ts BEFORE AFTER')

const later = byRequest(after)
let differing = 0
for (const answer of before) {
  const was = JSON.stringify(answer)
  const is = JSON.stringify(later.get(answer.request)?.shift() ?? 'not asked')
  if (was === is) continue
  differing++
  let place = 0
  while (was[place] === is[place]) place++
  const around = (text: string) => text.slice(Math.max(0, place - 60), place + 120)
  console.log(`${answer.request.slice(0, 150)}\n  was … ${around(was)}\n  is  … ${around(is)}`)
}
const added = [...later.values()].flat()
for (const { request } of added) console.log(`${request.slice(0, 150)}\n  was … not asked`)
console.log(
  `${differing} of ${before.length} answers differ, and ${added.length} were not asked for before`,
)
process.exitCode = differing + added.length > 0 ? 1 : 0

/** Answers by what was asked for, in their order. */
function byRequest(answers: readonly Recorded[]): Map<string, Recorded[]> {
  const found = new Map<string, Recorded[]>()
  for (const answer of answers) {
    found.set(answer.request, [...(found.get(answer.request) ?? []), answer])
  }
  return found
}
