import { makeFolder } from '../support/cleanup.ts'
import { skillsFile } from '../support/corpus.ts'
import { runCommand, startBenchServer } from './processes.ts'
import { printTable } from './table.ts'

const deadlineMs = 120_000

/** The real skills: how fast they come in, what they take in memory, how long a start takes. */
export async function benchCatalogue(): Promise<void> {
  const folder = await makeFolder()
  try {
    const empty = await startBenchServer(folder.path)
    const emptyMemory = await empty.memory()
    const begun = performance.now()
    const printed = await runCommand(folder.path, 'import', skillsFile, '--json')
    const { imported, seconds } = JSON.parse(printed) as { imported: number; seconds: number }
    await untilHeld(empty.url, imported)
    const untilFound = (performance.now() - begun) / 1000
    await empty.stop()

    const full = await startBenchServer(folder.path)
    const memory = (await full.memory()) - emptyMemory
    await full.stop()
    printTable(
      `The real skills, ${imported} of them`,
      ['what', 'figure', 'unit'],
      [
        ['import into the database', imported / seconds, 'skills/s'],
        ['import until a running server finds all', imported / untilFound, 'skills/s'],
        ['cold start until ready', full.startMs / 1000, 's'],
        ['memory above an empty server', memory / imported / 1000, 'kB a skill'],
      ],
    )
  } finally {
    await folder.remove()
  }
}

async function untilHeld(url: string, skills: number) {
  const deadline = performance.now() + deadlineMs
  while (performance.now() < deadline) {
    const answer = await fetch(`${url}/api/v1/skills/search?limit=1`)
    if (((await answer.json()) as { total: number }).total === skills) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the running server did not find the imported skills')
}
