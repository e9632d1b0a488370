import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { root } from '../support/processes.ts'

/** Bundles code for a browser. Returns its minified and compressed size, and its modules. */
async function bundleOf(code: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: `${root}test`, loader: 'ts' },
    conditions: ['@skillpass/source'],
    platform: 'browser',
    format: 'esm',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
  })
  const [{ text = '' } = {}] = outputFiles
  const [output] = Object.values(metafile.outputs)
  return { bytes: gzipSync(text, { level: 9 }).length, modules: Object.keys(output?.inputs ?? {}) }
}

test('a minified and compressed bundle of createClient is under 12 kB', async () => {
  const { bytes } = await bundleOf(`export { createClient } from '@skillpass/client'`)
  expect(bytes).toBeGreaterThan(4_000)
  expect(bytes).toBeLessThan(12_000)
})

test('a bundle of verifyWebhook is under 4 kB and leaves out routes, transport and tokens', async () => {
  const { bytes, modules } = await bundleOf(`export { verifyWebhook } from '@skillpass/client'`)
  expect(bytes).toBeLessThan(4_000)
  expect(modules.filter((module) => /routes|transport|oauth\/token/.test(module))).toEqual([])
})
