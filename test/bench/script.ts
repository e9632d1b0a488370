import { pathToFileURL } from 'node:url'

/** Runs `main` where a module is the script that node was started with, and not where it is imported. */
export function runAsScript(moduleUrl: string, main: () => Promise<void>): void {
  const started = process.argv[1]
  if (started === undefined || pathToFileURL(started).href !== moduleUrl) return
  main().catch((error: unknown) => {
    console.error(error)
    process.exitCode = 1
  })
}
