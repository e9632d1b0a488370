/** Hosts or paths that serve the installers of widely used tools. */
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
/** Words that start a download. Each must be part of a recognized download. */
const anyDownloader =
  /\b(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod|downloadstring|aria2c|xh|lynx|w3m|nc|ncat|netcat|socat)\b|\bhttps?\s/g
/** Decoders, and variables set before a command, such as a proxy. */
const suspicious = /base64|xxd|openssl|\brev\b|(?<![-\w])\w{1,40}\+?=\S/

const curlOption =
  '(?:-[fslvq#146]{1,8}|-[fslq]{0,6}o[ ]?-|--(?:fail|silent|show-error|location|tlsv1\\.[23]|compressed|progress-bar|https-only|quiet|no-verbose|output-document=-)|--proto[ =]["\']?=https["\']?|--retry[ =]\\d{1,3}|-useb(?:asicparsing)?|-uri)'
/** A local file name, not a host: in lower case, curl's `-O` is the same as `-o`. */
const savedAs =
  '(?:-[fsl]{0,6}o|--output|--output-document|-outfile|-qo)[ =](?:(?:\\.|~|\\/tmp)\\/)?["\']?[\\w-]{1,60}(?:\\.(?:sh|ps1|py|exe))?["\']?'
const options = `(?:\\s{1,4}(?:${curlOption}|${savedAs}))`
/** A command that runs the installer without arguments that contain a host. */
const run =
  '(?:sudo\\s{1,4}(?:-[eh]\\s{1,4}){0,2})?(?:\\/(?:usr\\/)?bin\\/)?(?:(?:ba|z|da)?sh|python3?|iex|invoke-expression)\\b(?!\\s{1,4}-s\\b[^`)"\';&|\\n]{0,200}?\\w\\.[a-z]{2})'
/** One download command with one URL and known options only. */
const plainDownload = new RegExp(
  `(?:(?<![\\w./\\\\-])(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)${options}{0,8}\\s{1,4}["']?(https:\\/\\/[^\\s"'\`<>()|;&\\\\]{4,200})["']?${options}{0,8}|(?<=\\.)downloadstring\\(["'](https:\\/\\/[^\\s"'\`<>()|;&\\\\]{4,200})["'])\\s{0,4}(?:$|[)"'\`;&>]|\\\\?\\|\\s{0,4}${run})`,
  'g',
)

/**
 * Returns whether a command, in lower case, downloads only the installer of a widely used tool.
 * Accepts plain downloads only: another URL, a proxy, an unknown option or a variable could load
 * another program.
 */
export function isKnownInstaller(command: string): boolean {
  if (suspicious.test(command)) return false
  const downloads = [...command.matchAll(plainDownload)]
  if (downloads.length === 0) return false
  if (downloads.length !== command.match(anyDownloader)?.length) return false
  const others = (command.match(address) ?? []).filter((word) =>
    /:\/\/|^[\w-]+(?:\.[\w-]+)+\//.test(word),
  )
  return [...downloads.map(([, url, script]) => url ?? script ?? ''), ...others].every(isKnown)
}

/** Branches and tags. GitHub serves commits of forks too, so commits are excluded. */
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
