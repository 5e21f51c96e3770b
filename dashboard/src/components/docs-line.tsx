/** Below a code snippet: a link to the docs, in a new tab since this page may show a key only once. */
export function DocsLine() {
  return (
    <p className="quiet">
      Every parameter and every error:{' '}
      <a href="/docs" target="_blank" rel="noopener">
        the documentation
      </a>
      , with batches of templates and samples in other languages.
    </p>
  )
}
