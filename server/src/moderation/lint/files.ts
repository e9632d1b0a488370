import type { LintEntry, LintFile, Report } from './types.ts'

/** Bytes of a file that tell what it is. */
const headBytes = 64
/** How much of a file is looked at to tell text from other bytes. */
const looked = 8192

/** A file as the lint reads it: its text, or its first bytes if it is not text. */
export function lintFileOf(entry: LintEntry, bytes: Uint8Array): LintFile {
  const text = textOf(bytes)
  return text === undefined
    ? { ...entry, text: null, head: bytes.slice(0, headBytes) }
    : { ...entry, text }
}

/**
 * UTF-8, or UTF-16 with its mark. A broken byte is replaced, so that no text escapes the checks by one;
 * bytes with a NUL or with many broken ones are not text.
 */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const head = bytes.subarray(0, looked)
  if (head.includes(0)) return undefined
  const broken = new TextDecoder().decode(head).match(/\ufffd/g)?.length ?? 0
  if (broken > head.length / 50 + 1) return undefined
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Files that a person reads as a page, and an agent as instructions. */
const prose = /\.(?:md|mdx|markdown|mdc|txt|text|rst|adoc|asciidoc|org|html?|xhtml|svg|xml)$/i

/** Whether a file is read as prose; anything else is code or data, where nothing is hidden by rendering. */
export function isProse(path: string, text: string): boolean {
  if (prose.test(path)) return true
  const isCode =
    text.startsWith('#!') || /(?:^|\/)\w*(?:make|docker|rake|gem|just|proc)file$/i.test(path)
  return !isCode && !/\.[^./]+$/.test(path)
}

/** What is checked at once, in characters: some milliseconds' work. */
const partLength = 64 * 1024
/** How much of a part the next one begins with, so that nothing is split. */
const overlap = 2048

/** Cuts a text into parts that overlap, at the ends of lines if there are any. */
export function* partsOf(text: string): Generator<{ text: string; firstLine: number }> {
  let firstLine = 1
  let start = 0
  for (let end = partLength; end < text.length; end = start + partLength) {
    yield { text: text.slice(start, end), firstLine }
    const newline = text.lastIndexOf('\n', end - overlap)
    const next = newline > start ? newline + 1 : end - overlap
    firstLine += text.slice(start, next).split('\n').length - 1
    start = next
  }
  yield { text: text.slice(start), firstLine }
}

/** First bytes in hexadecimal, and endings of names, of what a machine runs. */
const programs = {
  heads: /^(?:7f454c46|4d5a|c[ef]faedfe|cafebabe|0061736d)/,
  names:
    /\.(?:exe|dll|so|dylib|node|a|lib|o|obj|class|pyc|pyo|pyd|wasm|msi|apk|ipa|deb|rpm|appimage|com|scr|sys|dex)$/i,
}
/** The same of zip, gzip, bzip2, xz, zstd, 7z and rar. */
const archives = {
  heads: /^(?:504b0304|1f8b|425a68|fd377a585a|28b52ffd|377abcaf|52617221)/,
  names: /\.(?:zip|tar|tgz|gz|bz2|xz|zst|7z|rar|jar|war|whl|egg|nupkg|vsix|crx|xpi|iso|dmg|cab)$/i,
}
/** Zip archives that a program opens as one document. */
const documents =
  /\.(?:docx|dotx|xlsx|xltx|pptx|potx|odt|ods|odp|odg|epub|sketch|key|numbers|pages|drawio|excalidraw|usdz|3mf|npz)$/i

/** Names a file that is not text if no check can look into it. */
export function checkBinary({ path, head = new Uint8Array() }: LintFile, report: Report): void {
  const bytes = Buffer.from(head).toString('hex')
  if (programs.heads.test(bytes) || programs.names.test(path)) {
    report('program-file', 'a compiled program, which no check can read')
  } else if (archives.names.test(path) || (archives.heads.test(bytes) && !documents.test(path))) {
    report('archive-file', 'an archive, which no check looks into')
  }
}
