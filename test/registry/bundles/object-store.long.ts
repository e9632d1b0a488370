import { describe, test } from 'vitest'
import { afterFile } from '../../support/cleanup.ts'
import { testObjectStore } from './store-tests.ts'
import { hasSwift, startSwift } from './swift.ts'

if (hasSwift) {
  describe('BLOB_URL with OpenStack Swift', async () => {
    const swift = await startSwift()
    afterFile(swift.remove)
    const url = await swift.bucket('skills')
    await testObjectStore({ url, list: () => swift.list('skills') })
  })
} else {
  test.skip('an object store keeps files in OpenStack Swift (skipped: Swift is not installed)', () => {})
}
