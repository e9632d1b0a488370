/** Commands that a text in disguise is most likely to hide. */
export const commandNames: ReadonlySet<string> = new Set(
  'curl wget sh bash zsh dash ksh python python3 node perl ruby php eval exec source iex irm iwr base64 sudo nc rev xxd'.split(
    ' ',
  ),
)
