for (const command of document.querySelectorAll('.command')) {
  const text = command.querySelector('code')
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy the ${command.dataset.name ?? 'command'}`)
  const state = document.createElement('span')
  state.className = 'hidden'
  state.setAttribute('role', 'status')
  const say = (words) => {
    button.textContent = words
    state.textContent = words
    setTimeout(() => {
      button.textContent = 'Copy'
      state.textContent = ''
    }, 2000)
  }
  const select = () => getSelection().selectAllChildren(text)
  button.addEventListener('click', async () => {
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(text.textContent)
      else {
        select()
        if (!document.execCommand('copy')) throw new Error('no clipboard')
      }
      say('Copied')
    } catch {
      select()
      say('Selected')
    }
  })
  command.append(button, state)
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
for (const time of document.querySelectorAll('time.zoned')) {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' })
  time.title = time.textContent
  time.textContent = `${format.format(new Date(time.dateTime))} (your time, ${timeZone})`
}
