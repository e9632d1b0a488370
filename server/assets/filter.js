// Filters the rows of tables, and lists of entries, by words.
const search = document.querySelector('.filter')
const field = search?.querySelector('input')
const state = search?.querySelector('[role="status"]')
const rows = [...document.querySelectorAll('tbody tr, details.operation, .picks li')]
const texts = rows.map((row) => row.textContent.toLowerCase())
const groups = [...document.querySelectorAll('.readme table, section.operations, .picks')]

const apply = () => {
  const words = field.value.toLowerCase().split(/\s+/)
  rows.forEach((row, at) => {
    row.hidden = !words.every((word) => texts[at].includes(word))
  })
  for (const group of groups) {
    const isEmpty = !group.querySelector(
      'tbody tr:not([hidden]), details:not([hidden]), li:not([hidden])',
    )
    group.hidden = isEmpty
    // The heading of a table and the text below it.
    let above = group.previousElementSibling
    for (; above && above.tagName !== 'TABLE'; above = above.previousElementSibling) {
      if (group.tagName === 'TABLE') above.hidden = isEmpty
    }
  }
  const shown = rows.filter((row) => !row.hidden).length
  state.textContent = field.value === '' ? '' : `${shown} of ${rows.length}`
}

if (search) {
  search.hidden = false
  field.addEventListener('input', apply)
  apply()
}
