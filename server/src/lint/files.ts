import type { Report } from './findings.ts'

/** Bytes that are checked to distinguish text from binary. */
const sampleBytes = 8192

/**
 * Decodes UTF-8 or UTF-16. Replaces invalid bytes, so that one of them does not exempt a text from
 * the checks. Returns undefined for bytes with a NUL or many invalid sequences, except in prose.
 */
export function textOf(path: string, bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, sampleBytes)
  const zeros = [0, 1].map((odd) => head.filter((byte, at) => byte === 0 && at % 2 === odd).length)
  const [even = 0, odd = 0] = zeros.map((count) => (4 * count) / head.length)
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (prose.test(path) && odd > 1))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || (prose.test(path) && even > 1))
    return new TextDecoder('utf-16be').decode(bytes)
  const broken = new TextDecoder().decode(head).match(/\ufffd/g)?.length ?? 0
  const isBinary = head.includes(0) || broken > head.length / 50 + 1
  if (isBinary && !prose.test(path)) return undefined
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Files that people read rendered and agents read as instructions. */
const prose = /\.(?:md|mdx|markdown|mdc|txt|text|rst|adoc|asciidoc|org|html?|xhtml|svg|xml)$/i

/** Returns whether a file is prose. In code and data, rendering hides nothing. */
export function isProse(path: string, text: string): boolean {
  if (prose.test(path)) return true
  const isCode =
    text.startsWith('#!') || /(?:^|\/)\w*(?:make|docker|rake|gem|just|proc)file$/i.test(path)
  return !isCode && !/\.[^./]+$/.test(path)
}

/** First bytes (hexadecimal) and file extensions of executable code. */
const programs = {
  heads: /^(?:7f454c46|4d5a|c[ef]faedfe|cafebabe|0061736d)/,
  names:
    /\.(?:exe|dll|so|dylib|node|a|lib|o|obj|class|pyc|pyo|pyd|wasm|msi|apk|ipa|deb|rpm|appimage|com|scr|sys|dex)$/i,
}
/** First bytes and file extensions of zip, gzip, bzip2, xz, zstd, 7z and rar archives. */
const archives = {
  heads: /^(?:504b0304|1f8b|425a68|fd377a585a|28b52ffd|377abcaf|52617221)/,
  names: /\.(?:zip|tar|tgz|gz|bz2|xz|zst|7z|rar|jar|war|whl|egg|nupkg|vsix|crx|xpi|iso|dmg|cab)$/i,
}
/** Extensions of documents that are zip archives. */
const documents =
  /\.(?:docx|dotx|xlsx|xltx|pptx|potx|odt|ods|odp|odg|epub|sketch|key|numbers|pages|drawio|excalidraw|usdz|3mf|npz)$/i

/** Reports programs and archives, which the lint cannot check. */
export function checkBinary(path: string, bytes: Uint8Array, report: Report): void {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  if (programs.heads.test(head) || programs.names.test(path)) {
    report('program-file', 'is a compiled program, which the lint cannot check')
  } else if (archives.names.test(path) || (archives.heads.test(head) && !documents.test(path))) {
    report('archive-file', 'is an archive, which the lint cannot check')
  }
}
