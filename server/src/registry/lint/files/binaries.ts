import { type LintEntry, type LintFile, type Report, rulesOf } from '../report/types.ts'

export const binaryRules = [
  ...rulesOf('notice', {
    'program-file':
      'A compiled program can do anything and shows nothing of it to a reader or a check. Ship its source, or name where to get it.',
    'archive-file':
      'No check looks into an archive. Ship the files in it beside the readme, where readers and checks see them.',
  }),
  ...rulesOf('advice', {
    'binary-file':
      'A file that is no text and of no common kind of image, font, sound or document: no agent can read it.',
    'executable-file':
      'The file is marked as executable, and is so again where the skill is installed. Say in the readme what it does.',
  }),
]

/** First bytes of what a machine runs. */
const programs: readonly (readonly [kind: string, head: readonly number[]])[] = [
  ['an ELF program', [0x7f, 0x45, 0x4c, 0x46]],
  ['a Windows program', [0x4d, 0x5a]],
  ['a macOS program', [0xcf, 0xfa, 0xed, 0xfe]],
  ['a macOS program', [0xce, 0xfa, 0xed, 0xfe]],
  ['a macOS program', [0xfe, 0xed, 0xfa]],
  ['a macOS or Java program', [0xca, 0xfe, 0xba, 0xbe]],
  ['a WebAssembly program', [0x00, 0x61, 0x73, 0x6d]],
  ['an Android program', [0x64, 0x65, 0x78, 0x0a]],
  ['a static library', [0x21, 0x3c, 0x61, 0x72, 0x63, 0x68, 0x3e]],
]
const programNames =
  /\.(?:exe|dll|so|dylib|node|a|lib|o|obj|class|pyc|pyo|pyd|wasm|msi|apk|ipa|deb|rpm|appimage|com|scr|sys|dex)$/i

const archives: readonly (readonly [kind: string, head: readonly number[]])[] = [
  ['a zip archive', [0x50, 0x4b, 0x03, 0x04]],
  ['a gzip file', [0x1f, 0x8b]],
  ['a bzip2 file', [0x42, 0x5a, 0x68]],
  ['an xz file', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['a zstd file', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['a rar archive', [0x52, 0x61, 0x72, 0x21]],
]
const archiveNames =
  /\.(?:zip|tar|tgz|gz|bz2|xz|zst|7z|rar|jar|war|whl|egg|nupkg|vsix|crx|xpi|iso|dmg|cab)$/i
/** Zip archives that a program opens as one document. */
const documents =
  /\.(?:docx|dotx|xlsx|xltx|pptx|potx|odt|ods|odp|odg|epub|sketch|key|numbers|pages|drawio|excalidraw|usdz|3mf)$/i
const media =
  /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|icns|tiff?|heic|psd|ai|pdf|woff2?|ttf|otf|eot|ttc|mp[34]|m4[av]|wav|ogg|og[av]|flac|mov|webm|avi|mkv|mid|glb|gltf|stl|fbx|blend|doc|xls|ppt|xlsb|rtf|sqlite3?|db|parquet|arrow|feather|npy|npz|h5|hdf5|pkl|mo|ds_store)$/i

/** Names a file that is no text for what it is. */
export function checkBinary({ path, head = new Uint8Array() }: LintFile, report: Report): void {
  const program = kindOf(programs, head)
  if (program !== undefined || programNames.test(path)) {
    report('program-file', 'readme', `${program ?? 'a compiled file'}, which no check can read`)
    return
  }
  const archive = kindOf(archives, head)
  if (archiveNames.test(path) || (archive !== undefined && !documents.test(path))) {
    report('archive-file', 'readme', `${archive ?? 'an archive'}, which no check looks into`)
    return
  }
  if (documents.test(path) || media.test(path)) return
  report('binary-file', 'readme', 'not text, and of no common kind')
}

/** Names a file that is executable where the skill is installed. */
export function checkExecutable({ executable }: LintEntry, report: Report): void {
  if (executable) report('executable-file', 'readme', 'marked as executable')
}

function kindOf(kinds: typeof programs, head: Uint8Array): string | undefined {
  return kinds.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0]
}
