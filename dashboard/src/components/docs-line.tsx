/** Under a piece of code: where the rest is said, in a tab of its own, as a key may be shown only here. */
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
