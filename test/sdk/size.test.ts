import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { root } from '../support/processes.ts'

/** Bytes of what a bundler makes of an import, minified and compressed, and the modules in it. */
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
  return {
    text,
    bytes: gzipSync(text, { level: 9 }).length,
    modules: Object.keys(output?.inputs ?? {}),
  }
}

describe('a bundle of the client for a browser', () => {
  test('is under 12 kB with all calls of createClient', async () => {
    const { bytes } = await bundleOf(`export { createClient } from '@skillpass/client'`)
    expect(bytes).toBeGreaterThan(4_000)
    expect(bytes).toBeLessThan(12_000)
  })

  test('leaves out what is not used', async () => {
    const { bytes, modules } = await bundleOf(`export { verifyWebhook } from '@skillpass/client'`)
    expect(bytes).toBeLessThan(4_000)
    expect(modules.filter((module) => /routes|transport|oauth\/token/.test(module))).toEqual([])
  })

  test('holds modules of the client alone', async () => {
    const { modules } = await bundleOf(`export * from '@skillpass/client'`)
    expect(modules.filter((module) => !/^(client-sdk\/src\/|<stdin>)/.test(module))).toEqual([])
  })
})
