import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../support/cleanup.ts'
import {
  compile,
  installNodeTypes,
  installPackedClient,
  typescript5,
} from '../support/packed-client.ts'
import { readmeSnippets } from '../support/readme-snippets.ts'
import { printTable } from './table.ts'

/**
 * What the packed client costs an editor: types made and seconds to check every snippet of the READMEs, strict and
 * without skipLibCheck, over the same compiler on a file that imports nothing.
 */
export async function benchTypes(): Promise<void> {
  const { path: project, remove } = await makeFolder()
  try {
    await installPackedClient(project)
    await installNodeTypes(project)
    await writeFile(join(project, 'nothing.ts'), 'export {}\n')
    const snippets = await readmeSnippets()
    const files = snippets.map((_, at) => `snippet-${at}.ts`)
    for (const [at, { code }] of snippets.entries()) {
      await writeFile(join(project, `snippet-${at}.ts`), code)
    }
    printTable(
      `Checking ${files.length} snippets with TypeScript 5, strict, medians of ${runs}`,
      ['what', 'errors', 'types', 'instantiations', 'check s', 'total s'],
      [
        ['nothing imported', ...(await costOf(project, ['nothing.ts']))],
        ['the snippets', ...(await costOf(project, files))],
      ],
    )
  } finally {
    await remove()
  }
}

const runs = 5

/** Errors, types, instantiations, and seconds of checking and altogether. */
async function costOf(project: string, files: readonly string[]): Promise<number[]> {
  const options = ['--types', 'node', '--noEmit', '--extendedDiagnostics']
  const measured: number[][] = []
  for (let run = 0; run < runs; run++) {
    const said = await compile(project, typescript5, 'nodenext', files, ...options)
    const figure = (name: string) =>
      Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(said)?.[1])
    const errors = said.match(/error TS/g)?.length ?? 0
    measured.push([errors, ...['Types', 'Instantiations', 'Check time', 'Total time'].map(figure)])
  }
  return (measured[0] ?? []).map((_, column) => {
    const values = measured.map((row) => row[column] ?? 0).sort((a, b) => a - b)
    return values[Math.floor(runs / 2)] ?? 0
  })
}
