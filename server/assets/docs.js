const root = document.getElementById('swagger-ui')
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// Swagger UI filters by tag only. Filter by operation, and expand the tags with matches.
const search = (phrase) => {
  const words = phrase.toLowerCase().split(/\s+/)
  return (operation, tag) => {
    const { path, method } = operation.toObject()
    const about = operation.get('operation')
    // Swagger UI changes the id of an expanded operation.
    const id = about.get('__originalOperationId', about.get('operationId'))
    const text = [tag, method, path, about.get('summary'), id].join(' ')
    return words.every((word) => text.toLowerCase().includes(word))
  }
}
const findOperations = (tags) => () => ({
  fn: {
    opsFilter: (tagged, phrase) => {
      const fits = search(phrase)
      return tagged
        .map((one, tag) => one.update('operations', (all) => all.filter((each) => fits(each, tag))))
        .filter((one) => one.get('operations').size > 0)
    },
  },
  statePlugins: {
    layout: {
      wrapActions: {
        updateFilter: (original, system) => (phrase) => {
          const isShown = Boolean(phrase)
          for (const { name } of tags) system.layoutActions.show(['operations-tag', name], isShown)
          return original(phrase || true)
        },
      },
    },
  },
})

// The layout of Swagger UI, without a second `main` and its heading levels.
const layout = ({ getComponent }) => {
  const show = (name) => createElement(getComponent(name, true))
  return createElement(
    'div',
    { className: 'swagger-ui' },
    show('SvgAssets'),
    show('errors'),
    createElement(
      'div',
      { className: 'scheme-container schemes' },
      show('ServersContainer'),
      show('AuthorizeBtnContainer'),
    ),
    show('FilterContainer'),
    show('operations'),
    show('Models'),
  )
}

// Not a link, since it is inside a button.
const DeepLink = ({ text }) => createElement('span', null, text)

// Answers after the first are folded.
const foldAnswers = (Responses) => (props) => {
  const [isOpen, open] = useState(false)
  const others = props.responses.size - 1
  const responses = isOpen ? props.responses : props.responses.take(1)
  return createElement(
    'div',
    null,
    createElement(Responses, { ...props, responses }),
    others > 0 &&
      createElement(
        'button',
        { type: 'button', className: 'others', onClick: () => open(!isOpen) },
        isOpen ? 'Show only the first answer' : `Show ${others} other answers`,
      ),
  )
}

// Swagger UI sends every field of a form. Prefill only the fields of the form's example.
const formType = 'application/x-www-form-urlencoded'
const fillForms = ({ paths, components }) => {
  for (const { requestBody } of Object.values(paths).flatMap(Object.values)) {
    const form = requestBody?.content[formType]
    if (!form) continue
    const shown = form.example || Object.values(form.examples)[0].value
    const { properties } = components.schemas[form.schema.$ref.split('/').pop()]
    for (const [name, field] of Object.entries(properties)) field.example = shown[name] || ''
  }
}

let createElement
let useState

// What Swagger UI leaves out for screen readers and keyboards.
const attributes = [
  ['#servers', 'aria-label', () => 'Server'],
  ['.close-modal', 'aria-label', () => 'Close'],
  ['.modal-btn', 'aria-label', (button) => button.textContent],
  ['.modal-ux h2', 'aria-level', () => '5'],
  ['.responses-table', 'role', () => 'table'],
  ['pre', 'tabindex', () => '0'],
  ['tr :is(select, textarea, input:not([type="file"]))', 'aria-label', (field) => labelOf(field)],
]
const labelOf = (field) => {
  const { paramName, propertyName } = field.closest('tr').dataset
  return paramName || propertyName || field.getAttribute('aria-label') || 'Value'
}
const complete = () => {
  for (const [selector, attribute, textOf] of attributes) {
    for (const element of root.querySelectorAll(selector)) {
      const value = textOf(element)
      if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value)
    }
  }
}

// Typing replaces a prefilled client id.
root.addEventListener('click', ({ target }) => {
  if (target.id.startsWith('client_id') && target.value === root.dataset.clientId) target.select()
})

const start = (spec) => {
  new MutationObserver(complete).observe(root, { childList: true, subtree: true })
  fillForms(spec)
  const ui = SwaggerUIBundle({
    spec,
    domNode: root,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [
      findOperations(spec.tags),
      ({ React }) => {
        ;({ createElement, useState } = React)
        return { components: { layout, DeepLink }, wrapComponents: { responses: foldAnswers } }
      },
    ],
    layout: 'layout',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
    syntaxHighlight: { activated: false },
    oauth2RedirectUrl: new URL('/docs/oauth2-redirect.html', location.href).href,
  })
  ui.initOAuth({
    clientId: root.dataset.clientId || '',
    usePkceWithAuthorizationCodeGrant: true,
  })
}

fetch('/openapi.json')
  .then((answer) => answer.json())
  .then(start)
  .catch(() => {
    root.textContent = 'The API document could not be loaded. Reload the page.'
  })
