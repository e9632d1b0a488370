/** The page around Swagger UI, and what of Swagger UI stands in its way. */
export const docsCss = `
html { box-sizing: border-box; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans); }
.docs-head { padding-block: 1rem 0; }
.docs-head h1 { font-size: 1.375rem; line-height: 1.25; margin: 0; }
.docs-head p { margin: 0.25rem 0 0; }
.docs-head a { color: var(--link); }
main.frame:focus { outline: none; }

.swagger-ui .information-container { display: none; }
.dark-mode .swagger-ui, .dark-mode .swagger-ui .scheme-container { background: none; border: 0; }
.swagger-ui .wrapper { padding: 0; max-width: none; }
.swagger-ui .scheme-container { margin: 0; padding: 0.75rem 0; box-shadow: none; background: none; }
.swagger-ui .scheme-container .schemes { align-items: end; }
.swagger-ui .filter-container { padding: 0; }
.swagger-ui .filter .operation-filter-input { margin: 0.25rem 0 0.5rem; width: 100%; max-width: 30rem; }
.swagger-ui .opblock-tag { font-size: 1.125rem; padding: 0.375rem 0; flex-wrap: wrap; }
.swagger-ui .opblock-tag small { flex-basis: 16rem; padding: 0 0.5rem; }
.swagger-ui .opblock-tag small p { margin: 0; padding: 0; }
.swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
.swagger-ui .opblock .opblock-summary-path { max-width: none; overflow-wrap: anywhere; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { overflow-wrap: anywhere; }
.swagger-ui .renderedMarkdown table { display: block; overflow-x: auto; }
.swagger-ui .modal-ux { max-width: 95vw; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .opblock .opblock-summary-method { color: #14171c; text-shadow: none; }
.swagger-ui table td, .swagger-ui table.headers td { color: var(--ink); }
.swagger-ui .btn.authorize { color: var(--good); border-color: currentColor; }
.swagger-ui .btn.authorize svg { color: inherit; }

@media (max-width: 48rem) {
  .swagger-ui .opblock-tag small { flex-basis: 100%; padding: 0; }
  .swagger-ui .opblock-tag svg, .swagger-ui .view-line-link.copy-to-clipboard { display: none; }
  .swagger-ui .parameters-col_description input, .swagger-ui .parameters-col_description select { max-width: 100%; }
  .swagger-ui table.parameters tbody tr { display: block; }
  .swagger-ui table.parameters tbody td { display: block; max-width: none; padding-block: 0.25rem; }
  .swagger-ui .modal-ux { min-width: 0; width: 95vw; }
}
`
