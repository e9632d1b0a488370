/** Where widely used tools serve their installers: a host of their own, or a path that is theirs. */
const places = `
astral.sh/ bun.sh/install deno.land/install.sh deno.land/x/install/install.sh sh.rustup.rs/
get.pnpm.io/install.sh get.docker.com/ get.helm.sh/ install.python-poetry.org/
raw.githubusercontent.com/homebrew/install/ raw.githubusercontent.com/nvm-sh/nvm/
raw.githubusercontent.com/helm/helm/ raw.githubusercontent.com/ohmyzsh/ohmyzsh/
claude.ai/install.sh claude.ai/install.ps1 fly.io/install.sh starship.rs/install.sh
ollama.com/install.sh ollama.ai/install.sh rclone.org/install.sh mise.run/ mise.jdx.dev/
get.k3s.io/ tailscale.com/install.sh deb.nodesource.com/ rpm.nodesource.com/
fnm.vercel.app/install get.volta.sh/ nixos.org/nix/install install.determinate.systems/
foundry.paradigm.xyz/ get.sdkman.io/ pixi.sh/install.sh cli.github.com/ get.chezmoi.io/
sdk.cloud.google.com/ aka.ms/installazureclideb community.chocolatey.org/install.ps1
get.scoop.sh/ getcomposer.org/installer`
  .trim()
  .split(/\s+/)

const address = /(?:[a-z][a-z+.-]{1,10}:\/\/)?[^\s"'`<>()|;\\]*[^\s"'`<>()|;\\.,]/g
/** Every word that may name a download; a line with one of another form is no known installer. */
const anyDownloader =
  /\b(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod|downloadstring|aria2c|xh|lynx|w3m|nc|ncat|netcat|socat)\b|\bhttps?\s/g
/** A decoder, or a variable that is set before a command, such as its proxy. */
const unclear = /base64|xxd|openssl|\brev\b|(?<![-\w])\w{1,40}\+?=\S/

const curlOption =
  '(?:-[fslvq#146]{1,8}|-[fslq]{0,6}o[ ]?-|--(?:fail|silent|show-error|location|tlsv1\\.[23]|compressed|progress-bar|https-only|quiet|no-verbose|output-document=-)|--proto[ =]["\']?=https["\']?|--retry[ =]\\d{1,3}|-useb(?:asicparsing)?|-uri)'
/** The name of a file, not of a host: letters are folded, so that `-O host` reads the same. */
const savedAs =
  '(?:-[fsl]{0,6}o|--output|--output-document|-outfile|-qo)[ =](?:(?:\\.|~|\\/tmp)\\/)?["\']?[\\w-]{1,60}(?:\\.(?:sh|ps1|py|exe))?["\']?'
const options = `(?:\\s{1,4}(?:${curlOption}|${savedAs}))`
/** What runs the installer, without a setting and without a host after it. */
const run =
  '(?:sudo\\s{1,4}(?:-[eh]\\s{1,4}){0,2})?(?:\\/(?:usr\\/)?bin\\/)?(?:(?:ba|z|da)?sh|python3?|iex|invoke-expression)\\b(?!\\s{1,4}-s\\b[^`)"\';&|\\n]{0,200}?\\w\\.[a-z]{2})'
/** One downloader, options of a short list and one address, and nothing else. */
const plainDownload = new RegExp(
  `(?:(?<![\\w./\\\\-])(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)${options}{0,8}\\s{1,4}["']?(https:\\/\\/[^\\s"'\`<>()|;&\\\\]{4,200})["']?${options}{0,8}|(?<=\\.)downloadstring\\(["'](https:\\/\\/[^\\s"'\`<>()|;&\\\\]{4,200})["'])\\s{0,4}(?:$|[)"'\`;&>]|\\\\?\\|\\s{0,4}${run})`,
  'g',
)

/**
 * Whether all that a command downloads is the installer of a widely used tool. `command` is in lower
 * case. Only the plain form of a download counts: another address, a proxy or another option could
 * bring another program, and so could a variable within the address.
 */
export function isKnownInstaller(command: string): boolean {
  if (unclear.test(command)) return false
  const downloads = [...command.matchAll(plainDownload)]
  if (downloads.length === 0) return false
  if (downloads.length !== command.match(anyDownloader)?.length) return false
  const others = (command.match(address) ?? []).filter((word) =>
    /:\/\/|^[\w-]+(?:\.[\w-]+)+\//.test(word),
  )
  return [...downloads.map(([, url, script]) => url ?? script ?? ''), ...others].every(isKnown)
}

/** A branch or tag. A commit may be one of a fork, which GitHub serves under the parent's path. */
const reference =
  /^(?:head|main|master|v\d[\w.-]{0,30}|\d{1,4}(?:\.\d{1,6}){1,3}|refs\/(?:heads\/(?:main|master)|tags\/v?\d[\w.-]{0,30}))\//

function isKnown(written: string): boolean {
  if (/[$\\{}*@%[\]]/.test(written) || !written.startsWith('https://')) return false
  const rest = written.slice('https://'.length)
  const path = rest.includes('/') ? rest : `${rest}/`
  const place = places.find((place) => path.startsWith(place))
  if (place === undefined || path.includes('/../')) return false
  const isOnGitHub = place.startsWith('raw.githubusercontent.com/')
  return !isOnGitHub || reference.test(path.slice(place.length))
}
