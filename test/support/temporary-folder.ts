import { afterFile } from './after-file.ts'
import { makeFolder } from './folder.ts'

/** A new folder, which is removed after the file's tests. */
export async function temporaryFolder(): Promise<string> {
  const { path, remove } = await makeFolder()
  afterFile(remove)
  return path
}
